//! Whether words give a value, in its own notation or another. What cannot be told counts as given.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::text::words;

/// Words by which a moment or a length of time is told without its digits.
const TIME_WORDS: &[&str] = &[
    "today",
    "tomorrow",
    "yesterday",
    "tonight",
    "now",
    "noon",
    "midnight",
    "morning",
    "afternoon",
    "evening",
    "week",
    "weeks",
    "weekend",
    "month",
    "months",
    "year",
    "years",
    "day",
    "days",
    "hour",
    "hours",
    "minute",
    "minutes",
    "second",
    "seconds",
    "quarter",
    "quarters",
    "fortnight",
    "next",
    "last",
    "ago",
    "since",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "weekly",
    "monthly",
    "daily",
    "yearly",
    "annual",
    "annually",
    "hourly",
    "christmas",
    "easter",
    "half",
];

const MONTHS: &[&str] = &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const NUMBER_WORDS: &[(&str, f64)] = &[
    ("zero", 0.0),
    ("no", 0.0),
    ("one", 1.0),
    ("a", 1.0),
    ("an", 1.0),
    ("single", 1.0),
    ("first", 1.0),
    ("once", 1.0),
    ("two", 2.0),
    ("both", 2.0),
    ("twice", 2.0),
    ("second", 2.0),
    ("couple", 2.0),
    ("pair", 2.0),
    ("three", 3.0),
    ("third", 3.0),
    ("four", 4.0),
    ("fourth", 4.0),
    ("five", 5.0),
    ("fifth", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
    ("eleven", 11.0),
    ("twelve", 12.0),
    ("dozen", 12.0),
    ("thirteen", 13.0),
    ("fourteen", 14.0),
    ("fifteen", 15.0),
    ("sixteen", 16.0),
    ("seventeen", 17.0),
    ("eighteen", 18.0),
    ("nineteen", 19.0),
    ("twenty", 20.0),
    ("thirty", 30.0),
    ("forty", 40.0),
    ("fifty", 50.0),
    ("half", 50.0),
    ("sixty", 60.0),
    ("seventy", 70.0),
    ("eighty", 80.0),
    ("ninety", 90.0),
    ("hundred", 100.0),
    ("thousand", 1000.0),
    ("full", 100.0),
    ("percent", 0.0),
];

/// What a model is given.
pub(super) struct Given {
    words: BTreeSet<String>,
    /// Letters and digits of all of it, in lower case, one after the other.
    letters: String,
    numbers: Vec<f64>,
    tells_time: bool,
}

impl Given {
    pub(super) fn of(user: &str, prompts: &[String]) -> Self {
        let text = format!("{user}\n{}", prompts.join("\n"));
        let of_user: BTreeSet<String> = words(user).collect();
        let tells_time = of_user.iter().any(|word| TIME_WORDS.contains(&word.as_str()));
        let mut numbers = numbers(&text);
        let told = NUMBER_WORDS.iter().filter(|(word, _)| of_user.contains(*word));
        numbers.extend(told.map(|(_, number)| *number));
        Self { words: words(&text).collect(), letters: letters(&text), numbers, tells_time }
    }

    pub(super) fn supports(&self, value: &Value) -> bool {
        match value {
            Value::Null | Value::Bool(_) => true,
            Value::Number(number) => number.as_f64().is_none_or(|number| self.number(number)),
            Value::String(text) => self.text(text),
            Value::Array(items) => items.iter().all(|item| self.supports(item)),
            Value::Object(members) => members.values().all(|value| self.supports(value)),
        }
    }

    /// A number in figures or words, in cents, as a percentage or a share; any, where words tell a length of time.
    fn number(&self, number: f64) -> bool {
        let near = |given: &f64| {
            [1.0, 100.0, 0.01, 1000.0, 60.0].iter().any(|by| (given * by - number).abs() < 1e-6)
        };
        self.tells_time || self.numbers.iter().any(near)
    }

    fn text(&self, text: &str) -> bool {
        let plain = letters(text);
        let is_code = text.len() <= 3 && text.chars().all(char::is_alphabetic);
        if plain.is_empty() || is_code || self.letters.contains(&plain) {
            return true;
        }
        if let Some(date) = date(text) {
            return self.date(date);
        }
        if let Some((year, month)) = year_and_month(text) {
            return self.tells_time || self.names_month(month) || (self.has(year) && self.has(month));
        }
        if text.trim().parse::<f64>().is_ok_and(|number| self.number(number)) {
            return true;
        }
        // Words in another order or with another ending.
        let own: Vec<String> = words(text).collect();
        own.iter().all(|word| self.words.iter().any(|given| alike(word, given)))
    }

    fn date(&self, (year, month, day): (u32, u32, u32)) -> bool {
        let ordinal = |ending: &str| self.words.contains(&format!("{day}{ending}"));
        let names_day = self.has(day) || ["st", "nd", "rd", "th"].into_iter().any(ordinal);
        let names_month = self.names_month(month);
        self.tells_time || (names_day && (names_month || self.has(month))) || (names_month && self.has(year))
    }

    fn has(&self, number: u32) -> bool {
        self.numbers.iter().any(|given| (given - f64::from(number)).abs() < 1e-6)
    }

    fn names_month(&self, month: u32) -> bool {
        let short = MONTHS.get((month as usize).wrapping_sub(1)).copied().unwrap_or("-");
        self.words.iter().any(|word| word.starts_with(short))
    }
}

/// Words that are the same but for their ending.
fn alike(one: &str, other: &str) -> bool {
    let common = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let long = one.chars().count().max(other.chars().count());
    common == long || (common >= 4 && long - common <= 4)
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Numbers in figures; `1,250.50` and `1250` alike.
fn numbers(text: &str) -> Vec<f64> {
    let mut found = Vec::new();
    let parts = text.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | '\u{2019}')));
    for part in parts.map(|part| part.trim_matches(['.', ',', '\'', '\u{2019}'])) {
        let plain: String = part.chars().filter(|c| !matches!(c, ',' | '\'' | '\u{2019}')).collect();
        found.extend(plain.parse::<f64>());
        found.extend(part.replace(',', ".").parse::<f64>());
        found.extend(part.split(['.', ',']).filter_map(|piece| piece.parse::<f64>().ok()));
    }
    found
}

/// Year and month of a text such as `2027-03`.
fn year_and_month(text: &str) -> Option<(u32, u32)> {
    let (year, month) = text.split_once('-').filter(|(year, month)| (year.len(), month.len()) == (4, 2))?;
    let (year, month) = (year.parse().ok()?, month.parse().ok()?);
    (year > 1900 && (1..=12).contains(&month)).then_some((year, month))
}

/// Year, month and day of a text that begins with an ISO date.
fn date(text: &str) -> Option<(u32, u32, u32)> {
    let mut parts = text.get(..10).unwrap_or(text).split('-');
    let mut next = |length: usize| parts.next().filter(|part| part.len() == length)?.parse::<u32>().ok();
    let (year, month, day) = (next(4)?, next(2)?, next(2)?);
    (year > 1900 && (1..=12).contains(&month) && (1..=31).contains(&day)).then_some((year, month, day))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_in_other_notations_are_given() {
        let user = "Ship 1,250 crates of \"Blue Kelp\" to bay C-7 on the 3rd of March for CHF 12.50, at ten percent off.";
        let given = Given::of(user, &["Your depot is dep_44.".to_owned()]);
        for value in [
            json!(1250),
            json!("blue-kelp"),
            json!("C7"),
            json!("2027-03-03"),
            json!(12.5),
            json!(1250.0),
            json!(0.1),
            json!("dep_44"),
            json!(true),
            json!(["Blue Kelp", "c-7"]),
            json!("CHF"),
            json!("shipping"),
        ] {
            assert!(given.supports(&value), "{value}");
        }
        for value in
            [json!(77), json!("2027-04-09"), json!("dep_45"), json!("red algae"), json!(["c-7", "d-9"])]
        {
            assert!(!given.supports(&value), "{value}");
        }
    }
}
