//! `toolmirage audit`: what agents say that they did, held against what ran, over any number of runs and without a
//! model.

mod files;
mod kept;
mod ledger;
mod spill;

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use probes::Catalog;
use report::{AuditReport, audit_junit, audit_markdown, audit_text, finding_line, summary_line};
use scorer::audit::{
    AuditContext, AuditReader, AuditSummary, AuditTally, ReadOptions, RequiredTools, RunKey, judge_run,
};

use crate::args::{AuditArgs, AuditFormat};
use crate::error::Failure;
use crate::exit::Exit;
use crate::{output, progress};

use files::Files;
use kept::Kept;
use ledger::Ledger;

/// Audits runs.
pub(crate) fn run(args: &AuditArgs, quiet: bool) -> Result<Exit, Failure> {
    let catalog = args.catalog.as_deref().map(load).transpose()?;
    let required = args.require_wrapped.as_deref().map(load).transpose()?;
    let mut reader = AuditReader::new(ReadOptions {
        catalog: catalog.clone(),
        results_by_agent: args.results_by_agent,
        run_attribute: args.run_attribute.clone(),
    });
    let mut ledger = Ledger::new(args.memory.saturating_mul(1 << 20));
    let mut files = Files::default();
    for path in args.files.iter().chain(&args.executor) {
        files.read(path, &mut reader, &mut ledger)?;
    }
    if let Some(path) = &args.said {
        files.final_message(path, args.run.as_deref(), &mut reader, &mut ledger)?;
    }
    let log_given = !args.executor.is_empty() || ledger.has_rows();
    if ledger.has_rows() && ledger.has_accounts() && !ledger.overlap()? {
        return Err(strangers(&ledger));
    }
    let mut context =
        AuditContext { log_given, catalog, required: required.as_deref().map(RequiredTools::of) };
    let summary = show(args, ledger, files, &mut context)?;
    if !summary.is_judged() && !quiet {
        progress::print(&why_not(&summary));
    }
    Ok(match (summary.has_found(), summary.is_judged()) {
        (true, _) => Exit::Failed,
        (false, true) => Exit::Pass,
        (false, false) => Exit::Invalid,
    })
}

fn load(path: &Path) -> Result<Arc<Catalog>, Failure> {
    Ok(Arc::new(Catalog::load(path)?))
}

/// Judges all runs and prints what came of it.
fn show(
    args: &AuditArgs,
    ledger: Ledger,
    files: Files,
    context: &mut AuditContext,
) -> Result<AuditSummary, Failure> {
    let form = args.form();
    let names = files.names();
    let mut tally = AuditTally::default();
    let mut kept = Kept::new(args.show);
    let mut out = BufWriter::new(io::stdout().lock());
    // A reader that went away needs no more findings; the exit status is still that of all of them.
    let mut gone = false;
    ledger.each(|key, run| {
        let verdict = judge_run(key, run, context);
        tally.add(&verdict);
        for finding in verdict.findings {
            if form == AuditFormat::Json && !gone {
                let line = finding_line(&finding, &names)?;
                gone = end(&mut out, &line)?;
            }
            kept.add(finding);
        }
        Ok(())
    })?;
    let summary = tally.finish(files.into_summary(), context.required.as_ref());
    let findings = kept.into_sorted();
    let report = AuditReport { summary: &summary, findings: &findings };
    let text = match form {
        AuditFormat::Json if gone => return Ok(summary),
        AuditFormat::Json => {
            let mut line = summary_line(&summary)?;
            line.push('\n');
            line.into_bytes()
        }
        AuditFormat::Text => audit_text(&report).into_bytes(),
        AuditFormat::Md => audit_markdown(&report).into_bytes(),
        AuditFormat::Junit => audit_junit(&report)?,
    };
    output::end(out.write_all(&text).and_then(|()| out.flush()))?;
    Ok(summary)
}

/// Writes a line; true where the reader went away.
fn end(out: &mut impl Write, line: &str) -> Result<bool, Failure> {
    match writeln!(out, "{line}") {
        Ok(()) => Ok(false),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(true),
        Err(error) => Err(error.into()),
    }
}

/// Rows and final messages of which none belong together are no evidence against anybody.
fn strangers(ledger: &Ledger) -> Failure {
    let of = |key: Option<&RunKey>| match key {
        Some(key) if key.trial.is_empty() => format!("run `{}`", report::visible(&key.run)),
        Some(key) => format!("run `{}`, trial `{}`", report::visible(&key.run), report::visible(&key.trial)),
        None => "nothing".to_owned(),
    };
    let (rows, said) = ledger.examples();
    let message = format!(
        "no final message belongs to a run of the executor log: the log has {}, the messages have {}",
        of(rows),
        of(said)
    );
    Failure::invalid(message)
        .with_help("rows and final messages of one run name it alike, in `run` and `trial`")
}

fn why_not(summary: &AuditSummary) -> String {
    let runs = &summary.runs;
    let read: u64 = summary.files.iter().map(|file| file.lines - file.unreadable).sum();
    let why = if read == 0 {
        "not one line could be read"
    } else if runs.with_final == 0 {
        "no run has a final message"
    } else if summary.rates.iter().any(|rate| rate.excluded.contains_key("no_checkable_claim")) {
        "no final message ends with a readable ACTIONS: {...} line"
    } else {
        "there is neither an executor log nor a transcript with results that the agent did not write"
    };
    format!("nothing could be judged: {why}")
}
