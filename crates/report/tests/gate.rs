//! What a gate concludes is no more than what its lines say.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod canonical;

use canonical::{card, named, outcome, statuses};
use probes::RateName;
use report::{Ceiling, Comparison, Direction, Gate, GateVerdict, Policy, Report, decide};
use scorer::{Behaviour, Scorecard};

/// A comparison in which every rise beyond the tolerance is ruled out, and a policy that waives every rate.
fn waived() -> (Report, Comparison, Policy) {
    let mut report = named("better");
    let policy = Policy {
        waive: RateName::HEADLINE.to_vec(),
        must_pass: false,
        ceilings: Vec::new(),
        ..report.gate.take().unwrap().policy
    };
    assert!(policy.tolerance.is_some());
    let comparison = report.comparison.take().unwrap();
    (report, comparison, policy)
}

/// The same without a figure.
fn without_figures(mut comparison: Comparison) -> Comparison {
    for change in comparison.cells.iter_mut().flat_map(|cell| &mut cell.changes) {
        change.rate = None;
        change.adjusted_p = None;
        change.direction = Direction::NotComparable;
        change.reason = Some("not measured in the baseline".into());
    }
    comparison
}

/// A cell with one must-pass probe that was judged like this.
fn must_pass(behaviour: Behaviour) -> Scorecard {
    let mut card = card(0);
    statuses(&mut card, &[("scored", 1)]);
    let mut marked = outcome("berth-for-anna", "control", None, &[behaviour]);
    marked.must_pass = true;
    card.probes = [marked].into();
    card
}

fn said(gate: &Gate) -> (GateVerdict, &str) {
    (gate.verdict, &gate.headline)
}

#[test]
fn a_waived_rate_that_has_a_figure_was_asked() {
    let (report, comparison, policy) = waived();
    let gate = decide(&policy, &report, &[], Some(&comparison));
    assert_eq!(said(&gate), (GateVerdict::Pass, "every rise beyond the tolerance is ruled out"));
}

#[test]
fn where_all_is_waived_nothing_was_asked() {
    let (report, comparison, mut policy) = waived();
    let mut comparison = without_figures(comparison);
    let nothing = (GateVerdict::Invalid, "nothing was asked");
    assert_eq!(said(&decide(&policy, &report, &[], Some(&comparison))), nothing);
    policy.across_suites = true;
    comparison.mixed_suites = Some("the sides ran different suites".into());
    assert_eq!(said(&decide(&policy, &report, &[], Some(&comparison))), nothing, "leave is no answer");
    policy.ceilings = vec![Ceiling { metric: RateName::UnknownTool, at: 0.1, on_point: false }];
    let card = must_pass(Behaviour::Right);
    assert_eq!(said(&decide(&policy, &report, &[card], None)), nothing, "nor is a ceiling over nothing");
}

#[test]
fn a_gate_without_a_figure_does_not_say_that_no_rate_rose() {
    let (report, comparison, mut policy) = waived();
    policy.must_pass = true;
    let cards = [must_pass(Behaviour::Right)];
    let gate = decide(&policy, &report, &cards, Some(&without_figures(comparison)));
    let words = "no gated rate can be compared (waived); every must-pass probe passed";
    assert_eq!(said(&gate), (GateVerdict::Pass, words));
}

#[test]
fn what_is_ruled_out_is_not_said_to_be_open() {
    let (report, mut comparison, mut policy) = waived();
    policy.must_pass = true;
    for change in comparison.cells.iter_mut().flat_map(|cell| &mut cell.changes) {
        change.direction = Direction::Unclear;
        change.adjusted_p = Some(0.4);
    }
    let cards = [must_pass(Behaviour::Unclear)];
    let gate = decide(&policy, &report, &cards, Some(&comparison));
    assert_eq!(said(&gate), (GateVerdict::Inconclusive, "of some must-pass probes it cannot be told"));
    policy.tolerance = None;
    let gate = decide(&policy, &report, &cards, Some(&comparison));
    let words = "no rise is shown, and none is ruled out; of some must-pass probes it cannot be told";
    assert_eq!(said(&gate), (GateVerdict::Inconclusive, words));
}
