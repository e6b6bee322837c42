//! The tools of a request. Functions stand flat; those of one namespace stand together in it.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::value::RawValue;
use transcript::{RawJson, Tool, ToolForm};

use crate::json::{self, Members};
use crate::provider::json_text::{Object, array, json_text};

/// One entry of the list.
enum Entry<'a> {
    Whole(String),
    Namespace(Members<'a>, Vec<String>),
}

/// The list's entries, in the order of the tools; a namespace stands where its first tool does.
pub(super) fn offered(tools: &[Arc<Tool>], strict: Option<bool>) -> Vec<String> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for tool in tools {
        let Some((name, around, inner)) = in_namespace(tool) else {
            entries.push(Entry::Whole(one(tool, strict)));
            continue;
        };
        let inner = with_strict(inner.get(), strict).unwrap_or_else(|| inner.get().to_owned());
        let place = *places.entry(name).or_insert(entries.len());
        match entries.get_mut(place) {
            Some(Entry::Namespace(_, list)) => list.push(inner),
            _ => entries.push(Entry::Namespace(around, vec![inner])),
        }
    }
    entries.into_iter().map(Entry::text).collect()
}

impl Entry<'_> {
    fn text(self) -> String {
        match self {
            Self::Whole(text) => text,
            Self::Namespace(around, tools) => {
                let tools = array(&tools);
                let mut out = Object::new();
                for (key, value) in around.iter() {
                    out.member(key, if key == "tools" { &tools } else { value.get() });
                }
                out.finish()
            }
        }
    }
}

/// The type of a tool's entry, for whom names it in a choice.
pub(super) fn kind(tool: &Tool) -> &'static str {
    let members = entry(tool).and_then(|entry| json::parse_members(entry.as_str()));
    match members.and_then(|members| json::present_string(&members, "type")).as_deref() {
        Some("custom") => "custom",
        _ => "function",
    }
}

/// What the tool's own list wrote of it, in this format.
fn entry(tool: &Tool) -> Option<&RawJson> {
    let original = tool.original.as_ref().filter(|original| original.form == ToolForm::OpenaiFlat)?;
    Some(&original.json)
}

/// Where the tool's entry is a namespace: its name, its members, and the one of its tools that this is. The others
/// stay out: a tool that is left out of a catalog must not be offered by its neighbour.
fn in_namespace(tool: &Tool) -> Option<(String, Members<'_>, &RawValue)> {
    let name = tool.namespace()?;
    let around = json::parse_members(entry(tool)?.as_str())?;
    let list = json::elements(json::present(&around, "tools")?)?;
    let is_it = |inner: &&RawValue| {
        let name = json::members(inner).and_then(|inner| json::present_string(&inner, "name"));
        name.as_deref() == Some(tool.name.as_str())
    };
    let inner = list.into_iter().find(is_it)?;
    Some((name, around, inner))
}

fn one(tool: &Tool, strict: Option<bool>) -> String {
    let own = entry(tool).filter(|_| tool.namespace().is_none());
    own.and_then(|own| with_strict(own.as_str(), strict)).unwrap_or_else(|| flat(tool, strict))
}

/// A tool in the flat form. The format wants all four members: without `strict` the endpoint would try strict
/// schemas where it can, which nobody asked for.
fn flat(tool: &Tool, strict: Option<bool>) -> String {
    let mut out = Object::new();
    out.member("type", "\"function\"");
    out.member("name", &json_text(&tool.name));
    if let Some(description) = &tool.description {
        out.member("description", description.as_str());
    }
    out.member("parameters", tool.input_schema.as_ref().map_or("null", RawJson::as_str));
    out.member("strict", &json_text(&strict.or(tool.strict).unwrap_or(false)));
    out.finish()
}

/// A function's entry with its `strict` put to what the arm asks for, all else as it stands. A custom tool takes
/// no schema.
fn with_strict(entry: &str, strict: Option<bool>) -> Option<String> {
    let Some(strict) = strict else { return Some(entry.to_owned()) };
    let members = json::parse_members(entry)?;
    if json::present_string(&members, "type").is_some_and(|kind| kind != "function") {
        return Some(entry.to_owned());
    }
    let strict = json_text(&strict);
    let mut out = Object::new();
    for (key, value) in members.iter() {
        out.member(key, if key == "strict" { &strict } else { value.get() });
    }
    if !members.has("strict") {
        out.member("strict", &strict);
    }
    Some(out.finish())
}

#[cfg(test)]
mod tests {
    use transcript::ToolOriginal;

    use super::*;

    fn raw(text: &str) -> RawJson {
        RawJson::parse(text).unwrap()
    }

    fn own(name: &str, form: ToolForm, entry: &str) -> Arc<Tool> {
        let original = ToolOriginal { form, json: raw(entry) };
        Arc::new(Tool { original: Some(original), ..Tool::named(name) })
    }

    #[test]
    fn tools_go_out_as_their_file_wrote_them() {
        let ours = Tool {
            description: Some(raw(r#""Rings \u00e0 bell.""#)),
            input_schema: Some(raw(r#"{"type":"object","properties":{"max":{"default":1.0}}}"#)),
            ..Tool::named("ring")
        };
        let flat =
            own("own", ToolForm::OpenaiFlat, r#"{"name":"own","type":"function","parameters":{"x":1e2}}"#);
        let other = own("bare", ToolForm::OpenaiNested, r#"{"type":"function","function":{"name":"bare"}}"#);
        assert_eq!(
            offered(&[Arc::new(ours), flat, other], None),
            [
                r#"{"type":"function","name":"ring","description":"Rings \u00e0 bell.","parameters":{"type":"object","properties":{"max":{"default":1.0}}},"strict":false}"#,
                r#"{"name":"own","type":"function","parameters":{"x":1e2}}"#,
                r#"{"type":"function","name":"bare","parameters":null,"strict":false}"#,
            ]
        );
    }

    #[test]
    fn strict_is_set_where_a_schema_is() {
        let flat = own("own", ToolForm::OpenaiFlat, r#"{"type":"function","strict":false,"name":"own"}"#);
        let custom = own("run", ToolForm::OpenaiFlat, r#"{"type":"custom","name":"run"}"#);
        assert_eq!(
            offered(&[flat, custom, Arc::new(Tool::named("ping"))], Some(true)),
            [
                r#"{"type":"function","strict":true,"name":"own"}"#,
                r#"{"type":"custom","name":"run"}"#,
                r#"{"type":"function","name":"ping","parameters":null,"strict":true}"#,
            ]
        );
    }

    #[test]
    fn a_namespace_holds_the_tools_that_are_offered_and_no_other() {
        let pier = r#"{"type":"namespace","name":"pier","description":"The pier.","tools":[{"type":"function","name":"ring","strict":true},{"type":"function","name":"sink"},{"type":"custom","name":"note"}]}"#;
        let in_pier = |name: &str| own(name, ToolForm::OpenaiFlat, pier);
        let tools = [in_pier("note"), Arc::new(Tool::named("ping")), in_pier("ring")];
        assert_eq!(
            offered(&tools, Some(false)),
            [
                r#"{"type":"namespace","name":"pier","description":"The pier.","tools":[{"type":"custom","name":"note"},{"type":"function","name":"ring","strict":false}]}"#,
                r#"{"type":"function","name":"ping","parameters":null,"strict":false}"#,
            ]
        );
        // An entry that does not have the tool says nothing of it.
        assert_eq!(
            offered(&[in_pier("dive")], None),
            [r#"{"type":"function","name":"dive","parameters":null,"strict":false}"#]
        );
    }
}
