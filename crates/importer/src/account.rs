//! What an import read and what became of every case: printed, and kept beside the suite, so that names lead back to
//! the benchmark's.

use std::fmt::Write as _;

use indexmap::IndexMap;
use serde::Serialize;

/// The format's name and version.
const ACCOUNT_FORMAT: &str = "import/1";

/// How many cases a line of people's account names.
const SHOWN: usize = 3;

/// The account of one import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Account {
    /// `import/1`: the format and its version.
    pub toolmirage: &'static str,
    /// The benchmark, by its name in `BENCHMARKS`.
    pub benchmark: String,
    /// What the names of its suites begin with, where there are several.
    #[serde(skip)]
    pub(crate) prefix: String,
    /// Its version: as its files say it, else what they hold.
    pub version: String,
    /// Its licence.
    pub licence: String,
    /// The files that were read, with their hash.
    pub files: Vec<FileLine>,
    /// Cases read: the sum of the three below.
    pub read: usize,
    /// Cases that became tasks.
    pub imported: usize,
    /// Cases left out since their label is wrong.
    pub quarantined: usize,
    /// Cases left out since they cannot be asked.
    pub left_out: usize,
    /// What was written.
    pub suites: Vec<SuiteLine>,
    /// What people should know of it.
    pub notes: Vec<String>,
    /// Places at which nothing could be read.
    pub unreadable: Vec<Unreadable>,
    /// Ids in quarantine that no case has.
    pub unmatched_quarantine: Vec<String>,
    /// Tools of a catalog without cases that cannot stand around the suite that it is for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out_tools: Vec<LeftOutTool>,
    /// Every case, in the order of the files.
    pub cases: Vec<CaseLine>,
    /// Functions that are offered by another name than the benchmark's: names that are not here are the same.
    pub names: Vec<RenamedTool>,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileLine {
    /// Its name.
    pub name: String,
    /// Hash of what it holds.
    pub hash: String,
}

/// A suite and its catalog; a catalog alone where the benchmark's file has no cases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SuiteLine {
    /// The suite's file.
    pub suite: Option<String>,
    /// The catalog's file.
    pub catalog: String,
    /// Tasks of the suite.
    pub tasks: usize,
    /// Tools of the catalog.
    pub tools: usize,
    /// Probes that the suite expands to.
    pub probes: usize,
    /// Kinds that it derives.
    pub kinds: Vec<String>,
}

/// What became of a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CaseLine {
    /// The benchmark's id.
    pub id: String,
    /// `FILE:LINE`.
    pub place: String,
    /// The task that it became.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// What became of it.
    pub outcome: Outcome,
    /// Why it was left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What became of a case, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It is a task.
    Imported,
    /// Its label is wrong.
    Quarantined,
    /// It cannot be asked.
    LeftOut,
}

/// A tool that is left out of a catalog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeftOutTool {
    /// The name that it would have.
    pub name: String,
    /// Why.
    pub reason: String,
}

/// A function with another name than the benchmark's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RenamedTool {
    /// The catalog's file.
    pub catalog: String,
    /// The name that it is offered by.
    pub name: String,
    /// The benchmark's name.
    pub original: String,
}

/// A place at which nothing could be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unreadable {
    /// `FILE:LINE`.
    pub place: String,
    /// Why.
    pub reason: String,
}

impl Account {
    pub(crate) fn new(benchmark: &str, licence: &str) -> Self {
        Self {
            toolmirage: ACCOUNT_FORMAT,
            benchmark: benchmark.to_owned(),
            prefix: benchmark.to_owned(),
            version: String::new(),
            licence: licence.to_owned(),
            files: Vec::new(),
            read: 0,
            imported: 0,
            quarantined: 0,
            left_out: 0,
            suites: Vec::new(),
            notes: Vec::new(),
            unreadable: Vec::new(),
            unmatched_quarantine: Vec::new(),
            left_out_tools: Vec::new(),
            cases: Vec::new(),
            names: Vec::new(),
        }
    }

    pub(crate) fn count(&mut self) {
        let of = |outcome| self.cases.iter().filter(|case| case.outcome == outcome).count();
        (self.read, self.imported) = (self.cases.len(), of(Outcome::Imported));
        (self.quarantined, self.left_out) = (of(Outcome::Quarantined), of(Outcome::LeftOut));
    }

    /// Whether nothing came of the files.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.suites.is_empty()
    }

    /// What its file is called: as the only suite or catalog, else what their names begin with.
    #[must_use]
    pub fn name(&self) -> &str {
        match &self.suites[..] {
            [only] => stem(&only.catalog),
            _ => &self.prefix,
        }
    }

    /// The account for people. Texts of the benchmark stand in it as they are: whoever prints it escapes them.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = format!("{} {}, {}\n\n", self.benchmark, self.version, self.licence);
        let _ = writeln!(
            out,
            "cases      {} read = {} imported + {} quarantined + {} left out",
            self.read, self.imported, self.quarantined, self.left_out
        );
        for (outcome, word) in [(Outcome::Quarantined, "quarantine"), (Outcome::LeftOut, "left out")] {
            self.reasons(outcome, word, &mut out);
        }
        let tools = self.left_out_tools.iter().map(|tool| (tool.reason.as_str(), tool.name.as_str()));
        by_reason(tools, "no tool", &mut out);
        for one in &self.unreadable {
            let _ = writeln!(out, "unread     {}: {}", one.place, one.reason);
        }
        for id in &self.unmatched_quarantine {
            let _ = writeln!(out, "unmatched  no case has the id `{id}`, which is in quarantine");
        }
        for suite in &self.suites {
            match &suite.suite {
                Some(file) => {
                    let (tasks, tools, probes) = (suite.tasks, suite.tools, suite.probes);
                    let kinds = suite.kinds.join(", ");
                    let _ = writeln!(
                        out,
                        "suite      {file}: {tasks} tasks, {probes} probes ({kinds}), {tools} tools"
                    );
                }
                None => _ = writeln!(out, "catalog    {}: {} tools", suite.catalog, suite.tools),
            }
        }
        if !self.names.is_empty() {
            let _ = writeln!(out, "names      {} functions are offered by another name", self.names.len());
        }
        for note in &self.notes {
            let _ = writeln!(out, "note       {note}");
        }
        out
    }

    /// Cases of one outcome by reason.
    fn reasons(&self, outcome: Outcome, word: &str, out: &mut String) {
        let of_outcome = self.cases.iter().filter(|case| case.outcome == outcome);
        let pairs = of_outcome.map(|case| (case.reason.as_deref().unwrap_or_default(), case.id.as_str()));
        by_reason(pairs, word, out);
    }
}

/// A line for each reason and the names that it holds for, the most frequent first.
fn by_reason<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>, word: &str, out: &mut String) {
    let mut all: IndexMap<&str, Vec<&str>> = IndexMap::new();
    for (reason, name) in pairs {
        all.entry(reason).or_default().push(name);
    }
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    for (reason, names) in all {
        let more = names.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let named = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
        let _ = writeln!(out, "{word:<11}{}: {reason} ({named}{more})", names.len());
    }
}

/// A file's name without folder and ending.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_suffix(".json").unwrap_or(name)
}
