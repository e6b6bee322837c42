//! Ways to the same end that no shared words show: the twin that does it to many at once, the one that runs whatever
//! it is given, the store's own tools for what is a file there, and the flag that does what another tool is for.

use transcript::Tool;

use crate::schema::{Argument, type_of};
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
}

impl Shape {
    /// The shape of a tool that needs and takes these, in singular and without who asks.
    pub(crate) fn of(
        tool: &Tool,
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
        Self {
            server: name.split_once("__").map(|(server, _)| server.to_lowercase()).or(first),
            is_many: has(MANY),
            is_of_kind: has(KINDS),
            is_of_files: has(FILES),
            manages: has(&["manage"]).then(|| without(&[&["manage"], MANY])),
            is_about: has(ABOUT),
            reads,
            runs: runs_code(name, arguments),
            takes_gone: arguments.iter().any(is_gone),
            one: without(&[MANY]),
            formless: without(&[MANY, FORMS]),
            kindless,
            has_steps: arguments.iter().any(is_list),
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
        let runs = other.runs && (other.server.is_none() || other.server == self.server);
        is_batch || is_step || is_form || is_of_store || manages_too || takes_away || runs
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
    use crate::schema::Schema;

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
        let arguments = Schema::of(&tool).arguments();
        Shape::of(&tool, &arguments, (&names(needs), &takes), reads(&tool))
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
            (("page_press", &["target"]), ("page_run", &["script"], &[]), "press", true),
            (("desk_press", &["target"]), ("page_run", &["script"], &[]), "press", false),
        ] {
            let given: Vec<String> = own_needs.iter().map(|name| (*name).to_owned()).collect();
            let met = shape(own, own_needs, &[]).is_met_by(&shape(other, other_needs, flags), verb, &given);
            assert_eq!(met, expected, "{own} by {other}");
        }
    }
}
