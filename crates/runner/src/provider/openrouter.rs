//! OpenRouter: chat completions over many providers. Which of them answers is a matter of the settings (`provider`);
//! without any it may be another one each time.

use super::{Provider, openai_chat};

pub(super) const PROVIDER: Provider = Provider {
    name: "openrouter",
    summary: "chat completions of OpenRouter",
    base_url: Some("https://openrouter.ai/api/v1"),
    ..openai_chat::PROVIDER
};
