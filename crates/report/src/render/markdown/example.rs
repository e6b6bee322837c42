//! One changed probe with what both sides did, and the table of all of them.

use probes::RateName;

use super::inline::{code, html_code, name};
use super::{details, table};
use crate::compare::{ChangedProbe, ComparedCell, Comparison, Direction, ProbeDirection};
use crate::number::count;
use crate::report::ShownTrial;
use crate::table::compared::{again_words, changed_words};

/// Changed probes of a table, over all cells.
const PROBES: usize = 30;
/// Characters of a request and of an answer.
const ASKED: usize = 400;
const ANSWERED: usize = 300;

/// The probe to show: one that got worse in the first rate that rose, else in any gated one, and has a trial of
/// the candidate; of those, one whose outcome changed with it before others, and then the one that did it again
/// most often.
pub(super) fn chosen(cell: &ComparedCell) -> Option<&ChangedProbe> {
    let rose = cell.changes.iter().find(|change| change.gated && change.direction == Direction::Rose);
    let tells = |probe: &&ChangedProbe| {
        probe.direction != ProbeDirection::Better
            && probe.candidate_trial.is_some()
            && probe.rates.iter().any(|rate| match rose {
                Some(change) => rate.metric == change.metric,
                None => rate.gated,
            })
    };
    let again = |probe: &ChangedProbe| {
        probe.confirmed.map_or(0, |again| again.candidate.events.saturating_sub(again.baseline.events))
    };
    // The first of the best: suite order decides among equals.
    cell.changed
        .iter()
        .filter(tells)
        .rev()
        .max_by_key(|probe| (probe.outcomes.0 != probe.outcomes.1, again(probe)))
}

/// One probe, unfolded: what was asked, and what each side did.
pub(super) fn one(comparison: &Comparison, probe: &ChangedProbe) -> String {
    let trial = |at: Option<usize>| at.and_then(|at| comparison.trials.get(at));
    let (before, after) = (trial(probe.baseline_trial), trial(probe.candidate_trial));
    let Some(shown) = after.or(before) else { return String::new() };
    let mut lines = Vec::new();
    if let Some(message) = shown.messages.iter().rev().find(|message| message.role == transcript::Role::User)
    {
        lines.push(format!("Asked: {}", code(&message.text.text, ASKED)));
    }
    if let Some(tool) = &shown.tool {
        let offered = if shown.tool_offered { "is offered" } else { "is not offered" };
        lines.push(format!("Wanted: {}, which {offered}", name(tool.as_str())));
    }
    for (side, trial) in [(&comparison.baseline, before), (&comparison.candidate, after)] {
        let answered = match trial {
            Some(trial) => answered(trial),
            None if side.accepted => "(an accepted baseline holds no transcripts)".to_owned(),
            None => "(no trial at hand)".to_owned(),
        };
        lines.push(format!("{}: {answered}", name(&side.label)));
    }
    let body: Vec<String> = lines.iter().map(|line| format!("- {line}")).collect();
    details(&format!("One example: {}", html_code(probe.probe.as_str(), 100)), &body.join("\n"))
}

/// What a model did, and what that is: its first call that was found wrong, else its first call, else its words.
fn answered(trial: &ShownTrial) -> String {
    let calls = || trial.turns.iter().flat_map(|turn| &turn.calls);
    let wrong = calls()
        .find(|call| call.name_form.is_some() || call.class.is_some_and(|class| class != scorer::Class::Ok));
    let said = wrong.or_else(|| calls().next()).map_or_else(
        || {
            let mut texts =
                trial.turns.iter().filter_map(|turn| turn.text.as_ref().or(turn.refusal.as_ref()));
            let quote = || trial.outcome.as_ref().and_then(|outcome| outcome.evidence.as_ref());
            let text =
                texts.next_back().map(|text| &text.text).or_else(|| quote().map(|evidence| &evidence.quote));
            text.map_or_else(|| "(no words)".to_owned(), |text| code(text, ANSWERED))
        },
        |call| {
            let arguments = call.arguments.as_ref().map_or("", |arguments| arguments.text.as_str());
            code(&format!("{}({arguments})", call.name.text), ANSWERED)
        },
    );
    let mut words: Vec<&str> =
        trial.events.iter().map(|rate: &RateName| crate::words::words(*rate).title).collect();
    words.extend(trial.outcome.as_ref().map(|outcome| outcome.label.as_str()));
    if words.is_empty() { said } else { format!("{said} → {}", words.join(", ")) }
}

/// All changed probes, cell by cell.
pub(super) fn all(comparison: &Comparison) -> String {
    let several = comparison.cells.len() > 1;
    let changed =
        || comparison.cells.iter().flat_map(|cell| cell.changed.iter().map(move |probe| (cell, probe)));
    let again = changed().any(|(_, probe)| again_words(probe).is_some());
    let mut heads = vec!["probe".to_owned()];
    if several {
        heads.push("cell".to_owned());
    }
    heads.push(format!("{} → {}", name(&comparison.baseline.label), name(&comparison.candidate.label)));
    if again {
        heads.push("further trials".to_owned());
    }
    let rows: Vec<Vec<String>> = changed()
        .take(PROBES)
        .map(|(cell, probe)| {
            let mut row = vec![name(probe.probe.as_str())];
            if several {
                row.push(super::prose(&cell.label, 60));
            }
            row.push(changed_words(probe));
            if again {
                row.push(again_words(probe).unwrap_or_default());
            }
            row
        })
        .collect();
    let total = changed().count();
    if total == 0 {
        return "No probe changed.".to_owned();
    }
    let more = total.saturating_sub(PROBES) as u64;
    let more = if more > 0 { format!("\n\nAnd {} more.", count(more)) } else { String::new() };
    format!("{}{more}", table(&heads, &rows))
}
