//! Whether the conversation gives or implies a value. Suspicion, not proof: a false alarm costs more here than a
//! miss, so whatever can be read as given is taken as given.

use serde_json::{Number, Value};
use transcript::Tool;

use super::conversation::{Conversation, split_examples};
use super::date::Said;
use super::declared::Declared;
use super::fold::{fold, holds_whole, key_words, squeeze, words};
use super::neighbour::is_anothers;
use super::number::{Numbers, whole_text};
use super::shape::{
    folded_value, has_any, hour_of, is_code, is_email, is_filler, is_keyed_id, is_path, is_phone,
    is_placeholder, is_proper_name, is_prose, is_strong_id, is_url, names, names_id, quoted_tokens,
};
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
struct Key<'a> {
    place: Place<'a>,
    words: Vec<String>,
    description: String,
}

impl Key<'_> {
    /// The word for a value that has no more specific one.
    fn plain_fault(&self) -> ArgumentFault {
        if self.place.required { ArgumentFault::FabricatedValue } else { ArgumentFault::InventedOptional }
    }

    fn plain(&self) -> Option<Suspicion> {
        Some(Suspicion::of(self.plain_fault()))
    }

    fn follows_from_the_world(&self) -> bool {
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

    fn suspect_number(&self, key: &Key<'_>, number: &Number) -> Option<Suspicion> {
        let value = number.as_f64()?;
        // One is in every "a" and "the".
        let one = value.to_bits() == 1.0_f64.to_bits();
        if one || self.conversation.numbers().give(value, &key.words) || is_documented_number(key, value) {
            return None;
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

    fn suspect_text(&self, key: &Key<'_>, text: &str) -> Option<Suspicion> {
        let folded = folded_value(text);
        if self.conversation.holds(&folded) {
            return self.suspect_given(key, &folded);
        }
        if is_member(key, text) {
            return self.suspect_choice(key, &folded);
        }
        if is_filler(&folded) {
            return Some(Suspicion::of(ArgumentFault::FillerString));
        }
        if is_placeholder(&folded) {
            return Some(Suspicion::of(ArgumentFault::Placeholder));
        }
        if let Some(suspicion) = self.suspect_documented(key, text, &folded) {
            return suspicion;
        }
        if let Some(given) = self.date_is_given(&key.words, text) {
            return (!given).then(|| self.wrong_date(key, text));
        }
        self.suspect_shape(key, text, &folded)
    }

    /// What stands in the conversation may still be of the past, or somebody else's.
    fn suspect_given(&self, key: &Key<'_>, folded: &str) -> Option<Suspicion> {
        let an_id = is_strong_id(folded) || is_keyed_id(folded, &key.words) || is_email(folded);
        if an_id && (self.conversation.is_revoked(folded) || self.is_left_behind(key.place.key, folded)) {
            return Some(Suspicion::noted(
                ArgumentFault::StaleValue,
                "an earlier value that the user replaced",
            ));
        }
        if an_id && is_anothers(self.conversation, folded) {
            return Some(Suspicion::noted(
                ArgumentFault::FabricatedId,
                "returned for another thing than the one asked for",
            ));
        }
        let callers = self.callers_value(key)?;
        (callers != folded).then(|| {
            Suspicion::noted(
                ArgumentFault::WrongPrincipal,
                "somebody else's; the prompt names the caller's own",
            )
        })
    }

    /// The earlier call had this value, and the user has since named another of the same form.
    fn is_left_behind(&self, key: &str, folded: &str) -> bool {
        let Some(last) = self.conversation.earlier_arguments().last() else { return false };
        let request = self.conversation.request();
        if holds_whole(request, folded) || words(request).any(|word| word::STILL_MEANT.contains(&word)) {
            return false;
        }
        let before = serde_json::from_str::<Value>(last).ok();
        let had = before.as_ref().and_then(|before| before.get(key)).and_then(Value::as_str);
        had.is_some_and(|had| fold(had) == folded)
            && quoted_tokens(request).any(|token| form_of(token) == form_of(folded) && token != folded)
    }

    /// The caller's own value, where the key asks for the caller's and the system prompt names it.
    fn callers_value(&self, key: &Key<'_>) -> Option<String> {
        if !word::CALLER_WORDS.iter().any(|words| key.description.contains(words)) {
            return None;
        }
        let given = self.conversation.given();
        [key.words.join(" "), key.words.join("_"), key.words.concat()].iter().find_map(|name| {
            let at = given.find(name.as_str())? + name.len();
            let rest = given[at..].trim_start_matches([' ', ':', '=', '"', '`', '*']);
            let rest = rest.strip_prefix("is ").unwrap_or(rest);
            let value = rest.split([' ', ',', '\n', ';', '"', '`', ')']).next()?.trim_end_matches('.');
            value.bytes().any(|byte| byte.is_ascii_digit()).then(|| value.to_owned())
        })
    }

    /// A choice among the schema's members must have been made by somebody; one that is required must be made.
    fn suspect_choice(&self, key: &Key<'_>, folded: &str) -> Option<Suspicion> {
        let forced = key.place.required || word::NEUTRAL.contains(&folded) || key.follows_from_the_world();
        let implied = words(folded).any(|word| self.conversation.has_word_like(word))
            || self.conversation.has_word_like(folded)
            || self.conversation.holds_squeezed(&squeeze(folded))
            || documents_default(&key.description, folded)
            || documents_default(&fold(&self.tool.description_text()), folded);
        (!forced && !implied).then(|| Suspicion::of(ArgumentFault::InventedOptional))
    }

    /// What the interface's own texts say of a value: an example of it belongs to nobody, and what is documented
    /// otherwise is given.
    #[expect(clippy::option_option, reason = "no word about it, a word for it, a word against it")]
    fn suspect_documented(&self, key: &Key<'_>, text: &str, folded: &str) -> Option<Option<Suspicion>> {
        let whole_description = fold(&self.tool.description_text());
        if !is_code(text, &key.words) {
            let is_example = || {
                key.place.declared.is_some_and(|declared| {
                    declared.examples.iter().any(|example| example.as_str() == Some(text))
                }) || holds_whole(self.conversation.examples(), folded)
                    || holds_whole(&split_examples(&key.description).1, folded)
                    || holds_whole(&split_examples(&whole_description).1, folded)
            };
            let points_at_one = points_at_one(key, text, folded);
            if (points_at_one && (holds_whole(&whole_description, folded) || is_example()))
                || (is_proper_name(text) && !self.has_any_word(folded) && is_example())
            {
                return Some(Some(Suspicion::of(ArgumentFault::CopiedExample)));
            }
        }
        let documented =
            holds_whole(&key.description, folded) || documents_default(&whole_description, folded);
        documented.then_some(None)
    }

    /// Whether a value that says a date says a given one; none where it says no date.
    fn date_is_given(&self, key_words: &[String], text: &str) -> Option<bool> {
        let said = Said::of(text)?;
        let dates = self.conversation.dates(self.clock);
        let ends = has_any(key_words, &["end", "ends", "to", "until", "max", "before", "checkout", "stop"]);
        Some(
            said.follows_from(dates)
                || (ends && said.day_before().is_some_and(|said| said.follows_from(dates))),
        )
    }

    fn wrong_date(&self, key: &Key<'_>, text: &str) -> Suspicion {
        let dates = self.conversation.dates(self.clock);
        let present = self.conversation.today(self.clock).map(|today| today.year()).or(dates.latest_year());
        match (Said::of(text), present) {
            (Some(said), Some(present)) if said.year() < present => {
                Suspicion::noted(ArgumentFault::StaleDate, &format!("{} years back", present - said.year()))
            }
            (Some(_), None) if dates.relative => {
                Suspicion::noted(ArgumentFault::StaleDate, "nothing in the conversation tells the day")
            }
            _ => Suspicion::noted(key.plain_fault(), "a date that nothing leads to"),
        }
    }

    fn suspect_shape(&self, key: &Key<'_>, text: &str, folded: &str) -> Option<Suspicion> {
        if text.contains([',', ';']) && !text.contains(['{', '[']) && self.parts_are_given(text) {
            return None;
        }
        if is_email(text) || is_url(folded) || is_phone(text, &key.words) {
            return (!self.contact_is_given(folded)).then(|| Suspicion::of(ArgumentFault::FabricatedContact));
        }
        let prose = is_prose(text, &key.words);
        if is_path(text, &key.words) && !prose {
            return (!self.path_is_given(text, folded))
                .then(|| self.noted_near(ArgumentFault::FabricatedPath, folded));
        }
        if prose {
            return self.suspect_prose(key, text);
        }
        let digits = text.bytes().any(|byte| byte.is_ascii_digit());
        if (digits && is_keyed_id(text, &key.words)) || is_strong_id(text) || self.is_bare_id(key, text) {
            return (!self.id_is_given(key, folded)).then(|| self.made_up_id(folded));
        }
        if let Some(number) = whole_text(text).first().and_then(|number| Number::from_f64(*number)) {
            return self.suspect_number(key, &number);
        }
        self.suspect_plain(key, text, folded)
    }

    fn parts_are_given(&self, text: &str) -> bool {
        text.split([',', ';']).all(|part| self.conversation.holds(&folded_value(part)))
    }

    fn contact_is_given(&self, folded: &str) -> bool {
        if folded.contains('@') && !folded.contains("://") {
            return self.conversation.holds(folded);
        }
        let digits: String = folded.chars().filter(char::is_ascii_digit).collect();
        if !folded.contains(char::is_alphabetic) {
            // A country code may be added or left out.
            let tail = &digits[digits.len().saturating_sub(7)..];
            let given: String = self
                .conversation
                .given()
                .chars()
                .filter(|c| c.is_ascii_digit() || c.is_alphabetic())
                .collect();
            return given.contains(tail);
        }
        let bare =
            folded.trim_start_matches("https://").trim_start_matches("http://").trim_start_matches("www.");
        let bare = bare.trim_end_matches('/');
        let (host, path) = bare.split_once('/').unwrap_or((bare, ""));
        let site = host.rsplit('.').nth(1).unwrap_or(host);
        let query_of_a_search =
            word::SEARCH_SITES.contains(&site) && (path.contains('?') || path.starts_with("wiki/"));
        query_of_a_search
            || self.conversation.holds(bare)
            || ((self.conversation.holds(host) || self.conversation.has_word(site))
                && words(path.split('?').next().unwrap_or(path)).all(|word| {
                    !word.bytes().any(|byte| byte.is_ascii_digit()) || self.conversation.has_word(word)
                }))
    }

    fn path_is_given(&self, text: &str, folded: &str) -> bool {
        let chosen =
            key_words(self.tool.name.as_str()).iter().any(|word| word::MAKING_VERBS.contains(&word.as_str()));
        let mut segments: Vec<&str> =
            folded.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | ".." | "~" | "c:")).collect();
        let Some(name) = segments.pop() else { return true };
        let folders_given =
            segments.iter().all(|part| self.conversation.holds(part) || (chosen && *part == "tmp"));
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let named_after = !stem.bytes().any(|byte| byte.is_ascii_digit())
            && words(stem).all(|word| self.conversation.has_word(word));
        text.contains('*') || (folders_given && (chosen || self.conversation.holds(name) || named_after))
    }

    fn id_is_given(&self, key: &Key<'_>, folded: &str) -> bool {
        if self.conversation.holds_squeezed(&squeeze(folded)) || word::NEUTRAL.contains(&folded) {
            return true;
        }
        let digits = folded.trim_start_matches(|character: char| !character.is_ascii_digit());
        let prefix = squeeze(&folded[..folded.len() - digits.len()]);
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) || !self.conversation.holds(digits) {
            return !folded.bytes().any(|byte| byte.is_ascii_digit()) && self.has_all_words(folded);
        }
        // "order 4417" for `ORD-4417`
        digits.len() >= 3
            || words(self.conversation.given()).any(|word| word.starts_with(&prefix))
            || key.words.iter().any(|word| word.starts_with(&prefix))
    }

    /// A key that is an id and nothing else takes no words.
    fn is_bare_id(&self, key: &Key<'_>, text: &str) -> bool {
        let named = matches!(key.words.last().map(String::as_str), Some("id" | "ids" | "uuid" | "guid"));
        named && is_keyed_id(text, &key.words)
    }

    fn made_up_id(&self, folded: &str) -> Suspicion {
        self.noted_near(ArgumentFault::FabricatedId, folded)
    }

    /// Says how far the nearest given value is, where it is near.
    fn noted_near(&self, fault: ArgumentFault, folded: &str) -> Suspicion {
        let note = self.conversation.nearest(folded).map(|(near, distance)| {
            format!(
                "{distance} character{} from `{near}`, which was given",
                if distance == 1 { "" } else { "s" }
            )
        });
        Suspicion { fault, matters: true, note }
    }

    /// The model's own wording is its own; what it quotes must have been given.
    fn suspect_prose(&self, key: &Key<'_>, text: &str) -> Option<Suspicion> {
        if is_code(text, &key.words) {
            return None;
        }
        let folded = fold(text);
        if ["[your ", "<your ", "{your ", "[insert ", "[recipient", "[name]", "[date]", "[company"]
            .iter()
            .any(|gap| folded.contains(gap) && !self.conversation.given().contains(gap))
        {
            return Some(Suspicion::noted(ArgumentFault::Placeholder, "a gap that was not filled in"));
        }
        quoted_tokens(&folded).find_map(|token| {
            if self.conversation.holds(token) {
                return None;
            }
            let note = format!("`{token}` in the text");
            if is_email(token) || is_url(token) || (token.starts_with('+') && is_phone(token, &[])) {
                let fault = if is_placeholder(token) {
                    ArgumentFault::Placeholder
                } else {
                    ArgumentFault::FabricatedContact
                };
                return (!self.contact_is_given(token)).then(|| Suspicion::noted(fault, &note));
            }
            // Standards and model names look like identifiers: only a garbled one is told for sure.
            let garbled = is_strong_id(token)
                && !self.conversation.holds_squeezed(&squeeze(token))
                && self.conversation.nearest(token).is_some();
            garbled.then(|| Suspicion::noted(ArgumentFault::FabricatedId, &note))
        })
    }

    /// Any other string: one word of it in the conversation is enough.
    fn suspect_plain(&self, key: &Key<'_>, text: &str, folded: &str) -> Option<Suspicion> {
        let mut telling =
            words(folded).filter(|word| word.len() > 1 && !word::COMMON.contains(word)).peekable();
        let given = telling.peek().is_none()
            || telling.any(|word| self.conversation.has_word_like(word))
            || self.conversation.holds_squeezed(&squeeze(folded));
        if given
            || word::NEUTRAL.contains(&folded)
            || key.follows_from_the_world()
            || self.hour_is_given(text)
        {
            return None;
        }
        let a_name = names(&key.words, word::NAME_KEYS) && is_proper_name(text);
        (!key.place.required || a_name).then(|| Suspicion::of(key.plain_fault()))
    }

    fn hour_is_given(&self, text: &str) -> bool {
        let Some(hour) = hour_of(text) else { return false };
        let numbers = self.conversation.numbers();
        numbers.give_exactly(f64::from(hour))
            || numbers.give_exactly(f64::from(hour % 12))
            || ["noon", "midnight", "morning", "evening", "afternoon", "tonight", "lunch"]
                .iter()
                .any(|word| self.conversation.has_word(word))
    }

    fn has_any_word(&self, folded: &str) -> bool {
        words(folded)
            .filter(|word| word.len() > 1 && !word::COMMON.contains(word))
            .any(|word| self.conversation.has_word_like(word))
    }

    fn has_all_words(&self, folded: &str) -> bool {
        let mut telling = words(folded).filter(|word| !word::COMMON.contains(word)).peekable();
        telling.peek().is_some() && telling.all(|word| self.conversation.has_word(word))
    }
}

/// Whether a string names one thing and no other: a choice of words may be documented, an identity may not.
fn points_at_one(key: &Key<'_>, text: &str, folded: &str) -> bool {
    let keyed = is_keyed_id(text, &key.words) && text.bytes().any(|byte| byte.is_ascii_digit());
    keyed || is_strong_id(text) || is_email(text) || is_url(folded) || is_path(text, &key.words)
}

/// The schema's default, constant or only member.
fn is_declared_value(declared: &Declared, value: &Value) -> bool {
    declared.default.as_ref() == Some(value)
        || declared.members.as_ref().is_some_and(|all| {
            all.contains(value) && all.iter().filter(|member| !member.is_null()).count() == 1
        })
}

fn is_member(key: &Key<'_>, text: &str) -> bool {
    key.place
        .declared
        .and_then(|declared| declared.members.as_ref())
        .is_some_and(|all| all.iter().any(|member| member.as_str() == Some(text)))
}

/// `default 20`, `defaults to "open"`, in a folded description.
fn documents_default(description: &str, folded: &str) -> bool {
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

/// The form of an identifier: its letters, and where its digits stand.
fn form_of(token: &str) -> String {
    fold(token).chars().map(|character| if character.is_ascii_digit() { '9' } else { character }).collect()
}
