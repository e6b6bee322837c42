//! Turns that owe a call by a rule: each turn once, and whether the call came.

use std::collections::HashMap;

use crate::dedup::{Acts, FileState, Here, over};
use crate::fact::{SaidFact, SpokeFact};
use crate::hash;
use crate::lineage::Session;
use crate::options::Options;

/// How a turn that owes a call went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// The log ends within it.
    Open,
    /// It ended without the call.
    Unmet,
    /// The call came.
    Met,
}

/// A turn that owes a call.
#[derive(Debug)]
pub(crate) struct RequiredAct {
    /// The rule, by its place in the options.
    pub(crate) rule: usize,
    /// The file in which the user's words stand.
    pub(crate) file: u32,
    /// Their line.
    pub(crate) line: u64,
    /// The words around what is mentioned.
    pub(crate) span: Box<str>,
    pub(crate) outcome: Outcome,
    session: Session,
    time: Option<i64>,
    /// When the user spoke next.
    until: Option<i64>,
}

/// The turns so far.
#[derive(Debug, Default)]
pub(crate) struct Required {
    pub(crate) acts: Vec<RequiredAct>,
    by_key: HashMap<u128, usize>,
    /// The turn that is going on, by file and session.
    open: HashMap<(u32, Session), Turn>,
}

/// A turn that is going on.
#[derive(Debug, Default)]
struct Turn {
    /// What it owes.
    owes: Vec<usize>,
    /// How many turns came before it.
    number: u64,
    /// Whether the last thing in it is words that may end it.
    may_be_over: bool,
}

impl Required {
    fn ended(&mut self, owes: &[usize], until: Option<i64>) {
        for at in owes {
            let Some(act) = self.acts.get_mut(*at) else { continue };
            act.outcome = act.outcome.max(Outcome::Unmet);
            act.until = act.until.max(until);
        }
    }

    /// A call within a turn. `is_owed` says whether a rule asks for it.
    pub(super) fn called(&mut self, file: u32, session: Session, is_owed: impl Fn(usize) -> bool) {
        let Some(turn) = self.open.get_mut(&(file, session)) else { return };
        turn.may_be_over = false;
        for at in &turn.owes {
            if let Some(act) = self.acts.get_mut(*at).filter(|act| is_owed(act.rule)) {
                act.outcome = Outcome::Met;
            }
        }
    }
}

impl Acts {
    /// A user's words: they end one turn and begin another.
    pub(super) fn said(&mut self, said: SaidFact, here: &mut Here<'_>, file: &FileState) {
        let context = over(here.context(self, said.from.context), file.context);
        let session = self.session(context, file);
        let before = self.required.open.remove(&(file.file, session)).unwrap_or_default();
        self.required.ended(&before.owes, said.from.time);
        let mut turn = Turn { number: before.number + 1, ..Turn::default() };
        if here.options.wants(said.from.time, self.labels.text(context.project)) {
            // A user's words are one act by their message, line or time; without any, by their place.
            let stamp = (said.from.uuid, said.from.time.unwrap_or_default());
            let by = match stamp {
                _ if said.message != 0 => said.message,
                (0, 0) => {
                    hash::short(&[u64::from(session).to_le_bytes(), turn.number.to_le_bytes()].concat())
                }
                (0, time) => time.cast_unsigned(),
                (uuid, _) => uuid,
            };
            let key = hash::within(u128::from(by), said.words);
            for (rule, span) in said.mentions {
                let key = hash::within(key, rule as u64);
                let next = self.required.acts.len();
                let at = *self.required.by_key.entry(key).or_insert(next);
                if at == next {
                    self.required.acts.push(RequiredAct {
                        rule,
                        file: file.file,
                        line: file.lines + said.from.line,
                        span,
                        outcome: Outcome::Open,
                        session,
                        time: said.from.time,
                        until: None,
                    });
                }
                turn.owes.push(at);
            }
        }
        self.required.open.insert((file.file, session), turn);
    }

    /// Words of the agent, which may be the last of a turn.
    pub(super) fn spoke(&mut self, spoke: SpokeFact, here: &mut Here<'_>, file: &FileState) {
        let context = over(here.context(self, spoke.from.context), file.context);
        let session = self.session(context, file);
        if let Some(turn) = self.required.open.get_mut(&(file.file, session)) {
            turn.may_be_over = spoke.may_end_turn;
        }
    }

    /// Decides the turns, when all is known: what the agent's words end is over, and a call that stands in another log
    /// of the same lineage (a sub-agent's) counts by its time.
    pub(super) fn settle_required(&mut self, options: &Options) {
        let open = std::mem::take(&mut self.required.open);
        for turn in open.values().filter(|turn| turn.may_be_over) {
            self.required.ended(&turn.owes, None);
        }
        let mut missing: HashMap<Session, Vec<usize>> = HashMap::new();
        for (at, act) in self.required.acts.iter().enumerate() {
            if act.outcome != Outcome::Met && act.time.is_some() {
                missing.entry(self.lineages.root(act.session)).or_default().push(at);
            }
        }
        if missing.is_empty() {
            return;
        }
        for act in self.acts.iter().filter(|act| act.time != i64::MIN) {
            let Some(turns) = missing.get(&self.lineages.root(act.session)) else { continue };
            let name = self.labels.text(act.name).unwrap_or_default();
            for at in turns {
                let Some(turn) = self.required.acts.get_mut(*at) else { continue };
                let after = turn.time.is_some_and(|time| act.time >= time);
                let before = turn.until.is_none_or(|until| act.time < until);
                if after && before && options.owes(turn.rule, name) {
                    turn.outcome = Outcome::Met;
                }
            }
        }
    }
}
