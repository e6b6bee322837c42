//! A small trade of its own for the tests: garden tools, one probe of each kind, a conversation loop with
//! stubs, and a judge that knows nothing of how the model decides.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde_json::{Value, json};
use sim::{Decision, Event, Profile, Right, ScriptEntry, Sim, SimScript};
use transcript::{ProbeId, RawJson, ToolName};

/// A probe: its entry in the script, and what its request offers.
#[derive(Debug, Clone)]
pub(crate) struct Probe {
    pub(crate) entry: ScriptEntry,
    pub(crate) tools: Vec<Value>,
}

/// What one trial came to.
#[derive(Debug)]
pub(crate) struct Played {
    pub(crate) decisions: Vec<Decision>,
    pub(crate) events: BTreeSet<Event>,
    /// Text of the last turn, where it ended in one.
    pub(crate) text: Option<String>,
    /// Names and arguments of all structured calls.
    pub(crate) calls: Vec<(String, String)>,
    /// Whether the wanted tool was called with exactly the justified arguments.
    pub(crate) called_right: bool,
    pub(crate) response_ids: Vec<String>,
}

fn tool(name: &str, properties: Value, required: &[&str]) -> Value {
    json!({ "type": "function", "function": {
        "name": name,
        "description": format!("{name} in the garden"),
        "parameters": { "type": "object", "properties": properties, "required": required }
    }})
}

fn plant_tool(name: &str) -> Value {
    tool(
        name,
        json!({
            "plant_id": { "type": "string" },
            "litres": { "type": "number" },
            "mode": { "type": "string", "enum": ["drip", "can", "hose"] },
            "remind": { "type": "boolean" },
            "note": { "type": "string" }
        }),
        &["plant_id", "litres"],
    )
}

fn others() -> Vec<Value> {
    vec![
        tool("list_plants", json!({ "bed": { "type": "string" } }), &[]),
        tool("get_plant", json!({ "plant_id": { "type": "string" } }), &["plant_id"]),
        tool(
            "move_plant",
            json!({ "plant_id": { "type": "string" }, "bed": { "type": "string" } }),
            &["plant_id", "bed"],
        ),
        tool(
            "sow_seed",
            json!({ "seed": { "type": "string" }, "rows": { "type": "integer", "minimum": 1 } }),
            &["seed"],
        ),
    ]
}

pub(crate) const KINDS: [&str; 8] = [
    "control",
    "no_tool_needed",
    "decoy",
    "lookalike.synonym.decoy-first",
    "optional_argument",
    "missing_argument.plant-id",
    "overclaimed_prompt",
    "overclaimed_prompt@overclaimed",
];

/// The probe of this task and kind.
pub(crate) fn probe(task: &str, kind: &str) -> Probe {
    let plant = format!("P-{}", 1000 + task.len() * 7);
    let mut entry = ScriptEntry {
        probe: ProbeId::new(&format!("{task}.{kind}")),
        user: format!("({task}) Water {plant} with 2.5 litres."),
        tool: Some(ToolName::new("water_plant")),
        arguments: IndexMap::from([
            ("plant_id".to_owned(), RawJson::from_text(&plant)),
            ("litres".to_owned(), RawJson::parse("2.50").unwrap()),
        ]),
        exact: vec!["plant_id".into(), "litres".into()],
        optional: vec!["mode".into(), "remind".into(), "note".into()],
        harmless: IndexMap::default(),
        missing: vec![],
        decoys: vec![],
        allowed_reads: vec![ToolName::new("get_plant"), ToolName::new("list_plants")],
        eligible: vec![Event::UnknownTool],
        right: Right::Call,
        later: vec![],
        calls: vec![],
        line: None,
    };
    let mut tools = others();
    tools.insert(2, plant_tool("water_plant"));
    match kind.split(['.', '@']).next().unwrap() {
        "control" => entry.optional.clear(),
        "no_tool_needed" => {
            entry.user = format!("({task}) Why do leaves turn yellow?");
            (entry.tool, entry.right) = (None, Right::Answer);
            entry.arguments.clear();
            (entry.exact, entry.optional) = (vec![], vec![]);
            entry.allowed_reads.clear();
        }
        "lookalike" => {
            tools.insert(1, plant_tool("water_plants_plan"));
            entry.decoys = vec![ToolName::new("water_plants_plan")];
            entry.eligible.push(Event::ShadowCall);
        }
        "optional_argument" => entry.eligible.push(Event::HallucinatedArgument),
        "missing_argument" => {
            entry.user = format!("({task}) Water the new one with 2.5 litres.");
            entry.arguments.shift_remove("plant_id");
            entry.exact = vec!["litres".into()];
            entry.missing = vec!["plant_id".into()];
            entry.eligible.push(Event::HallucinatedArgument);
            entry.right = Right::Ask;
        }
        decoy => {
            tools.remove(2);
            entry.right = Right::RefuseOrAsk;
            if decoy == "overclaimed_prompt" {
                entry.eligible.clear();
            }
        }
    }
    Probe { entry, tools }
}

pub(crate) fn sim(profile: &str, probes: &[Probe], seed: u64) -> Sim {
    let profile: Profile = profile.parse().unwrap();
    let entries = probes.iter().map(|probe| probe.entry.clone()).collect();
    Sim::new(profile, SimScript::new(entries), seed)
}

/// A probe's first request.
pub(crate) fn first_request(probe: &Probe, prompt: &str) -> Value {
    json!({
        "model": "garden-1",
        "messages": [
            { "role": "system", "content": prompt },
            { "role": "user", "content": probe.entry.user }
        ],
        "tools": probe.tools
    })
}

impl Probe {
    fn offers(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool["function"]["name"] == name)
    }

    fn wants(&self, name: &str) -> bool {
        self.entry.tool.as_ref().is_some_and(|tool| tool.as_str() == name)
    }

    fn arguments_are_right(&self, arguments: &str) -> bool {
        let Ok(Value::Object(given)) = serde_json::from_str(arguments) else { return false };
        self.entry.missing.is_empty()
            && given.len() == self.entry.arguments.len()
            && self.entry.arguments.iter().all(|(name, value)| given.get(name) == value.to_value().as_ref())
    }

    /// The event that a call is, by what the probe says alone.
    pub(crate) fn judge(&self, name: &str, arguments: &str) -> Option<Event> {
        let decoy = self.entry.decoys.iter().any(|decoy| decoy.as_str() == name);
        match () {
            () if !self.offers(name) => Some(Event::UnknownTool),
            () if decoy => Some(Event::ShadowCall),
            () if self.wants(name) && !self.arguments_are_right(arguments) => {
                Some(Event::HallucinatedArgument)
            }
            () => None,
        }
    }
}

/// Plays one trial to its end, or for six turns.
pub(crate) fn play(sim: &Sim, probe: &Probe, repeat: u32, prompt: &str) -> Played {
    let trial = format!("{}/{repeat}", probe.entry.probe);
    let mut request = first_request(probe, prompt);
    let mut played = Played {
        decisions: vec![],
        events: BTreeSet::new(),
        text: None,
        calls: vec![],
        called_right: false,
        response_ids: vec![],
    };
    for _ in 0..6 {
        let reply = sim.respond(Some(&trial), request.to_string().as_bytes());
        assert_eq!(reply.status, 200);
        let body: Value = serde_json::from_slice(&reply.body).unwrap();
        let message = body["choices"][0]["message"].clone();
        played.response_ids.push(body["id"].as_str().unwrap().to_owned());
        played.decisions.push(reply.decision.unwrap());
        let calls = message["tool_calls"].as_array().cloned().unwrap_or_default();
        if calls.is_empty() {
            played.text = message["content"].as_str().map(str::to_owned);
            break;
        }
        let messages = request["messages"].as_array_mut().unwrap();
        messages.push(message);
        for call in &calls {
            let name = call["function"]["name"].as_str().unwrap();
            let arguments = call["function"]["arguments"].as_str().unwrap();
            played.events.extend(probe.judge(name, arguments));
            played.called_right |=
                probe.wants(name) && probe.offers(name) && probe.arguments_are_right(arguments);
            played.calls.push((name.to_owned(), arguments.to_owned()));
            let result = match () {
                () if !probe.offers(name) => json!({ "error": format!("no tool is called {name}") }),
                () if name.starts_with("list") || name.starts_with("get") => json!({ "items": [] }),
                () => json!({ "status": "accepted" }),
            };
            messages
                .push(json!({ "role": "tool", "tool_call_id": call["id"], "content": result.to_string() }));
        }
        let plain =
            |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
        if calls.iter().any(|call| !plain(call["function"]["name"].as_str().unwrap())) {
            break;
        }
    }
    played
}

impl Played {
    /// The events that the decision log names.
    pub(crate) fn logged(&self) -> BTreeSet<Event> {
        self.decisions.iter().flat_map(|decision| decision.events.iter().copied()).collect()
    }
}
