//! Probes and verdicts, made by hand.

use std::sync::Arc;

use indexmap::IndexMap;
use probes::{Arm, Expectation, Offered, RateName};
use scorer::{
    Behaviour, ByUnit, CallVerdict, Class, Counts, DecoyOutcome, FirstTurn, Judgement, NameForm,
    OutcomeVerdict, PlannedProbe, Rate, Scorecard, Surface, Tally, TurnVerdict, Unscored, Verdict,
};
use serde_json::json;
use transcript::{
    CellId, EndpointProperties, Fingerprint, ProbeId, Tool, ToolName, TrialStatus, TurnKind, Usage,
};

/// A probe of a kind (`task.kind[.variant][@arm]`) that enters what its kind enters.
pub(crate) fn probe(id: &str) -> PlannedProbe {
    let (base, arm) = id.split_once('@').map_or((id, None), |(base, arm)| (base, Some(arm)));
    let mut parts = base.split('.');
    let (task, kind) = (parts.next().unwrap(), parts.next().unwrap());
    let (headline, side, right) = match kind {
        "decoy" => (json!(["unknown_tool"]), json!(["misused_tool"]), "refuse_or_ask"),
        "overclaimed_prompt" => (json!([]), json!(["misused_tool"]), "refuse_or_ask"),
        "no_tool_needed" => (json!(["unknown_tool"]), json!(["over_call"]), "answer"),
        "lookalike" => (json!(["unknown_tool", "shadow_call"]), json!([]), "call"),
        "optional_argument" => (json!(["unknown_tool", "hallucinated_argument"]), json!([]), "call"),
        _ => (json!(["unknown_tool"]), json!([]), "call"),
    };
    let expectation: Expectation = serde_json::from_value(json!({
        "headline": headline,
        "side": side,
        "right": right,
        "tool": format!("{task}_run"),
        "offered": kind == "control",
        "every_arm": kind == "overclaimed_prompt",
        "decoys": if kind == "lookalike" { vec![format!("{task}_start")] } else { vec![] },
    }))
    .unwrap();
    PlannedProbe {
        id: ProbeId::new(id),
        question_hash: Fingerprint::of(base.as_bytes()),
        sent_hash: Fingerprint::of(id.as_bytes()),
        kind: kind.to_owned(),
        arm: arm.map(|arm| Arm(arm.to_owned())),
        task: task.to_owned(),
        source: "written".to_owned(),
        draft: false,
        expectation: Arc::new(expectation),
        offered: vec![offered(&["lamp_list", "lamp_get", "oven_get", "ping"])],
    }
}

pub(crate) fn offered(names: &[&str]) -> Offered {
    Offered::new(names.iter().map(|name| Arc::new(Tool::named(name))).collect())
}

/// A trial in which the model answers and every check that the probe enters finds nothing.
pub(crate) fn clean(probe: &PlannedProbe) -> Verdict {
    let mut checks = IndexMap::new();
    let listed = probe.expectation.headline.iter().chain(&probe.expectation.side);
    for &name in listed.chain(&[RateName::TextCall, RateName::Format]) {
        checks.insert(name, judged(false, 1, 0));
    }
    Verdict {
        status: TrialStatus::Scored,
        turns: vec![turn(Vec::new())],
        checks,
        behaviour: Behaviour::Right,
        decoy_outcome: None,
        after_unknown: None,
    }
}

/// A check that was judged: whether the event was there, over so many calls, with so many of them.
pub(crate) fn judged(event: bool, calls: u32, with_event: u32) -> Judgement {
    Judgement::Judged {
        opportunities: ByUnit { trials: 1, calls, arguments: 3 * calls },
        events: ByUnit { trials: u32::from(event), calls: with_event, arguments: with_event },
        first_turn: FirstTurn { event },
        findings: Vec::new(),
    }
}

pub(crate) fn turn(calls: Vec<CallVerdict>) -> TurnVerdict {
    let unknown = calls.iter().filter(|call| call.is_unknown()).count();
    TurnVerdict {
        step: 0,
        turn: if calls.is_empty() { TurnKind::Text } else { TurnKind::Calls },
        countable: true,
        counts: Counts {
            calls: u32::try_from(calls.len()).unwrap(),
            unknown_tool: u32::try_from(unknown).unwrap(),
            ..Counts::default()
        },
        calls,
        decoy_outcome: None,
        suspect: None,
        in_unknown_denominator: true,
        why: Vec::new(),
    }
}

pub(crate) fn call(name: &str, class: Class) -> CallVerdict {
    CallVerdict {
        emitted_name: name.to_owned(),
        surface: Surface::Structured,
        class: Some(class),
        name_form: (class == Class::UnknownTool).then_some(NameForm::Novel),
        intended_tool: None,
        executed_as: None,
        seen_in_history: false,
        nearest_tool: None,
        family: None,
        schema_valid: Some(true),
        format_findings: Vec::new(),
        argument_findings: Vec::new(),
    }
}

pub(crate) fn unknown(name: &str, nearest: Option<&str>, family: Option<&str>) -> CallVerdict {
    CallVerdict {
        nearest_tool: nearest.map(ToolName::new),
        family: family.map(str::to_owned),
        ..call(name, Class::UnknownTool)
    }
}

/// A trial whose first turn calls these unknown names.
pub(crate) fn inventing(probe: &PlannedProbe, calls: Vec<CallVerdict>) -> Verdict {
    let count = u32::try_from(calls.len()).unwrap();
    let mut verdict = clean(probe);
    if verdict.checks.contains_key(&RateName::UnknownTool) {
        verdict.checks.insert(RateName::UnknownTool, judged(true, count, count));
    }
    verdict.turns.insert(0, turn(calls));
    verdict.behaviour = Behaviour::Wrong;
    verdict.decoy_outcome = outcome(DecoyOutcome::Invented);
    verdict
}

pub(crate) fn outcome(label: DecoyOutcome) -> Option<OutcomeVerdict> {
    Some(OutcomeVerdict { label, evidence: None, censored: Vec::new() })
}

/// A trial that is not scored.
pub(crate) fn left_out(status: TrialStatus) -> Verdict {
    Verdict {
        status,
        turns: Vec::new(),
        checks: IndexMap::from([(RateName::UnknownTool, Judgement::Unscored(Unscored::TrialNotScored))]),
        behaviour: Behaviour::Unclear,
        decoy_outcome: None,
        after_unknown: None,
    }
}

pub(crate) fn tally(probes: &[PlannedProbe], repeats: u32) -> Tally {
    tally_at(probes, repeats, EndpointProperties::default())
}

pub(crate) fn tally_at(probes: &[PlannedProbe], repeats: u32, endpoint: EndpointProperties) -> Tally {
    Tally::new(CellId("c0".into()), probes.iter().cloned(), repeats, endpoint)
}

/// The tokens of a trial whose endpoint reports none.
pub(crate) const UNREPORTED: Usage =
    Usage { input: None, output: None, cached: None, cache_write: None, reasoning: None };

pub(crate) fn tokens(input: u64, output: u64) -> Usage {
    Usage { input: Some(input), output: Some(output), ..UNREPORTED }
}

pub(crate) fn rate(card: &Scorecard, name: RateName) -> &Rate {
    card.rate(name).unwrap()
}
