//! Where the values of a file stand, for mistakes that show only after it was read.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::document::{Content, Document, Node, Source, Syntax, json, yaml};
use crate::error::Diagnostic;

/// The places of a file that was read, for mistakes that show only later. Most files have none, so that the tree is
/// made again only when a place is asked for: it takes several times the room of the text.
#[derive(Debug, Clone)]
pub struct Places {
    source: Source,
    syntax: Syntax,
    tree: Arc<OnceLock<Node>>,
}

impl Places {
    pub(crate) fn new(source: Source, syntax: Syntax) -> Self {
        Self { source, syntax, tree: Arc::default() }
    }

    /// Line and column, both from 1, of the value at a JSON pointer such as `/tasks/3/tool`; of the nearest
    /// value above it where there is none.
    #[must_use]
    pub fn at(&self, pointer: &str) -> (usize, usize) {
        self.source.place(self.find(pointer).0.start)
    }

    /// A mistake at the value at a JSON pointer.
    #[must_use]
    pub fn value(&self, pointer: &str, message: impl Into<String>) -> Diagnostic {
        self.source.diagnostic(&self.find(pointer).0, message)
    }

    /// A mistake at the key of the map entry at a JSON pointer.
    #[must_use]
    pub fn key(&self, pointer: &str, message: impl Into<String>) -> Diagnostic {
        let (value, key) = self.find(pointer);
        self.source.diagnostic(&key.unwrap_or(value), message)
    }

    fn tree(&self) -> &Node {
        self.tree.get_or_init(|| {
            let parsed = match self.syntax {
                Syntax::Json => json::parse(self.source.clone()),
                Syntax::Yaml => yaml::parse(self.source.clone()),
            };
            // It was parsed before; what cannot be is a file without places.
            parsed.map_or_else(|_| Node::new(0..0, Content::Null), |document| document.root)
        })
    }

    fn find(&self, pointer: &str) -> (Range<usize>, Option<Range<usize>>) {
        let mut node = self.tree();
        let mut key = None;
        for part in pointer.split('/').skip(1) {
            let part = part.replace("~1", "/").replace("~0", "~");
            let next = match &node.content {
                Content::List(items) => part.parse().ok().and_then(|at: usize| items.get(at)),
                Content::Map(entries) => match entries.iter().find(|entry| *entry.key == *part) {
                    Some(entry) => {
                        key = Some(entry.key_span());
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
        (node.span(), key)
    }
}

impl From<&Document> for Places {
    fn from(document: &Document) -> Self {
        Self::new(document.source.clone(), document.syntax)
    }
}

/// One step of a JSON pointer, escaped (RFC 6901).
#[must_use]
pub fn step(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
