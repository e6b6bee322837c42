//! OpenRouter's chat completions: another finish reason stands beside the usual one.

use super::{Protocol, openai_chat, route_if};

pub(super) const PROTOCOL: Protocol = Protocol {
    name: "openrouter",
    paths: "/api/v1/chat/completions",
    route: |path| path.starts_with("/api/v1/").then(|| route_if(path, "/chat/completions")).flatten(),
    write: |answer| openai_chat::write(answer, "call_", Some("completed")),
    ..openai_chat::PROTOCOL
};
