//! `toolmirage compare A B`: what changed between two runs, or between an accepted baseline and a run.

use std::path::{Path, PathBuf};

use report::{Factor, FactorChoice, Measured, Policy, join};
use scorer::Scorecard;
use transcript::Fingerprint;

use crate::args::CompareArgs;
use crate::baseline::Baseline;
use crate::conclusion::{self, Sides, Source};
use crate::error::Failure;
use crate::exit::Exit;
use crate::inputs::Configured;
use crate::{gating, output, privacy, runs, scoring};

/// One side, scored by this build.
pub(crate) struct Loaded {
    /// What was measured.
    pub(crate) measured: Measured,
    /// Its record, where there is one.
    record: Option<PathBuf>,
    /// As the user named it.
    pub(crate) name: String,
    accepted: bool,
    /// Hash of the record that an accepted baseline was taken from.
    taken_from: Option<Fingerprint>,
}

impl Loaded {
    /// Turns of a scored trial, on average; none where none was scored.
    pub(crate) fn turns_a_trial(&self) -> Option<f64> {
        let cards = &self.measured.scorecards;
        let turns: u64 = cards.iter().map(|card| card.totals.turns).sum();
        let scored: u64 = cards.iter().map(Scorecard::scored).sum();
        (scored > 0).then(|| turns as f64 / scored as f64)
    }
}

/// Compares.
pub(crate) fn run(args: &CompareArgs, configured: Option<&Configured>) -> Result<Exit, Failure> {
    let factor = factor(args.factor.as_deref())?;
    let baseline = load(&args.baseline)?;
    let candidate = load(&args.candidate)?;
    comparable(&baseline, &candidate)?;
    super::run::profile(args.profile.as_deref(), configured)?;
    let profile = args.profile.clone().or_else(|| candidate.measured.header.profile.clone());
    let policy = policy(args, configured, profile.as_deref())?;
    let side = |loaded: &Loaded| {
        let mut side = conclusion::side(&loaded.name, &loaded.measured.header, &loaded.measured.facts);
        side.accepted = loaded.accepted;
        side
    };
    let whole = |loaded: &Loaded| loaded.record.as_ref().and_then(|record| record.canonicalize().ok());
    let same = (whole(&baseline).is_some() && whole(&baseline) == whole(&candidate))
        || taken_from(&baseline, &candidate)
        || taken_from(&candidate, &baseline);
    let sides =
        Sides { baseline: side(&baseline), candidate: side(&candidate), concurrent: same, same, factor };
    let mut sources = Vec::new();
    for (loaded, prefix) in [(&baseline, "baseline:"), (&candidate, "candidate:")] {
        sources.extend(loaded.record.clone().map(|record| Source { record, prefix }));
    }
    let mut joined = join(baseline.measured, candidate.measured);
    joined.facts.folder = args.out.as_ref().map(|folder| folder.display().to_string());
    let scored = conclusion::conclude(joined, Some(policy), Some(sides), &sources)?
        .shared(privacy::share(args.share, configured));
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::usage(format!("cannot make the folder `{}`: {error}", folder.display()))
        })?;
        output::write_reports(&scored.report, folder)?;
    }
    let format = args.format.format(args.json);
    let bytes = output::rendered(&scored.report, format)?;
    output::print(&String::from_utf8_lossy(&bytes))?;
    Ok(conclusion::exit_of(&scored))
}

/// Loads a run, or an accepted baseline.
pub(crate) fn load(typed: &str) -> Result<Loaded, Failure> {
    if let Some(baseline) = Baseline::read(Path::new(typed))? {
        let name = baseline.header.run.clone();
        let taken_from = Some(baseline.record.clone());
        return Ok(Loaded { measured: baseline.measured(), record: None, name, accepted: true, taken_from });
    }
    let run = runs::find(typed)?;
    let measured = scoring::score_finished(&run, "be compared")?;
    let name = measured.header.run.clone();
    Ok(Loaded { measured, record: Some(run.record), name, accepted: false, taken_from: None })
}

/// Whether one side is an accepted baseline that was taken from the other's record.
fn taken_from(side: &Loaded, other: &Loaded) -> bool {
    let hash = |record: &PathBuf| {
        let file = std::fs::File::open(record).ok()?;
        Fingerprint::of_reader(std::io::BufReader::new(file)).ok()
    };
    side.taken_from.is_some() && side.taken_from == other.record.as_ref().and_then(hash)
}

/// What can be said before anything is paired.
fn comparable(baseline: &Loaded, candidate: &Loaded) -> Result<(), Failure> {
    let (before, after) = (&baseline.measured.header.suite, &candidate.measured.header.suite);
    if before.name != after.name {
        return Err(Failure::invalid(format!(
            "the runs are of different suites: `{}` and `{}`",
            before.name, after.name
        ))
        .with_help("rates are compared over the same probes; run one suite on both sides"));
    }
    Ok(())
}

/// The configured policy, or the default one, with what the flags say.
fn policy(
    args: &CompareArgs,
    configured: Option<&Configured>,
    profile: Option<&str>,
) -> Result<Policy, Failure> {
    let mut policy = gating::policy(configured, profile)?.unwrap_or(Policy::DEFAULT);
    if !args.rates.is_empty() {
        policy.rates = Some(args.rates.iter().map(|name| gating::rate(name)).collect::<Result<_, _>>()?);
    }
    if let Some(text) = &args.tolerance {
        policy.tolerance = Some(gating::points("--tolerance", text)?);
    }
    policy.inconclusive = args.inconclusive.map_or(policy.inconclusive, Into::into);
    policy.across_suites |= args.across_suites;
    Ok(policy)
}

fn factor(named: Option<&str>) -> Result<FactorChoice, Failure> {
    let Some(named) = named else { return Ok(FactorChoice::One) };
    if named == "all" {
        return Ok(FactorChoice::All);
    }
    if named.starts_with("arm:") {
        return Err(Failure::usage("the factor `arm:NAME` is known, not in this build")
            .with_help("reports show every arm as a paired delta against its base arm"));
    }
    let found = Factor::ALL.into_iter().find(|factor| factor.as_str() == named);
    found.map(FactorChoice::Only).ok_or_else(|| {
        let failure = Failure::usage(format!("unknown factor `{named}`"));
        match probes::nearest(named, ["prompt", "catalog", "target", "all"]) {
            Some(near) => failure.with_help(format!("did you mean `{near}`?")),
            None => failure.with_help("it is one of prompt, catalog, target and all"),
        }
    })
}
