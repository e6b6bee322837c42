//! Tasks as YAML that people can read and go on writing in. Every text that could be read as something else stands in
//! quotation marks: what is written reads back equal, whatever a benchmark holds.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// The longest line that a list or map is kept on.
const LINE: usize = 100;

/// The entries of a map, each line behind `indent` spaces.
pub(crate) fn entries(members: &Map<String, Value>, indent: usize) -> String {
    let mut out = String::new();
    for (key, value) in members {
        let _ = writeln!(out, "{:indent$}{}:{}", "", scalar(key), behind_key(value, indent));
    }
    out
}

/// An entry of a list of maps.
pub(crate) fn item(members: &Map<String, Value>, indent: usize) -> String {
    let text = entries(members, indent + 2);
    let dash = format!("{:indent$}- ", "");
    text.get(indent + 2..).map_or_else(String::new, |rest| format!("{dash}{rest}"))
}

fn behind_key(value: &Value, indent: usize) -> String {
    let short = flow(value);
    match value {
        Value::Object(members) if !members.is_empty() && indent + short.len() > LINE => {
            format!("\n{}", entries(members, indent + 2).trim_end_matches('\n'))
        }
        Value::Array(items) if !items.is_empty() && indent + short.len() > LINE => {
            let item = |value: &Value| format!("\n{:1$}- {2}", "", indent + 2, flow(value));
            items.iter().map(item).collect()
        }
        _ => format!(" {short}"),
    }
}

/// A value on one line. JSON is YAML, once what YAML forbids unescaped is escaped.
fn flow(value: &Value) -> String {
    match value {
        Value::String(text) => scalar(text),
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| format!("{}: {}", scalar(name), flow(value));
            format!("{{ {} }}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// A text: plain where it can only be read as that text, else in quotation marks.
pub(crate) fn scalar(text: &str) -> String {
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-./ ".contains(c))
        && !text.ends_with([' ', '-', '.'])
        && !text.contains(" -")
        && !["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"]
            .contains(&text.to_ascii_lowercase().as_str());
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
