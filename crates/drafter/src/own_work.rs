//! What a model can do without any tool: repeating, reckoning with the numbers of the request, writing a text of which
//! the request says all. An answer without the tool is right then.

use transcript::Tool;

use crate::schema::{Argument, type_of};
use crate::words::{is_mine, name_words, singular};

/// Words of arguments that say which thing outside the conversation is worked on.
const RESOURCES: &[&str] = &[
    "id",
    "uuid",
    "url",
    "uri",
    "path",
    "file",
    "folder",
    "directory",
    "repo",
    "repository",
    "project",
    "owner",
    "database",
    "collection",
    "channel",
    "target",
    "selector",
    "ref",
    "page",
    "key",
    "token",
    "location",
    "city",
    "document",
    "image",
    "model",
    "session",
];

/// What tools reckon.
const RECKONS: &[&str] =
    &["sum", "add", "subtract", "multiply", "divide", "product", "difference", "quotient", "average", "mean"];

/// What tools write that nothing but the request is needed for.
const TEXTS: &[&str] =
    &["code", "snippet", "text", "template", "boilerplate", "function", "script", "greeting"];

/// Whether a request needs nothing but itself, by what the tool is said to do (`core`, beginning with its verb).
pub(crate) fn is_own_work(tool: &Tool, core: &str, arguments: &[Argument]) -> bool {
    let asked: Vec<&Argument> = arguments
        .iter()
        .filter(|argument| argument.required && !is_mine(&argument.name, argument.description()))
        .collect();
    let is_resource = |argument: &&Argument| {
        name_words(&argument.name).iter().any(|word| RESOURCES.contains(&singular(word).as_str()))
    };
    if asked.is_empty()
        || arguments.iter().any(|argument| is_resource(&argument))
        || tool.read_only == Some(false)
    {
        return false;
    }
    let core = core.to_lowercase();
    let words: Vec<String> =
        core.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(singular).collect();
    let has = |among: &[&str]| words.iter().any(|word| among.contains(&word.as_str()));
    let verb = words.first().map_or("", String::as_str);
    let name = name_words(tool.name.as_str());
    let are = |kinds: &[&str]| {
        asked.iter().all(|argument| {
            let items = argument.schema.get("items").and_then(|items| items.get("type")?.as_str());
            let kind = type_of(&argument.schema);
            kinds.contains(&kind.as_str())
                || (kind == "array" && items.is_some_and(|kind| kinds.contains(&kind)))
        })
    };
    let repeats = (verb == "echo" || name.iter().any(|word| word == "echo")) && are(&["string"]);
    let reckons = has(RECKONS) && are(&["number", "integer"]);
    // Up to the first preposition: what is written, and not what it is written for.
    let object = words
        .iter()
        .skip(1)
        .take_while(|word| !["for", "from", "of", "to", "in", "with"].contains(&word.as_str()));
    let writes = ["generate", "compose", "write"].contains(&verb)
        && object.into_iter().any(|word| TEXTS.contains(&word.as_str()))
        && !has(&["save", "store", "commit", "record", "run", "page", "file"]);
    repeats || reckons || writes
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use probes::Catalog;
    use serde_json::json;

    use super::*;
    use crate::schema::Schema;

    #[test]
    fn what_needs_no_tool_is_known() {
        let text = json!({"type": "string"});
        let number = json!({"type": "number"});
        for (name, core, properties, expected) in [
            ("say_again", "echo a line", json!({"line": text}), true),
            ("get_total", "get the sum of two weights", json!({"a": number, "b": number}), true),
            ("get_total", "get the sum of the weights of a crate", json!({"crate_id": number}), false),
            ("make_macro", "generate sheet code for making a timer", json!({"kind": text}), true),
            ("make_macro", "generate code for a page", json!({"page_url": text}), false),
            ("get_weather", "get the weather", json!({"place": text}), false),
            ("add_note", "add a note", json!({"text": text}), false),
            ("ring_bell", "echo", json!({}), false),
        ] {
            let required: Vec<&String> = properties.as_object().unwrap().keys().collect();
            let tool = json!({"tools": [{"name": name, "inputSchema": {"properties": properties, "required": required}}]});
            let catalog = Catalog::from_text(Path::new("c.json"), &tool.to_string()).unwrap();
            let tool = &catalog.tools()[0];
            assert_eq!(is_own_work(tool, core, &Schema::of(tool).arguments()), expected, "{core}");
        }
    }
}
