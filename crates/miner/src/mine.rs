//! Reads logs and counts: files in parallel, facts one after the other, in the order of the files.

use std::collections::HashMap;
use std::collections::VecDeque;
use std::io::Read;
use std::path::PathBuf;

use rayon::prelude::*;

use crate::census::{Asked, CENSUS_FORMAT, Census, Skipped, SkippedFile, SkippedLine, Window};
use crate::count::{self, Files};
use crate::dedup::{Acts, FileState};
use crate::error::MineError;
use crate::find;
use crate::format::LOG_FORMATS;
use crate::gather::{Gathered, LeftOut};
use crate::hash;
use crate::map::LogMap;
use crate::options::Options;
use crate::read::{Log, Step, Task, Work, plan, work};
use crate::time::moment_text;

/// How many bytes are read before their facts are absorbed. Until then facts take room, in a log that is nothing but
/// calls about half as much as its bytes; two batches are at hand at a time.
const BATCH: u64 = 32 << 20;

/// How many tasks a batch has at most.
const TASKS: usize = 4_096;

/// How many files and lines that are left out are named; all are counted.
const NAMED: usize = 1_000;

/// What is to be mined.
pub struct Sources {
    /// Files, and folders of them.
    pub paths: Vec<PathBuf>,
    /// Something that is read once, in order: standard input, with the name that reports give it.
    pub stream: Option<(String, Box<dyn Read + Send>)>,
}

/// Mines logs.
///
/// # Errors
///
/// Where a path that was named is not there. Files that cannot be read are no error: the census names them.
pub fn mine(sources: Sources, options: &Options) -> Result<Census, MineError> {
    mine_mapped(sources, options, None)
}

/// Mines logs of any shape, all of them read by a map where there is one.
///
/// # Errors
///
/// As [`mine`].
pub fn mine_mapped(sources: Sources, options: &Options, map: Option<&LogMap>) -> Result<Census, MineError> {
    if let Some(path) = sources.paths.iter().find(|path| path.symlink_metadata().is_err()) {
        return Err(MineError::NoPath(path.clone()));
    }
    let found = find::files(&sources.paths);
    let mut mining = Mining::new(options);
    for (file, why) in found.left_out {
        mining.leave_out_file(file, why);
    }
    let mut logs: VecDeque<(u32, Log)> = VecDeque::new();
    for log in found.logs {
        logs.push_back((mining.number(log.name.clone(), log.size), log));
    }
    let mut ready: VecDeque<Task> = VecDeque::new();
    if let Some((name, bytes)) = sources.stream {
        ready.push_back(Task::stream(mining.number(name, 0), bytes));
    }
    let shared = Work { is_strict: options.strict, map, rules: &options.rules };
    // While one batch is read, the facts of the one before are absorbed.
    let mut before: Vec<Step> = Vec::new();
    loop {
        let batch = batch(&mut ready, &mut logs, shared);
        if batch.is_empty() && before.is_empty() {
            break;
        }
        let read = || batch.into_par_iter().with_max_len(1).map(|task| work(task, shared)).collect();
        let absorb = || before.into_iter().for_each(|step| mining.absorb(step));
        let (mut steps, ()): (Vec<Step>, ()) = rayon::join(read, absorb);
        ready.extend(steps.iter_mut().filter_map(|step| step.next.take()));
        before = steps;
    }
    Ok(mining.finish())
}

/// What is read next: what goes on from before first, then the files in their order.
fn batch(ready: &mut VecDeque<Task>, logs: &mut VecDeque<(u32, Log)>, work: Work<'_>) -> Vec<Task> {
    let mut batch = Vec::new();
    let mut bytes = 0;
    while bytes < BATCH && batch.len() < TASKS {
        if let Some(task) = ready.pop_front() {
            bytes += task.bytes();
            batch.push(task);
        } else if let Some((number, log)) = logs.pop_front() {
            ready.extend(plan(number, log, work));
        } else {
            break;
        }
    }
    batch
}

/// What was absorbed so far.
struct Mining<'a> {
    options: &'a Options,
    acts: Acts,
    names: Vec<String>,
    sizes: Vec<u64>,
    files: HashMap<u32, FileState>,
    window: Window,
    first: Option<i64>,
    last: Option<i64>,
    skipped: Skipped,
    raw_hits: u64,
}

impl<'a> Mining<'a> {
    fn new(options: &'a Options) -> Self {
        Self {
            options,
            acts: Acts::default(),
            names: Vec::new(),
            sizes: Vec::new(),
            files: HashMap::new(),
            window: Window::default(),
            first: None,
            last: None,
            skipped: Skipped::default(),
            raw_hits: 0,
        }
    }

    fn number(&mut self, name: String, size: u64) -> u32 {
        self.names.push(name);
        self.sizes.push(size);
        u32::try_from(self.names.len() - 1).unwrap_or(u32::MAX)
    }

    fn leave_out_file(&mut self, file: String, why: String) {
        self.skipped.file_count += 1;
        if self.skipped.files.len() < NAMED {
            self.skipped.files.push(SkippedFile { file, why });
        }
    }

    /// Absorbs what came of a task.
    fn absorb(&mut self, step: Step) {
        let Step { log, read, left_out, .. } = step;
        if let Some(why) = left_out {
            let name = self.names.get(log as usize).cloned().unwrap_or_default();
            self.leave_out_file(name, why);
        }
        if let Some((format, gathered)) = read {
            self.gathered(log, format, gathered);
        }
    }

    fn gathered(&mut self, log: u32, format: usize, gathered: Gathered) {
        let is_new = !self.files.contains_key(&log);
        let mut state = self.files.remove(&log).unwrap_or_default();
        if is_new {
            state.file = log;
            let size = self.sizes.get(log as usize).copied().unwrap_or_default();
            state.content = hash::within(gathered.first_line, size);
            state.format = u8::try_from(format).unwrap_or(u8::MAX);
            self.window.files += 1;
            let name = LOG_FORMATS.get(format).map_or("", |format| format.name);
            *self.window.formats.entry(name.to_owned()).or_default() += 1;
        }
        self.acts.absorb(gathered.facts, &gathered.labels, &mut state, self.options);
        for (line, why) in gathered.left_out {
            self.skipped.cut_last_lines += u64::from(why == LeftOut::Cut);
            if self.skipped.lines.len() < NAMED {
                let file = self.names.get(log as usize).cloned().unwrap_or_default();
                let line = SkippedLine { file, line: state.lines + line, why: words(why).to_owned() };
                self.skipped.lines.push(line);
            }
        }
        state.lines += gathered.lines;
        self.window.lines += gathered.lines;
        self.window.bytes += gathered.bytes;
        self.window.lines_not_parsed += gathered.glanced;
        self.skipped.bad_lines += gathered.bad_lines;
        self.skipped.non_object_lines += gathered.non_object_lines;
        self.skipped.long_lines += gathered.long_lines;
        self.raw_hits += gathered.raw_hits;
        self.first = [self.first, gathered.first].into_iter().flatten().min();
        self.last = self.last.max(gathered.last);
        self.files.insert(log, state);
    }

    fn finish(mut self) -> Census {
        self.acts.settle(self.options);
        let files = Files(&self.names);
        let calls = count::calls(&self.acts);
        let absent = count::absent(&self.acts, self.raw_hits, &files);
        let argument_errors = count::argument_errors(&self.acts);
        let owed = count::owed(&self.acts, &files, self.options);
        let rates = count::rates(&mut self.acts, self.options.top);
        let by = count::parts(&mut self.acts, self.options);
        self.window.sessions = rates.first().map_or(0, |rate| rate.clusters);
        self.window.first = self.first.and_then(moment_text);
        self.window.last = self.last.and_then(moment_text);
        let text = |time: Option<i64>| time.and_then(moment_text);
        self.window.asked = self.options.filters().then(|| Asked {
            since: text(self.options.since),
            until: text(self.options.until),
            project: self.options.project.clone(),
            calls_outside: self.acts.outside,
        });
        Census {
            format: CENSUS_FORMAT.to_owned(),
            window: self.window,
            skipped: self.skipped,
            calls,
            absent,
            argument_errors,
            owed,
            rates,
            by,
        }
    }
}

fn words(why: LeftOut) -> &'static str {
    match why {
        LeftOut::Bad => "no JSON",
        LeftOut::Cut => "cut: the last line, without its end",
        LeftOut::NoObject => "JSON, and no object",
        LeftOut::TooLong => "longer than 32 MiB",
    }
}
