//! Right arguments, written wrong.

use serde_json::Value;
use transcript::RawJson;

use crate::decision_log::FormatFault;
use crate::invent::required;
use crate::plan::text_of;
use crate::script::ScriptEntry;

/// The justified arguments with this fault. Where they leave no room for it (nothing to mistype, no argument
/// at all), they are encoded twice.
pub(crate) fn miswritten(entry: &ScriptEntry, schema: &Value, fault: FormatFault) -> (String, FormatFault) {
    let right = text_of(&entry.arguments);
    let filled = !entry.arguments.is_empty();
    let text = match fault {
        FormatFault::PythonLiteral => filled.then(|| python(&right)),
        FormatFault::TrailingComma => {
            right.strip_suffix('}').filter(|_| filled).map(|open| format!("{open},}}"))
        }
        FormatFault::TypeMismatch => mistyped(entry),
        FormatFault::MissingRequired => without_required(entry, schema),
        FormatFault::ArgumentsDoubleEncoded => None,
        FormatFault::FinishReasonWrong => Some(right.clone()),
    };
    match text {
        Some(text) => (text, fault),
        None => (RawJson::from_text(&right).to_string(), FormatFault::ArgumentsDoubleEncoded),
    }
}

/// A number or truth value as a string.
fn mistyped(entry: &ScriptEntry) -> Option<String> {
    let mut arguments = entry.arguments.clone();
    let (_, value) = arguments.iter_mut().find(|(name, value)| {
        entry.exact.contains(name) && !value.as_str().starts_with(['"', '[', '{', 'n'])
    })?;
    *value = RawJson::from_text(value.as_str());
    Some(text_of(&arguments))
}

fn without_required(entry: &ScriptEntry, schema: &Value) -> Option<String> {
    let dropped = required(schema).find(|name| entry.arguments.contains_key(*name))?;
    let mut arguments = entry.arguments.clone();
    arguments.shift_remove(dropped);
    Some(text_of(&arguments))
}

/// JSON as Python prints it.
fn python(json: &str) -> String {
    json.replace('"', "'").replace(":true", ":True").replace(":false", ":False").replace(":null", ":None")
}
