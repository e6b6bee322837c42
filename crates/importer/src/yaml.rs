//! Tasks as YAML that people can read and go on writing in. Every text that could be read as something else stands in
//! quotation marks: what is written reads back equal, whatever a benchmark holds.

use std::fmt::Write as _;

use probes::{yaml_flow as flow, yaml_scalar as scalar};
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
