//! `toolmirage catalog`: tools as production sends them. `pull` asks live servers and writes what they list, `check`
//! holds a catalog against a captured request, `diff` sets two versions side by side.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use probes::{Catalog, CatalogDifference, CatalogSource, derive_questions};
use serde::Serialize;
use transcript::ToolName;

use crate::args::{CatalogArgs, CatalogCommand, CheckArgs, DiffArgs, PullArgs};
use crate::error::Failure;
use crate::exit::Exit;
use crate::git::AtRef;
use crate::inputs::{Configured, Inputs};
use crate::{live, output, progress};

/// How many probes of one tool are named.
const SHOWN: usize = 3;

/// Runs the command.
pub(crate) fn run(args: &CatalogArgs, configured: Option<&Configured>) -> Result<Exit, Failure> {
    match &args.command {
        CatalogCommand::Pull(args) => pull(args, needed(configured)?),
        CatalogCommand::Check(args) => check(args, needed(configured)?),
        CatalogCommand::Diff(args) => diff(args, configured),
    }
}

fn needed(configured: Option<&Configured>) -> Result<&Configured, Failure> {
    configured.ok_or_else(|| {
        Failure::usage("there is no configuration")
            .with_help("name it with --config, or write one with `toolmirage init`")
    })
}

/// What came of one server.
#[derive(Debug, Serialize)]
struct PulledSource {
    catalog: String,
    server: String,
    file: String,
    tools: usize,
    /// How the server differs from the file; none where there was no file.
    difference: Option<CatalogDifference>,
    /// Why nothing, or not everything, could be read.
    error: Option<String>,
}

fn pull(args: &PullArgs, configured: &Configured) -> Result<Exit, Failure> {
    let mut pulled = Vec::new();
    for (name, source) in servers(configured, &args.catalogs)? {
        pulled.push(one(name, source, args, configured.folder())?);
    }
    if pulled.is_empty() {
        return Err(Failure::usage("no catalog of the configuration has an MCP server")
            .with_help("a source such as `{ mcp: tickets, command: npx -y @corp/tickets-mcp }` is one"));
    }
    let differs =
        |source: &PulledSource| source.difference.as_ref().is_none_or(|difference| !difference.is_empty());
    let exit = if pulled.iter().any(|source| source.error.is_some()) {
        Exit::Invalid
    } else if args.check && pulled.iter().any(differs) {
        Exit::Failed
    } else {
        Exit::Pass
    };
    if args.json {
        output::print_json(&pulled)?;
    } else {
        output::print(&pulled.iter().map(|source| source_text(source, args.check)).collect::<String>())?;
    }
    Ok(exit)
}

fn servers<'a>(
    configured: &'a Configured,
    wanted: &[String],
) -> Result<Vec<(&'a str, &'a CatalogSource)>, Failure> {
    let catalogs = &configured.config.catalogs;
    if let Some(unknown) = wanted.iter().find(|name| !catalogs.contains_key(*name)) {
        return Err(Failure::usage(format!("the configuration has no catalog `{unknown}`")));
    }
    let chosen = catalogs.iter().filter(|(name, _)| wanted.is_empty() || wanted.contains(name));
    let sources =
        chosen.flat_map(|(name, catalog)| catalog.sources.iter().map(move |source| (name.as_str(), source)));
    Ok(sources.filter(|(_, source)| source.mcp.is_some()).collect())
}

fn one(
    catalog: &str,
    source: &CatalogSource,
    args: &PullArgs,
    folder: &Path,
) -> Result<PulledSource, Failure> {
    let file = source.path();
    let path = folder.join(&file);
    let server = source.mcp.clone().unwrap_or_default();
    let mut out =
        PulledSource { catalog: catalog.to_owned(), server, file, tools: 0, difference: None, error: None };
    let pulled = match live::pull(source, Duration::from_secs(args.timeout)) {
        Ok(pulled) => pulled,
        Err(failure) if failure.exit == Exit::Invalid => {
            out.error = Some(failure.error.to_string());
            return Ok(out);
        }
        Err(failure) => return Err(failure),
    };
    out.tools = pulled.tools;
    out.error =
        pulled.cut_short.map(|why| format!("what comes behind its first {} tools: {why}", pulled.tools));
    let listed = Catalog::from_text(&path, &pulled.text)?;
    if path.is_file() {
        out.difference = Some(CatalogDifference::between(&Catalog::load(&path)?, &listed));
    }
    let keeps_whole = out.error.is_some() && path.is_file();
    if !args.check && !keeps_whole {
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        output::write_file(&path, pulled.text.as_bytes())?;
    }
    Ok(out)
}

fn source_text(source: &PulledSource, is_check: bool) -> String {
    let mut out = format!("{} {}: ", source.catalog, source.server);
    let file = &source.file;
    match (&source.error, &source.difference) {
        (Some(error), _) if source.tools == 0 => _ = writeln!(out, "not read; {error}"),
        (Some(error), _) => _ = writeln!(out, "not read whole; {error}"),
        (None, None) if is_check => _ = writeln!(out, "{} tools; `{file}` is not there", source.tools),
        (None, None) => _ = writeln!(out, "{} tools, written to {file}", source.tools),
        (None, Some(difference)) if difference.is_empty() => {
            _ = writeln!(out, "{} tools, as {file} has them", source.tools)
        }
        (None, Some(difference)) => {
            let _ = writeln!(
                out,
                "{} tools, others than {file} {}",
                source.tools,
                if is_check { "has" } else { "had" }
            );
            out.push_str(&difference_text(difference, &|_| String::new()));
        }
    }
    report::visible_block(&out).into_owned()
}

fn check(args: &CheckArgs, configured: &Configured) -> Result<Exit, Failure> {
    let catalogs = &configured.config.catalogs;
    if let Some(unknown) = args.catalogs.iter().find(|name| !catalogs.contains_key(*name)) {
        return Err(Failure::usage(format!("the configuration has no catalog `{unknown}`")));
    }
    let mut text = String::new();
    let mut found: Vec<(String, CatalogDifference)> = Vec::new();
    let chosen = catalogs.keys().filter(|name| args.catalogs.is_empty() || args.catalogs.contains(name));
    for name in chosen {
        let Some((file, difference)) = configured.captured_difference(name)? else { continue };
        if difference.is_empty() {
            let _ = writeln!(text, "{name}: equals {file}");
        } else {
            let _ = writeln!(text, "{name}: differs from {file}");
            text.push_str(&difference_text(&difference, &|_| String::new()));
        }
        found.push((name.clone(), difference));
    }
    if found.is_empty() {
        return Err(Failure::usage("no catalog of the configuration has `must_equal`")
            .with_help("`must_equal: FILE` names a request body captured in production"));
    }
    let differs = found.iter().any(|(_, difference)| !difference.is_empty());
    if args.json {
        let found: indexmap::IndexMap<String, CatalogDifference> = found.into_iter().collect();
        output::print_json(&found)?;
    } else {
        output::print(&report::visible_block(&text))?;
    }
    Ok(if differs { Exit::Failed } else { Exit::Pass })
}

/// A difference and the probes that it touches.
#[derive(Debug, Serialize)]
struct Touching {
    #[serde(flatten)]
    difference: CatalogDifference,
    /// By tool: the ids of the probes that want it or name it.
    probes: indexmap::IndexMap<ToolName, Vec<String>>,
}

fn diff(args: &DiffArgs, configured: Option<&Configured>) -> Result<Exit, Failure> {
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
        Err(failure) => return Err(failure),
    };
    let side = |name: Option<&str>| side(name, inputs.as_ref(), configured);
    let (first, second) = (side(Some(&args.first))?, side(args.second.as_deref())?);
    let difference = CatalogDifference::between(&first, &second);
    let mut probes: indexmap::IndexMap<ToolName, Vec<String>> = indexmap::IndexMap::new();
    for tool in difference.touched() {
        probes.insert(tool.clone(), inputs.as_ref().map(|inputs| touched(inputs, tool)).unwrap_or_default());
    }
    if args.json {
        output::print_json(&Touching { difference, probes })?;
        return Ok(Exit::Pass);
    }
    if difference.is_empty() {
        output::print("the catalogs are equal\n")?;
        return Ok(Exit::Pass);
    }
    let beside = |tool: &ToolName| probes.get(tool).map(|ids| ids_text(ids)).unwrap_or_default();
    output::print(&report::visible_block(&difference_text(&difference, &beside)))?;
    if inputs.is_none() {
        progress::print("note: no suite was read, so no probe is named; --suite FILE names one");
    }
    Ok(Exit::Pass)
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
            format!("  ({} probes: {shown}{more})", ids.len())
        }
    }
}

/// A difference in lines; `beside` says what stands behind a tool's name.
fn difference_text(difference: &CatalogDifference, beside: &dyn Fn(&ToolName) -> String) -> String {
    let mut out = String::new();
    for tool in &difference.added {
        let _ = writeln!(out, "  added    {tool}");
    }
    for tool in &difference.removed {
        let _ = writeln!(out, "  removed  {tool}{}", beside(tool));
    }
    for renamed in &difference.renamed {
        let _ = writeln!(out, "  renamed  {} to {}{}", renamed.from, renamed.to, beside(&renamed.from));
    }
    for changed in &difference.changed {
        let _ = writeln!(out, "  changed  {}{}", changed.tool, beside(&changed.tool));
        for change in &changed.changes {
            let _ = writeln!(out, "           {change}");
        }
    }
    if let Some(order) = &difference.order {
        let _ = writeln!(out, "  order    `{}` stands where `{}` stood", order.second, order.first);
    }
    out
}
