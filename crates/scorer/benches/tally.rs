//! How fast verdicts add up, and how much memory is held: a million of them over a thousand probes.
#![allow(clippy::unwrap_used, missing_docs, reason = "a benchmark of made-up verdicts")]

use std::sync::Arc;

use divan::AllocProfiler;
use indexmap::IndexMap;
use probes::{Expectation, RateName};
use scorer::{
    Behaviour, ByUnit, CallVerdict, Class, Counts, DecoyOutcome, FirstTurn, Judgement, NameForm,
    OutcomeVerdict, PlannedProbe, Surface, Tally, TurnVerdict, Verdict,
};
use transcript::{CellId, EndpointProperties, Fingerprint, ProbeId, TrialStatus, TurnKind, Usage};

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// A million trials: few probes with many repeats, and many probes with few.
#[divan::bench(args = [(1_000, 1_000), (100_000, 10)], sample_count = 3)]
fn a_million_adds(bencher: divan::Bencher<'_, '_>, (probes, repeats): (u32, u32)) {
    let probes: Vec<PlannedProbe> = (0..probes).map(probe).collect();
    let verdicts = [verdict(None), verdict(Some("billing_undo"))];
    let empty =
        Tally::new(CellId("c0".into()), probes.iter().cloned(), repeats, EndpointProperties::default());
    bencher.counter(1_000_000_u32).bench_local(|| {
        let mut tally = empty.fork();
        for repeat in 0..repeats {
            for (at, probe) in probes.iter().enumerate() {
                let invents = (at + repeat as usize).is_multiple_of(20);
                tally.add(&probe.id, repeat, &verdicts[usize::from(invents)], USAGE);
            }
        }
        tally
    });
}

/// A run of everyday size, to its scorecard.
#[divan::bench(sample_count = 20)]
fn ten_thousand_adds_and_the_scorecard(bencher: divan::Bencher<'_, '_>) {
    let probes: Vec<PlannedProbe> = (0..2_000).map(probe).collect();
    let verdicts = [verdict(None), verdict(Some("billing_undo"))];
    let empty = Tally::new(CellId("c0".into()), probes.iter().cloned(), 5, EndpointProperties::default());
    bencher.counter(10_000_u32).bench_local(|| {
        let mut tally = empty.fork();
        for repeat in 0..5 {
            for (at, probe) in probes.iter().enumerate() {
                tally.add(&probe.id, repeat, &verdicts[usize::from(at % 20 == 0)], USAGE);
            }
        }
        tally.finish()
    });
}

const USAGE: Usage =
    Usage { input: Some(300), output: Some(40), cached: None, cache_write: None, reasoning: None };

fn probe(at: u32) -> PlannedProbe {
    let task = format!("task-{}", at / 3);
    let expectation: Expectation = serde_json::from_str(
        r#"{"headline": ["unknown_tool"], "side": ["misused_tool"], "right": "refuse_or_ask", "tool": "billing_cancel"}"#,
    )
    .unwrap();
    PlannedProbe {
        id: ProbeId::new(&format!("{task}.decoy.v{}", at % 3)),
        question_hash: Fingerprint("sha256:00".into()),
        sent_hash: Fingerprint("sha256:00".into()),
        kind: "decoy".to_owned(),
        arm: None,
        task,
        source: "written".to_owned(),
        draft: false,
        expectation: Arc::new(expectation),
        offered: Vec::new(),
    }
}

fn verdict(invented: Option<&str>) -> Verdict {
    let event = invented.is_some();
    let judged = |event: bool| Judgement::Judged {
        opportunities: ByUnit { trials: 1, calls: 1, arguments: 0 },
        events: ByUnit { trials: u32::from(event), calls: u32::from(event), arguments: 0 },
        first_turn: FirstTurn { event },
        findings: Vec::new(),
    };
    let name = invented.unwrap_or("billing_get");
    Verdict {
        status: TrialStatus::Scored,
        turns: vec![turn(vec![call(name, event)]), turn(Vec::new())],
        checks: IndexMap::from([
            (RateName::UnknownTool, judged(event)),
            (RateName::MisusedTool, judged(false)),
            (RateName::TextCall, judged(false)),
            (RateName::Format, judged(false)),
        ]),
        after_unknown: None,
        behaviour: if event { Behaviour::Wrong } else { Behaviour::Right },
        decoy_outcome: Some(OutcomeVerdict {
            label: if event { DecoyOutcome::Invented } else { DecoyOutcome::Refused },
            evidence: None,
            censored: Vec::new(),
        }),
    }
}

fn turn(calls: Vec<CallVerdict>) -> TurnVerdict {
    TurnVerdict {
        step: 0,
        turn: if calls.is_empty() { TurnKind::Text } else { TurnKind::Calls },
        countable: true,
        counts: Counts { calls: u32::from(!calls.is_empty()), ..Counts::default() },
        calls,
        decoy_outcome: None,
        suspect: None,
        in_unknown_denominator: true,
        why: Vec::new(),
    }
}

fn call(name: &str, unknown: bool) -> CallVerdict {
    CallVerdict {
        emitted_name: name.to_owned(),
        surface: Surface::Structured,
        class: Some(if unknown { Class::UnknownTool } else { Class::Ok }),
        name_form: unknown.then_some(NameForm::NearMiss),
        intended_tool: None,
        executed_as: None,
        seen_in_history: false,
        nearest_tool: unknown.then(|| "billing_cancel".into()),
        family: None,
        schema_valid: Some(true),
        format_findings: Vec::new(),
        argument_findings: Vec::new(),
    }
}
