//! Ways that take several calls, or one call more: each single step of what many at once do, reading and writing the
//! whole in place of a change, filling in place of making filled, another maker of the same sort of thing.

use super::{FILES, KIN, KINDS, SORTS, Shape, VALUES};
use crate::words::singular;

/// Verbs that change a part of what is there, and verbs that put the whole in its place.
const EDITS: &[&str] = &["edit", "modify", "update", "patch", "replace", "append", "change", "amend"];
const WRITES: &[&str] = &["write", "put", "save", "overwrite", "store"];

/// Verbs that put something into what is there.
const PUTS: &[&str] =
    &["insert", "add", "append", "modify", "edit", "write", "update", "set", "populate", "fill", "patch"];

/// What a thing that is written holds.
const WHOLE: &[&str] =
    &["content", "text", "body", "data", "file_content", "file_text", "new_content", "source"];

/// What lies in a thing and is put there piece by piece.
const PIECES: &[&str] = &[
    "table",
    "list",
    "row",
    "column",
    "paragraph",
    "heading",
    "text",
    "link",
    "break",
    "bullet",
    "cell",
    "block",
    "element",
    "content",
    "value",
    "data",
    "item",
    "line",
    "section",
    "children",
];

/// What a step says of itself, beside the thing that it works on.
const OF_STEP: &[&str] = &[
    "index",
    "position",
    "start_index",
    "text",
    "content",
    "element_type",
    "type",
    "value",
    "range",
    "range_name",
    "data",
    "children",
    "row",
    "body",
    "block",
    "item",
];

/// Verbs that make a thing, from nothing or from a file.
const MAKES: &[&str] = &["create", "make", "new", "import", "upload", "convert"];

/// Words of names that say which part of a thing is read as text.
const READ: &[&str] = &["content", "value", "text", "markdown", "body", "cell", "row", "data"];

/// Things of which one is the other under another name, for whoever makes one.
const SORT: &[&[&str]] = &[
    &["doc", "document"],
    &["spreadsheet", "sheet", "workbook"],
    &["presentation", "slide", "deck"],
    &["form", "survey"],
    &["page", "block"],
];

/// What models write themselves to find something.
const OWN: &[&str] = &[
    "query",
    "q",
    "pattern",
    "search",
    "search_query",
    "filter",
    "pipeline",
    "regex",
    "keyword",
    "term",
    "glob",
    "search_term",
    "question",
];

impl Shape {
    /// Whether the other tool comes to the same end in more calls than one, or with what is read first.
    pub(crate) fn is_reached_by(&self, other: &Self, given: &[String]) -> bool {
        let is_of_server = self.server.is_none() || other.server.is_none() || self.server == other.server;
        if other.reads || self.reads {
            return self.is_read_as_file_by(other, given);
        }
        is_of_server
            && (self.is_done_one_by_one(other)
                || self.is_written_whole_by(other, given)
                || self.is_filled_by(other, given)
                || self.is_made_by(other))
    }

    /// Whether the other does one of the several things that this does at once.
    fn is_done_one_by_one(&self, other: &Self) -> bool {
        let has = |shape: &Self, sort: &[&str]| shape.words.iter().any(|word| sort.contains(&word.as_str()));
        let is_member = |need: &String| {
            self.members.contains(need)
                || (VALUES.contains(&need.as_str())
                    && self.members.iter().any(|member| VALUES.contains(&member.as_str())))
        };
        let is_of_list = |word: &String| self.lists.contains(word);
        let is_same_sort = |(at, sort): (usize, &&[&str])| {
            has(self, sort) && has(other, sort) && (at > 0 || other.words.iter().any(is_of_list))
        };
        let is_of_list = !self.lists.is_empty()
            && other.lists.is_empty()
            && SORTS.iter().enumerate().any(is_same_sort)
            && other.needs.iter().any(is_member)
            && other.needs.iter().all(|need| is_member(need) || self.needs.contains(need));
        // A list of steps on a thing, and a tool that takes one of them.
        let is_step = self.is_many
            && self.has_steps
            && !other.is_about
            && !self.needs.is_empty()
            && self.needs.iter().all(|need| other.needs.contains(need));
        is_of_list || is_step
    }

    /// Whether what this changes in part the other writes as a whole, or the other way round.
    fn is_written_whole_by(&self, other: &Self, given: &[String]) -> bool {
        let is = |shape: &Self, verbs: &[&str]| shape.words.iter().any(|word| verbs.contains(&word.as_str()));
        let is_pair = (is(self, EDITS) && is(other, WRITES)) || (is(self, WRITES) && is(other, EDITS));
        let names_it = |need: &&String| given.contains(need) && !WHOLE.contains(&need.as_str());
        is_pair
            && other.needs.iter().any(|need| names_it(&need))
            && other.needs.iter().all(|need| given.contains(need) || WHOLE.contains(&need.as_str()))
            && given.iter().filter(|name| is_place(name)).all(|name| other.takes.contains(name))
    }

    /// Whether what this makes in a thing the other can put there piece by piece.
    fn is_filled_by(&self, other: &Self, given: &[String]) -> bool {
        let has =
            |shape: &Self, words: &[&str]| shape.words.iter().any(|word| words.contains(&word.as_str()));
        let within = |need: &&String| need.ends_with("_id") && self.needs.contains(need);
        has(self, PIECES)
            && has(self, &["create", "insert", "add", "append", "make"])
            && has(other, PUTS)
            && has(other, PIECES)
            && !other.is_about
            && other.needs.iter().any(|need| within(&need))
            && other.needs.iter().all(|need| given.contains(need) || OF_STEP.contains(&need.as_str()))
    }

    /// Whether both make a new thing of one sort, the one from nothing and the other from a file.
    fn is_made_by(&self, other: &Self) -> bool {
        let verb = |shape: &Self| shape.words.iter().find(|word| MAKES.contains(&word.as_str())).cloned();
        let is_within = |shape: &Self| shape.needs.iter().any(|need| need.ends_with("_id"));
        let sort = |shape: &Self| {
            let last = shape.words.last()?;
            let group = SORT.iter().find(|group| group.contains(&last.as_str()));
            Some(
                group
                    .and_then(|group| group.first())
                    .map_or_else(|| last.clone(), |first| (*first).to_owned()),
            )
        };
        let (Some(own), Some(others)) = (verb(self), verb(other)) else { return false };
        own != others && sort(self) == sort(other) && !is_within(self) && !is_within(other)
    }

    /// Whether what this reads of a thing of a store stands in the file that the other reads.
    fn is_read_as_file_by(&self, other: &Self, given: &[String]) -> bool {
        let has =
            |shape: &Self, words: &[&str]| shape.words.iter().any(|word| words.contains(&word.as_str()));
        self.looks
            && other.looks
            && !self.is_about
            && has(self, READ)
            && has(other, FILES)
            && has(other, &["content", "text", "download", "read"])
            && matches!(&other.needs[..], [need] if is_id_of(need, FILES))
            && given.iter().any(|name| is_id_of(name, KINDS))
    }

    /// Whether the other looks at what this works on and can be called with what is given: with an id or a place of it.
    pub(crate) fn is_seen_by(&self, other: &Self, given: &[String]) -> bool {
        let is_own = |need: &String| OWN.contains(&need.as_str());
        let gives = |need: &String| given.iter().any(|name| name == need || is_same_id(name, need));
        other.looks
            && other.needs.iter().any(|need| !is_own(need) && gives(need))
            && other.needs.iter().all(|need| is_own(need) || gives(need))
    }

    /// Whether the other looks at all that there is, or at what a query of its own finds.
    pub(crate) fn shows_all(&self) -> bool {
        self.looks && self.needs.iter().all(|need| OWN.contains(&need.as_str()))
    }
}

/// Whether a name is of where a thing is or which one it is.
fn is_place(name: &str) -> bool {
    name.ends_with("_id") || ["id", "path", "file_path", "url", "number", "key"].contains(&name)
}

fn is_id_of(name: &str, things: &[&str]) -> bool {
    name.strip_suffix("_id").is_some_and(|thing| things.contains(&singular(thing).as_str()))
}

/// Whether two names are of one id: of a page and of the block that it is, of a document and of its file.
fn is_same_id(given: &str, need: &str) -> bool {
    let (Some(one), Some(other)) = (given.strip_suffix("_id"), need.strip_suffix("_id")) else {
        return false;
    };
    one == other
        || KIN.iter().any(|kin| kin.contains(&one) && kin.contains(&other))
        || (is_id_of(given, KINDS) && is_id_of(need, FILES))
}
