//! `toolmirage explain RUN [PROBE|NAME]` and `toolmirage explain WORD`: the trials of a run with the words that
//! were found, and the meaning of a word.

use std::fmt::Write as _;

use probes::KINDS;
use report::visible;
use scorer::METRICS;

use crate::error::Failure;
use crate::exit::Exit;
use crate::glossary::WORDS;
use crate::{conclusion, output, runs, scoring};
use probes::nearest;

/// Most trials that are shown at once.
const SHOWN: usize = 5;

/// Shows trials of a run whose probe's id starts with `which`, or in which a tool of that name was called.
pub(crate) fn trials(run: &str, which: Option<&str>, json: bool) -> Result<Exit, Failure> {
    let run = runs::find(run)?;
    let measured = scoring::list_record(&run.record, &run.folder)?;
    let scored = conclusion::of_run(measured, None, run.record.clone())?;
    let report = scored.report;
    let matching: Vec<_> = report
        .failing
        .iter()
        .filter(|trial| which.is_none_or(|which| trial.trial.starts_with(which) || trial.calls(which)))
        .collect();
    if json {
        output::print_json(&matching)?;
        return Ok(Exit::Pass);
    }
    if matching.is_empty() {
        let cards = scored.scorecards.iter();
        let ids: Vec<&str> =
            cards.flat_map(|card| card.probes.iter()).map(|probe| probe.id.as_str()).collect();
        return nothing(which, &ids, &run.display());
    }
    let mut out = String::new();
    if let Some(notice) = &report.notice {
        let _ = writeln!(out, "{notice}\n");
    }
    for trial in matching.iter().take(SHOWN) {
        let _ = writeln!(out, "{}", report::trial_text(trial));
    }
    if matching.len() > SHOWN {
        let _ = writeln!(out, "{} more; --json prints all", matching.len() - SHOWN);
    }
    if let Some(notice) = &report.end_notice {
        let _ = writeln!(out, "{notice}");
    }
    output::print(&out)?;
    Ok(Exit::Pass)
}

fn nothing(which: Option<&str>, ids: &[&str], run: &str) -> Result<Exit, Failure> {
    let Some(which) = which else {
        output::print("no trial of this run has a counted finding or a wrong behaviour\n")?;
        return Ok(Exit::Pass);
    };
    // A probe, or one of its trials: what the run calls it, up to the trial's number.
    let probe = which.split_once('/').map_or(which, |(probe, _)| probe);
    if ids.iter().any(|id| id.starts_with(which) || (probe != which && *id == probe)) {
        output::print(&format!(
            "no trial of `{}` has a counted finding or a wrong behaviour\n",
            visible(which)
        ))?;
        return Ok(Exit::Pass);
    }
    let failure = Failure::usage(format!(
        "`{which}` is no probe of `{run}`, and no tool that was called in a failing trial"
    ));
    Err(match nearest(which, ids.iter().copied()) {
        Some(near) => failure.with_help(format!("did you mean `{near}`?")),
        None => failure,
    })
}

/// Explains a word of reports.
pub(crate) fn word(typed: &str, json: bool) -> Result<Exit, Failure> {
    let wanted = typed.replace('-', "_");
    let found: Vec<(&str, &str, String)> = entries().filter(|(word, _, _)| *word == wanted).collect();
    if found.is_empty() {
        let failure = Failure::usage(format!("`{typed}` is no file, no run, and no word of the reports"));
        return Err(match nearest(&wanted, entries().map(|(word, _, _)| word)) {
            Some(near) => failure.with_help(format!("did you mean `{near}`?")),
            None => failure.with_help("rates, kinds, outcomes, statuses and findings are words"),
        });
    }
    if json {
        let rows: Vec<_> = found
            .iter()
            .map(|(word, sort, meaning)| match scorer::fix(word) {
                Some(fix) => serde_json::json!({"word": word, "sort": sort, "meaning": meaning, "fix": fix}),
                None => serde_json::json!({"word": word, "sort": sort, "meaning": meaning}),
            })
            .collect();
        output::print_json(&rows)?;
    } else {
        let mut out = String::new();
        for (word, sort, meaning) in found {
            let _ = writeln!(out, "{word}: {sort}\n  {meaning}");
        }
        if let Some(fix) = scorer::fix(&wanted) {
            let _ = writeln!(out, "  try: {fix}");
        }
        output::print(&out)?;
    }
    Ok(Exit::Pass)
}

fn entries() -> impl Iterator<Item = (&'static str, &'static str, String)> {
    let metrics = METRICS.iter().map(|metric| {
        let meaning = format!(
            "{} Numerator: {}. Denominator: {}.",
            metric.summary, metric.numerator, metric.denominator
        );
        (metric.name.as_str(), "rate", meaning)
    });
    let kinds = KINDS.iter().map(|kind| (kind.name, "kind of probe", kind.summary.to_owned()));
    let words = WORDS.iter().map(|entry| (entry.word, entry.sort, entry.meaning.to_owned()));
    let reasons = guard::Reason::ALL
        .iter()
        .map(|reason| (reason.as_str(), "why `guard` refuses a read", reason.meaning().to_owned()));
    metrics.chain(kinds).chain(words).chain(reasons)
}
