//! Calls written as JSON: bare, in a fence, in a list, in an envelope of `tool_calls`.

use std::ops::Range;
use std::sync::LazyLock;

use probes::Offered;
use regex::Regex;
use serde_json::{Map, Value};

use super::{TextCall, is_taken};

/// Most places of one text at which JSON is tried: text is hostile, and each try may read to its end.
const MOST_TRIES: usize = 64;

const NAME_KEYS: &[&str] =
    &["recipient_name", "tool_name", "function_name", "toolName", "tool", "function", "name", "action"];

const ARGUMENT_KEYS: &[&str] = &[
    "arguments",
    "parameters",
    "args",
    "params",
    "input",
    "tool_input",
    "tool_args",
    "action_input",
    "kwargs",
];

const ENVELOPE_KEYS: &[&str] =
    &["tool_calls", "tool_uses", "function_calls", "calls", "function_call", "tool_call"];

/// The head of a call whose JSON does not parse: cut off, single quotes, one brace too few.
static BROKEN_HEAD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r#"^[\s\[{]*(?:["']type["']\s*:\s*["']function["']\s*,\s*)?(?:["']function["']\s*:\s*\{\s*)?"#,
        r#"["'](?:name|tool|tool_name|function|function_name|action)["']\s*:\s*["']([^"'\n]+)["']\s*,\s*"#,
        r#"["'](?:arguments|parameters|args|params|input|tool_input|action_input)["']\s*:"#,
    ))
    .expect("a fixed pattern")
});

/// Adds the calls that stand in the text as JSON, outside those that are found already.
pub(super) fn find(text: &str, offered: &Offered, calls: &mut Vec<TextCall>) {
    let mut from = 0;
    let mut tries = 0;
    while let Some(found) = text[from..].find(['{', '[']) {
        let at = from + found;
        from = at + 1;
        if is_taken(calls, at) || !starts_a_value(text, at) {
            continue;
        }
        tries += 1;
        if tries > MOST_TRIES {
            return;
        }
        if let Some((value, end)) = parse_at(text, at) {
            let whole = is_alone(text, at..end);
            for name in names(&value, offered, whole) {
                calls.push(TextCall { name, span: at..end, broken: false, marked: false });
            }
            from = end;
        } else if let Some(name) = broken_call(&text[at..]) {
            calls.push(TextCall { name, span: at..text.len(), broken: true, marked: false });
            return;
        }
    }
}

/// The calls in text that stands in call markup: the markup says that it is a call, so a name is enough.
pub(super) fn in_markup(body: &str, offered: &Offered) -> Option<(Vec<String>, bool)> {
    let at = body.find(['{', '['])?;
    let mut found = Vec::new();
    let mut rest = &body[at..];
    while let Some((value, end)) = parse_at(rest, 0) {
        found.extend(marked_names(&value, offered));
        rest = rest[end..].trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';'));
    }
    if found.is_empty() {
        let name = broken_call(&body[at..])?;
        return Some((vec![name], true));
    }
    Some((found, false))
}

fn parse_at(text: &str, at: usize) -> Option<(Value, usize)> {
    if !text[at..].starts_with(['{', '[']) {
        return None;
    }
    let mut stream = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Value>();
    let value = stream.next()?.ok()?;
    Some((value, at + stream.byte_offset()))
}

fn broken_call(text: &str) -> Option<String> {
    let head = BROKEN_HEAD.captures(text)?;
    let name = head.get(1)?.as_str();
    is_identifier(name).then(|| name.to_owned())
}

/// Whether a value may start here: not in the middle of a word or of another value.
fn starts_a_value(text: &str, at: usize) -> bool {
    match text[..at].chars().next_back() {
        None => true,
        Some(before) => before.is_whitespace() || matches!(before, ':' | '`' | '>' | ']' | '.' | ';' | '}'),
    }
}

/// Whether nothing but fences and white space stands around a place.
fn is_alone(text: &str, span: Range<usize>) -> bool {
    let before = text[..span.start].trim_end();
    let after = text[span.end..].trim_start();
    let opens = before.is_empty() || before.rsplit('\n').next().is_some_and(|line| line.starts_with("```"));
    opens && (after.is_empty() || after.starts_with("```"))
}

fn names(value: &Value, offered: &Offered, whole: bool) -> Vec<String> {
    match value {
        Value::Array(items) => {
            let all: Vec<String> = items.iter().flat_map(|item| names(item, offered, false)).collect();
            if all.len() == items.len() { all } else { Vec::new() }
        }
        Value::Object(object) => object_names(object, offered, whole),
        _ => Vec::new(),
    }
}

fn object_names(object: &Map<String, Value>, offered: &Offered, whole: bool) -> Vec<String> {
    for key in ENVELOPE_KEYS {
        match object.get(*key) {
            Some(Value::Array(items)) => {
                return items.iter().flat_map(|item| names(item, offered, whole)).collect();
            }
            Some(Value::Object(inner)) => return object_names(inner, offered, whole),
            _ => {}
        }
    }
    if let Some(Value::Object(function)) = object.get("function") {
        return object_names(function, offered, whole);
    }
    if let Some(name) = call_name(object, offered, whole) {
        return vec![name];
    }
    // `{"water_plant": {...}}`: the name is the key.
    match object.iter().next() {
        Some((key, Value::Object(_))) if whole && object.len() == 1 && offered.get(key).is_some() => {
            vec![key.clone()]
        }
        _ => Vec::new(),
    }
}

fn call_name(object: &Map<String, Value>, offered: &Offered, whole: bool) -> Option<String> {
    let name = NAME_KEYS.iter().find_map(|key| object.get(*key)?.as_str())?;
    let arguments = ARGUMENT_KEYS.iter().find_map(|key| object.get(*key));
    let plausible = match arguments {
        Some(Value::Object(members)) => !is_schema(members),
        Some(Value::String(text)) => text.trim_start().starts_with('{') || text.is_empty(),
        Some(Value::Null) => true,
        Some(_) => false,
        None => whole && object.len() == 1 && offered.get(name).is_some(),
    };
    (plausible && (is_identifier(name) || offered.get(name.trim()).is_some())).then(|| name.to_owned())
}

/// A tool's definition has a schema where a call has arguments.
fn is_schema(members: &Map<String, Value>) -> bool {
    members.get("properties").is_some_and(Value::is_object)
}

fn marked_names(value: &Value, offered: &Offered) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().flat_map(|item| marked_names(item, offered)).collect(),
        Value::Object(object) => {
            let found = object_names(object, offered, true);
            if !found.is_empty() {
                return found;
            }
            let name = NAME_KEYS.iter().find_map(|key| object.get(*key)?.as_str());
            name.map(|name| vec![name.to_owned()]).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// Whether a word can be a tool's name in any dialect.
pub(super) fn is_identifier(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 128
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/' | '|' | '<' | '>'))
        && name.chars().any(char::is_alphabetic)
}
