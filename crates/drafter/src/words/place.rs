//! Puts a value where the request speaks of the thing that it names: `details of a specific task list` becomes
//! `details of task list TSK-48210`.

use std::cell::RefCell;
use std::collections::HashMap;

use regex::{Captures, Regex};

use crate::words::names::name_words;

/// The request with the thing that an argument says as one that is known: where any would do, nobody has to ask which
/// one is meant. `get a response from the form`: `get the response from the form`.
pub(super) fn definite(request: &str, argument: &str) -> String {
    let own = name_words(argument);
    let words: Vec<String> = own.into_iter().flat_map(alias).collect();
    let has_ending = words.len() > 1 && words.last().is_some_and(|last| ENDINGS.contains(&last.as_str()));
    let stem = if has_ending { &words[..words.len() - 1] } else { &words[..] };
    let known = |stem: &str| {
        let pattern = pattern(stem)?;
        let found = pattern.captures(request)?;
        let whole = found.get(0)?;
        let before = request[..whole.start()].trim_end();
        let adjectives = &found[4];
        let are_words = adjectives.split_whitespace().all(|word| !FOLLOWERS.contains(&word));
        let is_new = found.get(3).is_some() || MAKES.contains(&before);
        (are_words && !is_new).then(|| {
            format!("{}the {adjectives}{}{}", &request[..whole.start()], &found[5], &request[whole.end()..])
        })
    };
    let whole = known(&stem.join(" "));
    let last = || stem.last().filter(|_| stem.len() > 1).and_then(|last| known(last));
    // What a path or an address is of.
    let of = |ending: &str| words.last().is_some_and(|last| last == ending);
    let things: &[&str] = match () {
        () if of("revision") || of("ref") || of("sha") => &["commit", "branch"],
        () if of("path") => &["file", "directory", "folder"],
        () if of("url") || of("target") => &["website", "web page", "page", "dropdown", "element"],
        () => &[],
    };
    let behind = || things.iter().find_map(|thing| known(thing));
    whole.or_else(last).or_else(behind).unwrap_or_else(|| request.to_owned())
}

/// What may follow a thing without making it part of a longer word.
const FOLLOWERS: &[&str] = &[
    "of",
    "in",
    "from",
    "for",
    "to",
    "with",
    "on",
    "by",
    "and",
    "or",
    "using",
    "into",
    "as",
    "at",
    "including",
    "that",
    "within",
    "between",
    "if",
    "when",
    "then",
];

/// Endings of names that say how a thing is named and not which.
const ENDINGS: &[&str] = &["id", "ids", "name", "number", "key", "uuid", "identifier", "no", "path"];

/// Verbs whose object is not there yet.
pub(super) const MAKES: &[&str] =
    &["create", "add", "insert", "make", "generate", "new", "open", "register", "post", "write", "submit"];

/// Verbs whose object are the many things of which one value says whose they are.
const LISTS: &[&str] =
    &["list", "search", "find", "get", "show", "query", "count", "read", "retrieve", "fetch"];

/// The request with a value at its place; none where it does not speak of the thing. `is_name`: whether the argument
/// is what something is called, whatever its own name.
pub(crate) fn placed(request: &str, argument: &str, spoken: &str, is_name: bool) -> Option<String> {
    let own = name_words(argument);
    if let Some(with) = as_path(request, &own, spoken) {
        return Some(with);
    }
    if let [input] = &own[..]
        && ["input", "prompt"].contains(&input.as_str())
    {
        return ["topic", "question", "text"]
            .iter()
            .find_map(|stem| put(request, stem, spoken, false, false));
    }
    if let [only] = &own[..]
        && ["id", "number"].contains(&only.as_str())
    {
        return of_object(request, spoken);
    }
    let words: Vec<String> = own.into_iter().flat_map(alias).collect();
    let is_named = is_name || words.last().is_some_and(|last| last == "name");
    let has_ending = words.len() > 1 && words.last().is_some_and(|last| ENDINGS.contains(&last.as_str()));
    let stem = if has_ending { &words[..words.len() - 1] } else { &words[..] };
    if !has_ending && stem.iter().any(|word| word.len() < 3) {
        return None;
    }
    let whole = stem.join(" ");
    let last = stem.last()?.as_str();
    let found = |stem: &str| {
        put(request, stem, spoken, is_named, has_ending)
            .or_else(|| of_owner(request, stem, spoken, has_ending))
            .or_else(|| one_of(request, stem, spoken, has_ending && !is_named))
            .or_else(|| bare(request, stem, spoken, has_ending && !is_named))
    };
    found(&whole).or_else(|| if stem.len() > 1 && has_ending { found(last) } else { None })
}

/// A path at the place of a file or a directory.
fn as_path(request: &str, words: &[String], spoken: &str) -> Option<String> {
    let is_path = matches!(words, [only] if ["path", "filepath", "filename", "file", "directory", "folder"].contains(&only.as_str()))
        || matches!(words, [first, last] if first == "file" && last == "path");
    let is_folder = !spoken.rsplit('/').next().unwrap_or_default().contains('.');
    let things: &[&str] = if is_folder { &["directory", "folder"] } else { &["file"] };
    if !is_path {
        return None;
    }
    things.iter().find_map(|thing| put(request, thing, spoken, false, false))
}

/// The number of what is worked on, which no name says: `edit an existing ticket`: `edit ticket 12`.
fn of_object(request: &str, spoken: &str) -> Option<String> {
    let pattern = compiled(
        r"(?i)\b(?:a|an)\s+(?:(?:existing|specific|specified|single|given|particular)\s+)?((?:[a-z]+\s+){0,2}?[a-z]+)(\s+(?:in|of|to|from|with|on|by|and)\b|,|$)",
    )?;
    let makes = MAKES.contains(&request.split(' ').next().unwrap_or_default());
    // What is made has no number yet; what it is made for has.
    let is_made = |found: &Captures<'_>| {
        makes && found.get(0).is_some_and(|whole| !request[..whole.start()].trim_end().contains(' '))
    };
    let found = pattern.captures_iter(request).find(|found| !is_made(found))?;
    let whole = found.get(0)?;
    let thing = &found[1];
    let is_thing = !thing.split(' ').any(|word| ["new", "list", "set", "copy"].contains(&word));
    is_thing.then(|| {
        format!("{}{thing} {spoken}{}{}", &request[..whole.start()], &found[2], &request[whole.end()..])
    })
}

/// `a page's content`: `the content of page P-1`.
fn of_owner(request: &str, stem: &str, spoken: &str, has_ending: bool) -> Option<String> {
    if !request.contains("'s ") {
        return None;
    }
    let pattern = format!(
        r"(?i)\b(?:a|an|the)\s+((?:[a-z]+\s+){{0,2}}?)({})'s\s+((?:[a-z]+\s+){{0,2}}?[a-z]+)(\s+(?:as|in|of|from|to|for|on|with|by)\b|$)",
        regex::escape(stem)
    );
    let found = compiled(&pattern)?.captures(request)?;
    let whole = found.get(0)?;
    let article = if has_ending { "" } else { "the " };
    Some(format!(
        "{}the {} of {article}{}{} {spoken}{}{}",
        &request[..whole.start()],
        &found[3],
        &found[1],
        &found[2],
        &found[4],
        &request[whole.end()..]
    ))
}

/// `delete deployments` of one id: `delete deployment D-1`.
fn one_of(request: &str, stem: &str, spoken: &str, has_ending: bool) -> Option<String> {
    let (verb, rest) = request.split_once(' ')?;
    if !has_ending || LISTS.contains(&verb) || MAKES.contains(&verb) {
        return None;
    }
    let lower = rest.to_lowercase();
    let at = lower.find(&format!("{stem}s"))?;
    let before = rest.get(..at)?;
    let behind = rest.get(at + stem.len() + 1..)?;
    let is_object = before.split_whitespace().count() <= 3
        && !before.split_whitespace().any(|word| FOLLOWERS.contains(&word))
        && (before.is_empty() || before.ends_with(' '));
    let next = behind.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let ends = behind.is_empty()
        || behind.starts_with(',')
        || (behind.starts_with(' ') && FOLLOWERS.contains(&next));
    let thing = rest.get(at..at + stem.len())?;
    (is_object && ends).then(|| format!("{verb} {before}{thing} {spoken}{behind}"))
}

/// `for text` and `and collection`, where nothing stands before the thing that says which.
fn bare(request: &str, stem: &str, spoken: &str, has_ending: bool) -> Option<String> {
    if !request.contains(stem) {
        return None;
    }
    let pattern =
        format!(r"\b(for|and|to|from|into|with|in|on)\s+({})(\s+in\b|\s+from\b|,|$)", regex::escape(stem));
    let found = compiled(&pattern)?.captures(request)?;
    let whole = found.get(0)?;
    let article = if has_ending { "" } else { "the " };
    Some(format!(
        "{}{} {article}{} {spoken}{}{}",
        &request[..whole.start()],
        &found[1],
        &found[2],
        &found[3],
        &request[whole.end()..]
    ))
}

/// A short word as sentences write it.
fn alias(word: String) -> Vec<String> {
    match word.as_str() {
        "repo" => vec!["repository".to_owned()],
        "pull" => vec!["pull".to_owned(), "request".to_owned()],
        "doc" => vec!["document".to_owned()],
        _ => vec![word],
    }
}

fn put(request: &str, stem: &str, spoken: &str, is_named: bool, has_ending: bool) -> Option<String> {
    // Most requests do not speak of most arguments, and a pattern is dear.
    if !request.to_lowercase().contains(stem) {
        return None;
    }
    let pattern = pattern(stem)?;
    let found = pattern.captures(request)?;
    let whole = found.get(0)?;
    let rest = &request[whole.end()..];
    let next = rest.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let ends = rest.is_empty()
        || rest.starts_with([',', ';'])
        || (rest.starts_with(' ') && FOLLOWERS.contains(&next));
    let adjectives = found.get(4).map_or("", |words| words.as_str());
    let are_words = adjectives
        .split_whitespace()
        .all(|word| !FOLLOWERS.contains(&word) && !["a", "an", "the", "my"].contains(&word));
    if !ends || !are_words {
        return None;
    }
    let before = request[..whole.start()].trim_end();
    // What is sent is named by nothing before it is there.
    if ["send", "post", "reply"].contains(&before) && has_ending {
        return None;
    }
    let is_made = MAKES.contains(&before);
    let said = said(&found, adjectives, spoken, (is_named, has_ending, is_made))?;
    Some(format!("{}{said}{}", &request[..whole.start()], without_other_thing(rest)))
}

/// `file F-1 or folder`: what is named is the one thing that is meant.
fn without_other_thing(rest: &str) -> &str {
    let Some(other) = rest.strip_prefix(" or ") else { return rest };
    let end = other.find(|c: char| !c.is_alphanumeric()).unwrap_or(other.len());
    let behind = &other[end..];
    let next = behind.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    if end > 0 && (behind.is_empty() || FOLLOWERS.contains(&next)) { behind } else { rest }
}

thread_local! {
    /// Patterns by their text: a catalog has few stems and many arguments, and making a pattern is dear.
    static PATTERNS: RefCell<HashMap<String, Option<Regex>>> = RefCell::default();
}

fn compiled(pattern: &str) -> Option<Regex> {
    PATTERNS.with_borrow_mut(|known| match known.get(pattern) {
        Some(made) => made.clone(),
        None => known.entry(pattern.to_owned()).or_insert_with(|| Regex::new(pattern).ok()).clone(),
    })
}

fn pattern(stem: &str) -> Option<Regex> {
    compiled(&format!(
        r"(?i)\b(a|an|the|one)\s+((?:specific|specified|single|existing|given|particular|certain|provided|chosen)\s+)?(new\s+)?((?:[A-Za-z]+\s+){{0,2}}?)({})\b",
        regex::escape(stem)
    ))
}

fn said(
    found: &Captures<'_>,
    adjectives: &str,
    spoken: &str,
    (is_named, has_ending, is_made): (bool, bool, bool),
) -> Option<String> {
    let thing = &found[5];
    let article = &found[1];
    let new = found.get(3).map_or("", |_| "new ");
    let is_path = spoken.contains('/') && !has_ending;
    match () {
        // What is made has a name or a path, and no id yet.
        () if !new.is_empty() || is_made => match () {
            () if is_named && (adjectives.is_empty() || !new.is_empty()) => {
                Some(format!("{article} {new}{adjectives}{thing} called {spoken}"))
            }
            () if is_path => Some(format!("the {new}{adjectives}{thing} {spoken}")),
            () => None,
        },
        () if is_named || !has_ending || adjectives.contains("same") => {
            Some(format!("the {adjectives}{thing} {spoken}"))
        }
        () => Some(format!("{adjectives}{thing} {spoken}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_one_that_is_known() {
        for (request, argument, expected) in [
            ("get one response from form F-1", "response_id", "get the response from form F-1"),
            ("edit an existing ticket in a store", "ticket_number", "edit the ticket in a store"),
            ("get details of a specific task list", "task_list_id", "get details of the task list"),
            ("create a ticket", "ticket_id", "create a ticket"),
            ("read a file", "path", "read the file"),
            ("show me the files of a commit", "revision", "show me the files of the commit"),
            ("map a website's rooms", "url", "map the website's rooms"),
            ("list all", "id", "list all"),
        ] {
            assert_eq!(definite(request, argument), expected);
        }
    }

    #[test]
    fn values_stand_beside_what_they_name() {
        for (request, argument, expected) in [
            ("get details of a specific task list", "task_list_id", Some("get details of task list V")),
            ("get the content of a specific Acme note", "note_id", Some("get the content of Acme note V")),
            (
                "convert an address into coordinates",
                "address",
                Some("convert the address V into coordinates"),
            ),
            (
                "create a new folder in the drive",
                "folder_name",
                Some("create a new folder called V in the drive"),
            ),
            ("get the link of a file or folder", "file_id", Some("get the link of file V")),
            ("create a new issue", "issue_id", None),
            ("get the message content", "message_id", None),
            ("get a page of the book", "book_id", Some("get a page of book V")),
            ("list all", "id", None),
            ("delete Acme deployments", "deployment_id", Some("delete Acme deployment V")),
            ("list deployments", "deployment_id", None),
            ("update a page's content as text", "page_id", Some("update the content of page V as text")),
            ("search the page for text", "text", Some("search the page for the text V")),
            (
                "drop the index of the base and collection",
                "collection",
                Some("drop the index of the base and the collection V"),
            ),
            (
                "move rows within the same spreadsheet",
                "spreadsheet_id",
                Some("move rows within the same spreadsheet V"),
            ),
            ("create a named range in a sheet", "range_name", None),
            ("edit an existing ticket in a store", "number", Some("edit ticket V in a store")),
            ("add a comment to a ticket", "number", Some("add a comment to ticket V")),
        ] {
            assert_eq!(placed(request, argument, "V", false).as_deref(), expected, "{request}");
        }
    }
}
