//! The records of a benchmark's file: JSON Lines whatever the file is called, a JSON list, or objects one behind the
//! other. What cannot be read is named with its line, and everything beside it is kept.

use serde_json::Value;
use serde_json::value::RawValue;

/// A file, as it was read.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// Its name, as accounts show it.
    pub name: String,
    /// What it holds.
    pub text: String,
}

impl SourceFile {
    /// The last part of its name.
    pub(crate) fn file_name(&self) -> &str {
        self.name.rsplit(['/', '\\']).next().unwrap_or(&self.name)
    }
}

/// One record, and the line that it begins in, from 1.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Record {
    pub(crate) line: usize,
    pub(crate) value: Value,
}

/// What a file holds.
#[derive(Debug, Default)]
pub(crate) struct Records {
    pub(crate) records: Vec<Record>,
    /// Line, and why nothing could be read there.
    pub(crate) unreadable: Vec<(usize, String)>,
}

/// Reads a file's records. Time and memory are linear in its text.
pub(crate) fn records(text: &str) -> Records {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut found = Records::default();
    if is_lines(text) {
        found.lines(text)
    } else {
        found.stream(text)
    }
    found
}

/// Whether each line is a record of its own. A list, and an object that goes on in the next line, are not.
fn is_lines(text: &str) -> bool {
    let Some(first) = text.lines().find(|line| !line.trim().is_empty()) else { return true };
    if first.trim_start().starts_with('[') {
        return false;
    }
    match serde_json::from_str::<&RawValue>(first) {
        Ok(_) => true,
        Err(error) => !(error.is_eof() && text.lines().count() > 1 && is_pretty(first)),
    }
}

/// A line that only opens an object, as pretty-printed files begin.
fn is_pretty(first: &str) -> bool {
    first.trim() == "{"
}

impl Records {
    fn lines(&mut self, text: &str) {
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            self.keep(at + 1, line);
        }
    }

    fn keep(&mut self, line: usize, text: &str) {
        match serde_json::from_str(text) {
            Ok(value) => self.records.push(Record { line, value }),
            Err(error) => self.unreadable.push((line, no_json(&error))),
        }
    }

    /// A list's entries, or objects one behind the other, up to the first that is broken.
    fn stream(&mut self, text: &str) {
        let opened = text.trim_start().starts_with('[');
        let mut at = if opened { text.find('[').map_or(0, |at| at + 1) } else { 0 };
        let (mut counted, mut line) = (0, 1);
        loop {
            let rest = &text[at..];
            at += rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',').len();
            line += text[counted..at].matches('\n').count();
            counted = at;
            if at >= text.len() {
                if opened {
                    self.unreadable.push((line, "the list is not closed".to_owned()));
                }
                return;
            }
            if opened && text[at..].starts_with(']') {
                return;
            }
            let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter::<&RawValue>();
            match values.next() {
                Some(Ok(raw)) => self.keep(line, raw.get()),
                Some(Err(error)) => {
                    let why = format!("{}; nothing behind it was read", no_json(&error));
                    return self.unreadable.push((line, why));
                }
                None => return,
            }
            at += values.byte_offset();
        }
    }
}

/// A parser's words without its place, which counts from the record's own beginning.
fn no_json(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let what = text.rfind(" at line ").map_or(text.as_str(), |at| &text[..at]);
    format!("no JSON: {what} at column {}", error.column())
}

#[cfg(test)]
mod tests {
    use super::*;

    type Placed = Vec<(usize, String)>;

    fn read(text: &str) -> (Placed, Placed) {
        let found = records(text);
        (found.records.into_iter().map(|one| (one.line, one.value.to_string())).collect(), found.unreadable)
    }

    #[test]
    fn lines_whatever_surrounds_them() {
        let (found, bad) = read("\u{feff}{\"a\":1}\r\n\n{\"a\":\n{\"a\":2}");
        assert_eq!(found, [(1, "{\"a\":1}".into()), (4, "{\"a\":2}".into())]);
        assert_eq!(bad.len(), 1);
        assert!(bad[0].0 == 3 && bad[0].1.starts_with("no JSON: EOF"), "{bad:?}");
        assert_eq!(read(""), (vec![], vec![]));
    }

    #[test]
    fn lists_and_objects_over_several_lines() {
        let (found, bad) = read("[\n {\"a\":\n1},\n {\"a\":2}\n]");
        assert_eq!(found, [(2, "{\"a\":1}".into()), (4, "{\"a\":2}".into())]);
        assert!(bad.is_empty());
        assert_eq!(read("{\n\"a\":1\n}\n{\n\"a\":2}").0.len(), 2);
    }

    #[test]
    fn what_stands_before_a_cut_is_kept() {
        let (found, bad) = read("[{\"a\":1},\n{\"a\":");
        assert_eq!((found.len(), bad.len()), (1, 1));
        assert!(bad[0].0 == 2 && bad[0].1.contains("nothing behind it"), "{bad:?}");
        assert!(read("[{\"a\":1}").1[0].1.contains("not closed"));
        let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        assert_eq!(read(&deep).0.len(), 0);
    }
}
