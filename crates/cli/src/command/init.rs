//! `toolmirage init`: configuration and suite from somebody's own tools.

pub(crate) mod files;
mod request;
mod sources;
mod wording;

use std::path::{Path, PathBuf};

use drafter::{
    Caller, ConfigDraft, DraftedPrompt, DraftedSuite, DraftedTask, config_yaml, draft_from_traces,
    draft_tasks, slug, suite_yaml, without_canary,
};
use indexmap::IndexMap;
use probes::{
    Catalog, Derived, Expansion, KINDS, Prompt, RateName, Suite, Task, derive_questions, expand, read_yaml,
};
use serde::Serialize;

use crate::args::InitArgs;
use crate::config::{CONFIG_FORMAT, Config, KNOWN_NOT_IN_THIS_BUILD};
use crate::error::Failure;
use crate::exit::Exit;
use crate::inputs::Configured;
use crate::{output, progress};
use files::Files;
use sources::{Sources, read};

/// Up to so many tasks all probes are made, to count them.
const COUNTED: usize = 400;

/// Of more tasks so many are tried, to see which kinds yield probes.
const SAMPLE: usize = 60;

/// What stands at the head of a drafted suite.
const HEAD: &[&str] = &[
    "Drafted from the tools' schemas by `toolmirage init`: nobody has read these tasks yet.",
    "`toolmirage review` shows one at a time; delete `draft: true` where a task is as it should be.",
    "A value stands in the user's words as it must be sent; what nobody asked for is `absent`.",
    "",
    "`kinds` has every kind that these tools support. That is much: the profiles `pr` and `weekly` of toolmirage.yaml",
    "take the kinds of the three gated rates, `upgrade` takes all. `size_ladder` and `broken_read`, which make up to 16",
    "and 10 probes of a task, are told under each task's `kinds` which part of them is its share (`rungs: []`: none).",
];

/// The prompt that is written where nobody names one and tools ask who is acting.
const CALLER_PROMPT: &str = "caller";

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
pub(crate) fn run(args: &InitArgs, configured: Option<&Configured>, quiet: bool) -> Result<Exit, Failure> {
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
        prompts: Vec::new(),
        suite: format!("suites/{name}.yaml"),
        must_equal,
        settings: captured.map(|(_, captured)| captured.settings.clone()).unwrap_or_default(),
        model: captured.and_then(|(_, captured)| captured.model.clone()),
        rates: Vec::new(),
        kinds: Vec::new(),
    };
    let catalog = joined(&config, stage.path())?;
    let (caller, prompts) = caller(&catalog, args.seed, prompts, &mut notes);
    config.prompts = prompts
        .iter()
        .map(|(name, file, _)| DraftedPrompt { name: name.clone(), file: file.clone() })
        .collect();
    for prompt in &prompts {
        written(prompt, &caller, &mut files, &mut notes)?;
    }
    let mut tasks = draft_tasks(&catalog, args.seed, &caller);
    notes.extend(wording::by_a_model(args, configured, &catalog, &mut tasks)?);
    notes.extend(without_canary_note(&without_canary(&catalog, &tasks)));
    for path in &args.from_traces {
        traced(path, &catalog, &mut tasks, &mut notes)?;
    }
    let suite = DraftedSuite {
        name: name.clone(),
        seed: args.seed,
        catalog: name.clone(),
        prompts: prompts.iter().map(|(name, ..)| name.clone()).collect(),
        principal: caller.values().clone(),
        kinds: KINDS.iter().map(|kind| kind.name.to_owned()).collect(),
        tasks,
    };
    let drafted = drafted(suite, &catalog)?;
    config.rates.clone_from(&drafted.rates);
    config.kinds.clone_from(&drafted.kinds);
    notes.extend(unsupported_notes(&drafted));
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
    /// Kinds with probes, and how many where all were counted.
    kinds: Vec<(String, Option<usize>)>,
    /// Kinds without probes, and why.
    without: Vec<(&'static str, String)>,
}

/// A prompt's name, file and text.
type NamedPrompt = (String, String, String);

/// Whose requests the tasks are, and the prompts that say so: one of our own where nobody names any and tools ask
/// who is acting.
fn caller(
    catalog: &Catalog,
    seed: u64,
    mut prompts: Vec<NamedPrompt>,
    notes: &mut Vec<String>,
) -> (Caller, Vec<NamedPrompt>) {
    let asked = Caller::of(catalog, seed);
    if prompts.is_empty() {
        if let Some(text) = asked.prompt() {
            let file = format!("prompts/{CALLER_PROMPT}.md");
            notes.push(format!(
                "tools ask who is acting, and no --prompt is named: {file} says it; put what production sends in its place"
            ));
            prompts.push((CALLER_PROMPT.to_owned(), file, text));
        }
        return (asked, prompts);
    }
    let texts: Vec<&str> = prompts.iter().map(|(.., text)| text.as_str()).collect();
    let shown = asked.clone().shown_in(&texts);
    for key in asked.values().keys().filter(|key| !shown.values().contains_key(*key)) {
        notes.push(format!(
            "tools ask for the caller's {key}, and not every prompt shows `{{{{principal.{key}}}}}`: the users' words give it, and no `principal` probe comes of it"
        ));
    }
    (shown, prompts)
}

/// Puts a prompt among the files, and says which of its placeholders has no value.
fn written(
    (name, file, text): &NamedPrompt,
    caller: &Caller,
    files: &mut Files,
    notes: &mut Vec<String>,
) -> Result<(), Failure> {
    files.put(file, text.as_bytes())?;
    let principal = caller.values().iter().map(|(key, value)| (key.clone(), value.as_str().into())).collect();
    if let Err(error) = Prompt::render(name, Path::new(file), text, &IndexMap::new(), &principal, None) {
        let first = error.diagnostics().first().map(|mistake| mistake.message.clone()).unwrap_or_default();
        notes.push(format!("prompt {name}: {first}; give its value under `vars:` in toolmirage.yaml"));
    }
    Ok(())
}

/// Says which reading tools have no canary.
fn without_canary_note(names: &[&str]) -> Option<String> {
    let shown: Vec<String> = names.iter().take(5).map(|name| ::report::visible(name).into_owned()).collect();
    let more = if names.len() > 5 { format!(" and {} more", names.len() - 5) } else { String::new() };
    let tools = if names.len() == 1 { "tool has" } else { "tools have" };
    (!names.is_empty()).then(|| {
        format!(
            "{} reading {tools} no `canary` (a result that contradicts what a model would say by itself): neither output schema nor description says what comes back. Write one under the task's `kinds`: {}{more}",
            names.len(),
            shown.join(", ")
        )
    })
}

/// Says which kinds this catalog supports no probe of, what each is for, and why there is none.
fn unsupported_notes(drafted: &Drafted) -> impl Iterator<Item = String> {
    drafted.without.iter().map(|(kind, reason)| {
        let kind = KINDS.iter().find(|one| one.name == *kind);
        let (name, isolates) = kind.map_or(("", ""), |kind| (kind.name, kind.isolates));
        format!("no `{name}` probes ({isolates}) come of these tools: {}", ::report::visible(reason))
    })
}

/// Why a kind has no probe: what keeps most tasks from it, those that want no tool aside.
fn why_none(kind: &str, derived: &Derived, expansion: &Expansion) -> String {
    let mut counts: IndexMap<&str, usize> = IndexMap::new();
    for skipped in derived.skipped.iter().filter(|skipped| skipped.kind == kind) {
        *counts.entry(&skipped.reason).or_default() +=
            usize::from(!skipped.reason.contains("wants no tool")) + 1;
    }
    let part = format!(".{kind}");
    for (_, reason) in expansion.stale.iter().filter(|(id, _)| id.as_str().contains(&part)) {
        *counts.entry(reason).or_default() += 2;
    }
    let most = counts.values().max().copied().unwrap_or_default();
    let first = counts.iter().find(|(_, count)| **count == most);
    first.map_or_else(|| "no task gives what it needs".to_owned(), |(reason, _)| (*reason).to_owned())
}

/// The prompts: those that flags name, and that of the captured request. Name, file and text.
fn prompts(args: &InitArgs, sources: &Sources) -> Result<Vec<NamedPrompt>, Failure> {
    let mut prompts: Vec<NamedPrompt> = Vec::new();
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
    for (task, words) in &drafts.doubtful {
        notes.push(format!(
            "{task} stays `redacted: false`: {} may be names",
            words.iter().map(|word| ::report::visible(word).into_owned()).collect::<Vec<_>>().join(", ")
        ));
    }
    if !drafts.tasks.is_empty() {
        notes.push(
            "names are replaced where the words around them say that they are names; one in lower case cannot be told from a word: read these tasks".to_owned(),
        );
    }
    tasks.extend(drafts.tasks);
    Ok(())
}

/// Reads the drafted suite back as everybody will, and keeps the kinds that yield probes.
fn drafted(mut suite: DraftedSuite, catalog: &Catalog) -> Result<Drafted, Failure> {
    let is_whole = suite.tasks.len() <= COUNTED;
    let (derived, expansion) = expanded(&suite, catalog)?;
    let counted =
        |kind: &String| expansion.probes.iter().filter(|probe| probe.question.kind == *kind).count();
    let without = KINDS.iter().map(|kind| kind.name).filter(|name| counted(&(*name).to_owned()) == 0);
    let without = without.map(|name| (name, why_none(name, &derived, &expansion))).collect();
    suite.kinds.retain(|kind| counted(kind) > 0);
    let kinds = suite.kinds.iter().map(|kind| (kind.clone(), is_whole.then(|| counted(kind)))).collect();
    let rates = [RateName::UnknownTool, RateName::ShadowCall, RateName::HallucinatedArgument];
    let has = |rate: &RateName| {
        expansion.probes.iter().any(|probe| probe.question.expectation.headline.contains(rate))
    };
    let rates = rates.into_iter().filter(has).map(RateName::as_str).collect();
    let text = suite_yaml(&suite, HEAD);
    let probes = is_whole.then_some(expansion.probes.len());
    Ok(Drafted { suite, text, probes, rates, kinds, without })
}

fn expanded(suite: &DraftedSuite, catalog: &Catalog) -> Result<(Derived, Expansion), Failure> {
    let path = PathBuf::from(format!("suites/{}.yaml", suite.name));
    let (mut read, places) = Suite::from_text(&path, &suite_yaml(suite, HEAD))?;
    read.check_catalog(catalog, &places)?;
    if read.tasks.len() > COUNTED {
        read.tasks = sample(std::mem::take(&mut read.tasks));
    }
    let derived = derive_questions(&read);
    let expansion = expand(&derived, &std::sync::Arc::new(catalog.clone()), None);
    Ok((derived, expansion))
}

/// Some of many tasks: one of each stretch, each from another place of it, and the first that tells a kind something
/// that few tasks do.
fn sample(tasks: Vec<Task>) -> Vec<Task> {
    let step = (tasks.len() / SAMPLE).max(1);
    let mut told = [false; 4];
    let mut is_first = |task: &Task| {
        let kinds = &task.kinds;
        let has = [
            kinds.canary.is_some(),
            kinds.phantom.is_some(),
            kinds.wrong_value.is_some(),
            kinds.principal.is_some(),
        ];
        let is_new = has.iter().zip(&told).any(|(has, told)| *has && !told);
        told.iter_mut().zip(has).for_each(|(told, has)| *told |= has);
        is_new
    };
    let of_sample = |(at, task): (usize, Task)| {
        let is_due = at % step == (at / step * 7) % step;
        (is_first(&task) || is_due || task.wanted().is_none()).then_some(task)
    };
    tasks.into_iter().enumerate().filter_map(of_sample).collect()
}

/// `1 tool`, `2 tools`.
fn many(count: usize, thing: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{s}")
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
        "{}, {}{}\n\n{}\n\nnext      toolmirage review {shown}/{suite}   # every task is a draft that nobody has read\n          toolmirage expand {shown}/{suite}\n          toolmirage run {shown}/{suite} --profile weekly --repeats 1 --target sim:careless\n          then fill in `targets:` in {shown}/toolmirage.yaml\n",
        many(made.tools, "tool"),
        many(made.tasks, "drafted task"),
        made.probes.map_or_else(String::new, |probes| format!(", {}", many(probes, "probe"))),
        made.files
            .iter()
            .map(|file| format!("wrote     {shown}/{}", ::report::visible(file)))
            .collect::<Vec<_>>()
            .join("\n"),
    ))
}
