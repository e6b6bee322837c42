//! `toolmirage report`: renders the report of a record.

use crate::args::ReportArgs;
use crate::error::Failure;
use crate::exit::Exit;
use crate::inputs::Configured;
use crate::{conclusion, gating, output, privacy, runs, scoring};

/// Renders a report. It is worked out from the record each time, so that it is never older than the build.
pub(crate) fn run(args: &ReportArgs, configured: Option<&Configured>) -> Result<Exit, Failure> {
    let run = runs::find(&args.run)?;
    let measured = scoring::score_record(&run.record, &run.folder, false)?;
    let policy = gating::policy(configured, measured.header.profile.as_deref())?;
    let scored = conclusion::of_run(measured, policy, run.record.clone())?
        .shared(privacy::share(args.share, configured));
    let format = args.format.format(args.json);
    let bytes = output::rendered(&scored.report, format)?;
    match &args.out {
        Some(path) => output::write_file(path, &bytes)?,
        None => output::print(&String::from_utf8_lossy(&bytes))?,
    }
    Ok(Exit::Pass)
}
