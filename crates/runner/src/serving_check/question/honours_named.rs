//! Whether a named choice brings that tool, where the words ask for the other one.

use transcript::Confidence;

use super::{Decision, Question, has_markup};
use crate::serving_check::ask::NAMED;
use crate::serving_check::exchange::{Came, Exchanges};
use crate::serving_check::recipe::TIDES;

pub(super) const QUESTION: Question =
    Question { key: "honours_named", says: "a named choice is honoured", decide };

fn decide(exchanges: &Exchanges) -> Decision {
    let Some(exchange) = exchanges.get(NAMED) else { return Decision::unknown() };
    let decision = match &exchange.came {
        Came::Refused(_) => Decision::refused(),
        Came::Nothing(_) => Decision::unknown(),
        Came::Answer(_) if exchange.calls().any(|call| call.name.as_str() != TIDES) => {
            Decision::no(Confidence::High).how("ignored")
        }
        Came::Answer(_) if exchange.called(TIDES) => Decision::yes(Confidence::High),
        Came::Answer(answer)
            if answer.is_cut_off() || answer.malformed().is_some() || answer.words_in().any(has_markup) =>
        {
            Decision::unknown()
        }
        Came::Answer(answer) if !answer.observed.text().trim().is_empty() => {
            Decision::no(Confidence::Medium).how("ignored")
        }
        Came::Answer(_) => Decision::unknown(),
    };
    let asked = format!("`{TIDES}` named, and the words ask for the other tool");
    decision.shown_by(exchanges, NAMED, &asked)
}

#[cfg(test)]
mod tests {
    use transcript::ServingState::{No, Yes};

    use super::*;
    use crate::serving_check::exchange::made_up::{all, answered, call, text};
    use crate::serving_check::recipe::MOORING;

    #[test]
    fn the_tool_that_was_named_and_no_other() {
        let told = |items| decide(&all(vec![answered(NAMED, items, None)])).answer;
        assert_eq!(told(vec![call(TIDES, "{}")]), Yes);
        assert_eq!(told(vec![call(MOORING, "{}")]), No);
        assert_eq!(told(vec![call(TIDES, "{}"), call(MOORING, "{}")]), No);
        assert_eq!(told(vec![text("I would rather not.")]), No);
    }
}
