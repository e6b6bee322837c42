//! `mine --to-suite`: from the turns in which an absent tool was called to a drafted suite.

use std::path::{Component, Path};

use drafter::{DraftedSuite, DraftedTask, draft_absent_turns, slug, suite_yaml};
use indexmap::IndexMap;
use miner::{Census, LogMap};
use probes::{Catalog, Suite};

use super::is_input;
use crate::args::MineArgs;
use crate::error::Failure;
use crate::{output, progress};

/// What stands above the suite.
const HEAD: &[&str] = &[
    "Drafted from session logs: turns in which a tool was called that was not there, in the users' own words.",
    "Read every task before it is used: `toolmirage review` shows them one by one.",
];

/// Kinds of probe that such tasks make.
const KINDS: &[&str] = &["decoy", "sibling_gap"];

/// Refuses what cannot come to a suite, before anything is mined.
pub(super) fn check(args: &MineArgs) -> Result<(), Failure> {
    if args.to_suite.is_some() && args.paths.iter().any(|path| is_input(path)) {
        return Err(Failure::usage(
            "--to-suite reads the logs a second time, which standard input cannot be",
        )
        .with_help("name the logs themselves"));
    }
    Ok(())
}

/// Drafts the suite and writes it.
pub(super) fn write(
    args: &MineArgs,
    census: &Census,
    map: Option<&LogMap>,
    quiet: bool,
) -> Result<(), Failure> {
    let (Some(path), Some(catalog_file)) = (&args.to_suite, &args.catalog) else { return Ok(()) };
    if census.absent.events.is_empty() {
        return Err(Failure::invalid(
            "no absent tool was called in these logs: there is no turn to draft from",
        ));
    }
    let catalog = Catalog::load(catalog_file)?;
    let turns = miner::absent_turns(census, &args.paths, map)?;
    let said: Vec<(&str, &str)> =
        turns.iter().filter_map(|turn| Some((turn.tool.as_str(), turn.user.as_deref()?))).collect();
    if said.is_empty() {
        let formats: Vec<&str> = census.window.formats.keys().map(String::as_str).collect();
        return Err(Failure::invalid(format!(
            "no task: the logs ({}) hold no words of a user before any of the {} calls to an absent tool",
            formats.join(", "),
            turns.len()
        ))
        .with_help("logs of whole conversations have them; of a mapping file, `texts` with `user`"));
    }
    let name = path.file_stem().and_then(|stem| stem.to_str()).map_or_else(|| "mined".to_owned(), slug);
    let drafts = draft_absent_turns(&catalog, &name, &said);
    let mut suite = DraftedSuite {
        name,
        seed: 1,
        catalog: from_suite(path, catalog_file),
        prompts: Vec::new(),
        principal: IndexMap::new(),
        kinds: KINDS.iter().map(|kind| (*kind).to_owned()).collect(),
        tasks: Vec::new(),
    };
    let mut refused = Vec::new();
    for task in drafts.tasks {
        match holds(&suite, &task, &catalog) {
            Ok(()) => suite.tasks.push(task),
            Err(why) => refused.push((task.id, why)),
        }
    }
    if suite.tasks.is_empty() {
        let why = refused.first().map_or("their words are too long", |(_, why)| why.as_str());
        return Err(Failure::invalid(format!("no task: of {} turns none can be asked: {why}", said.len())));
    }
    output::write_file(path, suite_yaml(&suite, HEAD).as_bytes())?;
    if quiet {
        return Ok(());
    }
    progress::print(&format!(
        "{}: {} drafted tasks of {} turns ({} without words of a user, {} asked before, {} beyond three a tool, {} too long); `toolmirage review {}` shows them",
        path.display(),
        suite.tasks.len(),
        turns.len(),
        turns.len() - said.len(),
        drafts.repeated,
        drafts.beyond,
        drafts.long,
        path.display()
    ));
    for (id, why) in &refused {
        progress::print(&format!("note: {id} is left out: {why}"));
    }
    for (id, words) in &drafts.doubtful {
        let words: Vec<_> = words.iter().map(|word| report::visible(word).into_owned()).collect();
        progress::print(&format!("note: {id} stays `redacted: false`: {} may be names", words.join(", ")));
    }
    Ok(())
}

/// Whether a suite of this task alone holds against the catalog: a name that is nearly one of the catalog's is taken
/// for misspelt there, and is no tool that never existed.
fn holds(suite: &DraftedSuite, task: &DraftedTask, catalog: &Catalog) -> Result<(), String> {
    let alone = DraftedSuite { tasks: vec![task.clone()], ..suite.clone() };
    let one_line = |error: probes::SuiteError| {
        let text = error.to_string();
        report::visible(text.lines().next().unwrap_or_default()).into_owned()
    };
    let (read, places) =
        Suite::from_text(Path::new("drafted.yaml"), &suite_yaml(&alone, HEAD)).map_err(one_line)?;
    read.check_catalog(catalog, &places).map(drop).map_err(one_line)
}

/// The catalog's path as the suite names it: from the suite's folder.
fn from_suite(suite: &Path, catalog: &Path) -> String {
    let folder = suite.parent().unwrap_or(Path::new(""));
    let is_below = |path: &Path| path.components().all(|part| matches!(part, Component::Normal(_)));
    if !is_below(folder) || !is_below(catalog) {
        return catalog.display().to_string();
    }
    if let Ok(beside) = catalog.strip_prefix(folder) {
        return beside.display().to_string();
    }
    let up = "../".repeat(folder.components().count());
    format!("{up}{}", catalog.display())
}
