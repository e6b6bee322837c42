//! What a user had said when an absent tool was called: the logs that hold such a call are read again, up to it.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;

use crate::census::Census;
use crate::event::{LogEvent, Origin, Sink, Speaker};
use crate::find;
use crate::format::{LOG_FORMATS, Sample, mapped, recognised};
use crate::map::LogMap;
use crate::read::{LARGEST_DOCUMENT, LONGEST_LINE, Log, SAMPLE, WINDOW, open};
use crate::secret::without_secrets;
use crate::within::Within;

/// How many bytes of a user's words are kept; longer ones are no request that stands alone.
const LONGEST: usize = 16_384;

/// How texts begin that a harness writes in a user's place.
const HARNESS: &[&str] = &[
    "<",
    "[Request interrupted",
    "This session is being continued from a previous conversation",
    "Caveat: The messages below",
];

/// Whether a text in a user's place is a harness's.
pub(crate) fn is_harness(words: &str) -> bool {
    HARNESS.iter().any(|start| words.starts_with(start))
}

/// A turn in which an absent tool was called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AbsentTurn {
    /// The tool: the one inside a router's arguments, where that one was absent.
    pub tool: String,
    /// The file in which the call stands, and its line.
    pub file: String,
    /// The line, counted from 1.
    pub line: u64,
    /// The last words of a user before it, keys and tokens masked; `None` where the log has none.
    pub user: Option<String>,
}

/// The turns of a census's absent-tool events, in their order. `paths` are those that were mined.
///
/// # Errors
///
/// Where a log can no longer be read.
pub fn absent_turns(census: &Census, paths: &[PathBuf], map: Option<&LogMap>) -> io::Result<Vec<AbsentTurn>> {
    let mut wanted: BTreeMap<&str, Vec<(u64, &str)>> = BTreeMap::new();
    for event in &census.absent.events {
        wanted.entry(&event.call.file).or_default().push((event.call.line, &event.tool));
    }
    let mut said: HashMap<(&str, u64, &str), String> = HashMap::new();
    for log in find::files(paths).logs {
        let Some((file, calls)) = wanted.get_key_value(log.name.as_str()) else { continue };
        let mut turns = Turns { wanted: calls, ..Turns::default() };
        turns.read(&log, map)?;
        said.extend(turns.found.into_iter().map(|((line, tool), text)| ((*file, line, tool), text)));
    }
    let turn = |event: &crate::census::Event| {
        let key = (event.call.file.as_str(), event.call.line, event.tool.as_str());
        AbsentTurn {
            tool: event.inner_tool.as_ref().unwrap_or(&event.tool).clone(),
            file: event.call.file.clone(),
            line: event.call.line,
            user: said.get(&key).map(|text| without_secrets(text).into_owned()),
        }
    };
    Ok(census.absent.events.iter().map(turn).collect())
}

/// Reads one log for the words before its calls.
#[derive(Default)]
struct Turns<'a> {
    /// Line and name of the calls.
    wanted: &'a [(u64, &'a str)],
    within: Within,
    /// The last words of a user, to the agent and to its sub-agents.
    last: [Option<String>; 2],
    found: HashMap<(u64, &'a str), String>,
}

impl Turns<'_> {
    fn read(&mut self, log: &Log, map: Option<&LogMap>) -> io::Result<()> {
        let mut reader = BufReader::with_capacity(WINDOW, open(log)?);
        let mut start = Vec::new();
        reader.by_ref().take(SAMPLE as u64).read_to_end(&mut start)?;
        let is_whole = start.len() < SAMPLE;
        let (format, is_document) = {
            let mut sample = Sample::new(&start, is_whole);
            let format = if map.is_some() { None } else { recognised(&mut sample) };
            (format.and_then(|at| LOG_FORMATS.get(at)), sample.is_document())
        };
        let tell = |bytes: &[u8], turns: &mut Self| match (map, format) {
            (Some(map), _) => _ = mapped::read(map, bytes, turns),
            (None, Some(format)) => _ = (format.read)(bytes, turns),
            (None, None) => {}
        };
        let mut reader = io::Cursor::new(start).chain(reader);
        if is_document {
            let mut bytes = Vec::new();
            reader.take(LARGEST_DOCUMENT).read_to_end(&mut bytes)?;
            self.within = Within::from(1);
            tell(&bytes, self);
            return Ok(());
        }
        let last = self.wanted.iter().map(|(line, _)| *line).max().unwrap_or_default();
        let mut line = Vec::new();
        for number in 1..=last {
            if !next_line(&mut reader, &mut line)? {
                break;
            }
            self.within = Within::from(number);
            let text = if number == 1 { crate::format::without_bom(&line) } else { &line };
            let text = text.trim_ascii();
            if !text.is_empty() {
                tell(text, self);
            }
        }
        Ok(())
    }
}

/// The next line, without what is beyond the longest that is read; whether there was one.
fn next_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let mut has_any = false;
    loop {
        let piece = reader.fill_buf()?;
        if piece.is_empty() {
            return Ok(has_any);
        }
        has_any = true;
        let end = memchr::memchr(b'\n', piece);
        let taken = end.map_or(piece.len(), |end| end + 1);
        if line.len() < LONGEST_LINE {
            line.extend_from_slice(piece.get(..taken).unwrap_or_default());
        }
        reader.consume(taken);
        if end.is_some() {
            return Ok(true);
        }
    }
}

impl Sink for Turns<'_> {
    fn event(&mut self, event: LogEvent<'_>) {
        match event {
            LogEvent::Conversation(_) => self.last = [None, None],
            LogEvent::Text(text) if text.speaker == Speaker::User => {
                let words = text.text.trim();
                let is_request = !words.is_empty() && words.len() <= LONGEST;
                if is_harness(words) {
                    return;
                }
                // Words too long to be kept still end what was said before.
                let last = &mut self.last[usize::from(text.stamp.origin != Origin::Agent)];
                *last = is_request.then(|| words.to_owned());
            }
            LogEvent::Call(call) => {
                let line = self.within.line;
                let wanted = self.wanted.iter().find(|(at, name)| *at == line && *name == call.name);
                let said = &self.last[usize::from(call.stamp.origin != Origin::Agent)];
                if let (Some(call), Some(said)) = (wanted, said) {
                    self.found.entry(*call).or_insert_with(|| said.clone());
                }
            }
            _ => {}
        }
    }

    fn at(&mut self, whole: &[u8], part: &[u8]) {
        self.within.reach(whole, part);
    }
}
