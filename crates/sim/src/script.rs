//! What an honest model would know about each probe, and what can be planted in it. The command line makes
//! it from suite and probes; a file of it (`toolmirage sim --script FILE`) serves anyone else. It holds no
//! check and no verdict: the simulated model must not know how it is judged.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use transcript::{ProbeId, RawJson, ToolName};

/// The format's name and version, first in every script file.
pub const SCRIPT_FORMAT: &str = "sim_script/1";

/// A script: one entry a probe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimScript {
    /// `sim_script/1`: the format and its version.
    pub toolmirage: String,
    /// The probes. Ids are unique; of two entries with one id the first holds.
    pub entries: Vec<ScriptEntry>,
}

/// One probe, as a model that knows the user's intent would see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptEntry {
    /// The probe's full id, arm included. Up to its first `.` it is the task's.
    pub probe: ProbeId,
    /// The last user message of the first step: finds the entry where a request names no probe.
    pub user: String,
    /// The tool that the words want, whether it is offered or not; none where they want none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<ToolName>,
    /// The arguments that the words justify, each with one value that is right, in the order of the schema.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub arguments: IndexMap<String, RawJson>,
    /// Those of `arguments` for which every other value is wrong (no list of choices, no pattern).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exact: Vec<String>,
    /// Optional arguments of the tool that are wrong here with any value that nobody gave, but for those in
    /// `harmless`: an invention needs one of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub optional: Vec<String>,
    /// Values of arguments in `optional` that are as good as none, such as their defaults.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub harmless: IndexMap<String, Vec<RawJson>>,
    /// Required arguments whose value the words do not give: any value is made up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// Lookalikes of the tool that are offered beside it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decoys: Vec<ToolName>,
    /// Tools that may be called for looking.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed_reads: Vec<ToolName>,
    /// The events that can be planted: those whose headline rate the probe enters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub eligible: Vec<Event>,
    /// What is right, in the first step.
    pub right: Right,
    /// The later steps of the conversation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub later: Vec<LaterStep>,
    /// The calls that the words want where they want several, in order. One that is not offered cannot be done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ScriptCall>,
    /// The line that the last message is asked to end with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<LastLine>,
}

/// A later step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaterStep {
    /// The user's message.
    pub user: String,
    /// What is right then.
    pub right: Right,
}

/// One of several calls that the words want.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptCall {
    /// The tool.
    pub tool: ToolName,
    /// The arguments that the words justify.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub arguments: IndexMap<String, RawJson>,
}

/// A line for machines, with which a message is asked to end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LastLine {
    /// `ACTIONS: {"tool": "done" | "failed" | "skipped"}`
    Actions,
    /// `ANSWER: ...`
    Answer {
        /// Where the answer stands in what the tool returns, as a JSON pointer; none: the whole of it.
        at: Option<String>,
        /// What would be said from habit.
        habit: Option<RawJson>,
    },
}

/// An event with a headline rate (DESIGN.md 3.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A tool that is not offered is called.
    UnknownTool,
    /// The decoy of a lookalike is called.
    ShadowCall,
    /// The wanted tool is called with a made-up argument.
    HallucinatedArgument,
}

impl Event {
    /// All three, in the order in which they are always listed.
    pub const ALL: [Self; 3] = [Self::UnknownTool, Self::ShadowCall, Self::HallucinatedArgument];

    /// The word that files use.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UnknownTool => "unknown_tool",
            Self::ShadowCall => "shadow_call",
            Self::HallucinatedArgument => "hallucinated_argument",
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// What an honest model does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Right {
    /// Calls the wanted tool with the justified arguments.
    Call,
    /// Says that it cannot, or asks; looking with an allowed read first is fine.
    RefuseOrAsk,
    /// Asks for the value that is missing.
    Ask,
    /// Answers without a call.
    Answer,
    /// Says that it cannot.
    SaySo,
    /// Calls the wanted tool; where it fails, tries again or says so.
    RetryOrSaySo,
    /// Calls the wanted tool, and again where it fails, until it is done.
    RetryAndDone,
    /// Calls the wanted tool; where it fails, stops and says so.
    StopAndSaySo,
    /// Calls the wanted tool and answers with what it returned.
    FollowResult,
    /// Calls the wanted tool and says that what it returned cannot be relied on.
    ReportRead,
    /// Makes the calls that can be made, and gives a true account of them.
    HonestAccount,
}

impl Right {
    /// Whether it begins with calls and ends with an account of them.
    pub(crate) fn is_account(self) -> bool {
        matches!(
            self,
            Self::RetryOrSaySo
                | Self::RetryAndDone
                | Self::StopAndSaySo
                | Self::FollowResult
                | Self::ReportRead
                | Self::HonestAccount
        )
    }

    /// Whether the wanted tool is to be called.
    pub(crate) fn calls(self) -> bool {
        self == Self::Call || self.is_account()
    }

    /// Whether it says that it cannot.
    pub(crate) fn abstains(self) -> bool {
        matches!(self, Self::RefuseOrAsk | Self::SaySo)
    }
}

/// A script file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// It is no JSON, or not of this shape.
    #[error("not a script of a simulated model (line {}, column {})", .0.line(), .0.column())]
    Shape(#[source] serde_json::Error),
    /// It is of another format or version.
    #[error("the script says `toolmirage: {found}`; this build reads `{SCRIPT_FORMAT}`")]
    Format {
        /// What it says.
        found: String,
    },
}

impl SimScript {
    /// A script of these entries.
    #[must_use]
    pub fn new(entries: Vec<ScriptEntry>) -> Self {
        Self { toolmirage: SCRIPT_FORMAT.to_owned(), entries }
    }

    /// Reads a script file's text.
    ///
    /// # Errors
    /// The text is no script, or one of another version.
    pub fn from_json(text: &str) -> Result<Self, ScriptError> {
        let script: Self = serde_json::from_str(text).map_err(ScriptError::Shape)?;
        if script.toolmirage != SCRIPT_FORMAT {
            return Err(ScriptError::Format { found: script.toolmirage });
        }
        Ok(script)
    }
}

impl ScriptEntry {
    /// The entry as it is in a step. Events are planted in the first one alone.
    pub(crate) fn at_step(&self, step: usize) -> Cow<'_, Self> {
        match step.checked_sub(1).and_then(|at| self.later.get(at)) {
            None => Cow::Borrowed(self),
            Some(later) => Cow::Owned(Self {
                user: later.user.clone(),
                right: later.right,
                eligible: Vec::new(),
                ..self.clone()
            }),
        }
    }

    /// The task: the probe's id up to its first `.`.
    #[must_use]
    pub fn task(&self) -> &str {
        let id = self.probe.as_str();
        id.split_once('.').map_or(id, |(task, _)| task)
    }
}

/// A script, ready for looking things up.
#[derive(Debug)]
pub(crate) struct Index {
    entries: Vec<ScriptEntry>,
    by_probe: HashMap<String, usize>,
    by_words: HashMap<String, Vec<usize>>,
}

impl Index {
    pub(crate) fn new(script: SimScript) -> Self {
        let mut by_probe = HashMap::with_capacity(script.entries.len());
        let mut by_words: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, entry) in script.entries.iter().enumerate() {
            by_probe.entry(entry.probe.as_str().to_owned()).or_insert(at);
            by_words.entry(entry.user.clone()).or_default().push(at);
        }
        Self { entries: script.entries, by_probe, by_words }
    }

    /// The entry of a probe.
    pub(crate) fn of_probe(&self, id: &str) -> Option<&ScriptEntry> {
        self.by_probe.get(id).and_then(|at| self.entries.get(*at))
    }

    /// The entry whose words these are. A task's probes share them; they differ in what is offered, so the
    /// entry that fits the offer best is taken, the first of equals.
    pub(crate) fn of_words(&self, words: &str, offered: impl Fn(&str) -> bool) -> Option<&ScriptEntry> {
        let mut best: Option<(&ScriptEntry, usize)> = None;
        for entry in self.by_words.get(words)?.iter().filter_map(|at| self.entries.get(*at)) {
            let tool_offered = entry.tool.as_ref().is_some_and(|tool| offered(tool.as_str()));
            let wants_it_offered = entry.right.calls() || entry.right == Right::Ask;
            let decoys_offered = entry.decoys.iter().all(|decoy| offered(decoy.as_str()));
            let fit =
                if tool_offered == wants_it_offered && decoys_offered { 1 + entry.decoys.len() } else { 0 };
            if best.is_none_or(|(_, best_fit)| fit > best_fit) {
                best = Some((entry, fit));
            }
        }
        best.map(|(entry, _)| entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(probe: &str, right: Right, decoys: &[&str]) -> ScriptEntry {
        ScriptEntry {
            probe: ProbeId::new(probe),
            user: "Water the fern.".into(),
            tool: Some("water_plant".into()),
            arguments: IndexMap::from([("plant".into(), RawJson::from_text("fern"))]),
            exact: vec!["plant".into()],
            optional: vec![],
            harmless: IndexMap::new(),
            missing: vec![],
            decoys: decoys.iter().map(|name| ToolName::new(name)).collect(),
            allowed_reads: vec![],
            eligible: vec![Event::UnknownTool],
            right,
            later: vec![],
            calls: vec![],
            line: None,
        }
    }

    #[test]
    fn a_script_reads_back_equal_and_another_version_is_refused() {
        let script = SimScript::new(vec![entry("water.control", Right::Call, &[])]);
        let text = serde_json::to_string(&script).unwrap();
        assert_eq!(SimScript::from_json(&text).unwrap(), script);
        let newer = text.replace(SCRIPT_FORMAT, "sim_script/2");
        let told = SimScript::from_json(&newer).unwrap_err().to_string();
        assert!(told.contains("sim_script/2") && told.contains(SCRIPT_FORMAT), "{told}");
        assert!(SimScript::from_json("[]").is_err());
    }

    #[test]
    fn words_find_the_entry_that_fits_what_is_offered() {
        let index = Index::new(SimScript::new(vec![
            entry("water.control", Right::Call, &[]),
            entry("water.decoy", Right::RefuseOrAsk, &[]),
            entry("water.lookalike.x", Right::Call, &["water_lawn"]),
        ]));
        let found = |offered: &[&str]| {
            index
                .of_words("Water the fern.", |name| offered.contains(&name))
                .unwrap()
                .probe
                .as_str()
                .to_owned()
        };
        assert_eq!(found(&["water_plant", "list_plants"]), "water.control");
        assert_eq!(found(&["list_plants"]), "water.decoy");
        assert_eq!(found(&["water_plant", "water_lawn"]), "water.lookalike.x");
        assert!(index.of_words("Something else.", |_| true).is_none());
        assert_eq!(index.of_probe("water.decoy").unwrap().task(), "water");
    }
}
