//! A drafted task in a model's words. What a task wants stays as it is; the words are taken over where they hold
//! every value, add none, copy no example, name no tool and ask for no other one.

use std::collections::HashSet;

use probes::{ArgumentRule, Catalog};
use serde_json::Value;
use transcript::{RawJson, Tool};

use crate::similar::Neighbours;
use crate::task::{DraftSource, DraftedTask};
use crate::traces::stands_in;
use crate::words::scalars;

/// The longest request that is taken over, in characters.
const LONGEST: usize = 600;

/// What a model is told before each task.
pub const REWORDING_PROMPT: &str = "You put requests to an assistant into the words of a person who is busy and friendly. You are given a request and what it is for. Say the same request in other words, in one to three sentences. Keep every name, number, date, address and quoted text letter for letter, and add no other one. Ask for nothing more and give no reasons. Do not name or hint at any tool, function or parameter. Answer with the request alone.";

/// Drafts on their way into other words.
pub struct Rewording<'a> {
    catalog: &'a Catalog,
    neighbours: Neighbours<'a>,
}

impl<'a> Rewording<'a> {
    /// Over a catalog.
    #[must_use]
    pub fn of(catalog: &'a Catalog) -> Self {
        Self { catalog, neighbours: Neighbours::of(catalog) }
    }

    /// What a model is asked for a task; none where its words are somebody's own, name the tool because no others
    /// would do, or give a value that no check could find in other words.
    #[must_use]
    pub fn question(&self, task: &DraftedTask) -> Option<String> {
        let tool = self.tool(task)?;
        let is_said = |rule: &ArgumentRule| match rule {
            ArgumentRule::Equals(value) => is_in_words(value),
            _ => true,
        };
        let is_fit = task.source == DraftSource::Schema
            && task.arguments.values().all(is_said)
            && !names_tool(&task.user, tool.name.as_str());
        let description = tool.description_text();
        let first: String = description.lines().next().unwrap_or_default().chars().take(300).collect();
        is_fit.then(|| format!("What it is for: {first}\n\nThe request: {}", task.user))
    }

    /// Takes a model's answer for the words of a task.
    ///
    /// # Errors
    /// Why the task's own words stay.
    pub fn take(&self, task: &mut DraftedTask, answer: &str) -> Result<(), &'static str> {
        let words = bare(answer);
        let Some(tool) = self.tool(task) else { return Err("it wants no tool") };
        if words.is_empty() || words.chars().count() > LONGEST || words.contains(['\n', '`']) {
            return Err("it is no request alone");
        }
        let mut values = task.arguments.values().flat_map(given);
        if !values.all(|value| stands_in(&value.into(), words)) {
            return Err("it lacks a value");
        }
        if self.catalog.tools().iter().any(|tool| names_tool(words, tool.name.as_str())) {
            return Err("it names a tool");
        }
        if copies_example(tool, &task.user, words) {
            return Err("it copies an example of a schema");
        }
        if !added(words, &task.user).is_empty() {
            return Err("it adds a value");
        }
        if self.neighbours.fits_another_better(tool, words, &task.substitutes) {
            return Err("another tool fits it as well");
        }
        words.clone_into(&mut task.user);
        task.is_reworded = true;
        Ok(())
    }

    fn tool(&self, task: &DraftedTask) -> Option<&'a Tool> {
        self.catalog.get(task.tool.as_deref()?).map(AsRef::as_ref)
    }
}

/// The values that words have to give.
fn given(rule: &ArgumentRule) -> Vec<String> {
    match rule {
        ArgumentRule::Equals(value) => scalars(value),
        _ => Vec::new(),
    }
}

/// Whether words give a value letter for letter. What is so or not is said by a sentence that has many forms.
fn is_in_words(value: &Value) -> bool {
    match value {
        Value::String(text) => !text.is_empty() && !text.contains(['\n', '"']),
        Value::Number(_) => true,
        Value::Array(items) => {
            !items.is_empty() && items.iter().all(|item| !item.is_array() && is_in_words(item))
        }
        Value::Bool(_) | Value::Null | Value::Object(_) => false,
    }
}

/// An answer without the quotation marks around it.
fn bare(answer: &str) -> &str {
    let answer = answer.trim();
    answer
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .filter(|rest| !rest.contains('"'))
        .unwrap_or(answer)
}

/// Whether words have a tool's name in them. A name of one plain word is a word of the language.
fn names_tool(words: &str, name: &str) -> bool {
    let is_plain = name.chars().all(|c| c.is_lowercase());
    !is_plain && words.to_lowercase().contains(&name.to_lowercase())
}

/// Whether words show a text that the schema shows as a value, and the task's own words do not.
fn copies_example(tool: &Tool, own: &str, words: &str) -> bool {
    fn shown(schema: &Value, out: &mut Vec<String>) {
        match schema {
            Value::Object(members) => {
                for (key, value) in members {
                    if ["default", "example", "examples"].contains(&key.as_str()) {
                        out.extend(scalars(value));
                    }
                    shown(value, out);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| shown(item, out)),
            _ => {}
        }
    }
    let mut examples = Vec::new();
    if let Some(schema) = tool.input_schema.as_ref().and_then(RawJson::to_value) {
        shown(&schema, &mut examples);
    }
    let stands = |text: &String, words: &str| stands_in(&text.clone().into(), words);
    examples.iter().any(|text| text.chars().count() > 3 && stands(text, words) && !stands(text, own))
}

/// What is in words as a number, an address or a quoted text, and not in the task's own.
fn added(words: &str, own: &str) -> Vec<String> {
    let is_value = |word: &&str| word.chars().any(|c| c.is_ascii_digit() || "@/_".contains(c));
    let trimmed = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let pieces = |text: &str| -> HashSet<String> { text.split_whitespace().map(trimmed).collect() };
    let known = pieces(own);
    let quoted = words.split('"').skip(1).step_by(2).filter(|text| !own.contains(*text)).map(str::to_owned);
    let values = words.split_whitespace().filter(is_value).map(trimmed).filter(|word| !known.contains(word));
    values.chain(quoted).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{Caller, draft_tasks};

    const TOOLS: &str = r#"{"tools":[
        {"name":"send_note","description":"Sends a note to a person.","inputSchema":{"type":"object","properties":{"to":{"type":"string","examples":["Marlowe"]},"text":{"type":"string"}},"required":["to","text"]}},
        {"name":"delete_folder","description":"Deletes a folder with everything in it.","inputSchema":{"type":"object","properties":{"folder_id":{"type":"string"}},"required":["folder_id"]}},
        {"name":"set_light","description":"Switches the light.","inputSchema":{"type":"object","properties":{"on":{"type":"boolean"}},"required":["on"]}}]}"#;

    #[test]
    fn words_are_taken_over_where_they_ask_for_the_same() {
        let catalog = Catalog::from_text(Path::new("c.json"), TOOLS).unwrap();
        let rewording = Rewording::of(&catalog);
        let tasks = draft_tasks(&catalog, 7, &Caller::default());
        let asked: Vec<bool> = tasks[..3].iter().map(|task| rewording.question(task).is_some()).collect();
        assert_eq!(asked, [true, true, false], "a switch is said in too many ways");
        let values: Vec<String> = tasks[0].arguments.values().flat_map(given).collect();
        let [to, text] = &values[..] else { panic!("{values:?}") };
        let fine = format!("Drop {to} a short note, would you? It should say \"{text}\"");
        for (answer, result) in [
            (fine.clone(), Ok(())),
            (format!("\"Drop {to} a note: {text}\""), Ok(())),
            (format!("Drop {to} a note."), Err("it lacks a value")),
            (format!("{fine} Use send_note."), Err("it names a tool")),
            (format!("{fine} Copy Marlowe in."), Err("it copies an example of a schema")),
            (format!("{fine} Do it by 17:30."), Err("it adds a value")),
            (
                format!("Delete the folder with everything in it: {to} {text}"),
                Err("another tool fits it as well"),
            ),
            ("Sure! Here it is:\nDo it".to_owned(), Err("it is no request alone")),
        ] {
            let mut task = tasks[0].clone();
            assert_eq!(rewording.take(&mut task, &answer), result, "{answer}");
            assert_eq!(task.is_reworded, result.is_ok());
            assert_eq!(task.user == tasks[0].user, result.is_err());
        }
    }
}
