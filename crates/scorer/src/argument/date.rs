//! Dates in a text, in the notations that people use, and whether a date follows from them.

use jiff::Span;
use jiff::civil::Date;

use super::date_token::{
    Unit, around, day_number, distance, follows_month, iso_date, month_of, numeric, ordinal, shift, trim,
    unit_of, weekday_of, year_month, year_of,
};
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

    /// Whether the text gives a day of this year.
    pub(super) fn give_year(&self, year: i16) -> bool {
        self.spans.iter().any(|(first, last)| first.year() <= year && year <= last.year())
    }

    /// Whether the text gives this month of any year.
    pub(super) fn give_any_month(&self, month: i8) -> bool {
        self.months.contains(&month)
            || self.yearless.iter().any(|&(_, given)| given == month)
            || self.spans.iter().any(|(first, last)| first.month() == month || last.month() == month)
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

#[cfg(test)]
mod tests {
    use super::super::fold::fold;
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
    fn takes_any_text() {
        for text in ["", "99999-99-99", "31 february 2027", "q9", "é-€-½", "0/0/0", "in 90 years"] {
            let _ = Dates::of(text, Some(day("9999-12-30"))).give(day("2027-06-16"));
        }
    }
}
