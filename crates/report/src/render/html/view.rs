//! The page as its templates see it: places on a scale, groups of trials, lists of tables. Which figures there
//! are was settled by the report, and how they are written by `number` and `table`.

use probes::RateName;
use serde::Serialize;

use crate::number::{Figure, count, duration, interval_words, of, one_in, percent_sign};
use crate::report::{CellReport, FailingTrial, Report, endpoint_words};
use crate::table::{self, Table, reasons};
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

/// One of the three rates: what it counts, and a row a cell.
#[derive(Serialize)]
struct Panel {
    title: String,
    event: String,
    denominator: String,
    rows: Vec<PanelRow>,
}

#[derive(Serialize)]
struct PanelRow {
    label: String,
    main: String,
    absent: bool,
    small: Option<String>,
    counts: Option<String>,
    interval: Option<String>,
    left_out: Option<String>,
    plot: Option<Plot>,
    said: String,
}

/// Places on the common scale, in percent of its width.
#[derive(Serialize)]
struct Plot {
    at: String,
    lower: String,
    upper: String,
    zero: bool,
}

#[derive(Serialize)]
struct Tick {
    at: String,
    label: String,
    anchor: &'static str,
}

/// Outcomes of one cell as parts of a bar.
#[derive(Serialize)]
struct Bar {
    label: String,
    total: String,
    said: String,
    parts: Vec<Part>,
}

#[derive(Serialize)]
struct Part {
    outcome: &'static str,
    trials: String,
    at: String,
    width: String,
}

/// Failing trials of one cell and kind.
#[derive(Debug, Serialize)]
pub(super) struct Group {
    anchor: String,
    cell: Option<String>,
    kind: String,
    total: u64,
    #[serde(skip)]
    pub(super) trials: Vec<usize>,
}

#[derive(Serialize)]
struct Target {
    name: String,
    facts: Vec<(&'static str, String)>,
}

#[derive(Serialize)]
struct Catalog<'a> {
    label: &'a str,
    hash: String,
    tools: Vec<&'a str>,
}

#[derive(Serialize)]
struct Prompt<'a> {
    label: &'a str,
    hash: String,
    text: &'a crate::Excerpt,
}

impl<'a> Page<'a> {
    pub(super) fn of(report: &'a Report, groups: &'a [Group]) -> Self {
        let identity = &report.identity;
        let scale = scale(report);
        let shown: usize = groups.iter().map(|group| group.trials.len()).sum();
        let marked = if report.simulated { "SIMULATED: " } else { "" };
        Self {
            title: format!(
                "{marked}{} v{}, toolmirage report",
                cropped(&identity.suite.name, 60),
                identity.suite.version
            ),
            report: Marks {
                notice: report.notice.as_deref(),
                unfinished: report.unfinished.as_deref(),
                notes: &report.notes,
                simulated: report.simulated,
                several: report.cells.len() > 1,
            },
            facts: facts(report),
            panels: RateName::HEADLINE.iter().map(|&metric| panel(report, metric, scale)).collect(),
            ticks: ticks(scale),
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
            ]
            .into_iter()
            .flatten()
            .collect(),
            left_out: format!("{} trials", of(report.trials.left_out, report.trials.planned)),
            left_out_tables: [
                Some(table::left_out(report)),
                table::excluded(report),
                table::suspect(report),
                table::stale(report),
            ]
            .into_iter()
            .flatten()
            .collect(),
            failing: of(report.failing.len() as u64, report.trials.scored),
            groups: groups.iter().collect(),
            more_failing: report.failing.len().saturating_sub(shown) as u64,
            identity: identity_facts(report),
            targets: targets(report),
            catalogs: catalogs(report),
            prompts: prompts(report),
            served: table::served(report),
        }
    }
}

/// The label of a failing trial's system prompt.
pub(super) fn prompt_label<'a>(report: &'a Report, trial: &FailingTrial) -> Option<&'a str> {
    let prompt = report.identity.prompts.get(trial.prompt.as_ref()?)?;
    Some(&prompt.label)
}

/// The first `limit` failing trials by cell and kind, in the order in which cells and kinds appear.
pub(super) fn groups(report: &Report, limit: usize) -> Vec<Group> {
    let mut groups: indexmap::IndexMap<(&str, String), Group> = indexmap::IndexMap::new();
    for (at, trial) in report.failing.iter().take(limit).enumerate() {
        let kind = match &trial.arm {
            Some(arm) => format!("{} @{arm}", trial.kind),
            None => trial.kind.clone(),
        };
        let number = groups.len();
        let group = groups.entry((&trial.cell.0, kind.clone())).or_insert_with(|| Group {
            anchor: format!("g{number}"),
            cell: (report.cells.len() > 1).then(|| report.identity.label(&trial.cell)),
            kind,
            total: 0,
            trials: Vec::new(),
        });
        group.total += 1;
        group.trials.push(at);
    }
    groups.into_values().collect()
}

fn facts(report: &Report) -> Vec<(&'static str, String)> {
    let identity = &report.identity;
    let suite = &identity.suite;
    let join = |labels: Vec<String>| labels.join(", ");
    let mut facts =
        vec![("Suite", format!("{} v{} ({})", cropped(&suite.name, 60), suite.version, suite.hash.short()))];
    facts.push((
        "Catalog",
        join(
            identity
                .catalogs
                .iter()
                .map(|(hash, c)| {
                    format!(
                        "{}, {} tools ({})",
                        cropped(&c.label, 60),
                        count(c.tools.len() as u64),
                        hash.short()
                    )
                })
                .collect(),
        ),
    ));
    let prompts: Vec<String> = identity
        .prompts
        .iter()
        .map(|(hash, p)| format!("{} ({})", cropped(&p.label, 60), hash.short()))
        .collect();
    if !prompts.is_empty() {
        facts.push(("Prompt", join(prompts)));
    }
    facts.push(("Model", join(identity.targets.values().map(|t| cropped(&t.model, 60)).collect())));
    facts.push(("Trials", trials(report)));
    if let Some((from, to)) = &report.run.window {
        facts.push(("When", format!("{} to {}", cropped(from, 40), cropped(to, 40))));
    }
    facts
}

fn trials(report: &Report) -> String {
    let identity = &report.identity;
    let (probes, tasks) = (count(identity.probes), count(identity.tasks));
    let planned = count(report.trials.planned);
    if identity.even {
        format!(
            "{planned} = {probes} probes of {tasks} tasks × {} repeats × {} cells",
            identity.repeats,
            identity.cells.len()
        )
    } else {
        format!("{planned} of {probes} probes of {tasks} tasks in {} cells", identity.cells.len())
    }
}

/// The end of the scale that all three rates share: the first round share that no interval passes.
fn scale(report: &Report) -> f64 {
    let mut furthest = 0.0_f64;
    for cell in &report.cells {
        for rate in RateName::HEADLINE.iter().filter_map(|&metric| cell.rate(metric)) {
            match Figure::of(rate) {
                Figure::Share { share, interval, .. } => {
                    furthest = furthest.max(interval.map_or(share, |(_, upper)| upper));
                }
                Figure::Zero { at_most: Some(upper), .. } => furthest = furthest.max(upper),
                _ => {}
            }
        }
    }
    [0.05, 0.1, 0.2, 0.4, 0.6, 0.8].into_iter().find(|end| furthest <= *end).unwrap_or(1.0)
}

fn ticks(scale: f64) -> Vec<Tick> {
    (0..=4)
        .map(|quarter| {
            let share = f64::from(quarter) / 4.0;
            let percent = share * scale * 100.0;
            let label =
                if percent.fract() == 0.0 { format!("{percent:.0}") } else { format!("{percent:.1}") };
            let (label, anchor) = match quarter {
                0 => (label, "start"),
                4 => (format!("{label} %"), "end"),
                _ => (label, "middle"),
            };
            Tick { at: place(share, 1.0), label, anchor }
        })
        .collect()
}

/// A share's place on a scale, in percent of its width.
fn place(share: f64, scale: f64) -> String {
    format!("{:.2}", (share / scale * 100.0).clamp(0.0, 100.0))
}

fn panel(report: &Report, metric: RateName, scale: f64) -> Panel {
    let words = report.definition(metric);
    Panel {
        title: words.map_or_else(|| metric.to_string(), |words| words.title.clone()),
        event: words.map(|words| words.event.clone()).unwrap_or_default(),
        denominator: words.map(|words| words.denominator.clone()).unwrap_or_default(),
        rows: report.cells.iter().map(|cell| panel_row(report, cell, metric, scale)).collect(),
    }
}

fn panel_row(report: &Report, cell: &CellReport, metric: RateName, scale: f64) -> PanelRow {
    let rate = cell.rate(metric);
    let figure = rate.map_or(Figure::NotMeasured, Figure::of);
    let excluded = rate.map(|rate| &rate.excluded).filter(|excluded| !excluded.is_empty());
    let (main, counts, interval, plot) = parts(&figure, scale);
    PanelRow {
        label: if report.cells.len() > 1 { cropped(&cell.label, 60) } else { String::new() },
        said: format!("{} {}", cropped(&cell.label, 60), figure.sentence()),
        absent: matches!(figure, Figure::NotMeasured | Figure::Censored | Figure::CoverageTooLow { .. }),
        small: match figure {
            Figure::Share { share, .. } => one_in(share),
            _ => None,
        },
        main,
        counts,
        interval,
        left_out: excluded.and_then(reasons),
        plot,
    }
}

/// A figure in its pieces: what is printed large, the counts, the interval, the plot.
fn parts(figure: &Figure, scale: f64) -> (String, Option<String>, Option<String>, Option<Plot>) {
    let plot = |at: f64, lower: f64, upper: f64, zero: bool| {
        Some(Plot { at: place(at, scale), lower: place(lower, scale), upper: place(upper, scale), zero })
    };
    match *figure {
        Figure::Share { share, events, scored, interval } => (
            percent_sign(share),
            Some(of(events, scored)),
            interval.map(|ends| format!("95 % interval {}", interval_words(ends))),
            interval.and_then(|(lower, upper)| plot(share, lower, upper, false)),
        ),
        Figure::Zero { scored, at_most } => (
            of(0, scored),
            None,
            at_most.map(|upper| format!("at most {} (upper end of the 95 % interval)", percent_sign(upper))),
            at_most.and_then(|upper| plot(0.0, 0.0, upper, true)),
        ),
        Figure::Counts { events, scored } => {
            (of(events, scored), None, Some("under 10 probes: no percentage".to_owned()), None)
        }
        _ => (figure.sentence(), None, None, None),
    }
}

fn bar(cell: &CellReport) -> Option<Bar> {
    if cell.decoy_trials == 0 {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "counts of trials")]
    let share = |trials: u64| trials as f64 / cell.decoy_trials as f64;
    let mut before = 0;
    let mut parts = Vec::new();
    for outcome in cell.outcomes.iter().filter(|outcome| outcome.trials > 0) {
        parts.push(Part {
            outcome: outcome.outcome.as_str(),
            trials: count(outcome.trials),
            at: place(share(before), 1.0),
            width: place(share(outcome.trials), 1.0),
        });
        before += outcome.trials;
    }
    let said: Vec<String> = parts.iter().map(|part| format!("{} {}", part.outcome, part.trials)).collect();
    Some(Bar {
        label: cropped(&cell.label, 60),
        total: count(cell.decoy_trials),
        said: said.join(", "),
        parts,
    })
}

fn decoys(report: &Report) -> String {
    let kinds = report.decoy_kinds.join(", ");
    format!(
        "{} trials whose wanted tool is not offered ({})",
        count(report.decoy_trials),
        cropped(&kinds, 200)
    )
}

fn identity_facts(report: &Report) -> Vec<(&'static str, String)> {
    let identity = &report.identity;
    let run = &report.run;
    let mut facts = vec![
        ("Run", identity.run.clone()),
        ("Suite hash", identity.suite.hash.to_string()),
        ("Recorded by", format!("toolmirage {}", identity.toolmirage)),
        ("Scored by", identity.scorers.join(", ")),
        ("Seed", identity.seed.to_string()),
        ("Repeats", identity.repeats.to_string()),
        ("Most turns", identity.max_turns.to_string()),
        ("Requests", format!("{}, every network try counted", count(run.requests))),
    ];
    facts.extend(identity.profile.clone().map(|profile| ("Profile", profile)));
    facts.extend(run.wall_ms.map(|wall| ("Duration", duration(wall))));
    if let Some(tokens) = run.tokens {
        let part = |tokens: Option<u64>, word: &str| tokens.map(|tokens| format!("{} {word}", count(tokens)));
        let parts = [
            part(tokens.input, "in"),
            part(tokens.cached, "of them cached"),
            part(tokens.output, "out"),
            part(tokens.reasoning, "of them reasoning"),
        ];
        facts.push(("Tokens", parts.into_iter().flatten().collect::<Vec<_>>().join(", ")));
    }
    if run.resumed > 0 {
        facts.push(("Resumed", format!("{} times", count(run.resumed))));
    }
    if identity.drafts > 0 {
        facts.push(("Drafts", format!("{} probes stand on drafts", of(identity.drafts, identity.probes))));
    }
    facts
}

fn targets(report: &Report) -> Vec<Target> {
    let target = |(id, target): (&transcript::TargetId, &crate::TargetIdentity)| {
        let mut facts =
            vec![("Provider", target.provider.clone()), ("Model asked for", target.model.clone())];
        facts.extend(target.base_url.clone().map(|url| ("Base URL", url)));
        let settings: Vec<String> =
            target.settings.iter().map(|(key, value)| format!("{key} = {value}")).collect();
        facts.push((
            "Settings",
            if settings.is_empty() { "none asked for".to_owned() } else { settings.join(", ") },
        ));
        let known = endpoint_words(target.endpoint);
        facts.push(("Endpoint", if known.is_empty() { "not checked".to_owned() } else { known.join("; ") }));
        if target.simulated {
            facts.push(("Simulated", "yes: no measurement of a model".to_owned()));
        }
        Target { name: id.to_string(), facts }
    };
    report.identity.targets.iter().map(target).collect()
}

fn catalogs(report: &Report) -> Vec<Catalog<'_>> {
    report
        .identity
        .catalogs
        .iter()
        .map(|(hash, catalog)| Catalog {
            label: &catalog.label,
            hash: hash.to_string(),
            tools: catalog.tools.iter().map(transcript::ToolName::as_str).collect(),
        })
        .collect()
}

fn prompts(report: &Report) -> Vec<Prompt<'_>> {
    report
        .identity
        .prompts
        .iter()
        .map(|(hash, prompt)| Prompt { label: &prompt.label, hash: hash.to_string(), text: &prompt.text })
        .collect()
}
