//! Writes a request for a response. The body is text put together from raw JSON: schemas and descriptions are sent
//! as their file wrote them.

use std::collections::BTreeSet;

use bytes::Bytes;
use indexmap::IndexMap;
use probes::{ArmSettings, Thinking, ToolChoice};
use serde_json::value::RawValue;
use transcript::{Message, RawJson, Role};

use super::PROVIDER;
use super::tools::{self, offered};
use crate::json;
use crate::provider::json_text::{Object, array, json_text};
use crate::provider::{ModelRequest, Said, effort};

const TOOL_CHOICE: &str = "tool_choice";
const PARALLEL: &str = "parallel_tool_calls";
const REASONING: &str = "reasoning";

/// Members that the endpoint refuses where no tool is offered.
const NEEDS_TOOLS: &[&str] = &[TOOL_CHOICE, PARALLEL];

pub(super) fn encode(request: &ModelRequest<'_>) -> Bytes {
    let mut body = Object::new();
    body.member("model", &json_text(request.model));
    let (instructions, said) = instructions(request.messages);
    if let Some(instructions) = instructions {
        body.member("instructions", &json_text(instructions));
    }
    body.member("input", &array(input(said)));
    if !request.tools.is_empty() {
        body.member("tools", &array(offered(request.tools, request.arm.strict)));
    }
    for (key, value) in &further(request) {
        if !request.tools.is_empty() || !NEEDS_TOOLS.contains(key) {
            body.member(key, value);
        }
    }
    Bytes::from(body.finish())
}

/// The system prompt at the head of the conversation, and what follows it.
fn instructions(said: &[Said]) -> (Option<&str>, &[Said]) {
    match said {
        [Said::Ours(first), rest @ ..] if first.role == Role::System => (Some(first.text()), rest),
        said => (None, said),
    }
}

/// Settings, with what the arm asks for in their place.
fn further<'a>(request: &ModelRequest<'a>) -> IndexMap<&'a str, String> {
    let arm = request.arm;
    let mut all = request.members(PROVIDER.reserved);
    if let Some(choice) = tool_choice(arm, request) {
        all.insert(TOOL_CHOICE, choice);
    }
    if let Some(parallel) = arm.parallel {
        all.insert(PARALLEL, json_text(&parallel));
    }
    if let Some(thinking) = arm.thinking {
        let reasoning = reasoning(all.get(REASONING), thinking);
        all.insert(REASONING, reasoning);
    }
    all
}

/// The effort, beside whatever else is asked of reasoning. Efforts as the API reference names them.
fn reasoning(asked: Option<&String>, thinking: Thinking) -> String {
    let effort = effort(thinking).unwrap_or("none");
    let asked = asked.and_then(|asked| json::parse_members(asked)).unwrap_or_default();
    let mut out = Object::new();
    for (key, value) in asked.iter().filter(|(key, _)| *key != "effort") {
        out.member(key, value.get());
    }
    out.member("effort", &json_text(effort));
    out.finish()
}

/// A function inside a namespace is forced by its name: the format has no place for the namespace there.
fn tool_choice(arm: &ArmSettings, request: &ModelRequest<'_>) -> Option<String> {
    Some(match arm.tool_choice.as_ref()? {
        ToolChoice::Auto => json_text("auto"),
        ToolChoice::Required => json_text("required"),
        ToolChoice::None => json_text("none"),
        ToolChoice::Tool(name) => {
            let tool = request.tools.iter().find(|tool| tool.name == *name);
            let mut choice = Object::new();
            choice.member("type", &json_text(tool.map_or("function", |tool| tools::kind(tool))));
            choice.member("name", &json_text(name));
            choice.finish()
        }
    })
}

/// The conversation as input items.
fn input(said: &[Said]) -> Vec<String> {
    let mut items = Vec::new();
    let mut custom = BTreeSet::new();
    for message in said {
        match message {
            Said::Ours(message) => ours(message, &custom, &mut items),
            Said::Model(turn) => {
                for item in elements(turn) {
                    custom.extend(custom_call(item));
                    items.push(item.get().to_owned());
                }
            }
        }
    }
    items
}

/// The items of a turn of the model's.
fn elements(turn: &RawJson) -> Vec<&RawValue> {
    serde_json::from_str(turn.as_str()).unwrap_or_default()
}

/// The id of a call to a custom tool: its result is an item of another type.
fn custom_call(item: &RawValue) -> Option<String> {
    let members = json::members(item)?;
    let kind = json::present_string(&members, "type")?;
    json::present_string(&members, "call_id").filter(|_| kind == "custom_tool_call")
}

/// A message of ours: an item for its text, one for each of its calls, or one for a result.
fn ours(message: &Message, custom: &BTreeSet<String>, items: &mut Vec<String>) {
    let role = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => return items.push(result(message, custom)),
    };
    if message.tool_calls.is_empty() || message.content.is_some() {
        let mut item = Object::new();
        item.member("role", &json_text(role));
        item.member("content", &json_text(message.text()));
        items.push(item.finish());
    }
    for call in &message.tool_calls {
        let mut item = Object::new();
        item.member("type", "\"function_call\"");
        item.member("call_id", &json_text(&call.id));
        item.member("name", &json_text(&call.name));
        item.member("arguments", &json_text(&call.arguments));
        items.push(item.finish());
    }
}

fn result(message: &Message, custom: &BTreeSet<String>) -> String {
    let id = message.tool_call_id.as_ref();
    let is_custom = id.is_some_and(|id| custom.contains(&id.0));
    let mut item = Object::new();
    item.member(
        "type",
        &json_text(if is_custom { "custom_tool_call_output" } else { "function_call_output" }),
    );
    if let Some(id) = id {
        item.member("call_id", &json_text(id));
    }
    item.member("output", &json_text(message.text()));
    item.finish()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use transcript::{CallId, Tool, ToolForm, ToolName, ToolOriginal};

    use super::*;

    fn json(text: &str) -> RawJson {
        RawJson::parse(text).unwrap()
    }

    fn body(
        said: &[Said],
        tools: &[Arc<Tool>],
        settings: &IndexMap<String, RawJson>,
        arm: &ArmSettings,
    ) -> String {
        let request = ModelRequest { model: "fern-3", messages: said, tools, settings, arm };
        String::from_utf8(encode(&request).to_vec()).unwrap()
    }

    fn user() -> [Said; 1] {
        [Said::Ours(Message::user("Ring the bell."))]
    }

    #[test]
    fn nothing_is_sent_that_nobody_asked_for() {
        let text = body(&user(), &[], &IndexMap::new(), &ArmSettings::default());
        assert_eq!(text, r#"{"model":"fern-3","input":[{"role":"user","content":"Ring the bell."}]}"#);
    }

    #[test]
    fn the_arm_wins_over_the_settings_and_nothing_stands_twice() {
        let settings = IndexMap::from([
            ("temperature".to_owned(), json("0.50")),
            ("tool_choice".to_owned(), json(r#""auto""#)),
            ("input".to_owned(), json("[]")),
            ("reasoning".to_owned(), json(r#"{"effort":"high","summary":"auto"}"#)),
            ("store".to_owned(), json("false")),
        ]);
        let arm = ArmSettings {
            tool_choice: Some(ToolChoice::Tool("ring_bell".into())),
            parallel: Some(false),
            thinking: Some(Thinking::Off),
            body: IndexMap::from([("temperature".to_owned(), json("1"))]),
            ..ArmSettings::default()
        };
        let text = body(&user(), &[Arc::new(Tool::named("ring_bell"))], &settings, &arm);
        let tail = text.split_once(r#""strict":false}],"#).unwrap().1;
        let wanted = concat!(
            r#""temperature":1,"tool_choice":{"type":"function","name":"ring_bell"},"#,
            r#""reasoning":{"summary":"auto","effort":"none"},"store":false,"parallel_tool_calls":false}"#
        );
        assert_eq!(tail, wanted);
        let without_tools = body(&user(), &[], &settings, &arm);
        let wanted = r#"],"temperature":1,"reasoning":{"summary":"auto","effort":"none"},"store":false}"#;
        assert!(without_tools.ends_with(wanted), "{without_tools}");
    }

    #[test]
    fn a_custom_tool_is_forced_as_one() {
        let original = ToolOriginal {
            form: ToolForm::OpenaiFlat,
            json: json(r#"{"type":"custom","name":"run_query"}"#),
        };
        let tool = Tool { original: Some(original), ..Tool::named("run_query") };
        let choice = ToolChoice::Tool("run_query".into());
        let arm = ArmSettings { tool_choice: Some(choice), ..ArmSettings::default() };
        let text = body(&user(), &[Arc::new(tool)], &IndexMap::new(), &arm);
        let wanted = r#""tools":[{"type":"custom","name":"run_query"}],"tool_choice":{"type":"custom","name":"run_query"}}"#;
        assert!(text.ends_with(wanted), "{text}");
    }

    fn answer(id: &str, content: &str) -> Said {
        Said::Ours(Message {
            role: Role::Tool,
            content: Some(content.to_owned()),
            tool_calls: Vec::new(),
            tool_call_id: Some(CallId(id.to_owned())),
            name: Some(ToolName::new("any")),
            is_error: true,
        })
    }

    #[test]
    fn a_turn_s_items_are_spliced_in_and_each_result_is_of_its_call_s_kind() {
        let turn = concat!(
            r#"[{"type":"reasoning","id":"t","summary":[],"encrypted_content":"g\u0041"},"#,
            r#"{"type":"custom_tool_call","call_id":"q","name":"run_query","input":"x"},"#,
            r#"{"type":"function_call","call_id":"f","name":"ring","arguments":"{}"}]"#
        );
        let [user] = user();
        let said =
            [user, Said::Model(json(turn)), answer("q", "3"), answer("f", "{}"), Said::Model(json("[]"))];
        let text = body(&said, &[], &IndexMap::new(), &ArmSettings::default());
        let wanted = format!(
            "{},{},{}]}}",
            turn.trim_end_matches(']'),
            r#"{"type":"custom_tool_call_output","call_id":"q","output":"3"}"#,
            r#"{"type":"function_call_output","call_id":"f","output":"{}"}"#
        );
        assert!(text.ends_with(wanted.trim_start_matches('[')), "{text}");
    }

    #[test]
    fn a_conversation_of_three_turns_keeps_what_the_model_sent() {
        let turns = [
            r#"[{"type":"reasoning","id":"t1","summary":[],"encrypted_content":"one"},{"type":"function_call","id":"f1","call_id":"c1","name":"ring","arguments":"{}"}]"#,
            r#"[{"type":"message","id":"m","role":"assistant","phase":"commentary","content":[{"type":"output_text","text":"Again."}]},{"type":"function_call","name":"ring","arguments":"{\"n\":1.0}"}]"#,
        ];
        let [user] = user();
        let mut said = vec![Said::Ours(Message::system("Be brief.")), user];
        for (turn, id) in turns.iter().zip(["c1", "made1"]) {
            let body = format!(r#"{{"status":"completed","output":{turn}}}"#);
            let decoded = (PROVIDER.decode)(200, body.as_bytes());
            let echo = (PROVIDER.echo)(decoded.whole().unwrap(), &decoded.observed, &[CallId(id.to_owned())]);
            said.extend([Said::Model(echo), answer(id, "rung")]);
        }
        let text = body(&said, &[], &IndexMap::new(), &ArmSettings::default());
        let wanted = concat!(
            r#"{"model":"fern-3","instructions":"Be brief.","input":[{"role":"user","content":"Ring the bell."},"#,
            r#"{"type":"reasoning","id":"t1","summary":[],"encrypted_content":"one"},"#,
            r#"{"type":"function_call","id":"f1","call_id":"c1","name":"ring","arguments":"{}"},"#,
            r#"{"type":"function_call_output","call_id":"c1","output":"rung"},"#,
            r#"{"type":"message","id":"m","role":"assistant","phase":"commentary","content":[{"type":"output_text","text":"Again."}]},"#,
            r#"{"type":"function_call","name":"ring","arguments":"{\"n\":1.0}","call_id":"made1"},"#,
            r#"{"type":"function_call_output","call_id":"made1","output":"rung"}]}"#
        );
        assert_eq!(text, wanted);
    }
}
