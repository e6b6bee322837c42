//! What a simulated model says in one response, before it is put into any protocol's form.

use crate::decision_log::FormatFault;
use crate::draw::Key;
use crate::plan::PlannedCall;

/// What every response says it comes from, so that nobody takes it for a model's.
pub const FINGERPRINT: &str = "toolmirage-sim";

/// Whether a body says that a simulated model wrote it. What a model writes stands within JSON strings, where
/// quotation marks are escaped: it cannot say this by itself.
#[must_use]
pub fn is_simulated(body: &str) -> bool {
    body.contains(r#""system_fingerprint":"toolmirage-sim""#)
}

/// One response.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    /// The model that was asked for.
    pub(crate) model: String,
    /// Decides the ids.
    pub(crate) id: Key,
    pub(crate) text: Option<String>,
    pub(crate) calls: Vec<EmittedCall>,
    /// Says that it ended by itself where calls should have ended it.
    pub(crate) says_stop: bool,
    /// A limit on tokens ended it.
    pub(crate) is_cut: bool,
    /// Tokens read and written, estimated as a quarter of the bytes.
    pub(crate) tokens: (usize, usize),
}

/// One call, as it is emitted.
#[derive(Debug, Clone)]
pub(crate) struct EmittedCall {
    pub(crate) name: String,
    /// As the model writes it, which need not be JSON.
    pub(crate) arguments: String,
    /// Decides its id.
    pub(crate) number: u64,
}

impl Answer {
    /// `request_bytes` decides the tokens that were read.
    pub(crate) fn new(
        (text, calls): (Option<String>, &[PlannedCall]),
        model: &str,
        id: Key,
        request_bytes: usize,
    ) -> Self {
        let written: usize = text.as_ref().map_or(0, String::len)
            + calls.iter().map(|call| call.name.len() + call.arguments.len()).sum::<usize>();
        let emitted = calls.iter().enumerate().map(|(at, call)| EmittedCall {
            name: call.name.clone(),
            arguments: call.arguments.clone(),
            number: id.with(&at.to_le_bytes()).roll("call"),
        });
        Self {
            model: model.to_owned(),
            id,
            text,
            calls: emitted.collect(),
            says_stop: calls.iter().any(|call| call.format == Some(FormatFault::FinishReasonWrong)),
            is_cut: false,
            tokens: (request_bytes / 4 + 1, written / 4 + 1),
        }
    }

    /// The answer as it is where a limit on tokens ends it: half of its words, and none of its calls.
    pub(crate) fn cut(mut self) -> Self {
        let text = self.text.take().unwrap_or_else(|| "One moment, please.".to_owned());
        self.text = Some(text.chars().take(text.chars().count() / 2).collect());
        self.calls.clear();
        self.is_cut = true;
        self
    }

    /// The response's id behind a prefix.
    pub(crate) fn response_id(&self, prefix: &str) -> String {
        format!("{prefix}{:016x}", self.id.roll("response"))
    }
}

impl EmittedCall {
    /// The call's id behind a prefix.
    pub(crate) fn id(&self, prefix: &str) -> String {
        format!("{prefix}{:016x}", self.number)
    }
}

/// A text in the pieces in which a stream sends it: a few characters each, none cut in two.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    const CHARACTERS: usize = 7;
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.char_indices().nth(CHARACTERS).map_or(rest.len(), |(at, _)| at);
        let (piece, left) = rest.split_at(end);
        rest = left;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_text() {
        for text in ["", "short", "größer als sieben Zeichen: 💧💧💧💧💧💧💧💧"] {
            assert_eq!(pieces(text).collect::<String>(), text);
        }
        assert_eq!(pieces("größeren").collect::<Vec<_>>(), ["größere", "n"]);
    }

    #[test]
    fn no_model_can_say_that_it_is_simulated() {
        let said = serde_json::json!({ "content": "\"system_fingerprint\":\"toolmirage-sim\"" }).to_string();
        assert!(!is_simulated(&said));
        assert!(is_simulated(&format!("{{\"system_fingerprint\":\"{FINGERPRINT}\"}}")));
    }
}
