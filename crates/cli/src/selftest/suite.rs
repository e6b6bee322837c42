//! What liars and honest models are put to: the suite of every kind that the program carries, or the user's own.

use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;
use probes::{Catalog, Prompt, Suite, derive_questions, expand};

use super::bench::Bench;
use crate::error::Failure;
use crate::inputs::Inputs;

/// A suite ready to be put.
pub(crate) struct Ready {
    /// Its name, as output shows it.
    pub(crate) name: String,
    /// Whether it is the one that the program carries.
    pub(crate) embedded: bool,
    /// One for each prompt.
    pub(crate) benches: Vec<Bench>,
}

impl Ready {
    /// The suite that the program carries: every kind of probe over a small catalog.
    ///
    /// # Errors
    /// None but a mistake in these files, which tests would have seen.
    pub(crate) fn embedded() -> Result<Self, Failure> {
        let (suite, _) =
            Suite::from_text(Path::new("suites/core.yaml"), include_str!("../../../../suites/core.yaml"))?;
        let catalog = Arc::new(Catalog::from_text(
            Path::new("catalogs/billing.yaml"),
            include_str!("../../../../catalogs/billing.yaml"),
        )?);
        let prompt = Prompt::render(
            "billing",
            Path::new("suites/prompts/billing.md"),
            include_str!("../../../../suites/prompts/billing.md"),
            &IndexMap::new(),
            &suite.principal,
            suite.clock.as_deref(),
        )?;
        let probes = expand(&derive_questions(&suite), &catalog, Some(&Arc::new(prompt))).probes;
        Ok(Self { name: suite.name.clone(), embedded: true, benches: vec![Bench::new(&catalog, probes)] })
    }

    /// A user's suite, with its catalog and prompts.
    ///
    /// # Errors
    /// No probe comes of it.
    pub(crate) fn of(inputs: &Inputs) -> Result<Self, Failure> {
        let cells = inputs.cells()?.into_iter().filter(|cell| !cell.probes.is_empty());
        let benches = cells.map(|cell| Bench::new(&inputs.catalog, cell.probes)).collect();
        Ok(Self { name: inputs.suite.name.clone(), embedded: false, benches })
    }

    /// Probes, over all prompts.
    pub(crate) fn probes(&self) -> usize {
        self.benches.iter().map(|bench| bench.probes.len()).sum()
    }
}
