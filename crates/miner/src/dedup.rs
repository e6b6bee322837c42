//! Each act once (DESIGN.md 9): calls are told apart by session lineage, message id and call id; what is written
//! again is an echo, and is counted as one.
//!
//! Occurrences of one call id are one act where the message id is the same and the lineage, the line's id or the
//! time is. Otherwise they are acts of their own that share an id. Formats without message ids say by what else their
//! calls are told apart ([`Namesakes`]). What is kept grows with the number of acts and
//! answers that wait for one, never with the size of the logs; the head of `lib.rs` says how much that is.

mod act;
mod attach;
mod required;

use std::collections::{HashMap, HashSet};

use crate::event::Origin;
use crate::fact::{CallFact, ContextFact, Fact, Key, Origins, OwingFact, RawHits};
use crate::format::{LOG_FORMATS, Namesakes};
use crate::hash;
use crate::labels::{Label, Labels};
use crate::lineage::{Lineages, Session};
use crate::options::Options;
use crate::owed::OwedKind;

pub(crate) use act::{Absence, Act, Mark, NO_ACT, OwedAct, Waiting};
pub(crate) use required::Outcome;
use required::Required;

/// Raw occurrences of the error text by cause.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct RawByCause {
    pub(crate) event: u64,
    pub(crate) replay: u64,
    pub(crate) without_call: u64,
    pub(crate) other: RawHits,
}

/// What is known of one file while its stretches come in.
#[derive(Debug, Default)]
pub(crate) struct FileState {
    /// The number of the file.
    pub(crate) file: u32,
    /// The format, as a number in the table.
    pub(crate) format: u8,
    /// Lines of earlier stretches.
    pub(crate) lines: u64,
    /// What the file begins with, and its size: a copy of a log that names no session is the same session.
    pub(crate) content: u128,
    context: ContextFact,
    /// How often each conversation stood in this file so far.
    conversations: HashMap<u128, u32>,
    /// The conversation that is being read.
    conversation: Option<u128>,
}

/// All acts so far.
#[derive(Debug, Default)]
pub(crate) struct Acts {
    pub(crate) labels: Labels,
    pub(crate) lineages: Lineages,
    pub(crate) acts: Vec<Act>,
    /// The newest act of each call id; older ones follow by [`Act::next`].
    by_call: HashMap<u128, u32>,
    /// Ids of calls that are told apart by place.
    placed_ids: HashSet<u128>,
    pub(crate) placed_with_id: u64,
    /// Further occurrences, where their line ids or times differ from the first, or their sessions where that matters.
    further: HashMap<u32, Vec<Written>>,
    pub(crate) waiting: Vec<Waiting>,
    /// Sessions that no log names: files.
    unnamed: HashSet<Session>,
    /// Answers without a call, and whether they report an absent tool.
    pub(crate) orphans: HashMap<u128, bool>,
    pub(crate) absences: Vec<Absence>,
    /// Tools that routers were told to run, by act.
    pub(crate) inner: HashMap<u32, Vec<Label>>,
    pub(crate) owed: HashMap<u128, OwedAct>,
    /// Every tool that a session called, also outside the window that is asked for; 0 for any tool.
    pub(crate) called: HashSet<(Session, Label)>,
    /// Files with a call that ran at the provider.
    at_provider: HashSet<u32>,
    /// Turns that owe a call by a rule.
    pub(crate) required: Required,
    pub(crate) offered: HashSet<Label>,
    pub(crate) provider_calls: HashMap<Label, u64>,
    pub(crate) actions: HashMap<Label, u64>,
    pub(crate) occurrences: u64,
    pub(crate) answer_occurrences: u64,
    pub(crate) mirror_occurrences: u64,
    pub(crate) outside: u64,
    pub(crate) raw: RawByCause,
}

impl Acts {
    /// Takes the facts of one stretch. `labels` are those that its numbers mean.
    pub(crate) fn absorb(
        &mut self,
        facts: Vec<Fact>,
        labels: &Labels,
        file: &mut FileState,
        options: &Options,
    ) {
        let mut here = Here { labels, known: Vec::new(), options };
        for fact in facts {
            match fact {
                Fact::Context(context) => self.context(context, &mut here, file),
                Fact::Conversation(record) => {
                    let count = file.conversations.entry(record).or_default();
                    file.conversation = Some(hash::within(record, u64::from(*count)));
                    *count += 1;
                }
                Fact::Call(call) => self.call(call, &mut here, file),
                Fact::Answer(answer) => self.answer(*answer, &mut here, file),
                Fact::ProviderCall(name) => {
                    self.at_provider.insert(file.file);
                    let name = here.global(self, name);
                    *self.provider_calls.entry(name).or_default() += 1;
                }
                Fact::Action(name) => {
                    let name = here.global(self, name);
                    *self.actions.entry(name).or_default() += 1;
                }
                Fact::Offered(name) => {
                    let name = here.global(self, name);
                    self.offered.insert(name);
                }
                Fact::Owing(owing) => self.owing(*owing, &mut here, file),
                Fact::Said(said) => self.said(*said, &mut here, file),
                Fact::Spoke(spoke) => self.spoke(spoke, &mut here, file),
                Fact::Raw { hits, time, project } => {
                    let project =
                        if project == 0 { file.context.project } else { here.global(self, project) };
                    if options.wants(time, self.labels.text(project)) {
                        self.raw.other.add(hits);
                    }
                }
            }
        }
    }

    fn context(&mut self, context: ContextFact, here: &mut Here<'_>, file: &mut FileState) {
        let told = here.context(self, context);
        if told.session != 0 && told.parent != 0 {
            let (session, parent) = (self.named_session(told.session), self.named_session(told.parent));
            self.lineages.join(session, parent);
        }
        file.context = over(told, file.context);
    }

    fn call(&mut self, call: CallFact, here: &mut Here<'_>, file: &FileState) {
        let context = over(here.context(self, call.from.context), file.context);
        let session = self.session(context, file);
        self.called(&call, session, here, file);
        if !here.options.wants(call.from.time, self.labels.text(context.project)) {
            self.outside += 1;
            return;
        }
        self.occurrences += 1;
        if call.from.origin == Origin::Mirror {
            self.mirror_occurrences += 1;
        }
        let (found, key, message) = match call.key {
            Key::Place { at, id } => {
                let key = hash::within(file.conversation.unwrap_or_default(), u64::from(at));
                let found = self.by_call.get(&key).copied();
                if let (Some(id), None) = (id, found) {
                    self.placed_with_id += 1;
                    self.placed_ids.insert(id);
                }
                (found, key, 0)
            }
            Key::Id { call: Some(id), message } => {
                let name = here.global(self, call.name);
                let one = Written::of(&call.from, session);
                (self.same_act(id, message, name, one, file.format), id, message)
            }
            Key::Id { call: None, message } => {
                let name = here.global(self, call.name);
                let key = self.nameless(message, session, name, &call.from);
                (self.by_call.get(&key).copied(), key, message)
            }
        };
        match found {
            Some(act) => self.echo(act, session, &call.from, file.format),
            None => self.add(&call, key, message, session, context, here, file),
        }
    }

    /// Notes which tools a session called, for the words that claim a call and the rules that owe one.
    fn called(&mut self, call: &CallFact, session: Session, here: &mut Here<'_>, file: &FileState) {
        self.called.insert((session, 0));
        for label in std::iter::once(call.name).chain(call.inner.iter().copied()) {
            let name = here.global(self, label);
            self.called.insert((session, name));
            if !here.options.rules.is_empty() {
                let text = here.labels.text(label).unwrap_or_default();
                self.required.called(file.file, session, |rule| here.options.owes(rule, text));
            }
        }
    }

    /// The key of a call without an id: its message, line and name; and each for itself where there is nothing.
    fn nameless(&self, message: u64, session: Session, name: Label, from: &Origins) -> u128 {
        let Origins { uuid, time, line, .. } = *from;
        let unknown = message == 0 && uuid == 0 && time.is_none();
        let place = if unknown { (self.acts.len() as u64) << 32 | line } else { 0 };
        let parts = [message, uuid, time.unwrap_or_default().cast_unsigned(), u64::from(session), place];
        let mut bytes = b"nameless".to_vec();
        bytes.extend(parts.iter().flat_map(|part| part.to_le_bytes()));
        hash::within(hash::long(&bytes), u64::from(name))
    }

    /// The act that this occurrence of a call id is: the one with its line id or time, else the oldest of its lineage.
    fn same_act(&mut self, id: u128, message: u64, name: Label, one: Written, format: u8) -> Option<u32> {
        let mut oldest = None;
        let mut at = self.by_call.get(&id).copied().unwrap_or(NO_ACT);
        while let Some(act) = self.acts.get(at as usize) {
            let (same_message, next, of) = (act.message == message, act.next, act.session);
            if same_message && !self.is_namesake(at, name, &[one], format) {
                if act.stamp_is(one.uuid, one.known_time())
                    || self.further.get(&at).is_some_and(|stamps| stamps.iter().any(|stamp| stamp.is(&one)))
                {
                    return Some(at);
                }
                if self.lineages.is_one(of, one.session) {
                    oldest = Some(at);
                }
            }
            at = next;
        }
        oldest
    }

    /// Whether a call of an act's id is another call by where and when it is written.
    fn is_namesake(&self, at: u32, name: Label, written: &[Written], format: u8) -> bool {
        let Some(act) = self.acts.get(at as usize) else { return false };
        if act.message != 0 || act.format != format {
            return false;
        }
        let stamps = || self.written(at);
        match namesakes(format) {
            Namesakes::Never => false,
            Namesakes::ByTime => {
                act.name != name
                    || written.iter().filter(|one| one.time != i64::MIN).any(|one| {
                        let mut here =
                            stamps().filter(|other| other.session == one.session && other.time != i64::MIN);
                        here.next().is_some_and(|first| {
                            first.time != one.time && here.all(|other| other.time != one.time)
                        })
                    })
            }
            Namesakes::ByLineId => {
                let mut has_id = false;
                for (one, other) in written
                    .iter()
                    .filter(|one| one.uuid != 0)
                    .flat_map(|one| stamps().map(move |other| (one, other)))
                {
                    if one.uuid == other.uuid {
                        return false;
                    }
                    has_id |= other.uuid != 0;
                }
                has_id
            }
        }
    }

    /// Where and when an act is written, each once.
    fn written(&self, at: u32) -> impl Iterator<Item = Written> {
        let first = self.acts.get(at as usize).map(|act| Written {
            uuid: act.uuid,
            time: act.time,
            session: act.session,
        });
        first.into_iter().chain(self.further.get(&at).into_iter().flatten().copied())
    }

    /// An act written again.
    fn echo(&mut self, at: u32, session: Session, from: &Origins, format: u8) {
        let Some(act) = self.acts.get_mut(at as usize) else { return };
        act.marks.set(if from.origin == Origin::Mirror { Mark::Mirrored } else { Mark::Own });
        if from.origin == Origin::SubAgent {
            act.marks.set(Mark::SubAgent);
        }
        let first = act.session;
        let is_known = act.stamp_is(from.uuid, from.time)
            && (namesakes(format) == Namesakes::Never || (first == session && act.uuid == from.uuid));
        if !is_known && (from.uuid != 0 || from.time.is_some()) {
            self.also_written(at, Written::of(from, session), format);
        }
        self.lineages.join(first, session);
    }

    fn also_written(&mut self, at: u32, one: Written, format: u8) {
        let stamps = self.further.entry(at).or_default();
        let is_known = if namesakes(format) == Namesakes::Never {
            stamps.iter().any(|stamp| stamp.is(&one))
        } else {
            stamps.contains(&one)
        };
        if !is_known {
            stamps.push(one);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "all that is known of a call, once")]
    fn add(
        &mut self,
        call: &CallFact,
        key: u128,
        message: u64,
        session: Session,
        context: ContextFact,
        here: &mut Here<'_>,
        file: &FileState,
    ) {
        let at = u32::try_from(self.acts.len()).unwrap_or(NO_ACT);
        let next = self.by_call.insert(key, at).unwrap_or(NO_ACT);
        let mut act = Act {
            message,
            uuid: call.from.uuid,
            time: call.from.time.unwrap_or(i64::MIN),
            answer: 0,
            line: file.lines + call.from.line,
            file: file.file,
            next,
            session,
            name: here.global(self, call.name),
            model: context.model,
            version: context.version,
            project: context.project,
            format: file.format,
            marks: act::Marks::default(),
        };
        act.marks.set(if call.from.origin == Origin::Mirror { Mark::Mirrored } else { Mark::Own });
        if call.from.origin != Origin::Agent {
            act.marks.set(Mark::SubAgent);
        }
        if !matches!(call.key, Key::Id { call: Some(_), .. }) {
            act.marks.set(Mark::Placed);
        }
        if !call.inner.is_empty() {
            let names = call.inner.iter().map(|name| here.global(self, *name)).collect();
            self.inner.insert(at, names);
        }
        self.acts.push(act);
    }

    fn owing(&mut self, owing: OwingFact, here: &mut Here<'_>, file: &FileState) {
        let context = over(here.context(self, owing.from.context), file.context);
        if !here.options.wants(owing.from.time, self.labels.text(context.project)) {
            return;
        }
        let session = self.session(context, file);
        if owing.owing.kind == OwedKind::Claim && self.has_called(session, owing.owing.tool.as_deref()) {
            return;
        }
        // Text is one act by its message and words; without a message, by its line. One text may be two things.
        let by = if owing.message == 0 { owing.from.uuid } else { owing.message };
        let key = hash::within(u128::from(by), owing.words ^ owing.owing.kind as u64);
        let act = OwedAct {
            message: owing.message,
            session,
            file: file.file,
            line: file.lines + owing.from.line,
            owing: owing.owing,
            ends_turn: owing.ends_turn,
        };
        self.owed.entry(key).or_insert(act);
    }

    /// Whether a session is known to have called a tool, or any. It may turn out later to be of a lineage that has.
    fn has_called(&self, session: Session, tool: Option<&str>) -> bool {
        let label = tool.map_or(Some(0), |tool| self.labels.label(tool));
        label.is_some_and(|label| self.called.contains(&(session, label)))
    }

    /// Whether nothing in a lineage's logs can be what a text claims: no call of the tool, or no call at all.
    pub(crate) fn is_claim_without_call(&self, owed: &OwedAct, called: &HashSet<(Session, Label)>) -> bool {
        let root = self.lineages.top(owed.session);
        match owed.owing.tool.as_deref() {
            Some(tool) => self.labels.label(tool).is_none_or(|label| !called.contains(&(root, label))),
            // What ran at the provider stands in no session.
            None => !called.contains(&(root, 0)) && !self.at_provider.contains(&owed.file),
        }
    }

    /// What the lineages called.
    pub(crate) fn called_by_lineage(&self) -> HashSet<(Session, Label)> {
        self.called.iter().map(|(session, label)| (self.lineages.top(*session), *label)).collect()
    }

    /// The session of an event: the one it names, else its conversation, else its file.
    fn session(&mut self, context: ContextFact, file: &FileState) -> Session {
        if context.session != 0 {
            return self.named_session(context.session);
        }
        let session = self.lineages.session(file.conversation.unwrap_or(file.content));
        if file.conversation.is_none() {
            self.unnamed.insert(session);
        }
        session
    }

    fn named_session(&mut self, label: Label) -> Session {
        self.lineages.session(u128::from(label))
    }

    /// Ids that calls have, and calls that have one.
    pub(crate) fn ids(&self) -> (u64, u64) {
        let placed = self.placed_ids.len() as u64;
        let by_id = |mark: bool| {
            let acts = self.acts.iter().filter(|act| !act.marks.has(Mark::Echo));
            acts.filter(|act| act.marks.has(Mark::Placed) == mark).count() as u64
        };
        let keys = self.by_call.len() as u64 - by_id(true);
        (keys + placed, by_id(false) + self.placed_with_id)
    }
}

impl RawHits {
    fn add(&mut self, other: Self) {
        self.field_copy += other.field_copy;
        self.quoted += other.quoted;
        self.prose += other.prose;
        self.unread += other.unread;
    }
}

/// Where and when an act is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Written {
    /// Hash of the line's id; 0 without one.
    uuid: u64,
    /// `i64::MIN` without one.
    time: i64,
    session: Session,
}

impl Written {
    fn of(from: &Origins, session: Session) -> Self {
        Self { uuid: from.uuid, time: from.time.unwrap_or(i64::MIN), session }
    }

    fn known_time(&self) -> Option<i64> {
        (self.time != i64::MIN).then_some(self.time)
    }

    /// Whether the line's id or the time is the same.
    fn is(&self, other: &Self) -> bool {
        (self.uuid != 0 && self.uuid == other.uuid) || (self.time != i64::MIN && self.time == other.time)
    }
}

/// How a format tells calls of one id apart.
fn namesakes(format: u8) -> Namesakes {
    LOG_FORMATS.get(usize::from(format)).map_or(Namesakes::Never, |format| format.namesakes)
}

/// What `told` says, and `before` where it says nothing.
fn over(told: ContextFact, before: ContextFact) -> ContextFact {
    let first = |told, before| if told == 0 { before } else { told };
    ContextFact {
        session: first(told.session, before.session),
        parent: first(told.parent, before.parent),
        model: first(told.model, before.model),
        version: first(told.version, before.version),
        project: first(told.project, before.project),
    }
}

/// No label.
const UNKNOWN: Label = Label::MAX;

/// The labels of the stretch that is being absorbed.
struct Here<'a> {
    labels: &'a Labels,
    /// The labels for all logs, by those of this stretch; [`UNKNOWN`] where nobody asked yet.
    known: Vec<Label>,
    options: &'a Options,
}

impl Here<'_> {
    /// The label for all logs that a label of this stretch stands for.
    fn global(&mut self, acts: &mut Acts, label: Label) -> Label {
        let at = label as usize;
        if let Some(known) = self.known.get(at).filter(|known| **known != UNKNOWN) {
            return *known;
        }
        let global = acts.labels.of(self.labels.text(label));
        // Labels are counted up from 0, so the list is as long as there are texts.
        if self.known.len() <= at {
            self.known.resize(at + 1, UNKNOWN);
        }
        if let Some(known) = self.known.get_mut(at) {
            *known = global;
        }
        global
    }

    fn context(&mut self, acts: &mut Acts, context: ContextFact) -> ContextFact {
        ContextFact {
            session: self.global(acts, context.session),
            parent: self.global(acts, context.parent),
            model: self.global(acts, context.model),
            version: self.global(acts, context.version),
            project: self.global(acts, context.project),
        }
    }
}
