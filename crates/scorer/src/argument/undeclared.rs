//! Keys that nobody declared: wrappers around the arguments, other names for declared keys, and inventions.

use serde_json::{Map, Value};

use super::declared::{Additional, Declared};
use super::equality::holds_json;
use super::form::misses_required;
use super::judge::{Member, Walk};
use super::oracle::says_nothing;
use super::word;
use crate::finding::{ArgumentFault, Basis};

impl Walk<'_> {
    /// A key that nobody declared and that holds the arguments once more, or the remains of such a wrapper.
    pub(super) fn is_wrapper(
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
    pub(super) fn undeclared(
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
        let twin = declared.is_some_and(|declared| {
            declared.properties.keys().any(|key| beside.get(key) == Some(member.value))
        });
        // A key that the oracle knows and the schema lacks was taken out: using it is what the probe is about.
        let excused = artefact
            || (!listed && (closed || misnamed || twin) && self.ground.gives(member.place.key, member.value));
        let basis = if self.input.oracle.is_some() { Basis::Oracle } else { Basis::Schema };
        self.note(member.path, ArgumentFault::UndeclaredKey, !excused, basis, None);
    }
}
