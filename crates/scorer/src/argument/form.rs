//! Faults of form: what the schema says of how arguments are written.

use serde_json::{Map, Value};

use super::declared::Declared;
use super::equality::holds_json;
use super::judge::{Member, Walk};
use crate::finding::FormatFinding;

/// Faults of form, noted in any order and told with the root cause first.
#[derive(Debug, Default)]
pub(super) struct Form {
    pub(super) wrapper_key: bool,
    pub(super) double_encoded: bool,
    pub(super) missing_required: bool,
    pub(super) type_mismatch: bool,
    pub(super) enum_violation: bool,
}

impl Form {
    pub(super) fn findings(&self, schema_valid: Option<bool>) -> Vec<FormatFinding> {
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

impl Walk<'_> {
    /// Notes what the schema says of a value's form; says what is wrong, for a word about the value itself.
    pub(super) fn check_form(&mut self, member: Member<'_>) -> Option<FormatFinding> {
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
        // The view joins the branches of a union; the validator knows which of them the value is of.
        let is_taken = self.is_valid && member.start == 0;
        let outside = declared.members.as_ref().is_some_and(|all| !all.contains(member.value));
        if outside && !is_taken {
            self.form.enum_violation = true;
            return Some(FormatFinding::EnumViolation);
        }
        None
    }
}

pub(super) fn misses_required(members: &Map<String, Value>, declared: &Declared) -> bool {
    declared.required.iter().any(|key| !members.contains_key(key))
}
