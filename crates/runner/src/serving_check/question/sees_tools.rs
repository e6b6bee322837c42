//! Whether the tools reach the model at all: a template without tool support drops them and answers 200.
//!
//! Prompt tokens with and without tools say it. Where an endpoint does not count them, the model is asked for what only
//! a description says; whether it could answer at all is asked beside that, with the description in the words.

use transcript::Confidence;

use super::{Decision, Question};
use crate::serving_check::ask::{
    LEAST_RISE, PLAIN, RECITE, RECITE_FROM_WORDS, TOOLS, prompt_tokens, recited,
};
use crate::serving_check::exchange::Exchanges;

pub(super) const QUESTION: Question =
    Question { key: "sees_tools", says: "the model sees the tools", decide };

fn decide(exchanges: &Exchanges) -> Decision {
    let seen = recited(exchanges, RECITE);
    let could = recited(exchanges, RECITE_FROM_WORDS);
    if let Some((without, with)) = prompt_tokens(exchanges) {
        let counted = format!("{without} prompt tokens without tools, {with} with two tools");
        let decision = if with >= without.saturating_add(LEAST_RISE) {
            Decision::yes(Confidence::High)
        } else if seen {
            return Decision::yes(Confidence::High)
                .because(counted)
                .because("the model read out what only a description says")
                .on(&[PLAIN, TOOLS, RECITE]);
        } else if with <= without {
            Decision::no(Confidence::High)
        } else if could {
            Decision::no(Confidence::Medium)
        } else {
            Decision::unknown()
        };
        let decision = decision.shown_by(exchanges, RECITE, "asked for what only a description says");
        return decision.because(counted).on(&[PLAIN, TOOLS]);
    }
    if exchanges.get(TOOLS).is_some_and(|tools| tools.answer().is_none()) {
        return Decision::unknown().shown_by(exchanges, TOOLS, "with tools");
    }
    let decision = match (seen, could) {
        (true, _) => Decision::yes(Confidence::High),
        (false, true) => Decision::no(Confidence::Medium),
        (false, false) => Decision::unknown(),
    };
    let asked = "asked for what only a description says";
    decision.shown_by(exchanges, RECITE, asked).shown_by(
        exchanges,
        RECITE_FROM_WORDS,
        "asked for the same with the description in the words",
    )
}

/// Whether the tools are known not to reach the model; none where it is not settled.
pub(in crate::serving_check) fn is_blind(exchanges: &Exchanges) -> Option<bool> {
    use transcript::ServingState::{No, Yes};
    match decide(exchanges).answer {
        No => Some(true),
        Yes => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use transcript::ServingState::{No, Unknown, Yes};

    use super::*;
    use crate::serving_check::exchange::made_up::{all, answered, text};
    use crate::serving_check::recipe::CODE;

    fn told(
        of: Vec<crate::serving_check::exchange::Exchange>,
    ) -> (transcript::ServingState, Option<Confidence>) {
        let decision = decide(&all(of));
        (decision.answer, decision.confidence)
    }

    #[test]
    fn tokens_decide_where_they_are_counted() {
        let pair = |with| {
            vec![
                answered(PLAIN, vec![text("Hi.")], Some((30, 4))),
                answered(TOOLS, vec![text("Hi.")], Some((with, 4))),
            ]
        };
        assert_eq!(told(pair(230)), (Yes, Some(Confidence::High)));
        assert_eq!(told(pair(30)), (No, Some(Confidence::High)));
        assert_eq!(told(pair(33)), (Unknown, None));
        let mut read_out = pair(30);
        read_out.push(answered(RECITE, vec![text(CODE)], None));
        assert_eq!(told(read_out).0, Yes);
    }

    #[test]
    fn without_counts_a_model_that_could_read_it_out_and_does_not_is_blind() {
        let behaviour = |seen: &str, could: &str| {
            vec![
                answered(PLAIN, vec![text("Hi.")], None),
                answered(TOOLS, vec![text("Hi.")], None),
                answered(RECITE, vec![text(seen)], None),
                answered(RECITE_FROM_WORDS, vec![text(could)], None),
            ]
        };
        assert_eq!(told(behaviour(CODE, "?")), (Yes, Some(Confidence::High)));
        assert_eq!(told(behaviour("There is no such tool.", CODE)), (No, Some(Confidence::Medium)));
        assert_eq!(told(behaviour("Ahoy.", "Ahoy.")), (Unknown, None));
    }
}
