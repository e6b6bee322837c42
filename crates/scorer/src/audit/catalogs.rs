//! Catalogs that lines bring along, parsed once for all lines that bring the same one.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use probes::{Catalog, Offered};

use super::line::hash;
use crate::argument::Schemas;

/// So many are kept: a log is of one agent, or a few.
const KEPT: usize = 64;

/// Parsed catalogs by their text, and compiled schemas.
#[derive(Debug, Default)]
pub(super) struct Catalogs {
    known: HashMap<u64, (Box<str>, Option<Arc<Offered>>)>,
    pub(super) schemas: Schemas,
    given: Option<Arc<Offered>>,
}

impl Catalogs {
    /// The catalog of a text, in any shape that catalogs have; none where it is no catalog.
    pub(super) fn of(&mut self, text: &str) -> Option<Arc<Offered>> {
        let key = hash(text);
        if let Some((_, offered)) = self.known.get(&key).filter(|(known, _)| **known == *text) {
            return offered.clone();
        }
        let catalog = Catalog::from_text(Path::new("tools"), text).ok();
        let offered = catalog.map(|catalog| Arc::new(Offered::new(catalog.tools().to_vec())));
        if self.known.len() >= KEPT {
            self.known.clear();
            self.schemas = Schemas::new();
        }
        self.known.insert(key, (Box::from(text), offered.clone()));
        offered
    }

    /// The catalog that was given for all lines.
    pub(super) fn given(&mut self, catalog: Option<&Arc<Catalog>>) -> Option<Arc<Offered>> {
        if self.given.is_none() {
            self.given = catalog.map(|catalog| Arc::new(Offered::new(catalog.tools().to_vec())));
        }
        self.given.clone()
    }
}
