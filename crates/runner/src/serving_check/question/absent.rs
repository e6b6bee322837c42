//! What became of calls that name no offered tool: the reading that several questions share.

use transcript::ToolCall;

use super::has_markup;
use crate::json;
use crate::serving_check::ask::{ABSENT_BEFORE, ABSENT_ECHOES, ABSENT_TOLD, CALL_ECHO, CALL_TOLD};
use crate::serving_check::exchange::{Exchange, Exchanges};
use crate::serving_check::recipe::{self, ABSENT, MOORING, Wanted};

/// What became of one such call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It came through: a structured call of a tool that is not offered.
    Came,
    /// An offered name stands over the arguments of the tool that is not offered.
    Renamed,
    /// A call of an offered tool came in its place.
    Substituted,
    /// It was handed back as text.
    AsText,
    /// Tokens were generated and nothing came.
    Dropped,
    /// The provider reports it in place of handing it over.
    Reported,
    /// The model did something else: it says nothing of the endpoint.
    Nothing,
}

/// The requests for such calls where nothing constrains them, in the order in which they are sent.
pub(super) const REQUESTS: [(&str, Wanted, Told); 5] = [
    (ABSENT_ECHOES[0], ABSENT[0], Told::Echo),
    (ABSENT_ECHOES[1], ABSENT[1], Told::Echo),
    (ABSENT_ECHOES[2], ABSENT[2], Told::Echo),
    (ABSENT_TOLD, ABSENT[0], Told::Words),
    (ABSENT_BEFORE, recipe::ABSENT_BEFORE, Told::Words),
];

/// How it was asked for: decides which control it stands beside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    Echo,
    Words,
}

impl Told {
    /// The request for a call of an offered tool in the same wording.
    pub(super) fn control(self) -> &'static str {
        match self {
            Self::Echo => CALL_ECHO,
            Self::Words => CALL_TOLD,
        }
    }
}

/// What became of every such call that was asked for.
pub(super) fn fates(exchanges: &Exchanges) -> Vec<(&'static str, Fate)> {
    let fate = |(name, wanted, told): (&'static str, Wanted, Told)| {
        let exchange = exchanges.get(name)?;
        Some((name, fate_of(exchange, wanted, exchanges.get(told.control()))))
    };
    REQUESTS.into_iter().filter_map(fate).collect()
}

/// What became of one. `control` is the request for an offered tool in the same wording: what says nothing of names
/// there says nothing of them here.
pub(super) fn fate_of(exchange: &Exchange, wanted: Wanted, control: Option<&Exchange>) -> Fate {
    let Some(answer) = exchange.answer() else { return Fate::Nothing };
    if exchange.unknown_call().is_some() {
        return Fate::Came;
    }
    let works = control.is_some_and(|control| control.called(MOORING));
    if exchange.calls().any(|call| has_key_of(call, wanted)) {
        return Fate::Renamed;
    }
    if exchange.calls().next().is_some() {
        return if works { Fate::Substituted } else { Fate::Nothing };
    }
    if !works {
        return Fate::Nothing;
    }
    if answer.malformed().is_some() {
        return Fate::Reported;
    }
    if answer.words_in().any(|words| has_markup(words) && words.contains(wanted.name)) {
        return Fate::AsText;
    }
    let unseen_anyway = control.and_then(Exchange::answer).is_some_and(|it| it.unseen_tokens().is_some());
    if answer.unseen_tokens().is_some() && !unseen_anyway {
        return Fate::Dropped;
    }
    Fate::Nothing
}

/// Whether a call has the argument that only the tool which is not offered takes.
fn has_key_of(call: &ToolCall, wanted: Wanted) -> bool {
    let (Some(own), Some(arguments)) =
        (json::parse_members(wanted.arguments), json::parse_members(call.arguments.text()))
    else {
        return false;
    };
    own.iter().any(|(key, _)| arguments.has(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serving_check::exchange::made_up::{answered, call, text};

    #[test]
    fn every_fate_is_told_from_the_others() {
        let control = answered(CALL_ECHO, vec![call(MOORING, "{\"mooring\":\"south\"}")], Some((9, 20)));
        let fate = |items, tokens| fate_of(&answered("a", items, tokens), ABSENT[0], Some(&control));
        assert_eq!(fate(vec![call("polish_bell", "{}")], None), Fate::Came);
        assert_eq!(fate(vec![call("Hello, harbour!", "[1]")], None), Fate::Came);
        assert_eq!(fate(vec![call(MOORING, "{\"bell\":\"B7\"}")], None), Fate::Renamed);
        assert_eq!(fate(vec![call(MOORING, "{\"mooring\":\"north\"}")], None), Fate::Substituted);
        let block = "<tool_call>\n{\"name\": \"polish_bell\"}\n</tool_call>";
        assert_eq!(fate(vec![text(block)], None), Fate::AsText);
        assert_eq!(fate(Vec::new(), Some((9, 24))), Fate::Dropped);
        assert_eq!(fate(vec![text("There is no such tool here.")], Some((9, 8))), Fate::Nothing);
    }

    #[test]
    fn a_model_that_makes_no_call_anyway_says_nothing() {
        let control = answered(CALL_ECHO, vec![text("Ahoy.")], Some((9, 3)));
        let fate = |items, tokens| fate_of(&answered("a", items, tokens), ABSENT[0], Some(&control));
        assert_eq!(fate(vec![text("<tool_call>polish_bell")], None), Fate::Nothing);
        assert_eq!(fate(vec![call(MOORING, "{}")], None), Fate::Nothing);
        assert_eq!(fate(Vec::new(), Some((9, 24))), Fate::Nothing);
    }
}
