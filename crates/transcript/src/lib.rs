//! What was said and done in a trial, as plain data: tools, messages, turns, calls, executor rows, and the
//! lines of a run record. Nothing here reads a file, looks at a clock or opens a connection.

mod call;
mod executor_log;
mod gateway;
mod message;
mod price;
mod provenance;
mod raw_json;
mod record;
mod redaction;
mod serving;
mod tool;
mod trial;
mod turn;

pub use call::{Arguments, CallId, EmittedName, MessageCall, ToolCall, ToolResult};
pub use executor_log::{
    ExecutedCall, ExecutorEvent, ExecutorLog, ExecutorRow, Outcome, OutcomeReason, join as join_executor_rows,
};
pub use gateway::{GatewayRecord, ServedAt, ShareRecord};
pub use message::{Message, Role};
pub use price::{Cost, Price, UsdPerMillion};
pub use provenance::{EndpointProperties, Fingerprint, Known, ServedModel, ServedVerdict, SettingState};
pub use raw_json::{RawJson, RawJsonError};
pub use record::{
    CatalogRecord, Cell, CellId, Footer, GitRef, Header, PromptRecord, RECORD_FORMAT, RecordLine, Resumed,
    Side, Stale, SuiteRecord, TargetId, TargetRecord,
};
pub use redaction::RedactedKind;
pub use serving::{Confidence, ServingAnswer, ServingCheck, ServingState, StrictnessCell, StrictnessState};
pub use tool::{Tool, ToolForm, ToolName, ToolOriginal};
pub use trial::{Ended, ErrorCause, ProbeId, Trial, TrialError, TrialId, TrialStatus};
pub use turn::{Item, KeptResponse, Observed, ProviderError, Stop, StopReason, Turn, TurnKind, Usage};
