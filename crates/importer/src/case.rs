//! A benchmark's case on its way to a task: functions and tools go by the benchmark's names.

use indexmap::IndexMap;
use probes::{KindsTold, Source, Task};
use serde_json::Value;

use crate::function::Function;
use crate::records::{Record, Records, SourceFile};

/// Cases of one sort; each becomes a suite of its own, since kinds are chosen for a suite.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// What the suite is called, behind the benchmark's name.
    pub(crate) name: &'static str,
    /// The kinds that its cases support.
    pub(crate) kinds: &'static [&'static str],
}

/// One case.
#[derive(Debug)]
pub(crate) struct Case {
    /// The benchmark's id.
    pub(crate) id: String,
    /// `FILE:LINE`.
    pub(crate) place: String,
    /// What it came to; `Err` says why it cannot be asked.
    pub(crate) made: Result<Made, String>,
}

/// A task and the functions that it offers.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) part: &'static Part,
    pub(crate) functions: Vec<Function>,
    pub(crate) task: Task,
}

/// A file with its records.
#[derive(Debug)]
pub(crate) struct Opened<'a> {
    pub(crate) file: &'a SourceFile,
    pub(crate) records: Records,
}

impl Opened<'_> {
    /// `FILE:LINE` of a record.
    pub(crate) fn place(&self, record: &Record) -> String {
        format!("{}:{}", self.file.name, record.line)
    }
}

/// What a benchmark makes of its files.
#[derive(Debug, Default)]
pub(crate) struct Read {
    pub(crate) cases: Vec<Case>,
    /// Records that are no cases, and no part of one: place and reason.
    pub(crate) unreadable: Vec<(String, String)>,
    /// Functions for a catalog alone.
    pub(crate) functions: Vec<Function>,
    /// The version that the files name.
    pub(crate) version: Option<String>,
    pub(crate) notes: Vec<String>,
}

/// A task that wants nothing yet.
pub(crate) fn task(user: &str) -> Task {
    Task {
        id: String::new(),
        user: user.to_owned(),
        tool: Some("none".to_owned()),
        absent_tool: None,
        history: Vec::new(),
        system: None,
        offers: None,
        surface: None,
        arguments: IndexMap::new(),
        substitutes: Vec::new(),
        read_only: Vec::new(),
        missing_argument: IndexMap::new(),
        lookalikes: IndexMap::new(),
        kinds: KindsTold::default(),
        answerable_without_tool: false,
        must_pass: Vec::new(),
        source: Source::default(),
        draft: false,
    }
}

/// A member that is a text and says something.
pub(crate) fn text<'v>(record: &'v Value, key: &str) -> Result<&'v str, String> {
    match record.get(key) {
        Some(Value::String(text)) if !text.trim().is_empty() => Ok(text),
        Some(Value::String(_)) => Err(format!("its `{key}` says nothing")),
        _ => Err(format!("it has no text `{key}`")),
    }
}
