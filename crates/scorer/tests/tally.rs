//! Verdicts made by hand add up to scorecards.
#![allow(clippy::unwrap_used, clippy::float_cmp, reason = "tests; the figures are met exactly")]

#[path = "tally/arms.rs"]
mod arms;
#[path = "tally/by_hand.rs"]
mod by_hand;
#[path = "tally/dispatch.rs"]
mod dispatch;
#[path = "tally/names.rs"]
mod names;
#[path = "tally/properties.rs"]
mod properties;
#[path = "tally/rates.rs"]
mod rates;
