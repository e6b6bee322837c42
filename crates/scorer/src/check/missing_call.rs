//! Did the call happen that had to happen in this turn? The executor log says so; what the text says of it does
//! not matter (DESIGN.md 3.5), but for what stands in its place: prose, an inventory of tools, an offer, a refusal.

use probes::RateName;
use transcript::Outcome;

use super::{Check, Word, enters, of_trial, place};
use crate::finding::Finding;
use crate::outcome;
use crate::past::given;
use crate::score::View;
use crate::verdict::{ByUnit, DecoyOutcome, Judgement, Unscored};

pub(super) const CHECK: Check =
    Check { rate: RateName::MissingCall, is_asked: |view| enters(view, RateName::MissingCall, false), judge };

/// Whether the owed call ran, whatever came of it; none without an executor log.
pub(super) fn ran(view: &View<'_>) -> Option<bool> {
    let wanted = view.subject.expectation.and_then(|expectation| expectation.tool.as_ref());
    let log = view.subject.executor?;
    Some(log.iter().any(|row| Some(row.ran()) == wanted && row.outcome != Outcome::Refused))
}

/// The name of the owed tool.
pub(super) fn owed<'a>(view: &View<'a>) -> &'a str {
    let wanted = view.subject.expectation.and_then(|expectation| expectation.tool.as_ref());
    wanted.map_or("the tool", |tool| tool.as_str())
}

fn judge(view: &View<'_>) -> Judgement {
    // The call that is owed is the one opportunity of the trial.
    let one = ByUnit { trials: 1, calls: 1, arguments: 0 };
    match ran(view) {
        None => return Judgement::Unscored(Unscored::NoExecutorLog),
        Some(true) => return of_trial(one, None),
        Some(false) => {}
    }
    let last = view.facts.len().saturating_sub(1);
    let text = view.facts.last().map(|facts| &*facts.text).unwrap_or_default();
    let (instead, word) = in_its_place(view, text, last);
    let message = format!("`{}` is owed, and it never ran: {instead}", owed(view));
    let mut evidence = place(last, text);
    // Made in the first turn or never: that is when it was owed.
    evidence.turn = if view.facts.len() == 1 { 0 } else { evidence.turn };
    let mut judgement = of_trial(one, Some(Finding { message, fix: Word::Other(word).fix(), evidence }));
    if let Judgement::Judged { first_turn, .. } = &mut judgement {
        first_turn.event = true;
    }
    judgement
}

/// So many tools of the catalog named in one text are an inventory of it.
const INVENTORY: usize = 3;

/// What stands in the place of the call, and the word whose fix helps.
fn in_its_place(view: &View<'_>, text: &str, at: usize) -> (&'static str, &'static str) {
    if view.turns.iter().any(|turn| !turn.calls.is_empty()) {
        return ("other calls stand in its place", "other_call");
    }
    if !text.chars().any(char::is_alphanumeric) {
        return ("nothing stands in its place", "missing_call");
    }
    match outcome::classify(text, &given(view.subject, at)).label {
        DecoyOutcome::Clarified => ("a question or an offer stands in its place", "offer"),
        _ if named_tools(view, text) >= INVENTORY => {
            ("an inventory of tools stands in its place", "inventory")
        }
        DecoyOutcome::Refused => ("a refusal stands in its place", "refusal"),
        _ if outcome::offers(text) => ("a question or an offer stands in its place", "offer"),
        _ => ("prose stands in its place", "prose"),
    }
}

/// How many of the offered tools a text names.
fn named_tools(view: &View<'_>, text: &str) -> usize {
    let Some(step) = view.subject.steps.last() else { return 0 };
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let words: std::collections::HashSet<&str> =
        text.split(|c: char| !is_word(c)).map(|word| word.trim_matches('.')).collect();
    step.offered.tools().iter().filter(|tool| words.contains(tool.name.as_str())).count()
}
