//! Whether a streamed answer says what an unstreamed one says: servers have two parsers as a rule, and one of them may
//! lose a call.

use transcript::{Confidence, RawJson};

use super::{Decision, Question, has_markup};
use crate::serving_check::ask::{AGAIN, CALL_ECHO, STREAMED};
use crate::serving_check::exchange::{Came, Exchange, Exchanges};

pub(super) const QUESTION: Question =
    Question { key: "streams_alike", says: "streamed and unstreamed answers agree", decide };

fn decide(exchanges: &Exchanges) -> Decision {
    let Some(streamed) = exchanges.get(STREAMED) else { return Decision::unknown() };
    let whole = [CALL_ECHO, AGAIN].map(|name| exchanges.get(name).map(calls));
    let decision = match (&streamed.came, &whole) {
        (Came::Refused(_), _) => Decision::refused(),
        (Came::Nothing(_), _) | (_, [None, _]) => Decision::unknown(),
        (Came::Answer(answer), [Some(first), again]) => {
            let made = calls(streamed);
            let settled = again.as_ref() == Some(first);
            match (first.is_empty(), made == *first) {
                (false, true) => Decision::yes(Confidence::High),
                // Calls that came whole every time and come as text, or not at all, in a stream.
                (false, false) if settled && answer.words_in().any(has_markup) => {
                    Decision::no(Confidence::High)
                }
                (false, false) if settled => Decision::no(Confidence::Medium),
                (true, true) if settled => Decision::yes(Confidence::Low),
                _ => Decision::unknown(),
            }
        }
    };
    decision
        .shown_by(exchanges, CALL_ECHO, "asked for a call")
        .shown_by(exchanges, AGAIN, "the same again")
        .shown_by(exchanges, STREAMED, "the same as a stream")
}

/// Names and arguments of the calls, arguments without insignificant space.
fn calls(exchange: &Exchange) -> Vec<(String, String)> {
    let one = |call: &transcript::ToolCall| {
        let text = call.arguments.text();
        let arguments = RawJson::parse(text).map_or_else(|_| text.to_owned(), |raw| raw.as_str().to_owned());
        (call.name.as_str().to_owned(), arguments)
    };
    exchange.calls().map(one).collect()
}

#[cfg(test)]
mod tests {
    use transcript::ServingState::{No, Unknown, Yes};

    use super::*;
    use crate::serving_check::exchange::made_up::{all, answered, call, text};

    #[test]
    fn a_call_that_the_stream_loses_shows() {
        let made = || call("mooring_status", "{\"mooring\": \"south\"}");
        let with = |again, streamed| {
            decide(&all(vec![
                answered(CALL_ECHO, vec![made()], None),
                answered(AGAIN, vec![again], None),
                answered(STREAMED, vec![streamed], None),
            ]))
        };
        let tight = call("mooring_status", "{\"mooring\":\"south\"}");
        assert_eq!(with(made(), tight).answer, Yes);
        let lost = with(made(), text("<tool_call>{}</tool_call>"));
        assert_eq!((lost.answer, lost.confidence), (No, Some(Confidence::High)));
        // A model that makes up its mind anew each time is no evidence.
        assert_eq!(with(text("Ahoy."), text("Ahoy.")).answer, Unknown);
    }
}
