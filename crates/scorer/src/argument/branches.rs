//! How what several schemas say of one value comes together: both hold, or either does.

use indexmap::IndexMap;
use indexmap::map::Entry;
use serde_json::Value;

use super::declared::{Additional, Declared, Types};

/// Both hold: `allOf`, `$ref`, and a keyword beside the others.
pub(super) fn narrow(declared: &mut Declared, other: Declared) {
    declared.types = match (declared.types.is_said(), other.types.is_said()) {
        (true, true) => Types(declared.types.0 & other.types.0),
        (true, false) => declared.types,
        (false, _) => other.types,
    };
    declared.members = match (declared.members.take(), other.members) {
        (Some(ours), Some(theirs)) => Some(ours.into_iter().filter(|value| theirs.contains(value)).collect()),
        (ours, theirs) => ours.or(theirs),
    };
    for key in other.required {
        if !declared.requires(&key) {
            declared.required.push(key);
        }
    }
    if matches!(declared.additional, Additional::Unsaid) {
        declared.additional = other.additional;
    }
    for (key, schema) in other.properties {
        match declared.properties.entry(key) {
            Entry::Occupied(mut known) => narrow(known.get_mut(), schema),
            Entry::Vacant(place) => {
                place.insert(schema);
            }
        }
    }
    declared.items = declared.items.take().or(other.items);
    declared.minimum = declared.minimum.or(other.minimum);
    declared.maximum = declared.maximum.or(other.maximum);
    declared.format = declared.format.take().or(other.format);
    declared.lists_properties |= other.lists_properties;
    declared.key_patterns.extend(other.key_patterns);
    add_notes(declared, other.default, other.examples, &other.description);
}

/// Either holds: the branches of `anyOf` and `oneOf`.
pub(super) fn widen(declared: &mut Declared, other: Declared) {
    let of_one = free_in(&other, &declared.properties);
    let of_other = free_in(declared, &other.properties);
    declared.types = if declared.types.is_said() && other.types.is_said() {
        Types(declared.types.0 | other.types.0)
    } else {
        Types::default()
    };
    declared.members = match (declared.members.take(), other.members) {
        (Some(mut ours), Some(theirs)) => {
            ours.extend(theirs);
            Some(ours)
        }
        // A branch of `null` alone adds no choice of values.
        (Some(mut ours), None) if other.types == Types::NULL => {
            ours.push(Value::Null);
            Some(ours)
        }
        (None, Some(mut theirs)) if declared.types == Types(Types::NULL.0 | other.types.0) => {
            theirs.push(Value::Null);
            Some(theirs)
        }
        _ => None,
    };
    declared.required.retain(|key| other.required.contains(key));
    declared.additional = match (std::mem::take(&mut declared.additional), other.additional) {
        (Additional::Open(schema), _) | (_, Additional::Open(schema)) => Additional::Open(schema),
        (Additional::Closed, Additional::Closed) => Additional::Closed,
        _ => Additional::Unsaid,
    };
    for (key, schema) in other.properties {
        match declared.properties.entry(key) {
            Entry::Occupied(mut known) => widen(known.get_mut(), schema),
            Entry::Vacant(place) => {
                place.insert(schema);
            }
        }
    }
    for key in of_one.iter().chain(&of_other) {
        if let Some(property) = declared.properties.get_mut(key) {
            property.members = None;
        }
    }
    declared.items = match (declared.items.take(), other.items) {
        (Some(mut ours), Some(theirs)) => {
            widen(&mut ours, *theirs);
            Some(ours)
        }
        (ours, theirs) => ours.or(theirs),
    };
    declared.minimum = None;
    declared.maximum = None;
    declared.format = declared.format.take().or(other.format);
    declared.lists_properties |= other.lists_properties;
    declared.key_patterns.extend(other.key_patterns);
    add_notes(declared, other.default, other.examples, &other.description);
}

/// The properties of one branch that another does not list and takes whatever they hold: the choice that the one makes
/// of their values (`type: const`, where others have no `type` at all) holds for values of that branch alone.
fn free_in(branch: &Declared, properties: &IndexMap<String, Declared>) -> Vec<String> {
    let is_object = !branch.types.is_said() || branch.types.has(Types::OBJECT);
    let takes_any = |key: &str| match &branch.additional {
        Additional::Unsaid => true,
        Additional::Open(schema) => schema.members.is_none(),
        Additional::Closed => false,
    } && !branch.properties.contains_key(key);
    properties.keys().filter(|key| is_object && takes_any(key)).cloned().collect()
}

/// What a branch says about its values, whichever way it is combined.
fn add_notes(declared: &mut Declared, default: Option<Value>, examples: Vec<Value>, description: &str) {
    declared.default = declared.default.take().or(default);
    declared.examples.extend(examples);
    if !description.is_empty() {
        if !declared.description.is_empty() {
            declared.description.push('\n');
        }
        declared.description.push_str(description);
    }
}
