//! Azure OpenAI: chat completions of a resource of one's own. The base URL is that of the resource, either
//! `https://NAME.openai.azure.com/openai/v1` or `.../openai/deployments/NAME?api-version=...`; the model is the
//! deployment's name, and which model that is, the body says.

use super::{KeyHeader, Provider, openai_chat};

pub(super) const PROVIDER: Provider = Provider {
    name: "azure_openai",
    summary: "chat completions of an Azure OpenAI resource",
    key: KeyHeader::Named("api-key"),
    ..openai_chat::PROVIDER
};
