//! Asking: sends probes to models, answers their calls with stubs, and writes down what happened. The only
//! crate with network and async; it judges nothing.

mod ask;
mod conversation;
mod error;
mod executor_file;
mod gateway;
mod http;
mod json;
mod ledger;
mod limits;
mod mcp;
mod meter;
mod no_answer;
mod plan;
mod provenance;
mod provider;
mod record_file;
mod recording;
mod redact;
mod retry;
mod run;
mod schedule;
mod secret;
mod serving_check;
mod signature;
mod split_mix;
mod stub;
mod token;
mod transport;

pub use conversation::first_bodies;
pub use error::{RecordError, RunError};
pub use executor_file::{append_executor_call, read_executor_rows};
pub use gateway::Gateway;
pub use http::{HttpOptions, HttpTransport};
pub use limits::Share;
pub use mcp::{McpError, McpLimits, McpListing, McpServer, list_mcp_tools, split_command};
pub use meter::{Cap, Caps, Meter};
pub use plan::{Plan, PlannedCell, Round, Target};
pub use provider::{Body, Decoded, KeyHeader, ModelRequest, PROVIDERS, Provider, Said, provider};
pub use record_file::{
    EXECUTOR_FILE, ParsedLine, RECORD_FILE, RecordBlock, RecordReader, RunFiles, TornLine, UnparsedLine,
};
pub use recording::{RecordingMode, Recordings, RequestKey, UNKEYED};
pub use redact::{Redactor, public_url};
pub use retry::{Failure, FailureClass, RetryDecision, RetryPolicy, decide as decide_retry};
pub use run::{EndReason, RunEnd, RunEvent, run};
pub use secret::Secret;
pub use serving_check::{
    CheckError, CheckOptions, Choice, Knobs, SERVING_RULES, check_serving, serving_questions,
    serving_requests,
};
pub use signature::{AwsKeys, RequestSigner, aws_region_of};
pub use token::{TokenCommand, TokenError, token_of};
pub use transport::{
    ATTEMPT_HEADER, HttpRequest, HttpResponse, TRIAL_HEADER, Transport, TransportError, TransportErrorKind,
};
