//! Strings by grounding: what stands in the conversation, what the interface documents, and what a string that is
//! neither looks like.

use serde_json::{Number, Value};

use super::date_value::Said;
use super::example_text::split_examples;
use super::fold::{fold, holds_whole, squeeze, words};
use super::grounding::{Ground, Key, Suspicion, documents_default};
use super::neighbour::is_anothers;
use super::number::whole_text;
use super::shape::{
    folded_value, is_code, is_email, is_filler, is_keyed_id, is_path, is_phone, is_placeholder,
    is_proper_name, is_prose, is_strong_id, is_url, names, quoted_tokens,
};
use super::word;
use crate::finding::ArgumentFault;

impl Ground<'_> {
    pub(super) fn suspect_text(&self, key: &Key<'_>, text: &str) -> Option<Suspicion> {
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
        let known_path = || is_path(text, &key.words) && self.path_is_given(text, &folded);
        if is_placeholder(&folded) && !known_path() {
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

    pub(super) fn made_up_id(&self, folded: &str) -> Suspicion {
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
}

/// Whether a string names one thing and no other: a choice of words may be documented, an identity may not.
fn points_at_one(key: &Key<'_>, text: &str, folded: &str) -> bool {
    let keyed = is_keyed_id(text, &key.words) && text.bytes().any(|byte| byte.is_ascii_digit());
    keyed
        || Said::of(text).is_some()
        || is_phone(text, &key.words)
        || is_strong_id(text)
        || is_email(text)
        || is_url(folded)
        || is_path(text, &key.words)
}

/// The form of an identifier: its letters, and where its digits stand.
fn form_of(token: &str) -> String {
    fold(token).chars().map(|character| if character.is_ascii_digit() { '9' } else { character }).collect()
}

fn is_member(key: &Key<'_>, text: &str) -> bool {
    key.place
        .declared
        .and_then(|declared| declared.members.as_ref())
        .is_some_and(|all| all.iter().any(|member| member.as_str() == Some(text)))
}
