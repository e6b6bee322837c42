//! The words without one value: for each required argument of which nothing else tells what it would be.

use std::sync::LazyLock;

use indexmap::IndexMap;
use regex::Regex;
use serde_json::Value;
use transcript::Tool;

use crate::hints::Hints;
use crate::implied::file;
use crate::schema::Argument;
use crate::told::{described_by, is_choice};
use crate::value::options;
use crate::words::{Part, Request, name_words, scalars};

/// Words of descriptions that say what to take where nobody says it.
const SAYS_WHAT: &[&str] = &[
    "if no ",
    "if not ",
    "if omitted",
    "default",
    "when omitted",
    "leave empty",
    "if none",
    "preconfigured",
    "pre-configured",
    "already configured",
];

/// Verbs of tools that make a thing, and things that are made empty and filled later.
const MAKES: &[&str] = &["create", "make", "new", "start"];
const DOCUMENTS: &[&str] = &[
    "doc",
    "document",
    "spreadsheet",
    "sheet",
    "workbook",
    "presentation",
    "deck",
    "form",
    "page",
    "note",
    "notebook",
    "draft",
    "board",
    "canvas",
];

/// For each required argument whose value can be left out of the words: the words without it.
pub(crate) fn missing(
    tool: &Tool,
    arguments: &[Argument],
    request: &Request,
    user: &str,
    hints: &Hints,
) -> IndexMap<String, String> {
    let mut out = IndexMap::new();
    for part in
        request.parts.iter().filter(|part| !part.is_verb && part.plain.is_none() && !part.value.is_boolean())
    {
        let Some(argument) = arguments.iter().find(|argument| argument.name == part.name) else { continue };
        let others = || request.parts.iter().filter(|other| other.name != part.name);
        let is_described = arguments.iter().any(|other| {
            described_by(other, arguments).is_some_and(|own| own.name == argument.name)
                && others().any(|part| part.name == other.name)
        });
        let is_told = is_described
            || is_told_by(argument, part, others())
            || !hints.tools_in(argument.description(), tool.name.as_str()).is_empty();
        let is_own =
            is_written(tool, argument, &others().map(|other| other.name.to_lowercase()).collect::<Vec<_>>())
                || has_usual(argument)
                || is_wording(argument);
        if !argument.required || is_told || is_own || !can_be_missed(argument) {
            continue;
        }
        let words = request.words(Some(&part.name));
        let still = scalars(&part.value).iter().any(|value| words.contains(value.as_str()));
        if !still && words != user {
            out.insert(part.name.clone(), words);
        }
    }
    out
}

/// Whether what stays tells what the argument would be: the payload of a choice, or the file of a name.
fn is_told_by<'a>(argument: &Argument, part: &Part, mut others: impl Iterator<Item = &'a Part>) -> bool {
    let words = name_words(&argument.name);
    let is_name = words.iter().all(|word| ["file", "filename", "name", "title"].contains(&word.as_str()));
    let chosen =
        part.value.as_str().filter(|_| is_choice(argument)).map(|chosen| (chosen, name_words(chosen)));
    others.any(|other| {
        let own = name_words(&other.name);
        let is_payload = chosen.as_ref().is_some_and(|(chosen, words)| {
            // Common words of names are in many that have nothing to do with the choice.
            let is_telling =
                |word: &&String| word.len() > 3 && !["type", "name", "text"].contains(&word.as_str());
            words.iter().filter(is_telling).any(|word| own.contains(word))
                || ["\"", "'", "`"]
                    .iter()
                    .any(|mark| other.description.contains(&format!("{mark}{chosen}{mark}")))
        });
        is_payload || (is_name && scalars(&other.value).iter().any(|text| file(text).is_some()))
    })
}

/// Whether somebody who is not told the value has to ask for it: the schema has no default, and does not say what
/// to take.
fn can_be_missed(argument: &Argument) -> bool {
    let description = argument.description().to_lowercase();
    !argument.has_default()
        && !SAYS_WHAT.iter().any(|words| description.contains(words))
        && argument.schema.get("const").is_none_or(Value::is_null)
}

/// Whether an argument is what an agent fairly writes itself, beside what is given: what a commit is called, a title
/// over a text, what a file that is made begins with.
fn is_written(tool: &Tool, argument: &Argument, given: &[String]) -> bool {
    let words = name_words(tool.name.as_str());
    let has = |among: &[&str]| words.iter().any(|word| among.contains(&word.as_str()));
    let takes = |among: &[&str]| given.iter().any(|other| among.contains(&other.as_str()));
    let is_commit = has(&["commit", "push", "merge"]) || takes(&["sha", "branch"]);
    match argument.name.to_lowercase().as_str() {
        "commit_message" | "commitmessage" | "commit_title" | "commit_subject" => true,
        "message" => {
            is_commit
                || (takes(&["path", "file_path", "files"]) && takes(&["content", "files", "new_text"]))
                || argument.description().to_lowercase().contains("commit")
        }
        // What holds no text yet has a title that anybody may think of.
        "title" | "subject" | "headline" if has(MAKES) && has(DOCUMENTS) => true,
        "title" | "subject" | "headline" => takes(&[
            "body",
            "content",
            "text",
            "description",
            "message",
            "head",
            "source_branch",
            "observations",
        ]),
        "content" | "contents" | "file_content" | "file_text" => {
            has(&["file"])
                && has(&["create", "write", "make", "new"])
                && takes(&["path", "file_path", "name", "file_name"])
        }
        _ => false,
    }
}

/// Whether an argument is the model's own wording of what is asked for: a few words by which people know a thing again, or
/// the question that the request is.
fn is_wording(argument: &Argument) -> bool {
    static RESTATES: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(?:question or task|original (?:question|request|task|query|prompt)|user's (?:question|task|request|goal|intent)|trying to (?:do|accomplish|achieve|solve))\b")
            .expect("a fixed pattern")
    });
    static KNOWN_BY: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(?:(?:short|brief|concise|human[- ]readable|one[- ]line) (?:[a-z]+ )?(?:description|label|summary|explanation|note|reason)|descriptive (?:name|label|title)|(?:name|label|description) to (?:identify|recogni[sz]e))\b")
            .expect("a fixed pattern")
    });
    let words = name_words(&argument.name);
    let is = |among: &[&str]| words.last().is_some_and(|last| among.contains(&last.as_str()));
    let description = argument.description();
    (is(&[
        "query",
        "question",
        "task",
        "topic",
        "input",
        "prompt",
        "intent",
        "goal",
        "context",
        "instructions",
    ]) && RESTATES.is_match(description))
        || (is(&[
            "description",
            "label",
            "summary",
            "explanation",
            "reason",
            "element",
            "title",
            "name",
            "note",
        ]) && KNOWN_BY.is_match(description))
}

/// Whether one of an argument's choices is what anybody would take who is told nothing.
fn has_usual(argument: &Argument) -> bool {
    const USUAL: &[&str] = &["local", "default", "auto", "all", "any", "none", "both"];
    let members = argument.schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    let mut members: Vec<String> = members.filter_map(Value::as_str).map(str::to_lowercase).collect();
    members.extend(options(&argument.name, argument.description()).unwrap_or_default());
    members.iter().any(|member| USUAL.contains(&member.as_str()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use probes::Catalog;
    use serde_json::json;

    use crate::{Caller, draft_tasks};

    #[test]
    fn what_can_be_told_is_not_missed() {
        let tool = |name: &str, properties: serde_json::Value| {
            let required: Vec<String> = properties.as_object().unwrap().keys().cloned().collect();
            json!({"name": name, "inputSchema": {"type": "object", "properties": properties, "required": required}})
        };
        let text = json!({"type": "string"});
        let catalog = json!({"tools": [
            tool("list_links", json!({})),
            tool("edit_leaf", json!({"leaf_id": text, "form": {"enum": ["swap_rows"]}, "swap_rows": {"type": "array", "items": {"type": "integer"}}})),
            tool("bring_sheet", json!({"name": text, "sheet_url": {"type": "string", "description": "Of the file"}, "file_path": text})),
            tool("ask_link", json!({"link_id": {"type": "string", "description": "As \"list_links\" says"}, "question": text})),
            tool("write_file", json!({"path": text, "content": text, "message": text})),
            tool("post_leaf", json!({"shelf_id": text, "title": text, "body": text})),
            tool("post_card", json!({"shelf_id": text, "title": text})),
            tool("view_leaves", json!({"shelf_id": text, "sort_type": {"enum": ["local", "remote"]}})),
            tool("create_sheet", json!({"title": text})),
            tool("add_stamp", json!({"leaf_id": text, "label": {"type": "string", "description": "A short label for people"}})),
            tool("read_manual", json!({"manual": text, "query": {"type": "string", "description": "The question or task that it is read for"}})),
            tool("find_leaf", json!({"query": {"type": "string", "description": "What to look for"}})),
            tool("tell_link", json!({"link": {"type": "string", "description": "Or \"preconfigured\""}, "message": text})),
        ]});
        let catalog = Catalog::from_text(Path::new("c.json"), &catalog.to_string()).unwrap();
        let tasks = draft_tasks(&catalog, 7, &Caller::default());
        let missed = |tool: &str| -> Vec<&str> {
            let task = tasks.iter().find(|task| task.tool.as_deref() == Some(tool)).unwrap();
            task.missing_argument.keys().map(String::as_str).collect()
        };
        assert!(!missed("edit_leaf").contains(&"form") && missed("edit_leaf").contains(&"leaf_id"));
        assert!(!missed("bring_sheet").contains(&"name"));
        assert_eq!(missed("ask_link"), ["question"]);
        assert_eq!(missed("tell_link"), ["message"]);
        assert_eq!(missed("write_file"), ["path"]);
        assert_eq!(missed("post_leaf"), ["shelf_id", "body"]);
        assert_eq!(missed("post_card"), ["shelf_id", "title"]);
        assert_eq!(missed("view_leaves"), ["shelf_id"]);
        assert_eq!(missed("create_sheet"), [""; 0]);
        assert_eq!(missed("add_stamp"), ["leaf_id"]);
        assert_eq!(missed("read_manual"), ["manual"]);
        assert_eq!(missed("find_leaf"), ["query"]);
    }
}
