//! `toolmirage catalog diff`: two catalogs side by side, and the probes that a change touches.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;
use probes::{Catalog, CatalogDifference, ChangedTool, derive_questions, expand};
use serde::Serialize;
use transcript::{ProbeId, ToolName};

use crate::args::DiffArgs;
use crate::command::catalog::difference_text;
use crate::error::Failure;
use crate::exit::Exit;
use crate::git::AtRef;
use crate::inputs::{Configured, Inputs};
use crate::{output, progress};

/// How many probes of one tool are named.
const SHOWN: usize = 3;

/// A difference and the probes that it touches.
#[derive(Debug, Serialize)]
struct Touching {
    #[serde(flatten)]
    difference: CatalogDifference,
    /// By tool: the ids of the probes that want it or name it.
    probes: IndexMap<ToolName, Vec<String>>,
    /// By reason: the ids of the probes that hold on the first side, and not on the second.
    stale: IndexMap<String, Vec<String>>,
}

/// Compares two catalogs.
pub(super) fn run(args: &DiffArgs, configured: Option<&Configured>) -> Result<Exit, Failure> {
    let suite = crate::args::SuiteArgs {
        suite: args.suite.clone(),
        filler: None,
        kinds: Vec::new(),
        arms: Vec::new(),
        only: Vec::new(),
        limit: None,
    };
    let are_files = Path::new(&args.first).is_file()
        && args.second.as_deref().is_some_and(|second| Path::new(second).is_file());
    let inputs = match Inputs::load(&suite, configured, None) {
        Ok(inputs) => Some(inputs),
        // Two files need no suite; without one no probe is named.
        Err(_) if are_files && args.suite.is_none() => None,
        Err(failure) if args.suite.is_none() && configured.is_none() => {
            return Err(failure.with_help("--suite FILE names the suite whose catalog is meant"));
        }
        Err(failure) => return Err(failure),
    };
    let side = |name: Option<&str>| side(name, inputs.as_ref(), configured);
    let (first, second) = (side(Some(&args.first))?, side(args.second.as_deref())?);
    let mut difference = CatalogDifference::between(&first, &second);
    deprecations(&first, &second, &mut difference);
    let mut probes: IndexMap<ToolName, Vec<String>> = IndexMap::new();
    for tool in difference.touched() {
        probes.insert(tool.clone(), inputs.as_ref().map(|inputs| touched(inputs, tool)).unwrap_or_default());
    }
    let stale = inputs.as_ref().map(|inputs| stale(inputs, first, second)).unwrap_or_default();
    if args.json {
        output::print_json(&Touching { difference, probes, stale })?;
        return Ok(Exit::Pass);
    }
    if difference.is_empty() {
        output::print("the catalogs are equal\n")?;
        return Ok(Exit::Pass);
    }
    let beside = |tool: &ToolName| probes.get(tool).map(|ids| ids_text(ids)).unwrap_or_default();
    let text = format!("{}{}", difference_text(&difference, &beside), stale_text(&stale));
    output::print(&report::visible_block(&text))?;
    if inputs.is_none() {
        progress::print("note: no suite was read, so no probe is named; --suite FILE names one");
    }
    Ok(Exit::Pass)
}

/// Tools that only one side marks as deprecated. A captured request has no such mark, so that `between` does not look.
fn deprecations(first: &Catalog, second: &Catalog, difference: &mut CatalogDifference) {
    for tool in first.tools() {
        let Some(other) = second.get(tool.name.as_str()).filter(|other| other.deprecated != tool.deprecated)
        else {
            continue;
        };
        let change = if other.deprecated { "it is deprecated" } else { "it is not deprecated any more" };
        match difference.changed.iter_mut().find(|changed| changed.tool == tool.name) {
            Some(changed) => changed.changes.push(change.to_owned()),
            None => difference
                .changed
                .push(ChangedTool { tool: tool.name.clone(), changes: vec![change.to_owned()] }),
        }
    }
}

/// The questions that do not hold any more on the second side, by the reason.
fn stale(inputs: &Inputs, first: Catalog, second: Catalog) -> IndexMap<String, Vec<String>> {
    let derived = derive_questions(&inputs.suite);
    let before: HashSet<ProbeId> =
        expand(&derived, &Arc::new(first), None).stale.into_iter().map(|(id, _)| id).collect();
    let mut reasons: IndexMap<String, Vec<String>> = IndexMap::new();
    for (id, reason) in expand(&derived, &Arc::new(second), None).stale {
        if !before.contains(&id) {
            reasons.entry(reason).or_default().push(id.to_string());
        }
    }
    reasons
}

fn stale_text(stale: &IndexMap<String, Vec<String>>) -> String {
    let lines = stale.iter().map(|(reason, ids)| format!("  stale    {reason}{}\n", ids_text(ids)));
    lines.collect()
}

/// One side: a file, else a git ref; none: the work tree's.
fn side(
    name: Option<&str>,
    inputs: Option<&Inputs>,
    configured: Option<&Configured>,
) -> Result<Catalog, Failure> {
    let Some(name) = name else {
        let inputs =
            inputs.ok_or_else(|| Failure::usage("there is no suite whose catalog could be compared"))?;
        return Ok((*inputs.catalog).clone());
    };
    if Path::new(name).is_file() {
        return Ok(Catalog::load(Path::new(name))?);
    }
    let inputs = inputs.ok_or_else(|| Failure::usage(format!("`{name}` is no file")))?;
    let folder =
        inputs.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let at = AtRef::open(name, folder)?;
    Ok((*inputs.at(&at, configured)?.catalog).clone())
}

/// The probes whose task wants a tool, or names it among its substitutes and reads.
fn touched(inputs: &Inputs, tool: &ToolName) -> Vec<String> {
    let names = |task: &probes::Task| {
        task.wanted() == Some(tool.as_str())
            || task.substitutes.contains(tool)
            || task.read_only.contains(tool)
    };
    let tasks: Vec<&str> =
        inputs.suite.tasks.iter().filter(|task| names(task)).map(|task| task.id.as_str()).collect();
    let derived = derive_questions(&inputs.suite);
    let questions = derived.questions.iter().filter(|question| tasks.contains(&question.task.as_str()));
    questions.map(|question| question.id.to_string()).collect()
}

fn ids_text(ids: &[String]) -> String {
    match ids {
        [] => "  (no probe)".to_owned(),
        ids => {
            let shown = ids.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
            let more = ids.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let probes = if ids.len() == 1 { "1 probe".to_owned() } else { format!("{} probes", ids.len()) };
            format!("  ({probes}: {shown}{more})")
        }
    }
}
