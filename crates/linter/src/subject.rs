//! What is read: catalogs, prompts and suites, as the caller loaded them.

use std::sync::Arc;

use probes::{Catalog, PlacedCatalog, Places, Suite, TextFile};

/// All that is looked at together.
#[derive(Debug, Default)]
pub struct Subject {
    /// Catalogs; suites and prompts name them by their index.
    pub catalogs: Vec<CatalogSubject>,
    /// Prompts.
    pub prompts: Vec<PromptSubject>,
    /// Suites.
    pub suites: Vec<SuiteSubject>,
    /// User messages of production traces.
    pub traces: Vec<UserMessage>,
}

/// A catalog.
#[derive(Debug)]
pub struct CatalogSubject {
    /// Its tools.
    pub catalog: PlacedCatalog,
    /// Whether it is looked at itself, and not only what suites and prompts say of it.
    pub is_linted: bool,
}

/// A system prompt.
#[derive(Debug)]
pub struct PromptSubject {
    /// Its template.
    pub text: TextFile,
    /// The catalogs that it is sent with; none: what it says of tools cannot be judged.
    pub catalogs: Vec<usize>,
}

/// A suite.
#[derive(Debug)]
pub struct SuiteSubject {
    /// The suite.
    pub suite: Suite,
    /// Where its values stand.
    pub places: Places,
    /// Its catalog, among those of the subject.
    pub placed: usize,
    /// Its catalog, as questions are put to it.
    pub catalog: Arc<Catalog>,
    /// Its rendered prompts: a value that one of them gives is given.
    pub prompts: Vec<String>,
    /// Whether its tasks must not stand in the traces.
    pub held_out: bool,
}

/// What a user wrote in a trace.
#[derive(Debug, Clone)]
pub struct UserMessage {
    /// Where it stands, for people: `file:line`.
    pub place: String,
    /// The words.
    pub text: String,
}
