//! What in a catalog, a prompt or a suite invites hallucination, or makes a measurement worth less: found by
//! reading alone. Nothing here opens a file, asks a model or looks at a clock.

mod argument;
mod finding;
mod letters;
mod lint;
mod rule;
mod subject;
mod text;
mod view;
mod word_sets;

pub use finding::{Finding, Severity};
pub use lint::{lint, sort};
pub use rule::{RULES, Rule, rule};
pub use subject::{CatalogSubject, PromptSubject, Subject, SuiteSubject, UserMessage};
