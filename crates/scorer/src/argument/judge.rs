//! Walks the arguments of one call, member by member, and gives each value at most one word: the most specific.

use probes::{Unlisted, ValueOracle};
use serde_json::{Map, Value};

use super::declared::{Additional, Declared, Types};
use super::equality::{holds_json, truth};
use super::fold::{fold, squeeze};
use super::grounding::{Ground, Place, Suspicion};
use super::number::whole_text;
use super::oracle::{self, is_users_word, neutral_fault, says_nothing};
use super::schemas::Schemas;
use super::shape::{folded_value, is_filler, is_placeholder};
use super::{ArgumentInput, ArgumentVerdict, pointer_part, word};
use crate::finding::{ArgumentFault, ArgumentFinding, Basis, FormatFinding};

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

/// Faults of form, noted in any order and told with the root cause first.
#[derive(Debug, Default)]
struct Form {
    wrapper_key: bool,
    double_encoded: bool,
    missing_required: bool,
    type_mismatch: bool,
    enum_violation: bool,
}

impl Form {
    fn findings(&self, schema_valid: Option<bool>) -> Vec<FormatFinding> {
        // The walk sees a schema from one side only; where the validator takes the arguments, they are well formed.
        let against_schema = schema_valid != Some(true);
        let all = [
            (self.wrapper_key, FormatFinding::WrapperKey),
            (self.double_encoded, FormatFinding::ArgumentDoubleEncoded),
            (self.missing_required && against_schema, FormatFinding::MissingRequired),
            (self.type_mismatch && against_schema, FormatFinding::TypeMismatch),
            (self.enum_violation && against_schema, FormatFinding::EnumViolation),
        ];
        all.into_iter().filter_map(|(holds, finding)| holds.then_some(finding)).collect()
    }
}

struct Walk<'a> {
    input: &'a ArgumentInput<'a>,
    schemas: &'a Schemas,
    ground: Ground<'a>,
    strict: bool,
    /// Which of the oracle's arguments were given.
    given: Vec<bool>,
    form: Form,
    findings: Vec<ArgumentFinding>,
    keys: u32,
}

/// A value on the walk.
#[derive(Clone, Copy)]
struct Member<'v> {
    /// JSON pointer into the arguments as they arrived.
    path: &'v str,
    /// Where the object that the oracle speaks of starts in that path: behind the wrappers.
    start: usize,
    place: Place<'v>,
    value: &'v Value,
    depth: usize,
}

impl<'v> Member<'v> {
    fn pointer(&self) -> &'v str {
        &self.path[self.start..]
    }

    fn is_top_level(&self) -> bool {
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

    /// A key that nobody declared and that holds the arguments once more, or the remains of such a wrapper.
    fn is_wrapper(
        &self,
        key: &str,
        value: &Value,
        members: &Map<String, Value>,
        declared: Option<&Declared>,
    ) -> bool {
        let Some(declared) = declared.filter(|declared| !declared.knows(key)) else { return false };
        let decoded = value.as_str().and_then(holds_json);
        let inner = decoded.as_ref().unwrap_or(value).as_object();
        let named = word::WRAPPER_KEYS.contains(&key) || key == self.input.tool.name.as_str();
        if named && (says_nothing(value) || inner.is_some()) {
            return true;
        }
        inner.is_some_and(|inner| {
            !inner.is_empty()
                && inner.keys().all(|key| declared.properties.contains_key(key) && !members.contains_key(key))
        })
    }

    /// A key that the schema does not have. The tool ignores it or refuses it; a value that was given does not make
    /// it exist. It is only listed where nothing is claimed by it, where a validator stops it, where it is another
    /// name for a required key that is missing, or where a declared key says the same.
    fn undeclared(
        &mut self,
        member: Member<'_>,
        beside: &Map<String, Value>,
        declared: Option<&Declared>,
        in_envelope: bool,
    ) {
        let listed = self.mark_given(member);
        let artefact = in_envelope
            || says_nothing(member.value)
            || member.value.as_str() == Some(self.input.tool.name.as_str());
        let closed = declared.is_some_and(|declared| matches!(declared.additional, Additional::Closed));
        let misnamed = declared.is_some_and(|declared| misses_required(beside, declared));
        let twin = beside.iter().any(|(key, value)| {
            key != member.place.key
                && value == member.value
                && declared.is_some_and(|declared| declared.knows(key))
        });
        let excused = artefact
            || (!listed && (closed || misnamed || twin) && self.ground.gives(member.place.key, member.value));
        let basis = if self.input.oracle.is_some() { Basis::Oracle } else { Basis::Schema };
        self.note(member.path, ArgumentFault::UndeclaredKey, !excused, basis, None);
    }

    fn member(&mut self, member: Member<'_>) {
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
            self.given[at] = !says_nothing(member.value) || matches!(oracle, ValueOracle::Absent);
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
        let told = |text: &str| super::fold::holds_whole(self.input.conversation.results(), &fold(text));
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

    fn mark_given(&mut self, member: Member<'_>) -> bool {
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
            .filter(|((_, oracle), given)| !**given && !matches!(oracle, ValueOracle::Absent))
            .map(|((name, _), _)| name.clone())
            .collect()
    }

    /// Notes what the schema says of a value's form; says what is wrong, for a word about the value itself.
    fn check_form(&mut self, member: Member<'_>) -> Option<FormatFinding> {
        let declared = member.place.declared?;
        if !declared.types.take(member.value) {
            self.form.type_mismatch = true;
            let encoded = member.value.as_str().and_then(holds_json);
            let one_member = encoded.is_some_and(|inner| declared.types.take(&inner));
            self.form.double_encoded |= one_member;
            return Some(if one_member {
                FormatFinding::ArgumentDoubleEncoded
            } else {
                FormatFinding::TypeMismatch
            });
        }
        let outside = declared.members.as_ref().is_some_and(|all| !all.contains(member.value));
        if outside {
            self.form.enum_violation = true;
            return Some(FormatFinding::EnumViolation);
        }
        None
    }

    fn by_schema_and_ground(&mut self, member: Member<'_>) {
        let form = self.check_form(member);
        if let Some(fault) = neutral_fault(member.value) {
            let wished = self.is_wished_empty(member);
            if !wished {
                self.neutral(member, fault);
            }
            return;
        }
        match form {
            Some(FormatFinding::ArgumentDoubleEncoded) => self.encoded_member(member),
            Some(FormatFinding::TypeMismatch) => self.wrong_type(member),
            Some(_) => self.outside_enum(member),
            None => self.content(member),
        }
    }

    /// An empty value that the words ask for is no filler.
    fn is_wished_empty(&self, member: Member<'_>) -> bool {
        let conversation = self.input.conversation;
        member.place.required
            && !member.value.is_null()
            && ["empty", "blank", "clear", "nothing", "without", "remove"]
                .iter()
                .any(|word| conversation.has_word(word))
    }

    fn neutral(&mut self, member: Member<'_>, fault: ArgumentFault) {
        let left_out_by_null = fault == ArgumentFault::FillerNull
            && member.place.declared.is_some_and(Declared::takes_null)
            && (self.strict || member.place.required);
        if !left_out_by_null {
            self.note(member.path, fault, false, Basis::Schema, None);
        }
    }

    /// A member that holds JSON as a string: listed, and what it holds is judged.
    fn encoded_member(&mut self, member: Member<'_>) {
        self.note(
            member.path,
            ArgumentFault::TypeMismatch,
            false,
            Basis::Schema,
            Some("JSON inside a string".to_owned()),
        );
        if let Some(inner) = member.value.as_str().and_then(holds_json) {
            self.content(Member { value: &inner, ..member });
        }
    }

    /// A value of another type: made up in its own right, or honest and only of the wrong type.
    fn wrong_type(&mut self, member: Member<'_>) {
        let types = member.place.declared.map(|declared| declared.types).unwrap_or_default();
        let meant = meant_value(member.value, types);
        let suspicion = match &meant {
            Some(meant) => self.ground.suspect(member.place, meant),
            None => self.says_no_value(member.value),
        };
        match suspicion {
            Some(suspicion) if suspicion.matters => self.suspected(member, suspicion),
            _ => {
                let flips = matches!(meant, Some(Value::Bool(false))) && member.value.is_string();
                let note = flips.then(|| "truthiness would flip the meaning".to_owned());
                self.note(member.path, ArgumentFault::TypeMismatch, false, Basis::Schema, note);
            }
        }
    }

    fn says_no_value(&self, value: &Value) -> Option<Suspicion> {
        let folded = folded_value(value.as_str()?);
        if self.input.conversation.holds(&folded) {
            return None;
        }
        if is_filler(&folded) {
            return Some(Suspicion::of(ArgumentFault::FillerString));
        }
        is_placeholder(&folded).then(|| Suspicion::of(ArgumentFault::Placeholder))
    }

    /// A value outside the schema's choice: made up, unless it is the user's own word or a member in other spelling.
    fn outside_enum(&mut self, member: Member<'_>) {
        if let Some(suspicion) = self.says_no_value(member.value) {
            self.suspected(member, suspicion);
            return;
        }
        let note = if is_users_word(member.value, &self.ground) {
            Some("value is the user's own word")
        } else if respells_a_member(member) {
            Some("a member in other spelling")
        } else {
            None
        };
        self.note(
            member.path,
            ArgumentFault::EnumViolation,
            note.is_none(),
            Basis::Grounding,
            note.map(str::to_owned),
        );
    }

    fn content(&mut self, member: Member<'_>) {
        match member.value {
            Value::Array(items) => self.items(member, items),
            Value::Object(members) => self.members(member, members),
            _ => {
                if let Some(suspicion) = self.ground.suspect(member.place, member.value) {
                    self.suspected(member, suspicion);
                }
            }
        }
    }

    fn items(&mut self, member: Member<'_>, items: &[Value]) {
        let declared = member.place.declared.and_then(|declared| declared.items.as_deref());
        let before = self.findings.len();
        for (at, value) in items.iter().enumerate() {
            let path = format!("{}/{at}", member.path);
            let place = Place { declared, ..member.place };
            self.member(Member { path: &path, place, value, depth: member.depth + 1, ..member });
        }
        // A list that is made up as a whole is one finding, not one for each item.
        let of_items = &self.findings[before..];
        let whole = of_items.len() == items.len()
            && of_items.iter().all(|finding| finding.finding == ArgumentFault::InventedOptional);
        if whole {
            self.findings.truncate(before + 1);
            if let Some(finding) = self.findings.last_mut() {
                member.path.clone_into(&mut finding.path);
            }
        }
    }

    fn members(&mut self, member: Member<'_>, members: &Map<String, Value>) {
        let declared = member.place.declared;
        if let Some(declared) = declared {
            self.form.missing_required |= misses_required(members, declared);
        }
        for (key, value) in members {
            let path = format!("{}/{}", member.path, pointer_part(key));
            let below = declared.and_then(|declared| declared.properties.get(key));
            let place = Place {
                key,
                declared: below.or(declared.and_then(|declared| declared.member(key))),
                // In a free map nothing is optional: the caller chose the keys.
                required: below.is_none() || declared.is_some_and(|declared| declared.requires(key)),
            };
            let inner = Member { path: &path, place, value, depth: member.depth + 1, ..member };
            if declared.is_some_and(|declared| !declared.knows(key)) {
                self.undeclared(inner, members, declared, false);
            } else {
                self.member(inner);
            }
        }
    }

    fn suspected(&mut self, member: Member<'_>, suspicion: Suspicion) {
        let required = member.place.required && member.is_top_level() && suspicion.matters;
        self.note(member.path, suspicion.fault, suspicion.matters, Basis::Grounding, suspicion.note);
        if let Some(last) = self.findings.last_mut() {
            last.required = required;
        }
    }

    /// Writes a finding down. `matters` says whether it is more than a matter of form; it counts where what it rests
    /// on counts here.
    fn note(
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
fn names(name: &str, pointer: &str) -> bool {
    if name.starts_with('/') {
        return name == pointer;
    }
    pointer.strip_prefix('/').is_some_and(|key| key == pointer_part(name))
}

fn oracle_wants(oracle: &ValueOracle, value: &Value) -> bool {
    match oracle {
        ValueOracle::Equals(wanted) | ValueOracle::Principal { value: wanted, .. } => wanted == value,
        ValueOracle::OneOf(all) => all.contains(value),
        ValueOracle::Pattern(_) | ValueOracle::Absent => false,
    }
}

fn misses_required(members: &Map<String, Value>, declared: &Declared) -> bool {
    declared.required.iter().any(|key| !members.contains_key(key))
}

/// The value of a declared type that a value of another type stands for.
fn meant_value(value: &Value, types: Types) -> Option<Value> {
    match value {
        Value::String(text) if types.has(Types::NUMBER) => {
            let number = *whole_text(text).first()?;
            serde_json::Number::from_f64(number).map(Value::Number)
        }
        Value::String(text) if types.has(Types::BOOLEAN) => truth(text).map(Value::Bool),
        Value::Number(number) if types.has(Types::STRING) => Some(Value::String(number.to_string())),
        Value::Number(number) if types.has(Types::BOOLEAN) => Some(Value::Bool(number.as_f64() != Some(0.0))),
        Value::Number(_) => Some(value.clone()),
        Value::Bool(_) => Some(value.clone()),
        // A single item without its list, or a list as one string.
        Value::String(_) if types.has(Types::ARRAY) => Some(value.clone()),
        Value::Array(items) if items.len() == 1 => items.first().cloned(),
        _ => None,
    }
}

fn respells_a_member(member: Member<'_>) -> bool {
    let Some(members) = member.place.declared.and_then(|declared| declared.members.as_ref()) else {
        return false;
    };
    let (Value::String(_) | Value::Number(_)) = member.value else { return false };
    let plain = |value: &Value| match value {
        Value::String(text) => squeeze(&fold(text)),
        other => squeeze(&other.to_string()),
    };
    let given = plain(member.value);
    !given.is_empty() && members.iter().any(|member| plain(member) == given)
}
