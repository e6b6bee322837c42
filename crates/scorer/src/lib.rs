//! Judging, and nothing else: from what was expected, said and executed to verdicts, rates and scorecards.
//! Nothing here reads a file, opens a connection, looks at a clock or draws a random number, and nothing here
//! fails: broken output is what it judges.

#[cfg_attr(not(test), expect(dead_code, reason = "called where verdicts are put together"))]
mod argument;
mod finding;
mod rate;
mod scorecard;
mod verdict;

pub use argument::Schemas;
pub use finding::{ArgumentFault, ArgumentFinding, Basis, Evidence, Finding, FormatFinding};
pub use rate::{FirstTurns, OverRepeats, PerArgument, PerCall, Rate, RateState, Unit, exclusion_key};
pub use scorecard::{
    ArgumentCount, ArmDelta, InventedName, PerTrial, ProbeOutcome, Repeats, Scorecard, ShadowedTool, Slice,
    Totals,
};
pub use verdict::{
    Behaviour, ByUnit, CallVerdict, Class, Counts, DecoyOutcome, FirstTurn, Judgement, NameForm,
    OutcomeVerdict, RequestFacts, Subject, SubjectStep, Surface, Suspect, TurnVerdict, Unscored, Verdict,
};
