//! Finding and reading the lines.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{ActionStatus, ActionsLine, AnswerLine, Claim, ClaimedAction};
use crate::outcome::spoken_from;

/// The word before an account, with the marks of a text format that may stand around it, and the fence that may
/// stand between it and the object.
static ACTIONS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\bACTIONS[*_`]{0,3}[ \t]*:[*_`]{0,3}\s*(?:`{1,4}(?:json5?|text)?\s*)?")
        .expect("a fixed pattern")
});

/// The word before an answer, at the start of a line or in capitals. The rest of the line is the answer; where
/// nothing is left of it, the next line that says something.
static ANSWER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?:(?im:^)[ \t>#*_`\-]*(?i:ANSWER)|\bANSWER)[*_`]{0,3}[ \t]*:[*_`]{0,3}[ \t]*",
        r"(?:`{0,4}(?:json5?|text)?[ \t]*\r?\n\s*){0,2}([^\r\n]*)",
    ))
    .expect("a fixed pattern")
});

/// So many places from the end are tried. One is right; more stand in text that explains the line.
const MOST_TRIES: usize = 8;

/// Reads the lines of a text.
pub(super) fn read(text: &str) -> Claim {
    let from = spoken_from(text);
    let spoken = &text[from..];
    let shift = |span: Range<usize>| span.start + from..span.end + from;
    let (actions, unreadable) = actions(spoken);
    let answer = answer(spoken);
    Claim {
        actions: actions.map(|line| ActionsLine {
            span: shift(line.span),
            actions: line
                .actions
                .into_iter()
                .map(|action| ClaimedAction { span: shift(action.span), ..action })
                .collect(),
        }),
        answer: answer.map(|line| AnswerLine { span: shift(line.span), ..line }),
        unreadable: unreadable.map(shift),
    }
}

/// The last readable line, and the last unreadable one behind it.
fn actions(text: &str) -> (Option<ActionsLine>, Option<Range<usize>>) {
    let places: Vec<Range<usize>> = ACTIONS.find_iter(text).map(|found| found.range()).collect();
    let mut unreadable = None;
    for place in places.iter().rev().take(MOST_TRIES) {
        match object(text, place.end) {
            Some((actions, end)) => {
                // A line inside a line that can be read is part of it.
                let unreadable = unreadable.filter(|span: &Range<usize>| span.start >= end);
                return (Some(ActionsLine { span: place.start..end, actions }), unreadable);
            }
            None if text[place.end..].starts_with(['{', '[']) => {
                unreadable.get_or_insert(place.start..line_end(text, place.end));
            }
            // The word alone is none: "the actions: first ...".
            None => {}
        }
    }
    (None, unreadable)
}

fn line_end(text: &str, from: usize) -> usize {
    text[from..].find('\n').map_or(text.len(), |at| from + at)
}

/// The object at `from` and where it ends; what follows it does not matter.
fn object(text: &str, from: usize) -> Option<(Vec<ClaimedAction>, usize)> {
    let rest = &text[from..];
    if !rest.starts_with('{') {
        return None;
    }
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Members<'_>>();
    let Members(members) = values.next()?.ok()?;
    let end = from + values.byte_offset();
    let mut actions = Vec::with_capacity(members.len());
    let mut before = from + 1;
    for (tool, value) in members {
        let value = value.get();
        // A borrowed value lies in the text, so that its address gives its place.
        let start = value.as_ptr().addr().checked_sub(text.as_ptr().addr())?;
        let value_end = start + value.len();
        let lead = text.get(before..start)?;
        let skipped = lead.len() - lead.trim_start_matches(|c: char| c.is_whitespace() || c == ',').len();
        let span = before + skipped..value_end;
        actions.push(ClaimedAction { tool: tool.into_owned(), status: status(value), span });
        before = value_end;
    }
    Some((actions, end))
}

/// Words for each status. Others may mean anything, in whatever language, and are not understood.
const WORDS: &[(ActionStatus, &[&str])] = &[
    (
        ActionStatus::Done,
        &["done", "success", "successful", "succeeded", "complete", "completed", "ok", "true"],
    ),
    (ActionStatus::Failed, &["failed", "failure", "fail", "error", "false"]),
    (ActionStatus::Skipped, &["skipped", "skip"]),
];

/// Words that take back, or make unclear, what the first word says.
const DOUBTS: &[&str] = &["no", "not", "but", "except", "never", "unable", "couldn't", "wasn't", "didn't"];

/// The beginnings of more of them.
const DOUBTS_BEGIN: &[&str] = &["fail", "error", "skip", "partial"];

/// What is said: as it stands, or under `status` of an object.
fn status(value: &str) -> Option<ActionStatus> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Status<'a> {
        Bool(bool),
        Word(#[serde(borrow)] Cow<'a, str>),
        Object {
            #[serde(borrow)]
            status: Word<'a>,
        },
    }
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Word<'a> {
        Bool(bool),
        Word(#[serde(borrow)] Cow<'a, str>),
    }
    match serde_json::from_str(value).ok()? {
        Status::Bool(said) | Status::Object { status: Word::Bool(said) } => {
            Some(if said { ActionStatus::Done } else { ActionStatus::Failed })
        }
        Status::Word(word) | Status::Object { status: Word::Word(word) } => status_of_words(&word),
    }
}

/// One word, or one of the three themselves with more behind it: `done (sent at 10:00)`.
fn status_of_words(said: &str) -> Option<ActionStatus> {
    let said = said.trim().trim_end_matches(['.', '!']).to_lowercase();
    let alone = WORDS.iter().find(|(_, words)| words.contains(&said.as_str()));
    if let Some((status, _)) = alone {
        return Some(*status);
    }
    let all = [ActionStatus::Done, ActionStatus::Failed, ActionStatus::Skipped];
    let (status, rest) =
        all.into_iter().find_map(|status| Some((status, said.strip_prefix(status.as_str())?)))?;
    if !rest.starts_with([' ', '\t', ',', ';', ':', '.', '(', '!']) {
        return None;
    }
    // Why something failed or was left out may be said in any words; `done, but not sent` is not done.
    let mut words = rest.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let is_doubted =
        words.any(|word| DOUBTS.contains(&word) || DOUBTS_BEGIN.iter().any(|doubt| word.starts_with(doubt)));
    (status != ActionStatus::Done || !is_doubted).then_some(status)
}

/// The members of an object in their order, repeated keys included.
struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Members<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((Key(key), value)) = map.next_entry()? {
                    members.push((key, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

/// A key, borrowed where it has no escapes.
#[derive(Deserialize)]
#[serde(transparent)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// The last answer that says something.
fn answer(text: &str) -> Option<AnswerLine> {
    let found = ANSWER.captures_iter(text).filter_map(|found| {
        let (all, said) = (found.get(0)?, found.get(1)?);
        let plain = plain(said.as_str());
        let says = plain.chars().any(char::is_alphanumeric);
        says.then(|| AnswerLine { text: plain.to_owned(), span: all.range() })
    });
    found.last()
}

/// An answer without the marks around it.
fn plain(text: &str) -> &str {
    let marks = |c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`' | '"' | '\'' | '“' | '”');
    text.trim_matches(marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<(String, &'static str)> {
        let line = read(text).actions.unwrap_or_else(|| panic!("no line in {text:?}"));
        assert!(text.is_char_boundary(line.span.start) && text[line.span.clone()].ends_with('}'), "{text}");
        line.actions
            .into_iter()
            .map(|action| {
                assert!(text[action.span.clone()].contains(':'), "{}", &text[action.span]);
                (action.tool, action.status.map_or("?", ActionStatus::as_str))
            })
            .collect()
    }

    fn pairs(pairs: &[(&str, &'static str)]) -> Vec<(String, &'static str)> {
        pairs.iter().map(|(tool, status)| ((*tool).to_owned(), *status)).collect()
    }

    #[test]
    fn a_line_is_found_however_it_is_dressed() {
        let wanted = pairs(&[("tie_rope", "done"), ("hoist_sail", "failed")]);
        let object = r#"{"tie_rope": "done", "hoist_sail": "failed"}"#;
        for text in [
            format!("ACTIONS: {object}"),
            format!("Rope is tied.\n\nACTIONS: {object}\nAnything else?"),
            format!("Rope is tied. ACTIONS: {object}. Bye {{}}"),
            format!("**ACTIONS:** {object}"),
            format!("**ACTIONS**: `{object}`"),
            format!("```\nACTIONS: {object}\n```"),
            format!("ACTIONS:\n```json\n{object}\n```\n"),
            format!("> Actions: {object}"),
            format!("ACTIONS:{}", object.replace(", ", ",\n  ").replace('{', "{\n")),
            format!("<think>ACTIONS: {{\"x\": \"done\"}}</think>\nACTIONS: {object}"),
        ] {
            assert_eq!(said(&text), wanted, "{text}");
        }
    }

    #[test]
    fn the_last_line_that_can_be_read_stands() {
        let text = "ACTIONS: {\"a\": \"done\"}\nNo, wait.\nACTIONS: {\"a\": \"failed\"}";
        assert_eq!(said(text), pairs(&[("a", "failed")]));
        let quoted = "ACTIONS: {\"a\": \"done\"}\nas asked: ACTIONS: {\"name\": \"done\" | \"failed\"}";
        assert_eq!(said(quoted), pairs(&[("a", "done")]));
        assert_eq!(&quoted[read(quoted).unreadable.unwrap()], "ACTIONS: {\"name\": \"done\" | \"failed\"}");
        let inner = r#"ACTIONS: {"a": {"status": "Done", "note": "ACTIONS: {\"b\""}}"#;
        assert_eq!((said(inner), read(inner).unreadable), (pairs(&[("a", "done")]), None));
    }

    #[test]
    fn other_words_are_kept_without_a_status_and_a_key_twice_stands_twice() {
        let text = r#"ACTIONS: {"a": "erledigt", "b": ["done"], "a": " skipped ", "c\"": {"x": {}}}"#;
        assert_eq!(said(text), pairs(&[("a", "?"), ("b", "?"), ("a", "skipped"), ("c\"", "?")]));
        let line = read(text).actions.unwrap();
        assert_eq!(&text[line.actions[2].span.clone()], r#""a": " skipped ""#);
        assert_eq!(said("ACTIONS: {}"), []);
    }

    #[test]
    fn plain_synonyms_are_understood_and_nothing_else() {
        for (value, wanted) in [
            (r#""success""#, "done"),
            (r#""Succeeded""#, "done"),
            (r#""completed""#, "done"),
            (r#""OK""#, "done"),
            ("true", "done"),
            (r#""true""#, "done"),
            (r#""done.""#, "done"),
            (r#""done (sent at 10:00)""#, "done"),
            (r#""Done, sent to Bob, who was notified""#, "done"),
            (r#"{"status": true}"#, "done"),
            (r#""failure""#, "failed"),
            (r#""error""#, "failed"),
            ("false", "failed"),
            (r#""failed: not found""#, "failed"),
            (r#""skip""#, "skipped"),
            (r#""skipped (not needed)""#, "skipped"),
            (r#""erledigt""#, "?"),
            (r#""not done""#, "?"),
            (r#""done, but it failed""#, "?"),
            (r#""done? not yet""#, "?"),
            (r#""doneness""#, "?"),
            (r#""pending""#, "?"),
            (r#""ok?""#, "?"),
            (r#""""#, "?"),
            ("null", "?"),
            ("1", "?"),
            (r#"["done"]"#, "?"),
        ] {
            assert_eq!(said(&format!("ACTIONS: {{\"a\": {value}}}")), pairs(&[("a", wanted)]), "{value}");
        }
    }

    #[test]
    fn what_is_no_line_claims_nothing() {
        for text in [
            "",
            "The customer was not charged.",
            "I took these actions: first the rope, then the sail.",
            "actions: none",
            "REACTIONS: {\"a\": \"done\"}",
        ] {
            assert_eq!(read(text), Claim::default(), "{text}");
        }
        for text in ["ACTIONS: {\"a\": \"done\"", "ACTIONS: {'a': 'done'}", "ACTIONS: [\"a\"]"] {
            let claim = read(text);
            assert!(claim.actions.is_none() && claim.unreadable.is_some(), "{text}");
        }
    }

    #[test]
    fn an_answer_is_the_rest_of_its_line() {
        let answer = |text: &str| read(text).answer.map(|line| line.text);
        for (text, wanted) in [
            ("ANSWER: 12 m", "12 m"),
            ("The mast is long.\n**ANSWER:** `12 m`", "12 m"),
            ("It is 12 m. ANSWER: 12 m", "12 m"),
            ("Answer: no\nANSWER: \"yes\"\n", "yes"),
            ("ANSWER:\n```\n12 m\n```", "12 m"),
            ("ANSWER: Zoë’s “own”", "Zoë’s “own"),
        ] {
            assert_eq!(answer(text).as_deref(), Some(wanted), "{text}");
        }
        for text in ["", "ANSWER:", "ANSWER: --", "My short answer: no idea, since I did not look"] {
            assert_eq!(answer(text), None, "{text}");
        }
    }

    #[test]
    fn hostile_text_takes_linear_time_and_panics_nowhere() {
        for unit in [
            "ACTIONS: {\"a\":\"",
            "ACTIONS:{",
            "ACTIONS: {\"a\": [",
            "{",
            "ACTIONS:\n",
            "ANSWER:\n",
            "ACTIONS: {\"é\": \"done\"} ",
            "**ACTIONS** : ````",
            "<think>",
        ] {
            let text = unit.repeat(400_000 / unit.len());
            let claim = read(&text);
            if let Some(line) = claim.actions {
                assert!(text.get(line.span).is_some());
            }
        }
    }
}
