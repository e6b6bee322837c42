//! What a catalog says in one place of a form that holds in another: the format of an id, and of the moments that
//! some services name messages by.

use std::collections::HashMap;

use probes::Catalog;
use serde_json::Value;

use crate::caller::is_of;
use crate::draw::Draw;
use crate::prerequisite::is_named_in;
use crate::schema::{Argument, Schema, type_of};
use crate::value::{by_format, matching};
use crate::words::name_words;

/// A form that values of one name have.
#[derive(Debug, Clone)]
enum Form {
    Format(String),
    Pattern(String),
    /// As a description shows it.
    Shown(String),
}

/// The forms of a catalog, by what they are of.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hints {
    forms: HashMap<String, Form>,
    /// The tools, each with the names that texts call it by.
    tools: Vec<(String, Vec<String>)>,
    /// What the caller is called: nobody else is.
    caller: Vec<String>,
}

impl Hints {
    pub(crate) fn of(catalog: &Catalog) -> Self {
        let mut forms = HashMap::new();
        for tool in catalog.tools() {
            for argument in Schema::of(tool).arguments() {
                if let (Some(concept), Some(form)) =
                    (concept(&argument.name, argument.description()), form(&argument))
                {
                    // A form that only an example shows is its own argument's: two services name two things alike.
                    let is_general = concept == MESSAGE || !matches!(form, Form::Shown(_));
                    if is_general {
                        forms.entry(concept).or_insert(form);
                    }
                }
            }
        }
        let title = |tool: &transcript::Tool| {
            let own = tool.extras.get("title").and_then(transcript::RawJson::to_value);
            own.and_then(|title| title.as_str().map(str::to_owned)).filter(|title| title.contains(' '))
        };
        let names = |tool: &std::sync::Arc<transcript::Tool>| {
            let name = tool.name.to_string();
            (name.clone(), std::iter::once(name).chain(title(tool)).collect())
        };
        Self { forms, tools: catalog.tools().iter().map(names).collect(), caller: Vec::new() }
    }

    /// The same for requests of a caller with these names.
    pub(crate) fn of_caller(self, caller: Vec<String>) -> Self {
        Self { caller, ..self }
    }

    /// Whether a text is the caller's name or address.
    pub(crate) fn is_callers(&self, text: &str) -> bool {
        is_of(text, &self.caller)
    }

    /// The tools that a text names beside `own`: each with the name that stands there.
    pub(crate) fn tools_in(&self, text: &str, own: &str) -> Vec<(String, String)> {
        let named = |(name, called): &(String, Vec<String>)| {
            let called = called.iter().find(|called| is_named_in(called, text))?;
            (name != own).then(|| (name.clone(), called.clone()))
        };
        self.tools.iter().filter_map(named).collect()
    }

    /// A text of the form that the catalog shows for the same concept elsewhere.
    pub(crate) fn text(&self, name: &str, description: &str, draw: &mut Draw) -> Option<String> {
        let concept = concept(name, description)?;
        let words = name_words(name);
        match self.forms.get(&concept) {
            Some(Form::Format(format)) => by_format::text(format, &words, draw),
            Some(Form::Pattern(pattern)) => matching(pattern, draw),
            Some(Form::Shown(description)) => by_format::shown_id(description, draw),
            // Nothing shows the form: a moment down to the microsecond, as such services count them.
            None => (concept == MESSAGE).then(|| format!("17{}.{}", draw.digits(8), draw.digits(6))),
        }
    }
}

/// The moment that names a message.
const MESSAGE: &str = "message moment";

/// What an argument is the id of; none where it is no id.
fn concept(name: &str, description: &str) -> Option<String> {
    if names_a_message(name, description) {
        return Some(MESSAGE.to_owned());
    }
    let words = name_words(name);
    let is_id =
        words.len() > 1 && words.last().is_some_and(|last| ["id", "ids", "uuid"].contains(&last.as_str()));
    let is_code =
        words.last().is_some_and(|last| ["sku", "isbn", "barcode", "iban"].contains(&last.as_str()));
    if is_code {
        return Some(words.join(" "));
    }
    is_id.then(|| format!("{} id", words.get(..words.len() - 1).unwrap_or_default().join(" ")))
}

/// Whether a timestamp says which message is meant rather than when something happens.
fn names_a_message(name: &str, description: &str) -> bool {
    let words = name_words(name);
    let is_moment = words.iter().any(|word| word == "ts" || word == "timestamp");
    let description = description.to_lowercase();
    let says = |among: &[&str]| among.iter().any(|words| description.contains(words));
    let of_message =
        words.iter().any(|word| ["thread", "message", "parent", "reply"].contains(&word.as_str()))
            || says(&[
                "of the message",
                "of the parent",
                "of a message",
                "of the thread",
                "message timestamp",
                "message's",
            ]);
    is_moment
        && of_message
        && !says(&["only messages", "after this", "before this", "start of", "end of", "range"])
}

fn form(argument: &Argument) -> Option<Form> {
    let schema = &argument.schema;
    let text = |key: &str| schema.get(key).and_then(Value::as_str).map(str::to_owned);
    if type_of(schema) != "string" {
        return None;
    }
    text("pattern").map(Form::Pattern).or_else(|| text("format").map(Form::Format)).or_else(|| {
        let description = argument.description();
        by_format::shown_id(description, &mut Draw::new(0, &["form"]))
            .map(|_| Form::Shown(description.to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_form_shown_once_holds_for_the_same_concept() {
        let text = r#"{"tools":[{"name":"reply","inputSchema":{"type":"object","properties":{
            "thread_ts":{"type":"string","description":"Of the parent message, in the format '1234567890.123456'"},
            "page_id":{"type":"string","format":"uuid"},
            "space_id":{"type":"string","description":"The space (e.g. spaces/X/parts/Y)"}}}}]}"#;
        let hints = Hints::of(&Catalog::from_text(Path::new("c.json"), text).unwrap());
        let made = |name: &str, description: &str| hints.text(name, description, &mut Draw::new(3, &[name]));
        let moment = made("timestamp", "The timestamp of the message to react to").unwrap();
        assert_eq!((moment.len(), moment.find('.')), (17, Some(10)), "{moment}");
        assert_ne!(moment, "1234567890.123456");
        assert_eq!(made("page_id", "").unwrap().len(), 36);
        assert_eq!(made("space_id", ""), None);
        assert_eq!(made("timestamp", "When it begins"), None);
        assert_eq!(made("note_id", ""), None);
    }
}
