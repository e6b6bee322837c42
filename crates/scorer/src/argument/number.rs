//! Numbers in a text, in the notations that people use, and whether a number follows from them.

use super::fold::fold;
use super::word;

/// How many numbers of a text are combined with one another.
const MAX_COMBINED: usize = 12;
/// How many numbers of a text are kept: enough for any request, and a bound on hostile ones.
const MAX_NUMBERS: usize = 4_096;

/// A number in a text with the unit beside it: the unit's row in the table, and its size in that row.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Quantity {
    value: f64,
    units: [Option<(usize, f64)>; 2],
}

/// The numbers of a text.
#[derive(Debug, Clone, Default)]
pub(super) struct Numbers {
    all: Vec<Quantity>,
}

impl Numbers {
    /// Reads the numbers of a folded text.
    pub(super) fn of(folded: &str) -> Self {
        let tokens = tokens(folded);
        let mut all = Vec::new();
        let mut at = 0;
        while at < tokens.len() && all.len() < MAX_NUMBERS {
            let before = all.len();
            let taken = read_at(&tokens[at..], &mut all).max(1);
            if at > 0 && word::BOUNDS.contains(&tokens[at - 1]) {
                // "fewer than six" is five at most.
                let beside = |step: f64| {
                    all[before..].iter().map(move |one| Quantity { value: one.value + step, ..*one })
                };
                let mut more: Vec<Quantity> = beside(1.0).chain(beside(-1.0)).collect();
                all.append(&mut more);
            }
            at += taken;
        }
        Self { all }
    }

    /// Whether the text has this number, in any unit of the kind that stands beside it, or as the sum,
    /// difference or product of two of its numbers.
    pub(super) fn give(&self, wanted: f64, key_words: &[String]) -> bool {
        self.all.iter().any(|quantity| quantity.gives(wanted, key_words)) || self.combine_to(wanted)
    }

    /// Whether the text has exactly this number.
    pub(super) fn give_exactly(&self, wanted: f64) -> bool {
        self.all.iter().any(|quantity| equal(quantity.value, wanted))
    }

    fn combine_to(&self, wanted: f64) -> bool {
        if self.all.len() > MAX_COMBINED {
            return false;
        }
        self.all.iter().enumerate().any(|(at, a)| {
            self.all[at + 1..].iter().any(|b| {
                equal(a.value + b.value, wanted)
                    || equal((a.value - b.value).abs(), wanted.abs())
                    || equal(a.value * b.value, wanted)
            })
        })
    }
}

impl Quantity {
    fn gives(&self, wanted: f64, key_words: &[String]) -> bool {
        if equal(self.value, wanted) || equal(-self.value, wanted) {
            return true;
        }
        let other_unit = self.units.iter().flatten().any(|&(row, size)| {
            word::UNITS[row].iter().any(|&(_, other)| {
                let ratio = (size / other).max(other / size);
                let exact = self.value * size / other;
                // Between systems of measure people round.
                let rounded = ratio.fract() != 0.0 && (exact - wanted).abs() <= 0.01 * exact.abs();
                equal(exact, wanted) || rounded
            })
        });
        other_unit || self.gives_in_the_keys_unit(wanted, key_words)
    }

    /// `amount_cents`, `timeoutMs`: the key itself names a unit, and the number stands without one.
    fn gives_in_the_keys_unit(&self, wanted: f64, key_words: &[String]) -> bool {
        key_words.iter().flat_map(|word| units_of(word)).flatten().any(|(row, size)| {
            word::UNITS[row].iter().any(|&(_, other)| equal(self.value * other / size, wanted))
        })
    }
}

fn equal(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-9)
}

/// The unit that a word names, in at most two rows (`m` is a length; `pound` is money and mass).
fn units_of(name: &str) -> [Option<(usize, f64)>; 2] {
    let mut found = [None, None];
    let singular = name.strip_suffix('s').filter(|short| short.len() > 2).unwrap_or(name);
    let rows = word::UNITS.iter().enumerate().filter_map(|(row, units)| {
        let unit = units.iter().find(|(unit, _)| *unit == name || *unit == singular)?;
        Some((row, unit.1))
    });
    for (place, unit) in found.iter_mut().zip(rows) {
        *place = Some(unit);
    }
    found
}

/// A piece of text: digits with their separators, or a word, or a sign of money or share.
fn tokens(folded: &str) -> Vec<&str> {
    let bytes = folded.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        if bytes[at].is_ascii_digit() {
            at += 1;
            while at < bytes.len()
                && (bytes[at].is_ascii_digit()
                    || (matches!(bytes[at], b'.' | b',' | b'\'')
                        && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)))
            {
                at += 1;
            }
        } else {
            let mut characters = folded[at..].chars();
            let Some(first) = characters.next() else { break };
            at += first.len_utf8();
            if first.is_alphabetic() {
                for next in characters.take_while(|next| next.is_alphabetic()) {
                    at += next.len_utf8();
                }
            } else if first.is_whitespace() {
                continue;
            }
        }
        tokens.push(&folded[start..at]);
    }
    tokens
}

/// Reads the number that starts here; gives how many tokens it took.
fn read_at(tokens: &[&str], all: &mut Vec<Quantity>) -> usize {
    let first = tokens[0];
    if first.starts_with(|character: char| character.is_ascii_digit()) {
        return read_digits(tokens, all);
    }
    let mut taken = 0;
    let mut sum = 0.0;
    while let Some(&(_, value)) = tokens.get(taken).and_then(|word| number_word(word)) {
        // "twenty five" and "twenty-five"; "two, three" are two numbers.
        if taken > 0 && !(sum >= 20.0 && sum % 10.0 == 0.0 && value < 10.0 && value > 0.0) {
            break;
        }
        sum += value;
        taken += 1;
        if tokens.get(taken) == Some(&"-")
            && tokens.get(taken + 1).is_some_and(|word| number_word(word).is_some())
        {
            taken += 1;
        }
    }
    if taken == 0 {
        // "an hour", "a dozen", "a hundred"
        let one = matches!(first, "a" | "an" | "per" | "each" | "every" | "next" | "last" | "past" | "this")
            && tokens.get(1).is_some_and(|next| units_of(next)[0].is_some() || multiplier(next).is_some());
        if !one {
            return 0;
        }
        sum = 1.0;
        taken = 1;
    }
    let taken = taken + push(sum, &tokens[taken..], false, all);
    // A word with two meanings ("quarter") gives both.
    for &(_, value) in word::NUMBERS.iter().filter(|(name, value)| *name == first && !equal(*value, sum)) {
        all.push(Quantity { value, units: units_of("min") });
    }
    taken
}

fn number_word(token: &str) -> Option<&'static (&'static str, f64)> {
    word::NUMBERS.iter().find(|(name, _)| *name == token)
}

fn multiplier(token: &str) -> Option<f64> {
    word::MULTIPLIERS.iter().find(|(name, _)| *name == token).map(|(_, times)| *times)
}

fn read_digits(tokens: &[&str], all: &mut Vec<Quantity>) -> usize {
    let mut taken = 1;
    for value in readings(tokens[0]) {
        taken = 1 + push(value, &tokens[1..], true, all);
    }
    // "1 250": groups of three behind a space.
    let mut grouped = tokens[0].to_owned();
    let groups = tokens[1..]
        .iter()
        .take_while(|token| token.len() == 3 && token.bytes().all(|byte| byte.is_ascii_digit()))
        .inspect(|group| grouped.push_str(group))
        .count();
    if groups > 0 && tokens[0].len() <= 3 {
        for value in readings(&grouped) {
            push(value, &tokens[1 + groups..], true, all);
        }
    }
    taken
}

/// Notes a number with what stands behind it: a multiplier, then a unit. Gives how many tokens that took.
fn push(value: f64, behind: &[&str], digits: bool, all: &mut Vec<Quantity>) -> usize {
    let behind_at = |at: usize| behind.get(at).copied().unwrap_or_default();
    let mut taken = 0;
    if let Some(times) = multiplier(behind_at(0)) {
        all.push(Quantity { value: value * times, units: units_of(behind_at(1)) });
        // "5 m" is metres as well as millions.
        taken = usize::from(units_of(behind_at(0))[0].is_none());
    }
    let units = units_of(behind_at(taken));
    all.push(Quantity { value, units: if units[0].is_some() || !digits { units } else { units_of("€") } });
    taken
}

/// What a run of digits with separators can mean: `1,250` is 1250, 1.25, or 1 and 250.
fn readings(token: &str) -> Vec<f64> {
    let mut found = Vec::with_capacity(4);
    add_one_number(token, &mut found);
    if token.contains(',') {
        token.split(',').for_each(|part| add_one_number(part, &mut found));
    }
    // Dates and versions.
    if token.matches('.').count() > 1 {
        token.split(['.', ',']).for_each(|part| add(part, &mut found));
    }
    found
}

fn add_one_number(token: &str, found: &mut Vec<f64>) {
    let Some(last) = token.rfind(['.', ',']) else {
        add(&token.replace('\'', ""), found);
        return;
    };
    let (whole, decimals) = token.split_at(last);
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    add(&format!("{}.{}", digits(whole), &decimals[1..]), found);
    if decimals.len() == 4 {
        add(&digits(token), found);
    }
}

fn add(text: &str, found: &mut Vec<f64>) {
    if let Ok(value) = text.parse::<f64>()
        && value.is_finite()
        && !found.contains(&value)
    {
        found.push(value);
    }
}

/// What two amounts with their units are to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// One amount.
    Same,
    /// Two.
    Other,
}

/// Compares two folded texts that are each one number with a unit of one kind; none where they are not, or where both
/// are in one unit.
pub(super) fn measure(a: &str, b: &str) -> Option<Measure> {
    let ((a, a_unit), (b, b_unit)) = (with_unit(a)?, with_unit(b)?);
    let ((a_row, a_size), (b_row, b_size)) = (units_of(a_unit)[0]?, units_of(b_unit)[0]?);
    if a_row != b_row || a_unit == b_unit {
        return None;
    }
    if equal(a_size, b_size) {
        // Two names of one unit, or two units of one size: currencies are.
        let one = |name: &str| word::ALIKE.iter().position(|names| names.contains(&name));
        let differ = a_row == MONEY && one(a_unit).zip(one(b_unit)).is_some_and(|(a, b)| a != b);
        return differ.then_some(Measure::Other);
    }
    Some(if equal(a * a_size, b * b_size) { Measure::Same } else { Measure::Other })
}

/// The row of the units of money.
const MONEY: usize = 1;

/// A text that is one number and one unit.
fn with_unit(folded: &str) -> Option<(f64, &str)> {
    let start = folded.find(|c: char| c.is_alphabetic() || matches!(c, '€' | '$' | '£' | '%'))?;
    let unit = &folded[start..];
    let numbers = whole_text(folded[..start].trim());
    (!unit.contains(' ')).then_some(())?;
    Some((*numbers.first().filter(|_| numbers.len() == 1)?, unit))
}

/// Reads a whole text as one number, with a sign, separators, and a unit or currency around it.
pub(super) fn whole_text(text: &str) -> Vec<f64> {
    let folded = fold(text);
    let mut number = None;
    for word in folded.split(' ') {
        let beside = word.chars().all(char::is_alphabetic) && word.len() <= 3;
        if beside || units_of(word)[0].is_some() {
            continue;
        }
        if number.replace(word).is_some() {
            return Vec::new();
        }
    }
    let Some(word) = number else { return Vec::new() };
    let unsigned = word.trim_start_matches(['-', '+', '€', '$', '£']);
    let sign = if word.starts_with('-') { -1.0 } else { 1.0 };
    let digits = unsigned.trim_end_matches(|character: char| !character.is_ascii_digit());
    let unit = &unsigned[digits.len()..];
    let plain = digits.starts_with(|character: char| character.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b',' | b'\''));
    if !plain || !(unit.is_empty() || units_of(unit)[0].is_some()) {
        return Vec::new();
    }
    let mut found = Vec::with_capacity(2);
    add_one_number(digits, &mut found);
    found.into_iter().map(|value| value * sign).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gives(text: &str, key: &str, value: f64) -> bool {
        Numbers::of(&fold(text)).give(value, &super::super::fold::key_words(key))
    }

    #[test]
    fn reads_notations() {
        let yes = [
            ("about 1,250.50 please", 1250.5),
            ("1.250,50 kr", 1250.5),
            ("1 250 bricks", 1250.0),
            ("1'250 bricks", 1250.0),
            ("twenty-five crates", 25.0),
            ("twenty five crates", 25.0),
            ("three hundred", 300.0),
            ("two dozen eggs", 24.0),
            ("a dozen eggs", 12.0),
            ("12k followers", 12_000.0),
            ("2.5 million", 2_500_000.0),
            ("gate B17", 17.0),
            ("the third floor", 3.0),
        ];
        for (text, value) in yes {
            assert!(gives(text, "count", value), "{text} {value}");
        }
        assert!(!gives("1,250.50", "count", 1251.0));
        assert!(!gives("two, seven", "count", 27.0));
        assert!(!gives("a crate", "count", 5.0));
    }

    #[test]
    fn follows_units() {
        let yes = [
            ("wait 4 seconds", "wait_ms", 4000.0),
            ("half an hour", "minutes", 30.0),
            ("for an hour", "duration_seconds", 3600.0),
            ("a quarter of an hour", "minutes", 15.0),
            ("two weeks", "days", 14.0),
            ("12.30 EUR", "amount_cents", 1230.0),
            ("€7", "amount_minor", 700.0),
            ("15 %", "share", 0.15),
            ("3 km", "radius", 3000.0),
            ("10 miles", "radius_km", 16.1),
            ("4", "timeout_ms", 4000.0),
        ];
        for (text, key, value) in yes {
            assert!(gives(text, key, value), "{text} {value}");
        }
        assert!(!gives("wait 4 seconds", "wait_ms", 5000.0));
        assert!(!gives("two weeks", "days", 10.0));
    }

    #[test]
    fn reads_pairs_bounds_and_lone_units() {
        assert!(gives("at (31,47)", "x", 31.0) && gives("at (31,47)", "x", 47.0));
        assert!(gives("at 52.1875,4.25", "lat", 52.187_5));
        assert!(gives("fewer than six bolts", "max_bolts", 5.0) && !gives("six bolts", "max_bolts", 5.0));
        assert!(gives("over the past decade", "years", 10.0) && gives("for the next week", "days", 7.0));
    }

    #[test]
    fn combines_two_numbers_and_no_more() {
        assert!(gives("3 boxes of 12", "count", 36.0));
        assert!(gives("from 4 to 9", "span", 5.0));
        assert!(!gives("3 boxes of 12", "count", 37.0));
    }

    #[test]
    fn reads_a_whole_text_as_a_number() {
        assert!(whole_text("49.90").contains(&49.9));
        assert!(whole_text("1,200 EUR").contains(&1200.0));
        assert!(whole_text("-3").contains(&-3.0));
        assert!(whole_text("€12").contains(&12.0) && whole_text("30s").contains(&30.0));
        assert!(whole_text("B4-12 left").is_empty() && whole_text("K-4471").is_empty());
        assert!(whole_text("2026-01-02").is_empty());
    }

    #[test]
    fn takes_any_text() {
        for text in ["", "-", "9".repeat(400).as_str(), "1.1.1.1.1", "½ é 3€", "a"] {
            let _ = Numbers::of(text).give(1.0, &[]);
        }
    }
}
