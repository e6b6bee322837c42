//! What mining a set of logs counted: the value that every output shows.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::absence::{ArgumentFault, State};
use crate::owed::OwedKind;

/// The format of a census and its version.
pub const CENSUS_FORMAT: &str = "toolmirage-census/1";

/// Counts by name, most frequent first, equal ones by name.
pub type ByName = IndexMap<String, u64>;

/// What mining a set of logs counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Census {
    /// The format of this file and its version.
    pub format: String,
    /// What was read.
    pub window: Window,
    /// What was not read, or could not be.
    pub skipped: Skipped,
    /// Tool calls, each act once.
    pub calls: Calls,
    /// Calls to a tool that was not there.
    pub absent: Absent,
    /// Calls whose arguments were refused before the tool ran.
    pub argument_errors: ArgumentErrors,
    /// Turns that owed a call and have none. Never added to the calls.
    pub owed: Owed,
    /// The rates, each with its denominator.
    pub rates: Vec<MinedRate>,
    /// Calls and absent tools split up by what `--by` named.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub by: BTreeMap<String, Vec<Part>>,
}

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Window {
    /// Logs that were read.
    pub files: u64,
    /// Their bytes, unpacked.
    pub bytes: u64,
    /// Their lines, empty ones included.
    pub lines: u64,
    /// The earliest moment that was seen.
    pub first: Option<String>,
    /// The latest one.
    pub last: Option<String>,
    /// Logs by format.
    pub formats: BTreeMap<String, u64>,
    /// Session lineages that have a call: a session, its resumptions, forks and sub-agents are one.
    pub sessions: u64,
    /// Lines that were looked at and not parsed, since nothing in them can change a figure. They are not validated.
    pub lines_not_parsed: u64,
    /// The window that was asked for, where one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Asked>,
}

/// The window that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Asked {
    /// From this moment on.
    pub since: Option<String>,
    /// Before this moment.
    pub until: Option<String>,
    /// Projects whose name holds this.
    pub project: Option<String>,
    /// Occurrences of calls that fell outside it, those without a time or project included.
    pub calls_outside: u64,
}

/// What was not read, or could not be.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Skipped {
    /// Lines that are no JSON, cut ones included.
    pub bad_lines: u64,
    /// Those of them that end a log without a line break: a write that was cut.
    pub cut_last_lines: u64,
    /// Lines that are JSON and no object.
    pub non_object_lines: u64,
    /// Lines too long to be read (32 MiB).
    pub long_lines: u64,
    /// The lines themselves, the first thousand of them.
    pub lines: Vec<SkippedLine>,
    /// Files that are not read, or not to their end: how many.
    pub file_count: u64,
    /// The files themselves, the first thousand of them.
    pub files: Vec<SkippedFile>,
}

/// A line that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SkippedLine {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: u64,
    /// Why.
    pub why: String,
}

/// A file that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SkippedFile {
    /// The file.
    pub file: String,
    /// Why.
    pub why: String,
}

/// Tool calls, each act once.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Calls {
    /// Unique acts.
    pub unique: u64,
    /// How often calls are written, echoes included.
    pub occurrences: u64,
    /// Unique acts by the name that was called.
    pub by_tool: ByName,
    /// Unique acts without an answer.
    pub unanswered: u64,
    /// Unique answers to a call that is not there.
    pub results_without_call: u64,
    /// Calls whose id another call has too: unique acts with an id, less the ids.
    pub id_reuse: u64,
    /// Ids that calls have.
    pub distinct_ids: u64,
    /// Unique acts that were answered.
    pub answered: u64,
    /// How often answers are written.
    pub result_occurrences: u64,
    /// Unique acts whose answer is an error, by the log's own mark.
    pub error_results: u64,
    /// Unique acts of sub-agents.
    pub by_sub_agents: u64,
    /// Unique acts that stand in a parent's log as a mirror, and in a log of their own.
    pub mirrored: u64,
    /// Unique acts that stand in a parent's log only.
    pub only_mirrored: u64,
    /// Calls that ran at the provider, by name. They are no unique acts, and in no rate.
    pub provider_run: ByName,
    /// Tools that routers were told to run, by name.
    pub inner_by_tool: ByName,
    /// Unique acts whose router was told to run a tool that is not there.
    pub inner_unknown: u64,
    /// Unique acts whose answer is an error inside a success.
    pub inner_errors: u64,
    /// Actions by the log's own word, in formats whose records are actions; a user's message is one of them.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub by_action: ByName,
}

/// Calls to a tool that was not there.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Absent {
    /// Unique acts.
    pub unique: u64,
    /// By the name that was called.
    pub by_tool: ByName,
    /// By whether the tool is unknown, or known and withheld. Both are always there.
    pub by_state: BTreeMap<State, u64>,
    /// By why the name misses, held against the tools that ran or were offered in these logs;
    /// `seen_elsewhere` where the very name is one of them.
    pub by_name_form: ByName,
    /// By the class of the reason that the error gives; `unavailable` where it gives none.
    pub by_clause: ByName,
    /// By framework whose words the error has.
    pub by_framework: ByName,
    /// How often the error's words stand in the logs, anywhere: not a count of events.
    pub raw_hits: u64,
    /// What they are.
    pub raw_hits_by_cause: RawHitsByCause,
    /// Every event, with its place.
    pub events: Vec<Event>,
}

/// What the occurrences of the error's words are. They add up to `raw_hits` where no window was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct RawHitsByCause {
    /// An event, for the first time.
    pub event: u64,
    /// Another field of the same line that repeats it.
    pub field_copy: u64,
    /// The event again on another line: a resumed session, a fork, a mirror.
    pub replay: u64,
    /// Another tool's output, a call's arguments, or a summary that quotes it.
    pub quoted: u64,
    /// Words of a message.
    pub prose: u64,
    /// On a line that could not be read.
    pub unread: u64,
    /// An event's words without its call.
    pub without_call: u64,
}

/// One call to a tool that was not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Event {
    /// The file in which the answer stands.
    pub file: String,
    /// Its line, counted from 1.
    pub line: u64,
    /// The name that was called.
    pub tool: String,
    /// Whether the tool is unknown, or known and withheld.
    pub state: State,
    /// The reason in the error's own words, keys and tokens masked; empty where it gives none.
    pub clause: String,
    /// The class of the reason.
    pub clause_class: String,
    /// Why the name misses.
    pub name_form: String,
    /// The framework whose words the error has.
    pub framework: String,
    /// Where the call stands.
    pub call: Place,
    /// The model, where the log names it.
    pub model: Option<String>,
    /// The version of the program that wrote the log.
    pub version: Option<String>,
    /// The project: a working directory, or what else the log calls it.
    pub project: Option<String>,
    /// When the call was made.
    pub time: Option<String>,
    /// The tool inside a router's arguments that is not there; such an event is in `calls.inner_unknown`, and in
    /// none of the counts beside this list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inner_tool: Option<String>,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: u64,
}

/// Calls whose arguments were refused before the tool ran.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ArgumentErrors {
    /// Unique acts.
    pub unique: u64,
    /// By the name that was called.
    pub by_tool: ByName,
    /// By what was wrong. One act may have several.
    pub by_fault: BTreeMap<ArgumentFault, u64>,
}

/// Turns that owed a call and have none.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Owed {
    /// Unique texts.
    pub unique: u64,
    /// By what the words are instead.
    pub by_kind: BTreeMap<OwedKind, u64>,
    /// The rules that were given, with the turns that they are about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<OwedRule>,
    /// Every one, with its place.
    pub events: Vec<OwedEvent>,
}

/// What came of a rule that says when a call is owed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OwedRule {
    /// The rule, as it is written.
    pub rule: String,
    /// Unique turns that owe its call: those that follow.
    pub turns: u64,
    /// Turns in which the call was made.
    pub met: u64,
    /// Turns that ended without it. They are among the events.
    pub unmet: u64,
    /// Turns within which their log ends, so that nobody can tell.
    pub open: u64,
}

/// A turn that owed a call and has none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OwedEvent {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: u64,
    /// What the words are instead of a call. Of `required` the place and the words are those of the user.
    pub kind: OwedKind,
    /// The tool that they name, or that a rule asks for; of several, with `or` between them.
    pub tool: Option<String>,
    /// Whether that tool, or one of several, was offered in these logs or ran in them; absent where nothing is named.
    pub known: Option<bool>,
    /// The words, keys and tokens masked.
    pub span: String,
}

/// A rate of the logs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MinedRate {
    /// Its name.
    pub name: String,
    /// Events.
    pub numerator: u64,
    /// What they are out of.
    pub denominator: u64,
    /// The unit of both.
    pub unit: String,
    /// Numerator over denominator; absent without a denominator.
    pub share: Option<f64>,
    /// `1 in N`, rounded; absent without an event.
    pub one_in: Option<u64>,
    /// Lower end of the 95 % interval, session lineages being the clusters.
    pub low: Option<f64>,
    /// Upper end of it. Without an event: at most this, by sessions.
    pub high: Option<f64>,
    /// The upper end if calls were independent, which they are not; told where there is no event.
    pub high_if_independent: Option<f64>,
    /// Session lineages among the denominator.
    pub clusters: u64,
}

/// One part of what a dimension splits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// Its name; empty where the log does not say.
    pub name: String,
    /// Unique calls.
    pub calls: u64,
    /// Those of them whose tool was not there.
    pub absent: u64,
    /// Their share.
    pub rate: MinedRate,
}
