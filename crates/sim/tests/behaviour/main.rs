//! Simulated models from the outside: requests in, replies and decisions out.

#![expect(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod conversations;
mod garden;
mod planted;
mod profiles;
mod respond;
mod server;
