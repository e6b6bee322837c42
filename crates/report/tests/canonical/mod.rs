//! The canonical reports: hand-made scorecards and trials that every format is rendered from.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part of it")]

mod build;
mod reports;

pub use build::{Parts, Spec};
pub use reports::{Canonical, HOSTILE, canonical, many_failing};
