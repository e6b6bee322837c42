//! Puts the lines of a streamed answer together to the body that an unstreamed one would have. Every line is an
//! answer of its own with a piece of the message; the last one says `done`.

use indexmap::IndexMap;
use indexmap::map::Entry;
use serde_json::value::RawValue;
use transcript::RawJson;

use super::decode::entries;
use crate::json::{self, Members};
use crate::provider::json_text::{Object, array};

const CUT_OFF: &str = "a stream of lines that ends before its answer does";

/// The body that several lines come to, or why they come to none. None where the text is no such stream.
pub(super) fn of_lines(text: &str) -> Option<Result<RawJson, String>> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = RawJson::parse(lines.next()?).ok()?;
    is_chunk(&first).then(|| {
        let rest = lines.map(|line| RawJson::parse(line).map_err(|_| CUT_OFF.to_owned()));
        assemble([Ok(first)].into_iter().chain(rest))
    })
}

/// The same for a body of one line: it is a stream where it says that more is to come.
pub(super) fn of_one(body: &RawJson) -> Option<Result<RawJson, String>> {
    let members = json::parse_members(body.as_str())?;
    let goes_on = members.has("message") && members.get("done").is_some_and(|done| done.get() == "false");
    goes_on.then(|| Err(CUT_OFF.to_owned()))
}

fn is_chunk(line: &RawJson) -> bool {
    json::parse_members(line.as_str()).is_some_and(|members| members.has("message") || members.has("error"))
}

fn assemble(lines: impl Iterator<Item = Result<RawJson, String>>) -> Result<RawJson, String> {
    let mut answer = Answer::default();
    for line in lines {
        let line = line?;
        let Some(members) = json::parse_members(line.as_str()) else {
            return Err("a stream of lines with one that is no object".to_owned());
        };
        if json::present(&members, "error").is_some() {
            // Whatever came before it: the answer did not.
            return Ok(line);
        }
        answer.take(&members);
    }
    answer.body()
}

/// A member of the message under way.
enum Piece {
    /// The inside of a JSON string: pieces of it are joined before anybody decodes it.
    Text(String),
    /// Entries of a list.
    List(Vec<String>),
    /// Anything else: the last one counts.
    Other(String),
}

/// An answer under way.
#[derive(Default)]
struct Answer {
    outer: IndexMap<String, String>,
    message: IndexMap<String, Piece>,
    is_done: bool,
}

impl Answer {
    fn take(&mut self, line: &Members<'_>) {
        for (key, value) in line.iter().filter(|(_, value)| !json::is_null(value)) {
            if key != "message" {
                self.outer.insert(key.to_owned(), value.get().to_owned());
            } else if let Some(message) = json::members(value) {
                let pieces = message.iter().filter(|(_, value)| !json::is_null(value));
                pieces.for_each(|(key, value)| self.piece(key, value));
            }
            self.is_done |= key == "done" && value.get() == "true";
        }
    }

    fn piece(&mut self, key: &str, value: &RawValue) {
        let piece = Piece::of(key, value);
        match self.message.entry(key.to_owned()) {
            Entry::Vacant(place) => {
                place.insert(piece);
            }
            Entry::Occupied(so_far) => match (so_far.into_mut(), piece) {
                (Piece::Text(text), Piece::Text(more)) => text.push_str(&more),
                (Piece::List(entries), Piece::List(more)) => entries.extend(more),
                (so_far, piece) => *so_far = piece,
            },
        }
    }

    fn body(self) -> Result<RawJson, String> {
        if !self.is_done {
            return Err(CUT_OFF.to_owned());
        }
        let mut message = Object::new();
        for (key, piece) in self.message {
            message.member(&key, &piece.json());
        }
        let mut out = Object::new();
        out.member("message", &message.finish());
        for (key, value) in &self.outer {
            out.member(key, value);
        }
        Ok(out.into_raw())
    }
}

impl Piece {
    fn of(key: &str, value: &RawValue) -> Self {
        let text = value.get();
        match (key, text.strip_prefix('"').and_then(|inner| inner.strip_suffix('"'))) {
            ("content" | "thinking", Some(inner)) => Self::Text(inner.to_owned()),
            ("tool_calls", _) => {
                Self::List(entries(value).into_iter().map(|entry| entry.get().to_owned()).collect())
            }
            _ => Self::Other(text.to_owned()),
        }
    }

    fn json(self) -> String {
        match self {
            Self::Text(inner) => format!("\"{inner}\""),
            Self::List(entries) => array(entries),
            Self::Other(text) => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_the_body_of_an_unstreamed_answer() {
        let text = concat!(
            r#"{"model":"elm","message":{"role":"assistant","content":"","thinking":"H\u00e9"},"done":false}"#,
            "\n",
            r#"{"model":"elm","message":{"role":"assistant","content":"Pru"},"done":false}"#,
            "\n\n",
            r#"{"model":"elm","message":{"role":"assistant","content":"ned \ud83c"},"done":false}"#,
            "\r\n",
            r#"{"model":"elm","message":{"role":"assistant","content":"\udf33","tool_calls":[{"function":{"name":"prune","arguments":{"n":1.0}}}]},"done":false}"#,
            "\n",
            r#"{"model":"elm","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"water","arguments":{}}}]},"done":true,"done_reason":"stop","eval_count":7}"#,
            "\n",
        );
        assert_eq!(
            of_lines(text).unwrap().unwrap().as_str(),
            concat!(
                r#"{"message":{"role":"assistant","content":"Pruned \ud83c\udf33","thinking":"H\u00e9","#,
                r#""tool_calls":[{"function":{"name":"prune","arguments":{"n":1.0}}},"#,
                r#"{"function":{"name":"water","arguments":{}}}]},"#,
                r#""model":"elm","done":true,"done_reason":"stop","eval_count":7}"#
            )
        );
    }

    #[test]
    fn what_is_no_answer_is_said() {
        let line = r#"{"message":{"content":"Pru"},"done":false}"#;
        for cut in [format!("{line}\n{line}\n"), format!("{line}\n{{\"message\":{{\"con")] {
            assert!(of_lines(&cut).unwrap().unwrap_err().contains("ends before"), "{cut}");
        }
        assert!(of_one(&RawJson::parse(line).unwrap()).unwrap().is_err());
        assert!(of_lines(&format!("{line}\n7\n")).unwrap().unwrap_err().contains("no object"));
        let failed = of_lines(&format!("{line}\n{{\"error\":\"out of sap\"}}\n")).unwrap().unwrap();
        assert!(failed.as_str().contains("out of sap"));
    }

    #[test]
    fn other_texts_are_no_stream() {
        for text in ["", "<html>", "{\n \"message\":", "7\n8", "{\"choices\":[]}\n{}"] {
            assert!(of_lines(text).is_none(), "{text:?}");
        }
        assert!(of_one(&RawJson::parse(r#"{"message":{},"done":true}"#).unwrap()).is_none());
    }
}
