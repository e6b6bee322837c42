//! Takes people's addresses and numbers out of words and values, each replaced by one that is nobody's, the same one
//! wherever it stands.

use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::Value;

use super::names::marked;

static EMAIL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+").expect("a fixed pattern")
});

static IBAN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b").expect("a fixed pattern")
});

static PHONE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:\+|\b00)[0-9][0-9 ()./-]{6,18}[0-9]\b|\(?\b0[0-9]{1,4}\)?[ /-][0-9][0-9 -]{4,12}[0-9]\b")
        .expect("a fixed pattern")
});

/// Words of names that are nobody's.
const NOBODYS: &[&str] = &["Robin", "Sample", "Kim", "Placeholder", "Noa", "Specimen", "Sascha", "Example"];

/// Knows what was replaced.
#[derive(Debug, Default)]
pub(super) struct Redactor {
    replaced: Vec<(String, String)>,
    /// Words of names, each with the one in its place.
    names: Vec<(String, String)>,
}

impl Redactor {
    /// Reads the names that a text itself says are names; from then on they are replaced wherever they stand.
    pub(super) fn meet(&mut self, text: &str) {
        for word in marked(text) {
            let is_known = self.names.iter().any(|(before, made)| *before == word || *made == word);
            if !is_known {
                let at = self.names.len();
                let again = if at < NOBODYS.len() { String::new() } else { (at / NOBODYS.len()).to_string() };
                let made = format!("{}{again}", NOBODYS[at % NOBODYS.len()]);
                self.names.push((word, made));
            }
        }
    }

    /// What stands in the place of names.
    pub(super) fn made_names(&self) -> Vec<String> {
        self.names.iter().map(|(_, made)| made.clone()).collect()
    }

    /// The text without the names that were met, letter case as it stands.
    fn without_names(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for piece in text.split_inclusive(|c: char| !(c.is_alphanumeric() || "'’-".contains(c))) {
            let word = piece.trim_end_matches(|c: char| !(c.is_alphanumeric() || "'’-".contains(c)));
            let (bare, ending) = match word.find("'s").or_else(|| word.find("’s")) {
                Some(at) => word.split_at(at),
                None => (word, ""),
            };
            match self.names.iter().find(|(name, _)| name.to_lowercase() == bare.to_lowercase()) {
                Some((_, made)) => {
                    out.push_str(made);
                    out.push_str(ending);
                    out.push_str(&piece[word.len()..]);
                }
                None => out.push_str(piece),
            }
        }
        out
    }

    /// The text with everything replaced.
    pub(super) fn clean(&mut self, text: &str) -> String {
        let mut out = text.to_owned();
        for (pattern, kind) in [(&*EMAIL, Kind::Email), (&*IBAN, Kind::Iban), (&*PHONE, Kind::Phone)] {
            out = pattern.replace_all(&out, |found: &Captures<'_>| self.made(&found[0], kind)).into_owned();
        }
        self.without_names(&out)
    }

    /// A value with everything replaced.
    pub(super) fn clean_value(&mut self, value: &Value) -> Value {
        match value {
            Value::String(text) => self.clean(text).into(),
            Value::Array(items) => items.iter().map(|item| self.clean_value(item)).collect::<Vec<_>>().into(),
            Value::Object(members) => {
                let cleaned = members.iter().map(|(name, value)| (name.clone(), self.clean_value(value)));
                cleaned.collect::<serde_json::Map<_, _>>().into()
            }
            other => other.clone(),
        }
    }

    /// What stands in a value's place; what was put in place of another stays.
    fn made(&mut self, value: &str, kind: Kind) -> String {
        let is_known = |(before, made): &&(String, String)| before == value || made == value;
        if let Some((_, made)) = self.replaced.iter().find(is_known) {
            return made.clone();
        }
        let number = self.replaced.len() + 1;
        let made = match kind {
            Kind::Email => format!("person{number}@mailbox.example"),
            Kind::Iban => format!("XX00 0000 0000 {number:04}"),
            Kind::Phone => format!("+1 202 555 {:04}", 100 + number % 100),
        };
        self.replaced.push((value.to_owned(), made.clone()));
        made
    }
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Email,
    Iban,
    Phone,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_was_met_is_replaced_everywhere() {
        let mut redactor = Redactor::default();
        let text = "Hi Ana, tell ana's boss: \"Real work by Ana Real\".\nThanks,\nAna Real";
        redactor.meet(text);
        let clean = redactor.clean(text);
        assert!(!clean.to_lowercase().contains("ana") && !clean.contains("Real"), "{clean}");
        assert!(clean.starts_with("Hi Robin, tell Robin's boss"), "{clean}");
        assert_eq!(redactor.clean_value(&Value::from("ANA")), Value::from("Robin"));
    }

    #[test]
    fn addresses_and_numbers_are_replaced_the_same_everywhere() {
        let mut redactor = Redactor::default();
        let text = "Pay DE89 3704 0044 0532 0130 00, mail a.b@c.org and a.b@c.org, ring +49 30 1234567 on 2027-03-04.";
        let clean = redactor.clean(text);
        for gone in ["3704", "a.b@c.org", "1234567"] {
            assert!(!clean.contains(gone), "{clean}");
        }
        assert!(clean.contains("2027-03-04") && clean.matches("person").count() == 2, "{clean}");
        assert!(clean.contains(redactor.clean_value(&Value::from("a.b@c.org")).as_str().unwrap()));
        assert_eq!(redactor.clean(&clean), clean);
        let clean = redactor.clean("Not b@c.org but jo.b@c.org");
        assert!(!clean.contains("jo.") && !clean.contains("c.org"), "{clean}");
    }
}
