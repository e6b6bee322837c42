//! What a tool does, said to somebody who shall do it: from the first sentence of its description, else from its
//! name.

use std::sync::LazyLock;

use regex::Regex;

use crate::words::label::label;
use crate::words::names::{name_words, singular, tool_words, verb_of};

/// A request without its values, beginning with a verb in lower case.
#[derive(Debug, Clone)]
pub(crate) struct Imperative {
    pub(crate) text: String,
}

macro_rules! pattern {
    ($name:ident, $text:expr) => {
        static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($text).expect("a fixed pattern"));
    };
}

pattern!(PARENTHESES, r"\s*\([^()]*\)");
pattern!(
    PREAMBLE,
    r"(?i)^(?:(?:this|a|an|the|our)\s+)?(?:(?:essential|simple|powerful|consolidated|handy)\s+)?(?:(?:tool|function|utility|endpoint|operation|command|action)\s+(?:for|to|that|which)\s+|(?:use|used|call)\s+(?:this|it)?\s*(?:tool|function|endpoint)?\s*(?:to|for|when you want to)\s+|(?:allows?|lets?|enables?|helps?)\s+(?:you|users?|the user|an agent|agents|callers)?\s*(?:to\s+)?|this\s+(?:tool|function|endpoint)\s+(?:will\s+)?)"
);
pattern!(
    ASIDE,
    r"(?i),?\s+(?:supporting|helpful|allowing|optionally|useful|so that|such as|with automatic|as if|this is|for looking|for example|e\.g\.|which|where|with search (?:operators|syntax)|in (?:one|a single) (?:[a-z]+ ){0,3}(?:operation|update)\b|optimized|returning|and returns?|and gets? back|and optionally|along with|using|given as|with filtering options|with pagination|as an optional|from an optional|on any|for any|on or off|identified by|by ID\b|by (?:its|their|the) (?:ids?|identifiers?|numbers?|names?)\b|via [a-z_]+\b|or specified [a-z]+|or [^,]{1,40} if|that can be used|under the same)\b.*$"
);
pattern!(TRAILING_ING, r"(?i),\s+([a-z]+)ing\b.*$");
pattern!(BY_MEANS, r"(?i)\s+(?:via|through|with)\s+(?:the\s+)?(?:[\w.()]+\s+){0,4}API\b.*$");
pattern!(OR_VERB, r"^(?:\s*(?:,?\s*\b(?:and/or|or)\b|,|/)\s*)([A-Za-z]+)\b");
pattern!(AND_VERB, r"^\s+and\s+([a-z]+)\b");
pattern!(
    LATER_OR,
    r"(?i)\s+or\s+(?:[a-z]+ly\s+)?([a-z]+)\s+(?:a|an|the|it|its|all|any|them|their|each|existing|new)\b.*$"
);
pattern!(LATER_AND, r"(?i)\band\s+([a-z]+)\s+([a-z]+)\b");
pattern!(
    EXAMPLES,
    r"(?i)\s+(?:like|such as|e\.g\.|for example)\s+[\w-]+(?:\s[\w-]+)?(?:,\s+[\w-]+(?:\s[\w-]+)?)*,?\s+(?:or|and)\s+[\w-]+(?:\s[\w-]+)?(\s+(?:into|in|to|from|of|on|for)\b|$)"
);
pattern!(WITHIN, r"(?i)\bof\s+an?\s+([a-z]+)\s+(in\s+(?:a|an|the)\b)");
pattern!(
    MANAGED,
    r"(?i)^(?:manage|manages|managing|management of)\s+(?:the lifecycle of\s+)?(?:an?\s+|the\s+)?(?:existing\s+)?(.+)$"
);
pattern!(VERB_LIST, r"(?i)\b((?:[a-z]+,\s+)*[a-z]+,?\s+(?:or|and)\s+[a-z]+)\s+((?:an?\s+|the\s+)?[a-z].*)$");
pattern!(OF_USER, r"\bthe ((?:[a-z]+ )?[a-z]+) of the user\b");
pattern!(SOME, r"(?i)\b(?:one or multiple|one or more|multiple)\s+");
pattern!(AT_MOST, r"(?i)\bup to (?:\d+|two|three|five|ten|twenty|fifty|a hundred)\s+");
pattern!(ADVERB, r"(?i)^([a-z]+ly)\s+");

/// Words that stand behind a thing rather than behind a verb.
const NOT_BEHIND_VERBS: &[&str] = &["of", "in", "for", "from", "on", "to", "with", "by", "at", "are", "is"];

/// Whose things they are, from the mouth of the person whose they are.
const MINE: &[(&str, &str)] = &[
    ("the current user's", "my"),
    ("the authenticated user's", "my"),
    ("a user's", "my"),
    ("the user's", "my"),
    ("the user has access to", "I have access to"),
    ("that the user can access", "that I can access"),
    ("accessible to the authenticated user", "that I can reach"),
    ("accessible to the user", "that I can reach"),
    ("the authenticated user", "me"),
    ("for the user", "for me"),
    ("that the user can", "that I can"),
    ("to the caller", "to my account"),
    ("your ", "my "),
];

/// What a tool does. `action` is a verb that its arguments choose.
pub(crate) fn imperative(name: &str, description: &str, action: Option<&str>) -> Imperative {
    let action = action.and_then(|word| verb_of(word).filter(|verb| verb == &word.to_lowercase()));
    let described = from_description(description, name);
    let text = match (action, described) {
        (Some(action), _) if managed(description, &action).is_some() => {
            managed(description, &action).unwrap_or_default()
        }
        (Some(action), Some((verb, rest)))
            if verb != "manage" && !rest.is_empty() && is_of_several(description) =>
        {
            format!("{action} {}", one_of(&rest, name, &action))
        }
        (Some(action), _) => acting(name, &action),
        (None, Some((verb, rest))) => format!("{verb} {rest}").trim_end().to_owned(),
        (None, None) => from_name(name),
    };
    Imperative { text: mine(&text) }
}

/// Whether the sentence begins with several verbs.
fn is_of_several(description: &str) -> bool {
    let first = first_sentence(description);
    first.split_once(' ').is_some_and(|(verb, rest)| {
        let verb = verb.trim_end_matches(',');
        verb_of(verb).is_some()
            && OR_VERB.captures(&first[verb.len()..]).or_else(|| OR_VERB.captures(rest)).is_some()
    })
}

/// An action on what a description says that it manages (`Manages notes in a folder: ...`), or that it does with
/// them (`batch create or delete notes`): `delete a note in a folder`.
fn managed(description: &str, action: &str) -> Option<String> {
    let first = first_sentence(description);
    let listed = |found: regex::Captures<'_>| {
        let verbs: Vec<String> = found[1]
            .split([',', ' '])
            .filter(|word| !["", "or", "and"].contains(word))
            .map(str::to_lowercase)
            .collect();
        let all = verbs.iter().all(|verb| verb_of(verb).is_some());
        (all && verbs.iter().any(|verb| verb == action)).then(|| found[2].to_owned())
    };
    let begins_with_verbs = is_of_several(description);
    if let Some(things) = VERB_LIST.captures(&first).filter(|_| !begins_with_verbs).and_then(listed) {
        return Some(format!("{action} {things}"));
    }
    let things = MANAGED.captures(&first)?.get(1)?.as_str();
    let places = [" on ", " in ", " for ", " of ", " to ", " within "];
    let places = || places.iter().filter_map(|word| things.find(word));
    let cut =
        places().filter(|end| things.get(..*end).is_some_and(|before| singular(before) != before)).min();
    let (things, behind) = things.split_at(cut.unwrap_or(things.len()));
    let is_name = things.split_whitespace().count() <= 4
        && !things.split_whitespace().any(|word| ["and", "or"].contains(&word) || word.contains(','));
    if !is_name {
        return None;
    }
    if action == "list" {
        return Some(format!("list {}{behind}", several(things)));
    }
    let one = singular(things);
    Some(format!("{action}{} {} {one}{behind}", to(action), article(&one)))
}

/// One of the things that a description has in plural and the tool's name in singular: `notes` of `manage_note`.
fn one_of(rest: &str, name: &str, action: &str) -> String {
    // What is listed is several.
    if let Some(thing) =
        rest.strip_prefix("a ").or_else(|| rest.strip_prefix("an ")).filter(|_| action == "list")
    {
        let end =
            [" in ", " of ", " on ", " from ", " for "].iter().filter_map(|word| thing.find(word)).min();
        let (thing, behind) = thing.split_at(end.unwrap_or(thing.len()));
        return format!("{}{behind}", several(thing));
    }
    let last = tool_words(name).pop().unwrap_or_default();
    let words: Vec<&str> = rest.split(' ').collect();
    let at = words.iter().position(|word| *word != last && singular(word) == last);
    match at {
        Some(at) if action != "list" && words.iter().take(at).all(|word| !ARTICLES.contains(word)) => {
            let before: Vec<&str> = words.iter().take(at).copied().collect();
            let behind: Vec<&str> = words.iter().skip(at + 1).copied().collect();
            let thing = [&before[..], &[last.as_str()]].concat().join(" ");
            format!("{} {thing} {}", article(&thing), behind.join(" ")).trim_end().to_owned()
        }
        _ => rest.to_owned(),
    }
}

/// Words before which a thing is one already.
const ARTICLES: &[&str] = &["a", "an", "the", "of", "from", "in", "to", "all"];

/// An action on what the name names: `delete the contact group`.
fn acting(name: &str, action: &str) -> String {
    let mut things = tool_words(name);
    if things.len() > 1 && things.first().is_some_and(|word| verb_of(word).as_ref() == Some(word)) {
        things.remove(0);
    }
    if let Some(last) = things.last_mut() {
        *last = if action == "list" { several(last) } else { singular(last) };
    }
    let things = label(&things.join(" "));
    match action {
        _ if things.is_empty() => action.to_owned(),
        "create" | "add" | "insert" => format!("{action} {} {things}", article(&things)),
        _ => format!("{action}{} the {things}", to(action)),
    }
}

/// What stands between a verb and its object.
fn to(action: &str) -> &'static str {
    if ["reply", "respond", "subscribe", "rsvp"].contains(&action) { " to" } else { "" }
}

/// Several of a thing: `accesses`, `copies`, `notes`.
pub(crate) fn several(things: &str) -> String {
    let one = singular(things);
    let before_y = one.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u']));
    match before_y {
        _ if one != things => things.to_owned(),
        Some(stem) => format!("{stem}ies"),
        None if ["s", "x", "ch", "sh"].iter().any(|end| one.ends_with(end)) => format!("{one}es"),
        None => format!("{one}s"),
    }
}

fn article(word: &str) -> &'static str {
    if word.to_lowercase().starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

/// The verb and the rest of a description's first sentence.
fn from_description(description: &str, name: &str) -> Option<(String, String)> {
    let mut sentence = first_sentence(description);
    for _ in 0..2 {
        sentence = PREAMBLE.replace(&sentence, "").into_owned();
        sentence = without_adverb(sentence);
    }
    let end = sentence.find(|c: char| !c.is_alphabetic()).unwrap_or(sentence.len());
    let (first, rest) = sentence.split_at(end);
    let third = first.to_lowercase();
    let verb = verb_of(first).or_else(|| unknown_verb(&third, name))?;
    if rest.starts_with(['-', '\'', ':']) {
        return None;
    }
    let was_third = verb != third;
    let mut rest = other_verbs_dropped(&verb, rest);
    rest = with_next_verb(&rest, verb == "list");
    rest = LATER_OR
        .replace(
            &rest,
            |found: &regex::Captures<'_>| {
                if verb_of(&found[1]).is_some() { String::new() } else { found[0].to_owned() }
            },
        )
        .into_owned();
    if was_third {
        let base = |found: &regex::Captures<'_>| match verb_of(&found[1]) {
            Some(verb) if verb != found[1] && !NOT_BEHIND_VERBS.contains(&&found[2]) => {
                format!("and {verb} {}", &found[2])
            }
            _ => found[0].to_owned(),
        };
        rest = LATER_AND.replace_all(&rest, base).into_owned();
    }
    let rest = rest.trim().trim_end_matches(['.', ',', ';', ':', '!']).trim().to_owned();
    // How many come back at most, nobody asks for.
    let rest = AT_MOST.replace(&rest, "").into_owned();
    let (verb, rest) = match rest.split_once(' ') {
        // "Perform click on a page" is said as it is done.
        Some((done, behind)) if verb == "perform" && verb_of(done).as_deref() == Some(done) => {
            (done.to_owned(), behind.to_owned())
        }
        _ => {
            let rest = with_article(&verb, rest);
            (verb, rest)
        }
    };
    let verb = match verb.as_str() {
        "return" | "provide" => "get".to_owned(),
        "show" if !rest.starts_with("me ") => "show me".to_owned(),
        _ => verb,
    };
    (rest.split_whitespace().count() <= 24).then_some((verb, rest))
}

/// `create comment`: `create a comment`; `get list of notes`: `get a list of notes`.
fn with_article(verb: &str, rest: String) -> String {
    const MAKES: &[&str] = &["create", "add", "post", "open", "start"];
    // Things of which there is no one.
    const MASS: &[&str] =
        &["content", "text", "data", "information", "metadata", "access", "feedback", "code"];
    let is_one = rest.chars().all(|c| c.is_ascii_lowercase())
        && rest.len() > 2
        && singular(&rest) == rest
        && !MASS.contains(&rest.as_str());
    if rest.starts_with("list of ") || (is_one && MAKES.contains(&verb)) {
        return format!("{} {rest}", article(&rest));
    }
    rest
}

/// `Safely delete it`: `delete it`. Some verbs end so too.
fn without_adverb(sentence: String) -> String {
    match ADVERB.captures(&sentence) {
        Some(found) if verb_of(&found[1]).is_none() => sentence[found[0].len()..].to_owned(),
        _ => sentence,
    }
}

/// A verb that no list has: the name begins with it too.
fn unknown_verb(first: &str, name: &str) -> Option<String> {
    let own = tool_words(name).into_iter().next()?;
    (first == own || first == format!("{own}s") || first == format!("{own}es")).then_some(own)
}

/// `Retrieves and queries`: the second verb in its first form too.
fn with_next_verb(rest: &str, listing: bool) -> String {
    let Some(found) = AND_VERB.captures(rest) else { return rest.to_owned() };
    let Some(verb) = verb_of(&found[1]) else { return rest.to_owned() };
    // What is filtered by nothing is only listed.
    if ["filter", "sort", "search"].contains(&verb.as_str()) && listing {
        return rest[found[0].len()..].to_owned();
    }
    format!(" and {verb}{}", &rest[found[0].len()..])
}

/// `create or update a file`: `create a file`. One person wants one thing.
fn other_verbs_dropped(verb: &str, rest: &str) -> String {
    let mut rest = rest.to_owned();
    let mut last: Option<String> = None;
    while let Some(found) = OR_VERB.captures(&rest) {
        let Some(other) = verb_of(&found[1]) else { break };
        let end = found.get(0).map_or(0, |whole| whole.end());
        last = Some(other);
        rest = rest[end..].to_owned();
    }
    match last.as_deref() {
        // "Adds or removes labels from a message": labels are added to it.
        Some("remove") if verb == "add" => rest.replacen(" from ", " to ", 1),
        _ => rest,
    }
}

/// The first sentence, without what stands in parentheses and without asides.
pub(crate) fn first_sentence(description: &str) -> String {
    let mut text = String::new();
    for line in description.trim().lines() {
        let line = line.trim();
        let goes_on = line.starts_with(|c: char| c.is_lowercase());
        if line.is_empty() || (!text.is_empty() && !goes_on) {
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(line);
    }
    if let Some((_, last)) = text.rsplit_once(" | ") {
        text = last.to_owned();
    }
    text = PARENTHESES.replace_all(&text, "").into_owned();
    let ends =
        [". ", "; ", " - ", " — ", " – ", "! "].iter().filter_map(|end| text.find(end)).chain(colon(&text));
    if let Some(end) = ends.min() {
        text.truncate(end);
    }
    text = EXAMPLES.replace_all(&text, "$1").into_owned();
    text = without_means(text);
    text = SOME.replace_all(&text, "").into_owned();
    text = without_aside(&text);
    text.replace('`', "").trim().trim_end_matches('.').to_owned()
}

/// Without what it is done by (`using the Acme API`), as long as the rest says more than that something is done.
fn without_means(text: String) -> String {
    let out = BY_MEANS.replace(&text, "").into_owned();
    if is_generic(&out) && out != text { text.replace(" JSON API", "").replace(" API", "") } else { out }
}

/// Whether a sentence says only that something is done.
fn is_generic(text: &str) -> bool {
    const GENERIC: &[&str] =
        &["a", "an", "the", "search", "query", "request", "operation", "action", "call", "lookup", "task"];
    text.split_whitespace().skip(1).all(|word| GENERIC.contains(&word.to_lowercase().as_str()))
}

/// Without what only describes, as long as something is left to ask for.
fn without_aside(text: &str) -> String {
    let mut out = ASIDE.replace(text, "").into_owned();
    if let Some(found) = TRAILING_ING.captures(&out)
        && !found[1].eq_ignore_ascii_case("includ")
        && verb_of(&format!("{}ing", &found[1])).is_some()
    {
        out.truncate(found.get(0).map_or(out.len(), |whole| whole.start()));
    }
    if is_generic(&out) { text.to_owned() } else { out }
}

/// Without a thing of which nothing says which one it is: `commits of a branch in the repository` where no argument
/// names a branch.
pub(crate) fn without_unnamed(text: &str, arguments: &[&str]) -> String {
    let Some(found) = WITHIN.captures(text) else { return text.to_owned() };
    let thing = found[1].to_lowercase();
    let is_named = arguments.iter().any(|name| name_words(name).contains(&thing));
    if is_named { text.to_owned() } else { WITHIN.replace(text, "$2").into_owned() }
}

fn colon(text: &str) -> Option<usize> {
    text.find(": ").or_else(|| text.ends_with(':').then(|| text.len() - 1))
}

fn from_name(name: &str) -> String {
    let words = tool_words(name);
    match words.iter().position(|word| verb_of(word).as_ref() == Some(word)) {
        Some(at) if words.len() > 1 => {
            let things: Vec<&str> = words
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != at)
                .map(|(_, word)| word.as_str())
                .collect();
            format!("{} the {}", words[at], label(&things.join(" ")))
        }
        Some(at) => words[at].clone(),
        None => format!("use {name}"),
    }
}

fn mine(text: &str) -> String {
    let mut text = text.to_owned();
    for (theirs, mine) in MINE {
        text = text.replace(theirs, mine);
    }
    text = OF_USER.replace_all(&text, "my $1").into_owned();
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_become_requests() {
        for (name, description, expected) in [
            ("get_note", "Retrieves one note.", "retrieve one note"),
            (
                "find_x",
                "Searches notes in a user's folder based on a query.\nPages.",
                "search notes in my folder based on a query",
            ),
            ("put_file", "Create or update a single file in a store", "create a single file in a store"),
            ("t", "Notes | Retrieve a user\nErrors:\n400", "retrieve a user"),
            (
                "t",
                "Creates a table and populates it with rows (all of them).",
                "create a table and populate it with rows",
            ),
            ("t", "Creates a sheet or duplicates an existing one", "create a sheet"),
            ("t", "This tool allows you to cancel a booking", "cancel a booking"),
            ("inspect_doc_structure", "Essential tool for finding insertion points", "find insertion points"),
            ("debug_table", "ESSENTIAL TOOL! Use it.", "debug the table"),
            ("frob_it", "Frobs the thing", "frob the thing"),
            ("weather", "", "use weather"),
            ("t", "Adds or removes labels from a message", "add labels to a message"),
            ("t", "Search for places using Example Places API", "search for places"),
            ("t", "Returns the sum of two numbers", "get the sum of two numbers"),
            ("t", "Perform click on a web page", "click on a web page"),
            ("t", "Notes | Create comment", "create a comment"),
            ("t", "Get list of notes in a folder", "get a list of notes in a folder"),
            ("t", "Returns up to ten links of a page", "get links of a page"),
            ("t", "Searches notes with search operators", "search notes"),
            ("t", "Fills a table in one reliable operation", "fill a table"),
        ] {
            assert_eq!(imperative(name, description, None).text, expected, "{description}");
        }
    }

    #[test]
    fn an_action_is_the_verb() {
        let made =
            |name: &str, description: &str, action: &str| imperative(name, description, Some(action)).text;
        assert_eq!(
            made("manage_contact_group", "Manages contact groups: create, delete.", "delete"),
            "delete a contact group"
        );
        assert_eq!(made("contact", "Create, update, or delete a contact", "delete"), "delete a contact");
        assert_eq!(made("manage_label", "Manages labels", "create"), "create a label");
        assert_eq!(made("manage_access", "Sets rights", "list"), "list the accesses");
        assert_eq!(made("tabs", "List, open or close a tab in a window", "list"), "list tabs in a window");
        assert_eq!(made("manage_event", "Cares for events", "rsvp"), "rsvp to the event");
        assert_eq!(
            made("manage_rental", "Create, update or delete Boat Yard rentals.", "delete"),
            "delete a Boat Yard rental"
        );
        assert_eq!(
            made("manage_notes", "Manages notes in a folder: reply, delete", "reply"),
            "reply to a note in a folder"
        );
        assert_eq!(made("manage_notes", "Manages notes in a folder: list", "list"), "list notes in a folder");
        assert_eq!(made("notes_batch", "Batch create, update, or delete notes.", "update"), "update notes");
        assert_eq!(made("answer_call", "Accept or decline a call.", "accept"), "accept a call");
        assert_eq!(made("tabs", "Open, close or move a tab", "new"), "open a tab");
    }
}
