//! The beginning of a log, from which its format is told.

use serde_json::Value;

/// How many lines are looked at.
const LINES: usize = 20;

/// The longest line that is parsed to tell a format, in bytes.
const LONGEST: usize = 1 << 20;

/// The beginning of a log.
pub(crate) struct Sample<'a> {
    text: &'a [u8],
    /// What of it is not parsed yet.
    rest: &'a [u8],
    is_whole: bool,
    /// Its first lines that are JSON each; empty for a document over several lines.
    lines: Vec<Value>,
    /// The whole document, where it is one and ends within the sample.
    document: Option<Value>,
    /// Whether its first line ends within it.
    has_whole_line: bool,
}

impl<'a> Sample<'a> {
    /// Makes a sample of the first bytes of a log, its first line parsed. `is_whole` says that nothing follows
    /// them.
    pub(crate) fn new(text: &'a [u8], is_whole: bool) -> Self {
        let text = without_bom(text);
        let has_whole_line = is_whole || memchr::memchr(b'\n', text.trim_ascii_start()).is_some();
        let mut sample =
            Self { text, rest: text, is_whole, lines: Vec::new(), document: None, has_whole_line };
        if !sample.read_on() && is_whole {
            sample.document = serde_json::from_slice(text.trim_ascii()).ok();
        }
        sample
    }

    /// Parses one more line; `false` where there is none. Lines are long, and the first nearly always tells.
    pub(crate) fn read_on(&mut self) -> bool {
        while self.lines.len() < LINES && !self.rest.is_empty() {
            let end = memchr::memchr(b'\n', self.rest);
            if end.is_none() && !self.is_whole {
                break;
            }
            let (line, after) = self.rest.split_at(end.map_or(self.rest.len(), |end| end + 1));
            self.rest = after;
            let line = line.trim_ascii();
            if line.is_empty() || line.len() > LONGEST {
                continue;
            }
            if let Ok(value) = serde_json::from_slice(line) {
                self.lines.push(value);
                return true;
            }
            if self.lines.is_empty() && (line == b"{" || line == b"[") {
                break; // a document over several lines
            }
        }
        self.rest = &[];
        false
    }

    /// Whether the log is one JSON value over several lines: what opens on its first line does not close there. A
    /// first line that is longer than the sample is read as a line.
    pub(crate) fn is_document(&self) -> bool {
        self.lines.is_empty() && self.has_whole_line && self.begins_like_json()
    }

    fn begins_like_json(&self) -> bool {
        matches!(self.text.trim_ascii_start().first(), Some(b'{' | b'['))
    }

    /// Whether it begins like JSON at all.
    pub(crate) fn is_json(&self) -> bool {
        !self.lines.is_empty() || self.begins_like_json()
    }

    /// Whether any of its records is one of those wanted: its first lines, or the document, or the document's
    /// first elements.
    pub(crate) fn any(&self, wanted: impl Fn(&Value) -> bool) -> bool {
        let document = self.document.iter();
        document.chain(&self.lines).any(|value| {
            wanted(value) || value.as_array().is_some_and(|items| items.iter().take(LINES).any(&wanted))
        })
    }

    /// Whether these bytes stand in it. For logs whose first line or whole document is longer than the sample.
    pub(crate) fn mentions(&self, words: &str) -> bool {
        memchr::memmem::find(self.text, words.as_bytes()).is_some()
    }

    /// Whether nothing of it could be parsed, so that [`Sample::mentions`] is all there is to go by.
    pub(crate) fn is_cut(&self) -> bool {
        self.lines.is_empty() && self.document.is_none()
    }
}

/// The text without a byte order mark.
pub(crate) fn without_bom(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}
