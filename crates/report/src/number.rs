//! How a count, a percentage, a rate, an interval and an absent value are written, everywhere. Deciding what
//! may be shown is here too: no percentage under ten scored probes, "at most" in place of a zero, and never a
//! figure where nothing was measured (DESIGN.md section 6).

use scorer::{Rate, RateState};

/// Under this many scored probes, or pairs of them, a rate is shown as counts alone.
pub(crate) const PROBES_FOR_A_PERCENTAGE: u64 = 10;

/// Below this share `1 in N` stands beside the percentage.
const SMALL: f64 = 0.05;

/// A count with a comma at every third digit.
#[must_use]
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A share as a percentage without its sign: one decimal, and two significant digits near zero and near one,
/// so that what is neither 0 nor 1 never looks like it.
pub(crate) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let distance = percent.min(100.0 - percent);
    if distance <= 0.0 || distance >= 0.095 {
        return format!("{percent:.1}");
    }
    // Digits until the second significant one of the distance.
    let places = (1.0 - distance.log10().floor()).clamp(2.0, 9.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 2 and 9")]
    let places = places as usize;
    format!("{percent:.places$}")
}

/// A share of paired probes, its counts beside it: a whole zero where nothing was seen.
pub(crate) fn paired_share(share: f64) -> String {
    if share == 0.0 { "0".to_owned() } else { percent(share) }
}

/// A count with its word: `1 cell`, `6 cells`.
pub(crate) fn counted(number: u64, word: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {word}{plural}", count(number))
}

/// A span between two RFC 3339 moments, to the second: `2031-03-09 07:00:01 to 07:04:12 UTC`.
#[must_use]
pub fn window(from: &str, to: &str) -> String {
    let (Some((day, start, zone)), Some((other_day, end, other_zone))) = (moment(from), moment(to)) else {
        return format!("{from} to {to}");
    };
    if zone != other_zone {
        return format!("{day} {start} {zone} to {other_day} {end} {other_zone}");
    }
    if day == other_day {
        format!("{day} {start} to {end} {zone}")
    } else {
        format!("{day} {start} to {other_day} {end} {zone}")
    }
}

/// Day, time to the second, and zone.
fn moment(text: &str) -> Option<(&str, &str, &str)> {
    let (day, rest) = text.split_once('T')?;
    let time = rest.get(..8)?;
    let zone = rest[8..].find(['Z', '+', '-']).and_then(|at| rest[8..].get(at..))?;
    Some((day, time, if zone == "Z" { "UTC" } else { zone }))
}

/// A percentage with its sign.
#[must_use]
pub fn percent_sign(share: f64) -> String {
    format!("{} %", percent(share))
}

/// A difference of two shares in percentage points, with its sign.
pub(crate) fn points(difference: f64) -> String {
    let points = difference * 100.0;
    if points.abs() < 0.05 { "0.0".to_owned() } else { format!("{points:+.1}") }
}

/// The size of a difference in percentage points, without a sign: `5.0`.
pub(crate) fn points_size(difference: f64) -> String {
    format!("{:.1}", difference.abs() * 100.0)
}

/// Both ends of an interval in percentage points: `+0.9 to +9.9`.
pub(crate) fn points_interval((lower, upper): (f64, f64)) -> String {
    format!("{} to {}", points(lower), points(upper))
}

/// A p-value behind the letter: `= 0.004`, and `< 0.001` below that.
pub(crate) fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("= {p:.3}") }
}

/// `1 in N`.
#[must_use]
pub fn one_in(share: f64) -> Option<String> {
    if !(share > 0.0 && share < SMALL) {
        return None;
    }
    let times = (1.0 / share).round();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a positive whole number")]
    let times = times as u64;
    Some(format!("1 in {}", count(times)))
}

/// `events of total`, with `1 in N` where that is small.
pub(crate) fn of(events: u64, total: u64) -> String {
    format!("{} of {}", count(events), count(total))
}

/// A span of time: `640 ms`, `4.2 s`, `12 min 41 s`, `3 h 5 min`.
pub(crate) fn duration(milliseconds: u64) -> String {
    let seconds = milliseconds / 1_000;
    match milliseconds {
        0..1_000 => format!("{milliseconds} ms"),
        1_000..60_000 => format!("{seconds}.{} s", milliseconds % 1_000 / 100),
        60_000..3_600_000 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
    }
}

/// A rate as it may be shown.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Figure {
    /// No eligible trial was scored.
    NotMeasured,
    /// The endpoint makes the event impossible, or hides it.
    Censored,
    /// Too few of the planned trials were scored.
    CoverageTooLow { scored: u64, planned: u64 },
    /// Counts alone: too few probes for a percentage.
    Counts { events: u64, scored: u64 },
    /// Not one event.
    Zero { scored: u64, at_most: Option<f64> },
    /// A percentage, never without its counts.
    Share { share: f64, events: u64, scored: u64, interval: Option<(f64, f64)> },
}

impl Figure {
    /// What may be shown of a rate.
    pub(crate) fn of(rate: &Rate) -> Self {
        let Rate { events, scored, planned, interval_95: interval, .. } = *rate;
        match (rate.state, rate.mean_over_probes) {
            (RateState::Censored, _) => Self::Censored,
            (RateState::CoverageTooLow, _) => Self::CoverageTooLow { scored, planned },
            (RateState::NotMeasured, _) | (_, None) => Self::NotMeasured,
            _ if scored == 0 => Self::NotMeasured,
            _ if rate.probes < PROBES_FOR_A_PERCENTAGE => Self::Counts { events, scored },
            _ if events == 0 => Self::Zero { scored, at_most: interval.map(|(_, upper)| upper) },
            (RateState::Measured, Some(share)) => Self::Share { share, events, scored, interval },
        }
    }

    /// In one line of prose.
    pub(crate) fn sentence(&self) -> String {
        match self {
            Self::NotMeasured => "not measured".to_owned(),
            Self::Censored => "censored".to_owned(),
            Self::CoverageTooLow { scored, planned } => {
                format!("coverage too low: {} scored", of(*scored, *planned))
            }
            Self::Counts { events, scored } => of(*events, *scored),
            Self::Zero { scored, at_most: None } => of(0, *scored),
            Self::Zero { scored, at_most: Some(upper) } => {
                format!("{}; at most {}", of(0, *scored), percent_sign(*upper))
            }
            Self::Share { share, events, scored, interval } => {
                let mut out = format!("{}, {}", percent_sign(*share), of(*events, *scored));
                if let Some(interval) = interval {
                    out.push_str(", 95 % interval ");
                    out.push_str(&interval_words(*interval));
                }
                out
            }
        }
    }
}

/// `1.4 to 6.7 %`.
pub(crate) fn interval_words((lower, upper): (f64, f64)) -> String {
    format!("{} to {} %", percent(lower), percent(upper))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped_by_thousands() {
        assert_eq!([0, 999, 5_760, 1_234_567].map(count), ["0", "999", "5,760", "1,234,567"]);
    }

    #[test]
    fn what_is_not_zero_never_looks_like_zero_nor_what_is_not_all_like_all() {
        for (share, written) in [
            (0.0, "0.0"),
            (0.031_4, "3.1"),
            (0.108, "10.8"),
            (0.001, "0.1"),
            (0.000_96, "0.1"),
            (0.000_4, "0.040"),
            (0.000_000_42, "0.000042"),
            (0.999_6, "99.960"),
            (1.0, "100.0"),
        ] {
            assert_eq!(percent(share), written, "{share}");
        }
    }

    #[test]
    fn a_window_says_the_day_once() {
        assert_eq!(
            window("2031-03-09T07:00:01.120Z", "2031-03-09T07:04:12Z"),
            "2031-03-09 07:00:01 to 07:04:12 UTC"
        );
        assert_eq!(
            window("2031-03-09T23:59:01+01:00", "2031-03-10T00:04:12+01:00"),
            "2031-03-09 23:59:01 to 2031-03-10 00:04:12 +01:00"
        );
        assert_eq!(window("then", "now"), "then to now");
    }

    #[test]
    fn a_p_value_is_never_zero() {
        assert_eq!([0.004_4, 0.000_4, 0.0].map(p_value), ["= 0.004", "< 0.001", "< 0.001"]);
    }

    #[test]
    fn one_in_stands_beside_small_shares_only() {
        assert_eq!(one_in(0.0), None);
        assert_eq!(one_in(0.2), None);
        assert_eq!(one_in(0.031_4).as_deref(), Some("1 in 32"));
        assert_eq!(one_in(0.000_1).as_deref(), Some("1 in 10,000"));
    }

    #[test]
    fn durations_say_their_units() {
        assert_eq!(
            [640, 4_270, 761_000, 11_100_000].map(duration),
            ["640 ms", "4.2 s", "12 min 41 s", "3 h 5 min"]
        );
    }
}
