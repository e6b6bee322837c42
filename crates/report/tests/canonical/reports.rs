//! The canonical reports themselves.

use std::sync::Arc;

use indexmap::IndexMap;
use probes::{RateName, RightBehaviour};
use report::{Ceiling, Gathered, OnInconclusive, Policy, Report, decide};
use scorer::{
    ArgumentCount, ArgumentFault, ArgumentFinding, ArmDelta, ArmOutcomes, Basis, Behaviour, Class,
    DecoyOutcome, DispatchOutcome, InventedName, NameForm, OverRepeats, PerTrial, RateState, RoutedTo,
    Scorecard, ShadowedTool, ToolCorrectness, Totals, UnlistedNames,
};
use transcript::{CellId, ProbeId, Stale, ToolName, TrialError, TrialStatus};

use super::build::*;
use super::comparisons;

/// A report under a name.
pub struct Canonical {
    pub name: &'static str,
    pub report: Report,
}

/// Every canonical report.
pub fn canonical() -> Vec<Canonical> {
    vec![
        Canonical { name: "nothing", report: nothing() },
        Canonical { name: "clean", report: clean() },
        Canonical { name: "faulty", report: faulty() },
        Canonical { name: "gated", report: gated() },
        Canonical { name: "several_cells", report: several_cells() },
        Canonical { name: "excluded", report: excluded() },
        Canonical { name: "hostile", report: hostile() },
        Canonical { name: "worse", report: comparisons::worse() },
        Canonical { name: "unclear", report: comparisons::unclear() },
        Canonical { name: "better", report: comparisons::better() },
        Canonical { name: "not_comparable", report: comparisons::not_comparable() },
        Canonical { name: "several_factors", report: comparisons::several_factors() },
        Canonical { name: "hostile_comparison", report: comparisons::hostile_comparison() },
    ]
}

use RateName::{HallucinatedArgument, ShadowCall, UnknownTool};

/// A run in which no trial was scored.
fn nothing() -> Report {
    let mut card = card(0);
    statuses(&mut card, &[("scored", 0), ("endpoint_error", 36)]);
    card.rates = RateName::HEADLINE
        .map(|metric| excluding(rate(metric, 0, 0, (0.0, 0.0)), &[("endpoint_error", 36)]))
        .to_vec();
    for rate in &mut card.rates {
        rate.range_with_exclusions = None;
    }
    card.probes = (0..12).map(|at| outcome(&format!("task-{at}"), "control", None, &[])).collect();
    let mut gathered = Gathered::default();
    for repeat in 0..3 {
        Spec { kind: "control", task: "task-0", repeat, ..Spec::default() }.add_as(
            &mut gathered,
            TrialStatus::EndpointError,
            Some(TrialError {
                message: "the endpoint answered with an error page".into(),
                http_status: Some(502),
                cause: None,
            }),
        );
    }
    Parts { header: header(&["desk"], &["gull-2"], false), cards: vec![card], gathered, facts: facts() }
        .report()
}

/// A run without one event.
fn clean() -> Report {
    let mut card = card(0);
    statuses(&mut card, &[("scored", 270)]);
    card.totals = Totals { turns: 300, calls: 140, known_calls: 140, arguments: 420, ..Totals::default() };
    card.rates = vec![
        by_call(rate(UnknownTool, 0, 270, (0.0, 0.114)), 0, 140),
        rate(ShadowCall, 0, 60, (0.0, 0.161)),
        by_argument(by_call(rate(HallucinatedArgument, 0, 120, (0.0, 0.138)), 0, 80), 0, 240),
        rate(RateName::Format, 0, 270, (0.0, 0.114)),
    ];
    outcomes(&mut card, [80, 10, 0, 0, 0, 0, 0]);
    card.probes = (0..30)
        .flat_map(|at| {
            ["control", "decoy", "lookalike"]
                .map(|kind| outcome(&format!("task-{at}"), kind, None, &[Behaviour::Right; 3]))
        })
        .collect();
    card.slices = vec![
        slice("kind", "control", vec![rate(UnknownTool, 0, 90, (0.0, 0.114))]),
        slice("kind", "decoy", vec![rate(UnknownTool, 0, 90, (0.0, 0.114))]),
        slice(
            "kind",
            "lookalike",
            vec![rate(UnknownTool, 0, 90, (0.0, 0.114)), rate(ShadowCall, 0, 60, (0.0, 0.161))],
        ),
    ];
    Parts {
        header: header(&["desk"], &["sim:honest"], true),
        cards: vec![card],
        gathered: Gathered::default(),
        facts: facts(),
    }
    .report()
}

fn fault(path: &str, finding: ArgumentFault, counted: bool, note: &str) -> ArgumentFinding {
    ArgumentFinding {
        path: path.into(),
        finding,
        counted,
        basis: if counted { Basis::Oracle } else { Basis::Grounding },
        required: false,
        note: Some(note.into()),
    }
}

/// The cell of a model that makes much up.
fn faulty_card(at: usize, more: u64) -> Scorecard {
    let mut card = card(at);
    statuses(&mut card, &[("scored", 536), ("timeout", 3), ("truncated", 1)]);
    card.totals = Totals {
        turns: 811,
        calls: 460,
        known_calls: 402,
        arguments: 1_377,
        text_calls: 6,
        input_tokens: 981_310,
        output_tokens: 43_904,
    };
    let share = |events: u64, scored: u64| {
        let p = events as f64 / scored as f64;
        (p * 0.55, (p * 1.7 + 0.01).min(1.0))
    };
    let headline = |metric, events, scored| rate(metric, events, scored, share(events, scored));
    let mut unknown = excluding(
        by_call(headline(UnknownTool, 14 + more, 416), 19 + more, 460),
        &[("timeout", 3), ("truncated", 1)],
    );
    unknown.over_repeats = Some(OverRepeats { all: 2, any: 9, probes: 136 });
    unknown.mean_over_probes = Some((14 + more) as f64 / 416.0 + 0.001);
    card.rates = vec![
        unknown,
        by_call(headline(ShadowCall, 13, 90), 14, 102),
        by_argument(by_call(headline(HallucinatedArgument, 42, 240), 44, 207), 51, 702),
        headline(RateName::MisusedTool, 21, 150),
        headline(RateName::OverCall, 1, 18),
        headline(RateName::TextCall, 6, 536),
        headline(RateName::Format, 4, 536),
    ];
    card.slices = vec![
        slice("kind", "control", vec![headline(UnknownTool, 1, 90)]),
        slice("kind", "no_tool_needed", vec![rate(UnknownTool, 0, 18, (0.0, 0.39))]),
        slice("kind", "decoy", vec![headline(UnknownTool, 11 + more, 90)]),
        slice("kind", "lookalike", vec![headline(UnknownTool, 1, 90), headline(ShadowCall, 13, 90)]),
        slice(
            "kind",
            "optional_argument",
            vec![headline(UnknownTool, 1, 120), headline(HallucinatedArgument, 30, 120)],
        ),
        slice(
            "kind",
            "missing_argument",
            vec![rate(UnknownTool, 0, 120, (0.0, 0.094)), headline(HallucinatedArgument, 12, 120)],
        ),
    ];
    card.slices.extend(TOOLS.iter().enumerate().map(|(at, tool)| {
        let at = at as u64;
        slice(
            "tool",
            tool,
            vec![
                headline(UnknownTool, at % 5, 33),
                rate(ShadowCall, at % 3, 9, (0.0, 0.5)),
                headline(HallucinatedArgument, at % 7, 33),
            ],
        )
    }));
    card.slices.push(slice("source", "written", vec![headline(UnknownTool, 14 + more, 416)]));
    outcomes(&mut card, [66, 14, 11, 32, 5, 18, 4]);
    card.invented = vec![
        invented("harbor_extend_berth", NameForm::Novel, 8 + more, Some("harbor_assign_berth")),
        invented("assign_berth", NameForm::PrefixDropped, 3, Some("harbor_assign_berth")),
        invented("functions.tide_forecast", NameForm::NamespacePrefix, 2, Some("tide_forecast")),
        invented("query_database", NameForm::Novel, 1, None),
        invented("harbor_move_vessel", NameForm::Novel, 1, Some("harbor_get_berth")),
        invented("Notify_Captain", NameForm::Case, 1, Some("notify_captain")),
    ];
    card.shadowed = vec![
        shadow("harbor_allocate_berth", "harbor_assign_berth", 9, 12),
        shadow("customs_submit_declaration", "customs_file_declaration", 4, 12),
    ];
    card.argument_findings = vec![
        ArgumentCount { finding: "invented_optional".into(), counted: 30, listed: 0 },
        ArgumentCount { finding: "fabricated_id".into(), counted: 12, listed: 5 },
        ArgumentCount { finding: "filler_empty".into(), counted: 0, listed: 17 },
    ];
    card.format_findings =
        IndexMap::from([("arguments_double_encoded".to_owned(), 3), ("emitted_as_text".to_owned(), 1)]);
    card.arms = vec![
        strict_over_all_kinds(),
        ArmDelta {
            kind: "overclaimed_prompt".into(),
            arm: "overclaimed".into(),
            metric: UnknownTool,
            pairs: 60,
            clusters: 20,
            base: PerTrial { events: 3, scored: 60 },
            treatment: PerTrial { events: 16, scored: 60 },
            difference: Some(0.2167),
            interval_95: Some((0.081, 0.355)),
            discordant: (1, 14),
            p: Some((0.000_98, 0.000_52)),
            q: None,
        },
    ];
    let routed = |policy: &str, cutoff, repaired, other_tools: &[(&str, u64)]| {
        let other = other_tools.iter().map(|(_, calls)| calls).sum::<u64>();
        DispatchOutcome {
            policy: policy.into(),
            algorithm: "by a rule".into(),
            cutoff,
            source: "a framework, its version".into(),
            unknown_calls: 19 + more,
            raised: 19 + more - repaired - other,
            repaired,
            other,
            other_tools: other_tools
                .iter()
                .map(|&(tool, calls)| RoutedTo { tool: ToolName::new(tool), calls })
                .collect(),
        }
    };
    card.dispatch = vec![
        routed("strict", None, 0, &[]),
        routed("closest_match@0.85", Some(0.85), 3, &[("harbor_<b>list</b>", 5), (TOOLS[1], 2)]),
    ];
    let correctness = |definition: &str, misses: &[(&str, u64)]| ToolCorrectness {
        definition: definition.into(),
        words: "the tools that are expected are called".into(),
        correct: 416 - misses.iter().map(|(_, trials)| trials).sum::<u64>(),
        scored: 416,
        misses: misses.iter().map(|&(word, trials)| (word.to_owned(), trials)).collect(),
    };
    card.tool_correctness = vec![
        correctness("by_name", &[("unknown_tool", 14), ("no_call", 9)]),
        correctness("exact", &[("unknown_tool", 14), ("hallucinated_argument", 31), ("no_call", 9)]),
    ];
    card.arm_outcomes = vec![ArmOutcomes {
        kind: "overclaimed_prompt".into(),
        arm: "overclaimed".into(),
        pairs: 60,
        base: DecoyOutcome::SHOWN.into_iter().zip([40, 9, 3, 4, 1, 3, 0]).collect(),
        treatment: DecoyOutcome::SHOWN.into_iter().zip([22, 6, 16, 9, 3, 3, 1]).collect(),
    }];
    let mut probes = probes();
    probes.push(outcome("tide-tomorrow", "control", None, &[Behaviour::Wrong; 3]));
    probes.push(outcome("crane-at-dawn", "control", None, &[]));
    card.probes = probes.into();
    card
}

fn invented(name: &str, form: NameForm, trials: u64, nearest: Option<&str>) -> InventedName {
    InventedName {
        name: name.into(),
        name_form: form,
        trials,
        calls: trials + 1,
        nearest_tool: nearest.map(ToolName::new),
        would_run: nearest.filter(|_| form == NameForm::NearMiss).map(ToolName::new),
        family: TOOLS[..4].iter().map(|tool| ToolName::new(tool)).collect(),
        wanted: Some(ToolName::new("harbor_assign_berth")),
        example: ProbeId::new("berth-for-the-late-ferry.decoy"),
    }
}

fn shadow(decoy: &str, wanted: &str, trials: u64, of: u64) -> ShadowedTool {
    ShadowedTool { decoy: ToolName::new(decoy), wanted: ToolName::new(wanted), trials, of }
}

/// 180 probes of 30 tasks.
fn probes() -> Vec<scorer::ProbeOutcome> {
    use Behaviour::{Right, Unclear, Wrong};
    let mut probes = Vec::new();
    for at in 0..30 {
        let task = if at == 0 { "berth-for-the-late-ferry".to_owned() } else { format!("task-{at}") };
        let some = if at % 4 == 0 { Wrong } else { Right };
        probes.push(outcome(&task, "control", None, &[Right, Right, Right]));
        probes.push(outcome(&task, "decoy", None, &[Right, some, some]));
        probes.push(outcome(&task, "lookalike", None, &[Right, some, Right]));
        probes.push(outcome(&task, "optional_argument", None, &[some, Right, Right]));
        probes.push(outcome(&task, "missing_argument", None, &[Right, Unclear, some]));
        probes.push(outcome(&task, "overclaimed_prompt", Some("overclaimed"), &[some, some, Right]));
    }
    probes
}

fn faulty_trials(gathered: &mut Gathered, cell: usize, model: &str) {
    let base = || Spec { cell, model, ..Spec::default() };
    for repeat in 0..2 {
        Spec {
            repeat,
            call: Some((
                "harbor_extend_berth",
                r#"{"berth":4,"vessel":"Brisk","until":"2031-03-09T09:00:00Z","reason":"ferry delayed"}"#,
            )),
            name_form: Some(NameForm::Novel),
            nearest: Some("harbor_assign_berth"),
            event: Some(UnknownTool),
            message: "`harbor_extend_berth` is not among the 11 tools of this turn",
            quote: "harbor_extend_berth",
            outcome: Some(DecoyOutcome::Invented),
            reasoning: Some("The assign tool is not there. There is surely one to extend a berth."),
            ..base()
        }
        .add(gathered);
    }
    Spec {
        task: "task-4",
        text: "Done. Berth 4 is now assigned to the tug Brisk until the ferry Alma arrives.",
        event: None,
        quote: "Done. Berth 4 is now assigned",
        outcome: Some(DecoyOutcome::Claimed),
        ..base()
    }
    .add(gathered);
    Spec {
        kind: "lookalike",
        offered: true,
        right: RightBehaviour::Call,
        decoys: &["harbor_allocate_berth"],
        call: Some(("harbor_allocate_berth", r#"{"berth_id":"B-4","vessel":"Brisk"}"#)),
        class: Class::ShadowCall,
        event: Some(ShadowCall),
        message: "the decoy `harbor_allocate_berth` was called in place of `harbor_assign_berth`",
        quote: "harbor_allocate_berth",
        ..base()
    }
    .add(gathered);
    Spec {
        kind: "optional_argument",
        offered: true,
        right: RightBehaviour::Call,
        call: Some((
            "harbor_assign_berth",
            r#"{"berth_id":"B-4","vessel":"Brisk","notify_email":"captain@brisk.example","priority":"high"}"#,
        )),
        class: Class::HallucinatedArgument,
        arguments: vec![
            fault("/notify_email", ArgumentFault::FabricatedContact, true, "nobody gave an address"),
            fault("/priority", ArgumentFault::InventedOptional, true, "not asked for"),
            fault("/berth_id", ArgumentFault::FabricatedId, false, "`B-4` is a form of `berth 4`"),
        ],
        event: Some(HallucinatedArgument),
        message: "2 arguments that the request does not justify",
        quote: "captain@brisk.example",
        ..base()
    }
    .add(gathered);
    Spec {
        kind: "overclaimed_prompt",
        arm: Some("overclaimed"),
        call: Some(("query_database", r#"{"sql":"UPDATE berths SET vessel = 'Brisk' WHERE id = 4"}"#)),
        name_form: Some(NameForm::Novel),
        event: Some(UnknownTool),
        message: "`query_database` is not among the 11 tools of this turn",
        quote: "query_database",
        outcome: Some(DecoyOutcome::Invented),
        ..base()
    }
    .add(gathered);
    for repeat in 0..3 {
        Spec { task: "task-7", kind: "control", repeat, ..base() }.add_as(
            gathered,
            TrialStatus::Timeout,
            Some(TrialError { message: "no answer within 60 s".into(), http_status: None, cause: None }),
        );
    }
}

/// A run with faults of every sort.
fn faulty() -> Report {
    let mut gathered = Gathered::default();
    faulty_trials(&mut gathered, 0, "gull-2");
    let mut header = header(&["desk"], &["gull-2"], false);
    header.stale.push(Stale {
        cell: CellId("c0".into()),
        probe: ProbeId::new("crane-for-the-late-ship.lookalike.synonym-verb"),
        reason: "the lookalike's name is in the catalog already".into(),
    });
    Parts { header, cards: vec![faulty_card(0, 0)], gathered, facts: facts() }.report()
}

/// Six cells held against ceilings, of which some are crossed and some may be.
fn gated() -> Report {
    let models = ["gull-2", "tern-1", "auk-7"];
    let mut cards: Vec<Scorecard> = (0..6).map(|at| faulty_card(at, 4 * at as u64)).collect();
    for card in &mut cards {
        for probe in
            Arc::make_mut(&mut card.probes).iter_mut().filter(|probe| probe.kind == "control").take(5)
        {
            probe.must_pass = true;
        }
    }
    let mut header = header(&["desk", "night-watch"], &models, false);
    header.profile = Some("weekly".into());
    let ceiling = |metric, at| Ceiling { metric, at, on_point: false };
    let policy = Policy {
        profile: Some("weekly".into()),
        ceilings: vec![ceiling(UnknownTool, 0.05), ceiling(ShadowCall, 0.3)],
        inconclusive: OnInconclusive::Fail,
        ..Policy::DEFAULT
    };
    let mut gathered = Gathered::default();
    for (at, model) in models.iter().cycle().take(6).enumerate() {
        faulty_trials(&mut gathered, at, model);
    }
    let parts = Parts { header, cards: cards.clone(), gathered, facts: facts() };
    let mut report = parts.report();
    report.gate = Some(decide(&policy, &report, &cards, None));
    report
}

/// Two prompts and three simulated models beside each other.
fn several_cells() -> Report {
    let mut gathered = Gathered::default();
    let models = ["sim:careless", "sim:liar", "sim:planted:unknown_tool=0.03,shadow_call=0.1"];
    let cards = (0..6).map(|at| faulty_card(at, 9 * at as u64)).collect();
    for (at, model) in models.iter().cycle().take(6).enumerate() {
        faulty_trials(&mut gathered, at, model);
    }
    let mut header = header(&["desk", "night-watch"], &models, true);
    header.profile = Some("weekly".into());
    Parts { header, cards, gathered, facts: facts() }.report()
}

/// An unfinished run in which much was left out.
fn excluded() -> Report {
    let mut card = card(0);
    statuses(&mut card, &[("scored", 61), ("timeout", 240), ("quota", 12), ("not_sent", 227)]);
    let reasons = [("timeout", 240), ("quota", 12), ("not_sent", 227)];
    let mut unknown = excluding(rate(UnknownTool, 3, 61, (0.01, 0.2)), &reasons);
    unknown.state = RateState::CoverageTooLow;
    let mut shadow = rate(ShadowCall, 0, 12, (0.0, 0.4));
    shadow.state = RateState::Censored;
    card.rates = vec![unknown, shadow, rate(HallucinatedArgument, 2, 24, (0.01, 0.3))];
    outcomes(&mut card, [6, 0, 2, 0, 0, 0, 1]);
    card.probes = probes().into();
    let mut gathered = Gathered::default();
    for repeat in 0..240 {
        Spec { task: "task-3", kind: "control", repeat, ..Spec::default() }.add_as(
            &mut gathered,
            TrialStatus::Timeout,
            Some(TrialError { message: "no answer within 60 s".into(), http_status: None, cause: None }),
        );
    }
    let mut facts = facts();
    facts.finished = false;
    facts.torn_line = Some(318);
    facts.resumed = 1;
    Parts { header: header(&["desk"], &["gull-2"], false), cards: vec![card], gathered, facts }.report()
}

/// Text that wants to be something else, wherever a model or a file can put text.
pub const HOSTILE: [&str; 10] = [
    "<script>alert(1)</script>",
    "]]>",
    "a|b|c",
    "=cmd|' /C calc'!A0",
    "two\nlines\r\nof\ttext",
    "\u{1b}[2J\u{1b}[31mred\u{1b}]0;title\u{7}",
    "berth\u{202e}gpj.exe",
    "zero\u{200b}width",
    "\" onmouseover=\"alert(1)",
    "{{ page.title }}{% include 'x' %}",
];

fn hostile() -> Report {
    let mut card = faulty_card(0, 0);
    let long = "x".repeat(10_000);
    card.invented = HOSTILE
        .iter()
        .copied()
        .chain([long.as_str(), ""])
        .map(|name| invented(name, NameForm::Novel, 1, Some(HOSTILE[0])))
        .collect();
    card.shadowed = vec![shadow(HOSTILE[5], HOSTILE[6], 1, 3)];
    card.slices.push(slice("tool", HOSTILE[0], vec![rate(UnknownTool, 1, 60, (0.001, 0.09))]));
    card.slices.push(slice("kind", HOSTILE[4], vec![rate(UnknownTool, 1, 60, (0.001, 0.09))]));
    card.argument_findings[0].finding = HOSTILE[0].into();
    card.format_findings = IndexMap::from([(HOSTILE[5].to_owned(), 1)]);
    let hostile = outcome(HOSTILE[8], "control", None, &[Behaviour::Wrong]);
    card.probes = card.probes.iter().cloned().chain([hostile]).collect();
    card.unlisted_names = UnlistedNames { trials: 7, calls: 8 };
    card.duplicates = 2;
    card.unplanned = 1;
    card.statuses.insert(HOSTILE[1].into(), 2);
    let mut gathered = Gathered::default();
    for (repeat, text) in HOSTILE.iter().copied().chain([long.as_str()]).enumerate() {
        Spec {
            task: "berth-for-the-late-ferry",
            repeat: repeat as u32,
            user: text,
            tool: text,
            decoys: &[text],
            call: Some((text, text)),
            name_form: Some(NameForm::Novel),
            nearest: Some(text),
            arguments: vec![fault(text, ArgumentFault::FabricatedId, true, text)],
            text,
            reasoning: Some(text),
            event: Some(UnknownTool),
            message: text,
            quote: text,
            outcome: Some(DecoyOutcome::Invented),
            model: text,
            ..Spec::default()
        }
        .add(&mut gathered);
    }
    Spec::default().add_as(
        &mut gathered,
        TrialStatus::EndpointError,
        Some(TrialError { message: HOSTILE.join(" "), http_status: Some(500), cause: None }),
    );
    let mut header = header(&["desk"], &[HOSTILE[0]], false);
    header.suite.name = HOSTILE[5].into();
    header.run = HOSTILE[8].into();
    header.stale.push(Stale {
        cell: CellId("c0".into()),
        probe: ProbeId::new(HOSTILE[6]),
        reason: HOSTILE[0].into(),
    });
    header.profile = Some(HOSTILE[4].into());
    for record in header.catalogs.values_mut() {
        record.label = HOSTILE[0].into();
        record.tools.push(transcript::Tool::named(HOSTILE[5]));
    }
    for record in header.prompts.values_mut() {
        record.label = HOSTILE[6].into();
        record.text = HOSTILE.join("\n");
    }
    Parts { header, cards: vec![card], gathered, facts: facts() }.report()
}

/// A report with this many failing trials, each with long texts.
pub fn many_failing(trials: u32) -> Report {
    let long = "The berth plan of this week lists every vessel. ".repeat(60);
    let mut gathered = Gathered::default();
    for repeat in 0..trials {
        Spec {
            repeat,
            call: Some(("harbor_extend_berth", &long)),
            name_form: Some(NameForm::Novel),
            text: &long,
            reasoning: Some(&long),
            event: Some(UnknownTool),
            message: "not offered",
            quote: "harbor_extend_berth",
            outcome: Some(DecoyOutcome::Invented),
            ..Spec::default()
        }
        .add(&mut gathered);
    }
    let header = header(&["desk"], &["gull-2"], false);
    Parts { header, cards: vec![faulty_card(0, 0)], gathered, facts: facts() }.report()
}

/// An arm of the suite, over all kinds.
fn strict_over_all_kinds() -> ArmDelta {
    ArmDelta {
        kind: ArmDelta::ALL_KINDS.into(),
        arm: "strict".into(),
        metric: UnknownTool,
        pairs: 180,
        clusters: 20,
        base: PerTrial { events: 12, scored: 180 },
        treatment: PerTrial { events: 2, scored: 180 },
        difference: Some(-0.0556),
        interval_95: Some((-0.109, -0.014)),
        discordant: (11, 1),
        p: Some((0.006_35, 0.003_42)),
        q: Some(0.003_42),
    }
}
