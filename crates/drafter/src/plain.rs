//! What an argument shall do whose form no schema describes: in the plain words of a person, who leaves its form to
//! whoever calls the tool.

use std::sync::LazyLock;

use regex::Regex;

use crate::draw::Draw;
use crate::schema::Argument;
use crate::value::vocabulary::{FUNCTIONS, PEOPLE, SENTENCES, SUBJECTS, TITLES};
use crate::words::{label, name_words, settled, singular};

/// Verbs of what is done without anything that is there already.
const ADDS: &[&str] = &["add", "adds", "create", "creates", "insert", "inserts", "append", "appends"];

/// A sentence that says what is wanted of the argument.
pub(crate) fn plainly(argument: &Argument, draw: &mut Draw) -> String {
    let words = name_words(&argument.name);
    let has = |among: &[&str]| words.iter().any(|word| among.contains(&singular(word).as_str()));
    let description = argument.description().to_lowercase();
    let name = label(&argument.name);
    let title = draw.pick(TITLES);
    let subject = draw.pick(SUBJECTS);
    let adds = steps(argument.description()).find_map(|step| added(&step));
    if let Some(adds) = adds {
        return format!("{adds} called \"{title}\"");
    }
    match () {
        () if has(&["file", "source", "script", "code"]) => {
            let file = draw.pick(FUNCTIONS);
            let sentence = draw.pick(SENTENCES);
            format!("There is one file to write: {file}, which holds only the comment \"{sentence}\"")
        }
        () if has(&["schema", "property", "column", "field", "attribute", "definition"])
            && ["schema", "definition", "column"].iter().any(|word| description.contains(word)) =>
        {
            format!("The {name} shall be one for the name and one for the date due")
        }
        () if has(&["property", "field", "attribute"]) => format!("Its title shall be \"{title}\""),
        () if has(&["parent", "folder", "container"]) => format!("It belongs under \"{title}\""),
        () if has(&["sort", "order"]) => "The newest shall come first".to_owned(),
        () if has(&[
            "query",
            "filter",
            "criterion",
            "criteria",
            "condition",
            "where",
            "expression",
            "statement",
            "search",
        ]) =>
        {
            format!("The {name} shall match what has \"{subject}\" in its name, and nothing else")
        }
        () if has(&["rule", "policy", "permission"]) => {
            let person = draw.pick(PEOPLE);
            format!("The {name} shall let only {person} make changes")
        }
        () if has(&["request", "operation", "update", "change", "edit", "action", "step", "command"]) => {
            let other = draw.pick(TITLES);
            format!("Replace the text \"{subject}\" in it with \"{other}\"")
        }
        () if has(&["type", "kind", "mode", "format"]) => {
            format!("Take the {name} that fits \"{subject}\" best")
        }
        () => format!("In the {name}, the name shall be \"{title}\""),
    }
}

/// The sentences of a description's lines, of those that explain a word each: `- addLeaf: Add a new leaf`.
fn steps(description: &str) -> impl Iterator<Item = String> {
    static STEP: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"(?m)^\s*[-*]\s*["'`]?\w+["'`]?\s*[:=-]\s*([A-Za-z][^\n(.;]{3,80})"#)
            .expect("a fixed pattern")
    });
    let found: Vec<String> =
        STEP.captures_iter(description).map(|found| found[1].trim().to_owned()).collect();
    found.into_iter()
}

/// `Add a new note or a card`: `Add a new note`; none where something that is there would have to be named.
fn added(step: &str) -> Option<String> {
    let (verb, rest) = step.split_once(' ')?;
    let lower = verb.to_lowercase();
    let own = lower.strip_suffix('s').filter(|own| ADDS.contains(own)).unwrap_or(&lower);
    let rest = settled(&format!("{own} {rest}"), &|_| false);
    let is_plain = rest.split(' ').count() <= 5 && !rest.contains(',');
    let first = rest.chars().next()?.to_uppercase();
    (ADDS.contains(&own) && is_plain).then(|| format!("{first}{}", rest.get(1..).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_wanted_is_said_by_what_a_description_offers() {
        let said = |name: &str, description: &str| {
            let schema = json!({"type": "object", "description": description});
            let argument =
                Argument { name: name.into(), schema: schema.as_object().unwrap().clone(), required: true };
            plainly(&argument, &mut Draw::new(7, &["plain"]))
        };
        for (name, description, begin) in [
            (
                "requests",
                "Any of:\n- dropNote: Drop a note\n- addNote: Adds a new note or card",
                "Add a new note called \"",
            ),
            ("requests", "What to do", "Replace the text \""),
            ("files", "Objects with name and source", "There is one file to write: "),
            ("properties", "Property schema of the store", "The properties shall be one for the name "),
            ("properties", "", "Its title shall be \""),
            ("query", "In WQL", "The query shall match what has \""),
            ("rules", "", "The rules shall let only "),
            ("payload", "", "In the payload, the name shall be \""),
        ] {
            let words = said(name, description);
            assert!(words.starts_with(begin), "{name}: {words}");
        }
    }
}
