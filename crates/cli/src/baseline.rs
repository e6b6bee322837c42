//! Accepted baselines: what a run came to, probe by probe, small enough to lie in version control. Later runs
//! are compared with it when the run's record is long gone.

use std::path::Path;

use report::{Gathered, Measured, RunFacts};
use schemars::JsonSchema;
use scorer::{SCORER, Scorecard};
use serde::{Deserialize, Serialize};
use transcript::{Fingerprint, Header};

use crate::error::Failure;

/// The format's name and version.
pub(crate) const BASELINE_FORMAT: &str = "toolmirage-baseline/1";

/// What a run came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Baseline {
    /// `toolmirage-baseline/1`.
    pub(crate) format: String,
    /// Version of the program that wrote it.
    pub(crate) toolmirage: String,
    /// Version of the scoring rules: another build's cannot be compared with it.
    pub(crate) scorer: String,
    /// Hash of the record that it was taken from.
    pub(crate) record: Fingerprint,
    /// Why it was accepted, in the words of whoever did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// Start of the first and end of the last trial, RFC 3339.
    pub(crate) window: Option<(String, String)>,
    /// What was planned.
    pub(crate) header: Header,
    /// What each cell came to.
    pub(crate) scorecards: Vec<Scorecard>,
}

/// What tells a baseline from other files, whatever its version.
#[derive(Deserialize)]
struct Head {
    format: String,
    #[serde(default)]
    scorer: String,
}

impl Baseline {
    /// Reads a baseline; none where the file is something else.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>, Failure> {
        if !path.is_file() || path.extension().is_none_or(|extension| extension != "json") {
            return Ok(None);
        }
        let unreadable = |error: &dyn std::fmt::Display| {
            Failure::usage(format!("cannot read the baseline `{}`: {error}", path.display()))
        };
        let text = std::fs::read_to_string(path).map_err(|error| unreadable(&error))?;
        let head: Head = serde_json::from_str(&text).map_err(|error| unreadable(&error))?;
        if head.format != BASELINE_FORMAT {
            let message = format!("its format is `{}`, wanted `{BASELINE_FORMAT}`", head.format);
            return Err(unreadable(&message));
        }
        if head.scorer != SCORER {
            return Err(Failure::invalid(format!(
                "the baseline `{}` was scored by other rules ({}) than this build's ({SCORER})",
                path.display(),
                head.scorer
            ))
            .with_help("accept it again from its run's record: `toolmirage baseline accept RUN`"));
        }
        let baseline: Self = serde_json::from_str(&text).map_err(|error| unreadable(&error))?;
        match baseline.contradiction() {
            Some(what) => Err(unreadable(&what)),
            None => Ok(Some(baseline)),
        }
    }

    /// What in it cannot be: it lies in version control, and may have been merged by hand.
    fn contradiction(&self) -> Option<String> {
        for (at, card) in self.scorecards.iter().enumerate() {
            let cell = &card.cell;
            if self.scorecards.iter().take(at).any(|other| other.cell == *cell) {
                return Some(format!("cell `{cell}` stands twice"));
            }
            if !self.header.cells.iter().any(|known| known.id == *cell) {
                return Some(format!("cell `{cell}` is not among its cells"));
            }
            let mut rates = card.rates.iter();
            if let Some(rate) = rates.find(|rate| rate.events > rate.scored || rate.scored > rate.planned) {
                return Some(format!(
                    "{} of cell `{cell}` has more events or trials than can be",
                    rate.metric
                ));
            }
            for probe in card.probes.iter() {
                let more = |repeats: &scorer::Repeats| {
                    repeats.events > repeats.scored || repeats.scored > probe.planned
                };
                if probe.rates.values().any(more) {
                    return Some(format!("probe `{}` has more events or trials than can be", probe.id));
                }
            }
        }
        let mut moments = self.window.iter().flat_map(|(from, to)| [from, to]);
        let unread = moments.find(|moment| moment.parse::<jiff::Timestamp>().is_err());
        unread.map(|moment| format!("`{moment}` is no moment in time"))
    }

    /// The run as it was measured. Of single trials nothing is known any more.
    pub(crate) fn measured(self) -> Measured {
        Measured {
            header: self.header,
            scorecards: self.scorecards,
            gathered: Gathered::default(),
            facts: RunFacts { finished: true, window: self.window, ..RunFacts::default() },
        }
    }
}
