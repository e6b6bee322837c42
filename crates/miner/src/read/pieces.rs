//! What is read in parallel: whole files, pieces of long ones, stretches of streams.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use super::source::{Bytes, Log, Packing, open, unpacked};
use super::windows::Windows;
use super::{ALWAYS_READ, LARGEST_DOCUMENT, PIECE, SAMPLE, SPLIT, STRETCH};
use crate::absence::templates;
use crate::format::{LOG_FORMATS, MAPPED, Sample, recognised};
use crate::gather::{Gather, Gathered};
use crate::map::LogMap;
use crate::rule::Rule;

/// What all work shares.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Work<'a> {
    pub(crate) is_strict: bool,
    /// By which all logs are read, whatever they look like.
    pub(crate) map: Option<&'a LogMap>,
    /// Rules that say when a call is owed.
    pub(crate) rules: &'a [Rule],
}

/// One thing to be read, in the order of the logs.
pub(crate) struct Task {
    /// The number of the log.
    pub(crate) log: u32,
    kind: Kind,
}

enum Kind {
    /// A file, from its beginning.
    Whole(Log),
    /// Lines of a file that begin from `from` on and before `to`.
    Piece { log: Log, format: usize, from: u64, to: u64 },
    /// Something that is read in order.
    Stream(Option<Bytes>),
    /// The same, further on.
    Further { windows: Box<Windows<Bytes>>, format: usize },
}

impl Task {
    /// A task for something that is read in order.
    pub(crate) fn stream(log: u32, bytes: Box<dyn Read + Send>) -> Self {
        Self { log, kind: Kind::Stream(Some(bytes)) }
    }

    /// About how many bytes it reads.
    pub(crate) fn bytes(&self) -> u64 {
        match &self.kind {
            Kind::Whole(log) => log.size,
            Kind::Piece { from, to, .. } => to - from,
            Kind::Stream(_) | Kind::Further { .. } => STRETCH,
        }
    }
}

/// What came of a task.
pub(crate) struct Step {
    pub(crate) log: u32,
    pub(crate) read: Option<(usize, Gathered)>,
    /// Why the log, or the rest of it, is left out.
    pub(crate) left_out: Option<String>,
    /// What is to be read next of the same log.
    pub(crate) next: Option<Task>,
}

/// The tasks that a file makes: one, or its pieces where it is long and its lines stand alone.
pub(crate) fn plan(number: u32, log: Log, work: Work<'_>) -> Vec<Task> {
    let whole = |log| vec![Task { log: number, kind: Kind::Whole(log) }];
    if log.size < SPLIT {
        return whole(log);
    }
    let Some(format) = splits(&log, work) else { return whole(log) };
    let mut tasks = Vec::new();
    let mut from = 0;
    while from < log.size {
        // A short rest goes with the piece before it.
        let to = if log.size - from < 2 * PIECE { log.size } else { from + PIECE };
        tasks.push(Task { log: number, kind: Kind::Piece { log: log.clone(), format, from, to } });
        from = to;
    }
    tasks
}

/// The format of a long file whose lines stand alone; `None` where it has to be read in one go. What cannot be
/// read is told when it is read.
fn splits(log: &Log, work: Work<'_>) -> Option<usize> {
    let mut start = Vec::new();
    File::open(&log.path).ok()?.take(SAMPLE as u64).read_to_end(&mut start).ok()?;
    if Packing::of(&start) != Packing::None {
        return None;
    }
    let mut sample = Sample::new(&start, false);
    let format = format_of(&mut sample, work).filter(|_| !sample.is_document())?;
    LOG_FORMATS.get(format)?.lines_stand_alone.then_some(format)
}

/// The format of a log: that of the map, where there is one.
fn format_of(sample: &mut Sample<'_>, work: Work<'_>) -> Option<usize> {
    if work.map.is_some() { Some(MAPPED) } else { recognised(sample) }
}

thread_local! {
    /// The window of a thread: one for all files that it reads.
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Does one task.
pub(crate) fn work(task: Task, work: Work<'_>) -> Step {
    let log = task.log;
    let done = match task.kind {
        Kind::Whole(file) if file.size < ALWAYS_READ => whole(&file, work, log),
        Kind::Whole(file) => open(&file).and_then(|bytes| stream(bytes, Vec::new(), work, log)),
        Kind::Piece { log: file, format, from, to } => piece(&file, format, from, to, work),
        Kind::Stream(Some(bytes)) => unpacked(bytes).and_then(|bytes| stream(bytes, Vec::new(), work, log)),
        Kind::Stream(None) => Ok(Done::default()),
        Kind::Further { windows, format } => further(*windows, format, work, log),
    };
    match done {
        Ok(done) => Step { log, read: done.read, left_out: done.left_out, next: done.next },
        Err(error) => Step { log, read: None, left_out: Some(error.to_string()), next: None },
    }
}

#[derive(Default)]
struct Done {
    read: Option<(usize, Gathered)>,
    left_out: Option<String>,
    next: Option<Task>,
}

/// A file that is read in one task. Where it is packed, its stretches follow.
fn whole(log: &Log, work: Work<'_>, number: u32) -> io::Result<Done> {
    let mut file = File::open(&log.path)?;
    let mut start = [0; 4];
    let count = read_some(&mut file, &mut start)?;
    file.seek(SeekFrom::Start(0))?;
    if Packing::of(start.get(..count).unwrap_or_default()) != Packing::None {
        return stream(open(log)?, Vec::new(), work, number);
    }
    let mut windows = Windows::new(file.take(log.size), BUFFER.take());
    let done = begin(&mut windows, work, u64::MAX);
    BUFFER.set(windows.into_buffer());
    Ok(done?.0)
}

/// The first stretch of something that is read in order.
fn stream(bytes: Bytes, buffer: Vec<u8>, work: Work<'_>, number: u32) -> io::Result<Done> {
    let mut windows = Windows::new(bytes, buffer);
    let (mut done, goes_on) = begin(&mut windows, work, STRETCH)?;
    if let (true, Some((format, _))) = (goes_on, &done.read) {
        let kind = Kind::Further { windows: Box::new(windows), format: *format };
        done.next = Some(Task { log: number, kind });
    }
    Ok(done)
}

/// What the beginning of a log tells.
struct Told {
    is_json: bool,
    format: Option<usize>,
    is_document: bool,
}

/// Tells a log from the first window, or from more of it where none of its lines ends there or none is known.
fn told<R: Read>(windows: &mut Windows<R>, work: Work<'_>) -> io::Result<Told> {
    windows.fill()?;
    loop {
        let mut sample = Sample::new(windows.bytes(), windows.is_over());
        let format = format_of(&mut sample, work);
        let is_sure = format.is_some() && !sample.is_cut();
        let told = Told { is_json: sample.is_json(), format, is_document: sample.is_document() };
        if is_sure || !windows.widen(SAMPLE)? {
            return Ok(told);
        }
    }
}

/// Recognises what stands at the beginning and reads on, lines to about `limit`; whether it goes on after that.
fn begin<R: Read>(windows: &mut Windows<R>, work: Work<'_>, limit: u64) -> io::Result<(Done, bool)> {
    let Told { is_json, format, is_document } = told(windows, work)?;
    let nothing = |why: &str| Ok((Done { left_out: Some(why.to_owned()), ..Done::default() }, false));
    if windows.bytes().trim_ascii().is_empty() {
        return nothing("empty");
    }
    if !is_json {
        return nothing("no JSON");
    }
    let Some(format) = format else { return nothing("no known log format") };
    let (Some(row), Some(templates)) = (LOG_FORMATS.get(format), templates(format)) else {
        return nothing("no known log format");
    };
    let mut gather = Gather::new(row, templates, work);
    if is_document {
        if !windows.fill_all(LARGEST_DOCUMENT)? {
            return nothing("a JSON document of more than 128 MiB; as JSON Lines it could be read");
        }
        gather.document(windows.bytes());
        return Ok((Done { read: Some((format, gather.finish())), ..Done::default() }, false));
    }
    Ok(stretch(windows, gather, format, limit))
}

/// Reads lines to about `limit` more bytes. What was read before an error counts.
fn stretch<R: Read>(windows: &mut Windows<R>, gather: Gather<'_>, format: usize, limit: u64) -> (Done, bool) {
    let mut gather = gather;
    let end = windows.at().saturating_add(limit);
    let (goes_on, left_out) = loop {
        match windows.gather(&mut gather, u64::MAX, true) {
            Ok(false) => break (false, None),
            Ok(true) if windows.at() >= end => break (true, None),
            Ok(true) => {}
            Err(error) => break (false, Some(format!("the rest of it: {error}"))),
        }
    };
    (Done { read: Some((format, gather.finish())), left_out, next: None }, goes_on)
}

fn further(mut windows: Windows<Bytes>, format: usize, work: Work<'_>, number: u32) -> io::Result<Done> {
    let (Some(row), Some(templates)) = (LOG_FORMATS.get(format), templates(format)) else {
        return Ok(Done::default());
    };
    let gather = Gather::new(row, templates, work);
    let (mut done, goes_on) = stretch(&mut windows, gather, format, STRETCH);
    if goes_on {
        done.next = Some(Task { log: number, kind: Kind::Further { windows: Box::new(windows), format } });
    }
    Ok(done)
}

/// Lines of a file that begin from `from` on and before `to`.
fn piece(log: &Log, format: usize, from: u64, to: u64, work: Work<'_>) -> io::Result<Done> {
    let (Some(row), Some(templates)) = (LOG_FORMATS.get(format), templates(format)) else {
        return Ok(Done::default());
    };
    let mut file = File::open(&log.path)?;
    let start = from.saturating_sub(1);
    file.seek(SeekFrom::Start(start))?;
    let mut windows = Windows::new(file.take(log.size - start), BUFFER.take());
    let mut gather = Gather::new(row, templates, work);
    let mut read = || {
        if from > 0 {
            windows.drop_line()?;
        }
        while windows.gather(&mut gather, to - start, true)? {}
        Ok(())
    };
    let left_out = read().err().map(|error: io::Error| format!("bytes {from} to {to}: {error}"));
    BUFFER.set(windows.into_buffer());
    Ok(Done { read: Some((format, gather.finish())), left_out, next: None })
}

fn read_some(file: &mut File, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(room) = buffer.get_mut(filled..).filter(|room| !room.is_empty()) {
        match file.read(room) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
