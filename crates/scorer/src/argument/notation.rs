//! Values that have several notations by convention: telephone numbers, currencies, countries, amounts with a unit. A
//! value in another notation makes nothing up.

use super::fold::fold;
use super::number::{Measure, measure};

/// Notations of one currency: its ISO 4217 code first, then its sign and names.
const CURRENCIES: &[&[&str]] = &[
    &["eur", "€", "euro", "euros"],
    &["usd", "$", "us$", "dollar", "dollars", "us dollar", "us dollars"],
    &["gbp", "£", "pound", "pounds", "pound sterling", "british pound", "british pounds"],
    &["jpy", "¥", "yen", "japanese yen"],
    &["chf", "swiss franc", "swiss francs"],
    &["sek", "swedish krona", "swedish kronor"],
    &["nok", "norwegian krone", "norwegian kroner"],
    &["dkk", "danish krone", "danish kroner"],
    &["pln", "zł", "zloty", "polish zloty"],
    &["czk", "kč", "czech koruna"],
    &["cad", "ca$", "canadian dollar", "canadian dollars"],
    &["aud", "a$", "australian dollar", "australian dollars"],
    &["nzd", "nz$", "new zealand dollar", "new zealand dollars"],
    &["cny", "rmb", "yuan", "renminbi", "chinese yuan"],
    &["inr", "₹", "rupee", "rupees", "indian rupee", "indian rupees"],
    &["brl", "r$", "real", "reais", "brazilian real"],
    &["mxn", "mexican peso", "mexican pesos"],
    &["krw", "₩", "won", "south korean won"],
    &["try", "₺", "turkish lira"],
    &["zar", "rand", "south african rand"],
];

/// Notations of one country: ISO 3166-1 alpha-2 and alpha-3, then its names.
const COUNTRIES: &[&[&str]] = &[
    &["at", "aut", "austria", "österreich"],
    &["au", "aus", "australia"],
    &["be", "bel", "belgium", "belgien", "belgique"],
    &["br", "bra", "brazil", "brasil"],
    &["ca", "can", "canada"],
    &["ch", "che", "switzerland", "schweiz", "suisse"],
    &["cn", "chn", "china"],
    &["cz", "cze", "czechia", "czech republic"],
    &["de", "deu", "germany", "deutschland"],
    &["dk", "dnk", "denmark"],
    &["es", "esp", "spain", "españa"],
    &["fi", "fin", "finland"],
    &["fr", "fra", "france"],
    &["gb", "gbr", "uk", "united kingdom", "great britain"],
    &["gr", "grc", "greece"],
    &["hu", "hun", "hungary"],
    &["ie", "irl", "ireland"],
    &["in", "ind", "india"],
    &["it", "ita", "italy", "italia"],
    &["jp", "jpn", "japan"],
    &["kr", "kor", "south korea", "republic of korea"],
    &["mx", "mex", "mexico"],
    &["nl", "nld", "netherlands", "the netherlands", "holland"],
    &["no", "nor", "norway"],
    &["nz", "nzl", "new zealand"],
    &["pl", "pol", "poland"],
    &["pt", "prt", "portugal"],
    &["ro", "rou", "romania"],
    &["se", "swe", "sweden"],
    &["sg", "sgp", "singapore"],
    &["tr", "tur", "turkey", "türkiye"],
    &["ua", "ukr", "ukraine"],
    &["us", "usa", "united states", "united states of america", "u.s.", "u.s.a."],
    &["za", "zaf", "south africa"],
];

/// What two texts are to each other by the conventions of notation; none where no convention speaks of both.
pub(super) fn compared(wanted: &str, given: &str) -> Option<Compared> {
    let (wanted, given) = (fold(wanted), fold(given));
    if let (Some(a), Some(b)) = (national(&wanted), national(&given)) {
        return same_number(&a, &b)
            .then_some(Compared::Same("the same telephone number in another notation"));
    }
    for (table, what) in [
        (CURRENCIES, "the same currency in another notation"),
        (COUNTRIES, "the same country in another notation"),
    ] {
        if let (Some(a), Some(b)) = (row(table, &wanted), row(table, &given)) {
            return (a == b).then_some(Compared::Same(what));
        }
    }
    match measure(&wanted, &given)? {
        Measure::Same => Some(Compared::Same("the same amount in another unit")),
        Measure::Other => Some(Compared::Other),
    }
}

/// What a convention says of two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compared {
    /// They are one value, and how.
    Same(&'static str),
    /// They are two, although their digits are alike: `5 km` and `5 mi`.
    Other,
}

fn row(table: &[&[&str]], folded: &str) -> Option<usize> {
    table.iter().position(|names| names.contains(&folded))
}

/// The digits of a telephone number without what stands for "abroad" before them; none for another text.
fn national(folded: &str) -> Option<String> {
    let plain = |c: char| c.is_ascii_digit() || matches!(c, ' ' | '+' | '-' | '(' | ')' | '.' | '/');
    // A point after a zero is a decimal point.
    let dialled = folded.starts_with(['+', '(']) || (folded.starts_with('0') && !folded.contains('.'));
    if !folded.chars().all(plain) || !dialled {
        return None;
    }
    // The trunk zero in brackets is dialled at home only.
    let digits: String = folded.replace("(0)", "").chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_start_matches('0');
    (7..=15).contains(&digits.len()).then(|| digits.to_owned())
}

/// Whether two are one number; a country code of up to three digits may be left out.
fn same_number(a: &str, b: &str) -> bool {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    long.len() - short.len() <= 3 && long.ends_with(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_in_several_notations() {
        for (a, b) in [
            ("+49 30 5550142", "030 5550142"),
            ("+49 (0)30 5550142", "0049 30-555 0142"),
            ("(020) 7946 0000", "+44 20 7946 0000"),
            ("EUR", "€"),
            ("usd", "US Dollars"),
            ("DE", "Germany"),
            ("GBR", "United Kingdom"),
            ("2.5 km", "2500 m"),
            ("90 minutes", "1.5 hours"),
        ] {
            assert!(matches!(compared(a, b), Some(Compared::Same(_))), "{a} {b}");
            assert!(matches!(compared(b, a), Some(Compared::Same(_))), "{b} {a}");
        }
    }

    #[test]
    fn other_values_are_told_apart() {
        for (a, b) in [
            ("+49 30 5550142", "+49 30 5550143"),
            ("EUR", "USD"),
            ("DE", "Denmark"),
            ("0441", "441"),
            ("2030-01-02", "030 5550142"),
        ] {
            assert_eq!(compared(a, b), None, "{a} {b}");
        }
        for (a, b) in [("5 km", "5 m"), ("90 minutes", "90 hours"), ("5 EUR", "5 USD")] {
            assert_eq!(compared(a, b), Some(Compared::Other), "{a} {b}");
        }
    }
}
