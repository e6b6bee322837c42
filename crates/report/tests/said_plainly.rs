//! What must be said is said in every format: simulated, unfinished, not measured, left out.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod canonical;

use canonical::{Parts, Spec, card, facts, header, named, outcome, rate, rendered, statuses};
use probes::RateName;
use report::{FORMATS, Format, Gathered, JudgedTrial, ShownTrial};
use scorer::Behaviour;

#[test]
fn a_simulated_run_says_so_on_its_first_and_last_line() {
    for name in ["clean", "several_cells"] {
        let report = named(name);
        for entry in FORMATS {
            let drawn = rendered(&report, entry.format);
            if entry.format == Format::Html {
                let (body, title) =
                    (drawn.split("<body>").nth(1).unwrap(), drawn.split("<title>").nth(1).unwrap());
                assert!(title.starts_with("SIMULATED"), "{name}");
                assert!(
                    body.trim_start().starts_with("<p class=\"banner\" role=\"note\">SIMULATED"),
                    "{name}"
                );
                let last = body.rsplit("<p ").next().unwrap();
                assert!(last.starts_with("class=\"banner\" role=\"note\">SIMULATED"), "{name}");
            } else if entry.format == Format::Csv {
                let rows = csv::Reader::from_reader(drawn.as_bytes()).into_records().map(Result::unwrap);
                assert!(rows.into_iter().all(|row| row[8] == *"true"), "{name}");
            } else if entry.format == Format::Junit {
                assert!(drawn.lines().nth(1).unwrap().starts_with("<testsuites name=\"SIMULATED"), "{name}");
            } else {
                // Above it in Markdown: the mark by which a comment is found again, which nobody sees.
                let seen = |line: &&str| !line.is_empty() && !line.starts_with("<!-- ");
                let lines: Vec<&str> = drawn.lines().filter(seen).collect();
                assert!(lines.first().unwrap().contains("SIMULATED"), "{name} as {}", entry.name);
                assert!(lines.last().unwrap().contains("SIMULATED"), "{name} as {}", entry.name);
            }
        }
        let value: serde_json::Value = serde_json::from_str(&rendered(&report, Format::Json)).unwrap();
        let keys: Vec<&String> = value.as_object().unwrap().keys().collect();
        assert_eq!((keys[0].as_str(), keys[keys.len() - 1].as_str()), ("notice", "end_notice"));
    }
}

#[test]
fn a_measured_run_does_not() {
    let report = named("faulty");
    for entry in FORMATS {
        assert!(!rendered(&report, entry.format).contains("SIMULATED"), "{}", entry.name);
    }
}

#[test]
fn an_unfinished_record_says_so_at_the_top() {
    let report = named("excluded");
    for entry in FORMATS {
        let drawn = rendered(&report, entry.format);
        let top = drawn.split("<body>").last().unwrap();
        if entry.format == Format::Csv {
            assert!(drawn.contains(",false,false,all,,unknown_tool,"), "not simulated, not finished");
            continue;
        }
        let at = top.find("313 of 540 planned trials have ended").unwrap();
        assert!(at < 100 && top[..at].contains("UNFINISHED"), "{}", entry.name);
    }
    assert!(!rendered(&named("faulty"), Format::Text).contains("UNFINISHED"));
}

#[test]
fn what_was_not_measured_is_neither_zero_nor_a_percentage() {
    let text = rendered(&named("nothing"), Format::Text);
    assert!(text.contains("nothing was measured"));
    assert_eq!(text.matches("not measured").count(), 3);
    assert!(!text.contains('%'));
    let text = rendered(&named("excluded"), Format::Text);
    assert!(text.contains("coverage too low: 61/540"));
    assert!(text.contains("censored"));
    assert!(text.contains("2 of 24") && !text.contains('%'), "no percentage under 10 probes");
}

#[test]
fn zero_events_are_an_upper_bound() {
    let text = rendered(&named("clean"), Format::Text);
    assert!(text.contains("0 of 270; at most 11.4 %"));
    let page = rendered(&named("clean"), Format::Html);
    assert!(page.contains("at most 11.4 % (upper end of the 95 % interval)"));
}

#[test]
fn scored_and_left_out_add_up_to_planned_and_outcomes_to_their_trials() {
    for canonical in canonical::canonical().into_iter().filter(|canonical| canonical.name != "hostile") {
        let report = canonical.report;
        let trials = &report.trials;
        assert_eq!(trials.scored + trials.left_out, trials.planned, "{}", canonical.name);
        assert_eq!(trials.reasons.values().sum::<u64>(), trials.left_out);
        let outcomes: u64 = report.outcomes.iter().map(|outcome| outcome.trials).sum();
        assert_eq!(outcomes, report.decoy_trials, "{}", canonical.name);
        let words: Vec<&str> = report.outcomes.iter().map(|outcome| outcome.outcome.as_str()).collect();
        assert_eq!(words, scorer::DecoyOutcome::SHOWN.map(scorer::DecoyOutcome::as_str));
    }
}

#[test]
fn a_record_that_does_not_add_up_says_so() {
    let mut card = card(0);
    statuses(&mut card, &[("scored", 30)]);
    card.planned = 36;
    let parts = Parts {
        header: header(&["desk"], &["gull-2"], false),
        cards: vec![card],
        gathered: Gathered::default(),
        facts: facts(),
    };
    assert_eq!(parts.report().notes, ["the record holds 30 trials and 36 were planned"]);
}

#[test]
fn excluded_trials_are_listed_and_the_rest_counted() {
    let report = named("excluded");
    assert_eq!(report.excluded.listed.len() as u64 + report.excluded.more, 240);
    assert!(report.excluded.more > 0);
    assert!(rendered(&report, Format::Html).contains(&format!("{} more trials", report.excluded.more)));
}

#[test]
fn a_trial_fails_by_an_event_or_by_a_wrong_behaviour_and_only_if_it_is_scored() {
    let fails = |event: Option<RateName>, behaviour: Behaviour, status| {
        let mut verdict = Spec { event, ..Spec::default() }.verdict();
        verdict.behaviour = behaviour;
        verdict.status = status;
        ShownTrial::is_failing(&verdict)
    };
    let scored = transcript::TrialStatus::Scored;
    assert!(fails(Some(RateName::TextCall), Behaviour::Right, scored));
    assert!(fails(None, Behaviour::Wrong, scored));
    assert!(!fails(None, Behaviour::Right, scored));
    assert!(!fails(None, Behaviour::Unclear, scored));
    assert!(!fails(Some(RateName::UnknownTool), Behaviour::Wrong, transcript::TrialStatus::Truncated));
}

#[test]
fn trials_may_come_in_any_order_and_from_several_threads() {
    let specs = |cell| {
        [2, 0, 1].map(|repeat| Spec { cell, repeat, event: Some(RateName::UnknownTool), ..Spec::default() })
    };
    let cards = || {
        let mut cards = vec![card(1), card(0)];
        for card in &mut cards {
            card.probes =
                vec![outcome("berth-for-the-late-ferry", "decoy", None, &[Behaviour::Wrong; 3])].into();
        }
        cards
    };
    let header = header(&["desk"], &["gull-2", "heron-1"], false);
    let mut together = Gathered::default();
    let (mut first, mut second) = (Gathered::default(), Gathered::default());
    for spec in specs(1) {
        spec.add(&mut together);
        spec.add(&mut second);
    }
    for spec in specs(0) {
        spec.add(&mut together);
        spec.add(&mut first);
    }
    second.merge(first);
    let report =
        |gathered| Parts { header: header.clone(), cards: cards(), gathered, facts: facts() }.report();
    let (a, b) = (report(together), report(second));
    assert_eq!(a, b);
    let order: Vec<(String, u32)> =
        a.failing.iter().map(|trial| (trial.cell.to_string(), trial.repeat)).collect();
    let cell = |cell: &str| [0, 1, 2].map(|repeat| (cell.to_owned(), repeat)).to_vec();
    assert_eq!(order, [cell("c0"), cell("c1")].concat());
    assert_eq!(a.cells.iter().map(|cell| cell.id.to_string()).collect::<Vec<_>>(), ["c0", "c1"]);
}

#[test]
fn a_name_invented_in_several_cells_stands_once() {
    let report = named("several_cells");
    let name = &report.invented[0];
    assert_eq!(name.name.text, "harbor_extend_berth");
    assert_eq!(name.by_cell.len(), 6);
    assert_eq!(name.by_cell.values().sum::<u64>(), name.trials);
}

#[test]
fn a_failing_trial_keeps_what_was_emitted_beside_what_is_said_of_it() {
    let spec = Spec {
        call: Some(("harbor_extend_berth", "{\"berth\": 4,")),
        name_form: Some(scorer::NameForm::Novel),
        event: Some(RateName::UnknownTool),
        ..Spec::default()
    };
    let (probe, trial, verdict) = (spec.probe(), spec.trial(), spec.verdict());
    let failing = ShownTrial::of(&JudgedTrial {
        probe: &probe,
        prompt: None,
        offered: &[],
        trial: &trial,
        verdict: &verdict,
    });
    let call = &failing.turns[0].calls[0];
    assert_eq!(call.name.text, "harbor_extend_berth");
    assert_eq!(
        call.arguments.as_ref().unwrap().text,
        "{\"berth\": 4,",
        "malformed arguments stay as they are"
    );
    let result = call.result.as_ref().unwrap();
    assert_eq!(result.outcome, Some(transcript::Outcome::Refused));
    assert_eq!(failing.offering.without[0].as_str(), "harbor_assign_berth");
}

#[test]
fn the_first_rate_is_called_by_its_denominator() {
    let of = |planned: u64| {
        let mut card = card(0);
        statuses(&mut card, &[("scored", planned)]);
        card.rates = vec![rate(RateName::UnknownTool, 0, 60, (0.0, 0.1))];
        let header = header(&["desk"], &["gull-2"], false);
        let report =
            Parts { header, cards: vec![card], gathered: Gathered::default(), facts: facts() }.report();
        report.definitions[0].of.clone()
    };
    assert_eq!(of(60), "of all trials");
    assert_eq!(of(90), "of eligible trials");
}
