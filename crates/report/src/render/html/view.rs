//! The page around its two lists of trials, as its templates see it. Which figures there are was settled by
//! the report, and how they are written by `number` and `table`.

use probes::RateName;
use serde::Serialize;

use super::delta::{self, Plot};
use super::filter::Filter;
use super::identity::{self, Catalog, Prompt, Target};
use super::outcome_bar::{Bar, bar};
use super::overview::Overview;
use super::panel::{self, Panel, Tick};
use super::verdict::{self, Verdict};
use super::{changed, compared, group};
use crate::compare::Comparison;
use crate::number::{count, of};
use crate::report::Report;
use crate::table::{self, Table};
use crate::text_safe::cropped;

/// What the page lists one by one.
pub(super) struct Lists {
    pub(super) changed: Vec<changed::Group>,
    pub(super) failing: Vec<group::Group>,
}

/// Everything but the lists.
#[derive(Serialize)]
pub(super) struct Page<'a> {
    title: String,
    report: Marks<'a>,
    verdict: Option<Verdict>,
    overview: Option<Overview>,
    plots: Vec<Plot>,
    differences: Option<Table>,
    compared_outcomes: Option<Table>,
    compared_names: Option<Table>,
    unpaired: Option<Table>,
    changed: String,
    changed_groups: &'a [changed::Group],
    changed_filter: Option<Filter>,
    filter: Option<Filter>,
    facts: Vec<(&'static str, String)>,
    panels: Vec<Panel>,
    ticks: Vec<Tick>,
    headline: Table,
    outcome_bars: Vec<Bar>,
    outcomes: Option<Table>,
    decoys: String,
    invented: Vec<Table>,
    slices: Vec<Table>,
    small_slices: Vec<Table>,
    side: Vec<Table>,
    side_words: Vec<(&'a str, String)>,
    left_out: String,
    left_out_tables: Vec<Table>,
    failing: String,
    groups: &'a [group::Group],
    identity: Vec<(&'static str, String)>,
    targets: Vec<Target>,
    catalogs: Vec<Catalog<'a>>,
    prompts: Vec<Prompt<'a>>,
    served: Option<Table>,
}

/// What must not be overlooked.
#[derive(Serialize)]
struct Marks<'a> {
    notice: Option<&'a str>,
    unfinished: Option<&'a str>,
    notes: &'a [String],
    shared: Option<&'static str>,
    simulated: bool,
    several: bool,
}

impl<'a> Page<'a> {
    pub(super) fn of(report: &'a Report, lists: &'a Lists) -> Self {
        let scale = panel::scale(report);
        let comparison = report.comparison.as_ref();
        Self {
            title: title(report),
            report: Marks {
                notice: report.notice.as_deref(),
                unfinished: report.unfinished.as_deref(),
                notes: &report.notes,
                shared: report.share.words(),
                simulated: report.simulated,
                several: report.cells.len() > 1,
            },
            verdict: report.gate.as_ref().map(|gate| verdict::verdict(gate, comparison.is_some())),
            overview: comparison.map(|comparison| Overview::of(report, comparison)),
            plots: comparison
                .map(|comparison| delta::plots(comparison, report.gate.as_ref()))
                .unwrap_or_default(),
            differences: comparison.map(compared::rates),
            compared_outcomes: comparison.and_then(compared::outcomes),
            compared_names: comparison.and_then(compared::invented),
            unpaired: comparison.and_then(compared::unpaired),
            changed: comparison.map(changed_words).unwrap_or_default(),
            changed_groups: &lists.changed,
            changed_filter: Filter::over(
                "changed",
                "changed probes",
                lists.changed.iter().flat_map(|group| &group.entries).map(|entry| &entry.values),
            ),
            filter: Filter::over(
                "failing",
                "failing trials",
                lists.failing.iter().flat_map(|group| &group.entries).map(|entry| &entry.values),
            ),
            facts: identity::facts(report),
            panels: RateName::HEADLINE.iter().map(|&metric| panel::panel(report, metric, scale)).collect(),
            ticks: panel::ticks(scale),
            headline: table::headline(report),
            outcome_bars: report.cells.iter().filter_map(bar).collect(),
            outcomes: table::outcomes(report),
            decoys: decoys(report),
            invented: [table::invented(report), table::dispatch(report), table::shadowed(report)]
                .into_iter()
                .flatten()
                .collect(),
            slices: table::slices(report, "kind").into_iter().collect(),
            small_slices: ["tool", "source", "draft"]
                .iter()
                .filter_map(|by| table::slices(report, by))
                .collect(),
            side: [
                table::side(report),
                table::argument_findings(report),
                table::format_findings(report),
                table::tool_correctness(report),
                table::after_unknown(report),
                table::arms_over_all_kinds(report),
                table::strictness(report),
                table::arms(report),
                table::arm_outcomes(report),
            ]
            .into_iter()
            .flatten()
            .collect(),
            side_words: report
                .definitions
                .iter()
                .filter(|words| !RateName::HEADLINE.contains(&words.metric))
                .map(|words| (words.title.as_str(), panel::sentence(words)))
                .collect(),
            left_out: format!("{} trials", of(report.trials.left_out, report.trials.planned)),
            left_out_tables: [
                Some(table::left_out(report)),
                table::excluded(report),
                table::unscored(report),
                table::suspect(report),
                table::stale(report),
            ]
            .into_iter()
            .flatten()
            .collect(),
            failing: of(report.failing_trials(), report.trials.scored),
            groups: &lists.failing,
            identity: identity::identity_facts(report),
            targets: identity::targets(report),
            catalogs: identity::catalogs(report),
            prompts: identity::prompts(report),
            served: table::served(report),
        }
    }
}

impl Page<'_> {
    /// Whether there is anything that a script is for.
    pub(super) fn has_filters(&self) -> bool {
        self.filter.is_some() || self.changed_filter.is_some()
    }
}

/// What a tab or a bookmark shows: what must not be overlooked first.
fn title(report: &Report) -> String {
    let suite = &report.identity.suite;
    let marked = if report.simulated { "SIMULATED: " } else { "" };
    let verdict = report.gate.as_ref().map(|gate| format!("{}: ", gate.verdict.as_str()));
    let what = if report.comparison.is_some() { "comparison" } else { "report" };
    format!(
        "{marked}{}{} v{}, toolmirage {what}",
        verdict.unwrap_or_default(),
        cropped(&suite.name, 60),
        suite.version
    )
}

fn changed_words(comparison: &Comparison) -> String {
    let changed: usize = comparison.cells.iter().map(|cell| cell.changed.len()).sum();
    let pairs = comparison.cells.iter().map(|cell| cell.pairs).sum();
    format!("{} pairs", of(changed as u64, pairs))
}

fn decoys(report: &Report) -> String {
    let kinds = report.decoy_kinds.join(", ");
    format!(
        "{} trials whose wanted tool is not offered ({})",
        count(report.decoy_trials),
        cropped(&kinds, 200)
    )
}
