//! What the check says to a model: a catalog of two tools of its own, and wordings that ask for a call.
//!
//! A capable model makes a call when it is told to. A small one often does not, but goes on with what it sees: so the
//! same call can also be asked for as an echo, with one answer already given in the history.

use std::sync::Arc;

use bytes::Bytes;
use indexmap::IndexMap;
use probes::ArmSettings;
use transcript::{CallId, Message, MessageCall, RawJson, Role, Tool, ToolName};

use super::exchange::Exchanges;
use crate::json;
use crate::provider::{ModelRequest, Said};
use crate::{Provider, Target};

/// A tool that every request with tools offers.
pub(super) const MOORING: &str = "mooring_status";
/// The other one.
pub(super) const TIDES: &str = "tide_table";
/// A tool without arguments, offered where that is the question.
pub(super) const HORN: &str = "sound_horn";
/// What only the description of a tool says.
pub(super) const CODE: &str = "KESTREL-4471";

const MOORING_WORDS: &str = "Returns the state of one mooring. Harbour code: KESTREL-4471.";

/// A call that is asked for: name, and arguments as JSON text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) name: &'static str,
    pub(super) arguments: &'static str,
}

/// Calls of offered tools.
pub(super) const SOUTH: Wanted = Wanted { name: MOORING, arguments: r#"{"mooring": "south"}"# };
pub(super) const TODAY: Wanted = Wanted { name: TIDES, arguments: r#"{"day": "today"}"# };
pub(super) const BLAST: Wanted = Wanted { name: HORN, arguments: "{}" };
/// A call whose value and key its schema does not have.
pub(super) const BREAKING: Wanted = Wanted { name: MOORING, arguments: r#"{"mooring": "east", "depth": 4}"# };
/// Calls of tools that are not offered, with keys that no offered tool has. The last one's name holds an offered name:
/// servers that repair names take it for that tool.
pub(super) const ABSENT: [Wanted; 3] = [
    Wanted { name: "polish_bell", arguments: r#"{"bell": "B7"}"# },
    Wanted { name: "launch_kite", arguments: r#"{"beach": "39A"}"# },
    Wanted { name: "get_mooring_status_now", arguments: r#"{"buoy": "C4"}"# },
];
/// The one that a canned history has in it.
pub(super) const ABSENT_BEFORE: Wanted = Wanted { name: "paint_fence", arguments: r#"{"fence": "F2"}"# };

/// How a call is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wording {
    /// In plain words.
    Told,
    /// As lines to say again.
    Echo,
}

/// One request, before a provider writes it.
#[derive(Debug, Clone, Default)]
pub(super) struct Recipe {
    pub(super) messages: Vec<Message>,
    pub(super) tools: Vec<Arc<Tool>>,
    pub(super) arm: ArmSettings,
    /// A limit on output tokens that is asked for in place of the usual one.
    pub(super) limit: Option<u64>,
    /// Whether the answer is wanted as a stream.
    pub(super) streamed: bool,
}

impl Recipe {
    /// Words without tools.
    pub(super) fn said(words: &str) -> Self {
        Self { messages: vec![Message::user(words)], ..Self::default() }
    }

    /// Words with the two tools.
    pub(super) fn offered(words: &str) -> Self {
        Self { tools: tools(), ..Self::said(words) }
    }

    /// Calls asked for, with the two tools.
    pub(super) fn asking(wording: Wording, wanted: &[Wanted]) -> Self {
        Self { messages: wording.messages(wanted), tools: tools(), ..Self::default() }
    }

    pub(super) fn with(mut self, change: impl FnOnce(&mut ArmSettings)) -> Self {
        change(&mut self.arm);
        self
    }

    pub(super) fn offering(mut self, tool: Tool) -> Self {
        self.tools.push(Arc::new(tool));
        self
    }
}

impl Wording {
    /// The wording that this model answers with a call; an echo where neither was tried with success.
    pub(super) fn that_works(exchanges: &Exchanges) -> Self {
        let told = exchanges.get(super::ask::CALL_TOLD);
        if told.is_some_and(|told| told.called(MOORING)) { Self::Told } else { Self::Echo }
    }

    fn messages(self, wanted: &[Wanted]) -> Vec<Message> {
        match (self, wanted) {
            (Self::Told, [one]) => vec![Message::user(&format!(
                "Call the tool `{}` with the arguments {}. Write nothing but the call.",
                one.name, one.arguments
            ))],
            (Self::Told, several) => {
                let list: Vec<String> = several
                    .iter()
                    .map(|wanted| format!("- `{}` with the arguments {}", wanted.name, wanted.arguments))
                    .collect();
                vec![Message::user(&format!(
                    "Make these calls, all of them in this one answer, and write nothing else:\n{}",
                    list.join("\n")
                ))]
            }
            (Self::Echo, wanted) => {
                let lines = lines(wanted);
                vec![
                    Message::user(&format!("Say it again:\n{lines}")),
                    Message::assistant(&lines),
                    Message::user(&format!("And again:\n{lines}")),
                ]
            }
        }
    }
}

/// Calls as most templates have models write them.
fn lines(wanted: &[Wanted]) -> String {
    let one = |wanted: &Wanted| {
        format!(
            "<tool_call>\n{{\"name\": \"{}\", \"arguments\": {}}}\n</tool_call>",
            wanted.name, wanted.arguments
        )
    };
    wanted.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// A history in which a tool that is not offered was called, and a request for the same again.
pub(super) fn after_a_call() -> Recipe {
    let call = MessageCall {
        id: CallId("check0001".to_owned()),
        name: ToolName::new(ABSENT_BEFORE.name),
        arguments: ABSENT_BEFORE.arguments.to_owned(),
    };
    let assistant = Message { content: None, tool_calls: vec![call], ..Message::assistant("") };
    let result = Message {
        role: Role::Tool,
        tool_call_id: Some(CallId("check0001".to_owned())),
        name: Some(ToolName::new(ABSENT_BEFORE.name)),
        ..Message::user("{\"status\":\"painted\"}")
    };
    let messages = vec![
        Message::user("Paint the fence F2."),
        assistant,
        result,
        Message::assistant("The fence F2 is painted."),
        Message::user("Now paint the fence F3, by the same tool."),
    ];
    Recipe { messages, tools: tools(), ..Recipe::default() }
}

/// What only a model that sees the descriptions can answer.
pub(super) fn recite() -> Recipe {
    Recipe::offered(&format!(
        "Which harbour code stands in the description of the tool `{MOORING}`? Answer with the code alone."
    ))
}

/// The same with the description in the words: whether this model could answer at all.
pub(super) fn recite_from_words() -> Recipe {
    Recipe::said(&format!(
        "The description of the tool `{MOORING}` is: {MOORING_WORDS}\nWhich harbour code stands in the description \
         of the tool `{MOORING}`? Answer with the code alone."
    ))
}

/// The tools, in a form that strict subsets of JSON Schema take.
fn tools() -> Vec<Arc<Tool>> {
    let mooring = tool(
        MOORING,
        MOORING_WORDS,
        r#"{"type":"object","properties":{"mooring":{"type":"string","enum":["north","south"]}},"required":["mooring"],"additionalProperties":false}"#,
    );
    let tides = tool(
        TIDES,
        "Returns the tides of one day.",
        r#"{"type":"object","properties":{"day":{"type":"string","enum":["today","tomorrow"]}},"required":["day"],"additionalProperties":false}"#,
    );
    vec![Arc::new(mooring), Arc::new(tides)]
}

/// The tool without arguments.
pub(super) fn horn() -> Tool {
    tool(
        HORN,
        "Sounds the horn once.",
        r#"{"type":"object","properties":{},"required":[],"additionalProperties":false}"#,
    )
}

fn tool(name: &str, description: &str, schema: &str) -> Tool {
    Tool {
        description: Some(RawJson::from_text(description)),
        input_schema: RawJson::parse(schema).ok(),
        ..Tool::named(name)
    }
}

/// Whether arguments keep to the schema of the tool that is offered under this name; none where none is.
pub(super) fn keeps_to_schema(name: &str, arguments: &str) -> Option<bool> {
    let (key, values): (&str, &[&str]) = match name {
        MOORING => ("mooring", &["north", "south"]),
        TIDES => ("day", &["today", "tomorrow"]),
        _ => return None,
    };
    let Some(members) = json::parse_members(arguments) else { return Some(false) };
    let value = members.get(key).and_then(json::string);
    let fits = value.is_some_and(|value| values.contains(&value.as_str()));
    Some(fits && members.iter().all(|(name, _)| name == key))
}

/// How a body asks for what the check needs beside the arm: where a provider has the limit on output tokens and the
/// switch for streams.
struct Extras {
    provider: &'static str,
    /// The member with the limit, inside this one where there is one.
    limit: (Option<&'static str>, &'static str),
    /// Whether `stream: true` in the body makes a stream.
    streams: bool,
}

const EXTRAS: &[Extras] = &[
    Extras { provider: "openai_responses", limit: (None, "max_output_tokens"), streams: true },
    Extras { provider: "gemini", limit: (Some("generationConfig"), "maxOutputTokens"), streams: false },
    Extras { provider: "ollama", limit: (Some("options"), "num_predict"), streams: true },
    Extras { provider: "bedrock_converse", limit: (Some("inferenceConfig"), "maxTokens"), streams: false },
];

/// What chat completions and its dialects have, and Anthropic.
const COMMON: Extras = Extras { provider: "", limit: (None, "max_tokens"), streams: true };

/// The name that the limit has for newer models of chat completions.
pub(super) const NEWER_LIMIT: &str = "max_completion_tokens";

fn extras(provider: &Provider) -> &'static Extras {
    EXTRAS.iter().find(|extras| extras.provider == provider.name).unwrap_or(&COMMON)
}

/// Whether the check knows how to ask this provider for a stream.
pub(super) fn can_stream(provider: &Provider) -> bool {
    extras(provider).streams || provider.name == "gemini"
}

/// What requests carry beside a recipe.
#[derive(Debug, Clone)]
pub(super) struct Carried {
    /// The target's settings, without those that the endpoint refuses.
    pub(super) settings: IndexMap<String, RawJson>,
    /// The limit on output tokens of answers whose length is not the question; none where the target sets its own.
    pub(super) limit: Option<u64>,
    /// Whether the limit goes by its newer name.
    pub(super) newer_limit: bool,
}

/// Path and body of a request.
pub(super) fn encode(target: &Target, carried: &Carried, recipe: &Recipe) -> (String, Bytes) {
    let provider = target.provider;
    let mut arm = recipe.arm.clone();
    if let Some(limit) = recipe.limit.or(carried.limit) {
        put_limit(provider, carried, limit, &mut arm);
    }
    let mut path = (provider.path)(&target.model);
    if extras(provider).streams {
        let own = carried.settings.get("stream").is_some_and(|own| own.as_str() == "true");
        // Only where it differs from what trials ask for.
        if recipe.streamed || own {
            let word = if recipe.streamed { "true" } else { "false" };
            arm.body.extend(RawJson::parse(word).ok().map(|word| ("stream".to_owned(), word)));
        }
    } else if recipe.streamed && provider.name == "gemini" {
        path = format!("{}?alt=sse", path.replace(":generateContent", ":streamGenerateContent"));
    }
    let said: Vec<Said> = recipe.messages.iter().cloned().map(Said::Ours).collect();
    let body = (provider.encode)(&ModelRequest {
        model: &target.model,
        messages: &said,
        tools: &recipe.tools,
        settings: &carried.settings,
        arm: &arm,
    });
    (path, body)
}

fn put_limit(provider: &Provider, carried: &Carried, limit: u64, arm: &mut ArmSettings) {
    let (outer, name) = extras(provider).limit;
    let own = [NEWER_LIMIT].iter().find(|name| carried.settings.contains_key(**name));
    let newer = name == "max_tokens" && (carried.newer_limit || own.is_some());
    let name = if newer { NEWER_LIMIT } else { name };
    let written = limit.to_string();
    let (member, text) = match outer {
        None => (name, written),
        Some(outer) => {
            let own = carried.settings.get(outer).and_then(|raw| json::parse_members(raw.as_str()));
            let others = own.iter().flat_map(|own| own.iter()).filter(|(key, _)| *key != name);
            let mut members: Vec<String> = others
                .map(|(key, raw)| format!("{}:{}", RawJson::from_text(key).as_str(), raw.get()))
                .collect();
            members.push(format!("\"{name}\":{written}"));
            (outer, format!("{{{}}}", members.join(",")))
        }
    };
    arm.body.extend(RawJson::parse(&text).ok().map(|raw| (member.to_owned(), raw)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schemas_are_told_as_they_are_sent() {
        let said = tools().iter().map(|tool| tool.description_text()).collect::<String>();
        assert!(said.contains(CODE));
        for wanted in [SOUTH, TODAY] {
            assert_eq!(keeps_to_schema(wanted.name, wanted.arguments), Some(true));
        }
        assert_eq!(keeps_to_schema(BREAKING.name, BREAKING.arguments), Some(false));
        assert_eq!(keeps_to_schema(MOORING, "south"), Some(false));
        assert_eq!(keeps_to_schema(ABSENT[0].name, "{}"), None);
    }

    #[test]
    fn the_limit_stands_where_the_provider_has_it() {
        for provider in crate::PROVIDERS {
            let carried = Carried { settings: IndexMap::new(), limit: Some(77), newer_limit: false };
            let mut arm = ArmSettings::default();
            put_limit(provider, &carried, 77, &mut arm);
            assert_eq!((provider.output_limit)(&arm.body), Some(77), "{}", provider.name);
        }
        let settings = IndexMap::from([(
            "options".to_owned(),
            RawJson::parse(r#"{"seed":3,"num_predict":9}"#).unwrap(),
        )]);
        let carried = Carried { settings, limit: None, newer_limit: false };
        let mut arm = ArmSettings::default();
        put_limit(crate::provider("ollama").unwrap(), &carried, 77, &mut arm);
        assert_eq!(arm.body["options"].as_str(), r#"{"seed":3,"num_predict":77}"#);
    }
}
