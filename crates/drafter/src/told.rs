//! What descriptions say of arguments: which action needs them, which choice they make, and what a sentence speaks of.

use std::sync::LazyLock;

use probes::names_in;
use regex::Regex;
use serde_json::Value;

use crate::schema::{Argument, type_of};
use crate::value::options;
use crate::words::{first_sentence, is_verb, name_words, singular};

/// Whether an argument's list has the verbs with which a description begins: `Accept or decline an invitation`.
pub(crate) fn chooses_verb(argument: &Argument, description: &str) -> bool {
    let members = argument.schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    let members: Vec<&str> = members.filter_map(Value::as_str).collect();
    let first = first_sentence(description).to_lowercase();
    let opening =
        first.split([' ', ',', '/']).filter(|word| !word.is_empty() && *word != "or" && *word != "and");
    let verbs = opening.take_while(|word| is_verb(word)).filter(|word| members.contains(word)).count();
    verbs > 1
}

/// Whether an argument chooses one of a few.
pub(crate) fn is_choice(argument: &Argument) -> bool {
    argument.schema.get("enum").is_some()
        || (type_of(&argument.schema) == "string"
            && options(&argument.name, argument.description()).is_some())
}

/// Whether a description says that an argument is for actions that are not chosen: `(for "merge")`, `Used by "merge"`.
pub(crate) fn is_of_other(argument: &Argument, chosen: Option<&str>, others: &[String]) -> bool {
    let Some(chosen) = chosen else { return false };
    let description = argument.description();
    let only = only_for(description);
    if others.iter().any(|other| only.contains(other)) {
        return !only.iter().any(|action| action == chosen);
    }
    let names = |action: &str| names_in(action, description);
    let is_told = description.contains('"') || description.contains('\'') || NEEDED.is_match(description);
    is_told && !names(chosen) && others.iter().any(|other| names(other))
}

/// The words of what alone a description says that an argument is for: `(return action only)`, `Lend only.`
fn only_for(description: &str) -> Vec<String> {
    static ONLY_FOR: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?:^|\()([A-Za-z_/ ]{3,60}?)(?:\s+actions?)?\s+only\b").expect("a fixed pattern")
    });
    let words = ONLY_FOR.captures_iter(description).flat_map(|found| {
        let words = found[1].split(|c: char| !(c.is_alphanumeric() || c == '_'));
        words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect::<Vec<_>>()
    });
    words.collect()
}

/// Whether an argument is the choice that an action alone makes: without it nobody knows what is wanted.
pub(crate) fn is_choice_of(argument: &Argument, action: &str) -> bool {
    is_choice(argument) && !argument.has_default() && only_for(argument.description()) == [action]
}

/// Whether a list is said to be of what an action is done to: `Note ids for "delete" action`.
pub(crate) fn is_of_action(argument: &Argument, action: &str) -> bool {
    let description = argument.description();
    type_of(&argument.schema) == "array"
        && ["\"", "'", "`"]
            .iter()
            .any(|mark| description.contains(&format!("for {mark}{action}{mark} action")))
}

/// Whether two arguments are two ways to say the same thing (`element` beside `target`).
pub(crate) fn says_the_same(name: &str, other: &str) -> bool {
    const SAME: &[&[&str]] = &[&["element", "target", "ref", "selector"], &["text", "regex", "pattern"]];
    let last = |name: &str| name_words(name).pop().unwrap_or_default();
    let (name, other) = (last(name), last(other));
    SAME.iter().any(|group| group.contains(&name.as_str()) && group.contains(&other.as_str()))
}

/// The argument that points at what this one describes for people: `target` of `element: Human-readable ...`.
pub(crate) fn described_by<'a>(argument: &Argument, arguments: &'a [Argument]) -> Option<&'a Argument> {
    let description = argument.description().to_lowercase();
    let is_for_people = description.contains("human-readable") || description.contains("human readable");
    let stem = |name: &str| {
        let mut words = name_words(name);
        words.pop();
        words
    };
    arguments.iter().filter(|_| is_for_people).find(|other| {
        other.name != argument.name
            && says_the_same(&argument.name, &other.name)
            && stem(&argument.name) == stem(&other.name)
    })
}

/// The ending of the file's name that an optional name has as its default: it is another file's, so a request says
/// its own. `gz` of `"default": "README.md.gz"`.
pub(crate) fn names_another(argument: &Argument) -> Option<&str> {
    let is_name = ["name", "filename", "file_name", "fileName"].contains(&argument.name.as_str());
    let default = argument.schema.get("default").and_then(Value::as_str)?;
    let (_, ending) = default.rsplit_once('.').filter(|(stem, _)| !stem.is_empty())?;
    let is_ending = (2..=4).contains(&ending.len()) && ending.chars().all(char::is_alphanumeric);
    (is_name && is_ending && type_of(&argument.schema) == "string").then_some(ending)
}

/// Whether an argument is for the opposite of what is asked for (`remove_labels` where labels are added).
pub(crate) fn undoes(name: &str, core: &str) -> bool {
    const PAIRS: &[(&str, &[&str])] = &[
        ("add", &["remove", "delete", "unset", "clear"]),
        ("set", &["unset", "clear", "remove"]),
        ("hide", &["unhide"]),
        ("remove", &["add"]),
    ];
    let verb = core.split(' ').next().unwrap_or_default();
    let first = name_words(name).into_iter().next().unwrap_or_default();
    PAIRS.iter().any(|(own, others)| *own == verb && others.contains(&first.as_str()))
}

/// Whether a request speaks of the several things that a list names, and not as of what it looks for: `for a set of
/// calendars` of `calendar_ids`.
pub(crate) fn speaks_of_several(core: &str, name: &str) -> bool {
    let words = name_words(name);
    let stem = match &words[..] {
        [stem @ .., last] if !stem.is_empty() && ["ids", "names"].contains(&last.as_str()) => stem.join(" "),
        _ => words.join(" "),
    };
    let many = if singular(&stem) == stem { format!("{stem}s") } else { stem };
    let Some(at) = core.find(&many).filter(|_| many.len() > 3) else { return false };
    let before: Vec<&str> = core[..at].split_whitespace().collect();
    let ends = core[at + many.len()..].is_empty() || core[at + many.len()..].starts_with([' ', ',']);
    ends && before.len() > 1
        && before.iter().rev().take(3).any(|word| ["of", "for", "from", "on"].contains(word))
}

/// Whether a request speaks of a choice as made: `in the specified format`.
pub(crate) fn speaks_of_specified(core: &str, name: &str) -> bool {
    let Some(last) = name_words(name).pop() else { return false };
    let words: Vec<&str> = core.split(' ').collect();
    words.iter().enumerate().any(|(at, word)| {
        *word == last
            && words.iter().take(at).rev().take(3).any(|word| ["specified", "given", "chosen"].contains(word))
    })
}

/// The arguments that the line of an action says it needs: `- reply: ... Requires note_id and text.`
pub(crate) fn needed_by_lines(description: &str, action: &str) -> Vec<String> {
    static REQUIRES: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?i)\brequires?:?\s+([^.;\n]{2,120})").expect("a fixed pattern"));
    let is_line_of = |line: &str, action: &str| {
        let line = line.trim_start().trim_start_matches(['-', '*', ' ', '"', '\'', '`']);
        line.strip_prefix(action).is_some_and(|rest| {
            rest.trim_start_matches(['"', '\'', '`']).trim_start().starts_with([':', '(', '=', '-'])
        })
    };
    let mut lines = description.lines().skip_while(|line| !is_line_of(line, action));
    let first = lines.next();
    let more =
        lines.take_while(|line| line.starts_with("    ") && !line.trim_start().starts_with(['-', '*']));
    let text = first.into_iter().chain(more).collect::<Vec<_>>().join(" ");
    let names = REQUIRES.captures_iter(&text).flat_map(|found| {
        let words = found[1].split(|c: char| !(c.is_alphanumeric() || c == '_'));
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    });
    names.collect()
}

/// The verbs that a tool's description explains line by line, or that its first sentence begins with.
pub(crate) fn verbs_of_lines(description: &str) -> Option<Vec<String>> {
    static LINE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"(?m)^\s*[-*]?\s*["'`]?([a-z]{3,20})["'`]?\s*[:(=-]"#).expect("a fixed pattern")
    });
    let lines = LINE.captures_iter(description).map(|found| found[1].to_owned());
    let found: Vec<String> = lines.filter(|word| is_verb(word)).collect();
    if !found.is_empty() {
        return Some(found);
    }
    let first = first_sentence(description).to_lowercase();
    let words =
        first.split([' ', ',', '/']).filter(|word| !word.is_empty() && *word != "or" && *word != "and");
    let verbs: Vec<String> = words.take_while(|word| is_verb(word)).map(str::to_owned).collect();
    (!verbs.is_empty() && verbs != ["manage"]).then_some(verbs)
}

/// Whether a sentence, its words in lower case with one space between them, speaks of an argument as of something
/// that is there.
pub(crate) fn speaks_of(sentence: &str, name: &str) -> bool {
    let words = name_words(name).join(" ");
    sentence.match_indices(&words).any(|(at, _)| {
        let before = sentence[..at].trim_end().rsplit(' ').next().unwrap_or_default();
        let is_whole =
            sentence[..at].ends_with(' ') && !sentence[at + words.len()..].starts_with(|c: char| c != ' ');
        is_whole && ["the", "a", "an", "specified", "given"].contains(&before)
    })
}

static NEEDED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?i)\b(?:required|needed|mandatory)\s+(?:for|when|if|with|by)\s+([^.;]{3,120})"#)
        .expect("a fixed pattern")
});

/// Whether a description says that an action needs the argument.
pub(crate) fn is_needed_for(description: &str, action: &str) -> bool {
    let mut said = NEEDED.captures_iter(description).map(|found| found[1].to_lowercase());
    said.any(|said| {
        !said.contains("except")
            && !said.contains(" unless ")
            && said
                .split(|c: char| !(c.is_alphanumeric() || c == '_'))
                .any(|word| word == action.to_lowercase())
    })
}

/// Whether a description in lower case says that an argument is for an action: `used for close/select`, `used by
/// "grant"`, `(rename only)`.
pub(crate) fn is_for(description: &str, action: &str) -> bool {
    let used_by = description.split("used by ").skip(1).any(|said| {
        let said = said.split(['.', ';', '\n']).next().unwrap_or_default();
        said.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == action)
    });
    let is_only = names_in(action, description) && description.contains(&format!("{action} only"));
    used_by
        || is_only
        || description.match_indices("for ").any(|(at, _)| {
            let said = description[at + 4..].split(['.', ';', '\n', ')']).next().unwrap_or_default();
            said.split(|c: char| !(c.is_alphanumeric() || c == '_')).take(6).any(|word| word == action)
        })
}

/// The other arguments without which an argument is said to do nothing: `Requires label_id`, `Only used with range`.
pub(crate) fn depends_on<'a>(argument: &Argument, arguments: &'a [Argument]) -> Vec<&'a str> {
    static ONLY: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(?:only\s+(?:applies|apply|used|valid|effective|has an effect|takes effect|meaningful|relevant|when|if|with)|used only|ignored (?:unless|without)|requires?|together with)\b([^.;\n]{2,120})")
            .expect("a fixed pattern")
    });
    let said: Vec<String> =
        ONLY.captures_iter(argument.description()).map(|found| found[1].to_owned()).collect();
    let is_named = |other: &&Argument| {
        let is_distinct = other.name.contains('_') || other.name.chars().any(char::is_uppercase);
        let is_set = |said: &String| said.contains(&format!("{}=", other.name));
        other.name != argument.name
            && said.iter().any(|said| is_set(said) || (is_distinct && names_in(&other.name, said)))
    };
    arguments.iter().filter(is_named).map(|other| other.name.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_say_what_an_action_needs() {
        let text = "Actions:\n  - create: Makes one. Requires body.\n    Note: slow.\n  - reply: Answers. Requires note_id and body.";
        assert_eq!(needed_by_lines(text, "create"), ["body"]);
        assert_eq!(needed_by_lines(text, "reply"), ["note_id", "and", "body"]);
        assert_eq!(needed_by_lines(text, "delete"), [""; 0]);
        assert!(speaks_of_several("get busy times for a set of calendars", "calendar_ids"));
        assert!(!speaks_of_several("list calendars", "calendar_ids"));
        assert!(undoes("remove_label_ids", "add labels to a note"));
        assert!(!undoes("add_label_ids", "add labels to a note"));
        assert!(is_needed_for("Rows (required for table)", "table"));
        for (description, action, is) in [
            ("address. used by \"lend\".", "lend", true),
            ("shelf to nest under (lend only)", "lend", true),
            ("address. used by \"return\".", "lend", false),
            ("used for close/lend", "lend", true),
        ] {
            assert_eq!(is_for(description, action), is, "{description}");
        }
    }

    #[test]
    fn what_is_for_one_action_alone_is_known() {
        let argument = |description: &str| Argument {
            name: "condition".to_owned(),
            schema: serde_json::json!({"enum": ["torn", "whole"], "description": description})
                .as_object()
                .cloned()
                .unwrap_or_default(),
            required: false,
        };
        let others = ["lend".to_owned()];
        for (description, is_other, is_its_choice) in [
            ("How it came back (return action only).", false, true),
            ("Lend only. How it went", true, false),
            ("How it is (lend/return only)", false, false),
            ("How it is, if only a little", false, false),
        ] {
            let argument = argument(description);
            assert_eq!(is_of_other(&argument, Some("return"), &others), is_other, "{description}");
            assert_eq!(is_choice_of(&argument, "return"), is_its_choice, "{description}");
        }
    }

    #[test]
    fn what_people_read_and_what_is_another_files_is_known() {
        let argument = |name: &str, schema: Value| Argument {
            name: name.to_owned(),
            schema: schema.as_object().cloned().unwrap_or_default(),
            required: false,
        };
        let read = serde_json::json!({"description": "Human-readable words for the element"});
        let plain = serde_json::json!({"type": "string"});
        let all = [
            argument("startElement", read),
            argument("endTarget", plain.clone()),
            argument("startTarget", plain),
        ];
        assert_eq!(described_by(&all[0], &all).map(|other| other.name.as_str()), Some("startTarget"));
        assert!(described_by(&all[2], &all).is_none());
        let named = |name: &str, default: &str| argument(name, serde_json::json!({"default": default}));
        assert_eq!(names_another(&named("name", "LICENCE.md.zip")), Some("zip"));
        assert_eq!(names_another(&named("name", "Untitled")), None);
        assert_eq!(names_another(&named("host", "weir.example.com")), None);
    }

    #[test]
    fn what_does_nothing_alone_is_known() {
        let argument = |name: &str, description: &str| Argument {
            name: name.to_owned(),
            schema: serde_json::json!({"description": description}).as_object().cloned().unwrap_or_default(),
            required: false,
        };
        let all = [argument("shelf_id", "Which shelf"), argument("mode", "How")];
        for (description, expected) in [
            ("A note. Requires shelf_id.", &["shelf_id"][..]),
            ("Only applies when mode='loan'", &["mode"]),
            ("A note in any mode", &[]),
        ] {
            assert_eq!(depends_on(&argument("note", description), &all), expected, "{description}");
        }
    }
}
