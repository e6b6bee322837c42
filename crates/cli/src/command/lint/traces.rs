//! The user messages of production traces: JSON Lines of chat messages.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead as _, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use linter::UserMessage;
use probes::SuiteError;
use serde_json::Value;

use crate::error::Failure;

/// Reads files, and the `.jsonl` files of folders, line by line. Of equal messages the first is kept.
pub(super) fn read(paths: &[PathBuf]) -> Result<Vec<UserMessage>, Failure> {
    let mut messages = Vec::new();
    let mut seen = HashSet::new();
    for path in paths {
        for file in files(path)? {
            read_file(&file, &mut messages, &mut seen)?;
        }
    }
    Ok(messages)
}

fn files(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let unreadable = |source| SuiteError::Read { path: path.display().to_string(), source };
    let entries = std::fs::read_dir(path).map_err(unreadable)?.filter_map(Result::ok);
    let is_lines = |path: &PathBuf| {
        path.extension().is_some_and(|extension| extension == "jsonl" || extension == "ndjson")
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_lines).collect();
    files.sort();
    if files.is_empty() {
        return Err(Failure::usage(format!("`{}` has no .jsonl file", path.display())));
    }
    Ok(files)
}

fn read_file(
    path: &Path,
    messages: &mut Vec<UserMessage>,
    seen: &mut HashSet<String>,
) -> Result<(), Failure> {
    let unreadable = |source| SuiteError::Read { path: path.display().to_string(), source };
    let lines = BufReader::new(File::open(path).map_err(unreadable)?).lines();
    for (at, line) in lines.enumerate() {
        let line = line.map_err(|error| match error.kind() {
            ErrorKind::InvalidData => {
                Failure::usage(format!("{}:{}: this line is not UTF-8 text", path.display(), at + 1))
            }
            _ => unreadable(error).into(),
        })?;
        if line.trim().is_empty() {
            continue;
        }
        let place = format!("{}:{}", path.display(), at + 1);
        let value: Value = serde_json::from_str(&line).map_err(|error| {
            Failure::usage(format!("{place}: this line is no JSON: {error}")).with_help(
                "traces are JSON Lines: a message, a list of messages, or `{\"messages\": [...]}` a line",
            )
        })?;
        for text in user_texts(&value) {
            if seen.insert(text.clone()) {
                messages.push(UserMessage { place: place.clone(), text });
            }
        }
    }
    Ok(())
}

/// What users say in a message, a list of messages, or what holds such a list.
fn user_texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().flat_map(user_texts).collect(),
        Value::Object(members) => {
            let list = ["messages", "input", "conversation", "message", "request", "body"];
            if members.get("role").and_then(Value::as_str) == Some("user") {
                return members.get("content").map(texts).unwrap_or_default();
            }
            list.iter().filter_map(|key| members.get(*key)).flat_map(user_texts).collect()
        }
        _ => Vec::new(),
    }
}

/// A message's content: text, or parts that have text.
fn texts(content: &Value) -> Vec<String> {
    match content {
        Value::String(text) => vec![text.clone()],
        Value::Array(parts) => {
            parts.iter().filter_map(|part| part.get("text")?.as_str().map(str::to_owned)).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::user_texts;

    #[test]
    fn user_messages_of_every_shape() {
        assert_eq!(user_texts(&json!({"role": "user", "content": "a"})), ["a"]);
        assert_eq!(
            user_texts(
                &json!({"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": [{"text": "b"}]}]})
            ),
            ["b"]
        );
        assert_eq!(
            user_texts(&json!([{"role": "assistant", "content": "x"}, {"role": "user", "content": "c"}])),
            ["c"]
        );
        assert!(user_texts(&json!({"role": "tool", "content": "x"})).is_empty());
    }
}
