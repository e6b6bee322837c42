//! How what was found is written: short, on one line, and harmless to look at whatever it holds.

use serde_json::Value;

/// Characters of a quoted piece.
const QUOTED: usize = 60;
/// Keys that are named.
const KEYS: usize = 12;

/// The beginning of a text, quoted, control and invisible characters escaped.
pub(crate) fn quote(text: &str) -> String {
    let mut out = String::from("`");
    for (at, character) in text.trim().chars().enumerate() {
        if at == QUOTED {
            out.push('…');
            break;
        }
        if character.is_control() || is_invisible(character) {
            out.extend(character.escape_default());
        } else {
            out.push(character);
        }
    }
    out.push('`');
    out
}

/// Characters that hide or turn round what stands beside them.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

/// What a value is, with its keys where it has some.
pub(crate) fn what(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => format!("the boolean {value}"),
        Value::Number(number) => format!("the number {}", quote(&number.to_string())),
        Value::String(text) if text.trim().is_empty() => "an empty text".to_owned(),
        Value::String(text) => format!("the text {}", quote(text)),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(members) if members.is_empty() => "an object without keys".to_owned(),
        Value::Object(_) => format!("an object with {}", keys(value)),
    }
}

/// The keys of an object, named.
pub(crate) fn keys(value: &Value) -> String {
    let Value::Object(members) = value else { return format!("{}, which has no keys", what(value)) };
    if members.is_empty() {
        return "no keys".to_owned();
    }
    let names: Vec<String> = members.keys().take(KEYS).map(|key| quote(key)).collect();
    let rest = members.len().saturating_sub(KEYS);
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    let word = if members.len() == 1 { "the key" } else { "the keys" };
    format!("{word} {}{more}", names.join(", "))
}

/// `1 row`, `5 rows`.
pub(crate) fn rows(count: u64) -> String {
    if count == 1 { "1 row".to_owned() } else { format!("{count} rows") }
}
