//! Walks the arguments of one call, member by member, and gives each value at most one word: the most specific.

use probes::{Unlisted, ValueOracle};
use serde_json::{Map, Value};

use super::declared::Declared;
use super::equality::holds_json;
use super::fold::{fold, holds_whole};
use super::form::{Form, misses_required};
use super::grounding::{Ground, Place};
use super::oracle::{self, neutral_fault, says_nothing};
use super::schemas::Schemas;
use super::{ArgumentInput, ArgumentVerdict, pointer_part, word};
use crate::finding::{ArgumentFault, ArgumentFinding, Basis};

/// How deep arguments are walked.
const MAX_DEPTH: usize = 32;

/// Judges an object of arguments.
pub(super) fn judge(
    input: &ArgumentInput<'_>,
    schemas: &Schemas,
    declared: Option<&Declared>,
    object: &Value,
    schema_valid: Option<bool>,
) -> ArgumentVerdict {
    let mut walk = Walk {
        input,
        schemas,
        ground: Ground { conversation: input.conversation, tool: input.tool, clock: input.clock },
        strict: input.strict || input.tool.strict == Some(true),
        given: vec![false; input.oracle.map_or(0, |oracle| oracle.arguments.len())],
        is_valid: schema_valid == Some(true),
        form: Form::default(),
        findings: Vec::new(),
        keys: 0,
    };
    if let Value::Object(members) = object {
        walk.root(members, declared, "", 0);
    }
    ArgumentVerdict {
        keys: walk.keys,
        left_out: walk.left_out(),
        format_findings: walk.form.findings(schema_valid),
        argument_findings: walk.findings,
        ..ArgumentVerdict::default()
    }
}

pub(super) struct Walk<'a> {
    pub(super) input: &'a ArgumentInput<'a>,
    pub(super) schemas: &'a Schemas,
    pub(super) ground: Ground<'a>,
    pub(super) strict: bool,
    /// Which of the oracle's arguments were given.
    pub(super) given: Vec<bool>,
    /// Whether the schema takes the arguments as they arrived.
    pub(super) is_valid: bool,
    pub(super) form: Form,
    pub(super) findings: Vec<ArgumentFinding>,
    pub(super) keys: u32,
}

/// A value on the walk.
#[derive(Clone, Copy)]
pub(super) struct Member<'v> {
    /// JSON pointer into the arguments as they arrived.
    pub(super) path: &'v str,
    /// Where the object that the oracle speaks of starts in that path: behind the wrappers.
    pub(super) start: usize,
    pub(super) place: Place<'v>,
    pub(super) value: &'v Value,
    pub(super) depth: usize,
}

impl<'v> Member<'v> {
    pub(super) fn pointer(&self) -> &'v str {
        &self.path[self.start..]
    }

    pub(super) fn is_top_level(&self) -> bool {
        self.depth == 1
    }
}

impl Walk<'_> {
    /// The arguments themselves, or what a wrapper around them holds.
    fn root(&mut self, members: &Map<String, Value>, declared: Option<&Declared>, path: &str, layers: usize) {
        let wrappers: Vec<&String> = members
            .iter()
            .filter(|(key, value)| self.is_wrapper(key, value, members, declared))
            .map(|(key, _)| key)
            .collect();
        if let Some(declared) = declared
            && layers == 0
        {
            self.form.missing_required |= misses_required(members, declared);
        }
        for (key, value) in members {
            let at = format!("{path}/{}", pointer_part(key));
            if wrappers.contains(&key) {
                self.form.wrapper_key = true;
                self.note(&at, ArgumentFault::UndeclaredKey, false, Basis::Schema, None);
                let decoded = value.as_str().and_then(holds_json);
                if let Some(inner) = decoded.as_ref().unwrap_or(value).as_object()
                    && layers < 4
                {
                    self.root(inner, declared, &at, layers + 1);
                }
                continue;
            }
            self.keys += 1;
            let place = Place {
                key,
                declared: declared.and_then(|declared| declared.member(key)),
                // Without a schema nothing is known to be optional.
                required: declared.is_none_or(|declared| declared.requires(key)),
            };
            let member = Member { path: &at, start: path.len(), place, value, depth: 1 };
            if declared.is_some_and(|declared| !declared.knows(key)) {
                let beside_wrapper = !wrappers.is_empty() && word::ENVELOPE_KEYS.contains(&key.as_str());
                self.keys -= u32::from(beside_wrapper);
                self.undeclared(member, members, declared, beside_wrapper);
            } else {
                self.member(member);
            }
        }
    }

    pub(super) fn member(&mut self, member: Member<'_>) {
        if member.depth > MAX_DEPTH || self.by_oracle(member) {
            return;
        }
        self.by_schema_and_ground(member);
    }

    /// Judges by the oracle, where it speaks of this value; says whether it does.
    fn by_oracle(&mut self, member: Member<'_>) -> bool {
        let Some(expectation) = self.input.oracle else { return false };
        let listed = expectation.arguments.iter().position(|(name, _)| names(name, member.pointer()));
        if let Some((at, (_, oracle))) =
            listed.and_then(|at| Some((at, expectation.arguments.get_index(at)?)))
        {
            self.given[at] = !says_nothing(member.value) || oracle.may_be_absent();
            self.check_form(member);
            self.listed(member, oracle);
            return true;
        }
        if expectation.missing.iter().any(|name| names(name, member.pointer())) {
            self.check_form(member);
            self.made_up(member);
            return true;
        }
        let below = |name: &String| {
            let prefix = name.strip_prefix(member.pointer());
            prefix.is_some_and(|rest| rest.starts_with('/'))
        };
        let spoken_of_below = expectation.arguments.keys().chain(&expectation.missing).any(below);
        let must_be_absent = expectation.unlisted == Unlisted::OptionalsAbsent
            && member.is_top_level()
            && !member.place.required
            && !spoken_of_below;
        if must_be_absent {
            self.check_form(member);
            self.listed(member, &ValueOracle::Absent);
        }
        must_be_absent
    }

    fn listed(&mut self, member: Member<'_>, oracle: &ValueOracle) {
        if let Some(fault) = neutral_fault(member.value)
            && !oracle_wants(oracle, member.value)
        {
            self.neutral(member, fault);
            return;
        }
        for miss in oracle::misses(oracle, member.value, member.place, &self.ground, self.schemas) {
            let path = format!("{}{}", member.path, miss.below);
            self.note(&path, miss.fault, miss.counted, Basis::Oracle, miss.note);
        }
    }

    /// A value for an argument that the request does not give, and that no tool has told since.
    fn made_up(&mut self, member: Member<'_>) {
        if let Some(fault) = neutral_fault(member.value) {
            self.neutral(member, fault);
            return;
        }
        let told = |text: &str| holds_whole(self.input.conversation.results(), &fold(text));
        let looked_up = match member.value {
            Value::String(text) => told(text),
            Value::Number(number) => told(&number.to_string()),
            _ => false,
        };
        if looked_up {
            return;
        }
        let miss = oracle::unasked(member.value, Place { required: true, ..member.place }, &self.ground);
        let note = miss.note.unwrap_or_else(|| "the request gives no value for it".to_owned());
        self.note(member.path, miss.fault, true, Basis::Oracle, Some(note));
        if let Some(last) = self.findings.last_mut() {
            last.required = true;
        }
    }

    pub(super) fn mark_given(&mut self, member: Member<'_>) -> bool {
        let Some(expectation) = self.input.oracle else { return false };
        let at = expectation.arguments.keys().position(|name| names(name, member.pointer()));
        if let Some(at) = at {
            self.given[at] = true;
        }
        at.is_some()
    }

    fn left_out(&self) -> Vec<String> {
        let Some(expectation) = self.input.oracle else { return Vec::new() };
        let wanted = expectation.arguments.iter().zip(&self.given);
        wanted
            .filter(|((_, oracle), given)| !**given && !oracle.may_be_absent())
            .map(|((name, _), _)| name.clone())
            .collect()
    }

    pub(super) fn neutral(&mut self, member: Member<'_>, fault: ArgumentFault) {
        let left_out_by_null = fault == ArgumentFault::FillerNull
            && member.place.declared.is_some_and(Declared::takes_null)
            && (self.strict || member.place.required);
        if !left_out_by_null {
            self.note(member.path, fault, false, Basis::Schema, None);
        }
    }

    /// Writes a finding down. `matters` says whether it is more than a matter of form; it counts where what it rests
    /// on counts here.
    pub(super) fn note(
        &mut self,
        path: &str,
        finding: ArgumentFault,
        matters: bool,
        basis: Basis,
        note: Option<String>,
    ) {
        let counts = match basis {
            Basis::Oracle => true,
            Basis::Grounding | Basis::Schema => self.input.oracle.is_none() && self.input.grounding_counts,
        };
        self.findings.push(ArgumentFinding {
            path: path.to_owned(),
            finding,
            counted: matters && counts,
            basis,
            required: false,
            note,
        });
    }
}

/// Whether an expectation's name for an argument is this pointer.
pub(super) fn names(name: &str, pointer: &str) -> bool {
    if name.starts_with('/') {
        return name == pointer;
    }
    pointer.strip_prefix('/').is_some_and(|key| key == pointer_part(name))
}

fn oracle_wants(oracle: &ValueOracle, value: &Value) -> bool {
    match oracle {
        ValueOracle::Equals(wanted) | ValueOracle::Principal { value: wanted, .. } => **wanted == *value,
        ValueOracle::OneOf(all) | ValueOracle::AbsentOr(all) => all.contains(value),
        ValueOracle::Pattern(_) | ValueOracle::Absent => false,
    }
}
