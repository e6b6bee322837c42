//! What is known of one run, gathered from fragments.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use transcript::{CallId, ExecutedCall, Outcome, OutcomeReason, RawJson, ToolName};

use super::Place;
use super::grounded::Grounded;

/// What one line says of one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fragment(pub(super) Piece);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Piece {
    /// A row of an executor log.
    Row(Row),
    /// A final message.
    Account(Account),
    /// A whole transcript, its final message among it.
    Transcript { told: Told, account: Option<Account>, task: Option<Arc<str>> },
    /// A task's name alone, beside a final message.
    Task(Arc<str>),
    /// Final messages that were replaced already.
    Replaced(u64),
    /// A row of it in an executor log cannot be read: what it would say is not known.
    Gap,
    /// Calls that a trace says were asked for, and the names that were offered.
    Asked { calls: Vec<(Option<u64>, Arc<str>)>, offered: Option<Arc<[Arc<str>]>> },
}

/// A row of an executor log, or a span of a trace, which is both rows in one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Row {
    /// What ties an end to its start: the call's number, or a hash of its id.
    pub(super) call: u64,
    /// Hash of what tells one writing of the row from another: its time, or the span's id.
    pub(super) stamp: Option<u64>,
    pub(super) tool: Option<Arc<str>>,
    pub(super) executed_as: Option<Arc<str>>,
    pub(super) half: Half,
    pub(super) place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Half {
    Start,
    /// None where the row does not say how the call ended.
    End(Option<Outcome>, Option<OutcomeReason>),
    Whole(Outcome),
}

/// What a final message claims: its claim line alone is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Account {
    /// The `ACTIONS:` line; none where there is no readable one.
    pub(super) line: Option<Box<str>>,
    /// When it was said, where the file has an order of its own; later ones stand.
    pub(super) at: u64,
    pub(super) place: Place,
}

/// What a transcript says was called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Told {
    pub(super) calls: Vec<ToldCall>,
    pub(super) results: ResultsBy,
    pub(super) grounded: Option<Grounded>,
    pub(super) place: Place,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct ToldCall {
    pub(super) tool: Arc<str>,
    pub(super) ending: Ending,
}

/// What a transcript says of how a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Ending {
    /// It was never answered.
    Unanswered,
    /// It was answered, and the answer does not tell.
    Untold,
    /// It was answered, and the answer tells.
    Told(Outcome),
}

/// Calls in the form of an executor log.
#[derive(Debug, Default)]
pub(super) struct Executed {
    pub(super) calls: Vec<ExecutedCall>,
    /// Calls, by their places, of which it is not known how they ended.
    pub(super) untold: HashSet<usize>,
    /// Where the rows of the calls stand; none for a transcript's.
    pub(super) places: Vec<Place>,
    /// Ends without a start and without a name.
    pub(super) orphans: u64,
}

/// Who wrote the results of a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ResultsBy {
    /// Whatever ran the tools, or there was nothing to answer.
    Harness,
    /// The agent.
    Agent,
    /// Nobody: there are calls, and not one result.
    Nobody,
}

impl Fragment {
    /// Whether it is a row of an executor log.
    #[must_use]
    pub fn is_row(&self) -> bool {
        matches!(self.0, Piece::Row(_))
    }

    /// Whether it brings a final message.
    #[must_use]
    pub fn is_account(&self) -> bool {
        matches!(self.0, Piece::Account(_) | Piece::Transcript { account: Some(_), .. })
    }
}

/// One run, as far as it is known.
#[derive(Debug, Clone, Default)]
pub struct AuditRun {
    pub(super) first: Option<Place>,
    pub(super) task: Option<Arc<str>>,
    pub(super) rows: Vec<Row>,
    pub(super) account: Option<Account>,
    /// Final messages beyond the one that stands.
    pub(super) replaced: u64,
    pub(super) told: Option<Told>,
    pub(super) asked: Vec<(Option<u64>, Arc<str>)>,
    pub(super) offered: Option<Arc<[Arc<str>]>>,
    /// Whether a row of it could not be read.
    pub(super) has_gap: bool,
}

impl AuditRun {
    /// The first line that it showed on.
    #[must_use]
    pub fn first(&self) -> Option<Place> {
        self.first
    }

    /// Whether an executor log has a row of it.
    #[must_use]
    pub fn has_rows(&self) -> bool {
        !self.rows.is_empty()
    }

    /// Whether it has a final message.
    #[must_use]
    pub fn has_account(&self) -> bool {
        self.account.is_some()
    }

    /// Adds what a line says.
    pub fn add(&mut self, place: Place, fragment: Fragment) {
        self.first = Some(self.first.map_or(place, |first| first.min(place)));
        match fragment.0 {
            Piece::Row(row) => self.rows.push(row),
            Piece::Account(account) => self.account(account),
            Piece::Transcript { told, account, task } => {
                // Of several transcripts the longest has what the others have: they are written again as they grow.
                if self.told.as_ref().is_none_or(|known| known.calls.len() <= told.calls.len()) {
                    self.told = Some(told);
                }
                if let Some(account) = account {
                    self.account(account);
                }
                self.task = task.or(self.task.take());
            }
            Piece::Task(task) => self.task = Some(task),
            Piece::Gap => self.has_gap = true,
            Piece::Replaced(times) => self.replaced += times,
            Piece::Asked { calls, offered } => {
                self.asked.extend(calls);
                self.offered = offered.or(self.offered.take());
            }
        }
    }

    /// What it is made of: added to an empty run again, it makes the same.
    #[must_use]
    pub fn into_fragments(self) -> Vec<(Place, Fragment)> {
        let Some(first) = self.first else { return Vec::new() };
        let mut pieces: Vec<Piece> = self.rows.into_iter().map(Piece::Row).collect();
        pieces.extend(self.account.map(Piece::Account));
        pieces.extend(self.told.map(|told| Piece::Transcript { told, account: None, task: None }));
        pieces.extend(self.task.map(Piece::Task));
        if self.has_gap {
            pieces.push(Piece::Gap);
        }
        if self.replaced > 0 {
            pieces.push(Piece::Replaced(self.replaced));
        }
        if !self.asked.is_empty() || self.offered.is_some() {
            pieces.push(Piece::Asked { calls: self.asked, offered: self.offered });
        }
        pieces.into_iter().map(|piece| (first, Fragment(piece))).collect()
    }

    fn account(&mut self, account: Account) {
        let Some(known) = &self.account else {
            self.account = Some(account);
            return;
        };
        if account.line != known.line {
            self.replaced += 1;
        }
        if (account.at, account.place) >= (known.at, known.place) {
            self.account = Some(account);
        }
    }

    /// About how many bytes of memory a fragment takes.
    #[must_use]
    pub fn weight(fragment: &Fragment) -> usize {
        let fixed = size_of::<Row>() + 16;
        match &fragment.0 {
            Piece::Row(_) | Piece::Gap | Piece::Task(_) | Piece::Replaced(_) => fixed,
            Piece::Account(account) => fixed + account.line.as_ref().map_or(0, |line| line.len()),
            Piece::Transcript { told, account, .. } => {
                let line = account.as_ref().and_then(|account| account.line.as_ref());
                let findings = told.grounded.as_ref().map_or(0, Grounded::weight);
                3 * fixed + told.calls.len() * 32 + findings + line.map_or(0, |line| line.len())
            }
            Piece::Asked { calls, .. } => fixed + calls.len() * 32,
        }
    }

    /// The calls of the executor log with the places of their rows, in the order of their starts. A row that was
    /// written twice is one row; an end that names its tool is a call.
    pub(super) fn executed(&self) -> Executed {
        let mut seen: HashSet<(u64, u64, bool, Option<&str>)> = HashSet::new();
        let mut all = Executed::default();
        let mut open: HashMap<u64, Vec<usize>> = HashMap::new();
        let mut ends: Vec<&Row> = Vec::new();
        for row in &self.rows {
            let is_end = matches!(row.half, Half::End(..));
            let tool = row.tool.as_deref();
            if row.stamp.is_some_and(|stamp| !seen.insert((row.call, stamp, is_end, tool))) {
                continue;
            }
            match row.half {
                Half::End(outcome, reason) => match open.get_mut(&row.call).and_then(Vec::pop) {
                    Some(at) => all.end(at, outcome, reason),
                    None => ends.push(row),
                },
                Half::Start | Half::Whole(_) => {
                    if row.half == Half::Start {
                        open.entry(row.call).or_default().push(all.calls.len());
                    }
                    let outcome =
                        if let Half::Whole(outcome) = row.half { outcome } else { Outcome::Crashed };
                    all.push(row, Some(outcome), None);
                }
            }
        }
        for row in ends {
            let Half::End(outcome, reason) = row.half else { continue };
            // Its start may stand later, in another file.
            match (open.get_mut(&row.call).and_then(Vec::pop), &row.tool) {
                (Some(at), _) => all.end(at, outcome, reason),
                (None, Some(_)) => all.push(row, outcome, reason),
                (None, None) => all.orphans += 1,
            }
        }
        all
    }

    /// The calls that traces say were asked for, each once.
    pub(super) fn asked(&self) -> Vec<&Arc<str>> {
        let mut seen = HashSet::new();
        let is_new = |id: &Option<u64>| id.is_none_or(|id| seen.insert(id));
        let mut is_new = is_new;
        self.asked.iter().filter(|(id, _)| is_new(id)).map(|(_, name)| name).collect()
    }
}

impl Executed {
    fn push(&mut self, row: &Row, outcome: Option<Outcome>, reason: Option<OutcomeReason>) {
        let at = self.calls.len();
        let tool = row.tool.as_deref().unwrap_or_default();
        self.calls.push(call(at, tool, row.executed_as.as_deref(), Outcome::Crashed, None));
        self.places.push(row.place);
        self.end(at, outcome, reason);
    }

    fn end(&mut self, at: usize, outcome: Option<Outcome>, reason: Option<OutcomeReason>) {
        let Some(call) = self.calls.get_mut(at) else { return };
        match outcome {
            Some(outcome) => call.outcome = outcome,
            None => {
                self.untold.insert(at);
            }
        }
        call.reason = reason;
    }
}

impl Told {
    /// Its calls in the form of an executor log. One that was never answered did not succeed.
    pub(super) fn executed(&self) -> Executed {
        let mut all = Executed::default();
        for (seq, told) in self.calls.iter().enumerate() {
            let outcome = match told.ending {
                Ending::Told(outcome) => outcome,
                Ending::Unanswered => Outcome::Crashed,
                Ending::Untold => {
                    all.untold.insert(seq);
                    Outcome::Crashed
                }
            };
            all.calls.push(call(seq, &told.tool, None, outcome, None));
        }
        all
    }
}

fn call(
    seq: usize,
    tool: &str,
    executed_as: Option<&str>,
    outcome: Outcome,
    reason: Option<OutcomeReason>,
) -> ExecutedCall {
    ExecutedCall {
        seq: u32::try_from(seq).unwrap_or(u32::MAX),
        turn: 0,
        call_id: None::<CallId>,
        tool: ToolName::new(tool),
        executed_as: executed_as.map(ToolName::new),
        arguments: RawJson::from_value(&serde_json::Value::Null),
        outcome,
        reason,
        error: None,
        result: None,
    }
}
