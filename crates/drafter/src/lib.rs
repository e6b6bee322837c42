//! From somebody's own tools, prompts and traces to drafted tasks and the files that hold them. Pure: the same input
//! and seed give the same text. Nothing here reads a file, asks a server or judges an answer.

mod bounded;
mod caller;
mod config;
mod default;
mod draw;
mod given;
mod hints;
mod implied;
mod kinds;
mod looks;
mod missing;
mod nested;
mod own_work;
mod plain;
mod prerequisite;
mod rewording;
mod schema;
mod similar;
mod state;
mod suite;
mod task;
mod told;
mod traces;
mod twins;
mod value;
mod words;
mod yaml;

pub use caller::Caller;
pub use config::{ConfigDraft, DraftedPrompt, DraftedSource, config_yaml};
pub use kinds::without_canary;
pub use rewording::{REWORDING_PROMPT, Rewording};
pub use suite::{DraftedSuite, draft_tasks, slug};
pub use task::{DraftSource, DraftedTask};
pub use traces::{AbsentDrafts, TraceDrafts, draft_absent_turns, draft_from_traces};
pub use yaml::{suite_yaml, task_yaml};
