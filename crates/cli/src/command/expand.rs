//! `toolmirage expand`: prints probes, without a model.

use std::fmt::Write as _;

use comfy_table::{ContentArrangement, Table, presets};
use indexmap::IndexMap;
use probes::{ExpandLine, KINDS, Skipped};
use report::visible;

use crate::args::ExpandArgs;
use crate::error::Failure;
use crate::exit::Exit;
use crate::inputs::{CellProbes, Configured, Inputs};
use crate::{output, progress};

/// Prints the probes of a suite.
pub(crate) fn run(args: &ExpandArgs, configured: Option<&Configured>) -> Result<Exit, Failure> {
    if args.list_kinds {
        output::print(&kinds())?;
        return Ok(Exit::Pass);
    }
    let inputs = Inputs::load(&args.suite, configured, None)?;
    if args.update {
        return freeze(&inputs);
    }
    if let Some(words) = inputs.lock_difference()? {
        progress::print(&format!("note: the suite differs from its lock: {words}; --update accepts it"));
    }
    let cells = inputs.cells()?;
    if args.json {
        let mut text = String::new();
        for probe in cells.iter().flat_map(|cell| &cell.probes) {
            text.push_str(&serde_json::to_string(&ExpandLine::of(probe))?);
            text.push('\n');
        }
        output::print(&text)?;
    } else {
        output::print(&table(&inputs, &cells))?;
    }
    Ok(Exit::Pass)
}

/// Writes the suite's lock, and says what changed in it.
fn freeze(inputs: &Inputs) -> Result<Exit, Failure> {
    let path = inputs.lock_path();
    let before = inputs.lock_difference()?;
    let existed = path.is_file();
    let mut text = serde_json::to_string_pretty(inputs.frozen())?;
    text.push('\n');
    output::write_file(&path, text.as_bytes())?;
    let questions = inputs.frozen().questions.len();
    let what = match (existed, before) {
        (false, _) => format!("{questions} questions are frozen"),
        (true, None) => format!("{questions} questions, as before"),
        (true, Some(words)) => format!("{questions} questions are frozen: {words}"),
    };
    output::print(&format!("{}: {}\n", visible(&path.display().to_string()), visible(&what)))?;
    Ok(Exit::Pass)
}

fn kinds() -> String {
    let mut out = String::new();
    for kind in KINDS {
        let _ = writeln!(out, "{:<20} {}", kind.name, kind.summary);
    }
    out
}

fn table(inputs: &Inputs, cells: &[CellProbes]) -> String {
    let mut out = String::new();
    let suite = &inputs.suite;
    for cell in cells {
        let prompt =
            cell.prompt.as_ref().map_or_else(|| "none".to_owned(), |prompt| visible(&prompt.label).into());
        let _ = writeln!(
            out,
            "suite {} v{} ({})   catalog {}, {} tools ({})   prompt {prompt}",
            suite.name,
            suite.version,
            inputs.derived.hash().short(),
            visible(inputs.catalog.label()),
            inputs.catalog.tools().len(),
            inputs.catalog.hash().short(),
        );
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(["probe", "wanted", "offered", "decoys", "headline"]);
        for probe in &cell.probes {
            let line = ExpandLine::of(probe);
            let headline: Vec<&str> = line.headline.iter().map(|rate| rate.as_str()).collect();
            let decoys: Vec<&str> = line.decoys.iter().map(|name| name.as_str()).collect();
            table.add_row([
                visible(line.id.as_str()).into_owned(),
                visible(line.tool.as_ref().map_or("none", |tool| tool.as_str())).into_owned(),
                line.catalog.len().to_string(),
                visible(&decoys.join(" ")).into_owned(),
                headline.join(" "),
            ]);
        }
        let _ = writeln!(out, "{}", trimmed(&table.to_string()));
        let _ = writeln!(out, "{} probes", cell.probes.len());
        for (id, reason) in &cell.stale {
            let _ = writeln!(out, "stale    {}: {}", visible(id.as_str()), visible(reason));
        }
    }
    out.push_str(&skipped(&inputs.derived.skipped));
    out
}

/// How many tasks a line names.
const NAMED: usize = 3;

/// Tasks that yield no probe of a kind: a line for each kind and reason.
fn skipped(skipped: &[Skipped]) -> String {
    let mut lines: IndexMap<(&str, &str), Vec<&str>> = IndexMap::new();
    for kind in KINDS {
        for one in skipped.iter().filter(|one| one.kind == kind.name) {
            lines.entry((kind.name, &one.reason)).or_default().push(&one.task);
        }
    }
    let mut out = String::new();
    for ((kind, reason), tasks) in lines {
        let named = tasks.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
        let more = tasks.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let _ = writeln!(out, "none     {kind}: {} ({named}{more})", visible(reason));
    }
    out
}

fn trimmed(text: &str) -> String {
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}
