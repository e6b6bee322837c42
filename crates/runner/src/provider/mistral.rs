//! Mistral's chat completions. Two things are its own: a call that is owed is `any`, and call ids have nine letters
//! and digits, so that canned history goes out under ids of that form. Ids that came from the endpoint stay.

use std::collections::HashMap;

use bytes::Bytes;
use transcript::CallId;

use super::openai_chat::{self, Words};
use super::{ModelRequest, Provider, Said};

pub(super) const PROVIDER: Provider = Provider {
    name: "mistral",
    summary: "chat completions of Mistral",
    base_url: Some("https://api.mistral.ai/v1"),
    encode,
    ..openai_chat::PROVIDER
};

fn encode(request: &ModelRequest<'_>) -> Bytes {
    let words = Words { required: "any" };
    let canned = ids_of_canned_calls(request.messages);
    if canned.is_empty() {
        return openai_chat::encode_with(request, &words);
    }
    let messages: Vec<Said> = request.messages.iter().map(|said| with_ids(said, &canned)).collect();
    openai_chat::encode_with(&ModelRequest { messages: &messages, ..*request }, &words)
}

/// An id of the endpoint's form for each canned call that has another.
fn ids_of_canned_calls(messages: &[Said]) -> HashMap<CallId, CallId> {
    let mut ids = HashMap::new();
    for said in messages {
        let Said::Ours(message) = said else { continue };
        for call in message.tool_calls.iter().filter(|call| !is_accepted(&call.id)) {
            let next = ids.len();
            ids.entry(call.id.clone()).or_insert_with(|| CallId(format!("past{:05}", next % 100_000)));
        }
    }
    ids
}

fn is_accepted(id: &CallId) -> bool {
    id.0.len() == 9 && id.0.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn with_ids(said: &Said, ids: &HashMap<CallId, CallId>) -> Said {
    let Said::Ours(message) = said else { return said.clone() };
    let mut message = message.clone();
    let calls = message.tool_calls.iter_mut().map(|call| &mut call.id);
    for id in calls.chain(message.tool_call_id.as_mut()) {
        if let Some(accepted) = ids.get(id) {
            id.clone_from(accepted);
        }
    }
    Said::Ours(message)
}
