//! Catalogs and suites with what several rules need of them, worked out once.

use std::collections::{HashMap, HashSet};

use probes::{Diagnostic, PlacedCatalog, PlacedTool, Purpose, Task, derive_questions, expand, name_words};
use serde_json::Value;

use crate::argument::{Argument, arguments};
use crate::text::listed;
use crate::{SuiteSubject, UserMessage};

/// A catalog.
pub(crate) struct CatalogView<'a> {
    pub(crate) label: &'a str,
    pub(crate) tools: Vec<ToolView<'a>>,
}

/// A tool.
pub(crate) struct ToolView<'a> {
    pub(crate) placed: &'a PlacedTool,
    pub(crate) name: &'a str,
    /// The words of its name, in lower case.
    pub(crate) words: Vec<String>,
    pub(crate) purpose: Option<Purpose>,
    pub(crate) description: String,
    pub(crate) schema: Option<Value>,
    pub(crate) arguments: Vec<Argument>,
}

impl<'a> CatalogView<'a> {
    pub(crate) fn of(catalog: &'a PlacedCatalog) -> Self {
        let tools: Vec<ToolView<'a>> = catalog.tools.iter().map(ToolView::of).collect();
        Self { label: &catalog.label, tools }
    }
}

impl<'a> ToolView<'a> {
    fn of(placed: &'a PlacedTool) -> Self {
        let name = placed.tool.name.as_str();
        let schema = placed.tool.input_schema.as_ref().and_then(transcript::RawJson::to_value);
        Self {
            placed,
            name,
            words: name_words(name),
            purpose: Purpose::of(name),
            description: placed.tool.description_text(),
            arguments: schema.as_ref().map(arguments).unwrap_or_default(),
            schema,
        }
    }

    /// Said of its name.
    pub(crate) fn at_name(&self, message: impl Into<String>) -> Diagnostic {
        self.placed.places.value(&format!("{}/name", self.placed.entry), message)
    }

    /// Said of its description; of its name where it has none.
    pub(crate) fn at_description(&self, message: impl Into<String>) -> Diagnostic {
        if self.placed.tool.description.is_none() {
            return self.at_name(message);
        }
        self.placed.places.key(&format!("{}/description", self.placed.entry), message)
    }

    /// Said of a part of its schema; of its name where it has no schema.
    pub(crate) fn at_schema(&self, pointer: &str, message: impl Into<String>) -> Diagnostic {
        match &self.placed.schema {
            Some(schema) => self.placed.places.key(&format!("{schema}{pointer}"), message),
            None => self.at_name(message),
        }
    }

    /// How the name is shown in a message.
    pub(crate) fn shown(&self) -> String {
        format!("`{}`", self.name)
    }
}

/// Whether a task lists a tool as one that may be called in place of the wanted one or beside it.
pub(crate) fn is_listed(task: &Task, tool: &str) -> bool {
    task.substitutes.iter().chain(&task.read_only).any(|name| name.as_str() == tool)
}

/// Why probes of a task do not hold, and which.
pub(crate) struct Stale {
    pub(crate) reason: String,
    pub(crate) ids: Vec<String>,
}

impl Stale {
    /// The probes, the first few by their ids.
    pub(crate) fn probes(&self) -> String {
        let ids: Vec<&str> = self.ids.iter().map(String::as_str).collect();
        listed(&ids, 3)
    }
}

/// A suite.
pub(crate) struct SuiteView<'a> {
    pub(crate) subject: &'a SuiteSubject,
    pub(crate) catalog: &'a CatalogView<'a>,
    /// Stale questions by task: each reason once, in order, with the ids of its probes.
    pub(crate) stale: HashMap<String, Vec<Stale>>,
    /// Tools that a question of the suite wants and that its catalog can be asked for.
    pub(crate) probed: HashSet<String>,
    pub(crate) traces: &'a [UserMessage],
}

impl<'a> SuiteView<'a> {
    pub(crate) fn of(
        subject: &'a SuiteSubject,
        catalog: &'a CatalogView<'a>,
        traces: &'a [UserMessage],
    ) -> Self {
        let expansion = expand(&derive_questions(&subject.suite), &subject.catalog, None);
        let mut stale: HashMap<String, Vec<Stale>> = HashMap::new();
        for (id, reason) in expansion.stale {
            let task = id.as_str().split('.').next().unwrap_or_default().to_owned();
            let reasons = stale.entry(task).or_default();
            let id = id.as_str().to_owned();
            match reasons.iter_mut().find(|known| known.reason == reason) {
                Some(known) => known.ids.push(id),
                None => reasons.push(Stale { reason, ids: vec![id] }),
            }
        }
        let wanted = expansion.probes.iter().filter_map(|probe| probe.expectation.tool.as_ref());
        let probed = wanted.map(|tool| tool.as_str().to_owned()).collect();
        Self { subject, catalog, stale, probed, traces }
    }

    /// The tasks with the JSON pointer of each.
    pub(crate) fn tasks(&self) -> impl Iterator<Item = (&'a Task, String)> {
        self.subject.suite.tasks.iter().enumerate().map(|(at, task)| (task, format!("/tasks/{at}")))
    }

    /// A tool of its catalog.
    pub(crate) fn tool(&self, name: &str) -> Option<&'a ToolView<'a>> {
        self.catalog.tools.iter().find(|tool| tool.name == name)
    }

    pub(crate) fn at(&self, pointer: &str, message: impl Into<String>) -> Diagnostic {
        self.subject.places.value(pointer, message)
    }
}
