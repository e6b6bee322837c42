//! Whether decoding is constrained to offered names, so that an invention comes out as a misused tool.

use transcript::Confidence;

use super::absent::{Fate, fates};
use super::{Decision, Question};
use crate::serving_check::ask::{CALL_ECHO, REQUIRED, REQUIRED_ABSENT, STRICT, STRICT_ABSENT};
use crate::serving_check::exchange::Exchanges;

pub(super) const QUESTION: Question =
    Question { key: "constrains_names", says: "names are constrained to offered ones", decide };

fn decide(exchanges: &Exchanges) -> Decision {
    let fates = fates(exchanges);
    // Any call of a tool that is not offered will do, whatever was asked for; but not where it was owed or strict.
    let other = [REQUIRED, REQUIRED_ABSENT, STRICT, STRICT_ABSENT];
    let free = |name: &str| !other.contains(&name) && !name.contains('+');
    let came = exchanges.all().find(|it| free(&it.name) && it.unknown_call().is_some());
    if let Some(exchange) = came {
        let name = fates.iter().find(|(name, _)| *name == exchange.name).map(|(name, _)| *name);
        let decision = Decision::no(Confidence::High)
            .because(format!("a call of a tool that is not offered came through: {}", exchange.words()));
        return decision.on(name.as_slice());
    }
    // What is owed is constrained before what is not.
    let owed = [REQUIRED, REQUIRED_ABSENT]
        .into_iter()
        .find(|name| exchanges.get(name).is_some_and(|it| it.unknown_call().is_some()));
    if let Some(name) = owed {
        let asked = "a call of a tool that is not offered came through with `required`";
        return Decision::no(Confidence::Medium).shown_by(exchanges, name, asked);
    }
    let in_place: Vec<&'static str> =
        fates.iter().filter(|(_, fate)| *fate == Fate::Substituted).map(|(name, _)| *name).collect();
    let asked = "asked to call a tool that is not offered";
    // Once is what a model may do by itself.
    let mut decision = match in_place.len() {
        0 | 1 => Decision::unknown(),
        2 => Decision::yes(Confidence::Medium),
        _ => Decision::yes(Confidence::High),
    };
    decision = decision.shown_by(exchanges, CALL_ECHO, "asked to call an offered tool");
    if in_place.is_empty() {
        let why = "no call came where a tool that is not offered was asked for";
        decision = if fates.is_empty() { decision } else { decision.because(why) };
        return decision.on(&fates.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    }
    for name in in_place {
        decision = decision.shown_by(exchanges, name, asked);
    }
    decision
}

#[cfg(test)]
mod tests {
    use transcript::ServingState::{No, Unknown, Yes};

    use super::*;
    use crate::serving_check::ask::ABSENT_ECHOES;
    use crate::serving_check::exchange::made_up::{all, answered, call, text};
    use crate::serving_check::recipe::MOORING;

    fn with(works: bool, calls: &[&str]) -> Decision {
        let arguments = "{\"mooring\":\"south\"}";
        let control = if works { call(MOORING, arguments) } else { text("Ahoy.") };
        let mut of = vec![answered(CALL_ECHO, vec![control], None)];
        for (name, called) in ABSENT_ECHOES.into_iter().zip(calls) {
            let item = if called.is_empty() { text("I cannot.") } else { call(called, arguments) };
            of.push(answered(name, vec![item], None));
        }
        decide(&all(of))
    }

    #[test]
    fn offered_names_in_place_of_others_are_constrained_ones() {
        assert_eq!(with(true, &[MOORING, MOORING, MOORING]).confidence, Some(Confidence::High));
        let two = with(true, &[MOORING, "", MOORING]);
        assert_eq!((two.answer, two.confidence), (Yes, Some(Confidence::Medium)));
        assert_eq!(with(true, &[MOORING, "", ""]).answer, Unknown);
    }

    #[test]
    fn one_name_that_came_through_shows_that_they_are_not() {
        let decision = with(true, &[MOORING, "launch_kite", MOORING]);
        assert_eq!((decision.answer, decision.confidence), (No, Some(Confidence::High)));
        assert_eq!(decision.used, [ABSENT_ECHOES[1]]);
    }

    #[test]
    fn a_name_that_came_through_where_a_call_was_owed_shows_it_too() {
        let owed = answered(REQUIRED, vec![call("good_morning", "{}")], None);
        let decision = decide(&all(vec![owed]));
        assert_eq!((decision.answer, decision.confidence), (No, Some(Confidence::Medium)));
    }

    #[test]
    fn a_weak_model_is_no_proof() {
        assert_eq!(with(false, &[MOORING, MOORING, MOORING]).answer, Unknown);
        assert_eq!(with(true, &["", "", ""]).answer, Unknown);
    }
}
