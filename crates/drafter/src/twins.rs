//! Ways to the same end that no shared words show: the twin that does it to many at once, the one that runs whatever
//! it is given, the store's own tools for what is a file there, and the flag that does what another tool is for.

mod ways;

use transcript::Tool;

use crate::looks::looks;
use crate::schema::{Argument, Schema, type_of};
use crate::similar::stem;
use crate::words::{is_verb, name_words, singular};

/// Words of the names of tools that do to many what another does to one.
const MANY: &[&str] = &["batch", "bulk", "many", "multiple"];

/// Verbs of tools that run what they are given, and what that is called.
const RUNS: &[&str] = &["run", "execute", "evaluate", "eval"];
const GIVEN: &[&str] = &["code", "sql", "script", "command", "javascript", "expression", "function"];

/// What a tool is given that does several things in one call.
const STEPS: &[&str] = &["operation", "request", "action", "change", "edit", "update"];

/// Kinds of document that are files of a store.
const KINDS: &[&str] =
    &["doc", "document", "spreadsheet", "presentation", "form", "script", "project", "folder"];

/// Words of tools for whatever is in a store.
const FILES: &[&str] = &["file", "item"];

/// What is about a thing and not in it, so that no step on the thing does it.
const ABOUT: &[&str] = &["comment", "permission", "access", "share", "publish", "export", "copy"];

/// Words that say in which form a thing is read.
const FORMS: &[&str] = &["content", "markdown", "text", "body", "as", "in", "a"];

/// Flags that take a thing away, and the verbs of tools that do.
const GONE: &[&str] = &["trashed", "in_trash", "archived", "deleted", "is_deleted"];
const TAKES_AWAY: &[&str] = &["delete", "remove", "trash", "archive"];

/// Verbs of tools that write, and of tools that fill in: a tool that does several at once has one of the same sort.
const SORTS: &[&[&str]] = &[
    &[
        "create", "update", "write", "push", "add", "put", "upload", "insert", "save", "edit", "append",
        "post",
    ],
    &["fill", "type", "select", "check", "uncheck", "enter", "choose"],
];

/// What is written into one thing, whatever it is called there.
const VALUES: &[&str] = &["value", "text", "option"];

/// Things of which one is the other under another name.
const KIN: &[&[&str]] = &[&["page", "block"], &["doc", "document", "file"], &["mail", "email", "message"]];

/// Verbs of tools that change a thing, and words of names that say nothing.
const CHANGES: &[&str] =
    &["update", "patch", "edit", "modify", "change", "set", "manage", "a", "an", "the", "or", "api"];

/// What a tool's name and arguments say of what it could be used for.
pub(crate) struct Shape {
    server: Option<String>,
    is_many: bool,
    is_of_kind: bool,
    is_of_files: bool,
    /// What it manages; none for a tool that does not.
    manages: Option<Vec<String>>,
    is_about: bool,
    reads: bool,
    /// Whether it only looks, by what it says of itself too.
    looks: bool,
    runs: bool,
    takes_gone: bool,
    /// The words of the name but for those of many.
    one: Vec<String>,
    /// Those without the words of a form.
    formless: Vec<String>,
    /// Those without the words of a kind or a store.
    kindless: Vec<String>,
    /// The arguments that it needs, but for what it is given to do.
    needs: Vec<String>,
    takes: Vec<String>,
    has_steps: bool,
    /// The lists of records that it needs, in singular.
    lists: Vec<String>,
    /// The members of those records.
    members: Vec<String>,
    /// All words of the name.
    words: Vec<String>,
}

impl Shape {
    /// The shape of a tool that needs and takes these, in singular and without who asks.
    pub(crate) fn of(
        tool: &Tool,
        schema: &Schema,
        arguments: &[Argument],
        (needs, takes): (&[String], &[String]),
        reads: bool,
    ) -> Self {
        let name = tool.name.as_str();
        let words: Vec<String> = name_words(name).iter().map(|word| singular(word)).collect();
        let has = |among: &[&str]| words.iter().any(|word| among.contains(&word.as_str()));
        let without = |among: &[&[&str]]| {
            let is_left = |word: &&String| !among.iter().any(|words| words.contains(&word.as_str()));
            let mut left: Vec<String> = words.iter().filter(is_left).cloned().collect();
            left.sort();
            left
        };
        let first = words.first().filter(|word| !is_verb(word)).cloned();
        let is_gone = |argument: &Argument| {
            GONE.contains(&argument.name.as_str()) && type_of(&argument.schema) == "boolean"
        };
        let mut kindless = without(&[MANY, KINDS, FILES, &["drive", "in"]]);
        for word in kindless.iter_mut().filter(|word| ["search", "find"].contains(&word.as_str())) {
            "list".clone_into(word);
        }
        let is_step = |need: &String| STEPS.contains(&need.as_str());
        let is_list = |argument: &Argument| {
            argument.required
                && type_of(&argument.schema) == "array"
                && STEPS.iter().any(|step| singular(&argument.name.to_lowercase()) == *step)
        };
        let mut lists = Vec::new();
        let mut members = Vec::new();
        for argument in arguments.iter().filter(|argument| argument.required) {
            let each = argument.schema.get("items").map(|items| schema.simplified(items));
            let Some(properties) = each.as_ref().and_then(|each| each.get("properties")?.as_object()) else {
                continue;
            };
            lists.push(stem(&argument.name));
            members.extend(properties.keys().map(|name| stem(name)));
        }
        Self {
            server: name.split_once("__").map(|(server, _)| server.to_lowercase()).or(first),
            is_many: has(MANY),
            is_of_kind: has(KINDS),
            is_of_files: has(FILES),
            manages: has(&["manage"]).then(|| without(&[&["manage"], MANY])),
            is_about: has(ABOUT),
            reads,
            looks: looks(tool),
            runs: runs_code(name, arguments),
            takes_gone: arguments.iter().any(is_gone),
            one: without(&[MANY]),
            formless: without(&[MANY, FORMS]),
            kindless,
            has_steps: arguments.iter().any(is_list),
            lists,
            members,
            words,
            needs: needs.iter().filter(|need| !is_step(need)).cloned().collect(),
            takes: takes.to_vec(),
        }
    }

    /// Whether another tool of the catalog comes to the same end, given what a request of this verb gives.
    pub(crate) fn is_met_by(&self, other: &Self, verb: &str, given: &[String]) -> bool {
        let gives = |need: &String| given.contains(need);
        let is_id = |name: &&String| name.ends_with("_id");
        let is_batch = self.is_many != other.is_many && self.one == other.one;
        // A batch of steps on the same thing has the step that is asked for.
        let is_step = other.is_many
            && other.has_steps
            && !self.reads
            && !self.is_about
            && !other.needs.is_empty()
            && other.needs.iter().all(gives);
        let is_form = self.reads
            && other.reads
            && self.one != other.one
            && self.formless == other.formless
            && self.needs.iter().all(|need| other.takes.contains(need));
        let is_of_store = self.is_of_kind
            && !self.is_many
            && other.is_of_files
            && !other.is_of_kind
            && self.reads == other.reads
            && self.kindless == other.kindless;
        // What is a thing of another's sort is managed as one: an absence by its `event_id`.
        let is_of_other = |name: &String| {
            name.strip_suffix("_id")
                .is_some_and(|thing| other.manages.as_deref() == Some(&[thing.to_owned()]))
        };
        let manages_too = self.manages.is_some()
            && given.iter().any(is_of_other)
            && given.iter().all(|name| other.takes.contains(name));
        let are_one = |names: &[String]| names.iter().filter(is_id).count() == 1;
        let takes_away = TAKES_AWAY.contains(&verb)
            && other.takes_gone
            && !other.needs.is_empty()
            && (other.needs.iter().all(gives)
                || (self.is_of_kind && other.is_of_files && other.needs.len() == 1 && are_one(given)));
        let takes_away = takes_away
            || (TAKES_AWAY.contains(&verb)
                && other.takes_gone
                && are_one(given)
                && matches!(&other.needs[..], [need] if need == "id" || need.ends_with("_id"))
                && self.is_about_same(other));
        let is_several = self.is_done_by_several(other, given);
        let runs = other.runs && (other.server.is_none() || other.server == self.server);
        is_batch || is_step || is_form || is_of_store || manages_too || takes_away || is_several || runs
    }

    /// Whether the other tool does to several at once what this one does to one: its records have what this one takes.
    fn is_done_by_several(&self, other: &Self, given: &[String]) -> bool {
        let has = |shape: &Self, sort: &[&str]| shape.words.iter().any(|word| sort.contains(&word.as_str()));
        let is_of_list = |word: &String| other.lists.contains(word) || other.words.contains(word);
        let is_of_same = |(at, sort): (usize, &&[&str])| {
            let says_nothing = |word: &&String| {
                let word = word.as_str();
                CHANGES.contains(&word) || SORTS.iter().any(|sort| sort.contains(&word))
            };
            let things = self.words.iter().filter(|word| !says_nothing(word));
            has(self, sort) && has(other, sort) && (at > 0 || things.clone().any(is_of_list))
        };
        let member = |need: &String| {
            other.members.contains(need)
                || (VALUES.contains(&need.as_str())
                    && other.members.iter().any(|member| VALUES.contains(&member.as_str())))
        };
        !self.reads
            && !other.reads
            && (self.server.is_none() || self.server == other.server || other.server.is_none())
            && SORTS.iter().enumerate().any(is_of_same)
            && self.needs.iter().any(member)
            && self.needs.iter().all(|need| member(need) || other.takes.contains(need))
            && other.needs.iter().all(|need| given.contains(need) || other.lists.contains(need))
    }

    /// Whether two tools work on the same sort of thing, by their names.
    fn is_about_same(&self, other: &Self) -> bool {
        let things = |shape: &Self| {
            let says_nothing = |word: &String| {
                CHANGES.contains(&word.as_str())
                    || TAKES_AWAY.contains(&word.as_str())
                    || shape.server.as_deref() == Some(word.as_str())
            };
            let mut things: Vec<String> =
                shape.words.iter().filter(|word| !says_nothing(word)).cloned().collect();
            for word in &mut things {
                if let Some(kin) =
                    KIN.iter().find(|kin| kin.contains(&word.as_str())).and_then(|kin| kin.first())
                {
                    (*kin).clone_into(word);
                }
            }
            things
        };
        let own = things(self);
        !own.is_empty() && own == things(other)
    }

    /// Whether a tool of no writer's name shows what the other works on: a snapshot of its server's page.
    pub(crate) fn is_snapshot_of(&self, tool: &Tool, other: &Self) -> bool {
        let words = name_words(tool.name.as_str());
        let is_plain = tool.read_only.is_none()
            && words.iter().all(|word| {
                !is_verb(word) || ["take", "get", "capture", "snapshot"].contains(&word.as_str())
            });
        words.last().is_some_and(|last| last == "snapshot")
            && self.needs.is_empty()
            && (self.reads || is_plain)
            && (self.server.is_none() || self.server == other.server)
    }
}

/// Whether a tool runs what it is given: then it could do anything that its server does.
pub(crate) fn runs_code(name: &str, arguments: &[Argument]) -> bool {
    let words = name_words(name);
    words.iter().any(|word| RUNS.contains(&word.as_str()))
        && arguments.iter().any(|argument| GIVEN.contains(&argument.name.as_str()))
}

#[cfg(test)]
mod tests {
    use probes::reads;
    use transcript::RawJson;

    use super::*;

    fn shape(name: &str, needs: &[&str], flags: &[&str]) -> Shape {
        let mut tool = Tool::named(name);
        let kind = |name: &str| if STEPS.contains(&name) { "array" } else { "string" };
        let text = needs.iter().map(|name| ((*name).to_owned(), serde_json::json!({"type": kind(name)})));
        let flags = flags.iter().map(|name| ((*name).to_owned(), serde_json::json!({"type": "boolean"})));
        let properties: serde_json::Map<String, serde_json::Value> = text.chain(flags).collect();
        let schema = serde_json::json!({"properties": properties, "required": needs});
        tool.input_schema = Some(RawJson::from_value(&schema));
        let names = |all: &[&str]| all.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let takes: Vec<String> = properties.keys().cloned().collect();
        let schema = Schema::of(&tool);
        let arguments = schema.arguments();
        Shape::of(&tool, &schema, &arguments, (&names(needs), &takes), reads(&tool))
    }

    #[test]
    fn other_ways_to_the_same_end_are_known() {
        for ((own, own_needs), (other, other_needs, flags), verb, expected) in [
            (("get_label", &["label_id"][..]), ("get_labels_batch", &["label_id"][..], &[][..]), "get", true),
            (
                ("set_doc_title", &["doc_id"]),
                ("batch_update_doc", &["doc_id", "operation"], &[]),
                "set",
                true,
            ),
            (
                ("get_doc_title", &["doc_id"]),
                ("batch_update_doc", &["doc_id", "operation"], &[]),
                "get",
                false,
            ),
            (("get_doc_content", &["doc_id"]), ("get_doc_as_markdown", &["doc_id"], &[]), "get", true),
            (("get_doc_content", &["doc_id"]), ("get_doc_title", &["doc_id"], &[]), "get", false),
            (("search_docs", &["query"]), ("search_drive_files", &["query"], &[]), "search", true),
            (("search_docs", &["query"]), ("create_drive_file", &["query"], &[]), "search", false),
            (("list_docs", &[]), ("search_files", &["query"], &[]), "list", true),
            (("manage_loan", &["event_id"]), ("manage_event", &["event_id"], &[]), "update", true),
            (("manage_loan", &["event_id"]), ("manage_card", &["card_id"], &[]), "update", false),
            (("manage_card", &["event_id"]), ("manage_loan", &["event_id"], &[]), "update", false),
            (
                ("manage_doc_comment", &["doc_id"]),
                ("batch_update_doc", &["doc_id", "operation"], &[]),
                "add",
                false,
            ),
            (("list_leaf_lists", &[]), ("list_leaves", &[], &[]), "list", false),
            (("get_cards", &[]), ("get_card", &["card_id"], &[]), "get", false),
            (("delete_leaf", &["leaf_id"]), ("update_leaf", &["leaf_id"], &["in_trash"]), "delete", true),
            (("read_leaf", &["leaf_id"]), ("update_leaf", &["leaf_id"], &["in_trash"]), "read", false),
            (("manage_project", &["script_id"]), ("update_file", &["file_id"], &["trashed"]), "delete", true),
            (("delete_leaf", &["leaf_id"]), ("edit_leaf", &["id"], &["archived"]), "delete", true),
            (
                ("api_delete_a_block", &["block_id"]),
                ("api_patch_page", &["page_id"], &["in_trash"]),
                "delete",
                true,
            ),
            (("delete_block", &["block_id"]), ("patch_user", &["user_id"], &["archived"]), "delete", false),
            (("page_press", &["target"]), ("page_run", &["script"], &[]), "press", true),
            (("desk_press", &["target"]), ("page_run", &["script"], &[]), "press", false),
        ] {
            let given: Vec<String> = own_needs.iter().map(|name| (*name).to_owned()).collect();
            let met = shape(own, own_needs, &[]).is_met_by(&shape(other, other_needs, flags), verb, &given);
            assert_eq!(met, expected, "{own} by {other}");
        }
    }

    #[test]
    fn records_that_hold_what_one_takes_are_a_way_to_it() {
        let text = |names: &[&str]| -> serde_json::Map<String, serde_json::Value> {
            names.iter().map(|name| ((*name).to_owned(), serde_json::json!({"type": "string"}))).collect()
        };
        let made = |name: &str, needs: &[&str], list: Option<(&str, &[&str])>| {
            let mut properties = text(needs);
            let mut required: Vec<&str> = needs.to_vec();
            if let Some((list, members)) = list {
                let items = serde_json::json!({"type": "object", "properties": text(members)});
                properties.insert(list.into(), serde_json::json!({"type": "array", "items": items}));
                required.push(list);
            }
            let mut tool = Tool::named(name);
            tool.input_schema = Some(RawJson::from_value(
                &serde_json::json!({"properties": properties, "required": required}),
            ));
            let schema = Schema::of(&tool);
            let stems: Vec<String> = required.iter().map(|name| stem(name)).collect();
            Shape::of(&tool, &schema, &schema.arguments(), (&stems, &stems), reads(&tool))
        };
        for (own, needs, other, other_needs, (list, members), expected) in [
            (
                "create_or_update_file",
                &["shelf", "path"][..],
                "push_files",
                &["shelf"][..],
                ("files", &["path", "content"][..]),
                true,
            ),
            (
                "write_card",
                &["shelf", "name", "note"][..],
                "push_cards",
                &["shelf", "note"][..],
                ("cards", &["name", "text"][..]),
                true,
            ),
            (
                "write_card",
                &["shelf", "name"],
                "push_cards",
                &["shelf", "keeper"],
                ("cards", &["name"]),
                false,
            ),
            ("write_card", &["shelf", "name"], "push_stones", &["shelf"], ("stones", &["name"]), false),
            ("delete_card", &["shelf", "name"], "push_cards", &["shelf"], ("cards", &["name"]), false),
            ("desk_type", &["target", "text"], "desk_fill", &[], ("fields", &["target", "value"]), true),
            (
                "desk_select_option",
                &["target", "values"],
                "desk_fill",
                &[],
                ("fields", &["target", "value"]),
                true,
            ),
            ("desk_press", &["target"], "desk_fill", &[], ("fields", &["target", "value"]), false),
        ] {
            let given: Vec<String> = needs.iter().map(|name| stem(name)).collect();
            let met = made(own, needs, None).is_met_by(
                &made(other, other_needs, Some((list, members))),
                "x",
                &given,
            );
            assert_eq!(met, expected, "{own} by {other}");
        }
    }
}
