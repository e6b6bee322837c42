//! Names of people in running text: where the words around one say that it is a name, it is replaced wherever it
//! stands; capitalised words that may be names are told.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::words::is_verb;

const NAME: &str = r"(\p{Lu}[\p{L}'’-]+(?:[ \t]+\p{Lu}[\p{L}'’-]+){0,2})";

/// What stands before a name, and nowhere else before a capital.
static MARKED: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        r"(?m)(?:^|[.!?]\s+)(?:[Hh]i|[Hh]ello|[Hh]ey|[Dd]ear|[Gg]ood (?:morning|afternoon|evening))[ ,]+NAME",
        r"\b(?:[Mm]y name is|[Mm]y name's|I am|I'm|I’m|[Tt]his is|[Oo]n behalf of|[Ss]igned|[Cc]alled me|[Aa]sk for)[ ,]+NAME",
        r"\b(?:Mr|Mrs|Ms|Mx|Dr|Prof|Professor|Sir|Madam|Herr|Frau|Señor|Señora|Monsieur|Madame|Mme)\.?\s+NAME",
        r"(?m)^\s*(?:From|To|Cc|CC|Bcc|Attn)\s*:\s*NAME",
        r"(?im)^\W*(?:(?:best|kind|warm)?[ \t]*regards|best wishes|best|thanks|thank you|many thanks|cheers|sincerely|yours)[,.! \t]*\r?\n\s*(?-i:NAME)",
    ]
    .iter()
    .map(|pattern| Regex::new(&pattern.replace("NAME", NAME)).expect("a fixed pattern"))
    .collect()
});

/// Capitalised words that name no person.
const NOBODY: &str = "i a an the and or but if in on at to of for from with by is are was were be been do does did have has had \
can could will would shall should may might must not no yes ok okay please thanks thank hi hello hey dear my your our \
their his her its this that these those there here what which who whom whose when where why how also then now today \
tomorrow yesterday just only all any some each every both one two three four five me you he she it we they us them am \
bring let tell need want give take keep help hand look put stop try regarding about re as so since after before until \
because once while another first second next last new old same other more most few many much still again already \
monday tuesday wednesday thursday friday saturday sunday january february march april june july august september \
october november december english german french spanish italian dutch danish european american british id ids url urls \
pdf csv json xml html sql api eur usd gbp chf iban ok faq asap eta vat pin sms utc gmt cet est pst am pm mr mrs ms dr \
north south east west northern southern eastern western error invoice order ticket customer account regards best cheers \
sincerely morning afternoon evening good kind looks seems sorry";

static KNOWN: LazyLock<HashSet<&'static str>> = LazyLock::new(|| NOBODY.split_whitespace().collect());

/// The words of names that a text itself says are names.
pub(super) fn marked(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for name in MARKED.iter().flat_map(|pattern| pattern.captures_iter(text)) {
        for word in name[1].split_whitespace().filter(|word| !is_nobody(word)) {
            if !found.iter().any(|known| known == word) {
                found.push(word.to_owned());
            }
        }
    }
    found
}

/// Capitalised words of a text that may be names: neither words that name nobody, nor verbs, nor the catalog's own.
pub(super) fn doubtful(text: &str, of_catalog: &HashSet<String>, made: &[String]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let words = text.split(|c: char| !(c.is_alphanumeric() || "'’-_@./".contains(c)));
    for word in words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())) {
        let word = word.strip_suffix("'s").or(word.strip_suffix("’s")).unwrap_or(word);
        let is_name_like = word.starts_with(char::is_uppercase)
            && word.chars().count() > 1
            && word.chars().all(|c| c.is_alphabetic() || "'’-".contains(c));
        let lower = word.to_lowercase();
        let is_known = is_nobody(word)
            || is_verb(&lower)
            || of_catalog.contains(&lower)
            || made.iter().any(|own| own.split(' ').any(|part| part == word));
        if is_name_like && !is_known && !found.iter().any(|known| known == word) {
            found.push(word.to_owned());
        }
    }
    found
}

fn is_nobody(word: &str) -> bool {
    let lower = word.to_lowercase();
    KNOWN.contains(lower.as_str()) || lower.split(['\'', '’']).next().is_some_and(|stem| KNOWN.contains(stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_where_the_words_say_so() {
        for (text, names) in [
            ("Hi Ana, move it.", vec!["Ana"]),
            ("Dear Dr. Okoro-Lind, is it there?", vec!["Okoro-Lind"]),
            ("My name is Jörg van Dael. Move it", vec!["Jörg"]),
            ("Move it.\nBest regards,\nAna Real", vec!["Ana", "Real"]),
            ("From: Bo Quist <x>\nPlease move it", vec!["Bo", "Quist"]),
            ("I am looking for the North bay", vec![]),
            ("Please move it to Bay South. Thanks", vec![]),
        ] {
            assert_eq!(marked(text), names, "{text}");
        }
    }

    #[test]
    fn what_may_be_a_name_is_told() {
        let catalog = HashSet::from(["crate".to_owned()]);
        let doubt = |text: &str| doubtful(text, &catalog, &["Robin Sample".to_owned()]);
        assert_eq!(doubt("Ask Kim and KIM's boss for Crate CRT-9, says Robin"), ["Kim", "KIM"]);
        assert_eq!(doubt("Please move the crate on Monday. Update the ID"), [""; 0]);
    }
}
