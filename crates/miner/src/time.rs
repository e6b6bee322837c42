//! Moments in logs: RFC 3339, or milliseconds since 1970, read as milliseconds since 1970.

use jiff::Timestamp;

/// Milliseconds since 1970 of a moment as it is written; `None` where it is none.
#[must_use]
pub fn moment(text: &str) -> Option<i64> {
    utc(text.as_bytes())
        .or_else(|| from_number(text))
        .or_else(|| {
            let stamp: Timestamp = text.parse().ok()?;
            Some(stamp.as_millisecond())
        })
        .or_else(|| {
            // Without a zone: read as UTC.
            let local: jiff::civil::DateTime = text.parse().ok()?;
            Some(local.to_zoned_datetime(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_millisecond())
        })
}

/// The moment as RFC 3339 in UTC.
#[must_use]
pub fn moment_text(milliseconds: i64) -> Option<String> {
    Some(Timestamp::from_millisecond(milliseconds).ok()?.to_string())
}

/// The day in UTC, as `2031-03-09`.
pub(crate) fn day_text(milliseconds: i64) -> Option<String> {
    let stamp = Timestamp::from_millisecond(milliseconds).ok()?;
    Some(stamp.to_zoned_datetime(jiff::tz::TimeZone::UTC).date().to_string())
}

/// Seconds, milliseconds, microseconds or nanoseconds since 1970, told by their size: all from 1973 on.
fn from_number(text: &str) -> Option<i64> {
    let number: i64 = text.split('.').next()?.parse().ok()?;
    match number {
        100_000_000..100_000_000_000 => Some(number * 1_000),
        100_000_000_000..100_000_000_000_000 => Some(number),
        100_000_000_000_000..100_000_000_000_000_000 => Some(number / 1_000),
        100_000_000_000_000_000.. => Some(number / 1_000_000),
        _ => None,
    }
}

/// The form that nearly every log has, `2031-03-09T07:00:01.120Z`, without a general parser.
fn utc(text: &[u8]) -> Option<i64> {
    let (&[y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2, b'T', h1, h2, b':', n1, n2, b':', s1, s2], rest) =
        text.split_first_chunk::<19>()?
    else {
        return None;
    };
    let fraction = rest.strip_suffix(b"Z")?;
    let millisecond = match fraction {
        [] => 0,
        &[b'.', a, b, c] => digits(&[a, b, c])?,
        _ => return None,
    };
    let year = digits(&[y1, y2, y3, y4])?;
    let (month, day) = (digits(&[m1, m2])?, digits(&[d1, d2])?);
    let (hour, minute, second) = (digits(&[h1, h2])?, digits(&[n1, n2])?, digits(&[s1, s2])?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    // Days since 1970 of the civil calendar, counted from the first of March.
    let shifted = year - i64::from(month <= 2);
    let (era, of_era) = (shifted.div_euclid(400), shifted.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    Some(((days * 24 + hour) * 60 + minute) * 60_000 + second * 1_000 + millisecond)
}

fn digits(text: &[u8]) -> Option<i64> {
    text.iter().try_fold(0, |number: i64, digit| {
        digit.is_ascii_digit().then(|| number * 10 + i64::from(digit - b'0'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quick_way_and_the_general_one_agree() {
        for text in [
            "1970-01-01T00:00:00Z",
            "1972-02-29T23:59:59.999Z",
            "2031-03-09T07:00:01.120Z",
            "2000-12-31T12:00:00.000Z",
            "2100-03-01T00:00:00Z",
        ] {
            let stamp: Timestamp = text.parse().unwrap();
            assert_eq!(utc(text.as_bytes()), Some(stamp.as_millisecond()), "{text}");
        }
    }

    #[test]
    fn other_forms() {
        assert_eq!(moment("2031-03-09T08:00:01+01:00"), moment("2031-03-09T07:00:01Z"));
        assert_eq!(moment("2031-03-09T07:00:01.120340"), moment("2031-03-09T07:00:01.120Z"));
        assert_eq!(moment("1763681581544"), Some(1_763_681_581_544));
        assert_eq!(moment("1763681581"), Some(1_763_681_581_000));
        assert_eq!(moment("1763681581544000000"), Some(1_763_681_581_544));
        for none in ["", "yesterday", "2031-13-09T07:00:01Z", "12"] {
            assert_eq!(moment(none), None, "{none}");
        }
    }

    #[test]
    fn written_back() {
        assert_eq!(moment_text(0).as_deref(), Some("1970-01-01T00:00:00Z"));
        assert_eq!(day_text(1_763_681_581_544).as_deref(), Some("2025-11-20"));
        assert_eq!(moment_text(i64::MAX), None);
    }
}
