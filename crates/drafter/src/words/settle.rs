//! One of several alternatives: a person who asks for `files/folders or drives` means one of them.

use crate::words::names::{singular, verb_of};

/// Pairs that are one thing.
const ONE_THING: &[&str] = &["free/busy", "read/write", "input/output", "true/false", "client/server", "i/o"];

/// What ends an alternative.
const ENDS: &[&str] = &[
    "in", "of", "from", "for", "to", "on", "with", "at", "by", "into", "within", "using", "that", "which",
    "across", "if", "as", "or", "and", "onto", "about", "between", "through", "over", "under", "before",
    "after", "during", "via",
];

/// Words behind `to` that are verbs, beside those that tools are named by.
const INTRANSITIVE: &[&str] = &["pass", "appear", "disappear", "happen", "occur", "elapse", "arrive"];

const ARTICLES: &[&str] = &["a", "an", "the", "any", "one"];

/// Joins of alternatives.
const JOINS: &[&str] = &["or", "and/or"];

/// How many alternatives a sentence is settled of at most.
const MOST: usize = 6;

/// A request with each of its alternatives settled: to the one that a value names, by `is_said`, else to the first.
pub(crate) fn settled(text: &str, is_said: &dyn Fn(&str) -> bool) -> String {
    let mut words: Vec<String> = text.split_whitespace().map(|word| slash(word, is_said)).collect();
    for _ in 0..MOST {
        let Some(at) = words.iter().skip(1).position(|word| JOINS.contains(&word.as_str())) else { break };
        settle(&mut words, at + 1, is_said);
    }
    words.join(" ")
}

/// `files/folders`: `files`.
fn slash(word: &str, is_said: &dyn Fn(&str) -> bool) -> String {
    let lower = word.to_lowercase();
    let parts: Vec<&str> = word.split('/').collect();
    let is_plain =
        |part: &&str| !part.is_empty() && part.chars().all(|c| c.is_alphabetic() || c == '-' || c == ',');
    if parts.len() < 2 || JOINS.contains(&lower.as_str()) || !parts.iter().all(is_plain) {
        return word.to_owned();
    }
    if ONE_THING.contains(&lower.trim_end_matches(',')) {
        return word.to_owned();
    }
    let chosen = parts.iter().find(|part| is_said(&part.to_lowercase())).or_else(|| parts.first());
    let end = if word.ends_with(',') { "," } else { "" };
    chosen.map_or_else(|| word.to_owned(), |part| format!("{}{end}", part.trim_end_matches(',')))
}

/// Settles the alternatives around the join at `at`.
fn settle(words: &mut Vec<String>, at: usize, is_said: &dyn Fn(&str) -> bool) {
    let bare = |word: &String| word.trim_end_matches(',').to_lowercase();
    let end = right_end(words, at);
    // `a, b, c or d`: the first of them ends at the first comma.
    let mut first_end = at;
    let mut back = at;
    while let Some(comma) = (back.saturating_sub(4)..back)
        .rev()
        .find(|k| words.get(*k).is_some_and(|word| word.ends_with(',')) && *k > 0)
    {
        let crosses = words.get(comma + 1..back).unwrap_or_default().iter();
        if back < at && crosses.clone().any(|word| ENDS.contains(&bare(word).as_str())) {
            break;
        }
        first_end = comma + 1;
        back = comma;
    }
    let mut start = first_end;
    while start > 1
        && words.get(start - 1).is_some_and(|word| {
            !ENDS.contains(&bare(word).as_str()) && (start == first_end || !word.ends_with(','))
        })
    {
        start -= 1;
    }
    let text = |from: usize, to: usize| words.get(from..to).unwrap_or_default().join(" ");
    let (left, right) = (text(start, first_end), text(at + 1, end));
    let left_bare = left.trim_end_matches(',');
    let right_bare = right.trim_end_matches(',');
    let starts_over = right.split(' ').next().is_some_and(|word| ENDS.contains(&word));
    let kept = if !starts_over && is_said(&right_bare.to_lowercase()) && !is_said(&left_bare.to_lowercase()) {
        with_article_of(left_bare, right_bare)
    } else if starts_over || first_end < at {
        left_bare.to_owned()
    } else {
        with_noun_of(left_bare, right_bare)
    };
    let ends = if right.ends_with(',') && end < words.len() { "," } else { "" };
    let rest = words.split_off(end.min(words.len()));
    words.truncate(start);
    words.push(format!("{kept}{ends}"));
    words.retain(|word| !word.is_empty());
    let flat: Vec<String> = words.join(" ").split_whitespace().map(str::to_owned).collect();
    *words = flat;
    words.extend(rest);
}

/// Where the alternative behind a join ends.
fn right_end(words: &[String], at: usize) -> usize {
    let lower =
        |at: usize| words.get(at).map_or(String::new(), |word| word.trim_end_matches(',').to_lowercase());
    // `, or of a file`: a second try at the whole phrase.
    let starts_over = ENDS.contains(&lower(at + 1).as_str());
    let mut end = at + 1;
    while end < words.len() {
        let word = lower(end);
        if JOINS.contains(&word.as_str()) && end > at + 1 && !starts_over {
            break;
        }
        let next = lower(end + 1);
        let next_is_verb = verb_of(&next).is_some() || INTRANSITIVE.contains(&next.as_str());
        let ends = ENDS.contains(&word.as_str()) && end > at + 1 && !(word == "to" && next_is_verb);
        if ends && !starts_over {
            break;
        }
        end += 1;
        if words.get(end - 1).is_some_and(|word| word.ends_with(',')) && !starts_over {
            break;
        }
    }
    end
}

/// `public or archived channels`: `public channels`.
fn with_noun_of(left: &str, right: &str) -> String {
    let own: Vec<&str> = left.split(' ').collect();
    let (article, own) = match own.split_first() {
        Some((first, rest)) if ARTICLES.contains(first) => (Some(*first), rest),
        _ => (None, &own[..]),
    };
    let other: Vec<&str> = right.split(' ').collect();
    let has_article = other.first().is_some_and(|word| ARTICLES.contains(word));
    let [word] = own else { return left.to_owned() };
    let is_plural = singular(word) != *word;
    match other.split_first() {
        Some((first, noun)) if !has_article && !is_plural && !noun.is_empty() && verb_of(first).is_none() => {
            let noun = noun.join(" ");
            let article = article.filter(|article| *article == "the" || singular(&noun) == noun);
            article.map_or_else(|| format!("{word} {noun}"), |article| format!("{article} {word} {noun}"))
        }
        _ => left.to_owned(),
    }
}

/// The second alternative, with the article of the first where it has none.
fn with_article_of(left: &str, right: &str) -> String {
    let first = left.split(' ').next().unwrap_or_default();
    let has_own = right.split(' ').next().is_some_and(|word| ARTICLES.contains(&word));
    if has_own || !ARTICLES.contains(&first) {
        return right.to_owned();
    }
    format!("{first} {right}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_are_settled_to_one() {
        for (text, said, expected) in [
            ("list files/folders or shared drive containers", "", "list files"),
            ("list public or archived channels in the team", "", "list public channels in the team"),
            (
                "insert an image into a page from a shelf or a URL",
                "url",
                "insert an image into a page from a URL",
            ),
            ("get the contents of a file or directory", "directory", "get the contents of a directory"),
            ("show me differences between branches or commits", "", "show me differences between branches"),
            (
                "show me the contents of a commit, or of a file or directory",
                "",
                "show me the contents of a commit",
            ),
            ("search contacts by name, email, phone number, or other fields", "", "search contacts by name"),
            ("create header/footer text in a page", "footer", "create footer text in a page"),
            ("get free/busy information", "", "get free/busy information"),
            (
                "wait for text to appear or disappear or a specified time to pass",
                "",
                "wait for text to appear",
            ),
            ("update metadata, properties, and/or content of a file", "", "update metadata of a file"),
            ("resolve a package or library name to an ID", "", "resolve a package name to an ID"),
            ("export a query or aggregation results in a format", "", "export query results in a format"),
            ("search by name, phone number, or other fields", "", "search by name"),
            ("reply", "", "reply"),
        ] {
            let is_said = |words: &str| !said.is_empty() && words.ends_with(said);
            assert_eq!(settled(text, &is_said), expected, "{text}");
        }
    }
}
