//! Flags of `selftest`.

use std::path::PathBuf;

use clap::Args;

/// `selftest`.
#[derive(Debug, Args)]
pub(crate) struct SelftestArgs {
    /// Does in seconds what else takes minutes: fewer models, and a few scorings of each planted rate.
    #[arg(long)]
    pub(crate) quick: bool,
    /// Puts the liars and the honest models to this suite in place of the one built in.
    #[arg(long, value_name = "FILE")]
    pub(crate) suite: Option<PathBuf>,
    /// Measures the classifier of outcomes on labelled texts instead, and exits 0 whatever the figures are: JSON
    /// Lines of `user`, `text`, `label` (refused, clarified, direct, invented, misused, claimed, answered,
    /// unclassified) and `disputed`.
    #[arg(long, value_name = "FILE.jsonl", conflicts_with_all = ["quick", "suite", "seed"])]
    pub(crate) outcomes: Option<PathBuf>,
    /// Prints everything as one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
    /// Decides every draw of the simulated models.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}
