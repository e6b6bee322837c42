//! Event rows: JSON Lines, an absent tool a line.

use std::io::Write;

use miner::Census;

use crate::ReportError;
use crate::render::json_line;

/// Writes every absent-tool event as a line of JSON: the members are those of `absent.events` in the census.
/// Characters that nobody sees are written as escapes, so that the value stays and a terminal is safe.
///
/// # Errors
/// Writing failed.
pub fn census_events(census: &Census, out: &mut dyn Write) -> Result<(), ReportError> {
    for event in &census.absent.events {
        json_line(event, out)?;
    }
    Ok(())
}
