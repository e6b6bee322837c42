//! Azure's chat completions, by deployment or under `/openai/v1`; errors of the limit say nothing of the wait.

use super::{Protocol, openai_chat, route_if};

pub(super) const PROTOCOL: Protocol = Protocol {
    name: "azure_openai",
    paths: "/openai/v1/chat/completions, /openai/deployments/NAME/chat/completions",
    route: |path| path.starts_with("/openai/").then(|| route_if(path, "/chat/completions")).flatten(),
    ..openai_chat::PROTOCOL
};
