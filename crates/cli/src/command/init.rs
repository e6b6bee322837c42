//! `toolmirage init`: configuration and suite from somebody's own tools.

pub(crate) mod files;
mod request;
mod sources;

use std::path::{Path, PathBuf};

use drafter::{
    ConfigDraft, DraftedPrompt, DraftedSuite, DraftedTask, config_yaml, draft_from_traces, draft_tasks, slug,
    suite_yaml,
};
use indexmap::IndexMap;
use probes::{Catalog, Expansion, Prompt, RateName, Suite, Task, derive_questions, expand, read_yaml};
use serde::Serialize;

use crate::args::InitArgs;
use crate::config::{CONFIG_FORMAT, Config, KNOWN_NOT_IN_THIS_BUILD};
use crate::error::Failure;
use crate::exit::Exit;
use crate::{output, progress};
use files::Files;
use sources::{Sources, read};

/// Kinds that a drafted suite asks for, as far as the build has them and its tasks yield probes of them.
const KINDS: &[&str] = &[
    "control",
    "no_tool_needed",
    "decoy",
    "lookalike",
    "optional_argument",
    "missing_argument",
    "overclaimed_prompt",
];

/// Up to so many tasks all probes are made, to count them.
const COUNTED: usize = 400;

/// Of more tasks so many are tried, to see which kinds yield probes.
const SAMPLE: usize = 100;

/// What stands at the head of a drafted suite.
const HEAD: &[&str] = &[
    "Drafted from the tools' schemas by `toolmirage init`: nobody has read these tasks yet.",
    "`toolmirage review` shows one at a time; delete `draft: true` where a task is as it should be.",
    "A value stands in the user's words as it must be sent; what nobody asked for is `absent`.",
];

/// What was made.
#[derive(Debug, Serialize)]
struct Made {
    folder: String,
    files: Vec<String>,
    tools: usize,
    tasks: usize,
    /// Probes of the suite; none where the catalog is so large that counting them would take minutes.
    probes: Option<usize>,
    /// Sources that could not be read, with the reason.
    left_out: Vec<String>,
    notes: Vec<String>,
}

/// Writes configuration, suite and catalogs.
pub(crate) fn run(args: &InitArgs, quiet: bool) -> Result<Exit, Failure> {
    let sources = read(args)?;
    let name = args.name.clone().unwrap_or_else(|| sources.name());
    if name != slug(&name) {
        return Err(Failure::usage(format!("`{name}` is no name of a suite"))
            .with_help(format!("use lower-case letters, digits and hyphens, such as `{}`", slug(&name))));
    }
    let stage = tempfile::tempdir()?;
    let mut files = Files::new(stage.path());
    for source in &sources.found {
        files.put(&source.file, &source.bytes)?;
    }
    let prompts = prompts(args, &sources)?;
    let mut notes = sources.notes.clone();
    for (name, file, text) in &prompts {
        files.put(file, text.as_bytes())?;
        if let Err(error) =
            Prompt::render(name, Path::new(file), text, &IndexMap::new(), &IndexMap::new(), None)
        {
            let first =
                error.diagnostics().first().map(|mistake| mistake.message.clone()).unwrap_or_default();
            notes.push(format!("prompt {name}: {first}; give its value under `vars:` in toolmirage.yaml"));
        }
    }
    let captured = sources.captured.as_ref();
    let must_equal = captured
        .filter(|_| sources.found.len() == 1)
        .map(|(name, _)| format!("captured/{name}.request.json"));
    if let (Some(file), Some((_, captured))) = (&must_equal, captured) {
        files.put(file, captured.body.as_bytes())?;
    }
    let mut config = ConfigDraft {
        catalog: name.clone(),
        sources: sources.found.iter().map(sources::Source::drafted).collect(),
        prompts: prompts
            .iter()
            .map(|(name, file, _)| DraftedPrompt { name: name.clone(), file: file.clone() })
            .collect(),
        suite: format!("suites/{name}.yaml"),
        must_equal,
        settings: captured.map(|(_, captured)| captured.settings.clone()).unwrap_or_default(),
        model: captured.and_then(|(_, captured)| captured.model.clone()),
        rates: Vec::new(),
    };
    let catalog = joined(&config, stage.path())?;
    let mut tasks = draft_tasks(&catalog, args.seed);
    for path in &args.from_traces {
        traced(path, &catalog, &mut tasks, &mut notes)?;
    }
    let suite = DraftedSuite {
        name: name.clone(),
        seed: args.seed,
        catalog: name.clone(),
        prompts: prompts.iter().map(|(name, ..)| name.clone()).collect(),
        kinds: KINDS
            .iter()
            .filter(|kind| probes::kind(kind).is_some())
            .map(|kind| (*kind).to_owned())
            .collect(),
        tasks,
    };
    let drafted = drafted(suite, &catalog)?;
    config.rates.clone_from(&drafted.rates);
    files.put(&config.suite, drafted.text.as_bytes())?;
    files.put("toolmirage.yaml", config_yaml(&config).as_bytes())?;
    files.move_to(&args.dir, args.force)?;

    let made = Made {
        folder: args.dir.display().to_string(),
        files: files.names().to_vec(),
        tools: catalog.tools().len(),
        tasks: drafted.suite.tasks.len(),
        probes: drafted.probes,
        left_out: sources.left_out.iter().map(|(source, why)| format!("{source}: {why}")).collect(),
        notes,
    };
    report(&made, args, quiet)?;
    Ok(sources.exit())
}

/// The catalog that a configuration of these sources has.
fn joined(config: &ConfigDraft, folder: &Path) -> Result<Catalog, Failure> {
    let path = PathBuf::from("toolmirage.yaml");
    let (read, places) =
        read_yaml::<Config>(&path, &config_yaml(config), CONFIG_FORMAT, KNOWN_NOT_IN_THIS_BUILD)?;
    let sources =
        read.catalogs.get(&config.catalog).map(|catalog| catalog.sources.clone()).unwrap_or_default();
    let pointer = format!("/catalogs/{}/sources", config.catalog);
    Ok(Catalog::from_sources(&config.catalog, folder, &sources, (&places, &pointer))?)
}

/// A suite with its text and what it comes to.
struct Drafted {
    suite: DraftedSuite,
    text: String,
    probes: Option<usize>,
    rates: Vec<&'static str>,
}

/// The prompts: those that flags name, and that of the captured request. Name, file and text.
fn prompts(args: &InitArgs, sources: &Sources) -> Result<Vec<(String, String, String)>, Failure> {
    let mut prompts: Vec<(String, String, String)> = Vec::new();
    for flag in &args.prompt {
        let Some((name, path)) = flag.split_once('=').filter(|(name, _)| *name == slug(name)) else {
            return Err(Failure::usage(format!("`--prompt {flag}` names no prompt"))
                .with_help("write NAME=FILE, the name of lower-case letters, digits and hyphens"));
        };
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::usage(format!("cannot read `{path}`: {error}")))?;
        prompts.push((name.to_owned(), format!("prompts/{name}.md"), text));
    }
    if let Some((name, captured)) = &sources.captured
        && let Some(text) = &captured.prompt
    {
        let name = slug(name);
        prompts.push((name.clone(), format!("prompts/{name}.md"), text.clone()));
    }
    Ok(prompts)
}

/// Adds the tasks of traces.
fn traced(
    path: &Path,
    catalog: &Catalog,
    tasks: &mut Vec<DraftedTask>,
    notes: &mut Vec<String>,
) -> Result<(), Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("cannot read `{}`: {error}", path.display())))?;
    let drafts = draft_from_traces(catalog, &sources::file_label(path), &text, tasks);
    notes.push(format!(
        "{}: {} tasks from {} turns with one call that succeeded, of {} lines ({} unreadable)",
        path.display(),
        drafts.tasks.len(),
        drafts.turns,
        drafts.lines,
        drafts.unreadable
    ));
    tasks.extend(drafts.tasks);
    Ok(())
}

/// Reads the drafted suite back as everybody will, and keeps the kinds that yield probes.
fn drafted(mut suite: DraftedSuite, catalog: &Catalog) -> Result<Drafted, Failure> {
    let is_whole = suite.tasks.len() <= COUNTED;
    let expansion = expanded(&suite, catalog)?;
    suite.kinds.retain(|kind| expansion.probes.iter().any(|probe| probe.question.kind == *kind));
    let rates = [RateName::UnknownTool, RateName::ShadowCall, RateName::HallucinatedArgument];
    let has = |rate: &RateName| {
        expansion.probes.iter().any(|probe| probe.question.expectation.headline.contains(rate))
    };
    let rates = rates.into_iter().filter(has).map(RateName::as_str).collect();
    let text = suite_yaml(&suite, HEAD);
    let probes = is_whole.then_some(expansion.probes.len());
    Ok(Drafted { suite, text, probes, rates })
}

fn expanded(suite: &DraftedSuite, catalog: &Catalog) -> Result<Expansion, Failure> {
    let path = PathBuf::from(format!("suites/{}.yaml", suite.name));
    let (mut read, places) = Suite::from_text(&path, &suite_yaml(suite, HEAD))?;
    read.check_catalog(catalog, &places)?;
    if read.tasks.len() > COUNTED {
        let step = read.tasks.len() / SAMPLE;
        let of_sample =
            |(at, task): (usize, Task)| (at % step == 0 || task.wanted().is_none()).then_some(task);
        read.tasks = std::mem::take(&mut read.tasks).into_iter().enumerate().filter_map(of_sample).collect();
    }
    Ok(expand(&derive_questions(&read), &std::sync::Arc::new(catalog.clone()), None))
}

fn report(made: &Made, args: &InitArgs, quiet: bool) -> Result<(), Failure> {
    if !quiet {
        for note in &made.notes {
            progress::print(&format!("note: {note}"));
        }
    }
    for left_out in &made.left_out {
        progress::print(&format!("error: left out {left_out}"));
    }
    if args.json {
        return output::print_json(made);
    }
    let shown = ::report::visible(&made.folder).into_owned();
    let suite = made.files.iter().find(|file| file.starts_with("suites/")).cloned().unwrap_or_default();
    output::print(&format!(
        "{} tools, {} drafted tasks{}\n\n{}\n\nnext      toolmirage expand {shown}/{suite}\n          toolmirage run {shown}/{suite} --target sim:careless\n          then fill in `targets:` in {shown}/toolmirage.yaml\n",
        made.tools,
        made.tasks,
        made.probes.map_or_else(String::new, |probes| format!(", {probes} probes")),
        made.files
            .iter()
            .map(|file| format!("wrote     {shown}/{}", ::report::visible(file)))
            .collect::<Vec<_>>()
            .join("\n"),
    ))
}
