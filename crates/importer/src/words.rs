//! Whether words give a value: only then may a call be held to it.

use serde_json::Value;

/// Whether the words give a value: it stands there, not as a part of a longer word, letter case aside.
pub(crate) fn give(words: &str, value: &Value) -> bool {
    match value {
        Value::String(text) => stands_in(words, text),
        Value::Number(number) => stands_in(words, &number.to_string()),
        Value::Array(items) => !items.is_empty() && items.iter().all(|item| give(words, item)),
        Value::Object(members) => !members.is_empty() && members.values().all(|member| give(words, member)),
        Value::Bool(_) | Value::Null => false,
    }
}

fn stands_in(words: &str, value: &str) -> bool {
    let (words, value) = (words.to_lowercase(), value.trim().to_lowercase());
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    !value.is_empty()
        && words.match_indices(&value).any(|(at, _)| {
            let before = words.get(..at).and_then(|text| text.chars().next_back());
            let after = words.get(at + value.len()..).and_then(|text| text.chars().next());
            !is_word(before) && !is_word(after)
        })
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
