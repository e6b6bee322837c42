//! Whether a call without arguments comes as an empty object.

use transcript::{Arguments, Confidence};

use super::{Decision, Question};
use crate::serving_check::ask::NO_ARGUMENTS;
use crate::serving_check::exchange::Exchanges;
use crate::serving_check::recipe::HORN;

pub(super) const QUESTION: Question =
    Question { key: "empty_arguments", says: "a call without arguments comes as `{}`", decide };

fn decide(exchanges: &Exchanges) -> Decision {
    let Some(exchange) = exchanges.get(NO_ARGUMENTS) else { return Decision::unknown() };
    let call = exchange.calls().find(|call| call.name.as_str() == HORN);
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    let decision = match call.map(|call| (&call.arguments, squeezed(call.arguments.text()))) {
        None => Decision::unknown(),
        Some((_, text)) if text == "{}" => Decision::yes(Confidence::High),
        Some((Arguments::Missing, _)) => Decision::no(Confidence::High).how("left out"),
        Some((_, text)) if text.is_empty() => Decision::no(Confidence::High).how("an empty text"),
        Some((_, text)) if text == "null" => Decision::no(Confidence::High).how("null"),
        // The model made some up.
        Some(_) => Decision::unknown(),
    };
    decision.shown_by(exchanges, NO_ARGUMENTS, "asked to call a tool that takes no arguments")
}

#[cfg(test)]
mod tests {
    use transcript::ServingState::{No, Unknown, Yes};

    use super::*;
    use crate::serving_check::exchange::made_up::{all, answered, call};

    #[test]
    fn each_form_of_nothing_is_told_apart() {
        let told = |arguments: &str| {
            let decision = decide(&all(vec![answered(NO_ARGUMENTS, vec![call(HORN, arguments)], None)]));
            (decision.answer, decision.how)
        };
        assert_eq!(told("{ }"), (Yes, None));
        assert_eq!(told(""), (No, Some("an empty text")));
        assert_eq!(told("null"), (No, Some("null")));
        assert_eq!(told("{\"loud\":true}"), (Unknown, None));
    }
}
