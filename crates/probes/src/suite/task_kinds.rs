//! What a task tells single kinds (`kinds:` of a task): what a kind needs and no task could be read for, and what
//! it would otherwise work out by itself.

use std::ops::{Deref, DerefMut};
use std::sync::LazyLock;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use transcript::ToolName;

use crate::ArgumentRule;

/// Settings of single kinds, by the kind's name.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskKinds {
    /// Asks for it where the task's tool never existed; that is the case without being written, unless
    /// `familiar_neighbour` stands here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sibling_gap: Option<NoSettings>,
    /// Asks for it where the task's tool never existed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub familiar_neighbour: Option<FamiliarNeighbour>,
    /// What the task's own words leave out, where they never held it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing_argument: Option<MissingArguments>,
    /// The words of `principal`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub principal: Option<PrincipalWords>,
    /// Needed by `wrong_value`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrong_value: Option<WrongValue>,
    /// Which parameter `removed_parameter` takes away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed_parameter: Option<RemovedParameter>,
    /// The later words of `stale_tool`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stale_tool: Option<StaleTool>,
    /// The sentence of `withheld_tool`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withheld_tool: Option<WithheldTool>,
    /// The plan of `required_call`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required_call: Option<RequiredCall>,
    /// How the first call of `resourceful` fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resourceful: Option<Failure>,
    /// How the first call of `transient_failure` fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transient_failure: Option<Failure>,
    /// How every call of `permanent_failure` fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permanent_failure: Option<Failure>,
    /// Needed by `canary`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canary: Option<Canary>,
    /// What `broken_read` returns; written, it is derived whatever the tool's name says of reading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken_read: Option<BrokenRead>,
    /// Needed by `phantom`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phantom: Option<Phantom>,
    /// The rungs of `size_ladder`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_ladder: Option<SizeLadder>,
}

impl TaskKinds {
    /// Whether nothing is told.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What a task tells single kinds. Most tell nothing, and a suite may have a hundred thousand: what is not told
/// takes no room.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(from = "TaskKinds", into = "TaskKinds")]
pub struct KindsTold(Option<Box<TaskKinds>>);

static NOTHING: LazyLock<TaskKinds> = LazyLock::new(TaskKinds::default);

impl KindsTold {
    /// Whether nothing is told.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.as_ref().is_none_or(|told| told.is_empty())
    }
}

impl From<TaskKinds> for KindsTold {
    fn from(told: TaskKinds) -> Self {
        Self((!told.is_empty()).then(|| Box::new(told)))
    }
}

impl From<KindsTold> for TaskKinds {
    fn from(told: KindsTold) -> Self {
        told.0.map_or_else(Self::default, |told| *told)
    }
}

impl Deref for KindsTold {
    type Target = TaskKinds;

    fn deref(&self) -> &TaskKinds {
        self.0.as_deref().unwrap_or(&NOTHING)
    }
}

impl DerefMut for KindsTold {
    fn deref_mut(&mut self) -> &mut TaskKinds {
        self.0.get_or_insert_default()
    }
}

/// A kind that is asked for and has nothing to be told: `{}`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoSettings {}

/// Settings of `familiar_neighbour`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FamiliarNeighbour {
    /// The tool of the familiar family that is there. Without it in the catalog the question is stale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbour: Option<ToolName>,
}

/// Settings of `principal`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrincipalWords {
    /// The request in other words, which speak of somebody else beside the caller.
    pub user: String,
}

/// Settings of `wrong_value`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WrongValue {
    /// The request with a value that the schema cannot take.
    pub user: String,
    /// The argument that the value is meant for.
    pub argument: String,
    /// The value, as the words give it.
    pub value: Value,
}

/// Settings of `removed_parameter`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RemovedParameter {
    /// The argument that is taken out of the schema; one of `arguments`.
    pub argument: String,
}

/// Settings of `stale_tool`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StaleTool {
    /// The user's second message, once the tool is gone: it asks for the same tool again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<String>,
    /// The user's second message, once the tool is offered again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back: Option<String>,
    /// Derives one of the two alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<StaleOrder>,
}

/// The two orders of `stale_tool`, by the variants of their ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StaleOrder {
    /// Offered, then gone.
    Gone,
    /// Held out, then offered again.
    OfferedAgain,
}

/// Settings of `missing_argument`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MissingArguments {
    /// Required arguments that the task's own words leave out: no other kind can be asked for a whole call.
    #[schemars(length(min = 1))]
    pub of: Vec<String>,
}

/// Settings of `withheld_tool`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WithheldTool {
    /// The sentence of the prompt that describes the tool and says that it is switched off.
    pub notice: String,
}

/// Settings of `required_call`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RequiredCall {
    /// The sentence of the prompt that says that the call happens in this turn.
    pub plan: String,
}

/// Settings of kinds in which calls fail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// The error that the model is given.
    pub error: String,
}

/// Settings of `canary`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Canary {
    /// The request in words that ask for one value of the result; the task's own where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// What the tool returns.
    pub result: Value,
    /// What an answer says that follows the result: a value of `result`, or one of several notations of it.
    pub answer: ArgumentRule,
    /// What a model would say that did not read the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub habit: Option<Value>,
}

/// Settings of `broken_read`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BrokenRead {
    /// The forms to derive; all where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forms: Option<Vec<String>>,
    /// The rows that the broken reads are made of; made up where absent. None of them answers the request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Value>,
}

/// Settings of `phantom`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Phantom {
    /// A request of several steps.
    pub user: String,
    /// The steps, in the order of the words. A tool that the catalog does not have is the impossible one.
    #[schemars(length(min = 2))]
    pub steps: Vec<PhantomStep>,
}

/// One step of `phantom`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PhantomStep {
    /// The tool that it wants.
    pub tool: ToolName,
    /// Whether no tool of the catalog can do it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub impossible: bool,
    /// The arguments that the words justify.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub arguments: IndexMap<String, ArgumentRule>,
}

/// Settings of `size_ladder`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SizeLadder {
    /// The sizes to derive, of 4, 8, 16, 32, 64, 128, 256 and 512.
    pub rungs: Vec<u32>,
}
