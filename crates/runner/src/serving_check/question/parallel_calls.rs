//! Whether several calls come in one answer.

use transcript::Confidence;

use super::{Decision, Question};
use crate::serving_check::ask::TWO_CALLS;
use crate::serving_check::exchange::Exchanges;

pub(super) const QUESTION: Question =
    Question { key: "parallel_calls", says: "several calls come in one answer", decide };

fn decide(exchanges: &Exchanges) -> Decision {
    let Some(exchange) = exchanges.get(TWO_CALLS) else { return Decision::unknown() };
    // One call alone may be all that the model wanted.
    let decision = match exchange.calls().count() {
        2.. => Decision::yes(Confidence::High),
        1 => Decision::no(Confidence::Low),
        0 => Decision::unknown(),
    };
    decision.shown_by(exchanges, TWO_CALLS, "asked for two calls")
}
