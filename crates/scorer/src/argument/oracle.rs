//! What the probe says of a value. It decides first, and what it finds is confirmed.

use probes::ValueOracle;
use serde_json::Value;

use super::date_value::Said;
use super::equality::{other_form, same, truth};
use super::fold::{fold, holds_whole, key_words, words};
use super::grounding::{Ground, Place};
use super::number::whole_text;
use super::schemas::Schemas;
use super::shape::{
    folded_value, has_any, is_email, is_filler, is_keyed_id, is_path, is_phone, is_placeholder, is_prose,
    is_strong_id, is_url, names_id,
};
use crate::finding::ArgumentFault;

/// A value that is not the wanted one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Miss {
    /// JSON pointer below the argument; empty for the argument itself.
    pub(super) below: String,
    pub(super) fault: ArgumentFault,
    /// False where only the form is wrong, or where nothing is claimed.
    pub(super) counted: bool,
    pub(super) note: Option<String>,
}

impl Miss {
    fn new(fault: ArgumentFault, counted: bool, note: Option<&str>) -> Self {
        Self { below: String::new(), fault, counted, note: note.map(str::to_owned) }
    }
}

/// Holds a value against what the probe says of it.
pub(super) fn misses(
    oracle: &ValueOracle,
    value: &Value,
    place: Place<'_>,
    ground: &Ground<'_>,
    schemas: &Schemas,
) -> Vec<Miss> {
    match oracle {
        ValueOracle::Absent => {
            let miss = unasked(value, place, ground);
            vec![Miss { counted: miss.counted || miss.fault != ArgumentFault::FillerZero, ..miss }]
        }
        ValueOracle::Equals(wanted) => against(wanted, value, place, ground),
        ValueOracle::AbsentOr(wanted) => against_any(wanted, value, place, ground)
            .map(|miss| not_asked_for(miss, place))
            .into_iter()
            .collect(),
        ValueOracle::OneOf(wanted) => against_any(wanted, value, place, ground).into_iter().collect(),
        ValueOracle::Principal { value: wanted, .. } => {
            let miss = against_any(std::slice::from_ref(&**wanted), value, place, ground);
            miss.map(|miss| somebody_elses(miss, wanted)).into_iter().collect()
        }
        ValueOracle::Pattern(pattern) => against_pattern(pattern, value, place, ground, schemas),
    }
}

/// A value where none was asked for: in the most specific word that fits.
pub(super) fn unasked(value: &Value, place: Place<'_>, ground: &Ground<'_>) -> Miss {
    let mut miss = wrong(None, value, place, ground);
    if miss.fault == ArgumentFault::FabricatedValue {
        miss.fault =
            if place.required { ArgumentFault::FabricatedValue } else { ArgumentFault::InventedOptional };
    }
    // What stands in the conversation is not fabricated; it was only not asked for here.
    let fabricated = matches!(
        miss.fault,
        ArgumentFault::FabricatedId | ArgumentFault::FabricatedContact | ArgumentFault::FabricatedPath
    );
    let given = || value.as_str().is_some_and(|text| ground.conversation.holds(&folded_value(text)));
    if fabricated && !place.required && given() {
        miss.fault = ArgumentFault::InventedOptional;
        miss.note = None;
    }
    miss
}

/// What nobody asked for, and is none of the values that say no more than leaving it out.
fn not_asked_for(miss: Miss, place: Place<'_>) -> Miss {
    let plain = miss.fault == ArgumentFault::FabricatedValue && !place.required;
    Miss { fault: if plain { ArgumentFault::InventedOptional } else { miss.fault }, ..miss }
}

fn somebody_elses(miss: Miss, wanted: &Value) -> Miss {
    let specific = matches!(
        miss.fault,
        ArgumentFault::Placeholder | ArgumentFault::FillerString | ArgumentFault::CopiedExample
    );
    if !miss.counted || specific {
        return miss;
    }
    let note = miss.note.unwrap_or_else(|| format!("the caller's is {wanted}"));
    Miss { fault: ArgumentFault::WrongPrincipal, note: Some(note), ..miss }
}

fn against_pattern(
    pattern: &str,
    value: &Value,
    place: Place<'_>,
    ground: &Ground<'_>,
    schemas: &Schemas,
) -> Vec<Miss> {
    let Value::String(text) = value else {
        let as_text = matches!(value, Value::Number(_) | Value::Bool(_))
            && schemas.matches_whole(pattern, &value.to_string()) == Some(true);
        return vec![if as_text {
            Miss::new(ArgumentFault::TypeMismatch, false, Some("the string, as a number"))
        } else {
            wrong(None, value, place, ground)
        }];
    };
    // A pattern that cannot be compiled judges nothing.
    match schemas.matches_whole(pattern, text) {
        Some(false) => vec![wrong(None, value, place, ground)],
        _ => Vec::new(),
    }
}

fn against_any(wanted: &[Value], value: &Value, place: Place<'_>, ground: &Ground<'_>) -> Option<Miss> {
    if wanted.iter().any(|wanted| same(wanted, value)) {
        return None;
    }
    if let Some(form) = wanted.iter().find_map(|wanted| other_form(wanted, value)) {
        return Some(Miss::new(ArgumentFault::TypeMismatch, false, Some(form)));
    }
    Some(wrong(wanted.first(), value, place, ground))
}

/// Against one value; where both are objects or lists of one length, member by member.
fn against(wanted: &Value, value: &Value, place: Place<'_>, ground: &Ground<'_>) -> Vec<Miss> {
    if same(wanted, value) {
        return Vec::new();
    }
    if let Some(form) = other_form(wanted, value) {
        return vec![Miss::new(ArgumentFault::TypeMismatch, false, Some(form))];
    }
    match (wanted, value) {
        (Value::Object(wanted), Value::Object(given)) => {
            let mut all = Vec::new();
            for (key, value) in given {
                let place = below(place, key);
                let misses = match wanted.get(key) {
                    Some(wanted) => against(wanted, value, place, ground),
                    None => vec![Miss { counted: !says_nothing(value), ..unasked(value, place, ground) }],
                };
                all.extend(misses.into_iter().map(|miss| lower(miss, key)));
            }
            all
        }
        (Value::Array(wanted), Value::Array(given)) if wanted.len() == given.len() => {
            let pairs = wanted.iter().zip(given).enumerate();
            pairs
                .flat_map(|(at, (wanted, value))| {
                    let place = Place { declared: place.declared.and_then(|d| d.items.as_deref()), ..place };
                    against(wanted, value, place, ground)
                        .into_iter()
                        .map(move |miss| lower(miss, &at.to_string()))
                })
                .collect()
        }
        _ => vec![wrong(Some(wanted), value, place, ground)],
    }
}

fn below<'a>(place: Place<'a>, key: &'a str) -> Place<'a> {
    let declared = place.declared.and_then(|declared| declared.member(key));
    let required = place.declared.is_none_or(|declared| declared.requires(key));
    Place { key, declared, required }
}

fn lower(miss: Miss, key: &str) -> Miss {
    Miss { below: format!("/{}{}", super::pointer_part(key), miss.below), ..miss }
}

/// `null`, `""`, `[]` and `{}` claim nothing.
pub(super) fn says_nothing(value: &Value) -> bool {
    neutral_fault(value).is_some()
}

/// The word for a neutral filler.
pub(super) fn neutral_fault(value: &Value) -> Option<ArgumentFault> {
    match value {
        Value::Null => Some(ArgumentFault::FillerNull),
        Value::String(text) if text.is_empty() => Some(ArgumentFault::FillerEmpty),
        Value::Array(items) if items.is_empty() => Some(ArgumentFault::FillerEmpty),
        Value::Object(members) if members.is_empty() => Some(ArgumentFault::FillerEmpty),
        _ => None,
    }
}

/// The most specific word for a value that is not the wanted one.
fn wrong(wanted: Option<&Value>, value: &Value, place: Place<'_>, ground: &Ground<'_>) -> Miss {
    if let Some(fault) = neutral_fault(value) {
        return Miss::new(fault, false, None);
    }
    let found = match value {
        Value::String(text) => wrong_text(wanted, text, place, ground),
        Value::Number(number) if number.as_f64() == Some(0.0) => {
            // Where another number was wanted, zero always changes the meaning.
            let neutral = wanted.is_none() && has_any(&key_words(place.key), super::word::ZERO_IS_NEUTRAL);
            Miss::new(ArgumentFault::FillerZero, !neutral, None)
        }
        Value::Number(_) if names_id(&key_words(place.key)) => {
            Miss::new(ArgumentFault::FabricatedId, true, None)
        }
        _ => Miss::new(ArgumentFault::FabricatedValue, true, None),
    };
    let plain = matches!(found.fault, ArgumentFault::FabricatedValue | ArgumentFault::InventedOptional);
    let members = place.declared.and_then(|declared| declared.members.as_ref());
    if plain && members.is_some_and(|all| !all.contains(value)) {
        let own = is_users_word(value, ground);
        return Miss::new(ArgumentFault::EnumViolation, !own, own.then_some("a word of the user's own"));
    }
    found
}

/// Whether a value stands in the conversation, word for word.
pub(super) fn is_users_word(value: &Value, ground: &Ground<'_>) -> bool {
    match value {
        Value::String(text) => ground.conversation.holds(&folded_value(text)),
        Value::Number(number) => {
            number.as_f64().is_some_and(|n| ground.conversation.numbers().give_exactly(n))
        }
        _ => false,
    }
}

fn wrong_text(wanted: Option<&Value>, text: &str, place: Place<'_>, ground: &Ground<'_>) -> Miss {
    let folded = folded_value(text);
    let key = key_words(place.key);
    let given = ground.conversation.holds(&folded);
    if !given && is_filler(&folded) {
        return Miss::new(ArgumentFault::FillerString, true, None);
    }
    if !given && is_placeholder(&folded) {
        return Miss::new(ArgumentFault::Placeholder, true, None);
    }
    if !given && is_example(text, &folded, place, ground) {
        return Miss::new(ArgumentFault::CopiedExample, true, None);
    }
    let wanted = wanted.and_then(Value::as_str);
    if let Some(miss) = wrong_date(wanted, text, ground) {
        return miss;
    }
    let note = near_note(wanted, &folded, given);
    let digits = text.bytes().any(|byte| byte.is_ascii_digit());
    let fault = if is_email(text) || is_url(&folded) || is_phone(text, &key) {
        ArgumentFault::FabricatedContact
    } else if is_path(text, &key) {
        ArgumentFault::FabricatedPath
    } else if is_strong_id(text) || (digits && is_keyed_id(text, &key)) || is_only_id(&key, text) {
        ArgumentFault::FabricatedId
    } else {
        if is_wording(wanted, text, &key, ground) {
            return Miss::new(ArgumentFault::FabricatedValue, false, Some("in the conversation's own words"));
        }
        ArgumentFault::FabricatedValue
    };
    Miss { below: String::new(), fault, counted: true, note }
}

fn is_only_id(key: &[String], text: &str) -> bool {
    matches!(key.last().map(String::as_str), Some("id" | "ids")) && is_keyed_id(text, key)
}

fn is_example(text: &str, folded: &str, place: Place<'_>, ground: &Ground<'_>) -> bool {
    let in_schema = place.declared.is_some_and(|declared| {
        declared.examples.iter().any(|example| example.as_str() == Some(text))
            || (folded.len() > 3
                && holds_whole(&super::example_text::split_examples(&declared.description).1, folded))
    });
    in_schema || (folded.len() > 3 && holds_whole(ground.conversation.examples(), folded))
}

fn wrong_date(wanted: Option<&str>, text: &str, ground: &Ground<'_>) -> Option<Miss> {
    let said = Said::of(text)?;
    let present = wanted
        .and_then(Said::of)
        .map(Said::year)
        .or_else(|| ground.conversation.today(ground.clock).map(|today| today.year()))?;
    (said.year() < present).then(|| {
        let note = format!("{} years back", present - said.year());
        Miss::new(ArgumentFault::StaleDate, true, Some(&note))
    })
}

fn near_note(wanted: Option<&str>, folded: &str, given: bool) -> Option<String> {
    if given {
        return Some("stands in the conversation, for something else".to_owned());
    }
    let wanted = fold(wanted?);
    let distance = strsim::levenshtein(&wanted, folded);
    (distance <= 2 && 3 * distance <= wanted.chars().count()).then(|| {
        let plural = if distance == 1 { "" } else { "s" };
        format!("{distance} character{plural} from `{wanted}`")
    })
}

/// A free text that says what is wanted in other words of the conversation, and with the same numbers: nothing in it
/// is made up.
fn is_wording(wanted: Option<&str>, text: &str, key: &[String], ground: &Ground<'_>) -> bool {
    let Some(wanted) = wanted.map(fold).filter(|_| is_prose(text, key)) else { return false };
    if !whole_text(text).is_empty() || truth(text).is_some() {
        return false;
    }
    let is_wanted = |word: &str| words(&wanted).any(|other| other == word);
    let folded = fold(text);
    words(&folded).any(is_wanted)
        && words(&folded).all(|word| {
            let number = word.bytes().any(|byte| byte.is_ascii_digit());
            let said = !number && (ground.conversation.has_word(word) || super::word::COMMON.contains(&word));
            said || is_wanted(word)
        })
}
