//! Where the values of a file stand, for mistakes that show only after it was read.

use std::ops::Range;
use std::sync::Arc;

use crate::document::{Content, Document};
use crate::error::Diagnostic;

/// The places of a file that was read, for mistakes that show only later.
#[derive(Debug, Clone)]
pub struct Places(pub(crate) Arc<Document>);

impl Places {
    /// Line and column, both from 1, of the value at a JSON pointer such as `/tasks/3/tool`; of the nearest
    /// value above it where there is none.
    #[must_use]
    pub fn at(&self, pointer: &str) -> (usize, usize) {
        self.0.source.place(self.find(pointer).0.start)
    }

    /// A mistake at the value at a JSON pointer.
    #[must_use]
    pub fn value(&self, pointer: &str, message: impl Into<String>) -> Diagnostic {
        self.0.source.diagnostic(&self.find(pointer).0, message)
    }

    /// A mistake at the key of the map entry at a JSON pointer.
    #[must_use]
    pub fn key(&self, pointer: &str, message: impl Into<String>) -> Diagnostic {
        let (value, key) = self.find(pointer);
        self.0.source.diagnostic(&key.unwrap_or(value), message)
    }

    fn find(&self, pointer: &str) -> (Range<usize>, Option<Range<usize>>) {
        let mut node = &self.0.root;
        let mut key = None;
        for part in pointer.split('/').skip(1) {
            let part = part.replace("~1", "/").replace("~0", "~");
            let next = match &node.content {
                Content::List(items) => part.parse().ok().and_then(|at: usize| items.get(at)),
                Content::Map(entries) => match entries.iter().find(|entry| entry.key == part) {
                    Some(entry) => {
                        key = Some(entry.key_span.clone());
                        Some(&entry.value)
                    }
                    None => None,
                },
                _ => None,
            };
            match next {
                Some(next) => node = next,
                None => break,
            }
        }
        (node.span.clone(), key)
    }
}

/// One step of a JSON pointer, escaped (RFC 6901).
#[must_use]
pub fn step(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
