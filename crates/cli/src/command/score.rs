//! `toolmirage score`: judges a record again, offline, and writes its reports anew.

use report::Format;

use crate::args::ScoreArgs;
use crate::error::Failure;
use crate::exit::Exit;
use crate::inputs::Configured;
use crate::{conclusion, gating, output, privacy, runs, scoring};

/// Scores a record.
pub(crate) fn run(args: &ScoreArgs, configured: Option<&Configured>) -> Result<Exit, Failure> {
    let run = runs::find(&args.run)?;
    let measured = scoring::score_record(&run.record, &run.folder, args.decode)?;
    let policy = gating::policy(configured, measured.header.profile.as_deref())?;
    let scored = conclusion::of_run(measured, policy, run.record.clone())?
        .shared(privacy::share(args.share, configured));
    output::write_reports(&scored.report, &run.folder)?;
    if args.json {
        output::print_json(&scored.scorecards)?;
    } else {
        let text = output::rendered(&scored.report, Format::Text)?;
        output::print(&String::from_utf8_lossy(&text))?;
    }
    Ok(conclusion::exit_of(&scored))
}
