//! Whether words give a value: only then may a call be held to it.

use probes::stands_in;
use serde_json::Value;

/// Whether the words give a value: it stands there, not as a part of a longer word, letter case aside.
pub(crate) fn give(words: &str, value: &Value) -> bool {
    gives(&words.to_lowercase(), value)
}

/// The same of words in lower case.
fn gives(words: &str, value: &Value) -> bool {
    match value {
        Value::String(text) => stands_in(&text.trim().to_lowercase(), words),
        Value::Number(number) => stands_in(&number.to_string().to_lowercase(), words),
        Value::Array(items) => !items.is_empty() && items.iter().all(|item| gives(words, item)),
        Value::Object(members) => !members.is_empty() && members.values().all(|member| gives(words, member)),
        Value::Bool(_) | Value::Null => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_is_given_as_a_whole() {
        let words = "Move 'Log.txt' to archive 2, twenty times.";
        assert!(give(words, &json!("log.txt")) && give(words, &json!(2)));
        assert!(give(words, &json!(["archive", 2])) && !give(words, &json!(["archive", 3])));
        for absent in [json!("arch"), json!(20), json!(true), json!(""), json!([])] {
            assert!(!give(words, &absent), "{absent}");
        }
    }
}
