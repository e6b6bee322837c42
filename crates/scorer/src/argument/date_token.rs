//! The words that dates are written with, one at a time.

use jiff::Span;
use jiff::civil::Date;

use super::word;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Day,
    Weekend,
    Week,
    Fortnight,
    Month,
    Quarter,
    Year,
}

impl Unit {
    pub(super) fn span(self, count: i64) -> Span {
        let span = Span::new();
        match self {
            Self::Day => span.days(count),
            Self::Week | Self::Weekend => span.weeks(count),
            Self::Fortnight => span.weeks(2 * count),
            Self::Month => span.months(count),
            Self::Quarter => span.months(3 * count),
            Self::Year => span.years(count),
        }
    }
}

pub(super) fn unit_of(token: &str) -> Option<Unit> {
    Some(match token {
        "day" | "days" => Unit::Day,
        "weekend" => Unit::Weekend,
        "week" | "weeks" => Unit::Week,
        "fortnight" => Unit::Fortnight,
        "month" | "months" => Unit::Month,
        "quarter" | "quarters" => Unit::Quarter,
        "year" | "years" => Unit::Year,
        _ => return None,
    })
}

/// The unit's first and last day around a day. Weeks may start on Sunday.
pub(super) fn around(day: Date, unit: Unit) -> (Date, Date) {
    let days = |from: i64, to: i64| {
        let move_by = |offset| shift(day, Span::new().days(offset)).unwrap_or(day);
        (move_by(from), move_by(to))
    };
    let monday = -i64::from(day.weekday().to_monday_zero_offset());
    match unit {
        Unit::Day => (day, day),
        Unit::Weekend => days(monday + 4, monday + 7),
        Unit::Week | Unit::Fortnight => days(monday - 1, monday + 7),
        Unit::Month => (day.first_of_month(), day.last_of_month()),
        Unit::Quarter => {
            let first_month = (day.month() - 1) / 3 * 3 + 1;
            let first = Date::new(day.year(), first_month, 1).unwrap_or(day);
            let last = Date::new(day.year(), first_month + 2, 1).map_or(day, Date::last_of_month);
            (first, last)
        }
        Unit::Year => (day.first_of_year(), day.last_of_year()),
    }
}

pub(super) fn shift(day: Date, span: Span) -> Option<Date> {
    day.checked_add(span).ok()
}

pub(super) fn distance(a: Date, b: Date) -> i32 {
    (b - a).get_days().abs()
}

pub(super) fn trim(word: &str) -> &str {
    word.trim_matches(|character: char| matches!(character, '.' | '!' | '?' | ':' | '<' | '>' | '*' | '-'))
}

/// The days that a token of digits can mean.
pub(super) fn numeric(token: &str) -> Vec<Date> {
    if let Some(day) = iso_date(token) {
        return vec![day];
    }
    let mut parts = token.split(['/', '.', '-']).map(|part| part.parse::<i16>().ok());
    let (Some(Some(a)), Some(Some(b)), Some(Some(c)), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Vec::new();
    };
    let long = |year: i16| if year < 100 { year + 2000 } else { year };
    let make = |year: i16, month: i16, day: i16| {
        Date::new(long(year), i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
    };
    if a >= 1000 {
        return make(a, b, c).into_iter().collect();
    }
    // Which comes first, day or month, is not told: both are taken.
    let mut days: Vec<Date> = make(c, b, a).into_iter().chain(make(c, a, b)).collect();
    days.dedup();
    days
}

/// `2027-02-12` and `2027-02-12T10:00:00+01:00`.
pub(super) fn iso_date(token: &str) -> Option<Date> {
    let head = token.get(..10)?;
    let rest = &token[10..];
    let separated = rest.is_empty() || rest.starts_with(['T', 't', ' ', 'Z']);
    (separated && head.as_bytes().get(4) == Some(&b'-')).then(|| head.parse().ok())?
}

pub(super) fn year_month(token: &str) -> Option<(i16, i8)> {
    let (year, month) = token.split_once(['-', '/'])?;
    let (year, month) = if year.len() == 4 { (year, month) } else { (month, year) };
    let month = month.parse().ok().filter(|month| (1..=12).contains(month))?;
    Some((year_of(year)?, month))
}

pub(super) fn year_of(token: &str) -> Option<i16> {
    let year = token.parse().ok().filter(|year| (1900..=2199).contains(year))?;
    (token.len() == 4).then_some(year)
}

/// Whether a year belongs to the month before it: `February 2027`, `February 12 2027`.
pub(super) fn follows_month(words: &[&str], at: usize) -> bool {
    let before = |steps: usize| at.checked_sub(steps).map(|at| words[at]).unwrap_or_default();
    month_of(before(1)).is_some() || (day_number(before(1)).is_some() && month_of(before(2)).is_some())
}

pub(super) fn day_number(token: &str) -> Option<i8> {
    let digits = token.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    let ending = &token[digits.len()..];
    let day = digits.parse().ok().filter(|day| (1..=31).contains(day))?;
    matches!(ending, "" | "st" | "nd" | "rd" | "th").then_some(day)
}

pub(super) fn ordinal(token: &str) -> Option<i8> {
    let is_ordinal = ["st", "nd", "rd", "th"].iter().any(|ending| token.ends_with(ending));
    is_ordinal.then(|| day_number(token))?
}

pub(super) fn month_of(token: &str) -> Option<i8> {
    let at = word::MONTHS.iter().position(|month| {
        *month == token
            || (token.len() == 3 && month.starts_with(token))
            || (token == "sept" && *month == "september")
    })?;
    i8::try_from(at + 1).ok()
}

pub(super) fn weekday_of(token: &str) -> Option<i64> {
    let singular = token.strip_suffix('s').unwrap_or(token);
    let at = word::WEEKDAYS
        .iter()
        .position(|day| *day == singular || (token.len() == 3 && token != "sun" && day.starts_with(token)))?;
    i64::try_from(at).ok()
}
