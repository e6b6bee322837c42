//! Writes a generateContent request: schemas and descriptions as their file wrote them, the model's own turns as
//! they came.

use std::collections::HashMap;

use bytes::Bytes;
use probes::{Thinking, ToolChoice};
use serde_json::value::RawValue;
use transcript::{Message, RawJson, Role, Tool, ToolForm};

use super::PROVIDER;
use super::decode::call_id;
use crate::json::{self, Members};
use crate::provider::json_text::{Object, arguments_in_place, array, json_text};
use crate::provider::{ModelRequest, Said};

/// Members of the body that the arm has a say in.
const TOOL_CONFIG: &str = "toolConfig";
const GENERATION_CONFIG: &str = "generationConfig";

/// What is within them.
const CALLING: &str = "functionCallingConfig";
const THINKING: &str = "thinkingConfig";

/// Stands for the signature of a call that no model made. Gemini's reference on thought signatures names it for
/// calls that are put into a conversation by hand.
const NO_SIGNATURE: &str = "skip_thought_signature_validator";

pub(super) fn encode(request: &ModelRequest<'_>) -> Bytes {
    let mut body = Object::new();
    let system = request.messages.iter().filter_map(|said| match said {
        Said::Ours(message) if message.role == Role::System => Some(text_part(message.text())),
        _ => None,
    });
    let system = array(system);
    if system != "[]" {
        body.member("systemInstruction", &format!(r#"{{"parts":{system}}}"#));
    }
    body.member("contents", &contents(request));
    if !request.tools.is_empty() {
        let declarations = array(request.tools.iter().map(|tool| declaration(tool)));
        body.member("tools", &format!(r#"[{{"functionDeclarations":{declarations}}}]"#));
    }
    let set = |key: &str| request.arm.body.get(key).or_else(|| request.settings.get(key));
    if let Some(config) = tool_config(request, set(TOOL_CONFIG)) {
        body.member(TOOL_CONFIG, &config);
    }
    if let Some(config) = generation_config(request, set(GENERATION_CONFIG)) {
        body.member(GENERATION_CONFIG, &config);
    }
    let settings = request.settings.iter().filter(|(key, _)| !request.arm.body.contains_key(*key));
    for (key, value) in settings.chain(&request.arm.body) {
        if ![TOOL_CONFIG, GENERATION_CONFIG].contains(&key.as_str())
            && !PROVIDER.reserved.contains(&key.as_str())
        {
            body.member(key, value.as_str());
        }
    }
    Bytes::from(body.finish())
}

fn text_part(text: &str) -> String {
    format!(r#"{{"text":{}}}"#, json_text(text))
}

/// Conversation under way: contents so far, and what the calls of the last of them are known by.
#[derive(Default)]
struct Contents {
    done: Vec<String>,
    /// Results that go into one content.
    results: Vec<String>,
    /// Names of calls by the ids that the history has them under. A call without an id is in no request.
    ids: HashMap<String, String>,
}

fn contents(request: &ModelRequest<'_>) -> String {
    let is_user = |said: &Said| matches!(said, Said::Ours(message) if message.role == Role::User);
    let last_user = request.messages.iter().rposition(is_user);
    let mut contents = Contents::default();
    for (at, said) in request.messages.iter().enumerate() {
        // Signatures are asked for in the current turn alone: behind the last message of the user.
        let signed = last_user.is_none_or(|last| at > last) && thinks_by_level(request.model);
        match said {
            Said::Model(raw) => contents.model(raw),
            Said::Ours(message) => contents.ours(message, signed),
        }
    }
    contents.flush();
    array(contents.done)
}

impl Contents {
    /// The model's own turn. One without a single part is none that a request may have.
    fn model(&mut self, raw: &RawJson) {
        self.flush();
        let content = json::parse_members(raw.as_str());
        let parts = content
            .and_then(|content| json::present(&content, "parts").and_then(json::elements))
            .unwrap_or_default();
        if parts.is_empty() {
            return;
        }
        self.done.push(raw.as_str().to_owned());
        let calls = parts
            .into_iter()
            .filter_map(|part| json::present(&json::members(part)?, "functionCall").and_then(json::members));
        for call in calls {
            if let Some(id) = call_id(&call) {
                self.ids.insert(id.0, json::present_string(&call, "name").unwrap_or_default());
            }
        }
    }

    fn ours(&mut self, message: &Message, signed: bool) {
        match message.role {
            Role::System => {}
            Role::User => {
                self.flush();
                self.push("user", [text_part(message.text())]);
            }
            Role::Assistant => {
                self.flush();
                self.canned(message, signed);
            }
            Role::Tool => {
                let result = self.result(message);
                self.results.push(result);
            }
        }
    }

    fn canned(&mut self, message: &Message, signed: bool) {
        let text = message.content.as_deref().filter(|text| !text.is_empty()).map(text_part);
        let calls = message.tool_calls.iter().enumerate().map(|(at, call)| {
            let mut function = Object::new();
            function.member("id", &json_text(&call.id));
            function.member("name", &json_text(&call.name));
            function.member("args", &arguments_in_place(&call.arguments));
            let mut part = Object::new();
            part.member("functionCall", &function.finish());
            if signed && at == 0 {
                part.member("thoughtSignature", &json_text(NO_SIGNATURE));
            }
            part.finish()
        });
        let parts: Vec<String> = text.into_iter().chain(calls).collect();
        if !parts.is_empty() {
            self.push("model", parts);
        }
        let known = message.tool_calls.iter().map(|call| (call.id.0.clone(), call.name.to_string()));
        self.ids.extend(known);
    }

    /// A result carries the id of its call where the history has that call under an id.
    fn result(&self, message: &Message) -> String {
        let call = message.tool_call_id.as_ref().and_then(|id| self.ids.get_key_value(&id.0));
        let mut response = Object::new();
        response.member(if message.is_error { "error" } else { "output" }, &json_text(message.text()));
        let mut out = Object::new();
        if let Some((id, _)) = call {
            out.member("id", &json_text(id));
        }
        let name = message.name.as_ref().map(|name| name.as_str()).or(call.map(|(_, name)| name.as_str()));
        out.member("name", &json_text(name.unwrap_or_default()));
        out.member("response", &response.finish());
        format!(r#"{{"functionResponse":{}}}"#, out.finish())
    }

    /// Closes the results: those of one turn are parts of one content.
    fn flush(&mut self) {
        let results = std::mem::take(&mut self.results);
        if !results.is_empty() {
            self.push("user", results);
        }
    }

    fn push(&mut self, role: &str, parts: impl IntoIterator<Item = String>) {
        self.done.push(format!(r#"{{"role":"{role}","parts":{}}}"#, array(parts)));
    }
}

/// A tool as a declaration. What the catalog does not have is not sent.
fn declaration(tool: &Tool) -> String {
    if let Some(original) = tool.original.as_ref().filter(|original| original.form == ToolForm::Gemini) {
        return original.json.as_str().to_owned();
    }
    let mut out = Object::new();
    out.member("name", &json_text(&tool.name));
    if let Some(description) = &tool.description {
        out.member("description", description.as_str());
    }
    if let Some(schema) = &tool.input_schema {
        let key = if is_own_dialect(schema) { "parameters" } else { "parametersJsonSchema" };
        out.member(key, schema.as_str());
    }
    out.finish()
}

/// Whether a schema is of the format's own dialect and no JSON Schema: its types are in capitals.
fn is_own_dialect(schema: &RawJson) -> bool {
    let root = json::parse_members(schema.as_str());
    root.and_then(|root| json::present_string(&root, "type")).is_some_and(|word| word == "OBJECT")
}

/// The tool configuration of the settings with what the arm asks for in it. The endpoint refuses one about calls
/// where no function is declared.
fn tool_config(request: &ModelRequest<'_>, set: Option<&RawJson>) -> Option<String> {
    let Some(outer) = members_or_none(set) else { return set.map(|raw| raw.as_str().to_owned()) };
    let mut out = Object::new();
    for (key, value) in outer.iter().filter(|(key, _)| *key != CALLING) {
        out.member(key, value.get());
    }
    let calling = if request.tools.is_empty() { None } else { calling(request, outer.get(CALLING)) };
    if let Some(calling) = calling {
        out.member(CALLING, &calling);
    }
    (!out.is_empty()).then(|| out.finish())
}

/// Members of a setting; none where it is not set, `None` where it is set to something without members.
fn members_or_none(set: Option<&RawJson>) -> Option<Members<'_>> {
    set.map_or_else(|| Some(Members::default()), |raw| json::parse_members(raw.as_str()))
}

/// Mode and names of the calling configuration. `ANY` holds calls to their schemas as `VALIDATED` does.
fn calling(request: &ModelRequest<'_>, set: Option<&RawValue>) -> Option<String> {
    const NAMES: &str = "allowedFunctionNames";
    let known = set.and_then(json::members).unwrap_or_default();
    let set_mode = json::present_string(&known, "mode");
    let (mode, name) = match (&request.arm.tool_choice, request.arm.strict) {
        (Some(ToolChoice::Tool(name)), _) => ("ANY", Some(name)),
        (Some(ToolChoice::Required), _) => ("ANY", None),
        (Some(ToolChoice::None), _) => ("NONE", None),
        (Some(ToolChoice::Auto), Some(true)) => ("VALIDATED", None),
        (Some(ToolChoice::Auto), _) => ("AUTO", None),
        (None, None) => return set.map(|raw| raw.get().to_owned()),
        (None, Some(strict)) => match (strict, set_mode.as_deref()) {
            (true, None | Some("AUTO")) => ("VALIDATED", None),
            (false, None | Some("VALIDATED")) => ("AUTO", None),
            _ => return set.map(|raw| raw.get().to_owned()),
        },
    };
    let mut out = Object::new();
    out.member("mode", &json_text(mode));
    if let Some(name) = name {
        out.member(NAMES, &array([json_text(name)]));
    }
    // Names that the settings allow belong to the mode that they set.
    for (key, value) in known.iter().filter(|(key, _)| !["mode", NAMES].contains(key)) {
        out.member(key, value.get());
    }
    Some(out.finish())
}

/// The generation settings with the arm's thinking in them.
fn generation_config(request: &ModelRequest<'_>, set: Option<&RawJson>) -> Option<String> {
    let (Some(thinking), Some(known)) = (request.arm.thinking, members_or_none(set)) else {
        return set.map(|raw| raw.as_str().to_owned());
    };
    let mut config = Object::new();
    let (key, value) = thinking_member(request.model, thinking);
    config.member(key, value);
    let others = known.get(THINKING).and_then(json::members).unwrap_or_default();
    for (key, value) in others.iter().filter(|(key, _)| !["thinkingBudget", "thinkingLevel"].contains(key)) {
        config.member(key, value.get());
    }
    let mut out = Object::new();
    for (key, value) in known.iter().filter(|(key, _)| *key != THINKING) {
        out.member(key, value.get());
    }
    out.member(THINKING, &config.finish());
    Some(out.finish())
}

/// Models up to 2.5 know budgets alone and sign nothing; what came later thinks by level and signs its calls.
fn thinks_by_level(model: &str) -> bool {
    let name = model.rsplit('/').next().unwrap_or(model);
    !["gemini-1", "gemini-2"].iter().any(|old| name.starts_with(old))
}

/// How much to think. The budgets are those that Google's own mapping of efforts gives; 0 is off for every model
/// that can do without.
fn thinking_member(model: &str, thinking: Thinking) -> (&'static str, &'static str) {
    match (thinking, thinks_by_level(model)) {
        (Thinking::Off, _) => ("thinkingBudget", "0"),
        (Thinking::Low, true) => ("thinkingLevel", "\"LOW\""),
        (Thinking::Medium, true) => ("thinkingLevel", "\"MEDIUM\""),
        (Thinking::High, true) => ("thinkingLevel", "\"HIGH\""),
        (Thinking::Low, false) => ("thinkingBudget", "1024"),
        (Thinking::Medium, false) => ("thinkingBudget", "8192"),
        (Thinking::High, false) => ("thinkingBudget", "24576"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use indexmap::IndexMap;
    use probes::ArmSettings;
    use transcript::{CallId, ToolName, ToolOriginal};

    use super::*;

    fn raw(text: &str) -> RawJson {
        RawJson::parse(text).unwrap()
    }

    fn settings(members: &[(&str, &str)]) -> IndexMap<String, RawJson> {
        members.iter().map(|(key, value)| ((*key).to_owned(), raw(value))).collect()
    }

    /// What stands in the body behind the contents.
    fn tail(
        model: &str,
        tools: &[Arc<Tool>],
        settings: &IndexMap<String, RawJson>,
        arm: &ArmSettings,
    ) -> String {
        let messages = [Said::Ours(Message::user("Moor the Alma."))];
        let request = ModelRequest { model, messages: &messages, tools, settings, arm };
        let text = String::from_utf8(encode(&request).to_vec()).unwrap();
        let start = r#"{"contents":[{"role":"user","parts":[{"text":"Moor the Alma."}]}]"#;
        text.strip_prefix(start).unwrap_or_else(|| panic!("{text}")).to_owned()
    }

    fn moor() -> Arc<Tool> {
        let schema = raw(r#"{"type":"object","properties":{"knots":{"default":1.0}}}"#);
        Arc::new(Tool { input_schema: Some(schema), ..Tool::named("moor") })
    }

    /// What the calling configuration is, with these settings.
    fn calling_of(set: &str, arm: &ArmSettings) -> String {
        let all = tail("heron-3", &[moor()], &settings(&[("toolConfig", set)]), arm);
        all.split_once(r#","toolConfig":"#)
            .map_or(String::new(), |(_, rest)| rest.trim_end_matches('}').to_owned())
    }

    #[test]
    fn nothing_is_sent_that_nobody_asked_for() {
        assert_eq!(tail("heron-3", &[], &IndexMap::new(), &ArmSettings::default()), "}");
    }

    #[test]
    fn tools_go_out_as_their_file_wrote_them() {
        let own = r#"{"parameters":{"type":"OBJECT"},"name":"own","behavior":"X"}"#;
        let original = ToolOriginal { form: ToolForm::Gemini, json: raw(own) };
        let foreign = ToolOriginal { form: ToolForm::Anthropic, json: raw("{}") };
        let tools = [
            moor(),
            Arc::new(Tool { original: Some(original), ..Tool::named("own") }),
            Arc::new(Tool {
                original: Some(foreign),
                strict: Some(true),
                description: Some(raw(r#""Pings \u00e0 buoy.""#)),
                ..Tool::named("ping")
            }),
            Arc::new(Tool { input_schema: Some(raw(r#"{"type":"OBJECT"}"#)), ..Tool::named("renamed") }),
        ];
        assert_eq!(
            tail("heron-3", &tools, &IndexMap::new(), &ArmSettings::default()),
            concat!(
                r#","tools":[{"functionDeclarations":[{"name":"moor","#,
                r#""parametersJsonSchema":{"type":"object","properties":{"knots":{"default":1.0}}}},"#,
                r#"{"parameters":{"type":"OBJECT"},"name":"own","behavior":"X"},"#,
                r#"{"name":"ping","description":"Pings \u00e0 buoy."},"#,
                r#"{"name":"renamed","parameters":{"type":"OBJECT"}}]}]}"#
            )
        );
    }

    #[test]
    fn the_arm_says_how_calls_are_chosen() {
        let arm = |tool_choice, strict| ArmSettings { tool_choice, strict, ..ArmSettings::default() };
        let set = r#"{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["moor"],"x":1}}"#;
        for (choice, strict, wanted) in [
            (None, None, r#"{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["moor"],"x":1"#),
            (
                None,
                Some(true),
                r#"{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["moor"],"x":1"#,
            ),
            (Some(ToolChoice::Auto), None, r#"{"functionCallingConfig":{"mode":"AUTO","x":1"#),
            (Some(ToolChoice::Auto), Some(true), r#"{"functionCallingConfig":{"mode":"VALIDATED","x":1"#),
            (Some(ToolChoice::Required), Some(true), r#"{"functionCallingConfig":{"mode":"ANY","x":1"#),
            (Some(ToolChoice::None), None, r#"{"functionCallingConfig":{"mode":"NONE","x":1"#),
            (
                Some(ToolChoice::Tool("ping".into())),
                None,
                r#"{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["ping"],"x":1"#,
            ),
        ] {
            assert_eq!(calling_of(set, &arm(choice, strict)), wanted);
        }
        let other = r#"{"retrievalConfig":{"a":1.0}}"#;
        for (strict, mode) in [(true, "VALIDATED"), (false, "AUTO")] {
            let wanted =
                format!(r#"{{"retrievalConfig":{{"a":1.0}},"functionCallingConfig":{{"mode":"{mode}""#);
            assert_eq!(calling_of(other, &arm(None, Some(strict))), wanted);
        }
    }

    #[test]
    fn without_tools_nothing_is_said_of_calls() {
        let arm = ArmSettings { tool_choice: Some(ToolChoice::None), ..ArmSettings::default() };
        let set =
            settings(&[("toolConfig", r#"{"functionCallingConfig":{"mode":"ANY"},"retrievalConfig":{}}"#)]);
        assert_eq!(tail("heron-3", &[], &set, &arm), r#","toolConfig":{"retrievalConfig":{}}}"#);
        let set = settings(&[("toolConfig", r#"{"functionCallingConfig":{"mode":"ANY"}}"#)]);
        assert_eq!(tail("heron-3", &[], &set, &arm), "}");
    }

    #[test]
    fn the_arm_wins_over_the_settings_and_reserved_members_stay_away() {
        let set = settings(&[
            (
                "generationConfig",
                r#"{"temperature":0.50,"thinkingConfig":{"thinkingBudget":9,"includeThoughts":true}}"#,
            ),
            ("safetySettings", "[]"),
            ("contents", "[]"),
            ("labels", r#"{"a":"b"}"#),
        ]);
        let arm = ArmSettings {
            thinking: Some(Thinking::Low),
            body: settings(&[("labels", r#"{"a":"c"}"#)]),
            ..ArmSettings::default()
        };
        assert_eq!(
            tail("heron-3", &[], &set, &arm),
            concat!(
                r#","generationConfig":{"temperature":0.50,"#,
                r#""thinkingConfig":{"thinkingLevel":"LOW","includeThoughts":true}},"#,
                r#""safetySettings":[],"labels":{"a":"c"}}"#
            )
        );
        let old = tail("gemini-2.5-flash", &[], &IndexMap::new(), &arm);
        assert!(old.contains(r#""generationConfig":{"thinkingConfig":{"thinkingBudget":1024}}"#), "{old}");
    }

    fn result(id: &str, name: &str, is_error: bool) -> Said {
        Said::Ours(Message {
            role: Role::Tool,
            content: Some("{\"ok\":1}".into()),
            tool_calls: Vec::new(),
            tool_call_id: Some(CallId(id.into())),
            name: Some(ToolName::new(name)),
            is_error,
        })
    }

    #[test]
    fn results_of_a_turn_are_one_content_and_carry_only_ids_that_came() {
        let turn = r#"{"role":"model","parts":[{"functionCall":{"id":"q1","name":"moor"},"thoughtSignature":"Ab=="},{"functionCall":{"name":"ping","args":{}}}]}"#;
        let messages = [
            Said::Model(raw(turn)),
            result("q1", "moor", false),
            result("call00001", "ping", true),
            Said::Model(raw(r#"{"role":"model","parts":[]}"#)),
            Said::Ours(Message::user("And?")),
        ];
        let (settings, arm) = (IndexMap::new(), ArmSettings::default());
        let request = ModelRequest {
            model: "heron-3",
            messages: &messages,
            tools: &[],
            settings: &settings,
            arm: &arm,
        };
        let wanted = [
            turn,
            concat!(
                r#"{"role":"user","parts":[{"functionResponse":{"id":"q1","name":"moor","response":{"output":"{\"ok\":1}"}}},"#,
                r#"{"functionResponse":{"name":"ping","response":{"error":"{\"ok\":1}"}}}]}"#
            ),
            r#"{"role":"user","parts":[{"text":"And?"}]}"#,
        ];
        assert_eq!(contents(&request), format!("[{}]", wanted.join(",")));
    }

    #[test]
    fn a_canned_call_of_the_current_turn_says_that_nobody_signed_it() {
        let canned: Message = serde_json::from_str(
            r#"{"role":"assistant","content":"","tool_calls":[{"id":"h1","function":{"name":"moor","arguments":"{\"n\": 1.0}"}},{"id":"h2","function":{"name":"ping","arguments":""}}]}"#,
        )
        .unwrap();
        let written = |model: &str, messages: &[Said]| {
            let (settings, arm) = (IndexMap::new(), ArmSettings::default());
            contents(&ModelRequest { model, messages, tools: &[], settings: &settings, arm: &arm })
        };
        let current = [Said::Ours(Message::user("Moor.")), Said::Ours(canned.clone())];
        let text = written("heron-3", &current);
        assert!(
            text.ends_with(concat!(
                r#"{"role":"model","parts":[{"functionCall":{"id":"h1","name":"moor","args":{"n":1.0}},"#,
                r#""thoughtSignature":"skip_thought_signature_validator"},"#,
                r#"{"functionCall":{"id":"h2","name":"ping","args":{}}}]}]"#
            )),
            "{text}"
        );
        assert!(!written("gemini-2.5-pro", &current).contains("thoughtSignature"));
        let past = [Said::Ours(canned), Said::Ours(Message::user("Moor."))];
        assert!(!written("heron-3", &past).contains("thoughtSignature"));
    }
}
