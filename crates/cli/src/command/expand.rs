//! `toolmirage expand`: prints probes, without a model.

use std::fmt::Write as _;
use std::sync::Arc;

use comfy_table::{ContentArrangement, Table, presets};
use indexmap::{IndexMap, IndexSet};
use probes::{ARMS, ExpandLine, KINDS, Probe, Skipped};
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
    if args.list_arms {
        output::print(&arms())?;
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
        output::print(&table(&inputs, &cells, args.all))?;
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

fn arms() -> String {
    let mut out = String::new();
    for arm in ARMS {
        let _ = writeln!(out, "{:<20} {}", arm.name, arm.summary);
        if let [usual, others @ ..] = arm.values {
            let others: Vec<String> = others.iter().map(|value| format!("{}={value}", arm.name)).collect();
            let _ = writeln!(out, "{:<20} without a value: {usual}; or {}", "", others.join(", "));
        }
    }
    out
}

fn table(inputs: &Inputs, cells: &[CellProbes], all: bool) -> String {
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
        let _ = writeln!(out, "{} probes{}", cell.probes.len(), by_arm(&cell.probes));
        for (id, reason) in &cell.stale {
            let _ = writeln!(out, "stale    {}: {}", visible(id.as_str()), visible(reason));
        }
    }
    let skipped = &inputs.derived.skipped;
    out.push_str(&if all { each_skipped(skipped) } else { by_reason(skipped) });
    out
}

/// ` (250 in the base arm, strict 182)`: probes by arm, where there are arms.
fn by_arm(probes: &[Arc<Probe>]) -> String {
    let counts = probes_by_arm(probes.iter().map(AsRef::as_ref));
    if counts.is_empty() {
        return String::new();
    }
    let base = probes.len() as u64 - counts.values().sum::<u64>();
    let arms: Vec<String> = counts.iter().map(|(arm, probes)| format!("{arm} {probes}")).collect();
    format!(" ({base} in the base arm, {})", arms.join(", "))
}

/// Probes of each arm but the base arm, in the order in which they come.
pub(crate) fn probes_by_arm<'p>(probes: impl Iterator<Item = &'p Probe>) -> IndexMap<String, u64> {
    let mut counts = IndexMap::new();
    for arm in probes.filter_map(|probe| probe.question.arm.as_ref()) {
        *counts.entry(arm.to_string()).or_default() += 1;
    }
    counts
}

/// How many tasks a line names.
const NAMED: usize = 3;

/// How many reasons are shown where not all are asked for.
const REASONS: usize = 5;

/// Why tasks yield no probe of a kind or under an arm, which is no fault: the commonest reasons, each with how many tasks
/// and kinds it holds for.
fn by_reason(skipped: &[Skipped]) -> String {
    let mut reasons: IndexMap<&str, (IndexSet<&str>, IndexSet<&str>)> = IndexMap::new();
    for one in skipped {
        let (kinds, tasks) = reasons.entry(&one.reason).or_default();
        kinds.insert(&one.kind);
        tasks.insert(&one.task);
    }
    if reasons.is_empty() {
        return String::new();
    }
    reasons.sort_by(|_, one, _, other| other.1.len().cmp(&one.1.len()));
    let mut out = "not every task has a probe of every kind; --all shows which has none:\n".to_owned();
    for (reason, (kinds, tasks)) in reasons.iter().take(REASONS) {
        let of = match kinds.iter().collect::<Vec<_>>()[..] {
            [only] => visible(only).into_owned(),
            ref several => format!("{} kinds", several.len()),
        };
        let s = if tasks.len() == 1 { "" } else { "s" };
        let _ = writeln!(out, "  {} task{s}, {of}: {}", tasks.len(), visible(reason));
    }
    let more = reasons.len().saturating_sub(REASONS);
    if more > 0 {
        let s = if more == 1 { "" } else { "s" };
        let _ = writeln!(out, "  and {more} other reason{s}");
    }
    out
}

/// The same, a line for each kind and reason.
fn each_skipped(skipped: &[Skipped]) -> String {
    let mut lines: IndexMap<(&str, &str), Vec<&str>> = IndexMap::new();
    let kinds = KINDS.iter().map(|kind| kind.name);
    // Arms stand behind the kinds, as the suite names them.
    let arms = skipped.iter().map(|one| one.kind.as_str()).filter(|kind| kind.starts_with('@'));
    for name in kinds.chain(arms.collect::<IndexSet<_>>()) {
        for one in skipped.iter().filter(|one| one.kind == name) {
            lines.entry((name, &one.reason)).or_default().push(&one.task);
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
