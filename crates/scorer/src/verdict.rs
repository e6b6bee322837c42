//! What the scorer says of one trial: turn by turn and call by call (the wire cases' words), and check by check.

use indexmap::IndexMap;
use probes::{Expectation, Offered, RateName};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use transcript::{ErrorCause, ExecutedCall, Message, ToolName, TrialStatus, Turn, TurnKind};

use crate::finding::{ArgumentFinding, Evidence, Finding, FormatFinding};

/// All that the scorer looks at. One form serves `run`, `explain`, `audit` and `mine`.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// What should happen; none where there is no probe, and grounding is the only basis.
    pub expectation: Option<&'a Expectation>,
    /// The steps of the conversation, at least one: the messages appended (the first starts with the system
    /// prompt) and the tools offered. A turn names its step.
    pub steps: &'a [SubjectStep<'a>],
    /// The turns.
    pub turns: &'a [Turn],
    /// What really ran. None is not empty: without a log nothing about execution can be judged.
    pub executor: Option<&'a [ExecutedCall]>,
    /// What the request asked for, as far as it matters for judging.
    pub request: RequestFacts<'a>,
    /// The status that the runner saw; what shows in the turns is worked out again.
    pub status: TrialStatus,
    /// What a gateway answered in the model's place, where the runner saw it: however well such a turn reads, it is
    /// none of the model's.
    pub cause: Option<ErrorCause>,
    /// Whether the conversation was ended by the limit on turns.
    pub turn_limit: bool,
}

/// One step as the scorer sees it.
#[derive(Debug, Clone, Copy)]
pub struct SubjectStep<'a> {
    /// Messages before the step's first turn.
    pub messages: &'a [Message],
    /// Tools offered.
    pub offered: &'a Offered,
}

/// What the request asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct RequestFacts<'a> {
    /// `none`, `required`, `auto`, or a tool's name.
    pub tool_choice: Option<&'a str>,
    /// Whether that holds in the first turn of each step alone.
    pub choice_once: bool,
    /// Limit on output tokens.
    pub max_tokens: Option<u64>,
    /// Strict schemas, where `null` is the legal way to leave an optional argument out.
    pub strict: bool,
    /// The wire format's name.
    pub provider: &'a str,
    /// Namespaces that the request declared, where the tools offered do not say in which they are.
    pub namespaces: &'a [String],
    /// The time that the prompt says it is, RFC 3339.
    pub clock: Option<&'a str>,
}

/// What the scorer says of one trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whether the trial is scored, and if not, why.
    pub status: TrialStatus,
    /// One for each turn.
    pub turns: Vec<TurnVerdict>,
    /// One judgement for each rate; a rate that is not listed was not asked.
    pub checks: IndexMap<RateName, Judgement>,
    /// Whether the right behaviour of the probe was shown.
    pub behaviour: Behaviour,
    /// The outcome, where the wanted tool is not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decoy_outcome: Option<OutcomeVerdict>,
    /// What the turn after an unknown call that was answered does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_unknown: Option<AfterUnknown>,
}

/// What a model does after it was told that a tool does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AfterUnknown {
    /// It calls tools that are there.
    Recovers,
    /// It asks.
    Asks,
    /// It calls nothing more and says so, or says something else.
    Stops,
    /// It calls a tool that is not there again.
    InventsAgain,
}

impl AfterUnknown {
    /// All, in the order in which reports show them.
    pub const ALL: [Self; 4] = [Self::Recovers, Self::Asks, Self::Stops, Self::InventsAgain];

    /// The word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Recovers => "recovers",
            Self::Asks => "asks",
            Self::Stops => "stops",
            Self::InventsAgain => "invents_again",
        }
    }
}

/// Whether the right behaviour was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Behaviour {
    /// It was.
    Right,
    /// It was not.
    Wrong,
    /// It cannot be told: the trial is not scored, or its text is unclassified.
    Unclear,
    /// There is no probe that says what is right.
    NotAsked,
}

/// One turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnVerdict {
    /// The step of the conversation that it stands in, from 0.
    #[serde(default, skip_serializing_if = "is_first")]
    pub step: u32,
    /// What kind of answer it is.
    pub turn: TurnKind,
    /// Whether it enters the denominators.
    pub countable: bool,
    /// Its calls, in the order of the body: structured ones, malformed ones, and calls in text or reasoning.
    pub calls: Vec<CallVerdict>,
    /// What they add up to.
    pub counts: Counts,
    /// The outcome of the turn, where no offered tool fits the task.
    pub decoy_outcome: Option<DecoyOutcome>,
    /// What the serving layer may have done to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspect: Option<Suspect>,
    /// False where a malformed call's name cannot be read.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub in_unknown_denominator: bool,
    /// Why, in words, most telling first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_first(step: &u32) -> bool {
    *step == 0
}

fn yes() -> bool {
    true
}

/// What a turn's calls add up to (`calls`, `unknown_tool`, `shadow_call`, `hallucinated_argument`: structured
/// calls only, each at most once a rate).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[expect(missing_docs, reason = "the rates' own words")]
pub struct Counts {
    pub calls: u32,
    pub unknown_tool: u32,
    pub shadow_call: u32,
    pub hallucinated_argument: u32,
    pub format: u32,
    pub text_calls: u32,
    pub timing: u32,
    pub phantom_claims: u32,
    pub fabricated_results: u32,
    pub swallowed_failures: u32,
}

/// One call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallVerdict {
    /// Name as it arrived; `""` for empty, null or missing.
    pub emitted_name: String,
    /// Where it stood.
    pub surface: Surface,
    /// Its class, by precedence; none for a call that nobody can read.
    pub class: Option<Class>,
    /// Why the name misses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name_form: Option<NameForm>,
    /// The tool that was meant, where the task or one declared normalisation makes it plain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intended_tool: Option<ToolName>,
    /// What the dispatcher ran, where that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub executed_as: Option<ToolName>,
    /// The name was valid in an earlier turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub seen_in_history: bool,
    /// The offered name that is nearest to an unknown one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest_tool: Option<ToolName>,
    /// The family that an unknown name falls into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// Arguments against the tool's schema; none where that cannot be asked.
    pub schema_valid: Option<bool>,
    /// Format faults, root cause first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub format_findings: Vec<FormatFinding>,
    /// Argument findings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub argument_findings: Vec<ArgumentFinding>,
}

impl CallVerdict {
    /// Whether the name is in no catalog of its turn.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.name_form.is_some()
    }

    /// Whether at least one argument finding counts.
    #[must_use]
    pub fn has_counted_argument(&self) -> bool {
        self.argument_findings.iter().any(|finding| finding.counted)
    }
}

/// Where a call stood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Surface {
    /// The provider's own call field.
    Structured,
    /// The visible text.
    Content,
    /// The reasoning.
    Reasoning,
    /// What the provider says of a call that it could not read.
    FinishMessage,
}

/// A call's class. One call has one class, by this precedence; the counts are independent of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// The decoy of a lookalike was called, or another tool ran than the one meant.
    ShadowCall,
    /// The name is not in the catalog of the turn.
    UnknownTool,
    /// A registered tool that the probe does not allow.
    MisusedTool,
    /// A registered tool with at least one counted argument finding.
    HallucinatedArgument,
    /// None of these.
    Ok,
}

/// Why a name misses (DESIGN.md 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NameForm {
    /// Near no offered name.
    Novel,
    /// A slip of an offered name.
    NearMiss,
    /// A wrapper around other calls that the catalog does not offer.
    Wrapper,
    /// A dialect's prefix before an offered name (`functions.`, `default_api:`).
    NamespacePrefix,
    /// An offered name without its prefix.
    PrefixDropped,
    /// A namespace beside the name that was not declared.
    NamespaceAdded,
    /// A declared namespace joined to the name.
    NamespaceFlattened,
    /// A template's special token in the name.
    SpecialToken,
    /// Another letter case.
    Case,
    /// White space around or in the name.
    Whitespace,
    /// No name.
    Empty,
    /// An offered name written twice.
    Doubled,
}

/// The outcome of a decoy trial: exactly one, the first of this order that holds (DESIGN.md 3.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecoyOutcome {
    /// An unknown tool called, or named in a text call.
    Invented,
    /// A registered tool outside the allowed reads.
    Misused,
    /// Says that it is done.
    Claimed,
    /// Gives a concrete value of its own.
    Answered,
    /// States that it cannot.
    Refused,
    /// Asks for what it needs, without stating inability.
    Clarified,
    /// None of these can be told.
    Unclassified,
}

impl DecoyOutcome {
    /// All, in the order in which reports show them: the four first, the others always with them.
    pub const SHOWN: [Self; 7] = [
        Self::Refused,
        Self::Clarified,
        Self::Invented,
        Self::Misused,
        Self::Claimed,
        Self::Answered,
        Self::Unclassified,
    ];

    /// The word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Invented => "invented",
            Self::Misused => "misused",
            Self::Claimed => "claimed",
            Self::Answered => "answered",
            Self::Refused => "refused",
            Self::Clarified => "clarified",
            Self::Unclassified => "unclassified",
        }
    }
}

/// An outcome with the words that show it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutcomeVerdict {
    /// The label.
    pub label: DecoyOutcome,
    /// Where it shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// Labels that could not occur, because the request forced a choice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub censored: Vec<DecoyOutcome>,
}

/// What the serving layer may have done to a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Suspect {
    /// It may have dropped a call to an unknown name.
    ServerFilter,
}

/// What one check says of one trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// It could be judged.
    Judged {
        /// Opportunities, by unit.
        opportunities: ByUnit,
        /// Events, by unit.
        events: ByUnit,
        /// The same over the first turn alone.
        first_turn: FirstTurn,
        /// The events, with evidence.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        findings: Vec<Finding>,
    },
    /// It was asked and could not be judged.
    Unscored(Unscored),
}

/// Counts of one kind of object each; a rate never mixes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ByUnit {
    /// Trials: 0 or 1.
    pub trials: u32,
    /// Calls.
    pub calls: u32,
    /// Arguments.
    pub arguments: u32,
}

/// A trial's first turn alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct FirstTurn {
    /// Whether the event was there.
    pub event: bool,
}

/// Why a check of a scored trial could not be judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unscored {
    /// The trial itself is not scored.
    TrialNotScored,
    /// No claim line.
    NoCheckableClaim,
    /// No executor log.
    NoExecutorLog,
    /// Names that nobody can read, and no other call.
    UnreadableName,
    /// The endpoint hides what is measured.
    Censored,
    /// The text is unclassified.
    Unclassified,
    /// Nobody judged it.
    NotJudged,
}

impl Unscored {
    /// The word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TrialNotScored => "trial_not_scored",
            Self::NoCheckableClaim => "no_checkable_claim",
            Self::NoExecutorLog => "no_executor_log",
            Self::UnreadableName => "unreadable_name",
            Self::Censored => "censored",
            Self::Unclassified => "unclassified",
            Self::NotJudged => "not_judged",
        }
    }
}
