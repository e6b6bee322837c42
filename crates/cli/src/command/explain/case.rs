//! What `explain` judges: a case file, or a response body on its own.

use std::sync::Arc;

use anyhow::{Context, bail};
use indexmap::IndexMap;
use probes::{Expectation, Offered, RateName, RightBehaviour, Unlisted};
use runner::{Failure, RetryDecision};
use scorer::RequestFacts;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use transcript::{ExecutedCall, Message, Outcome, RawJson, Role, Tool, ToolName, Turn};

use super::wire_format;

/// One response with all that judging it needs.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) provider: String,
    pub(super) messages: Vec<Message>,
    pub(super) offered: Offered,
    pub(super) expectation: Option<Expectation>,
    pub(super) executor: Option<Vec<ExecutedCall>>,
    pub(super) turn: Turn,
    pub(super) has_catalog: bool,
    tool_choice: Option<String>,
    max_tokens: Option<u64>,
    namespaces: Vec<String>,
    status: u16,
    headers: Vec<(String, String)>,
}

/// A case as its file writes it. Members that say what a scorer should find are not read.
#[derive(Debug, Deserialize)]
struct CaseFile {
    provider: String,
    catalog: Vec<RawJson>,
    #[serde(default)]
    messages: Vec<Message>,
    #[serde(default)]
    request: Option<Value>,
    #[serde(default)]
    probe: Option<ProbeFile>,
    #[serde(default)]
    dispatch: Option<Vec<DispatchFile>>,
    #[serde(default)]
    http: Option<HttpFile>,
    response: RawJson,
}

#[derive(Debug, Deserialize)]
struct ProbeFile {
    #[serde(rename = "type")]
    kind: String,
    /// Absent: not said. Null: no offered tool fits.
    #[serde(default, deserialize_with = "said")]
    expected_tool: Option<Option<ToolName>>,
    #[serde(default)]
    omitted_tool: Option<ToolName>,
    #[serde(default)]
    decoys: Vec<ToolName>,
}

fn said<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<ToolName>>, D::Error> {
    Option::<ToolName>::deserialize(deserializer).map(Some)
}

#[derive(Debug, Deserialize)]
struct DispatchFile {
    #[serde(default)]
    call_id: Option<String>,
    tool: ToolName,
    #[serde(default)]
    arguments: Option<RawJson>,
}

#[derive(Debug, Deserialize)]
struct HttpFile {
    status: u16,
    #[serde(default)]
    headers: IndexMap<String, String>,
}

impl Case {
    /// Reads a case, or a body alone beside a catalog.
    ///
    /// # Errors
    /// The text is neither, or is of a format that this build does not read.
    pub(super) fn read(text: &str, catalog: Option<Vec<Arc<Tool>>>) -> anyhow::Result<Self> {
        let value: Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(error) => bail!("no JSON: {error}"),
        };
        let Value::Object(members) = &value else {
            bail!("expected a JSON object: a case or a response body")
        };
        if members.contains_key("response") {
            if catalog.is_some() {
                bail!("a case brings its own catalog; `--catalog` is for a body alone");
            }
            let file: CaseFile = serde_json::from_str(text).context("not a case as `explain` reads it")?;
            return Self::of_file(file);
        }
        Self::of_body(text, catalog)
    }

    fn of_file(file: CaseFile) -> anyhow::Result<Self> {
        let provider = wire_format::of(&file.provider, &file.response)?;
        let tools = file.catalog.iter().map(tool).collect::<anyhow::Result<Vec<_>>>()?;
        let (status, headers) = match file.http {
            Some(http) => (http.status, http.headers.into_iter().collect()),
            None => (200, Vec::new()),
        };
        let turn = wire_format::read(provider, status, &file.response)?;
        let offered = Offered::new(tools);
        let request = file.request.unwrap_or(Value::Null);
        Ok(Self {
            expectation: file.probe.map(|probe| expectation(&probe, &offered)).transpose()?,
            executor: file.dispatch.map(|rows| executor(rows, &turn)),
            tool_choice: tool_choice(&request),
            max_tokens: max_tokens(&request),
            namespaces: namespaces(&request),
            provider: file.provider,
            messages: file.messages,
            has_catalog: true,
            offered,
            turn,
            status,
            headers,
        })
    }

    fn of_body(text: &str, catalog: Option<Vec<Arc<Tool>>>) -> anyhow::Result<Self> {
        let body = RawJson::parse(text).map_err(|error| anyhow::anyhow!("no JSON: {}", error.message))?;
        let provider = wire_format::of(wire_format::CHAT, &body)?;
        Ok(Self {
            provider: provider.name.to_owned(),
            messages: Vec::new(),
            has_catalog: catalog.is_some(),
            offered: Offered::new(catalog.unwrap_or_default()),
            expectation: None,
            executor: None,
            turn: wire_format::read(provider, 200, &body)?,
            tool_choice: None,
            max_tokens: None,
            namespaces: Vec::new(),
            status: 200,
            headers: Vec::new(),
        })
    }

    /// What judging needs to know of the request.
    pub(super) fn request_facts(&self) -> RequestFacts<'_> {
        RequestFacts {
            tool_choice: self.tool_choice.as_deref(),
            choice_once: false,
            max_tokens: self.max_tokens,
            strict: false,
            provider: &self.provider,
            namespaces: &self.namespaces,
            clock: None,
        }
    }

    /// Whether another try of a failed request makes sense.
    pub(super) fn retry(&self) -> RetryDecision {
        let failure = Failure {
            status: self.status,
            headers: &self.headers,
            error: self.turn.observed.error.as_ref(),
            body: self.turn.response.as_ref(),
        };
        runner::decide_retry(&failure, jiff::Timestamp::now())
    }

    /// What the user asked last.
    pub(super) fn user(&self) -> &str {
        self.messages.iter().rev().find(|message| message.role == Role::User).map_or("", Message::text)
    }
}

/// A tool in the nested form of chat completions.
fn tool(entry: &RawJson) -> anyhow::Result<Arc<Tool>> {
    #[derive(Deserialize)]
    struct Entry {
        function: Function,
    }
    #[derive(Deserialize)]
    struct Function {
        name: String,
        description: Option<RawJson>,
        parameters: Option<RawJson>,
        strict: Option<bool>,
    }
    let entry: Entry = serde_json::from_str(entry.as_str())
        .context("a tool of the catalog is not of the form `{\"function\": {\"name\": ...}}`")?;
    let mut tool = Tool::named(&entry.function.name);
    tool.description = entry.function.description;
    tool.input_schema = entry.function.parameters;
    tool.strict = entry.function.strict;
    Ok(Arc::new(tool))
}

/// A case's probe in the scorer's vocabulary.
fn expectation(probe: &ProbeFile, offered: &Offered) -> anyhow::Result<Expectation> {
    use RateName as N;
    let named = probe.expected_tool.clone().flatten();
    let none_fits = probe.expected_tool == Some(None);
    let only = || match offered.tools() {
        [tool] => Some(tool.name.clone()),
        _ => None,
    };
    let tool = if none_fits { probe.omitted_tool.clone() } else { named.or_else(only) };
    let (right, headline, side) = match probe.kind.as_str() {
        "decoy" => (RightBehaviour::RefuseOrAsk, vec![N::UnknownTool], vec![N::MisusedTool]),
        "overclaimed" => (RightBehaviour::RefuseOrAsk, vec![], vec![N::MisusedTool]),
        "plain" if none_fits => (RightBehaviour::RefuseOrAsk, vec![N::UnknownTool], vec![]),
        "plain" => (RightBehaviour::Call, vec![N::UnknownTool], vec![]),
        "lookalike" => (RightBehaviour::Call, vec![N::UnknownTool, N::ShadowCall], vec![]),
        "optional_argument" => (RightBehaviour::Call, vec![N::UnknownTool, N::HallucinatedArgument], vec![]),
        "required_argument" => (RightBehaviour::Ask, vec![N::UnknownTool, N::HallucinatedArgument], vec![]),
        "required_call" => (RightBehaviour::Call, vec![N::UnknownTool], vec![N::MissingCall]),
        kind => bail!("unknown probe type `{kind}`"),
    };
    Ok(Expectation {
        offered: tool.as_ref().is_some_and(|tool| offered.get(tool.as_str()).is_some()),
        answer_is_fine: probe.kind == "plain",
        decoys: probe.decoys.clone(),
        tool,
        headline,
        side,
        every_arm: false,
        right,
        earlier_right: Vec::new(),
        arguments: IndexMap::new(),
        unlisted: Unlisted::Grounding,
        missing: Vec::new(),
        allowed_reads: Vec::new(),
        family_reads: false,
        calls: Vec::new(),
        answer: None,
        claim: probes::ClaimLine::None,
        must_pass: false,
    })
}

/// A dispatch record as executor rows: each is tied to the call that it answers, by id, else in order.
fn executor(rows: Vec<DispatchFile>, turn: &Turn) -> Vec<ExecutedCall> {
    let mut open: Vec<_> = turn.observed.calls().collect();
    let mut log = Vec::with_capacity(rows.len());
    for (seq, row) in (0..).zip(rows) {
        let by_id = open.iter().position(|call| {
            row.call_id.is_some() && call.id.as_ref().map(|id| id.0.as_str()) == row.call_id.as_deref()
        });
        let by_name = || open.iter().position(|call| call.name.as_str() == row.tool.as_str());
        let place = by_id.or_else(by_name).or(if open.is_empty() { None } else { Some(0) });
        let call = place.map(|place| open.remove(place));
        let emitted = call.map_or_else(|| row.tool.clone(), |call| ToolName::new(call.name.as_str()));
        log.push(ExecutedCall {
            seq,
            turn: 0,
            call_id: call.and_then(|call| call.id.clone()),
            executed_as: (emitted != row.tool).then_some(row.tool),
            tool: emitted,
            arguments: row.arguments.unwrap_or_else(|| RawJson::from_value(&Value::Null)),
            outcome: Outcome::Ok,
            reason: None,
            error: None,
            result: None,
        });
    }
    log
}

/// `tool_choice` in any dialect: a word, or the name of the tool that is forced.
fn tool_choice(request: &Value) -> Option<String> {
    let choice = request.get("tool_choice")?;
    if let Some(word) = choice.as_str() {
        return Some(word.to_owned());
    }
    let name = choice.pointer("/function/name").or_else(|| choice.get("name"));
    name.or_else(|| choice.get("type")).and_then(Value::as_str).map(str::to_owned)
}

fn max_tokens(request: &Value) -> Option<u64> {
    ["max_completion_tokens", "max_tokens", "max_output_tokens"]
        .iter()
        .find_map(|key| request.get(*key)?.as_u64())
}

fn namespaces(request: &Value) -> Vec<String> {
    let tools = request.get("tools").and_then(Value::as_array).into_iter().flatten();
    let spaces = tools.filter(|tool| tool.get("type").and_then(Value::as_str) == Some("namespace"));
    spaces.filter_map(|tool| tool.get("name")?.as_str()).map(str::to_owned).collect()
}
