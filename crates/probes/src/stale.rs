//! Whether a question still holds on a catalog (DESIGN.md section 2).

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;
use transcript::{Tool, ToolName};

use crate::near_name::{self, Purpose};
use crate::tool_schema::Declared;
use crate::{Catalog, CatalogEdits, Expectation, Question, Unlisted, ValueOracle};

/// Whether a question gives a probe.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    Yes,
    /// It held on another catalog, or its author thought that it would on this one.
    Stale(String),
    /// The task lacks what the kind needs, which only a catalog could tell.
    NotAsked(String),
}

/// What must hold on a catalog for a question to be asked there, beside what its expectation says.
#[derive(Debug, Clone, PartialEq)]
pub enum Need {
    /// The catalog does not have this tool, nor one that could do the same.
    Lacks(ToolName),
    /// The catalog has this tool.
    Offers(ToolName),
    /// The wanted tool reads. Where it does not, nobody meant the question to be asked.
    Reads,
    /// The wanted tool's schema declares this argument among its own `properties`.
    Declares {
        /// The argument.
        argument: String,
    },
    /// The wanted tool's schema cannot take this value.
    Refuses {
        /// The argument that it is meant for.
        argument: String,
        /// The value.
        value: Value,
    },
}

/// Looks at questions on one catalog, reading each schema once.
pub(crate) struct Staleness<'a> {
    catalog: &'a Catalog,
    tools: HashMap<&'a str, &'a Arc<Tool>>,
    purposes: Vec<(&'a str, Purpose)>,
    declared: HashMap<String, Declared>,
}

impl<'a> Staleness<'a> {
    pub(crate) fn new(catalog: &'a Catalog) -> Self {
        let tools = catalog.tools();
        let purpose = |tool: &'a Arc<Tool>| Some((tool.name.as_str(), Purpose::of(tool.name.as_str())?));
        Self {
            catalog,
            tools: tools.iter().map(|tool| (tool.name.as_str(), tool)).collect(),
            purposes: tools.iter().filter_map(purpose).collect(),
            declared: HashMap::new(),
        }
    }

    /// Whether a question holds.
    pub(crate) fn holds(&mut self, question: &Question) -> Holds {
        if let Some(reason) = self.reason(question) {
            return Holds::Stale(reason);
        }
        let expectation = &question.expectation;
        if question.needs.contains(&Need::Reads) && !self.wanted_reads(question) {
            return Holds::NotAsked("the tool does not read, by its catalog".to_owned());
        }
        let declared = expectation.tool.as_ref().and_then(|tool| self.declared.get(tool.as_str()));
        match declared.filter(|declared| nothing_to_invent(expectation, declared)) {
            Some(_) if lists_absent(expectation) => {
                Holds::Stale("its tool has no optional argument that the words leave open".to_owned())
            }
            Some(_) => {
                Holds::NotAsked("the tool has no optional argument that the words leave open".to_owned())
            }
            None => Holds::Yes,
        }
    }

    fn wanted_reads(&self, question: &Question) -> bool {
        let wanted = question.expectation.tool.as_ref().and_then(|name| self.tools.get(name.as_str()));
        wanted.is_some_and(|tool| near_name::reads(tool))
    }

    /// Why a question is stale, its optional arguments aside.
    fn reason(&mut self, question: &Question) -> Option<String> {
        let expectation = &question.expectation;
        if let Some(decoy) = expectation.decoys.iter().find(|name| self.tools.contains_key(name.as_str())) {
            return Some(format!("its lookalike `{decoy}` is a tool of the catalog"));
        }
        if let Some(reason) = question.needs.iter().find_map(|need| self.lacks(question, need)) {
            return Some(reason);
        }
        let name = expectation.tool.as_ref()?.as_str();
        if question.needs.contains(&Need::Lacks(name.into())) {
            return None;
        }
        let Some(tool) = self.tools.get(name).copied() else {
            return Some(format!("its tool `{name}` is not in catalog {}", self.catalog.label()));
        };
        if tool.deprecated {
            return Some(format!("its tool `{name}` is deprecated"));
        }
        let declared = self.declared.entry(name.to_owned()).or_insert_with(|| Declared::of(tool));
        let argument = question.needs.iter().find_map(|need| argument(need, declared));
        not_required(expectation, declared).or(argument).or_else(|| self.solver(question, name))
    }

    /// What a question needs of other tools, and the catalog does not give.
    fn lacks(&self, question: &Question, need: &Need) -> Option<String> {
        match need {
            Need::Lacks(tool) if self.tools.contains_key(tool.as_str()) => {
                Some(format!("`{tool}`, which it says never existed, is in catalog {}", self.catalog.label()))
            }
            Need::Lacks(tool) => self.solver(question, tool.as_str()),
            Need::Offers(tool) if !self.tools.contains_key(tool.as_str()) => {
                Some(format!("it needs `{tool}`, which is not in catalog {}", self.catalog.label()))
            }
            Need::Offers(_) | Need::Reads | Need::Declares { .. } | Need::Refuses { .. } => None,
        }
    }

    /// A tool that asks for the same of the same as the wanted one, offered where that is not.
    fn solver(&self, question: &Question, wanted: &str) -> Option<String> {
        let purpose = Purpose::of(wanted)?;
        let never_existed = !self.tools.contains_key(wanted);
        let without: Vec<&CatalogEdits> = question
            .steps
            .iter()
            .map(|step| &step.catalog)
            .filter(|edits| never_existed || !offers(edits, wanted))
            .collect();
        let offered = |name: &str| without.iter().any(|edits| offers(edits, name));
        let allowed =
            |name: &str| question.expectation.allowed_reads.iter().any(|read| read.as_str() == name);
        self.purposes
            .iter()
            .find(|(name, other)| {
                *name != wanted && other.is_same(&purpose) && offered(name) && !allowed(name)
            })
            .map(|(name, _)| format!("its decoy could be solved with `{name}`; list it under `substitutes`"))
    }
}

/// Whether a step offers a tool of the catalog. A rung leaves out what could do the task by itself, and is asked
/// about its own tool alone.
fn offers(edits: &CatalogEdits, name: &str) -> bool {
    let named = edits.only.as_ref().is_none_or(|only| only.iter().any(|other| other.as_str() == name));
    let on_rung = edits.ladder.as_ref().is_none_or(|rung| rung.present && rung.tool.as_str() == name);
    named && on_rung && !edits.nothing && !edits.without.iter().any(|out| out.as_str() == name)
}

/// What a question needs of an argument of its tool, and the schema does not give.
fn argument(need: &Need, declared: &Declared) -> Option<String> {
    match need {
        Need::Declares { argument } if !declared.at_top.contains(argument) => {
            Some(format!("its argument `{argument}` is not among the schema's own `properties`"))
        }
        Need::Refuses { argument, value } => {
            let refused = declared.arguments.get(argument).and_then(|argument| argument.refuses(value));
            refused.is_none().then(|| format!("the schema takes {value} as `{argument}`"))
        }
        Need::Declares { .. } | Need::Lacks(_) | Need::Offers(_) | Need::Reads => None,
    }
}

fn not_required(expectation: &Expectation, declared: &Declared) -> Option<String> {
    let is_required =
        |name: &&String| declared.arguments.get(*name).is_some_and(|argument| argument.required);
    let missing = expectation.missing.iter().find(|name| !is_required(name))?;
    Some(format!("its argument `{missing}` is not required by the schema"))
}

/// Whether it asks for optional arguments to be left out, and none is there that the words do not justify.
fn nothing_to_invent(expectation: &Expectation, declared: &Declared) -> bool {
    let justified =
        |name: &String| expectation.arguments.get(name).is_some_and(|oracle| !oracle.may_be_absent());
    // A part of a value may be left out as well, as long as it is no item of a list.
    let is_member = |name: &str| {
        name.starts_with('/') && name.rsplit('/').next().is_some_and(|step| step.parse::<usize>().is_err())
    };
    let is_left_open = |(name, oracle): (&String, &ValueOracle)| is_member(name) && oracle.may_be_absent();
    expectation.unlisted == Unlisted::OptionalsAbsent
        && !expectation.arguments.iter().any(is_left_open)
        && !declared.arguments.iter().any(|(name, argument)| !argument.required && !justified(name))
}

fn lists_absent(expectation: &Expectation) -> bool {
    let mut listed = expectation.arguments.iter();
    listed.any(|(name, oracle)| !name.starts_with('/') && *oracle == ValueOracle::Absent)
}

#[cfg(test)]
mod tests {
    use transcript::RawJson;

    use super::*;
    use crate::{Suite, derive_questions, expand};

    fn stale(tools: &[(&str, &str)], change: impl FnOnce(&mut Suite)) -> Vec<String> {
        let mut suite: Suite = serde_yaml::from_str(
            "{toolmirage: suite/1, name: s, version: 1, seed: 1, catalog: c, kinds: [control, decoy, lookalike,
              optional_argument, missing_argument, overclaimed_prompt], tasks: [{id: t, user: u, tool: send_note,
              arguments: {to: x}, missing_argument: {to: v}, lookalikes: {send_notice: d}}]}",
        )
        .unwrap();
        change(&mut suite);
        let tools = tools.iter().map(|(name, schema)| {
            let mut tool = Tool::named(name);
            tool.input_schema = Some(RawJson::parse(schema).unwrap());
            tool.deprecated = *name == "send_note" && schema.contains("old");
            Arc::new(tool)
        });
        let catalog = Arc::new(Catalog::new("c/1", tools.collect()).unwrap());
        let expansion = expand(&derive_questions(&suite), &catalog, None);
        expansion.stale.into_iter().map(|(id, reason)| format!("{id}: {reason}")).collect()
    }

    const WHOLE: &str = r#"{"properties":{"to":{},"cc":{}},"required":["to"]}"#;

    #[test]
    fn what_holds_is_not_stale() {
        assert_eq!(stale(&[("send_note", WHOLE), ("get_note", "{}")], |_| ()), [""; 0]);
    }

    #[test]
    fn a_tool_that_is_gone_or_deprecated_stales_all_its_questions() {
        let gone = stale(&[("get_note", "{}")], |_| ());
        assert!(gone.len() == 8 && gone[0].contains("is not in catalog c/1"), "{gone:?}");
        let old = stale(&[("send_note", r#"{"properties":{"to":{},"old":{}},"required":["to"]}"#)], |_| ());
        assert!(old.len() == 8 && old[0].contains("deprecated"));
    }

    #[test]
    fn a_lookalike_that_became_a_tool_is_stale() {
        let collided = stale(&[("send_note", WHOLE), ("send_notice", "{}")], |_| ());
        assert!(collided.iter().any(|line| line.contains("lookalike `send_notice`")));
    }

    #[test]
    fn a_decoy_that_another_tool_solves_is_stale_until_it_is_a_substitute() {
        let tools = [("send_note", WHOLE), ("desk__postNotes", "{}")];
        let solved = stale(&tools, |_| ());
        assert_eq!(solved.iter().filter(|line| line.contains("could be solved")).count(), 3);
        assert_eq!(
            stale(&tools, |suite| suite.tasks[0].substitutes = vec!["desk__postNotes".into()]),
            [""; 0]
        );
        assert_eq!(stale(&tools, |suite| suite.tasks[0].read_only = vec!["desk__postNotes".into()]), [""; 0]);
    }

    #[test]
    fn arguments_must_be_there_to_be_missing_or_invented() {
        let optional = stale(&[("send_note", r#"{"properties":{"to":{}}}"#)], |_| ());
        assert!(optional.len() == 1 && optional[0].contains("not required"), "{optional:?}");
        // Nothing is left to invent: stale where the author lists an optional argument as absent.
        let only_required = [("send_note", r#"{"properties":{"to":{}},"required":["to"]}"#)];
        assert_eq!(stale(&only_required, |_| ()), [""; 0]);
        let listed = stale(&only_required, |suite| {
            suite.tasks[0].arguments.insert("cc".into(), crate::ArgumentRule::Absent);
        });
        assert!(listed.len() == 1 && listed[0].starts_with("t.optional_argument"), "{listed:?}");
    }
}
