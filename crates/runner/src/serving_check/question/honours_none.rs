//! Whether `none` keeps a call back that comes without it.

use transcript::Confidence;

use super::{Decision, Question};
use crate::serving_check::ask::{CALL_ECHO, CALL_TOLD, NONE};
use crate::serving_check::exchange::{Came, Exchange, Exchanges};
use crate::serving_check::recipe::{MOORING, Wording};

pub(super) const QUESTION: Question = Question { key: "honours_none", says: "`none` is honoured", decide };

fn decide(exchanges: &Exchanges) -> Decision {
    let Some(exchange) = exchanges.get(NONE) else { return Decision::unknown() };
    let control = match Wording::that_works(exchanges) {
        Wording::Told => CALL_TOLD,
        Wording::Echo => CALL_ECHO,
    };
    let works = exchanges.get(control).is_some_and(|control: &Exchange| control.called(MOORING));
    let decision = match &exchange.came {
        Came::Refused(_) => Decision::refused(),
        Came::Nothing(_) => Decision::unknown(),
        Came::Answer(_) if exchange.calls().next().is_some() => Decision::no(Confidence::High).how("ignored"),
        Came::Answer(_) if works => Decision::yes(Confidence::Medium),
        Came::Answer(_) => Decision::unknown(),
    };
    decision.shown_by(exchanges, control, "asked for a call").shown_by(
        exchanges,
        NONE,
        "the same with `none`",
    )
}

#[cfg(test)]
mod tests {
    use transcript::ServingState::{No, Unknown, Yes};

    use super::*;
    use crate::serving_check::exchange::made_up::{all, answered, call, text};

    #[test]
    fn only_a_call_that_comes_otherwise_can_be_kept_back() {
        let with = |control, none| {
            decide(&all(vec![answered(CALL_ECHO, vec![control], None), answered(NONE, vec![none], None)]))
                .answer
        };
        let made = || call(MOORING, "{}");
        assert_eq!(with(made(), text("No.")), Yes);
        assert_eq!(with(made(), made()), No);
        assert_eq!(with(text("No."), text("No.")), Unknown);
    }
}
