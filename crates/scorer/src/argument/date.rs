//! Dates in a text, in the notations that people use, and whether a date follows from them.

use jiff::civil::{Date, DateTime};
use jiff::{Span, Timestamp};

use super::fold::fold;
use super::number::Numbers;
use super::word;

/// How many dates of a text are kept: a bound on hostile ones.
const MAX_DATES: usize = 4_096;

/// The dates that a text gives, and those that follow from it on a given day.
#[derive(Debug, Clone, Default)]
pub(super) struct Dates {
    /// From the first to the last day of what is said: a day, a week, a month, a year.
    spans: Vec<(Date, Date)>,
    /// Day and month without a year.
    yearless: Vec<(i8, i8)>,
    /// A month without a year.
    months: Vec<i8>,
    /// A day of some month ("on the 14th").
    days: Vec<i8>,
    /// Whether the text speaks of days relative to the present one.
    pub(super) relative: bool,
    today: Option<Date>,
}

/// Reads a point in time as RFC 3339 or ISO 8601 writes it; only the date matters here.
pub(super) fn parse_clock(text: &str) -> Option<Date> {
    iso_date(text.trim())
}

impl Dates {
    /// Reads a folded text on the day `today`, where that is known.
    pub(super) fn of(folded: &str, today: Option<Date>) -> Self {
        let mut dates = Self { today, ..Self::default() };
        dates.day(today);
        let words: Vec<&str> =
            folded.split([' ', '\n', ',', '(', ')', '"', ';', '\'', '[', ']', '{', '}']).collect();
        let words: Vec<&str> = words.into_iter().map(trim).filter(|word| !word.is_empty()).collect();
        for at in 0..words.len() {
            if dates.spans.len() > MAX_DATES {
                break;
            }
            dates.read_written(&words, at);
            dates.read_relative(&words, at);
        }
        dates
    }

    /// Whether the text gives this day or it follows from the text.
    pub(super) fn give(&self, day: Date) -> bool {
        if self.spans.iter().any(|&(first, last)| first <= day && day <= last) {
            return true;
        }
        let near = self.today.is_none_or(|today| (day.year() - today.year()).abs() <= 1);
        if near && self.yearless.iter().any(|&(at, month)| at == day.day() && month == day.month()) {
            return true;
        }
        near && (self.months.contains(&day.month()) || (self.days.contains(&day.day()) && self.is_close(day)))
    }

    /// Whether the text gives a day of this month, or the month.
    pub(super) fn give_month(&self, year: i16, month: i8) -> bool {
        let Ok(first) = Date::new(year, month, 1) else { return false };
        let last = first.last_of_month();
        self.spans.iter().any(|&(from, to)| from <= last && first <= to)
            || (self.today.is_none_or(|today| (year - today.year()).abs() <= 1)
                && (self.months.contains(&month) || self.yearless.iter().any(|&(_, given)| given == month)))
    }

    /// The only whole day that the text writes out, where there is exactly one.
    pub(super) fn only_day(&self) -> Option<Date> {
        let mut days = self.spans.iter().filter(|(first, last)| first == last).map(|(day, _)| *day);
        let day = days.next()?;
        days.all(|other| other == day).then_some(day)
    }

    /// The latest year that is written out.
    pub(super) fn latest_year(&self) -> Option<i16> {
        self.spans.iter().map(|(_, last)| last.year()).max()
    }

    fn is_close(&self, day: Date) -> bool {
        self.today.is_none_or(|today| distance(today, day) <= 62)
    }

    fn day(&mut self, day: Option<Date>) {
        self.spans.extend(day.map(|day| (day, day)));
    }

    fn span(&mut self, first: Option<Date>, last: Option<Date>) {
        if let (Some(first), Some(last)) = (first, last) {
            self.spans.push((first.min(last), first.max(last)));
        }
    }

    fn read_written(&mut self, words: &[&str], at: usize) {
        let token = words[at];
        let bytes = token.as_bytes();
        if bytes.first().is_some_and(u8::is_ascii_digit) {
            for day in numeric(token) {
                self.day(Some(day));
            }
            if let Some((year, month)) = year_month(token) {
                self.month(Some(year), month);
            } else if !follows_month(words, at)
                && let Some(year) = year_of(token)
                && let Ok(first) = Date::new(year, 1, 1)
            {
                // A year alone gives its ends, not every day in it.
                self.day(Some(first));
                self.day(Date::new(year, 12, 31).ok());
            }
            if let Some(day) = ordinal(token) {
                self.days.push(day);
            }
            return;
        }
        let near = |at: Option<usize>| at.and_then(|at| words.get(at)).copied().unwrap_or_default();
        if let Some(month) = month_of(token) {
            self.read_month(
                month,
                [near(at.checked_sub(1)), near(at.checked_sub(2))],
                [near(at.checked_add(1)), near(at.checked_add(2))],
            );
        }
        if let Some(quarter) = token.strip_prefix('q').and_then(|digit| digit.parse::<i8>().ok())
            && (1..=4).contains(&quarter)
        {
            let year = year_of(near(at.checked_add(1))).or(self.today.map(|today| today.year()));
            if let Some(year) = year {
                let first = Date::new(year, quarter * 3 - 2, 1).ok();
                self.span(first, Date::new(year, quarter * 3, 1).ok().map(Date::last_of_month));
            }
        }
        for &(_, month, day) in word::FEAST_DAYS.iter().filter(|(name, ..)| *name == token) {
            self.yearless.push((day, month));
        }
    }

    /// A month's name with what stands around it: `12 February 2027`, `February 12th`, `in February`.
    fn read_month(&mut self, month: i8, before: [&str; 2], after: [&str; 2]) {
        let day_before =
            day_number(before[0]).or_else(|| (before[0] == "of").then(|| day_number(before[1]))?);
        let day_after = day_number(after[0]);
        let year = year_of(after[0]).or_else(|| year_of(after[1]));
        match (day_before.or(day_after), year) {
            (Some(day), Some(year)) => self.day(Date::new(year, month, day).ok()),
            (Some(day), None) => self.yearless.push((day, month)),
            (None, year) => self.month(year, month),
        }
    }

    fn month(&mut self, year: Option<i16>, month: i8) {
        match year {
            Some(year) => {
                let first = Date::new(year, month, 1).ok();
                self.span(first, first.map(Date::last_of_month));
            }
            None => self.months.push(month),
        }
    }

    fn read_relative(&mut self, words: &[&str], at: usize) {
        let near = |at: Option<usize>| at.and_then(|at| words.get(at)).copied().unwrap_or_default();
        let token = words[at];
        let before = near(at.checked_sub(1));
        let day_offsets: &[i64] = match token {
            "today" | "tonight" | "now" | "currently" | "current" | "morning" | "afternoon" | "evening" => {
                &[0]
            }
            "tomorrow" if before == "after" => &[1, 2],
            "tomorrow" => &[1],
            "yesterday" if before == "before" => &[-1, -2],
            "yesterday" => &[-1],
            _ => &[],
        };
        if !day_offsets.is_empty() {
            self.relative |= !matches!(token, "current" | "currently" | "now");
            for &offset in day_offsets {
                self.day(self.today.and_then(|today| shift(today, Span::new().days(offset))));
            }
        }
        if let Some(weekday) = weekday_of(token) {
            self.relative = true;
            if let Some(today) = self.today {
                let to_monday = i64::from(today.weekday().to_monday_zero_offset());
                for week in -2..=2_i64 {
                    let offset = week * 7 + weekday - to_monday;
                    self.day(shift(today, Span::new().days(offset)));
                }
            }
        }
        if let Some(unit) = unit_of(token) {
            self.read_unit(unit, before, &words[at.saturating_sub(6)..at]);
        }
    }

    /// `next week`, `this month`, `in three days`, `two weeks ago`: both directions are taken.
    fn read_unit(&mut self, unit: Unit, before: &str, words_before: &[&str]) {
        let named =
            matches!(before, "next" | "last" | "this" | "previous" | "coming" | "past" | "the" | "following");
        let Some(today) = self.today else {
            self.relative |= named && before != "the";
            return;
        };
        if named {
            self.relative |= before != "the";
            for step in -1..=1 {
                let (first, last) = around(shift(today, unit.span(step)).unwrap_or(today), unit);
                self.span(Some(first), Some(last));
            }
        }
        let numbers = Numbers::of(&words_before.join(" "));
        for count in 1..=90_i32 {
            if numbers.give_exactly(f64::from(count)) {
                self.relative = true;
                for step in [i64::from(count), -i64::from(count)] {
                    let day = shift(today, unit.span(step));
                    self.day(day);
                    // A span that starts or ends today may count today in.
                    self.day(day.and_then(|day| shift(day, Span::new().days(-step.signum()))));
                    self.day(Some(today));
                }
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Day,
    Weekend,
    Week,
    Fortnight,
    Month,
    Quarter,
    Year,
}

impl Unit {
    fn span(self, count: i64) -> Span {
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

fn unit_of(token: &str) -> Option<Unit> {
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
fn around(day: Date, unit: Unit) -> (Date, Date) {
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

fn shift(day: Date, span: Span) -> Option<Date> {
    day.checked_add(span).ok()
}

fn distance(a: Date, b: Date) -> i32 {
    (b - a).get_days().abs()
}

fn trim(word: &str) -> &str {
    word.trim_matches(|character: char| matches!(character, '.' | '!' | '?' | ':' | '<' | '>' | '*' | '-'))
}

/// The days that a token of digits can mean.
fn numeric(token: &str) -> Vec<Date> {
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
fn iso_date(token: &str) -> Option<Date> {
    let head = token.get(..10)?;
    let rest = &token[10..];
    let separated = rest.is_empty() || rest.starts_with(['T', 't', ' ', 'Z']);
    (separated && head.as_bytes().get(4) == Some(&b'-')).then(|| head.parse().ok())?
}

fn year_month(token: &str) -> Option<(i16, i8)> {
    let (year, month) = token.split_once(['-', '/'])?;
    let (year, month) = if year.len() == 4 { (year, month) } else { (month, year) };
    let month = month.parse().ok().filter(|month| (1..=12).contains(month))?;
    Some((year_of(year)?, month))
}

fn year_of(token: &str) -> Option<i16> {
    let year = token.parse().ok().filter(|year| (1900..=2199).contains(year))?;
    (token.len() == 4).then_some(year)
}

/// Whether a year belongs to the month before it: `February 2027`, `February 12 2027`.
fn follows_month(words: &[&str], at: usize) -> bool {
    let before = |steps: usize| at.checked_sub(steps).map(|at| words[at]).unwrap_or_default();
    month_of(before(1)).is_some() || (day_number(before(1)).is_some() && month_of(before(2)).is_some())
}

fn day_number(token: &str) -> Option<i8> {
    let digits = token.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    let ending = &token[digits.len()..];
    let day = digits.parse().ok().filter(|day| (1..=31).contains(day))?;
    matches!(ending, "" | "st" | "nd" | "rd" | "th").then_some(day)
}

fn ordinal(token: &str) -> Option<i8> {
    let is_ordinal = ["st", "nd", "rd", "th"].iter().any(|ending| token.ends_with(ending));
    is_ordinal.then(|| day_number(token))?
}

fn month_of(token: &str) -> Option<i8> {
    let at = word::MONTHS.iter().position(|month| {
        *month == token
            || (token.len() == 3 && month.starts_with(token))
            || (token == "sept" && *month == "september")
    })?;
    i8::try_from(at + 1).ok()
}

fn weekday_of(token: &str) -> Option<i64> {
    let singular = token.strip_suffix('s').unwrap_or(token);
    let at = word::WEEKDAYS
        .iter()
        .position(|day| *day == singular || (token.len() == 3 && token != "sun" && day.starts_with(token)))?;
    i64::try_from(at).ok()
}

/// What a value that should be a date says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    /// A day; whether a zone stands beside it that may move it by one.
    Day(Date, bool),
    /// A month.
    Month(i16, i8),
}

impl Said {
    /// Reads a whole value as one date.
    pub(super) fn of(value: &str) -> Option<Self> {
        let value = value.trim();
        if let Some(day) = iso_date(value) {
            let rest = &value[10..];
            let is_time = rest.is_empty()
                || value.parse::<DateTime>().is_ok()
                || value.parse::<Timestamp>().is_ok()
                || rest.len() <= 7;
            let zoned =
                rest.ends_with(['Z', 'z']) || rest.get(6..).is_some_and(|tail| tail.contains(['+', '-']));
            return is_time.then_some(Self::Day(day, zoned));
        }
        if let Some((year, month)) = year_month(value) {
            return Some(Self::Month(year, month));
        }
        if value.len() > 32 || !value.bytes().any(|byte| byte.is_ascii_digit()) {
            return None;
        }
        // Another notation: the text must be a date and nothing beside it.
        let folded = fold(value);
        let only_date_words =
            folded.split([' ', ',']).map(trim).filter(|word| !word.is_empty()).all(|word| {
                word.starts_with(|c: char| c.is_ascii_digit())
                    || month_of(word).is_some()
                    || weekday_of(word).is_some()
                    || matches!(word, "of" | "the")
            });
        let dates = only_date_words.then(|| Dates::of(&folded, None))?;
        dates.only_day().map(|day| Self::Day(day, false))
    }

    /// The year.
    pub(super) fn year(self) -> i16 {
        match self {
            Self::Day(day, _) => day.year(),
            Self::Month(year, _) => year,
        }
    }

    /// The day before, where it is a day: an end may be told as the first moment that is out.
    pub(super) fn day_before(self) -> Option<Self> {
        match self {
            Self::Day(day, zoned) => Some(Self::Day(shift(day, Span::new().days(-1))?, zoned)),
            Self::Month(..) => None,
        }
    }

    /// Whether the texts give it.
    pub(super) fn follows_from(self, dates: &Dates) -> bool {
        match self {
            Self::Month(year, month) => dates.give_month(year, month),
            Self::Day(day, false) => dates.give(day),
            Self::Day(day, true) => {
                let beside = |offset| shift(day, Span::new().days(offset)).is_some_and(|day| dates.give(day));
                dates.give(day) || beside(1) || beside(-1)
            }
        }
    }
}

/// Whether two texts write the same day.
pub(super) fn same_day(a: &str, b: &str) -> bool {
    match (Said::of(a), Said::of(b)) {
        (Some(Said::Day(a, _)), Some(Said::Day(b, _))) => a == b,
        (Some(Said::Month(..)), Some(Said::Month(..))) => Said::of(a) == Said::of(b),
        // One side leaves open which is the day and which the month.
        (Some(Said::Day(day, _)), None) => numeric(b.trim()).contains(&day),
        (None, Some(Said::Day(day, _))) => numeric(a.trim()).contains(&day),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    fn gives(text: &str, wanted: &str) -> bool {
        // A Wednesday.
        Dates::of(&fold(text), Some(day("2027-06-16"))).give(day(wanted))
    }

    #[test]
    fn reads_written_dates() {
        let yes = [
            ("due 2027-08-09.", "2027-08-09"),
            ("2027-08-09T10:00:00Z", "2027-08-09"),
            ("on 9 August 2027", "2027-08-09"),
            ("August 9th, 2027", "2027-08-09"),
            ("the 9th of Aug", "2027-08-09"),
            ("9.8.2027", "2027-08-09"),
            ("08/09/2027", "2027-08-09"),
            ("08/09/2027", "2027-09-08"),
            ("in August", "2027-08-31"),
            ("March 2025", "2025-03-01"),
            ("on the 21st", "2027-06-21"),
            ("Q2 2027", "2027-06-30"),
            ("all of 2024", "2024-12-31"),
            ("before Christmas", "2027-12-24"),
        ];
        for (text, wanted) in yes {
            assert!(gives(text, wanted), "{text} {wanted}");
        }
        let no = [
            ("due 2027-08-09", "2027-08-10"),
            ("due 2027-08-09", "2025-08-09"),
            ("on 9 August", "2023-08-09"),
            ("all of 2024", "2024-05-05"),
            ("version 1.2.3", "2027-02-01"),
        ];
        for (text, wanted) in no {
            assert!(!gives(text, wanted), "{text} {wanted}");
        }
    }

    #[test]
    fn follows_relative_dates() {
        let yes = [
            ("today", "2027-06-16"),
            ("tomorrow", "2027-06-17"),
            ("the day after tomorrow", "2027-06-18"),
            ("yesterday", "2027-06-15"),
            ("on Friday", "2027-06-18"),
            ("next Friday", "2027-06-25"),
            ("last Monday", "2027-06-14"),
            ("in three days", "2027-06-19"),
            ("two weeks ago", "2027-06-02"),
            ("next month", "2027-07-31"),
            ("this week", "2027-06-20"),
            ("last year", "2026-01-01"),
            ("the past 7 days", "2027-06-09"),
            ("this weekend", "2027-06-19"),
        ];
        for (text, wanted) in yes {
            assert!(gives(text, wanted), "{text} {wanted}");
        }
        assert!(!gives("tomorrow", "2027-06-18"));
        assert!(!gives("tomorrow", "2025-06-17"));
        assert!(!gives("on Friday", "2027-06-17"));
        assert!(!gives("next week", "2027-09-01"));
        assert!(!gives("in three days", "2027-06-21"));
    }

    #[test]
    fn reads_a_value_as_a_date() {
        assert_eq!(Said::of("2027-06-16"), Some(Said::Day(day("2027-06-16"), false)));
        assert_eq!(Said::of("2027-06-16T09:00:00+02:00"), Some(Said::Day(day("2027-06-16"), true)));
        assert_eq!(Said::of("2027-06-16 09:00"), Some(Said::Day(day("2027-06-16"), false)));
        assert_eq!(Said::of("16 June 2027"), Some(Said::Day(day("2027-06-16"), false)));
        assert_eq!(Said::of("2027-06"), Some(Said::Month(2027, 6)));
        assert_eq!(Said::of("crate of 16 June 2027"), None);
        assert_eq!(Said::of("2027-06-16-rev2"), None);
        assert_eq!(Said::of("12"), None);
        assert!(same_day("16 June 2027", "2027-06-16T00:00:00"));
        assert!(same_day("16/06/2027", "2027-06-16"));
        assert!(!same_day("2027-06-16", "2027-06-17"));
    }

    #[test]
    fn takes_any_text() {
        for text in ["", "99999-99-99", "31 february 2027", "q9", "é-€-½", "0/0/0", "in 90 years"] {
            let _ = Dates::of(text, Some(day("9999-12-30"))).give(day("2027-06-16"));
            let _ = Said::of(text);
        }
    }
}
