//! What a suite says of tools, set beside the catalog that it is written for.

use std::collections::HashMap;

use indexmap::IndexMap;
use serde_json::Value;
use transcript::ToolName;

use crate::document::step;
use crate::error::{Diagnostic, all_clear};
use crate::tool_schema::{Argument, Declared};
use crate::{ArgumentRule, Catalog, Places, Suite, SuiteError, Task, nearest_name};

impl Suite {
    /// Checks a suite beside a catalog: names of tools that are misspelt, arguments that no schema declares,
    /// values that a schema cannot take. A tool that no name of the catalog is near to is gone from it: the
    /// questions that want it are stale (`expand`), and its name is given back.
    ///
    /// # Errors
    /// All the mistakes; and all the tools that are gone, where the catalog has none that a task wants.
    pub fn check_catalog(&self, catalog: &Catalog, places: &Places) -> Result<Vec<ToolName>, SuiteError> {
        let mut check =
            Check { catalog, places, declared: HashMap::new(), mistakes: Vec::new(), gone: Vec::new() };
        for (name, tools) in &self.surfaces {
            for (at, tool) in tools.iter().enumerate() {
                check.offered(tool.as_str(), &format!("/surfaces/{}/{at}", step(name)));
            }
        }
        for (at, task) in self.tasks.iter().enumerate() {
            check.task(self, task, &format!("/tasks/{at}"));
        }
        let wanted: Vec<&str> = self.tasks.iter().filter_map(Task::wanted).collect();
        let has_one = wanted.iter().any(|name| catalog.get(name).is_some());
        let (mut gone, diagnostics): (Vec<ToolName>, Vec<Diagnostic>) = check.gone.into_iter().unzip();
        if !has_one && !wanted.is_empty() {
            check.mistakes.extend(diagnostics);
        }
        all_clear(check.mistakes)?;
        gone.sort_unstable();
        gone.dedup();
        Ok(gone)
    }
}

struct Check<'a> {
    catalog: &'a Catalog,
    places: &'a Places,
    declared: HashMap<String, Declared>,
    mistakes: Vec<Diagnostic>,
    /// Tools that the catalog does not have, each where it is named.
    gone: Vec<(ToolName, Diagnostic)>,
}

/// Letters in which a misspelt name differs from the right one at most.
const MISSPELT: usize = 2;

impl Check<'_> {
    fn task(&mut self, suite: &Suite, task: &Task, base: &str) {
        let offers = task.offers.as_deref().unwrap_or_default();
        let named: [(&str, &[ToolName]); 3] =
            [("substitutes", &task.substitutes), ("read_only", &task.read_only), ("offers", offers)];
        for (key, names) in named {
            for (at, name) in names.iter().enumerate() {
                self.offered(name.as_str(), &format!("{base}/{key}/{at}"));
            }
        }
        for (at, name) in task.read_only.iter().enumerate() {
            let tool = self.catalog.get(name.as_str());
            if tool.is_some_and(|tool| tool.read_only == Some(false)) {
                let message = format!("`{name}` does not only read, by its catalog");
                self.mistakes.push(self.places.value(&format!("{base}/read_only/{at}"), message));
            }
        }
        for name in task.lookalikes.keys().filter(|name| self.catalog.get(name.as_str()).is_some()) {
            let pointer = format!("{base}/lookalikes/{}", step(name.as_str()));
            self.mistakes.push(
                self.places.key(&pointer, format!("`{name}` is a tool of the catalog, and no lookalike")),
            );
        }
        self.kind_settings(suite, task, &format!("{base}/kinds"));
        let Some(wanted) = task.wanted() else { return };
        if self.offered(wanted, &format!("{base}/tool")) {
            self.arguments(suite, task, wanted, base);
        }
    }

    /// Tools and arguments that the settings of single kinds name.
    fn kind_settings(&mut self, suite: &Suite, task: &Task, base: &str) {
        let neighbour = task.kinds.familiar_neighbour.as_ref().and_then(|told| told.neighbour.as_ref());
        if let Some(neighbour) = neighbour {
            self.offered(neighbour.as_str(), &format!("{base}/familiar_neighbour/neighbour"));
        }
        for (at, wanted) in task.kinds.phantom.iter().flat_map(|told| &told.steps).enumerate() {
            let base = format!("{base}/phantom/steps/{at}");
            if !wanted.impossible && self.offered(wanted.tool.as_str(), &format!("{base}/tool")) {
                self.rules(suite, wanted.tool.as_str(), &wanted.arguments, &format!("{base}/arguments"));
            }
        }
    }

    /// Whether the catalog has a tool; where it has not, a mistake if its name is misspelt, else it is gone.
    fn offered(&mut self, name: &str, pointer: &str) -> bool {
        let is_offered = self.catalog.get(name).is_some();
        if !is_offered {
            let message = format!("catalog {} has no tool `{name}`", self.catalog.label());
            let mut diagnostic = self.places.value(pointer, message);
            let names = || self.catalog.tools().iter().map(|tool| tool.name.as_str());
            if let Some(near) = nearest_name(name, names()) {
                diagnostic = diagnostic.help(format!("the nearest that it has is `{near}`"));
            }
            if names().any(|other| strsim::damerau_levenshtein(name, other) <= MISSPELT) {
                self.mistakes.push(diagnostic);
            } else {
                self.gone.push((ToolName::new(name), diagnostic));
            }
        }
        is_offered
    }

    /// What a tool's arguments must be, beside its schema.
    fn rules(
        &mut self,
        suite: &Suite,
        wanted: &str,
        rules: &IndexMap<String, ArgumentRule>,
        base: &str,
    ) -> Option<Declared> {
        let tool = self.catalog.get(wanted)?;
        let declared = self.declared.remove(wanted).unwrap_or_else(|| Declared::of(tool));
        for (name, rule) in rules {
            let pointer = format!("{base}/{}", step(name));
            let Some(argument) = self.argument(&declared, name, &tool.name, &pointer) else { continue };
            // Behind a pointer lies a part of the argument, which this does not look into.
            if !name.starts_with('/') {
                self.rule(suite, name, rule, argument, &pointer);
            }
        }
        Some(declared)
    }

    fn arguments(&mut self, suite: &Suite, task: &Task, wanted: &str, base: &str) {
        let Some(tool) = self.catalog.get(wanted) else { return };
        let rules = self.rules(suite, wanted, &task.arguments, &format!("{base}/arguments"));
        let Some(declared) = rules else { return };
        let left_out = task.kinds.missing_argument.iter().flat_map(|told| told.of.iter().enumerate());
        let left_out = left_out.map(|(at, name)| (name, format!("{base}/kinds/missing_argument/of/{at}")));
        let shorter = task.missing_argument.keys();
        let shorter = shorter.map(|name| (name, format!("{base}/missing_argument/{}", step(name))));
        for (name, pointer) in shorter.chain(left_out) {
            let Some(argument) = self.argument(&declared, name, &tool.name, &pointer) else { continue };
            if !argument.required {
                let message = format!("`{name}` is optional in `{}`, so nobody has to ask for it", tool.name);
                self.mistakes.push(self.places.key(&pointer, message));
            }
        }
        self.declared.insert(wanted.to_owned(), declared);
    }

    /// What a schema says of an argument; a mistake where it says nothing.
    fn argument<'d>(
        &mut self,
        declared: &'d Declared,
        name: &str,
        tool: &ToolName,
        pointer: &str,
    ) -> Option<&'d Argument> {
        let own = name.strip_prefix('/').map_or(name, |path| path.split('/').next().unwrap_or_default());
        let argument = declared.arguments.get(own);
        if argument.is_none() && !declared.is_open {
            let known: Vec<&str> = declared.arguments.keys().map(String::as_str).collect();
            let message = format!("`{tool}` declares no argument `{own}`");
            self.mistakes.push(self.places.key(pointer, message).nearest(own, &known));
        }
        argument
    }

    fn rule(&mut self, suite: &Suite, name: &str, rule: &ArgumentRule, argument: &Argument, pointer: &str) {
        let values: Vec<&Value> = match rule {
            ArgumentRule::Equals(value) => vec![value],
            ArgumentRule::AbsentOr(_) if argument.required => return self.never_absent(name, pointer),
            ArgumentRule::OneOf(values) | ArgumentRule::AbsentOr(values) => values.iter().collect(),
            ArgumentRule::Principal(key) => suite.principal.get(key).into_iter().collect(),
            ArgumentRule::Absent if argument.required => return self.never_absent(name, pointer),
            ArgumentRule::Absent | ArgumentRule::Pattern(_) => return,
        };
        // Of several notations some may be for other versions of the schema; one must fit.
        let refusals: Vec<String> = values.iter().filter_map(|value| argument.refuses(value)).collect();
        if let Some(why) = refusals.first().filter(|_| refusals.len() == values.len()) {
            self.mistakes.push(self.places.value(pointer, format!("`{name}` cannot be right: {why}")));
        }
    }

    fn never_absent(&mut self, name: &str, pointer: &str) {
        let message = format!("`{name}` is required by the schema, and cannot be absent");
        self.mistakes.push(self.places.value(pointer, message));
    }
}
