//! What steps offer: edits applied to a catalog, each distinct set of edits once.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use transcript::{Fingerprint, Tool};

use crate::catalog::{FILLER, Fillings, hash_as_sent};
use crate::{CatalogEdits, Offered};

/// The tools of a step, with their hash as sent.
#[derive(Debug, Clone)]
pub(crate) struct Offer {
    pub(crate) offered: Offered,
    pub(crate) hash: Fingerprint,
}

/// The offers that are made of one catalog. Equal edits share one; a tool that no edit touches is hashed once.
#[derive(Debug)]
pub(crate) struct Offers {
    tools: Vec<Arc<Tool>>,
    by_address: HashMap<usize, Fingerprint>,
    by_edits: HashMap<CatalogEdits, Offer>,
    fillings: Fillings,
}

impl Offers {
    pub(crate) fn new(tools: &[Arc<Tool>]) -> Self {
        let by_address = tools.iter().map(|tool| (address(tool), hash_of_one(tool))).collect();
        Self { tools: tools.to_vec(), by_address, by_edits: HashMap::new(), fillings: Fillings::new() }
    }

    pub(crate) fn of(&mut self, edits: &CatalogEdits) -> Offer {
        if let Some(offer) = self.by_edits.get(edits) {
            return offer.clone();
        }
        if edits.ladder.is_some() {
            self.hash_filler();
        }
        let tools = edits.apply_with(&self.tools, &mut self.fillings);
        let known = |tool| self.by_address.get(&address(tool)).map(Cow::Borrowed);
        let hashes: Vec<Cow<'_, Fingerprint>> =
            tools.iter().map(|tool| known(tool).unwrap_or_else(|| Cow::Owned(hash_of_one(tool)))).collect();
        let hash = Fingerprint::of_json(&hashes);
        let offer = Offer { offered: Offered::new(tools), hash };
        self.by_edits.insert(edits.clone(), offer.clone());
        offer
    }

    /// Made-up tools stand in many rungs, and never go away.
    fn hash_filler(&mut self) {
        if FILLER.first().is_some_and(|first| !self.by_address.contains_key(&address(&first.tool))) {
            let hashed = FILLER.iter().map(|filler| (address(&filler.tool), hash_of_one(&filler.tool)));
            self.by_address.extend(hashed);
        }
    }
}

/// A tool that edits leave alone is the same allocation, which `Offers` keeps alive.
fn address(tool: &Arc<Tool>) -> usize {
    Arc::as_ptr(tool) as usize
}

fn hash_of_one(tool: &Arc<Tool>) -> Fingerprint {
    hash_as_sent(std::slice::from_ref(tool))
}
