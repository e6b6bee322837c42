//! A made-up result of a reading tool, a question that only the result answers, and the answer. Where neither the
//! output schema nor the tool's words say what comes back, there is none.

use probes::{ArgumentRule, Canary, Catalog, reads};
use serde_json::{Map, Value, json};
use transcript::{RawJson, Tool};

use crate::bounded::is_bounded;
use crate::draw::Draw;
use crate::schema::{Argument, type_of};
use crate::task::DraftedTask;
use crate::words::{first_sentence, is_verb, label, name_words, singular};

/// First lines that no document begins with by habit.
const LINES: &[&str] = &[
    "Heron count at the quartz weir",
    "Eleven lanterns for the ferry hall",
    "Saltmarsh ledger of the ninth tide",
    "Rust-red gate opens inwards",
    "Copper spoons are kept upstairs",
    "Windrow keys hang by the cistern",
];

/// States that nobody would guess, and the one that everybody would.
const STATES: &[&str] = &["held_for_review", "parked_over_winter", "half_returned", "sealed_by_hand"];
const HABIT: &str = "active";

/// Members of an output schema that a question can be about, most telling first.
const ASKED: &[&str] =
    &["status", "state", "total", "count", "title", "name", "summary", "text", "content", "result"];

/// Words of tools that give back a text.
const TEXTS: &[&str] = &[
    "content",
    "text",
    "file",
    "document",
    "page",
    "doc",
    "readme",
    "transcript",
    "body",
    "html",
    "url",
    "markdown",
];

/// Words of tools that give back what is known of one thing.
const DETAILS: &[&str] = &["detail", "metadata", "status", "state", "property", "info"];

/// The canary of a tool's request; none where the tool writes or nothing says what it returns.
pub(crate) fn canary(tool: &Tool, arguments: &[Argument], user: &str, draw: &Draw) -> Option<Canary> {
    if !reads(tool) {
        return None;
    }
    let is_part = is_bounded(arguments);
    // What the words give already proves nothing.
    (0..6).find_map(|again| {
        let mut draw = draw.part(&again.to_string());
        let made = of_schema(tool, is_part, &mut draw).or_else(|| of_words(tool, is_part, &mut draw))?;
        let is_fresh = !user.to_lowercase().contains(&made.said.to_lowercase());
        is_fresh.then(|| Canary {
            user: Some(format!("{user}\n{}", made.question)),
            result: made.result,
            answer: made.answer,
            habit: made.habit,
        })
    })
}

/// The reading tools of a catalog that none of the tasks has a canary for.
#[must_use]
pub fn without_canary<'a>(catalog: &'a Catalog, tasks: &[DraftedTask]) -> Vec<&'a str> {
    let has = |name: &str| {
        tasks.iter().any(|task| task.tool.as_deref() == Some(name) && task.kinds.canary.is_some())
    };
    let names = catalog.tools().iter().filter(|tool| reads(tool)).map(|tool| tool.name.as_str());
    names.filter(|name| !has(name)).collect()
}

struct Made {
    question: String,
    result: Value,
    answer: ArgumentRule,
    habit: Option<Value>,
    /// The answer as it is written.
    said: String,
}

fn state(question: String, key: &str, draw: &mut Draw) -> Made {
    let state = draw.pick(STATES);
    let answer = ArgumentRule::OneOf(vec![state.into(), state.replace('_', " ").into()]);
    Made {
        question,
        result: json!({ key: state }),
        answer,
        habit: Some(HABIT.into()),
        said: state.to_owned(),
    }
}

fn line(question: String, key: &str, behind: &str, draw: &mut Draw) -> Made {
    let line = draw.pick(LINES);
    let result = json!({ key: format!("{line}{behind}") });
    Made { question, result, answer: ArgumentRule::Equals(line.into()), habit: None, said: line.to_owned() }
}

/// Things of which nobody has hundreds.
const FEW: &[&str] = &[
    "index",
    "page",
    "database",
    "collection",
    "branch",
    "label",
    "sheet",
    "calendar",
    "connection",
    "tab",
    "team",
    "channel",
    "template",
    "source",
    "column",
    "list",
    "directory",
    "agenda",
    "store",
    "folder",
    "server",
    "member",
];

/// A count of what these words name.
fn number(question: String, key: &str, words: &[String], draw: &mut Draw) -> Made {
    let are_few = words.iter().any(|word| FEW.contains(&singular(word).as_str()));
    let number = if are_few { draw.number(17, 58) } else { draw.number(211, 979) };
    let answer = ArgumentRule::OneOf(vec![number.into(), number.to_string().into()]);
    Made { question, result: json!({ key: number }), answer, habit: Some(0.into()), said: number.to_string() }
}

/// By a member of the output schema; of what may come back in part, by none that counts it.
fn of_schema(tool: &Tool, is_part: bool, draw: &mut Draw) -> Option<Made> {
    let schema = tool.extras.get("outputSchema").and_then(RawJson::to_value)?;
    let properties = schema.get("properties").and_then(Value::as_object)?;
    let is_open = |property: &Map<String, Value>| {
        !["enum", "const", "format", "pattern"].iter().any(|key| property.contains_key(*key))
    };
    let kind = |name: &str| {
        let counts =
            name_words(name).iter().any(|word| ["total", "count", "number"].contains(&word.as_str()));
        if is_part && counts {
            return None;
        }
        let property = properties.get(name)?.as_object().filter(|property| is_open(property))?;
        // A count that may also be told in words is a number.
        let branches = property.get("anyOf").and_then(Value::as_array).into_iter().flatten();
        let branch = branches.filter_map(Value::as_object).find(|branch| branch.contains_key("type"));
        let said = branch.unwrap_or(property);
        let kind = said.contains_key("type").then(|| type_of(said))?;
        Some(kind).filter(|kind| ["string", "integer", "number"].contains(&kind.as_str()))
    };
    let known = ASKED.iter().copied().find(|name| kind(name).is_some());
    // Of any other text nothing says what it could be.
    let is_number = |name: &&str| kind(name).is_some_and(|kind| kind != "string");
    let is_known_text = |name: &&str| kind(name).is_some() && text_of(name, &mut draw.part("text")).is_some();
    let names = || properties.keys().map(String::as_str);
    let name = known.or_else(|| names().find(is_number)).or_else(|| names().find(is_known_text))?;
    let is_string = kind(name)? == "string";
    let question = match name {
        // "The result of the result" says nothing to anybody.
        "result" | "content" | "text" if properties.len() == 1 => {
            "Reply with exactly what the tool returned.".to_owned()
        }
        _ if is_string => format!("All that I need of the result is its {}, word for word.", label(name)),
        _ => format!("All that I need of the result is its {}, as a number.", label(name)),
    };
    Some(match name {
        _ if !is_string => {
            number(question, name, &[name_words(tool.name.as_str()), name_words(name)].concat(), draw)
        }
        "status" | "state" => state(question, name, draw),
        _ => match text_of(name, draw) {
            Some(text) => Made {
                question,
                result: json!({ name: text }),
                answer: ArgumentRule::Equals(text.clone().into()),
                habit: None,
                said: text,
            },
            None => line(question, name, "", draw),
        },
    })
}

/// What a text of this name looks like, where that is not a line of prose: a moment, or an id.
fn text_of(name: &str, draw: &mut Draw) -> Option<String> {
    let words = name_words(name);
    match words.last()?.as_str() {
        "datetime" | "timestamp" => Some(format!(
            "2027-0{}-1{}T0{}:{}:{}+00:00",
            draw.number(1, 9),
            draw.number(0, 9),
            draw.number(0, 9),
            draw.number(11, 59),
            draw.number(11, 59)
        )),
        "id" if words.len() > 1 => {
            let head: String = words.first()?.chars().take(3).collect();
            Some(format!("{}-{}", head.to_uppercase(), draw.digits(5)))
        }
        _ => None,
    }
}

/// By the words of name and description.
fn of_words(tool: &Tool, is_part: bool, draw: &mut Draw) -> Option<Made> {
    let words = name_words(tool.name.as_str());
    let verb = words.iter().find(|word| is_verb(word)).map(String::as_str);
    let sentence = first_sentence(&tool.description_text());
    let about = sentence.to_lowercase();
    let about = about.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let said: Vec<String> = words.iter().map(String::as_str).chain(about).map(singular).collect();
    let has = |among: &[&str]| said.iter().any(|word| among.contains(&word.as_str()));
    let object_is_plural = words.last().is_some_and(|word| singular(word) != *word);
    // What comes back as a text or a picture has no number.
    let is_list = sentence.to_lowercase().contains(" list of ");
    let is_picture = has(&["media", "image", "picture", "photo", "video", "audio"]);
    let names_text =
        words.last().is_some_and(|word| TEXTS.contains(&singular(word).as_str()) || is_verb(word));
    match verb? {
        "list" | "search" | "find" | "query" if has(&["documentation"]) => None,
        "list" | "search" | "find" | "query" | "aggregate" => Some(of_list(&words, is_part, draw)),
        _ if is_picture => None,
        "get" | "fetch" | "retrieve" if is_list && object_is_plural => Some(of_list(&words, is_part, draw)),
        "get" | "fetch" | "retrieve" if object_is_plural && !has(TEXTS) && !has(DETAILS) => {
            Some(of_list(&words, is_part, draw))
        }
        "get" | "read" | "fetch" | "retrieve" | "show" | "view" if has(TEXTS) && names_text => {
            let question =
                "Then tell me what its first line says, word for word, and nothing else.".to_owned();
            Some(line(question, "content", "\nThe rest is blank.", draw))
        }
        "get" | "retrieve" | "show" | "check" | "describe" if has(DETAILS) => {
            let question = "All that I need of the result is the status, word for word.".to_owned();
            Some(state(question, "status", draw))
        }
        _ => None,
    }
}

/// The first of a list that may be a part of what there is; how many there are, where it is all.
fn of_list(words: &[String], is_part: bool, draw: &mut Draw) -> Made {
    if is_part {
        let question =
            "All that I need is the name of the first one in the result, word for word.".to_owned();
        let mut made = line(question, "name", "", draw);
        made.result = json!({ "items": [made.result] });
        return made;
    }
    let question = "All that I need is how many there are in total, as a number.".to_owned();
    let mut made = number(question, "total", words, draw);
    if let Some(members) = made.result.as_object_mut() {
        members.insert("shown".to_owned(), 1.into());
        members.insert("items".to_owned(), json!([{ "row": "ZZ-1" }]));
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(name: &str, description: &str, output: Option<&str>) -> Option<Canary> {
        made_of(name, description, "", output)
    }

    fn made_of(name: &str, description: &str, argument: &str, output: Option<&str>) -> Option<Canary> {
        let properties =
            if argument.is_empty() { String::new() } else { format!(r#""{argument}":{{"type":"integer"}}"#) };
        let output = output.map_or(String::new(), |schema| format!(r#","outputSchema":{schema}"#));
        let text = format!(
            r#"{{"tools":[{{"name":"{name}","description":"{description}","inputSchema":{{"type":"object","properties":{{{properties}}}}}{output}}}]}}"#
        );
        let catalog = Catalog::from_text(std::path::Path::new("c.json"), &text).unwrap();
        let tool = &catalog.tools()[0];
        canary(tool, &crate::schema::Schema::of(tool).arguments(), "Do it.", &Draw::new(7, &["c"]))
    }

    #[test]
    fn what_may_be_a_part_is_not_counted() {
        let asked = |argument: &str, output: Option<&str>| {
            made_of("list_notes", "Lists notes.", argument, output).unwrap().user.unwrap()
        };
        assert!(asked("folder", None).ends_with("in total, as a number."));
        assert!(asked("limit", None).ends_with("the first one in the result, word for word."));
        let output = r#"{"properties":{"totalCount":{"type":"integer"},"height":{"type":"integer"}}}"#;
        assert!(asked("folder", Some(output)).ends_with("its total count, as a number."));
        assert!(asked("page_size", Some(output)).ends_with("its height, as a number."));
        let few = made("list_indexes", "Lists indexes.", None).unwrap();
        assert!(few.result["total"].as_i64().unwrap() < 64);
    }

    #[test]
    fn an_answer_stands_in_the_result_and_habit_does_not() {
        for (name, description, output) in [
            ("list_notes", "Lists notes.", None),
            ("read_file", "Reads a file.", None),
            ("get_note", "Returns details of a note.", None),
            ("get_tide", "Returns the tide.", Some(r#"{"properties":{"height":{"type":"number"}}}"#)),
        ] {
            let canary = made(name, description, output).unwrap_or_else(|| panic!("{name}"));
            let said = match &canary.answer {
                ArgumentRule::OneOf(values) => values[0].to_string(),
                ArgumentRule::Equals(value) => value.as_str().unwrap().to_owned(),
                other => panic!("{other:?}"),
            };
            assert!(canary.result.to_string().contains(&said), "{canary:?}");
            assert!(
                canary.habit.is_none_or(|habit| !canary.result.to_string().contains(&format!(":{habit}")))
            );
        }
        let plain =
            made("get_tide", "Returns the tide.", Some(r#"{"properties":{"result":{"type":"string"}}}"#));
        assert_eq!(plain.unwrap().user.unwrap(), "Do it.\nReply with exactly what the tool returned.");
        for (name, description, output, expected) in [
            ("get_tide", "Returns the tide.", Some(r#"{"properties":{"harbour":{"type":"string"}}}"#), None),
            ("get_tide", "Returns the tide.", Some(r##"{"properties":{"from":{"$ref":"#/x"}}}"##), None),
            ("read_media_file", "Reads an image.", None, None),
            ("query_docs", "Queries documentation.", None, None),
            (
                "get_tides",
                "Returns tides.",
                Some(r#"{"properties":{"count":{"anyOf":[{"type":"number"},{"const":"many"}]}}}"#),
                Some("its count, as a number."),
            ),
            (
                "get_tide",
                "Returns the tide.",
                Some(r#"{"properties":{"harbour":{"type":"string"},"datetime":{"type":"string"}}}"#),
                Some("its datetime, word for word."),
            ),
            ("get_note_files", "Gets the list of files of a note.", None, Some("in total, as a number.")),
        ] {
            let question = made(name, description, output).map(|canary| canary.user.unwrap());
            let ends = |end: &str| question.as_ref().is_some_and(|question| question.ends_with(end));
            assert!(expected.map_or(question.is_none(), ends), "{name}: {question:?}");
        }
        assert_eq!(made("delete_note", "Deletes a note.", None), None);
        assert_eq!(made("get_tide", "Returns the tide.", None), None);
    }
}
