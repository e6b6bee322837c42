//! What a value that should be a date says, and whether the texts give it.

use jiff::civil::{Date, DateTime};
use jiff::{Span, Timestamp};

use super::date::Dates;
use super::date_token::{iso_date, month_of, numeric, shift, trim, weekday_of, year_month};
use super::fold::fold;

/// What a value that should be a date says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    /// A day; whether a zone stands beside it that may move it by one.
    Day(Date, bool),
    /// One of two days: which number is the month is not told.
    Either(Date, Date),
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
        if let [a, b] = numeric(value)[..] {
            return Some(Self::Either(a, b));
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
            Self::Day(day, _) | Self::Either(day, _) => day.year(),
            Self::Month(year, _) => year,
        }
    }

    /// The day before, where it is a day: an end may be told as the first moment that is out.
    pub(super) fn day_before(self) -> Option<Self> {
        match self {
            Self::Day(day, zoned) => Some(Self::Day(shift(day, Span::new().days(-1))?, zoned)),
            Self::Either(..) | Self::Month(..) => None,
        }
    }

    /// Whether the texts give it.
    pub(super) fn follows_from(self, dates: &Dates) -> bool {
        match self {
            Self::Month(year, month) => dates.give_month(year, month),
            Self::Either(a, b) => dates.give(a) || dates.give(b),
            Self::Day(day, false) => dates.give(day),
            Self::Day(day, true) => {
                let beside = |offset| shift(day, Span::new().days(offset)).is_some_and(|day| dates.give(day));
                dates.give(day) || beside(1) || beside(-1)
            }
        }
    }
}

/// Whether two texts write the same day, and no other time of it: a time that only one of them tells is not compared.
pub(super) fn same_date(a: &str, b: &str) -> bool {
    if let (Some(a), Some(b)) = (Moment::of(a), Moment::of(b)) {
        return a.is(b);
    }
    match (Said::of(a), Said::of(b)) {
        (Some(Said::Day(a, _)), Some(Said::Day(b, _))) => a == b,
        (Some(Said::Day(day, _)), Some(Said::Either(a, b)))
        | (Some(Said::Either(a, b)), Some(Said::Day(day, _))) => day == a || day == b,
        (Some(a @ (Said::Month(..) | Said::Either(..))), Some(b)) => a == b,
        _ => false,
    }
}

/// A day with a time of it.
#[derive(Debug, Clone, Copy)]
struct Moment {
    /// As the clock on the wall shows it.
    wall: DateTime,
    /// Where the text names a zone.
    instant: Option<Timestamp>,
}

impl Moment {
    fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        iso_date(text)?;
        let time = text.get(11..)?;
        let zone = time.find(['Z', 'z', '+', '-']).map_or(text.len(), |at| 11 + at);
        Some(Self { wall: text.get(..zone)?.trim_end().parse().ok()?, instant: text.parse().ok() })
    }

    /// One clock or one instant: which zone a time is told in is notation.
    fn is(self, other: Self) -> bool {
        self.wall == other.wall || (self.instant.is_some() && self.instant == other.instant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Date {
        text.parse().unwrap()
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
        assert!(same_date("16 June 2027", "2027-06-16T00:00:00"));
        assert!(same_date("16/06/2027", "2027-06-16") && same_date("06/07/2027", "2027-07-06"));
        assert!(!same_date("06/07/2027", "2027-08-06"));
        assert!(!same_date("2027-06-16", "2027-06-17"));
    }

    #[test]
    fn times_of_one_day_are_told_apart() {
        let told = "2027-11-23T18:25:00Z";
        for same in [
            "2027-11-23T18:25Z",
            "2027-11-23 18:25",
            "2027-11-23T18:25:00.000Z",
            "2027-11-23T19:25:00+01:00",
            "2027-11-24T00:25:00+06:00",
            "23 November 2027",
        ] {
            assert!(same_date(told, same) && same_date(same, told), "{same}");
        }
        for other in
            ["2027-11-23T18:25:46Z", "2027-11-23T18:26", "2027-11-23T06:25:00Z", "2027-11-24T18:25:00Z"]
        {
            assert!(!same_date(told, other) && !same_date(other, told), "{other}");
        }
    }

    #[test]
    fn takes_any_text() {
        for text in
            ["", "99999-99-99", "31 february 2027", "2027-06-16T", "2027-06-16é9:00", "é€½é€½é€½é€½", "0/0/0"]
        {
            let _ = (Said::of(text), Moment::of(text));
        }
    }
}
