//! `explain FILE`: judges one response and says why. The file is a case (a response with its catalog, its
//! conversation, perhaps a probe and a dispatch record) or a response body alone.

mod case;
mod verdict_form;
mod wire_format;
mod words;

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use probes::Catalog;
use scorer::{OutcomeVerdict, Schemas, Subject, SubjectStep, TurnVerdict, Verdict};
use transcript::TrialStatus;

use case::Case;

/// What to judge, and how to print it.
#[derive(Debug)]
pub(crate) struct Options {
    /// A case (`provider`, `catalog`, `messages`, `response`, ...) or the body of one response.
    pub(crate) file: PathBuf,
    /// Tools that the request offered, for a body alone: any shape of catalog file.
    pub(crate) catalog: Option<PathBuf>,
    /// Print the verdict as JSON.
    pub(crate) json: bool,
}

/// What is known of one response once it is judged.
struct Explained {
    turn: TurnVerdict,
    outcome: Option<OutcomeVerdict>,
    retry: Option<runner::RetryDecision>,
    by_grounding: bool,
}

/// Reads, judges and prints.
///
/// # Errors
/// The file cannot be read, is neither a case nor a response, or holds a format that this build does not read.
/// All of these are usage errors.
pub(crate) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let path = options.file.display();
    let text = std::fs::read_to_string(&options.file).with_context(|| format!("cannot read `{path}`"))?;
    let catalog = options.catalog.as_ref().map(|file| Catalog::load(file)).transpose()?;
    let catalog = catalog.map(|catalog| catalog.tools().to_vec());
    let case = Case::read(&text, catalog).with_context(|| format!("cannot judge `{path}`"))?;
    let explained = judge(&case);
    if options.json {
        let form = verdict_form::of(&explained, &case);
        writeln!(out, "{}", serde_json::to_string_pretty(&form)?)?;
    } else {
        words::write(&explained, &case, out)?;
    }
    Ok(())
}

/// Judges a case given as text.
///
/// # Errors
/// The text is no case, or holds a format that this build does not read.
pub(crate) fn verdict_of(text: &str) -> anyhow::Result<Verdict> {
    Ok(verdict(&Case::read(text, None)?))
}

fn judge(case: &Case) -> Explained {
    let verdict = verdict(case);
    let turn = verdict.turns.into_iter().next().unwrap_or_else(|| unreachable!("one turn gives one verdict"));
    let retry = (turn.turn == transcript::TurnKind::Error).then(|| case.retry());
    Explained { turn, outcome: verdict.decoy_outcome, retry, by_grounding: true }
}

fn verdict(case: &Case) -> Verdict {
    let step = SubjectStep { messages: &case.messages, offered: &case.offered };
    let subject = Subject {
        expectation: case.expectation.as_ref(),
        steps: std::slice::from_ref(&step),
        turns: std::slice::from_ref(&case.turn),
        executor: case.executor.as_deref(),
        request: case.request_facts(),
        status: TrialStatus::Scored,
        cause: None,
        turn_limit: false,
    };
    // A case says which tool is meant and never which arguments: grounding is the only basis.
    scorer::score_by_grounding(&subject, &Schemas::default())
}
