//! Whether `required` brings a call where nothing else would.

use transcript::Confidence;

use super::{Decision, Question, has_markup};
use crate::serving_check::ask::REQUIRED;
use crate::serving_check::exchange::{Came, Exchange, Exchanges};

pub(super) const QUESTION: Question =
    Question { key: "honours_required", says: "`required` is honoured", decide };

fn decide(exchanges: &Exchanges) -> Decision {
    let Some(exchange) = exchanges.get(REQUIRED) else { return Decision::unknown() };
    let decision = match &exchange.came {
        Came::Refused(_) => Decision::refused(),
        Came::Nothing(_) => Decision::unknown(),
        Came::Answer(_) if exchange.calls().next().is_some() => Decision::yes(Confidence::High),
        Came::Answer(answer) if answer.malformed().is_some() => Decision::yes(Confidence::Medium),
        Came::Answer(answer) if answer.is_cut_off() && !has_words(exchange) => Decision::unknown(),
        // A call was begun, and came out as text.
        Came::Answer(answer) if answer.words_in().any(has_markup) => Decision::unknown(),
        Came::Answer(_) if has_words(exchange) => Decision::no(Confidence::High).how("ignored"),
        Came::Answer(_) => Decision::unknown(),
    };
    decision.shown_by(exchanges, REQUIRED, "with `required`, a greeting that needs no tool")
}

fn has_words(exchange: &Exchange) -> bool {
    let text = exchange.answer().map(|answer| answer.observed.text());
    text.is_some_and(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use transcript::ServingState::{No, Refused, Unknown, Yes};

    use super::*;
    use crate::serving_check::exchange::made_up::{all, answered, call, refused, text};

    #[test]
    fn a_call_is_a_yes_and_words_are_a_no() {
        let told = |items| decide(&all(vec![answered(REQUIRED, items, None)])).answer;
        assert_eq!(told(vec![call("tide_table", "{}")]), Yes);
        assert_eq!(told(vec![text("Good morning.")]), No);
        assert_eq!(told(vec![text("<tool_call>\n{\"name\": 7")]), Unknown);
        assert_eq!(told(Vec::new()), Unknown);
        assert_eq!(decide(&all(vec![refused(REQUIRED)])).answer, Refused);
    }
}
