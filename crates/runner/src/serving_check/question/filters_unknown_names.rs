//! Whether calls of unknown tools are dropped, rewritten or handed back as text before anybody sees them.

use transcript::Confidence;

use super::absent::{Fate, fates};
use super::{Decision, Question};
use crate::serving_check::ask::CALL_ECHO;
use crate::serving_check::exchange::Exchanges;

pub(super) const QUESTION: Question =
    Question { key: "filters_unknown_names", says: "unknown names are filtered or rewritten", decide };

/// The fates that speak of a filter, and its word.
const FILTERED: [(Fate, &str); 4] = [
    (Fate::Reported, "reported"),
    (Fate::Renamed, "rewritten"),
    (Fate::Dropped, "dropped"),
    (Fate::AsText, "handed back as text"),
];

fn decide(exchanges: &Exchanges) -> Decision {
    let fates = fates(exchanges);
    let of = |wanted: Fate| -> Vec<&'static str> {
        fates.iter().filter(|(_, fate)| *fate == wanted).map(|(name, _)| *name).collect()
    };
    let asked = "asked to call a tool that is not offered";
    for (fate, word) in FILTERED {
        let names = of(fate);
        if names.is_empty() {
            continue;
        }
        let confidence =
            if names.len() > 1 || fate == Fate::Reported { Confidence::High } else { Confidence::Medium };
        let mut decision = Decision::yes(confidence).how(word);
        decision = decision.shown_by(exchanges, CALL_ECHO, "asked to call an offered tool");
        for name in names {
            decision = decision.shown_by(exchanges, name, asked);
        }
        return decision;
    }
    match of(Fate::Came).first() {
        Some(&name) => Decision::no(Confidence::High).shown_by(exchanges, name, asked),
        None if fates.is_empty() => Decision::unknown(),
        None => Decision::unknown()
            .because("no call that names an unknown tool was seen, nor the trace of one")
            .on(&fates.iter().map(|(name, _)| *name).collect::<Vec<_>>()),
    }
}

#[cfg(test)]
mod tests {
    use transcript::Item;
    use transcript::ServingState::{No, Unknown, Yes};

    use super::*;
    use crate::serving_check::ask::ABSENT_ECHOES;
    use crate::serving_check::exchange::made_up::{all, answered, call, text};
    use crate::serving_check::recipe::MOORING;

    fn with(answers: Vec<Vec<Item>>) -> Decision {
        let control = answered(CALL_ECHO, vec![call(MOORING, "{\"mooring\":\"south\"}")], Some((9, 21)));
        let echoes = ABSENT_ECHOES.into_iter().zip(answers);
        let echoes = echoes.map(|(name, items)| answered(name, items, Some((9, 22))));
        decide(&all(std::iter::once(control).chain(echoes).collect()))
    }

    #[test]
    fn each_way_of_hiding_a_name_has_its_word() {
        let dropped = with(vec![Vec::new(), Vec::new()]);
        assert_eq!(
            (dropped.answer, dropped.how, dropped.confidence),
            (Yes, Some("dropped"), Some(Confidence::High))
        );
        let renamed = with(vec![vec![call(MOORING, "{\"bell\":\"B7\"}")]]);
        assert_eq!((renamed.answer, renamed.how), (Yes, Some("rewritten")));
        let block = "<tool_call>\n{\"name\": \"polish_bell\"}\n</tool_call>";
        assert_eq!(with(vec![vec![text(block)]]).how, Some("handed back as text"));
        // A server that repairs what is near an offered name, and lets the rest through.
        let near = vec![
            vec![call("polish_bell", "{}")],
            vec![call("launch_kite", "{}")],
            vec![call(MOORING, "{\"buoy\":\"C4\"}")],
        ];
        assert_eq!(with(near).how, Some("rewritten"));
    }

    #[test]
    fn a_name_that_comes_through_is_not_filtered() {
        assert_eq!(with(vec![vec![call("polish_bell", "{}")]]).answer, No);
        assert_eq!(
            with(vec![vec![text("There is no tool of that name here, I am afraid.")]]).answer,
            Unknown
        );
    }
}
