//! Answers find their calls.

use crate::absence::{Clause, Report, State, read_clause};
use crate::dedup::act::{Absence, Mark, NO_ACT, Waiting};
use crate::dedup::{Acts, FileState, Here, Written, over};
use crate::fact::{AnswerFact, Key};
use crate::format::LOG_FORMATS;
use crate::hash;
use crate::lineage::Session;
use crate::options::Options;

/// How much of a reason is kept.
const LONGEST_CLAUSE: usize = 4_096;

impl Acts {
    pub(super) fn answer(&mut self, answer: AnswerFact, here: &mut Here<'_>, file: &FileState) {
        let context = over(here.context(self, answer.from.context), file.context);
        let session = self.session(context, file);
        let wanted = here.options.wants(answer.from.time, self.labels.text(context.project));
        if wanted {
            self.answer_occurrences += 1;
        }
        let found = match answer.key {
            Key::Place { at, .. } => {
                let key = hash::within(file.conversation.unwrap_or_default(), u64::from(at));
                self.by_call.get(&key).copied()
            }
            Key::Id { call: Some(id), .. } => self.answered_act(id, session, &answer, Some(file.file)),
            Key::Id { call: None, .. } => None,
        };
        match (found, answer.key) {
            (Some(act), _) => self.attach(act, &answer, file.file, file.lines + answer.from.line),
            (None, Key::Id { call: Some(call), .. }) if wanted => {
                let line = file.lines + answer.from.line;
                self.waiting.push(Waiting { call, session, file: file.file, line, answer: Box::new(answer) });
            }
            // An answer that names no call, or whose call is outside what is asked for.
            _ => {}
        }
    }

    /// Gives answers that waited to their calls; what is left has none.
    pub(crate) fn settle(&mut self, options: &Options) {
        self.merge_lineages();
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.sort_by_key(|waiting| waiting.answer.from.time);
        for waiting in waiting {
            let found = self.answered_act(waiting.call, waiting.session, &waiting.answer, None);
            let is_later = |at: &u32| {
                let time = self.acts.get(*at as usize).map(|act| act.time);
                waiting.answer.from.time.is_some_and(|answer| time > Some(answer))
            };
            let of_piece =
                if found.as_ref().is_none_or(is_later) { self.act_of_piece(&waiting) } else { None };
            match of_piece.or(found) {
                Some(act) => self.attach(act, &waiting.answer, waiting.file, waiting.line),
                None => self.orphan(waiting),
            }
        }
        self.settle_required(options);
    }

    /// The call of an answer that stands in another piece of its log, where only a log's first lines name its session:
    /// the newest unanswered one of that id before it, of which either piece names no session.
    fn act_of_piece(&self, waiting: &Waiting) -> Option<u32> {
        let mut best = None;
        let mut at = self.by_call.get(&waiting.call).copied().unwrap_or(NO_ACT);
        while let Some(act) = self.acts.get(at as usize) {
            let is_piece = self.unnamed.contains(&waiting.session) || self.unnamed.contains(&act.session);
            let is_before = waiting.answer.from.time.is_none_or(|time| act.time <= time);
            let is_open = !act.marks.has(Mark::Answered) && !act.marks.has(Mark::Echo);
            let format = LOG_FORMATS.get(usize::from(act.format));
            let stands_first = format.is_some_and(|format| format.session_stands_first);
            if is_piece && is_before && is_open && stands_first {
                let rank = (self.agrees(at, &waiting.answer), act.time);
                if best.is_none_or(|(before, _)| rank > before) {
                    best = Some((rank, at));
                }
            }
            at = act.next;
        }
        best.map(|(_, at)| at)
    }

    /// Whether an answer can be that of an act by the name that it says: one that says none can.
    fn agrees(&self, at: u32, answer: &AnswerFact) -> bool {
        let (Some(report), Some(act)) = (&answer.report, self.acts.get(at as usize)) else { return true };
        let routed = self.inner.get(&at).into_iter().flatten().copied();
        let mut names = std::iter::once(act.name).chain(routed);
        names.any(|name| report.is_about(self.labels.text(name).unwrap_or_default()))
    }

    /// An answer without a call, once: by call id and time.
    fn orphan(&mut self, waiting: Waiting) {
        let time = waiting.answer.from.time.unwrap_or_default().cast_unsigned();
        if waiting.answer.report.is_some() {
            self.raw.without_call += waiting.answer.raw;
        }
        self.orphans.insert(hash::within(waiting.call, time), waiting.answer.report.is_some());
    }

    /// The act that an answer is of: the one that has it already, else the latest call before it, an unanswered one
    /// first. While logs are read only a call of the same `file` will do: the answer to a call that stands elsewhere may
    /// be that of a namesake which is still to come, so it waits until all is known.
    fn answered_act(
        &mut self,
        id: u128,
        session: Session,
        answer: &AnswerFact,
        file: Option<u32>,
    ) -> Option<u32> {
        let witness = witness(answer);
        let mut best = None;
        let mut at = self.by_call.get(&id).copied().unwrap_or(NO_ACT);
        while let Some(act) = self.acts.get(at as usize) {
            let (next, of, marks) = (act.next, act.session, act.marks);
            if !marks.has(Mark::Echo) {
                let agrees = self.agrees(at, answer);
                if witness != 0 && act.answer == witness && agrees {
                    return Some(at);
                }
                let is_before = answer.from.time.is_none_or(|time| act.time <= time);
                let is_sure = file.is_none_or(|file| file == act.file && is_before);
                let rank = (is_before, !marks.has(Mark::Answered), agrees, act.time);
                // The newest stands first, and stays where another is as good.
                let is_better = best.is_none_or(|(before, _)| rank > before);
                if is_sure && is_better && self.lineages.is_one(of, session) {
                    best = Some((rank, at));
                }
            }
            at = next;
        }
        best.map(|(_, at)| at)
    }

    fn attach(&mut self, at: u32, answer: &AnswerFact, file: u32, line: u64) {
        let Some(act) = self.acts.get_mut(at as usize) else { return };
        act.marks.set(Mark::Answered);
        if act.answer == 0 {
            act.answer = witness(answer);
        }
        if answer.is_error {
            act.marks.set(Mark::Error);
        }
        if answer.is_inner_error {
            act.marks.set(Mark::InnerError);
        }
        for fault in &answer.argument_faults {
            act.marks.set_fault(*fault as usize);
        }
        if let Some(report) = &answer.report {
            self.report(at, report, answer.raw, (file, line));
        }
    }

    fn report(&mut self, at: u32, report: &Report, raw: u64, (file, line): (u32, u64)) {
        let Some(act) = self.acts.get(at as usize) else { return };
        let name = self.labels.text(act.name).unwrap_or_default();
        let routed = self.inner.get(&at).into_iter().flatten().copied();
        let mut routed =
            routed.filter(|inner| self.labels.text(*inner).is_some_and(|inner| report.is_about(inner)));
        let (mark, inner) = match routed.next() {
            Some(inner) => (Mark::InnerUnknown, Some(inner)),
            None if report.is_about(name) => (Mark::Absent, None),
            None => {
                self.raw.other.quoted += raw;
                return;
            }
        };
        if act.marks.has(mark) {
            self.raw.replay += raw;
            return;
        }
        self.raw.event += raw;
        let clause = clause(report, name);
        let (state, class, text) = (clause.state, clause.class, clause.text);
        let framework = report.framework();
        self.absences.push(Absence { act: at, file, line, state, class, clause: text, framework, inner });
        if let Some(act) = self.acts.get_mut(at as usize) {
            act.marks.set(mark);
        }
    }

    /// Acts that turned out to be one, since their sessions turned out to be one lineage.
    fn merge_lineages(&mut self) {
        let heads: Vec<u32> = self.by_call.values().copied().collect();
        for head in heads {
            let mut chain = Vec::new();
            let mut at = head;
            while let Some(act) = self.acts.get(at as usize) {
                chain.push((at, act.message, act.session));
                at = act.next;
            }
            if chain.len() < 2 {
                continue;
            }
            // The oldest stays.
            chain.reverse();
            for later in 1..chain.len() {
                let (echo, message, session) = chain[later];
                let earlier = chain[..later].iter().find(|(at, other, of)| {
                    *other == message && self.lineages.is_one(*of, session) && !self.is_another(*at, echo)
                });
                let Some(&(kept, ..)) = earlier else { continue };
                self.merge(kept, echo);
            }
        }
    }

    /// Whether a later act cannot be an earlier one's echo.
    fn is_another(&self, earlier: u32, later: u32) -> bool {
        let Some(act) = self.acts.get(later as usize) else { return true };
        let is_echo = self.acts.get(earlier as usize).is_none_or(|earlier| earlier.marks.has(Mark::Echo));
        let written: Vec<Written> = self.written(later).collect();
        is_echo || self.is_namesake(earlier, act.name, &written, act.format)
    }

    fn merge(&mut self, kept: u32, echo: u32) {
        if let Some(format) = self.acts.get(echo as usize).map(|act| act.format) {
            for written in self.written(echo).collect::<Vec<_>>() {
                self.also_written(kept, written, format);
            }
        }
        let Some(other) = self.acts.get_mut(echo as usize) else { return };
        let marks = other.marks;
        other.marks.set(Mark::Echo);
        let had_report = self.acts.get(kept as usize).is_some_and(|act| act.marks.has(Mark::Absent));
        if had_report && marks.has(Mark::Absent) {
            let before = self.absences.len();
            self.absences.retain(|absence| absence.act != echo);
            let gone = (before - self.absences.len()) as u64;
            self.raw.event = self.raw.event.saturating_sub(gone);
            self.raw.replay += gone;
        }
        for absence in self.absences.iter_mut().filter(|absence| absence.act == echo) {
            absence.act = kept;
        }
        if let Some(act) = self.acts.get_mut(kept as usize) {
            act.marks.add(marks);
        }
    }
}

/// By what an answer is known that is written again.
fn witness(answer: &AnswerFact) -> u64 {
    answer.from.time.map_or(answer.from.uuid, |time| hash::short(&time.to_le_bytes()))
}

fn clause(report: &Report, name: &str) -> Clause {
    let (state, told) = report.told();
    if let Some(tail) = &report.tail {
        // A page that starts with a report is no reason as a whole.
        let rest = tail.strip_prefix(name).unwrap_or(tail);
        return read_clause(rest.get(..rest.floor_char_boundary(LONGEST_CLAUSE)).unwrap_or(rest), name);
    }
    let state = state.unwrap_or(State::Unavailable);
    let class = if state == State::Withheld { "framework" } else { "unavailable" };
    Clause { class, state, text: told.unwrap_or_default().to_owned() }
}
