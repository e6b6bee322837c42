//! What a person calls an argument.

use crate::words::names::name_words;

const SPELT: &[(&str, &str)] = &[
    ("id", "ID"),
    ("ids", "IDs"),
    ("url", "URL"),
    ("urls", "URLs"),
    ("uri", "URI"),
    ("api", "API"),
    ("sql", "SQL"),
    ("sha", "SHA"),
    ("html", "HTML"),
    ("json", "JSON"),
    ("q", "query"),
    ("ts", "timestamp"),
    ("repo", "repository"),
    ("dir", "directory"),
    ("num", "number"),
    ("msg", "message"),
    ("google", "Google"),
    ("gmail", "Gmail"),
    ("github", "GitHub"),
    ("sku", "SKU"),
    ("desc", "description"),
    ("ip", "IP"),
    ("iban", "IBAN"),
    ("dest", "destination"),
    ("src", "source"),
    ("cc", "CC"),
];

/// The words of an argument's name as they are written.
pub(crate) fn label(name: &str) -> String {
    let words = name_words(name);
    let spelt = |word: &String| {
        SPELT
            .iter()
            .find(|(short, _)| short == word)
            .map_or_else(|| word.clone(), |(_, spelt)| (*spelt).to_owned())
    };
    if words.is_empty() { name.to_owned() } else { words.iter().map(spelt).collect::<Vec<_>>().join(" ") }
}

/// What an argument of the tool itself is called, where its name alone would read oddly.
pub(super) fn own_label(name: &str) -> String {
    match name {
        "to" => "recipient".to_owned(),
        "find_text" | "search_text" | "find" => "text to find".to_owned(),
        "replace_text" | "replace" | "replace_with" => "replacement text".to_owned(),
        "search" => "search term".to_owned(),
        "share_with" => "address to share it with".to_owned(),
        _ => match &name_words(name)[..] {
            [from, thing @ ..] if from == "from" && !thing.is_empty() => {
                format!("source {}", label(&thing.join(" ")))
            }
            [to, thing @ ..] if to == "to" && !thing.is_empty() => {
                format!("destination {}", label(&thing.join(" ")))
            }
            _ => label(name),
        },
    }
}

/// Endings of names of arguments that say which thing is worked on, and not what is done with it.
const WHICH: &[&str] = &[
    "id",
    "ids",
    "number",
    "owner",
    "repo",
    "repository",
    "project",
    "path",
    "database",
    "collection",
    "range",
    "name",
    "key",
    "token",
    "branch",
    "index",
    "ts",
    "timestamp",
    "sheet",
    "target",
    "selector",
    "element",
];

/// Whether a name is that of a thing which is worked on, and not what is done with it.
pub(crate) fn names_a_thing(name: &str) -> bool {
    let words = name_words(name);
    let last = words.last().map_or("", String::as_str);
    WHICH.contains(&last) && words.first().is_none_or(|word| word != "new")
}

/// Words of arguments that say how or where something is done, and not what is so afterwards.
const HOW: &[&str] = &[
    "type",
    "mode",
    "kind",
    "action",
    "method",
    "operation",
    "expected",
    "sha",
    "etag",
    "version",
    "commit",
    "message",
    "reason",
    "notify",
    "send",
    "force",
    "dry",
    "index",
    "start",
    "end",
    "position",
    "format",
    "filter",
    "query",
    "criteria",
    "range",
    "section",
    "old",
    "field",
    "upsert",
    "input",
    "option",
    "max",
    "limit",
    "verify",
    "segment",
    "timeout",
    "confirm",
    "page",
    "cursor",
];

/// Whether a name is of how or where something is done.
pub(crate) fn says_how(name: &str) -> bool {
    name_words(name).iter().any(|word| HOW.contains(&word.as_str()))
}

/// Whether a label is of several things.
pub(super) fn is_plural(label: &str) -> bool {
    let last = label.rsplit(' ').next().unwrap_or_default();
    last.ends_with('s') && !last.ends_with("ss") && !last.ends_with("us") && last.len() > 2
}

/// With its first letter in upper case.
pub(super) fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
