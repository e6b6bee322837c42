//! Values as YAML that people go on writing in. Whatever could be read as something else stands in quotation marks:
//! what is written reads back equal, whatever names and schemas hold.

use std::fmt::Write as _;

use serde_json::Value;

/// Words that YAML or a suite reads as something else than the text that they are.
const OTHERWISE_READ: &[&str] =
    &["true", "false", "null", "yes", "no", "on", "off", "y", "n", "none", "absent", "nan", "inf"];

/// A text: plain where it can only be read as that text, else in quotation marks.
#[must_use]
pub fn yaml_scalar(text: &str) -> String {
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-./ ".contains(c))
        && !text.ends_with([' ', '-', '.'])
        && !text.contains(" -")
        && !OTHERWISE_READ.contains(&text.to_ascii_lowercase().as_str());
    if is_plain {
        return text.to_owned();
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control()
                || matches!(c, '\u{2028}'..='\u{2029}' | '\u{feff}' | '\u{fffe}'..='\u{ffff}') =>
            {
                let _ = write!(out, "\\U{:08X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A value on one line. JSON is YAML, once what YAML forbids unescaped is escaped.
#[must_use]
pub fn yaml_flow(value: &Value) -> String {
    match value {
        Value::String(text) => yaml_scalar(text),
        Value::Array(items) => format!("[{}]", items.iter().map(yaml_flow).collect::<Vec<_>>().join(", ")),
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) => {
            let member =
                |(name, value): (&String, &Value)| format!("{}: {}", yaml_scalar(name), yaml_flow(value));
            format!("{{ {} }}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_could_be_read_otherwise_are_quoted() {
        for (text, expected) in [
            ("harbour rota", "harbour rota"),
            ("absent", "\"absent\""),
            ("No", "\"No\""),
            ("12", "\"12\""),
            ("a: b", "\"a: b\""),
            ("a\u{fffe}\u{feff}", "\"a\\U0000FFFE\\U0000FEFF\""),
            ("say \"hi\"\n", "\"say \\\"hi\\\"\\n\""),
        ] {
            assert_eq!(yaml_scalar(text), expected);
        }
        assert_eq!(yaml_flow(&serde_json::json!({"a": [1, {}]})), "{ a: [1, {}] }");
    }
}
