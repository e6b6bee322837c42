//! Whether a call that is owed is constrained to offered names, where others are not: then the arm hides what the base
//! shows.

use transcript::Confidence;

use super::absent::{Fate, Told, fate_of, fates};
use super::{Decision, Question};
use crate::serving_check::ask::{REQUIRED, REQUIRED_ABSENT};
use crate::serving_check::exchange::{Exchange, Exchanges};
use crate::serving_check::recipe::ABSENT;

pub(super) const QUESTION: Question =
    Question { key: "required_constrains_names", says: "`required` constrains names", decide };

fn decide(exchanges: &Exchanges) -> Decision {
    under(
        exchanges,
        REQUIRED_ABSENT,
        &[REQUIRED],
        "with `required`, asked to call a tool that is not offered",
    )
}

/// Whether names are constrained under an arm: the same call came through without it.
pub(super) fn under(
    exchanges: &Exchanges,
    absent: &'static str,
    also: &[&'static str],
    asked: &str,
) -> Decision {
    let unknown = |name: &&&'static str| exchanges.get(name).and_then(Exchange::unknown_call).is_some();
    if let Some(&name) = [absent].iter().chain(also).find(unknown) {
        let decision = Decision::no(Confidence::High);
        return decision.shown_by(exchanges, name, "a call of a tool that is not offered came through");
    }
    let Some(exchange) = exchanges.get(absent) else { return Decision::unknown() };
    let control = exchanges.get(Told::Echo.control());
    let fate = fate_of(exchange, ABSENT[0], control);
    let open = fates(exchanges).iter().any(|(_, fate)| *fate == Fate::Came);
    let decision = match fate {
        Fate::Substituted if open => Decision::yes(Confidence::Medium),
        _ => Decision::unknown(),
    };
    decision.shown_by(exchanges, absent, asked)
}

#[cfg(test)]
mod tests {
    use transcript::ServingState::{No, Unknown, Yes};

    use super::*;
    use crate::serving_check::ask::{ABSENT_ECHOES, CALL_ECHO};
    use crate::serving_check::exchange::made_up::{all, answered, call};
    use crate::serving_check::recipe::{MOORING, TIDES};

    #[test]
    fn only_a_name_that_came_through_otherwise_can_be_constrained() {
        let with = |base: &str, owed: &str| {
            let of = [(CALL_ECHO, MOORING), (ABSENT_ECHOES[0], base), (REQUIRED_ABSENT, owed)];
            let exchanges = of.map(|(name, called)| answered(name, vec![call(called, "{\"day\":1}")], None));
            decide(&all(exchanges.into())).answer
        };
        assert_eq!(with("polish_bell", TIDES), Yes);
        assert_eq!(with("polish_bell", "polish_bell"), No);
        assert_eq!(with(TIDES, TIDES), Unknown);
    }
}
