//! Judging, and nothing else: from what was expected, said and executed to verdicts, rates and scorecards.
//! Nothing here reads a file, opens a connection, looks at a clock or draws a random number, and nothing here
//! fails: broken output is what it judges.

mod account;
mod argument;
pub mod audit;
mod call;
mod cases;
mod check;
mod claim;
mod dispatch;
mod finding;
mod fix;
mod label;
mod metric;
mod name;
mod outcome;
mod paired_rate;
mod past;
mod rate;
mod score;
mod scorecard;
mod spoken_claim;
pub mod statistic;
mod tally;
mod text_call;
mod turn;
mod verdict;
mod why;

pub use argument::Schemas;
pub use cases::{JudgedCase, judge_cases};
pub use claim::{
    ActionStatus, ActionsLine, AnswerLine, Claim, ClaimFinding, ClaimJudgement, ClaimState, ClaimedAction,
    EvidenceLevel, Ran, Reconciliation, claim, reconcile,
};
pub use dispatch::{Algorithm, POLICIES, Policy, WrittenForm};
pub use finding::{ArgumentFault, ArgumentFinding, Basis, Evidence, Finding, FormatFinding};
pub use fix::{FIXES, fix};
pub use metric::{EnteredBy, METRICS, Metric};
pub use name::{name_form, routed_tools};
pub use outcome::{
    CLASSIFIER_VERSION, Classified, LabelQuality, LabelledText, OutcomeReport, classify, measure,
};
pub use paired_rate::{PairedRate, paired_rate};
pub use rate::{FirstTurns, OverRepeats, PerArgument, PerCall, Rate, RateState, Unit};
pub use score::{score, score_by_grounding};
pub use scorecard::{
    ArgumentCount, ArmDelta, ArmOutcomes, DispatchOutcome, InventedName, PerTrial, ProbeOutcome, Repeats,
    RoutedTo, SCORER, Scorecard, ShadowedTool, Slice, ToolCorrectness, Totals, UnlistedNames,
    suspect::suspect_probes,
};
pub use tally::{Added, NOT_SENT, PlannedProbe, Tally};
pub use verdict::{
    AfterUnknown, Behaviour, ByUnit, CallVerdict, Class, Counts, DecoyOutcome, FirstTurn, Judgement,
    NameForm, OutcomeVerdict, RequestFacts, Subject, SubjectStep, Surface, Suspect, TurnVerdict, Unscored,
    Verdict,
};
