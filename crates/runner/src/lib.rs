//! Asking: sends probes to models, answers their calls with stubs, and writes down what happened. The only
//! crate with network and async; it judges nothing.

mod json;
mod provider;
mod retry;

pub use provider::{Body, Decoded, ModelRequest, PROVIDERS, Provider, Said, provider};
pub use retry::{Failure, FailureClass, RetryDecision, RetryPolicy, decide as decide_retry};
