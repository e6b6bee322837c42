//! Showing what was measured: from scorecards and judged trials to one `Report` value, and from it to every
//! format. All deciding is done when the report is made; a renderer counts nothing and works nothing out.
//! Nothing here runs a model, reads a clock or knows what a terminal is.

mod audit;
mod census;
mod compare;
mod error;
mod gate;
mod number;
mod render;
mod report;
mod share;
mod table;
mod text_safe;
mod words;

pub use audit::{
    AuditLine, AuditReport, FindingLine, LinePlace, audit_junit, audit_markdown, audit_text, finding_line,
    summary_line,
};
#[cfg(feature = "parquet")]
pub use census::census_parquet;
pub use census::{census_csv, census_events, census_html, census_markdown, mined_rate_label};
pub use compare::{
    CatalogChange, Change, ChangedProbe, CompareOptions, ComparedCell, ComparedSide, Comparison, Confirmed,
    DiffLine, Differences, Direction, Factor, FactorChoice, FieldChange, Incomparable, InventedChange,
    LoneCell, Measured, OutcomeChange, ProbeChange, ProbeDirection, PromptChange, TargetChange, ToolChange,
    UnpairedProbe, compare, join,
};
pub use error::ReportError;
pub use gate::{Ceiling, Gate, GateLine, GateQuestion, GateVerdict, OnInconclusive, Policy, decide};
pub use number::{count, one_in, percent_sign, window};
pub use render::{FORMATS, Format, FormatEntry, render, trial_text};
pub use report::{
    ArmOutcomeCount, BehaviourCount, CatalogIdentity, CellIdentity, CellReport, EmittedCall, EmittedTurn,
    Excerpt, ExcludedTrial, ExcludedTrials, Gathered, Identity, Invention, JudgedTrial, Offering,
    OutcomeCount, ProbeReport, PromptIdentity, REPORT_FORMAT, RateDefinition, Report, RunCost, RunFacts,
    RunSummary, ServedCount, ShownFinding, ShownMessage, ShownOutcome, ShownResult, ShownTrial,
    TargetIdentity, TrialCounts, UnscoredProbe, report_schema,
};
pub use share::Share;
pub use text_safe::{visible, visible_block};
