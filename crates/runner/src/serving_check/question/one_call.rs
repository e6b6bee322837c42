//! Whether parallel calls stay away where they are switched off.

use transcript::Confidence;

use super::{Decision, Question};
use crate::serving_check::ask::{ONE_CALL, TWO_CALLS};
use crate::serving_check::exchange::{Came, Exchange, Exchanges};

pub(super) const QUESTION: Question =
    Question { key: "parallel_off", says: "parallel calls can be switched off", decide };

fn decide(exchanges: &Exchanges) -> Decision {
    let Some(exchange) = exchanges.get(ONE_CALL) else { return Decision::unknown() };
    let calls = |exchange: &Exchange| exchange.calls().count();
    let decision = match (&exchange.came, calls(exchange), exchanges.get(TWO_CALLS).map_or(0, calls)) {
        (Came::Refused(_), ..) => Decision::refused(),
        (_, 2.., _) => Decision::no(Confidence::High).how("ignored"),
        (_, 1, 2..) => Decision::yes(Confidence::Medium),
        _ => Decision::unknown(),
    };
    decision.shown_by(exchanges, TWO_CALLS, "asked for two calls").shown_by(
        exchanges,
        ONE_CALL,
        "the same with parallel calls switched off",
    )
}

#[cfg(test)]
mod tests {
    use transcript::ServingState::{No, Unknown, Yes};

    use super::*;
    use crate::serving_check::exchange::made_up::{all, answered, call};

    #[test]
    fn one_call_is_a_yes_only_where_two_come_otherwise() {
        let with = |free: usize, off: usize| {
            let made = |count| (0..count).map(|_| call("tide_table", "{}")).collect();
            decide(&all(vec![answered(TWO_CALLS, made(free), None), answered(ONE_CALL, made(off), None)]))
                .answer
        };
        assert_eq!([with(2, 1), with(2, 2), with(1, 1)], [Yes, No, Unknown]);
    }
}
