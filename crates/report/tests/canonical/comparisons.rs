//! The canonical comparisons: two sides each, compared and decided on as a user's run is.

use probes::RateName;
use report::{
    Ceiling, CompareOptions, ComparedSide, Confirmed, FactorChoice, GateVerdict, OnInconclusive, Policy,
    ProbeDirection, Report, ShownTrial, compare, decide, join,
};
use scorer::Repeats;
use transcript::{CellId, Known, SuiteRecord, TrialStatus};

use super::build::{facts, fingerprint};
use super::reports::HOSTILE;
use super::sides::*;

/// How the two sides are set against each other.
struct Versus {
    baseline: SideOf,
    candidate: SideOf,
    concurrent: bool,
    factor: FactorChoice,
    policy: Policy,
    /// Whether the baseline is an accepted one: outcomes without transcripts.
    accepted: bool,
    /// Labels of the sides.
    labels: [String; 2],
}

impl Versus {
    fn new(baseline: SideOf, candidate: SideOf) -> Self {
        Self {
            baseline,
            candidate,
            concurrent: true,
            factor: FactorChoice::One,
            policy: Policy { profile: Some("pr".into()), ..Policy::DEFAULT },
            accepted: false,
            labels: ["main".into(), "this change".into()],
        }
    }

    fn report(self) -> Report {
        let sides = [(&self.baseline, self.accepted), (&self.candidate, false)];
        let [baseline, candidate] = [0, 1].map(|at: usize| {
            let (side, accepted) = sides[at];
            ComparedSide {
                label: self.labels[at].clone(),
                run: side.run.into(),
                folder: (!accepted).then(|| format!("reports/{}", side.run)),
                accepted,
                window: Some(if self.concurrent || at == 1 {
                    ("2031-03-09T07:00:01.120Z".into(), "2031-03-09T07:04:12.871Z".into())
                } else {
                    ("2031-03-02T07:00:00.500Z".into(), "2031-03-02T07:03:58.004Z".into())
                }),
                suite: side.suite.clone(),
                repeats: side.repeats,
                max_turns: 6,
            }
        });
        let (mut before, after) = (self.baseline.made(), self.candidate.made());
        let mut shown = Vec::new();
        if self.accepted {
            before.measured.gathered = report::Gathered::default();
        } else {
            shown.extend(renamed("baseline", before.shown));
        }
        shown.extend(renamed("candidate", after.shown));
        let mut joined = join(before.measured, after.measured);
        if self.concurrent {
            joined.facts = facts();
            for cell in joined.header.cells.iter_mut().filter(|cell| cell.side == transcript::Side::Baseline)
            {
                cell.git_ref = Some("main".into());
            }
        }
        joined.facts.folder = Some(format!("reports/{}", self.candidate.run));
        let options = CompareOptions {
            baseline,
            candidate,
            concurrent: self.concurrent,
            factor: self.factor,
            policy: &self.policy,
        };
        let mut comparison = compare(&joined.header, &joined.scorecards, options).unwrap();
        comparison.show(shown);
        let mut report = Report::of(&joined.header, joined.scorecards.clone(), joined.gathered, joined.facts);
        report.gate = Some(decide(&self.policy, &report, &joined.scorecards, Some(&comparison)));
        report.comparison = Some(comparison);
        report
    }
}

/// Trials under the names that cells have in the joined record.
fn renamed(side: &str, mut trials: Vec<ShownTrial>) -> Vec<ShownTrial> {
    for trial in &mut trials {
        trial.cell = CellId(format!("{side}:{}", trial.cell).into());
        trial.trial = format!("{}/{}/{}", trial.probe, trial.cell, trial.repeat);
    }
    trials
}

/// What further trials of the changed probes showed.
fn confirm(report: &mut Report, of: u32) {
    let Some(comparison) = &mut report.comparison else { return };
    for cell in &mut comparison.cells {
        for (at, changed) in cell.changed.iter_mut().enumerate() {
            let often = if at % 7 == 5 { 1 } else { of - at as u32 % 3 };
            let seldom = u32::from(at % 9 == 4);
            let (before, after) = match changed.direction {
                ProbeDirection::Better => (often, seldom),
                _ => (seldom, often),
            };
            changed.confirmed = Some(Confirmed {
                baseline: Repeats { events: before, scored: of },
                candidate: Repeats { events: after, scored: of },
            });
        }
    }
}

/// Two lines more: one claims what the catalog does not have, one licenses improvising.
const OVERCLAIMED: &str = "You are the harbor desk of a small port.\nUse the tools you have. Do not guess.\n\
    You can change every booking of the port.\n\nAnswer in short sentences.\nTimes are local times.\n\
    Find a way even where none is obvious.\n";

/// What a model does before the change, with a fault here and there.
fn as_before(cell: usize, kind: Asked, task: usize, _repeat: u32) -> Answer {
    match (kind, cell, task) {
        (Asked::Decoy, 0, 6 | 31) | (Asked::Optional, 0, 30) | (Asked::Decoy, 1, 12) => Answer::Invents,
        (Asked::Decoy, _, 3 | 22) => Answer::Asks,
        (Asked::Decoy, _, 17) => Answer::Misuses,
        (Asked::Lookalike, 0, 8 | 19 | 34) | (Asked::Lookalike, 1, 8 | 33) => Answer::Shadows,
        (Asked::Optional, _, 2 | 11 | 23 | 27 | 35) => Answer::FillsIn,
        (Asked::Control, 1, 35) => Answer::Lost(TrialStatus::Timeout),
        _ => Answer::Good,
    }
}

/// The first model invents; the second one stays much as it was.
fn overclaimed(cell: usize, kind: Asked, task: usize, repeat: u32) -> Answer {
    match (kind, cell, task) {
        (Asked::Decoy, 0, 31) | (Asked::Optional, 0, 30) => Answer::Good,
        (Asked::Decoy, 0, 14 | 32) => Answer::Claims,
        (Asked::Decoy, 0, _) if task % 5 < 2 => Answer::Invents,
        (Asked::Decoy, 1, 20 | 28) => Answer::Invents,
        (Asked::Lookalike, 0, 27 | 29) => Answer::Shadows,
        (Asked::Optional, 1, 11) => Answer::Good,
        (Asked::Decoy, 0, 34) => Answer::Lost(TrialStatus::Timeout),
        (Asked::Lookalike, 1, 34) => Answer::Lost(TrialStatus::Truncated),
        _ => as_before(cell, kind, task, repeat),
    }
}

/// A prompt was changed, and one of two models makes tools up.
pub fn worse() -> Report {
    let baseline = SideOf { answer: as_before, ..SideOf::plain("2031-03-09-b") };
    let mut candidate = SideOf { answer: overclaimed, ..SideOf::plain("2031-03-09-b") };
    candidate.prompt.1 = OVERCLAIMED.into();
    let mut report = Versus::new(baseline, candidate).report();
    confirm(&mut report, 5);
    report
}

/// A prompt was changed, and nothing shows.
pub fn unclear() -> Report {
    let baseline = SideOf { answer: as_before, ..SideOf::plain("2031-03-09-c") };
    let mut candidate = SideOf {
        answer: |cell, kind, task, repeat| match (kind, cell, task) {
            (Asked::Decoy, 0, 28) => Answer::Invents,
            (Asked::Optional, 0, 11) => Answer::Good,
            _ => as_before(cell, kind, task, repeat),
        },
        ..SideOf::plain("2031-03-09-c")
    };
    candidate.prompt.1 = PROMPT.replace("Times are local times.", "All times are local times.");
    Versus::new(baseline, candidate).report()
}

/// Another model, simulated, that makes up less; each probe asked twice.
pub fn better() -> Report {
    let mut baseline = SideOf {
        answer: |_, kind, task, repeat| match kind {
            Asked::Decoy if task % 3 == 0 || (task % 7 == 0 && repeat == 1) => Answer::Invents,
            Asked::Lookalike if task % 6 == 1 => Answer::Shadows,
            Asked::Optional if task % 2 == 0 => Answer::FillsIn,
            _ => Answer::Good,
        },
        simulated: true,
        repeats: 2,
        models: vec!["sim:careless".into()],
        ..SideOf::plain("2031-03-02-a")
    };
    let candidate = SideOf {
        answer: |_, kind, task, _| match (kind, task) {
            (Asked::Decoy, 24) => Answer::Invents,
            (Asked::Lookalike, 13) => Answer::Shadows,
            _ => Answer::Good,
        },
        models: vec!["sim:honest".into()],
        run: "2031-03-09-d",
        simulated: true,
        repeats: 2,
        ..SideOf::plain("2031-03-09-d")
    };
    baseline.settings = vec![("temperature".into(), "0.2".into())];
    let mut versus = Versus::new(baseline, candidate);
    versus.concurrent = false;
    versus.labels = ["sim:careless".into(), "sim:honest".into()];
    versus.policy = Policy {
        profile: Some("upgrade".into()),
        tolerance: Some(0.05),
        ceilings: vec![Ceiling { metric: RateName::UnknownTool, at: 0.08, on_point: false }],
        inconclusive: OnInconclusive::Fail,
        ..Policy::DEFAULT
    };
    versus.report()
}

/// An endpoint that constrains names against one that does not, and too little scored.
pub fn not_comparable() -> Report {
    let baseline =
        SideOf { answer: as_before, models: vec!["gull-2".into()], ..SideOf::plain("2031-03-02-b") };
    let mut candidate = SideOf {
        answer: |cell, kind, task, repeat| match kind {
            Asked::Optional if task % 5 != 0 => Answer::Lost(TrialStatus::Quota),
            _ => as_before(cell, kind, task, repeat),
        },
        models: vec!["gull-2".into()],
        ..SideOf::plain("2031-03-09-e")
    };
    candidate.endpoint.constrains_names = Known::Yes;
    let mut versus = Versus::new(baseline, candidate);
    versus.concurrent = false;
    versus.labels = ["2031-03-02-b".into(), "2031-03-09-e".into()];
    versus.report()
}

/// Prompt and catalog were changed since an accepted baseline.
pub fn several_factors() -> Report {
    let baseline = SideOf { answer: as_before, ..SideOf::plain("2031-02-01-weekly") };
    let mut candidate = SideOf {
        answer: overclaimed,
        tasks: (0..TASKS).filter(|task| task % JOBS.len() != 5).collect(),
        stale: (0..TASKS)
            .filter(|task| task % JOBS.len() == 5)
            .take(4)
            .map(|task| {
                (
                    format!("drop-pilot-{}.decoy", ["alma", "brisk", "calla", "dunlin"][task / 6]),
                    "its tool `pilot_cancel_request` is not in the catalog".into(),
                )
            })
            .collect(),
        ..SideOf::plain("2031-03-09-weekly")
    };
    candidate.prompt.1 = OVERCLAIMED.into();
    candidate.catalog.label = "harbor/3".into();
    let tools = &mut candidate.catalog.tools;
    tools.retain(|tool| tool.name.as_str() != "pilot_cancel_request");
    tools.insert(4, described("crane_list_lifts", "Lists the lifts of a day.", &["day"]));
    tools[2] = described(
        "harbor_assign_berth",
        "Assigns a berth to a vessel, or moves it to another.",
        &["vessel", "berth", "until"],
    );
    let mut versus = Versus::new(baseline, candidate);
    versus.concurrent = false;
    versus.factor = FactorChoice::All;
    versus.accepted = true;
    versus.labels = ["accepted on 2031-02-01".into(), "2031-03-09-weekly".into()];
    versus.report()
}

/// Text that wants to be something else, in Markdown and tables above all.
pub const HOSTILE_MARKDOWN: [&str; 14] = [
    "`` ` ```\nfence",
    "@everyone and @octo-org/owners",
    "--> <!-- toolmirage:other:pr -->",
    "<details open><summary>x</summary>",
    "](https://evil.example) ![i](https://evil.example/i.png)",
    "https://evil.example/phish and www.evil.example",
    "octo-org/octo-repo#1 and #1 and GH-1",
    "# a heading\n- a list\n1. another\n> a quote\n---\n",
    "\\| a | b \\\\|",
    "**bold** _em_ ~~gone~~ $x$ :tada: [^1]",
    "+1+cmd|' /C calc'!A0",
    "\t=1+1",
    "&lt;script&gt; &#60;b&#62; &amp;",
    "</code></details></td>",
];

/// Every text above, and one of ten thousand characters.
pub fn hostile_texts() -> Vec<String> {
    let long = format!("{}{}", "@x|`<b>".repeat(4), "y".repeat(10_000));
    HOSTILE.iter().chain(&HOSTILE_MARKDOWN).map(|text| (*text).to_owned()).chain([long]).collect()
}

/// A comparison in which every text is one of those.
pub fn hostile_comparison() -> Report {
    let texts = hostile_texts();
    let side = |run: &'static str, version: &str, answer| {
        let mut side = SideOf { answer, ..SideOf::plain(run) };
        side.hostile = texts.clone();
        side.prompt = (texts[2].clone(), texts.join("\n"), Some(texts[10].clone()));
        side.models = vec![texts[1].clone()];
        side.catalog.label = format!("{}/{version}", texts[0]);
        side.suite =
            SuiteRecord { name: format!("{} {}", texts[12], texts[5]), version: 3, hash: fingerprint("s") };
        side.catalog.tools.extend(texts.iter().map(|text| described(text, version, &[text])));
        side.settings = texts.iter().map(|text| (text.clone(), version.to_owned())).collect();
        side
    };
    let mut baseline = side("2031-03-02-h", "1", as_before as fn(usize, Asked, usize, u32) -> Answer);
    let mut candidate = side("2031-03-09-h", "2", overclaimed);
    candidate.prompt.1 = texts.iter().map(|text| format!("more {text}")).collect::<Vec<_>>().join("\n");
    baseline.catalog.tools.extend(texts.iter().map(|text| described(&format!("{text}-"), "gone", &[])));
    candidate.catalog.tools.extend(texts.iter().map(|text| described(&format!("{text}+"), "new", &[])));
    candidate.stale = texts.iter().map(|text| (text.clone(), text.clone())).collect();
    baseline.tasks.truncate(texts.len());
    candidate.tasks = baseline.tasks.iter().copied().filter(|task| task % 11 != 0).collect();
    let mut versus = Versus::new(baseline, candidate);
    versus.concurrent = false;
    versus.factor = FactorChoice::All;
    versus.policy.profile = Some(texts[2].clone() + &texts[12]);
    versus.labels = [texts[11].clone() + &texts[0], texts[13].clone()];
    let mut report = versus.report();
    confirm(&mut report, 3);
    report
}

/// A comparison of many cells, each as long as one can be.
pub fn huge_comparison() -> Report {
    let mut report = hostile_comparison();
    let comparison = report.comparison.as_mut().unwrap();
    let cell = comparison.cells[0].clone();
    for at in 0..60 {
        let mut cell = cell.clone();
        cell.label = format!("{} {at}", "<&`|@x>".repeat(400));
        for _ in 0..5 {
            cell.changed.extend(cell.changed.clone());
            cell.unpaired.extend(cell.unpaired.clone());
        }
        comparison.cells.push(cell);
    }
    comparison.notes = vec!["`_".repeat(5_000); 500];
    let gate = report.gate.as_mut().unwrap();
    let mut line = gate.lines[0].clone();
    line.words = "`_ ".repeat(5_000);
    line.verdict = GateVerdict::Invalid;
    gate.lines.extend(vec![line; 500]);
    report
}
