//! `toolmirage baseline accept RUN`: keeps what a run came to, for later runs to be compared with.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use scorer::SCORER;
use transcript::Fingerprint;

use crate::args::{BaselineArgs, BaselineCommand};
use crate::baseline::{BASELINE_FORMAT, Baseline};
use crate::error::Failure;
use crate::exit::Exit;
use crate::{output, progress, runs, scoring};

/// Where baselines are kept.
const BASELINES: &str = "baselines";

/// Accepts a run.
pub(crate) fn run(args: &BaselineArgs) -> Result<Exit, Failure> {
    let BaselineCommand::Accept(args) = &args.command;
    let run = runs::find(&args.run)?;
    let measured = scoring::score_finished(&run, "be a baseline")?;
    if measured.scorecards.iter().all(|card| card.scored() == 0) {
        return Err(Failure::invalid(format!("no trial of `{}` was scored", run.display())));
    }
    let header = measured.header;
    let path = match &args.out {
        Some(path) => path.clone(),
        None => default_path(header.profile.as_deref().unwrap_or(&header.suite.name)),
    };
    let simulated = header.targets.values().any(|target| target.simulated);
    let before = Baseline::read(&path).ok().flatten();
    let baseline = Baseline {
        format: BASELINE_FORMAT.to_owned(),
        toolmirage: env!("CARGO_PKG_VERSION").to_owned(),
        scorer: SCORER.to_owned(),
        record: Fingerprint::of_reader(BufReader::new(File::open(&run.record)?))?,
        reason: args.reason.clone(),
        window: measured.facts.window,
        header,
        scorecards: measured.scorecards,
    };
    write(&path, &baseline)?;
    if simulated {
        progress::print("note: a simulated model gave answers of this run; they measure no model");
    }
    let replaced =
        before.map_or_else(String::new, |before| format!("; it replaces that of {}", before.header.run));
    output::print(&format!(
        "accepted {} as {}{}\n",
        report::visible(&baseline.header.run),
        report::visible(&path.display().to_string()),
        report::visible(&replaced)
    ))?;
    Ok(Exit::Pass)
}

/// A file named after a profile or a suite; whatever those hold, it stays within the folder.
fn default_path(name: &str) -> PathBuf {
    let safe = |letter: char| if letter.is_alphanumeric() || "-_".contains(letter) { letter } else { '-' };
    Path::new(BASELINES).join(format!("{}.json", name.chars().map(safe).collect::<String>()))
}

fn write(path: &Path, baseline: &Baseline) -> Result<(), Failure> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)?;
    }
    let mut text = serde_json::to_string_pretty(baseline)?;
    text.push('\n');
    output::write_file(path, text.as_bytes())
}
