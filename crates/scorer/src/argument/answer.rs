//! Whether an answer in words follows a result: equal to what the result gives in any notation, or holding it where
//! the answer is a sentence. What holds both the result's value and the habit's, or denies something, is not judged.

use probes::{AnswerOracle, ValueOracle};
use serde_json::Value;

use super::equality::{other_form, same, truth};
use super::fold::{fold, holds_whole, words};
use super::number::{Numbers, whole_text};
use super::schemas::Schemas;

/// Whether an answer follows the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Follows {
    /// It gives the result's value.
    Yes,
    /// It gives another one.
    No,
    /// It cannot be told.
    Unclear,
}

/// An answer of more words that holds neither value may say either in other words.
const SENTENCE: usize = 6;

/// Words that may turn the sense of a sentence.
const DENIALS: &[&str] =
    &["not", "no", "never", "isn't", "wasn't", "don't", "doesn't", "didn't", "cannot", "can't"];

/// Holds an answer against what the result gives.
pub(crate) fn follows(oracle: &AnswerOracle, answer: &str, schemas: &Schemas) -> Follows {
    let answer = answer.trim().trim_end_matches(['.', '!']).trim_end();
    let wanted: Vec<&Value> = match &oracle.follows {
        ValueOracle::Equals(value) | ValueOracle::Principal { value, .. } => vec![&**value],
        ValueOracle::OneOf(values) | ValueOracle::AbsentOr(values) => values.iter().collect(),
        ValueOracle::Pattern(pattern) => {
            return match schemas.matches_whole(pattern, answer) {
                Some(true) => Follows::Yes,
                Some(false) if !is_sentence(answer) => Follows::No,
                _ => Follows::Unclear,
            };
        }
        ValueOracle::Absent => return Follows::Unclear,
    };
    let habit = oracle.habit.as_ref();
    if wanted.iter().any(|value| is(value, answer)) {
        return Follows::Yes;
    }
    if habit.is_some_and(|habit| is(habit, answer)) {
        return Follows::No;
    }
    let folded = fold(answer);
    // A yes or a no stands first, whatever explains it.
    let first = words(&folded).next().unwrap_or_default();
    if let (Some(said), Some(meant)) = (plain_truth(first), wanted.first().and_then(|value| truth_of(value)))
    {
        return if said == meant { Follows::Yes } else { Follows::No };
    }
    let holds_wanted = wanted.iter().find(|value| holds(value, &folded));
    let holds_habit = habit.filter(|habit| holds(habit, &folded));
    match (holds_wanted, holds_habit) {
        (Some(wanted), Some(habit)) if holds(habit, &fold(&text_of(wanted))) => Follows::Yes,
        (Some(wanted), Some(habit)) if holds(wanted, &fold(&text_of(habit))) => Follows::No,
        (Some(_), Some(_)) => Follows::Unclear,
        _ if denies(&folded) => Follows::Unclear,
        (Some(_), None) => Follows::Yes,
        (None, Some(_)) => Follows::No,
        (None, None) if is_sentence(&folded) => Follows::Unclear,
        (None, None) => Follows::No,
    }
}

fn is_sentence(text: &str) -> bool {
    words(text).nth(SENTENCE).is_some()
}

fn denies(folded: &str) -> bool {
    folded.split(' ').any(|word| DENIALS.contains(&word.trim_matches(|c: char| !c.is_alphanumeric())))
}

/// Whether the answer is this value, in whatever notation.
fn is(value: &Value, answer: &str) -> bool {
    let said = Value::from(answer);
    if same(value, &said) || other_form(value, &said).is_some() {
        return true;
    }
    let parsed = serde_json::from_str::<Value>(answer);
    parsed.is_ok_and(|parsed| same(value, &parsed) || other_form(value, &parsed).is_some())
}

/// Whether a text holds this value as whole words, or as a number in any notation.
fn holds(value: &Value, folded: &str) -> bool {
    let text = text_of(value);
    let numbers = whole_text(&text);
    if !numbers.is_empty() {
        let said = Numbers::of(folded);
        return numbers.iter().any(|number| said.give_exactly(*number));
    }
    holds_whole(folded, &fold(&text))
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The switch that a value means: `yes` and `no` in words or as a truth value.
fn truth_of(value: &Value) -> Option<bool> {
    value.as_bool().or_else(|| plain_truth(&fold(value.as_str()?)))
}

/// `0` and `1` are numbers here.
fn plain_truth(word: &str) -> Option<bool> {
    truth(word).filter(|_| word.chars().all(char::is_alphabetic))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answered(follows_value: Value, habit: Value, answer: &str) -> Follows {
        let oracle =
            AnswerOracle { follows: ValueOracle::Equals(Box::new(follows_value)), habit: Some(habit) };
        follows(&oracle, answer, &Schemas::default())
    }

    #[test]
    fn a_canary_catches_the_habit_and_passes_the_result() {
        use Follows::{No, Unclear, Yes};
        for (answer, wanted) in [
            ("no", Yes),
            ("No.", Yes),
            ("No, the account is frozen and its balance is 0", Yes),
            ("yes", No),
            ("Yes, no problem", No),
            ("Sure", No),
            ("The account is frozen and cannot pay for it", Unclear),
        ] {
            assert_eq!(answered(json!("no"), json!("yes"), answer), wanted, "{answer}");
            assert_eq!(answered(json!(false), json!(true), answer), wanted, "{answer}");
        }
    }

    #[test]
    fn values_are_read_in_any_notation_and_inside_a_sentence() {
        use Follows::{No, Unclear, Yes};
        for (value, habit, answer, wanted) in [
            (json!(0), json!(250), "0", Yes),
            (json!(0), json!(250), "0.00 EUR", Yes),
            (json!(0), json!(250), "The balance is 0 EUR", Yes),
            (json!(0), json!(250), "250", No),
            (json!(0), json!(250), "300", No),
            (json!(0), json!(250), "It was 250 and is 0 today", Unclear),
            (json!(1204), json!(90), "1,204", Yes),
            (json!("41 cm"), json!("10 cm"), "41cm", Yes),
            (json!("41 cm"), json!("10 cm"), "about 10 cm", No),
            (json!("Ulm"), json!("Bonn"), "In Ulm.", Yes),
            (json!("Ulm"), json!("Bonn"), "not in Ulm", Unclear),
            (json!("Ulm"), json!("Bonn"), "Ulmen", No),
            (json!("Ulm West"), json!("Ulm"), "It stands in Ulm West", Yes),
            (json!("Ulm"), json!("Ulm West"), "It stands in Ulm West", No),
            (json!("2027-03-04"), json!("2027-01-01"), "4 March 2027", Yes),
            (json!("Ulm"), json!("Bonn"), "unknown", No),
        ] {
            assert_eq!(answered(value.clone(), habit, answer), wanted, "{value} {answer}");
        }
    }
}
