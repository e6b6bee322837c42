//! Whether every tool of a catalog ever leaves a row in the executor log: one that is not wrapped leaves none, and
//! everything that is claimed of it would look like a phantom (DESIGN.md section 10).

use std::collections::BTreeMap;

use probes::Catalog;

use super::summary::UnwrappedTool;

/// What was seen of a catalog's tools.
#[derive(Debug, Clone, Default)]
pub struct RequiredTools {
    seen: BTreeMap<String, Seen>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    rows: u64,
    called: u64,
    claimed: u64,
}

/// Where a tool showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// In an executor log.
    Row,
    /// In a transcript or a trace's messages.
    Called,
    /// In a claim.
    Claimed,
}

impl RequiredTools {
    /// The tools of a catalog, none seen yet.
    #[must_use]
    pub fn of(catalog: &Catalog) -> Self {
        let names = catalog.tools().iter().map(|tool| (tool.name.as_str().to_owned(), Seen::default()));
        Self { seen: names.collect() }
    }

    pub(super) fn note(&mut self, tool: &str, shown: Shown) {
        let Some(seen) = self.seen.get_mut(tool) else { return };
        let count = match shown {
            Shown::Row => &mut seen.rows,
            Shown::Called => &mut seen.called,
            Shown::Claimed => &mut seen.claimed,
        };
        *count += 1;
    }

    /// How many tools there are.
    pub(super) fn count(&self) -> u64 {
        self.seen.len() as u64
    }

    /// Those without a row, by name.
    pub(super) fn unwrapped(&self) -> Vec<UnwrappedTool> {
        let without = self.seen.iter().filter(|(_, seen)| seen.rows == 0);
        let tool = |(name, seen): (&String, &Seen)| UnwrappedTool {
            tool: name.clone(),
            called: seen.called,
            claimed: seen.claimed,
        };
        without.map(tool).collect()
    }
}
