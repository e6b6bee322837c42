//! Ollama's own chat (`POST /api/chat`), unstreamed. Its compatible endpoint is `openai_chat`.
//!
//! What the format cannot say is left out of the request: tool choice, parallel calls, strict schemas. The server
//! keeps a part of a schema alone (types, descriptions, enums, required members), and many of its parsers make calls
//! of names in the request only: what else a model wrote comes back as text, or not at all.

mod decode;
mod echo;
mod encode;
mod stream;

use indexmap::IndexMap;
use transcript::RawJson;

use super::{KeyHeader, Provider};
use crate::json;

pub(super) const PROVIDER: Provider = Provider {
    name: "ollama",
    summary: "the chat of an Ollama server",
    base_url: None,
    path: |_| "/api/chat".to_owned(),
    // A server of one's own takes no key; one behind a gateway may.
    key: KeyHeader::Bearer,
    headers: &[],
    required: &[],
    reserved: &["model", "messages", "tools"],
    encode: encode::encode,
    decode: decode::decode,
    // The format has no rule for names.
    can_echo: |_| true,
    echo: echo::echo,
    tool_choice: |_| None,
    output_limit,
};

/// `num_predict`; below 0 it is no limit.
fn output_limit(settings: &IndexMap<String, RawJson>) -> Option<u64> {
    let options = json::parse_members(settings.get("options")?.as_str())?;
    options.get("num_predict").and_then(json::count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_stands_among_the_options() {
        let limit = |text: &str| {
            output_limit(&IndexMap::from([("options".to_owned(), RawJson::parse(text).unwrap())]))
        };
        assert_eq!(limit(r#"{"num_predict":90}"#), Some(90));
        assert_eq!(limit(r#"{"num_predict":-1}"#), None);
        assert_eq!(limit("[]"), None);
    }
}
