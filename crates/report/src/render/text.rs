//! The figures on one screen: at most 40 lines, for a terminal (EXAMPLES.md section 3).

mod comparison;
mod headline;
mod layout;
mod verdict;

use std::collections::BTreeSet;
use std::io::Write;

use indexmap::IndexMap;
use layout::{columns, labelled, push_wrapped};
use probes::RateName;
use transcript::{ProbeId, ServedVerdict};

use super::shell;
use crate::number::{count, counted, duration, of, one_in};
use crate::report::cause_words;
use crate::table::{arm_lines, form_word, others_words, reasons};
use crate::text_safe::{cropped, cropped_name};
use crate::{Report, ReportError, RunCost};

/// Columns that a line may have.
const WIDTH: usize = 100;
/// Columns that no line exceeds, whatever names stand in it.
const WIDEST: usize = 120;
/// Lines of a screen.
const LINES: usize = 40;

/// How much of each list is shown.
#[derive(Debug, Clone, Copy)]
struct Limits {
    cells: usize,
    invented: usize,
    notes: usize,
    /// Whether blank lines set the parts apart.
    airy: bool,
}

/// As much as most reports have room for, and what always fits.
const LIMITS: [Limits; 2] = [
    Limits { cells: 8, invented: 4, notes: 2, airy: true },
    Limits { cells: 5, invented: 2, notes: 1, airy: false },
];

/// Writes the report for a terminal.
pub(super) fn draw(report: &Report, out: &mut dyn Write) -> Result<(), ReportError> {
    let mut lines = Vec::new();
    for limits in LIMITS {
        lines = screen(report, limits);
        if lines.len() <= LINES {
            break;
        }
    }
    for line in lines {
        // Whatever was put together above, nothing that a terminal obeys gets through.
        writeln!(out, "{}", cropped(line.trim_end(), WIDEST))?;
    }
    Ok(())
}

fn screen(report: &Report, limits: Limits) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(report.notice.clone());
    lines.extend(report.unfinished.clone());
    match &report.comparison {
        Some(comparison) => comparison::draw(report, comparison, limits, &mut lines),
        None => run(report, limits, &mut lines),
    }
    lines.extend(report.share.words().map(str::to_owned));
    lines.extend(report.end_notice.clone());
    if !limits.airy {
        lines.retain(|line| !line.is_empty());
    }
    lines
}

/// One run without another to set beside it.
fn run(report: &Report, limits: Limits, lines: &mut Vec<String>) {
    identity(report, limits, lines);
    lines.push(String::new());
    if let Some(gate) = &report.gate {
        verdict::draw(gate, lines);
        lines.push(String::new());
    }
    headline::draw(report, limits.cells, lines);
    side(report, lines);
    arms(report, limits.invented, lines);
    outcomes(report, lines);
    invented(report, limits.invented, lines);
    left_out(report, lines);
    served(report, lines);
    pointers(report, lines);
}

/// What was run, in two lines, and what has to be known first.
fn identity(report: &Report, limits: Limits, lines: &mut Vec<String>) {
    let identity = &report.identity;
    let suite = &identity.suite;
    let mut first = vec![
        format!("toolmirage {}", identity.toolmirage),
        format!("suite {} v{} ({})", cropped(&suite.name, 24), suite.version, suite.hash.short()),
    ];
    match identity.catalogs.first() {
        Some((hash, catalog)) if identity.catalogs.len() == 1 => first.push(format!(
            "catalog {}, {} ({})",
            cropped(&catalog.label, 24),
            counted(catalog.tools.len() as u64, "tool"),
            hash.short()
        )),
        _ => first.push(format!("{} catalogs", identity.catalogs.len())),
    }
    first.extend(identity.profile.as_ref().map(|profile| format!("profile {}", cropped(profile, 16))));
    push_wrapped(&first, "   ", lines);

    let cells = counted(identity.cells.len() as u64, "cell");
    let trials = count(report.trials.planned);
    let probes = count(identity.probes);
    let tasks = count(identity.tasks);
    let repeats = counted(u64::from(identity.repeats), "repeat");
    let mut second = vec![if identity.even {
        format!("{probes} probes of {tasks} tasks x {repeats} x {cells} = {trials} trials")
    } else {
        format!("{trials} trials of {probes} probes of {tasks} tasks in {cells}")
    }];
    second.push(counted(report.run.requests, "request"));
    second.extend(report.run.kept_words());
    second.extend(report.run.wall_ms.map(duration));
    if let Some(total) =
        report.run.tokens.and_then(|tokens| Some(tokens.input?.saturating_add(tokens.output?)))
    {
        second.push(format!("{} tokens", count(total)));
    }
    second.extend(report.run.cost.as_ref().map(RunCost::words));
    push_wrapped(&second, "   ", lines);
    for note in report.notes.iter().take(limits.notes) {
        lines.push(format!("note  {}", cropped(note, WIDTH - 6)));
    }
}

/// Side rates that have an event, as counts.
fn side(report: &Report, lines: &mut Vec<String>) {
    let mut parts = Vec::new();
    for definition in report.definitions.iter().filter(|d| !RateName::HEADLINE.contains(&d.metric)) {
        let (mut events, mut scored) = (0, 0);
        for rate in report.cells.iter().filter_map(|cell| cell.rate(definition.metric)) {
            events += rate.events;
            scored += rate.scored;
        }
        if events > 0 {
            parts.push(format!("{} {}", definition.title, of(events, scored)));
        }
    }
    if !parts.is_empty() {
        labelled("also", &parts, ", ", 2, lines);
    }
    lines.push(String::new());
}

/// What the arms of a suite bought, for the three rates.
fn arms(report: &Report, limit: usize, lines: &mut Vec<String>) {
    let all = arm_lines(report);
    if all.is_empty() {
        return;
    }
    let mut rows = vec![vec!["What each arm bought".to_owned()]];
    rows[0].extend(RateName::HEADLINE.map(|metric| crate::words::words(metric).title.to_owned()));
    for line in all.iter().take(limit) {
        let cell = line.cell.as_ref().map(|cell| format!("  {}", cropped(cell, 14))).unwrap_or_default();
        let endpoint = line.endpoint.map(|state| format!(", {state}")).unwrap_or_default();
        let mut row = vec![format!("  {}{endpoint}{cell}", cropped(&line.arm, 24))];
        row.extend(line.rates.iter().map(|rate| rate.clone().unwrap_or_else(|| "not asked".to_owned())));
        rows.push(row);
    }
    columns(&rows, "   ", lines);
    if all.len() > limit {
        lines.push(format!("  and {}, in the report", counted((all.len() - limit) as u64, "more arm")));
    }
    lines.push(String::new());
}

fn outcomes(report: &Report, lines: &mut Vec<String>) {
    if report.decoy_trials == 0 {
        return;
    }
    let kinds = match report.decoy_kinds.as_slice() {
        [] => String::new(),
        [one] => format!(" {one}"),
        [several @ .., last] if several.len() < 4 => format!(" {} and {last}", several.join(", ")),
        _ => " decoy-family".to_owned(),
    };
    lines.push(format!("When the tool was missing ({}{kinds} trials)", count(report.decoy_trials)));
    let parts: Vec<String> = report
        .outcomes
        .iter()
        .map(|outcome| format!("{} {}", outcome.outcome.as_str(), count(outcome.trials)))
        .collect();
    lines.push(format!("  {}", parts.join("  ")));
    lines.push(String::new());
}

fn invented(report: &Report, limit: usize, lines: &mut Vec<String>) {
    if report.invented.is_empty() {
        return;
    }
    let all = crate::table::INVENTED_HEAD;
    let listed: u64 = report.invented.iter().map(|name| name.calls).sum();
    let calls = listed + report.unlisted_names.calls;
    let names = report.invented.len() as u64;
    let title = format!("{all} ({}, {})", counted(names, "name"), counted(calls, "call"));
    let several = report.cells.len() > 1;
    let cells = |text: &str| if several { format!("{text:>7}  ") } else { String::new() };
    lines.push(format!(
        "{title:<40}{:>7}  {}{:<19}{}",
        "trials",
        cells("cells"),
        "why it misses",
        "nearest offered"
    ));
    for name in report.invented.iter().take(limit) {
        let shown = if name.name.text.is_empty() { "(no name)" } else { &name.name.text };
        let nearest = name.nearest_tool.as_ref().map_or("", |tool| tool.as_str());
        lines.push(format!(
            "  {:<38}{:>7}  {}{:<19}{}",
            cropped_name(shown, 36),
            count(name.trials),
            cells(&format!("{} of {}", name.by_cell.len(), report.cells.len())),
            form_word(name.name_form),
            cropped(nearest, 28)
        ));
    }
    lines.extend(others_words(report, limit).map(|others| format!("  {others}")));
    lines.push(String::new());
}

fn left_out(report: &Report, lines: &mut Vec<String>) {
    let trials = &report.trials;
    let mut first = format!("{} trials", of(trials.left_out, trials.planned));
    if let Some(reasons) = reasons(&trials.reasons) {
        first.push_str(": ");
        first.push_str(&reasons);
    }
    labelled("Left out", &[first], "", 2, lines);
    let identity = &report.identity;
    let mut also: Vec<String> = cause_words(&trials.causes).into_iter().collect();
    if !identity.stale.is_empty() {
        // A question may be stale in several cells.
        let stale: BTreeSet<&ProbeId> = identity.stale.iter().map(|stale| &stale.probe).collect();
        let stale = stale.len() as u64;
        also.push(format!(
            "{} {} no probe",
            count(stale),
            if stale == 1 { "question gave" } else { "questions gave" }
        ));
    }
    if !report.suspect.is_empty() {
        also.push(format!("{} suspect", count(report.suspect.len() as u64)));
    }
    if identity.drafts > 0 {
        also.push(format!("{} probes stand on drafts", of(identity.drafts, identity.probes)));
    }
    if !also.is_empty() {
        lines.push(format!("{:10}{}", "", also.join("; ")));
    }
}

/// Which model answered, over all cells.
fn served(report: &Report, lines: &mut Vec<String>) {
    let mut by_model: IndexMap<&str, Vec<(&transcript::ServedModel, u64)>> = IndexMap::new();
    for served in report.cells.iter().flat_map(|cell| &cell.served) {
        let answers = by_model.entry(&served.model.asked).or_default();
        match answers.iter_mut().find(|(model, _)| **model == served.model) {
            Some((_, trials)) => *trials += served.trials,
            None => answers.push((&served.model, served.trials)),
        }
    }
    let mut parts = Vec::new();
    for (asked, answers) in by_model {
        let asked = cropped(asked, 30);
        for (model, trials) in &answers {
            let how_many = if answers.len() == 1 {
                "all trials".to_owned()
            } else {
                format!("{} trials", count(*trials))
            };
            parts.push(match (model.verdict, &model.answered) {
                (ServedVerdict::NotVerifiable, _) | (_, None) => {
                    format!("{asked} not verifiable, {how_many}")
                }
                (_, Some(answered)) => format!("{asked} by {}, {how_many}", cropped(answered, 30)),
            });
        }
    }
    if !parts.is_empty() {
        labelled("Served", &parts, "; ", 3, lines);
    }
}

fn pointers(report: &Report, lines: &mut Vec<String>) {
    let failing = report.failing_trials();
    if failing > 0 {
        lines.push(format!(
            "Failing   {} scored trials have a finding or a wrong behaviour",
            of(failing, report.trials.scored)
        ));
    }
    if let Some(folder) = &report.run.folder {
        lines.push(String::new());
        lines.push(format!("report    {folder}/report.html"));
        if let Some(first) = report.failing.first() {
            lines.extend(why(folder, &first.trial));
        }
    }
}

/// The command that says why; none where a shell would not take its words as they stand.
fn why(folder: &str, probe: &str) -> Option<String> {
    shell::explain(folder, probe).map(|command| format!("why       {command}"))
}

/// `71 of 7,204 calls (1 in 101)`.
fn by_call(events: u64, total: u64, unit: &str) -> String {
    #[expect(clippy::cast_precision_loss, reason = "counts of calls")]
    let small = if total > 0 { one_in(events as f64 / total as f64) } else { None };
    let small = small.map_or_else(String::new, |small| format!(" ({small})"));
    format!("{} {unit}{small}", of(events, total))
}
