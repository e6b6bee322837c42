//! Whether the conversation gives or implies a value. Suspicion, not proof: a false alarm costs more here than a
//! miss, so whatever can be read as given is taken as given.

use serde_json::{Number, Value};
use transcript::Tool;

use super::conversation::Conversation;
use super::declared::Declared;
use super::example_text::split_examples;
use super::fold::{fold, holds_whole, key_words, squeeze, words};
use super::number::Numbers;
use super::shape::{folded_value, has_any, names, names_id};
use super::word;
use crate::finding::ArgumentFault;

/// What a value is held against.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) conversation: &'a Conversation<'a>,
    pub(super) tool: &'a Tool,
    pub(super) clock: Option<&'a str>,
}

/// Where a value stands in the arguments.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) key: &'a str,
    pub(super) declared: Option<&'a Declared>,
    pub(super) required: bool,
}

/// A value that nothing seems to give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Suspicion {
    pub(super) fault: ArgumentFault,
    /// False for what is listed and changes nothing.
    pub(super) matters: bool,
    pub(super) note: Option<String>,
}

impl Suspicion {
    pub(super) fn of(fault: ArgumentFault) -> Self {
        Self { fault, matters: true, note: None }
    }

    pub(super) fn noted(fault: ArgumentFault, note: &str) -> Self {
        Self { fault, matters: true, note: Some(note.to_owned()) }
    }
}

/// The words of a key, worked out when a value needs them.
pub(super) struct Key<'a> {
    pub(super) place: Place<'a>,
    pub(super) words: Vec<String>,
    pub(super) description: String,
}

impl Key<'_> {
    /// The word for a value that has no more specific one.
    pub(super) fn plain_fault(&self) -> ArgumentFault {
        if self.place.required { ArgumentFault::FabricatedValue } else { ArgumentFault::InventedOptional }
    }

    pub(super) fn plain(&self) -> Option<Suspicion> {
        Some(Suspicion::of(self.plain_fault()))
    }

    pub(super) fn follows_from_the_world(&self) -> bool {
        has_any(&self.words, word::WORLD_KEYS)
    }
}

impl Ground<'_> {
    /// What is wrong with a value by the conversation alone; none where it is given or may well be.
    pub(super) fn suspect(&self, place: Place<'_>, value: &Value) -> Option<Suspicion> {
        if place.declared.is_some_and(|declared| is_declared_value(declared, value)) {
            return None;
        }
        let description = place.declared.map(|declared| fold(&declared.description)).unwrap_or_default();
        let key = Key { place, words: key_words(place.key), description };
        match value {
            Value::Bool(switch) => self.suspect_switch(&key, *switch),
            Value::Number(number) => self.suspect_number(&key, number),
            Value::String(text) => self.suspect_text(&key, text),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }

    /// Whether the conversation gives a value outright: what makes an undeclared key an honest slip.
    pub(super) fn gives(&self, key: &str, value: &Value) -> bool {
        match value {
            Value::Null => true,
            Value::Bool(switch) => {
                *switch && key_words(key).iter().any(|word| self.conversation.has_word_like(word))
            }
            Value::Number(number) => number
                .as_f64()
                .is_some_and(|number| self.conversation.numbers().give(number, &key_words(key))),
            Value::String(text) => {
                let folded = folded_value(text);
                folded.is_empty()
                    || self.conversation.holds(&folded)
                    || self.date_is_given(&key_words(key), text) == Some(true)
                    || self.has_all_words(&folded)
            }
            Value::Array(items) => items.iter().all(|item| self.gives(key, item)),
            Value::Object(members) => members.iter().all(|(key, member)| self.gives(key, member)),
        }
    }

    /// A switch: off is how most start; on must have been asked for, in any word of its key.
    fn suspect_switch(&self, key: &Key<'_>, switch: bool) -> Option<Suspicion> {
        if key.place.required {
            return None;
        }
        if !switch {
            let on_by_default =
                key.place.declared.is_some_and(|declared| declared.default == Some(true.into()))
                    || documents_default(&key.description, "true");
            let turned_off = words(self.conversation.given()).any(|word| word::NEGATIONS.contains(&word))
                || self.conversation.has_word("don't");
            return (on_by_default && !turned_off).then(|| Suspicion::of(ArgumentFault::InventedOptional));
        }
        let mut telling =
            key.words.iter().filter(|word| !word::SWITCH_WORDS.contains(&word.as_str())).peekable();
        let asked = telling.peek().is_none() || telling.any(|word| self.conversation.has_word_like(word));
        let by_default = documents_default(&key.description, "true");
        (!asked && !by_default).then(|| Suspicion::of(ArgumentFault::InventedOptional))
    }

    pub(super) fn suspect_number(&self, key: &Key<'_>, number: &Number) -> Option<Suspicion> {
        let value = number.as_f64()?;
        // One is in every "a" and "the".
        let one = value.to_bits() == 1.0_f64.to_bits();
        if one || self.conversation.numbers().give(value, &key.words) || is_documented_number(key, value) {
            return None;
        }
        if let Some(verdict) = self.suspect_calendar_number(key, value) {
            return verdict;
        }
        if value == 0.0 {
            let mut zero = Suspicion::of(ArgumentFault::FillerZero);
            zero.matters = !has_any(&key.words, word::ZERO_IS_NEUTRAL);
            return Some(zero);
        }
        if names_id(&key.words) {
            return Some(self.made_up_id(&number.to_string()));
        }
        // Moments as numbers are not read as dates.
        let moment = value >= 1e9 && names(&key.words, word::DATE_KEYS);
        // What a free map holds is the caller's to choose.
        let free = key.place.declared.is_none();
        if moment || free || key.follows_from_the_world() {
            return None;
        }
        key.plain()
    }

    /// A year or a month that stands alone, as a number.
    #[expect(clippy::option_option, reason = "no such number, a given one, one that nothing leads to")]
    fn suspect_calendar_number(&self, key: &Key<'_>, value: f64) -> Option<Option<Suspicion>> {
        let dates = self.conversation.dates(self.clock);
        let named = |name: &str| key.words.iter().any(|word| word == name);
        let whole =
            |range: std::ops::RangeInclusive<i16>| range.into_iter().find(|&one| f64::from(one) == value);
        if let (true, Some(year)) = (named("year"), whole(1900..=2199)) {
            if dates.give_year(year) {
                return Some(None);
            }
            let stale = self.conversation.today(self.clock).is_some_and(|today| year < today.year());
            return Some(Some(Suspicion::of(if stale {
                ArgumentFault::StaleDate
            } else {
                key.plain_fault()
            })));
        }
        let month = whole(1..=12).and_then(|month| i8::try_from(month).ok()).filter(|_| named("month"))?;
        dates.give_any_month(month).then_some(None)
    }

    /// A choice among the schema's members must have been made by somebody; one that is required must be made.
    pub(super) fn suspect_choice(&self, key: &Key<'_>, folded: &str) -> Option<Suspicion> {
        let forced = key.place.required
            || word::NEUTRAL.contains(&folded)
            || has_any(&key.words, word::TONGUE_AND_PLACE_KEYS);
        let implied = words(folded).any(|word| self.conversation.has_word_like(word))
            || self.conversation.has_word_like(folded)
            || self.conversation.holds_squeezed(&squeeze(folded))
            || documents_default(&key.description, folded)
            || documents_default(&fold(&self.tool.description_text()), folded);
        (!forced && !implied).then(|| Suspicion::of(ArgumentFault::InventedOptional))
    }
}

/// The schema's default, constant or only member.
fn is_declared_value(declared: &Declared, value: &Value) -> bool {
    declared.default.as_ref() == Some(value)
        || declared.members.as_ref().is_some_and(|all| {
            all.contains(value) && all.iter().filter(|member| !member.is_null()).count() == 1
        })
}

/// `default 20`, `defaults to "open"`, in a folded description.
pub(super) fn documents_default(description: &str, folded: &str) -> bool {
    description.match_indices("default").any(|(at, _)| {
        let rest: String = description[at..].chars().take(40).collect();
        holds_whole(&rest, folded)
    })
}

/// A bound or default that the interface writes down, and not as an example.
fn is_documented_number(key: &Key<'_>, value: f64) -> bool {
    let bound = |bound: Option<f64>| bound.is_some_and(|bound| (bound - value).abs() < f64::EPSILON);
    key.place
        .declared
        .is_some_and(|declared| (bound(declared.maximum) || bound(declared.minimum)) && value != 0.0)
        || (!key.description.is_empty()
            && Numbers::of(&split_examples(&key.description).0).give_exactly(value))
}
