//! Whether a limit on output tokens holds.

use transcript::Confidence;

use super::{Decision, Question};
use crate::serving_check::ask::{SHORT, SHORT_LIMIT};
use crate::serving_check::exchange::{Came, Exchanges};

pub(super) const QUESTION: Question =
    Question { key: "output_limit", says: "the limit on output tokens is honoured", decide };

/// What counts differ by, between the limit and what is generated.
const SLACK: u64 = 4;

fn decide(exchanges: &Exchanges) -> Decision {
    let Some(exchange) = exchanges.get(SHORT) else { return Decision::unknown() };
    let decision = match &exchange.came {
        Came::Refused(_) => Decision::refused(),
        Came::Nothing(_) => Decision::unknown(),
        Came::Answer(answer) => match answer.usage.and_then(|usage| usage.output) {
            Some(tokens) if tokens > SHORT_LIMIT + SLACK => Decision::no(Confidence::High).how("ignored"),
            Some(tokens) if answer.is_cut_off() || tokens >= SHORT_LIMIT => Decision::yes(Confidence::High),
            None if answer.is_cut_off() => Decision::yes(Confidence::Medium),
            _ => Decision::unknown(),
        },
    };
    let asked = format!("asked to count to two hundred within {SHORT_LIMIT} tokens");
    decision.shown_by(exchanges, SHORT, &asked)
}

#[cfg(test)]
mod tests {
    use transcript::ServingState::{No, Unknown, Yes};

    use super::*;
    use crate::serving_check::exchange::made_up::{all, answered, text};

    #[test]
    fn the_count_of_tokens_decides() {
        let told =
            |tokens| decide(&all(vec![answered(SHORT, vec![text("one two")], Some((9, tokens)))])).answer;
        assert_eq!([told(16), told(400), told(5)], [Yes, No, Unknown]);
    }
}
