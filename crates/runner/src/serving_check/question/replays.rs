//! Whether the same request is answered from a cache: repeats would then be copies.

use transcript::Confidence;

use super::{Decision, Question};
use crate::serving_check::ask::{AGAIN, CALL_ECHO};
use crate::serving_check::exchange::{Answer, Exchanges};

pub(super) const QUESTION: Question =
    Question { key: "replays", says: "the same request is answered from a cache", decide };

/// Headers in which gateways say that a body was stored.
const CACHE_HEADERS: &[&str] = &[
    "x-cache",
    "x-cache-status",
    "cf-cache-status",
    "x-litellm-cache-hit",
    "helicone-cache",
    "x-portkey-cache-status",
];

fn decide(exchanges: &Exchanges) -> Decision {
    let (Some(first), Some(again)) = (exchanges.answer(CALL_ECHO), exchanges.answer(AGAIN)) else {
        return Decision::unknown();
    };
    let used = [CALL_ECHO, AGAIN];
    if let Some((name, value)) = again.headers.iter().find(|(name, value)| says_hit(name, value)) {
        return Decision::yes(Confidence::High).because(format!("header `{name}: {value}`")).on(&used);
    }
    let ids = (first.observed.id.as_deref(), again.observed.id.as_deref());
    let decision = match ids {
        (Some(one), Some(other)) if one == other => {
            Decision::yes(Confidence::High).because("both answers have one id")
        }
        (Some(_), Some(_)) => Decision::no(Confidence::High).because("two answers have two ids"),
        _ if first.body != again.body => {
            Decision::no(Confidence::Medium).because("two answers differ, and have no ids")
        }
        _ if has_volatile_member(first) => {
            Decision::yes(Confidence::Medium).because("two answers are equal to the byte, times included")
        }
        _ => Decision::unknown().because("two answers are equal, and nothing in them could differ"),
    };
    decision.on(&used)
}

fn says_hit(name: &str, value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    CACHE_HEADERS.contains(&name) && (value.starts_with("hit") || value == "true" || value.contains(" hit"))
}

/// Whether a body has a member that differs in every answer that is made anew.
fn has_volatile_member(answer: &Answer) -> bool {
    let text = String::from_utf8_lossy(&answer.body);
    ["\"created_at\"", "\"total_duration\"", "\"latencyMs\""].iter().any(|member| text.contains(member))
}

#[cfg(test)]
mod tests {
    use transcript::ServingState::{No, Unknown, Yes};

    use super::*;
    use crate::serving_check::exchange::made_up::{all, answered, text};
    use crate::serving_check::exchange::{Came, Exchange};

    fn with(name: &str, id: Option<&str>, body: &str, header: Option<(&str, &str)>) -> Exchange {
        let mut exchange = answered(name, vec![text("Ahoy.")], None);
        if let Came::Answer(answer) = &mut exchange.came {
            answer.observed.id = id.map(str::to_owned);
            answer.body = body.to_owned().into();
            answer.headers =
                header.map(|(name, value)| (name.to_owned(), value.to_owned())).into_iter().collect();
        }
        exchange
    }

    #[test]
    fn ids_decide_and_bytes_where_there_are_none() {
        let told = |one: (Option<&str>, &str), other: (Option<&str>, &str)| {
            let of = vec![with(CALL_ECHO, one.0, one.1, None), with(AGAIN, other.0, other.1, None)];
            decide(&all(of)).answer
        };
        assert_eq!(told((Some("a"), "1"), (Some("a"), "1")), Yes);
        assert_eq!(told((Some("a"), "1"), (Some("b"), "1")), No);
        assert_eq!(told((None, "1"), (None, "2")), No);
        assert_eq!(told((None, "1"), (None, "1")), Unknown);
        assert_eq!(told((None, "{\"created_at\":1}"), (None, "{\"created_at\":1}")), Yes);
    }

    #[test]
    fn a_gateway_s_own_word_is_taken() {
        let hit = with(AGAIN, Some("b"), "2", Some(("x-cache", "HIT from edge")));
        assert_eq!(decide(&all(vec![with(CALL_ECHO, Some("a"), "1", None), hit])).answer, Yes);
    }
}
