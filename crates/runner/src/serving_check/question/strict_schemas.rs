//! Whether strict schemas hold: the model is asked for a call whose value and key its schema does not have.

use transcript::{Confidence, ServingState};

use super::{Decision, Question};
use crate::serving_check::ask::{BREAKING_CALL, STRICT};
use crate::serving_check::exchange::{Came, Exchange, Exchanges};
use crate::serving_check::recipe::keeps_to_schema;

pub(super) const QUESTION: Question =
    Question { key: "strict_schemas", says: "strict schemas are enforced", decide };

/// Whether the calls of an exchange keep to their schemas; none where there is none to look at.
pub(in crate::serving_check) fn keeps(exchange: &Exchange) -> Option<bool> {
    let kept = exchange.calls().filter_map(|call| keeps_to_schema(call.name.as_str(), call.arguments.text()));
    kept.fold(None, |all, one| Some(all.unwrap_or(true) && one))
}

fn decide(exchanges: &Exchanges) -> Decision {
    let Some(strict) = exchanges.get(STRICT) else { return Decision::unknown() };
    let free = exchanges.get(BREAKING_CALL).and_then(keeps);
    let decision = match (&strict.came, keeps(strict), free) {
        (Came::Refused(_), ..) => Decision::refused(),
        (_, Some(false), _) => Decision::no(Confidence::High).how("ignored"),
        (_, Some(true), Some(false)) => Decision::yes(Confidence::Medium).how("enforced"),
        _ => Decision::unknown(),
    };
    let decision = match decision.answer {
        ServingState::Unknown if free == Some(true) => {
            decision.because("calls kept to their schemas without `strict` too")
        }
        _ => decision,
    };
    decision.shown_by(exchanges, BREAKING_CALL, "asked for a call that breaks its schema").shown_by(
        exchanges,
        STRICT,
        "the same with `strict`",
    )
}

#[cfg(test)]
mod tests {
    use transcript::ServingState::{No, Refused, Unknown, Yes};

    use super::*;
    use crate::serving_check::exchange::made_up::{all, answered, call, refused, text};
    use crate::serving_check::recipe::{BREAKING, MOORING, SOUTH};

    #[test]
    fn enforced_ignored_refused_and_not_to_be_told() {
        let with = |free: &str, strict: &str| {
            let one = |name, arguments: &str| answered(name, vec![call(MOORING, arguments)], None);
            decide(&all(vec![one(BREAKING_CALL, free), one(STRICT, strict)])).answer
        };
        assert_eq!(with(BREAKING.arguments, SOUTH.arguments), Yes);
        assert_eq!(with(BREAKING.arguments, BREAKING.arguments), No);
        assert_eq!(with(SOUTH.arguments, SOUTH.arguments), Unknown);
        assert_eq!(decide(&all(vec![refused(STRICT)])).answer, Refused);
        assert_eq!(decide(&all(vec![answered(STRICT, vec![text("No.")], None)])).answer, Unknown);
    }
}
