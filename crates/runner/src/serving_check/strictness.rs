//! Strict schemas, tool choice and parallel calls in combination: what the endpoint makes of each (`enforced`,
//! `ignored`, `refused`). The model is asked to break all of it at once: two calls where one may come, the first with a
//! value and a key that its schema does not have.

use probes::{ArmSettings, ToolChoice};
use transcript::{ServingState, StrictnessCell, StrictnessState, ToolName};

use super::exchange::{Came, Exchange, Exchanges};
use super::question::{Decision, has_markup};
use super::recipe::{BREAKING, MOORING, Recipe, TIDES, TODAY, Wording};
use super::{ask, question};

/// What one combination asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Knobs {
    /// Strict schemas.
    pub strict: Option<bool>,
    /// Tool choice.
    pub choice: Option<Choice>,
    /// Parallel calls.
    pub parallel: Option<bool>,
}

/// A tool choice, whatever tool it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Choice {
    /// Left to the model.
    Auto,
    /// A call is owed.
    Required,
    /// None may be made.
    None,
    /// One tool is forced.
    Tool,
}

impl Choice {
    const ALL: [Self; 4] = [Self::Auto, Self::Required, Self::None, Self::Tool];
}

impl Knobs {
    /// What an arm asks for of these three; none where it asks for none of them.
    #[must_use]
    pub fn of(settings: &ArmSettings) -> Option<Self> {
        let choice = settings.tool_choice.as_ref().map(|choice| match choice {
            ToolChoice::Auto => Choice::Auto,
            ToolChoice::Required => Choice::Required,
            ToolChoice::None => Choice::None,
            ToolChoice::Tool(_) => Choice::Tool,
        });
        let knobs = Self { strict: settings.strict, choice, parallel: settings.parallel };
        (knobs != Self::default()).then_some(knobs)
    }

    /// Every combination of all three: strict on and off, each choice, parallel on and off.
    #[must_use]
    pub fn every() -> Vec<Self> {
        let mut all = Vec::new();
        for strict in [true, false] {
            for choice in Choice::ALL {
                for parallel in [true, false] {
                    all.push(Self { strict: Some(strict), choice: Some(choice), parallel: Some(parallel) });
                }
            }
        }
        all
    }

    /// The name that an arm with these has: parts in alphabetical order, a value where it is not the usual one.
    #[must_use]
    pub fn arm(&self) -> String {
        let parallel = self.parallel.map(|on| if on { "parallel=on" } else { "parallel" });
        let strict = self.strict.map(|on| if on { "strict" } else { "strict=off" });
        let choice = self.choice.map(|choice| match choice {
            Choice::Auto => "tool_choice=auto",
            Choice::Required => "tool_choice",
            Choice::None => "tool_choice=none",
            Choice::Tool => "tool_choice=tool",
        });
        parallel.into_iter().chain(strict).chain(choice).collect::<Vec<_>>().join("+")
    }

    /// The request that asks the model to break them.
    pub(super) fn recipe(&self, so_far: &Exchanges) -> Recipe {
        Recipe::asking(Wording::that_works(so_far), &[BREAKING, TODAY]).with(|arm| {
            arm.strict = self.strict;
            arm.parallel = self.parallel;
            arm.tool_choice = self.choice.map(|choice| match choice {
                Choice::Auto => ToolChoice::Auto,
                Choice::Required => ToolChoice::Required,
                Choice::None => ToolChoice::None,
                Choice::Tool => ToolChoice::Tool(ToolName::new(TIDES)),
            });
        })
    }

    /// The name of that request.
    pub(super) fn request(&self) -> String {
        format!("+{}", self.arm())
    }

    /// What became of them.
    pub(super) fn decide(&self, exchanges: &Exchanges) -> StrictnessCell {
        let request = self.request();
        let Some(exchange) = exchanges.get(&request) else {
            return self.cell(StrictnessState::Unknown, "not asked");
        };
        match &exchange.came {
            Came::Refused(_) => return self.cell(StrictnessState::Refused, &exchange.words()),
            Came::Nothing(_) => return self.cell(StrictnessState::Unknown, &exchange.words()),
            Came::Answer(_) => {}
        }
        let held = self.held(exchange, exchanges);
        let of = |wanted: Held| -> Vec<&str> {
            held.iter().filter(|(_, held)| *held == wanted).map(|(knob, _)| *knob).collect()
        };
        let (broken, open) = (of(Held::No), of(Held::NotShown));
        let (state, why) = match (broken.as_slice(), open.as_slice()) {
            ([], []) => (StrictnessState::Enforced, String::new()),
            ([], open) => (StrictnessState::Unknown, format!("not shown: {}; ", open.join(", "))),
            (broken, _) => (StrictnessState::Ignored, format!("not kept: {}; ", broken.join(", "))),
        };
        self.cell(state, &format!("{why}{}", exchange.words()))
    }

    fn cell(&self, state: StrictnessState, evidence: &str) -> StrictnessCell {
        StrictnessCell { arm: self.arm(), state, evidence: evidence.to_owned() }
    }

    fn held(&self, exchange: &Exchange, exchanges: &Exchanges) -> Vec<(&'static str, Held)> {
        let calls = exchange.calls().count();
        let mut held = Vec::new();
        if let Some(choice) = self.choice {
            held.push(("tool_choice", choice_held(choice, exchange, exchanges)));
        }
        // Where no call may come there is nothing for the others to hold.
        if self.choice == Some(Choice::None) {
            return held;
        }
        let keeps = question::keeps(exchange);
        let breaks_otherwise = exchanges.get(ask::BREAKING_CALL).and_then(question::keeps) == Some(false);
        match (self.strict, keeps) {
            (None, _) => {}
            (Some(true), Some(false)) => held.push(("strict", Held::No)),
            (Some(true), Some(true)) if exchange.called(MOORING) && breaks_otherwise => {
                held.push(("strict", Held::Yes));
            }
            (Some(false), Some(false)) => held.push(("strict", Held::Yes)),
            (Some(_), _) => held.push(("strict", Held::NotShown)),
        }
        let two_otherwise = exchanges.get(ask::TWO_CALLS).is_some_and(|two| two.calls().count() > 1);
        match (self.parallel, calls) {
            (None, _) => {}
            (Some(false), 2..) => held.push(("parallel", Held::No)),
            (Some(false), 1) if two_otherwise => held.push(("parallel", Held::Yes)),
            (Some(true), 2..) => held.push(("parallel", Held::Yes)),
            (Some(_), _) => held.push(("parallel", Held::NotShown)),
        }
        held
    }
}

/// Whether one demand held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    Yes,
    No,
    NotShown,
}

fn choice_held(choice: Choice, exchange: &Exchange, exchanges: &Exchanges) -> Held {
    let calls = exchange.calls().count();
    let is_yes = |decide: fn(&Exchanges) -> Decision| decide(exchanges).answer == ServingState::Yes;
    let begun = exchange.answer().is_some_and(|answer| {
        answer.is_cut_off() || answer.malformed().is_some() || answer.words_in().any(has_markup)
    });
    match choice {
        Choice::Auto => Held::Yes,
        Choice::Required if calls > 0 && is_yes(decided("honours_required")) => Held::Yes,
        Choice::Required if calls > 0 || begun => Held::NotShown,
        Choice::Required => Held::No,
        Choice::None if calls > 0 => Held::No,
        Choice::None if is_yes(decided("honours_none")) => Held::Yes,
        Choice::None => Held::NotShown,
        Choice::Tool if exchange.calls().any(|call| call.name.as_str() != TIDES) => Held::No,
        Choice::Tool if calls > 0 => Held::Yes,
        Choice::Tool if begun => Held::NotShown,
        Choice::Tool => Held::No,
    }
}

fn decided(key: &str) -> fn(&Exchanges) -> Decision {
    let found = question::QUESTIONS.iter().find(|question| question.key == key);
    found.map_or(|_| Decision::unknown(), |question| question.decide)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serving_check::exchange::made_up::{all, answered, call, refused, text};
    use crate::serving_check::recipe::SOUTH;

    fn knobs(strict: bool, choice: Choice, parallel: bool) -> Knobs {
        Knobs { strict: Some(strict), choice: Some(choice), parallel: Some(parallel) }
    }

    fn state(knobs: Knobs, items: Vec<transcript::Item>) -> StrictnessState {
        let broken = || call(MOORING, BREAKING.arguments);
        knobs
            .decide(&all(vec![
                answered(ask::CALL_ECHO, vec![call(MOORING, SOUTH.arguments)], None),
                answered(ask::BREAKING_CALL, vec![broken()], None),
                answered(ask::TWO_CALLS, vec![broken(), broken()], None),
                answered(ask::REQUIRED, vec![call(TIDES, "{}")], None),
                answered(ask::NONE, vec![text("No.")], None),
                answered(&knobs.request(), items, None),
            ]))
            .state
    }

    #[test]
    fn arms_have_the_names_that_suites_give_them() {
        assert_eq!(knobs(true, Choice::Required, false).arm(), "parallel+strict+tool_choice");
        assert_eq!(knobs(false, Choice::None, true).arm(), "parallel=on+strict=off+tool_choice=none");
        let every: std::collections::BTreeSet<String> = Knobs::every().iter().map(Knobs::arm).collect();
        assert_eq!(every.len(), 16);
    }

    #[test]
    fn what_is_broken_is_ignored_and_what_held_against_the_words_is_enforced() {
        let broken = || call(MOORING, BREAKING.arguments);
        let kept = || call(MOORING, SOUTH.arguments);
        let tides = || call(TIDES, TODAY.arguments);
        use StrictnessState::{Enforced, Ignored, Unknown};
        let all_on = knobs(true, Choice::Required, false);
        assert_eq!(state(all_on, vec![kept()]), Enforced);
        assert_eq!(state(all_on, vec![broken()]), Ignored);
        assert_eq!(state(all_on, vec![kept(), tides()]), Ignored);
        assert_eq!(state(all_on, vec![text("I will not.")]), Ignored);
        assert_eq!(state(all_on, vec![tides()]), Unknown);
        assert_eq!(state(knobs(false, Choice::Auto, true), vec![broken(), tides()]), Enforced);
        assert_eq!(state(knobs(true, Choice::None, true), vec![text("No.")]), Enforced);
        assert_eq!(state(knobs(true, Choice::None, true), vec![kept()]), Ignored);
        assert_eq!(state(knobs(false, Choice::Tool, false), vec![tides()]), Unknown);
        assert_eq!(state(knobs(false, Choice::Tool, false), vec![broken()]), Ignored);
    }

    #[test]
    fn a_refusal_is_one_whatever_was_asked_for() {
        let strict = knobs(true, Choice::Auto, true);
        let exchanges = all(vec![refused(&strict.request())]);
        assert_eq!(strict.decide(&exchanges).state, StrictnessState::Refused);
    }
}
