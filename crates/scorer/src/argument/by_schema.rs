//! Values that no oracle speaks of: first by what the schema says of their form, then by the conversation.

use serde_json::{Map, Value};

use super::declared::Types;
use super::equality::{holds_json, truth};
use super::fold::{fold, squeeze};
use super::form::misses_required;
use super::grounding::{Place, Suspicion};
use super::judge::{Member, Walk};
use super::number::whole_text;
use super::oracle::{is_users_word, neutral_fault};
use super::pointer_part;
use super::shape::{folded_value, is_filler, is_placeholder};
use crate::finding::{ArgumentFault, Basis, FormatFinding};

/// How many items of a list are looked at: a list that goes on is of one kind.
const MAX_ITEMS: usize = 256;

impl Walk<'_> {
    pub(super) fn by_schema_and_ground(&mut self, member: Member<'_>) {
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
                let note = flips.then(|| "every string is true to a careless cast".to_owned());
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
            Some("a word of the user's own")
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
        for (at, value) in items.iter().take(MAX_ITEMS).enumerate() {
            let path = format!("{}/{at}", member.path);
            let place = Place { declared, ..member.place };
            self.member(Member { path: &path, place, value, depth: member.depth + 1, ..member });
        }
        // A list that is made up as a whole is one finding, not one for each item.
        let of_items = &self.findings[before..];
        let whole = of_items.len() == items.len().min(MAX_ITEMS)
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
