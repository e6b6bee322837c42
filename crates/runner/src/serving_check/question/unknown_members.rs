//! Whether an endpoint refuses members of the body that it does not know: only then does an accepted setting tell that
//! it was at least read.

use transcript::Confidence;

use super::{Decision, Question};
use crate::serving_check::ask::{PLAIN, UNKNOWN_MEMBER};
use crate::serving_check::exchange::{Came, Exchanges};

pub(super) const QUESTION: Question =
    Question { key: "refuses_unknown_members", says: "unknown members of the body are refused", decide };

fn decide(exchanges: &Exchanges) -> Decision {
    let Some(exchange) = exchanges.get(UNKNOWN_MEMBER) else { return Decision::unknown() };
    let decision = match &exchange.came {
        Came::Refused(_) if exchanges.answer(PLAIN).is_some() => Decision::yes(Confidence::High),
        Came::Answer(_) => Decision::no(Confidence::High).how("ignored"),
        Came::Refused(_) | Came::Nothing(_) => Decision::unknown(),
    };
    decision.shown_by(exchanges, UNKNOWN_MEMBER, "with a member that nobody knows")
}
