//! `toolmirage mine`: how often a tool was called that was not there, counted in session logs.

mod files;
mod rules;
mod show;
mod suite;

use std::path::Path;

use miner::{Census, Dimension, LogMap, MAP_FORMAT, Options, Sources, moment};
use probes::{SuiteError, read_yaml_file};

use crate::args::{MineArgs, MineBy, MineFormat};
use crate::error::Failure;
use crate::exit::Exit;
use crate::{output, progress};

/// Mines what was named, and prints the census.
pub(crate) fn run(args: &MineArgs, quiet: bool) -> Result<Exit, Failure> {
    if args.list_formats {
        output::print(&show::formats())?;
        return Ok(Exit::Pass);
    }
    if args.list_frameworks {
        output::print(&show::frameworks())?;
        return Ok(Exit::Pass);
    }
    suite::check(args)?;
    files::check(args)?;
    let manifest = files::manifest(args)?;
    let map = args.map.as_deref().map(read_map).transpose()?;
    let census = mined(args, map.as_ref())?;
    files::write(args, &census, manifest.as_ref())?;
    let format = args.format.unwrap_or(if args.json { MineFormat::Json } else { MineFormat::Text });
    match format {
        MineFormat::Text => output::print(&show::text(&census, args.all))?,
        MineFormat::Md => output::print(&report::census_markdown(&census))?,
        MineFormat::Json => output::print_json(&census)?,
    }
    if !quiet && format == MineFormat::Json {
        note_left_out(&census);
    }
    match nothing(&census) {
        Some(why) if args.map.is_some() => {
            Err(Failure::invalid(why).with_help("does the mapping file point at where the calls stand?"))
        }
        Some(why) => Err(Failure::invalid(why)),
        None => {
            suite::write(args, &census, map.as_ref(), quiet)?;
            Ok(Exit::Pass)
        }
    }
}

fn mined(args: &MineArgs, map: Option<&LogMap>) -> Result<Census, Failure> {
    if args.paths.is_empty() {
        return Err(Failure::usage("no log is named")
            .with_help("`toolmirage mine ~/.claude/projects`, or `-` for standard input"));
    }
    let options = Options {
        since: time("--since", args.since.as_deref())?,
        until: time("--until", args.until.as_deref())?,
        project: args.project.clone(),
        by: args.by.iter().map(|by| dimension(*by)).collect(),
        top: args.top,
        strict: args.strict,
        rules: rules::read(args)?,
    };
    let paths = args.paths.iter().filter(|path| !is_input(path)).cloned().collect();
    let has_input = args.paths.iter().any(|path| is_input(path));
    let stream: Option<(String, Box<dyn std::io::Read + Send>)> =
        has_input.then(|| ("standard input".to_owned(), Box::new(std::io::stdin()) as _));
    Ok(miner::mine_mapped(Sources { paths, stream }, &options, map)?)
}

/// A mapping file, every mistake of it at its line and key.
fn read_map(path: &Path) -> Result<LogMap, Failure> {
    let (map, places) = read_yaml_file::<LogMap>(path, MAP_FORMAT, &[])?;
    let mistakes: Vec<_> =
        map.mistakes().into_iter().map(|(pointer, message)| places.key(&pointer, message)).collect();
    if mistakes.is_empty() { Ok(map) } else { Err(SuiteError::from(mistakes).into()) }
}

/// Whether a path means standard input.
fn is_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// A moment, or a day, which begins at midnight UTC.
fn time(flag: &str, text: Option<&str>) -> Result<Option<i64>, Failure> {
    let Some(text) = text else { return Ok(None) };
    let day = format!("{text}T00:00:00Z");
    match moment(text).or_else(|| moment(&day)) {
        Some(time) => Ok(Some(time)),
        None => Err(Failure::usage(format!("{flag}: `{text}` is no moment"))
            .with_help("a day (2031-03-09) or a moment (2031-03-09T07:00:00Z)")),
    }
}

fn dimension(by: MineBy) -> Dimension {
    match by {
        MineBy::Model => Dimension::Model,
        MineBy::Project => Dimension::Project,
        MineBy::Day => Dimension::Day,
        MineBy::Version => Dimension::Version,
        MineBy::Format => Dimension::Format,
    }
}

/// Why the figures are none.
fn nothing(census: &Census) -> Option<&'static str> {
    if census.window.files == 0 {
        return Some("no log was recognised: nothing was measured");
    }
    (census.calls.unique == 0).then_some("the logs hold no tool call: nothing was measured")
}

fn note_left_out(census: &Census) {
    let skipped = &census.skipped;
    let lines = skipped.bad_lines + skipped.non_object_lines + skipped.long_lines;
    if skipped.file_count + lines > 0 {
        let (files, lines) = (skipped.file_count, lines);
        progress::print(&format!(
            "note: {files} files and {lines} lines were left out; `skipped` names them"
        ));
    }
}
