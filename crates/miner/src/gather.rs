//! From the events of one stretch of a log to facts: judges answers, counts raw occurrences and lines, and keeps
//! nothing of the text.

use memchr::memmem;

use crate::absence::{self, Templates};
use crate::event::{Answer, Call, CallName, Context, LogEvent, Origin, Sink, Speaker, Stamp, Text};
use crate::fact::{
    AnswerFact, CallFact, ContextFact, Fact, Key, Origins, OwingFact, RawHits, SaidFact, SpokeFact,
};
use crate::format::{Glance, LogFormat, Read, mapped};
use crate::hash;
use crate::labels::{Label, Labels};
use crate::owed;
use crate::read::Work;
use crate::rule::Rule;
use crate::time::moment;
use crate::turns::is_harness;
use crate::within::Within;

/// How many lines that could not be read are named, per stretch; all are counted.
const NAMED_LINES: usize = 1_000;

/// Why a line is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LeftOut {
    /// It is no JSON.
    Bad,
    /// It is no JSON, the last line of its log, and not ended by a line break: a write that was cut.
    Cut,
    /// It is JSON and no object.
    NoObject,
    /// It is longer than any line that is read.
    TooLong,
}

/// What one stretch of a log came to.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) facts: Vec<Fact>,
    pub(crate) labels: Labels,
    pub(crate) bytes: u64,
    pub(crate) lines: u64,
    /// Lines that were told from their bytes, not validated.
    pub(crate) glanced: u64,
    pub(crate) first: Option<i64>,
    pub(crate) last: Option<i64>,
    pub(crate) bad_lines: u64,
    pub(crate) non_object_lines: u64,
    pub(crate) long_lines: u64,
    /// Lines that were left out, counted from 1 in this stretch.
    pub(crate) left_out: Vec<(u64, LeftOut)>,
    pub(crate) raw_hits: u64,
    /// Hash of the first line, or of the document.
    pub(crate) first_line: u128,
}

/// Gathers one stretch.
pub(crate) struct Gather<'f> {
    format: &'f LogFormat,
    templates: &'f Templates,
    finders: Vec<memmem::Finder<'static>>,
    work: Work<'f>,
    out: Gathered,
    within: Within,
    /// Raw occurrences in what is being read.
    hits: u64,
    seen: Seen,
    /// Time and project of what is being read, for its raw occurrences.
    now: (Option<i64>, Label),
}

/// Raw occurrences that events of the current line account for.
#[derive(Debug, Default, Clone, Copy)]
struct Seen {
    reports: u64,
    quoted: u64,
    prose: u64,
}

impl<'f> Gather<'f> {
    pub(crate) fn new(format: &'f LogFormat, templates: &'f Templates, work: Work<'f>) -> Self {
        let finders = templates.needles.iter().map(|needle| memmem::Finder::new(needle.as_bytes())).collect();
        Self {
            format,
            templates,
            finders,
            work,
            out: Gathered::default(),
            within: Within::default(),
            hits: 0,
            seen: Seen::default(),
            now: (None, 0),
        }
    }

    /// Turns a line or document into events.
    fn read(&mut self, bytes: &[u8]) -> Read {
        match self.work.map {
            Some(map) => mapped::read(map, bytes, self),
            None => (self.format.read)(bytes, self),
        }
    }

    pub(crate) fn finish(self) -> Gathered {
        self.out
    }

    /// Gathers whole lines, the last of which may lack its line break. `is_last` says that the log ends here.
    pub(crate) fn lines(&mut self, bytes: &[u8], is_last: bool) {
        self.out.bytes += length(bytes);
        // One search over the whole stretch: nearly all lines hold none.
        let mut hits = self.all_hits(bytes).into_iter().peekable();
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', bytes) {
            let count = hits_before(&mut hits, end);
            self.line(bytes.get(start..end).unwrap_or_default(), count, false);
            start = end + 1;
        }
        let rest = bytes.get(start..).unwrap_or_default();
        if !rest.is_empty() {
            let count = hits_before(&mut hits, usize::MAX);
            self.line(rest, count, is_last);
        }
    }

    /// Counts a line that is too long to be read, and the lines before it that were skipped with it.
    pub(crate) fn long_line(&mut self, length: u64) {
        self.out.bytes += length;
        self.out.lines += 1;
        self.out.long_lines += 1;
        self.leave_out(LeftOut::TooLong);
    }

    /// Gathers a whole document.
    pub(crate) fn document(&mut self, bytes: &[u8]) {
        self.out.bytes += length(bytes);
        self.out.first_line = hash::long(bytes);
        let hits = self.all_hits(bytes).len();
        self.hits = hits as u64;
        self.out.raw_hits += self.hits;
        let first = self.out.lines + 1;
        self.begin(first);
        self.out.lines += lines_in(bytes);
        let read = self.read(bytes);
        self.end(read, false, first);
    }

    fn line(&mut self, line: &[u8], hits: u64, is_cut: bool) {
        self.out.lines += 1;
        let number = self.out.lines;
        let mut line = line;
        if number == 1 {
            line = crate::format::without_bom(line);
            self.out.first_line = hash::long(line);
        }
        let line = line.trim_ascii();
        self.hits = hits;
        self.out.raw_hits += hits;
        if line.is_empty() {
            return;
        }
        self.begin(number);
        let looks_whole = line.first() == Some(&b'{') && line.last() == Some(&b'}');
        // What a user says stands on lines that a glance skips.
        let may_glance = !self.work.is_strict && self.work.rules.is_empty();
        let glance = self.format.glance.filter(|_| looks_whole && hits == 0 && may_glance);
        if glance.is_some_and(|glance| glance(line, self) != Glance::Parse) {
            self.out.glanced += 1;
            return;
        }
        let read = self.read(line);
        self.end(read, is_cut, number);
    }

    fn begin(&mut self, line: u64) {
        self.within = Within::from(line);
        self.seen = Seen::default();
        self.now = (None, 0);
    }

    fn end(&mut self, read: Read, is_cut: bool, line: u64) {
        self.within.line = line;
        match read {
            Read::Done => self.other_hits(),
            Read::NoObject => {
                self.out.non_object_lines += 1;
                self.leave_out(LeftOut::NoObject);
                self.other_hits();
            }
            Read::Bad => {
                self.out.bad_lines += 1;
                self.leave_out(if is_cut { LeftOut::Cut } else { LeftOut::Bad });
                if self.hits > 0 {
                    let hits = RawHits { unread: self.hits, ..RawHits::default() };
                    self.raw(hits);
                }
            }
        }
    }

    /// Accounts for the raw occurrences of a line that are no report.
    fn other_hits(&mut self) {
        if self.hits == 0 {
            return;
        }
        let Seen { reports, quoted, prose } = self.seen;
        let reports = reports.min(self.hits);
        let quoted = quoted.min(self.hits - reports);
        let prose = prose.min(self.hits - reports - quoted);
        let rest = self.hits - reports - quoted - prose;
        // What stands on the line beside an answer that holds the words repeats that answer.
        let copies = if reports + quoted > 0 { rest } else { 0 };
        let hits = RawHits { field_copy: copies, quoted: quoted + rest - copies, prose, unread: 0 };
        if hits != RawHits::default() {
            self.raw(hits);
        }
    }

    fn raw(&mut self, hits: RawHits) {
        let (time, project) = self.now;
        self.out.facts.push(Fact::Raw { hits, time, project });
    }

    fn leave_out(&mut self, why: LeftOut) {
        if self.out.left_out.len() < NAMED_LINES {
            self.out.left_out.push((self.out.lines, why));
        }
    }

    /// Where the raw words stand.
    fn all_hits(&self, bytes: &[u8]) -> Vec<usize> {
        let mut hits: Vec<usize> = Vec::new();
        for finder in &self.finders {
            hits.extend(finder.find_iter(bytes));
        }
        hits.sort_unstable();
        hits
    }

    fn hits_in(&self, text: &str) -> u64 {
        if self.hits == 0 {
            return 0;
        }
        self.finders.iter().map(|finder| finder.find_iter(text.as_bytes()).count() as u64).sum()
    }

    fn saw(&mut self, time: Option<i64>) {
        let Some(time) = time else { return };
        self.now.0.get_or_insert(time);
        self.out.first = Some(self.out.first.map_or(time, |first| first.min(time)));
        self.out.last = Some(self.out.last.map_or(time, |last| last.max(time)));
    }

    fn context(&mut self, context: &Context<'_>) -> ContextFact {
        let mut label = |text: &Option<std::borrow::Cow<'_, str>>| self.out.labels.of(text.as_deref());
        let context = ContextFact {
            session: label(&context.session),
            parent: label(&context.parent),
            model: label(&context.model),
            version: label(&context.version),
            project: label(&context.project),
        };
        if context.project != 0 {
            self.now.1 = context.project;
        }
        context
    }

    fn origins(&mut self, stamp: &Stamp<'_>) -> Origins {
        let time = stamp.time.as_deref().and_then(moment);
        self.saw(time);
        Origins {
            context: self.context(&stamp.context),
            uuid: stamp.uuid.as_deref().map_or(0, |uuid| hash::short(uuid.as_bytes())),
            time,
            origin: stamp.origin,
            line: self.within.line,
        }
    }

    fn label(&mut self, text: &str) -> Label {
        self.out.labels.of(Some(text))
    }

    fn call(&mut self, call: &Call<'_>) {
        let inner = call.arguments.as_deref().map(|arguments| scorer::routed_tools(&call.name, arguments));
        let inner = inner.unwrap_or_default().iter().map(|name| self.label(name)).collect();
        let fact = CallFact {
            key: key(&call.which),
            name: self.label(&call.name),
            inner,
            from: self.origins(&call.stamp),
        };
        self.out.facts.push(Fact::Call(fact));
    }

    fn answer(&mut self, answer: &Answer<'_>) {
        let reading = absence::read(answer, self.templates);
        let mut hits = self.hits_in(&answer.text);
        if hits == 0 && reading.report.is_some() {
            // Words that the raw count does not look for, since too much else says them: an occurrence all the same.
            hits = 1;
            self.hits += 1;
            self.out.raw_hits += 1;
        }
        let reports = u64::from(reading.report.is_some()).min(hits);
        self.seen.reports += reports;
        self.seen.quoted += hits - reports;
        let fact = AnswerFact {
            key: key(&answer.of),
            is_error: reading.is_error,
            is_inner_error: reading.is_inner_error,
            report: reading.report,
            argument_faults: reading.argument_faults,
            raw: reports,
            from: self.origins(&answer.stamp),
        };
        self.out.facts.push(Fact::Answer(Box::new(fact)));
    }

    fn text(&mut self, text: &Text<'_>) {
        self.seen.prose += self.hits_in(&text.text);
        match text.speaker {
            Speaker::Assistant => self.spoken(text),
            Speaker::User if !self.work.rules.is_empty() => self.said(text),
            _ => {}
        }
    }

    /// Words of the model.
    fn spoken(&mut self, text: &Text<'_>) {
        for owing in owed::read(&text.text) {
            let fact = OwingFact {
                message: id_of(text),
                words: hash::short(text.text.as_bytes()),
                owing,
                ends_turn: text.ends_turn,
                from: self.origins(&text.stamp),
            };
            self.out.facts.push(Fact::Owing(Box::new(fact)));
        }
        if !self.work.rules.is_empty() && text.stamp.origin == Origin::Agent {
            let may_end_turn = text.ends_turn != Some(false);
            let fact = SpokeFact { may_end_turn, from: self.origins(&text.stamp) };
            self.out.facts.push(Fact::Spoke(fact));
        }
    }

    /// Words of a user to the agent, for the rules. What a sub-agent is told is the agent's.
    fn said(&mut self, text: &Text<'_>) {
        let words = text.text.trim();
        if text.stamp.origin != Origin::Agent || words.is_empty() || is_harness(words) {
            return;
        }
        let mention = |(at, rule): (usize, &Rule)| Some((at, rule.mention(words)?.into()));
        let fact = SaidFact {
            message: id_of(text),
            words: hash::short(words.as_bytes()),
            mentions: self.work.rules.iter().enumerate().filter_map(mention).collect(),
            from: self.origins(&text.stamp),
        };
        self.out.facts.push(Fact::Said(Box::new(fact)));
    }
}

impl Sink for Gather<'_> {
    fn event(&mut self, event: LogEvent<'_>) {
        match event {
            LogEvent::Moment(time) => self.saw(moment(&time)),
            LogEvent::Context(context) => {
                let context = self.context(&context);
                self.out.facts.push(Fact::Context(context));
            }
            LogEvent::Conversation(record) => {
                self.out.facts.push(Fact::Conversation(hash::long(record)));
            }
            LogEvent::Call(call) => self.call(&call),
            LogEvent::Answer(answer) => self.answer(&answer),
            LogEvent::ProviderCall(name) => {
                let name = self.label(&name);
                self.out.facts.push(Fact::ProviderCall(name));
            }
            LogEvent::Action(name) => {
                let name = self.label(&name);
                self.out.facts.push(Fact::Action(name));
            }
            LogEvent::Catalog(names) => {
                for name in names {
                    let name = self.label(&name);
                    self.out.facts.push(Fact::Offered(name));
                }
            }
            LogEvent::Text(text) => self.text(&text),
        }
    }

    fn at(&mut self, whole: &[u8], part: &[u8]) {
        self.within.reach(whole, part);
    }
}

fn key(which: &CallName<'_>) -> Key {
    let long = |id: &Option<std::borrow::Cow<'_, str>>| id.as_deref().map(|id| hash::long(id.as_bytes()));
    match which {
        CallName::Id { call, message } => Key::Id {
            call: long(call),
            message: message.as_deref().map_or(0, |id| hash::short(id.as_bytes())),
        },
        CallName::Place { at, id } => Key::Place { at: *at, id: long(id) },
    }
}

/// The hash of a message's id; 0 without one.
fn id_of(text: &Text<'_>) -> u64 {
    text.message.as_deref().map_or(0, |id| hash::short(id.as_bytes()))
}

fn hits_before(hits: &mut std::iter::Peekable<std::vec::IntoIter<usize>>, end: usize) -> u64 {
    let mut count = 0;
    while hits.next_if(|hit| *hit < end).is_some() {
        count += 1;
    }
    count
}

/// How many lines a document has.
fn lines_in(bytes: &[u8]) -> u64 {
    let breaks = memchr::memchr_iter(b'\n', bytes).count();
    breaks as u64 + u64::from(bytes.last().is_some_and(|last| *last != b'\n'))
}

fn length(bytes: &[u8]) -> u64 {
    bytes.len() as u64
}
