use crate::{Report, ReportError};
use std::io::Write;
pub(super) fn draw(_report: &Report, _out: &mut dyn Write) -> Result<(), ReportError> {
    Ok(())
}
