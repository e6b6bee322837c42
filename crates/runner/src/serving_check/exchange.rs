//! What was asked and what came back, and what can be read off it. Pure.

use bytes::Bytes;
use transcript::{Item, Observed, StopReason, ToolCall, Usage};

use super::recipe::Recipe;

/// Characters of a text that evidence quotes.
const QUOTED: usize = 100;

/// A request and its answer.
#[derive(Debug, Clone)]
pub(super) struct Exchange {
    /// The request's name.
    pub(super) name: String,
    /// Names of the tools that it offered.
    pub(super) offered: Vec<String>,
    /// Tries.
    pub(super) attempts: u64,
    /// What came.
    pub(super) came: Came,
}

/// What came of a request.
#[derive(Debug, Clone)]
pub(super) enum Came {
    /// An answer of a model.
    Answer(Box<Answer>),
    /// The endpoint will not take such a request.
    Refused(String),
    /// Nothing that says anything about the request.
    Nothing(String),
}

/// An answer.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub(super) observed: Observed,
    pub(super) usage: Option<Usage>,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Bytes,
}

/// All exchanges of a check, in the order in which they were made.
#[derive(Debug, Clone, Default)]
pub(super) struct Exchanges(Vec<Exchange>);

impl Exchanges {
    pub(super) fn push(&mut self, exchange: Exchange) {
        self.0.push(exchange);
    }

    pub(super) fn get(&self, name: &str) -> Option<&Exchange> {
        self.0.iter().find(|exchange| exchange.name == name)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Exchange> {
        self.0.iter()
    }

    /// The answer to a request that was made and answered.
    pub(super) fn answer(&self, name: &str) -> Option<&Answer> {
        self.get(name)?.answer()
    }
}

impl Exchange {
    pub(super) fn of(name: &str, recipe: &Recipe, attempts: u64, came: Came) -> Self {
        let offered = recipe.tools.iter().map(|tool| tool.name.to_string()).collect();
        Self { name: name.to_owned(), offered, attempts, came }
    }

    pub(super) fn answer(&self) -> Option<&Answer> {
        match &self.came {
            Came::Answer(answer) => Some(answer),
            Came::Refused(_) | Came::Nothing(_) => None,
        }
    }

    /// Structured calls, in order.
    pub(super) fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.answer().into_iter().flat_map(|answer| answer.observed.calls())
    }

    /// Whether a structured call of this name came.
    pub(super) fn called(&self, name: &str) -> bool {
        self.calls().any(|call| call.name.as_str() == name)
    }

    /// The structured call of a tool that was not offered, where one came.
    pub(super) fn unknown_call(&self) -> Option<&str> {
        self.calls().map(|call| call.name.as_str()).find(|name| !self.offered.iter().any(|it| it == name))
    }

    /// What came, in a few words.
    pub(super) fn words(&self) -> String {
        match &self.came {
            Came::Refused(message) => format!("refused: {}", quoted(message)),
            Came::Nothing(message) => format!("no answer: {}", quoted(message)),
            Came::Answer(answer) => answer.words(),
        }
    }
}

impl Answer {
    /// Text and reasoning, as far as they are visible.
    pub(super) fn words_in(&self) -> impl Iterator<Item = &str> {
        self.observed.items.iter().filter_map(|item| match item {
            Item::Text(text) | Item::Reasoning(text) | Item::Refusal(text) => Some(text.as_str()),
            Item::Call(_) | Item::MalformedCall(_) => None,
        })
    }

    /// What the provider says of a call that it could not or would not hand over.
    pub(super) fn malformed(&self) -> Option<&str> {
        let item = self.observed.items.iter().find_map(|item| match item {
            Item::MalformedCall(words) => Some(words.as_str()),
            _ => None,
        });
        let stop = self.observed.stop.as_ref().filter(|stop| stop.reason == StopReason::MalformedCall);
        item.or(stop.map(|stop| stop.raw.as_str()))
    }

    /// Whether a limit cut it off.
    pub(super) fn is_cut_off(&self) -> bool {
        self.observed.stop.as_ref().is_some_and(|stop| stop.reason == StopReason::Length)
    }

    /// Tokens that were generated and are seen nowhere: much more was written than what came holds. None where the
    /// endpoint does not count, or where the answer was cut off.
    pub(super) fn unseen_tokens(&self) -> Option<u64> {
        let usage = self.usage?;
        let written = usage.output?.saturating_sub(usage.reasoning.unwrap_or(0));
        let shown: usize = self.words_in().map(str::len).sum::<usize>()
            + self
                .observed
                .calls()
                .map(|call| 16 + call.name.as_str().len() + call.arguments.text().len())
                .sum::<usize>();
        // A token is seldom less than two bytes; the first few are those of templates.
        let accounted = shown as u64 / 2 + 4;
        (!self.is_cut_off() && self.malformed().is_none() && written > accounted).then_some(written)
    }

    fn words(&self) -> String {
        let calls: Vec<String> = self
            .observed
            .calls()
            .map(|call| format!("{}({})", quoted(call.name.as_str()), quoted(call.arguments.text())))
            .collect();
        if !calls.is_empty() {
            return format!("called {}", calls.join(" and "));
        }
        if let Some(words) = self.malformed() {
            return format!("the provider reports a call that it does not hand over: {}", quoted(words));
        }
        let text: Vec<&str> = self.words_in().filter(|text| !text.trim().is_empty()).collect();
        let cut = if self.is_cut_off() { ", cut off" } else { "" };
        match text.first() {
            Some(first) => format!("text, `{}`{cut}", quoted(first)),
            None => match self.usage.and_then(|usage| usage.output) {
                Some(tokens) => format!("neither text nor a call, {tokens} tokens generated{cut}"),
                None => format!("neither text nor a call{cut}"),
            },
        }
    }
}

/// A text cropped to one line.
pub(super) fn quoted(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}...", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

#[cfg(test)]
pub(super) mod made_up {
    //! Exchanges by hand.

    use transcript::{Arguments, EmittedName, Stop};

    use super::*;

    pub(crate) fn call(name: &str, arguments: &str) -> Item {
        Item::Call(ToolCall {
            id: None,
            name: EmittedName::Text(name.to_owned()),
            namespace: None,
            arguments: Arguments::Text(arguments.to_owned()),
        })
    }

    pub(crate) fn text(words: &str) -> Item {
        Item::Text(words.to_owned())
    }

    pub(crate) fn answered(name: &str, items: Vec<Item>, tokens: Option<(u64, u64)>) -> Exchange {
        let usage = tokens.map(|(input, output)| Usage {
            input: Some(input),
            output: Some(output),
            ..Usage::default()
        });
        let observed = Observed {
            items,
            stop: Some(Stop { raw: "stop".into(), reason: StopReason::End }),
            ..Observed::default()
        };
        let answer = Answer { observed, usage, headers: Vec::new(), body: Bytes::new() };
        Exchange {
            name: name.to_owned(),
            offered: vec![super::super::recipe::MOORING.into(), super::super::recipe::TIDES.into()],
            attempts: 1,
            came: Came::Answer(Box::new(answer)),
        }
    }

    pub(crate) fn refused(name: &str) -> Exchange {
        Exchange { came: Came::Refused("HTTP 400: no".into()), ..answered(name, Vec::new(), None) }
    }

    pub(crate) fn all(of: Vec<Exchange>) -> Exchanges {
        Exchanges(of)
    }
}

#[cfg(test)]
mod tests {
    use super::made_up::*;
    use super::*;

    #[test]
    fn tokens_that_nobody_sees_are_noticed() {
        let unseen =
            |items, output| answered("x", items, Some((9, output))).answer().unwrap().unseen_tokens();
        assert_eq!(unseen(Vec::new(), 31), Some(31));
        assert_eq!(unseen(Vec::new(), 3), None);
        assert_eq!(unseen(vec![text("The fence cannot be painted from here, sorry.")], 14), None);
        assert_eq!(unseen(vec![call("tide_table", "{\"day\":\"today\"}")], 24), None);
    }

    #[test]
    fn what_came_is_told_in_one_line() {
        let said = answered("x", vec![text("a\n<b> c")], None).words();
        assert_eq!(said, "text, `a <b> c`");
        assert_eq!(refused("x").words(), "refused: HTTP 400: no");
        assert!(quoted(&"ä".repeat(300)).ends_with("..."));
    }
}
