//! The page above and below the failing trials, as its templates see it. Which figures there are was settled by
//! the report, and how they are written by `number` and `table`.

use probes::RateName;
use serde::Serialize;

use super::group::Group;
use super::identity::{self, Catalog, Prompt, Target};
use super::outcome_bar::{Bar, bar};
use super::panel::{self, Panel, Tick};
use crate::number::{count, of};
use crate::report::Report;
use crate::table::{self, Table};
use crate::text_safe::cropped;

/// Everything above and below the failing trials.
#[derive(Serialize)]
pub(super) struct Page<'a> {
    title: String,
    report: Marks<'a>,
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
    groups: Vec<&'a Group>,
    more_failing: u64,
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
    simulated: bool,
    several: bool,
}

impl<'a> Page<'a> {
    pub(super) fn of(report: &'a Report, groups: &'a [Group]) -> Self {
        let suite = &report.identity.suite;
        let scale = panel::scale(report);
        let shown: usize = groups.iter().map(|group| group.trials.len()).sum();
        let marked = if report.simulated { "SIMULATED: " } else { "" };
        Self {
            title: format!("{marked}{} v{}, toolmirage report", cropped(&suite.name, 60), suite.version),
            report: Marks {
                notice: report.notice.as_deref(),
                unfinished: report.unfinished.as_deref(),
                notes: &report.notes,
                simulated: report.simulated,
                several: report.cells.len() > 1,
            },
            facts: identity::facts(report),
            panels: RateName::HEADLINE.iter().map(|&metric| panel::panel(report, metric, scale)).collect(),
            ticks: panel::ticks(scale),
            headline: table::headline(report),
            outcome_bars: report.cells.iter().filter_map(bar).collect(),
            outcomes: table::outcomes(report),
            decoys: decoys(report),
            invented: [table::invented(report), table::shadowed(report)].into_iter().flatten().collect(),
            slices: table::slices(report, "kind").into_iter().collect(),
            small_slices: ["tool", "source", "draft"]
                .iter()
                .filter_map(|by| table::slices(report, by))
                .collect(),
            side: [
                table::side(report),
                table::argument_findings(report),
                table::format_findings(report),
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
            failing: of(report.failing.len() as u64, report.trials.scored),
            groups: groups.iter().collect(),
            more_failing: report.failing.len().saturating_sub(shown) as u64,
            identity: identity::identity_facts(report),
            targets: identity::targets(report),
            catalogs: identity::catalogs(report),
            prompts: identity::prompts(report),
            served: table::served(report),
        }
    }
}

fn decoys(report: &Report) -> String {
    let kinds = report.decoy_kinds.join(", ");
    format!(
        "{} trials whose wanted tool is not offered ({})",
        count(report.decoy_trials),
        cropped(&kinds, 200)
    )
}
