//! Suite files (`toolmirage: suite/1`): tasks, and the kinds of probe to derive from them.

mod check;
mod check_catalog;
mod check_kinds;
mod check_prompt;
mod task_kinds;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use transcript::ToolName;

pub use task_kinds::{
    BrokenRead, Canary, Failure, FamiliarNeighbour, KindsTold, MissingArguments, NoSettings, Phantom,
    PhantomStep, PrincipalWords, RemovedParameter, RequiredCall, SizeLadder, StaleOrder, StaleTool,
    TaskKinds, WithheldTool, WrongValue,
};

/// The format's name and version, first in every suite file.
pub const SUITE_FORMAT: &str = "suite/1";

/// A suite file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// `suite/1`: the format and its version.
    pub toolmirage: String,
    /// What reports call the suite.
    #[schemars(regex(pattern = r"^[a-z0-9-]+$"))]
    pub name: String,
    /// Version; raise it when a question changes its meaning.
    pub version: u64,
    /// Decides, with the task, everything that deriving chooses.
    pub seed: u64,
    /// The catalog: a name from the configuration, or a path relative to this file.
    pub catalog: String,
    /// System prompts: names from the configuration, or paths relative to this file. Each is a cell of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prompts: Vec<String>,
    /// The moment at which the tasks happen, RFC 3339; rendered where a prompt says `{{clock}}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// The person whose request it is, as named values; rendered where a prompt says `{{principal.KEY}}`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub principal: IndexMap<String, Value>,
    /// The kinds of probe to derive; all where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kinds: Option<Vec<String>>,
    /// Arms that every base question is put under as well: `NAME`, `NAME=VALUE`, several at once with `+`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arms: Vec<String>,
    /// Parts of the catalog by name, for the arm `narrow_catalog`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub surfaces: IndexMap<String, Vec<ToolName>>,
    /// Whether its tasks must not stand in production traces, which `lint --traces` checks.
    #[serde(default = "held_out_by_default", skip_serializing_if = "is_default")]
    pub held_out: bool,
    /// The tasks; reports keep their order.
    pub tasks: Vec<Task>,
}

fn held_out_by_default() -> bool {
    true
}

/// What is written only where it is not so.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_default(held_out: &bool) -> bool {
    *held_out
}

/// One user request that wants one tool without doubt, or none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// Unique in the suite; probe ids begin with it, and comparisons pair by it.
    #[schemars(regex(pattern = r"^[a-z0-9-]+$"))]
    pub id: String,
    /// The user's words.
    pub user: String,
    /// The one tool that the words want, or `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// In place of `tool`: the tool that the words want and that never existed, by the name that it would have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absent_tool: Option<String>,
    /// What was said before, canned: it is put to the model and never judged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<EarlierWords>,
    /// What its own system prompt says; it stands behind the cell's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// The tools that are offered for it, in place of the whole catalog; none at all where the list is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offers: Option<Vec<ToolName>>,
    /// The surface that it belongs to: what the arm `narrow_catalog` offers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surface: Option<String>,
    /// The arguments that the words justify.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub arguments: IndexMap<String, ArgumentRule>,
    /// Other tools that would also do; a decoy leaves them out with the tool.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub substitutes: Vec<ToolName>,
    /// Reading tools that are fine to look with first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read_only: Vec<ToolName>,
    /// Required argument: the user's words without its value.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub missing_argument: IndexMap<String, String>,
    /// Decoy's name: its description, for another purpose; in place of derived decoys.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub lookalikes: IndexMap<ToolName, String>,
    /// What single kinds need or are told, by their names.
    #[serde(default, skip_serializing_if = "KindsTold::is_empty")]
    #[schemars(with = "TaskKinds")]
    pub kinds: KindsTold,
    /// Whether an answer without any call is right.
    #[serde(default)]
    pub answerable_without_tool: bool,
    /// Kinds in which any trial that goes wrong fails the gate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub must_pass: Vec<String>,
    /// Where the words come from.
    #[serde(default)]
    pub source: Source,
    /// Whether nobody has reviewed it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub draft: bool,
}

impl Task {
    /// The tool that it wants; none where it wants none, or one that never existed.
    #[must_use]
    pub fn wanted(&self) -> Option<&str> {
        self.tool.as_deref().filter(|tool| *tool != "none")
    }

    /// What it says of the tool in one word: a name, or `none`.
    #[must_use]
    pub fn tool_word(&self) -> &str {
        self.asked().unwrap_or("none")
    }

    /// The tool that it wants, whether there is one or never was.
    #[must_use]
    pub fn asked(&self) -> Option<&str> {
        self.wanted().or(self.absent_tool.as_deref())
    }
}

/// A message of a task's `history`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EarlierWords {
    /// The user's.
    User(String),
    /// The model's.
    Assistant(String),
}

impl EarlierWords {
    /// What is said.
    #[must_use]
    pub fn text(&self) -> &str {
        let (Self::User(text) | Self::Assistant(text)) = self;
        text
    }
}

/// Where a task's words come from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Made up by a person.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub written: bool,
    /// Taken from these traces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traces: Option<String>,
    /// Whether names and numbers of real people were replaced.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub redacted: bool,
    /// Made from a tool's schema.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub schema: bool,
    /// Taken from a public benchmark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub benchmark: Option<Upstream>,
}

/// The case of a public benchmark that a task was made from. It travels with each of its probes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Upstream {
    /// The benchmark's name.
    pub name: String,
    /// Its version, as its publisher writes it.
    pub version: String,
    /// Its licence.
    pub licence: String,
    /// The case's id there.
    pub id: String,
}

impl Source {
    /// The word by which reports split rates.
    #[must_use]
    pub fn word(&self) -> &'static str {
        if self.benchmark.is_some() {
            "benchmark"
        } else if self.traces.is_some() {
            "traces"
        } else if self.schema {
            "schema"
        } else {
            "written"
        }
    }
}

/// How a suite writes what an argument must be: a scalar or list means equals, `absent` that it must not be
/// there, and a map one of `equals`, `one_of`, `absent_or`, `pattern`, `principal`.
#[derive(Debug, Clone, PartialEq)]
pub enum ArgumentRule {
    /// Equals.
    Equals(Value),
    /// One of these.
    OneOf(Vec<Value>),
    /// Not there, or one of these.
    AbsentOr(Vec<Value>),
    /// A string that the regular expression matches as a whole.
    Pattern(String),
    /// This value of the suite's principal.
    Principal(String),
    /// Must not be there.
    Absent,
}

impl TryFrom<Value> for ArgumentRule {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        let members = match value {
            Value::String(text) if text == "absent" => return Ok(Self::Absent),
            Value::Object(members) => members,
            other => return Ok(Self::Equals(other)),
        };
        let wanted = "an argument's rule is a value, a list, `absent`, or a map with exactly one of `equals`, `one_of`, `absent_or`, `pattern`, `principal`";
        let mut members = members.into_iter();
        let (Some((key, value)), None) = (members.next(), members.next()) else {
            return Err(wanted.to_owned());
        };
        match (key.as_str(), value) {
            ("equals", value) => Ok(Self::Equals(value)),
            ("one_of", Value::Array(values)) if !values.is_empty() => Ok(Self::OneOf(values)),
            ("absent_or", Value::Array(values)) if !values.is_empty() => Ok(Self::AbsentOr(values)),
            ("one_of" | "absent_or", _) => Err(format!("`{key}` takes a list of at least one value")),
            ("pattern", Value::String(pattern)) => Ok(Self::Pattern(pattern)),
            ("pattern", _) => Err("`pattern` takes a regular expression".to_owned()),
            ("principal", Value::String(key)) => Ok(Self::Principal(key)),
            ("principal", _) => Err("`principal` takes a key of the suite's `principal`".to_owned()),
            (key, _) => Err(format!("unknown key `{key}`; {wanted}")),
        }
    }
}

impl<'de> Deserialize<'de> for ArgumentRule {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Self::try_from(value).map_err(serde::de::Error::custom)
    }
}

impl Serialize for ArgumentRule {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let single = |key: &str, value: Value| Value::Object([(key.to_owned(), value)].into_iter().collect());
        let value = match self {
            Self::Equals(value @ Value::Object(_)) => single("equals", value.clone()),
            Self::Equals(Value::String(text)) if text == "absent" => single("equals", text.clone().into()),
            Self::Equals(value) => value.clone(),
            Self::OneOf(values) => single("one_of", values.clone().into()),
            Self::AbsentOr(values) => single("absent_or", values.clone().into()),
            Self::Pattern(pattern) => single("pattern", pattern.clone().into()),
            Self::Principal(key) => single("principal", key.clone().into()),
            Self::Absent => "absent".into(),
        };
        value.serialize(serializer)
    }
}

impl JsonSchema for ArgumentRule {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ArgumentRule".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A value or list (equals), `absent`, or one of equals, one_of, absent_or, pattern, principal.",
            "anyOf": [
                { "type": ["string", "number", "boolean", "array", "null"] },
                { "type": "object", "additionalProperties": false, "required": ["equals"], "properties": { "equals": true } },
                { "type": "object", "additionalProperties": false, "required": ["one_of"],
                  "properties": { "one_of": { "type": "array", "minItems": 1 } } },
                { "type": "object", "additionalProperties": false, "required": ["absent_or"],
                  "properties": { "absent_or": { "type": "array", "minItems": 1 } } },
                { "type": "object", "additionalProperties": false, "required": ["pattern"], "properties": { "pattern": { "type": "string" } } },
                { "type": "object", "additionalProperties": false, "required": ["principal"],
                  "properties": { "principal": { "type": "string" } } }
            ]
        })
    }
}
