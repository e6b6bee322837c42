//! Judging, and nothing else: from what was expected, said and executed to verdicts, rates and scorecards.
//! Nothing here reads a file, opens a connection, looks at a clock or draws a random number, and nothing here
//! fails: broken output is what it judges.

mod finding;
mod metric;
mod rate;
mod scorecard;
pub mod statistic;
mod tally;
mod verdict;

pub use finding::{ArgumentFault, ArgumentFinding, Basis, Evidence, Finding, FormatFinding};
pub use metric::{EnteredBy, METRICS, Metric};
pub use rate::{FirstTurns, OverRepeats, PerArgument, PerCall, Rate, RateState, Unit, exclusion_key};
pub use scorecard::{
    ArgumentCount, ArmDelta, ArmOutcomes, InventedName, PerTrial, ProbeOutcome, Repeats, SCORER, Scorecard,
    ShadowedTool, Slice, Totals, UnlistedNames, suspect::suspect_probes,
};
pub use tally::{Added, NOT_SENT, PlannedProbe, Tally};
pub use verdict::{
    Behaviour, ByUnit, CallVerdict, Class, Counts, DecoyOutcome, FirstTurn, Judgement, NameForm,
    OutcomeVerdict, RequestFacts, Subject, SubjectStep, Surface, Suspect, TurnVerdict, Unscored, Verdict,
};
