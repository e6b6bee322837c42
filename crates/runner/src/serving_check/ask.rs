//! The requests of a check, in the order in which they are sent. Questions share them: each is sent once, and only
//! where those before it leave something to find out.

use probes::ToolChoice;
use transcript::{RawJson, ToolName};

use super::exchange::Exchanges;
use super::recipe::{
    ABSENT, BLAST, BREAKING, CODE, Recipe, SOUTH, TIDES, TODAY, Wording, after_a_call, horn, recite,
    recite_from_words,
};

pub(super) const PLAIN: &str = "plain";
pub(super) const TOOLS: &str = "tools";
pub(super) const RECITE: &str = "recite";
pub(super) const RECITE_FROM_WORDS: &str = "recite_from_words";
pub(super) const CALL_TOLD: &str = "call_told";
pub(super) const CALL_ECHO: &str = "call_echo";
pub(super) const ABSENT_TOLD: &str = "absent_told";
pub(super) const ABSENT_BEFORE: &str = "absent_before";
pub(super) const ABSENT_ECHOES: [&str; 3] = ["absent_echo_1", "absent_echo_2", "absent_echo_near"];
pub(super) const AGAIN: &str = "again";
pub(super) const STREAMED: &str = "streamed";
pub(super) const NONE: &str = "none";
pub(super) const REQUIRED: &str = "required";
pub(super) const REQUIRED_ABSENT: &str = "required_absent";
pub(super) const NAMED: &str = "named";
pub(super) const TWO_CALLS: &str = "two_calls";
pub(super) const ONE_CALL: &str = "one_call";
pub(super) const BREAKING_CALL: &str = "breaking_call";
pub(super) const STRICT: &str = "strict";
pub(super) const STRICT_ABSENT: &str = "strict_absent";
pub(super) const NO_ARGUMENTS: &str = "no_arguments";
pub(super) const SHORT: &str = "short";
pub(super) const UNKNOWN_MEMBER: &str = "unknown_member";

/// The words that `plain` and `tools` have in common.
const GREETING: &str = "Good morning. Answer with one short sentence.";

/// The limit of `short`. Some providers take none below 16.
pub(super) const SHORT_LIMIT: u64 = 16;

/// A member of the body that no endpoint knows.
const NO_SUCH_MEMBER: &str = "toolmirage_no_such_member";

/// One request.
#[derive(Debug)]
pub(super) struct Ask {
    pub(super) name: &'static str,
    /// Whether it still has to be asked.
    pub(super) when: fn(&Exchanges) -> bool,
    pub(super) make: fn(&Exchanges) -> Recipe,
}

const fn ask(name: &'static str, when: fn(&Exchanges) -> bool, make: fn(&Exchanges) -> Recipe) -> Ask {
    Ask { name, when, make }
}

/// Every request that is made once.
pub(super) const ASKS: &[Ask] = &[
    ask(PLAIN, always, |_| Recipe::said(GREETING)),
    ask(TOOLS, always, |_| Recipe::offered(GREETING)),
    ask(RECITE, not_by_tokens, |_| recite()),
    ask(RECITE_FROM_WORDS, not_recited, |_| recite_from_words()),
    ask(CALL_TOLD, sighted, |_| Recipe::asking(Wording::Told, &[SOUTH])),
    ask(CALL_ECHO, sighted, |_| Recipe::asking(Wording::Echo, &[SOUTH])),
    ask(ABSENT_ECHOES[0], sighted, |_| Recipe::asking(Wording::Echo, &[ABSENT[0]])),
    ask(ABSENT_ECHOES[1], absent_open, |_| Recipe::asking(Wording::Echo, &[ABSENT[1]])),
    ask(ABSENT_ECHOES[2], sighted, |_| Recipe::asking(Wording::Echo, &[ABSENT[2]])),
    ask(ABSENT_TOLD, absent_open, |_| Recipe::asking(Wording::Told, &[ABSENT[0]])),
    ask(ABSENT_BEFORE, absent_open, |_| after_a_call()),
    ask(AGAIN, sighted, |_| Recipe::asking(Wording::Echo, &[SOUTH])),
    ask(STREAMED, sighted, |_| Recipe { streamed: true, ..Recipe::asking(Wording::Echo, &[SOUTH]) }),
    ask(NONE, sighted, |so_far| {
        asking(so_far, &[SOUTH]).with(|arm| arm.tool_choice = Some(ToolChoice::None))
    }),
    ask(REQUIRED, sighted, |_| {
        Recipe::offered(GREETING).with(|arm| arm.tool_choice = Some(ToolChoice::Required))
    }),
    ask(REQUIRED_ABSENT, sighted, |_| {
        Recipe::asking(Wording::Echo, &[ABSENT[0]]).with(|arm| arm.tool_choice = Some(ToolChoice::Required))
    }),
    ask(NAMED, sighted, |so_far| {
        let tides = ToolChoice::Tool(ToolName::new(TIDES));
        asking(so_far, &[SOUTH]).with(|arm| arm.tool_choice = Some(tides))
    }),
    ask(TWO_CALLS, sighted, |so_far| asking(so_far, &[SOUTH, TODAY])),
    ask(ONE_CALL, sighted, |so_far| asking(so_far, &[SOUTH, TODAY]).with(|arm| arm.parallel = Some(false))),
    ask(BREAKING_CALL, sighted, |so_far| asking(so_far, &[BREAKING])),
    ask(STRICT, sighted, |so_far| asking(so_far, &[BREAKING]).with(|arm| arm.strict = Some(true))),
    ask(STRICT_ABSENT, sighted, |_| {
        Recipe::asking(Wording::Echo, &[ABSENT[0]]).with(|arm| arm.strict = Some(true))
    }),
    ask(NO_ARGUMENTS, sighted, |so_far| asking(so_far, &[BLAST]).offering(horn())),
    ask(SHORT, always, |_| Recipe {
        limit: Some(SHORT_LIMIT),
        ..Recipe::said("Count from one to two hundred in words, one after the other.")
    }),
    ask(UNKNOWN_MEMBER, always, |_| {
        let one = RawJson::parse("1").ok().map(|one| (NO_SUCH_MEMBER.to_owned(), one));
        Recipe::said(GREETING).with(|arm| arm.body.extend(one))
    }),
];

fn asking(so_far: &Exchanges, wanted: &[super::recipe::Wanted]) -> Recipe {
    Recipe::asking(Wording::that_works(so_far), wanted)
}

fn always(_: &Exchanges) -> bool {
    true
}

/// Prompt tokens without and with tools, where the endpoint counts them. A count of 0 is none.
pub(super) fn prompt_tokens(so_far: &Exchanges) -> Option<(u64, u64)> {
    let tokens = |name: &str| so_far.answer(name)?.usage?.input.filter(|tokens| *tokens > 0);
    Some((tokens(PLAIN)?, tokens(TOOLS)?))
}

/// The least rise of the prompt's tokens that two tools with descriptions and schemas can make.
pub(super) const LEAST_RISE: u64 = 20;

/// Whether the tokens leave open that the tools reached the model.
fn not_by_tokens(so_far: &Exchanges) -> bool {
    prompt_tokens(so_far).is_none_or(|(without, with)| with < without.saturating_add(LEAST_RISE))
}

/// Whether an answer has what only a description says.
pub(super) fn recited(so_far: &Exchanges, name: &str) -> bool {
    so_far.answer(name).is_some_and(|answer| answer.words_in().any(|words| words.contains(CODE)))
}

fn not_recited(so_far: &Exchanges) -> bool {
    not_by_tokens(so_far) && !recited(so_far, RECITE)
}

/// Where the tools do not reach the model there is nothing more to ask about calls.
fn sighted(so_far: &Exchanges) -> bool {
    super::question::is_blind(so_far) != Some(true)
}

/// Whether no call of a tool that is not offered came through so far.
fn absent_open(so_far: &Exchanges) -> bool {
    sighted(so_far) && !so_far.all().any(|exchange| exchange.unknown_call().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct() {
        let mut names: Vec<&str> = ASKS.iter().map(|ask| ask.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ASKS.len());
    }
}
