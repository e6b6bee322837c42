//! Writes a request for `/api/chat`: schemas and descriptions as their file wrote them, the model's own turns as they
//! came, arguments as objects.

use std::collections::{HashMap, HashSet};

use bytes::Bytes;
use probes::Thinking;
use transcript::{Message, RawJson, Role, Tool, ToolForm};

use super::PROVIDER;
use super::decode::{call_id, entries};
use crate::json;
use crate::provider::json_text::{Object, arguments_in_place, array, json_text};
use crate::provider::{ModelRequest, Said};

const STREAM: &str = "stream";
const THINK: &str = "think";

pub(super) fn encode(request: &ModelRequest<'_>) -> Bytes {
    let mut body = Object::new();
    body.member("model", &json_text(request.model));
    body.member("messages", &messages(request.messages));
    if !request.tools.is_empty() {
        body.member("tools", &array(request.tools.iter().map(|tool| tool_text(tool))));
    }
    // Answers are streamed unless a request says otherwise.
    if !request.settings.contains_key(STREAM) && !request.arm.body.contains_key(STREAM) {
        body.member(STREAM, "false");
    }
    if let Some(thinking) = request.arm.thinking {
        body.member(THINK, think(thinking));
    }
    let settings = request.settings.iter().filter(|(key, _)| !request.arm.body.contains_key(*key));
    for (key, value) in settings.chain(&request.arm.body) {
        let is_written =
            PROVIDER.reserved.contains(&key.as_str()) || (key == THINK && request.arm.thinking.is_some());
        if !is_written {
            body.member(key, value.as_str());
        }
    }
    Bytes::from(body.finish())
}

/// Models that know no levels take any of them for "on".
fn think(thinking: Thinking) -> &'static str {
    match thinking {
        Thinking::Off => "false",
        Thinking::Low => "\"low\"",
        Thinking::Medium => "\"medium\"",
        Thinking::High => "\"high\"",
    }
}

fn messages(said: &[Said]) -> String {
    let mut ids = Ids::default();
    let texts = said.iter().map(|said| match said {
        Said::Model(raw) => {
            ids.of_model(raw);
            raw.as_str().to_owned()
        }
        Said::Ours(message) => {
            let canned = message.tool_calls.iter().map(|call| (call.id.0.clone(), call.name.to_string()));
            ids.canned.extend(canned);
            ours(message, &ids)
        }
    });
    array(texts.collect::<Vec<String>>())
}

/// What calls of the history are known by.
#[derive(Default)]
struct Ids {
    /// Ids that the server gave: it may want them back.
    served: HashSet<String>,
    /// Names of canned calls by their ids, which no message carries.
    canned: HashMap<String, String>,
}

impl Ids {
    fn of_model(&mut self, raw: &RawJson) {
        let message = json::parse_members(raw.as_str());
        let calls = message.and_then(|message| json::present(&message, "tool_calls")).map(entries);
        let calls = calls.unwrap_or_default().into_iter().filter_map(json::members);
        self.served.extend(calls.filter_map(|call| call_id(&call)).map(|id| id.0));
    }
}

/// A message of ours in wire form.
fn ours(message: &Message, ids: &Ids) -> String {
    let mut out = Object::new();
    out.member("role", &json_text(&message.role));
    out.member("content", &json_text(message.text()));
    if !message.tool_calls.is_empty() {
        let calls = message.tool_calls.iter().map(|call| {
            let arguments = arguments_in_place(&call.arguments);
            format!(r#"{{"function":{{"name":{},"arguments":{arguments}}}}}"#, json_text(&call.name))
        });
        out.member("tool_calls", &array(calls));
    }
    if message.role == Role::Tool {
        let id = message.tool_call_id.as_ref().map(|id| id.0.as_str());
        let canned = id.and_then(|id| ids.canned.get(id)).map(String::as_str);
        if let Some(name) = message.name.as_ref().map(|name| name.as_str()).or(canned) {
            out.member("tool_name", &json_text(name));
        }
        if let Some(id) = id.filter(|id| ids.served.contains(*id)) {
            out.member("tool_call_id", &json_text(id));
        }
    }
    out.finish()
}

/// A tool in the nested form of chat completions. What the catalog does not have is not sent.
fn tool_text(tool: &Tool) -> String {
    if let Some(original) = tool.original.as_ref().filter(|original| original.form == ToolForm::OpenaiNested)
    {
        return original.json.as_str().to_owned();
    }
    let mut function = Object::new();
    function.member("name", &json_text(&tool.name));
    for (key, value) in [("description", &tool.description), ("parameters", &tool.input_schema)] {
        if let Some(raw) = value {
            function.member(key, raw.as_str());
        }
    }
    format!(r#"{{"type":"function","function":{}}}"#, function.finish())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use indexmap::IndexMap;
    use probes::{ArmSettings, ToolChoice};
    use transcript::{CallId, ToolName, ToolOriginal};

    use super::*;

    fn raw(text: &str) -> RawJson {
        RawJson::parse(text).unwrap()
    }

    fn body(tools: &[Arc<Tool>], settings: &IndexMap<String, RawJson>, arm: &ArmSettings) -> String {
        let messages = [Said::Ours(Message::user("Prune the elm."))];
        let request = ModelRequest { model: "elm", messages: &messages, tools, settings, arm };
        String::from_utf8(encode(&request).to_vec()).unwrap()
    }

    const START: &str = r#"{"model":"elm","messages":[{"role":"user","content":"Prune the elm."}]"#;

    #[test]
    fn answers_are_asked_for_whole_unless_a_setting_says_otherwise() {
        let none = body(&[], &IndexMap::new(), &ArmSettings::default());
        assert_eq!(none, format!(r#"{START},"stream":false}}"#));
        let settings = IndexMap::from([("stream".to_owned(), raw("true"))]);
        let streamed = body(&[], &settings, &ArmSettings::default());
        assert_eq!(streamed, format!(r#"{START},"stream":true}}"#));
        let arm = ArmSettings { body: settings, ..ArmSettings::default() };
        assert_eq!(body(&[], &IndexMap::new(), &arm), streamed);
    }

    #[test]
    fn the_arm_wins_over_the_settings_and_what_cannot_be_said_is_not() {
        let settings = IndexMap::from([
            ("think".to_owned(), raw("true")),
            ("options".to_owned(), raw(r#"{"seed":7,"temperature":0.50}"#)),
            ("keep_alive".to_owned(), raw("\"5m\"")),
            ("tools".to_owned(), raw("[]")),
        ]);
        let arm = ArmSettings {
            tool_choice: Some(ToolChoice::Required),
            parallel: Some(false),
            strict: Some(true),
            thinking: Some(Thinking::Off),
            body: IndexMap::from([("keep_alive".to_owned(), raw("0"))]),
            ..ArmSettings::default()
        };
        assert_eq!(
            body(&[], &settings, &arm),
            format!(
                r#"{START},"stream":false,"think":false,"options":{{"seed":7,"temperature":0.50}},"keep_alive":0}}"#
            )
        );
    }

    #[test]
    fn tools_go_out_as_their_file_wrote_them() {
        let entry = r#"{"function":{"name":"own","strict":true},"type":"function"}"#;
        let original = ToolOriginal { form: ToolForm::OpenaiNested, json: raw(entry) };
        let tools = [
            Arc::new(Tool {
                input_schema: Some(raw(r#"{"type":"object","properties":{"cm":{"default":1.0}}}"#)),
                strict: Some(true),
                ..Tool::named("prune")
            }),
            Arc::new(Tool { original: Some(original), ..Tool::named("own") }),
        ];
        let text = body(&tools, &IndexMap::new(), &ArmSettings::default());
        let wanted = concat!(
            r#","tools":[{"type":"function","function":{"name":"prune","#,
            r#""parameters":{"type":"object","properties":{"cm":{"default":1.0}}}}},"#,
            r#"{"function":{"name":"own","strict":true},"type":"function"}],"stream":false}"#
        );
        assert_eq!(text.strip_prefix(START), Some(wanted));
    }

    #[test]
    fn results_name_their_tool_and_ids_only_where_the_server_gave_them() {
        let turn = r#"{"role":"assistant","content":"","tool_calls":[{"id":"s1","function":{"name":"prune","arguments":{}}},{"function":{"name":"water","arguments":{}}}]}"#;
        let result = |id: &str, name: Option<&str>| {
            Said::Ours(Message {
                role: Role::Tool,
                content: Some("done".into()),
                tool_calls: Vec::new(),
                tool_call_id: Some(CallId(id.into())),
                name: name.map(ToolName::new),
                is_error: false,
            })
        };
        let canned: Message = serde_json::from_str(
            r#"{"role":"assistant","tool_calls":[{"id":"h1","function":{"name":"prune","arguments":"{\"cm\": 1.0}"}}]}"#,
        )
        .unwrap();
        let said = [
            Said::Ours(canned),
            result("h1", None),
            Said::Model(raw(turn)),
            result("s1", Some("prune")),
            result("call00001", Some("water")),
        ];
        let wanted = [
            r#"{"role":"assistant","content":"","tool_calls":[{"function":{"name":"prune","arguments":{"cm":1.0}}}]}"#,
            r#"{"role":"tool","content":"done","tool_name":"prune"}"#,
            turn,
            r#"{"role":"tool","content":"done","tool_name":"prune","tool_call_id":"s1"}"#,
            r#"{"role":"tool","content":"done","tool_name":"water"}"#,
        ];
        assert_eq!(messages(&said), format!("[{}]", wanted.join(",")));
    }
}
