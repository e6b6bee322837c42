//! `toolmirage guard`: passes a body on, byte for byte, or refuses a read that nobody can defend and says what was
//! found instead.

mod counts;
mod rule;

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use ::guard::{Accepted, Place, Read, Refusal, executor_rows, judge};
use serde::Serialize;
use serde_json::{Map, Value};
use transcript::CallId;

use crate::args::GuardArgs;
use crate::error::Failure;
use crate::exit::Exit;
use crate::{clock, output, progress};

use counts::Remembered;

/// The largest body. It is held whole, since it is passed on only after it was judged.
const LARGEST: u64 = 1 << 30;

/// Judges a read.
pub(crate) fn run(args: &GuardArgs, quiet: bool) -> Result<Exit, Failure> {
    let (name, rule) = rule::of(args)?;
    let arguments = arguments(args.arguments.as_deref())?;
    if args.arguments.is_none()
        && let Some(asked) = rule.arguments().next()
    {
        let message =
            format!("the rules hold rows of `{name}` against the argument `{asked}` of the request");
        return Err(
            Failure::usage(message).with_help("hand the request's arguments over: --arguments '{...}'")
        );
    }
    let body = body(args.body.as_deref())?;
    let mut remembered = args.counts.as_deref().map(Remembered::open).transpose()?;
    let before = remembered.as_ref().and_then(|counts| counts.of(&name, &arguments));
    let held = if args.explained.is_some() { None } else { before };
    let read = Read { status: args.status, body: &body, arguments: &arguments, remembered: held };
    let judged = judge(&rule, &read);
    log(args, &name, &arguments, judged.as_ref())?;
    if let (Ok(Accepted { rows: Some(rows) }), Some(counts)) = (&judged, &mut remembered) {
        counts.remember(&name, &arguments, *rows)?;
        if let (Some(reason), Some(before), false) = (&args.explained, before, quiet) {
            let reason = report::visible(reason);
            progress::print(&format!("note: {rows} rows, {before} the last time, explained: {reason}"));
        }
    }
    show(args, &name, &body, &judged)?;
    Ok(if judged.is_ok() { Exit::Pass } else { Exit::Failed })
}

fn arguments(text: Option<&str>) -> Result<Map<String, Value>, Failure> {
    let Some(text) = text else { return Ok(Map::new()) };
    serde_json::from_str(text)
        .map_err(|error| Failure::usage(format!("--arguments is no JSON object: {error}")))
}

fn body(path: Option<&Path>) -> Result<Vec<u8>, Failure> {
    let mut body = Vec::new();
    let (name, read) = match path {
        Some(path) if path != Path::new("-") => {
            let file = File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut body));
            (path.display().to_string(), file)
        }
        _ => ("standard input".to_owned(), io::stdin().lock().take(LARGEST + 1).read_to_end(&mut body)),
    };
    read.map_err(|error| Failure::usage(format!("cannot read `{name}`: {error}")))?;
    if body.len() as u64 > LARGEST {
        return Err(Failure::usage(format!("the body in `{name}` is larger than {LARGEST} bytes")));
    }
    Ok(body)
}

/// The rows are in the log before anything is passed on.
fn log(
    args: &GuardArgs,
    name: &str,
    arguments: &Map<String, Value>,
    judged: Result<&Accepted, &Refusal>,
) -> Result<(), Failure> {
    let (Some(path), Some(run)) = (&args.log, &args.run) else { return Ok(()) };
    if judged.is_ok() && !args.log_all {
        return Ok(());
    }
    let at = clock::now().to_string();
    let place = |seq| Place {
        run: run.clone(),
        trial: args.trial.clone(),
        seq,
        call_id: args.call_id.clone().map(CallId),
        at,
    };
    runner::append_executor_call(path, run, &args.trial, args.seq, |seq| {
        executor_rows(name, arguments, &place(seq), judged)
    })?;
    Ok(())
}

/// What `--json` prints.
#[derive(Serialize)]
struct Judged<'a> {
    read: &'a str,
    ok: bool,
    rows: Option<u64>,
    refusal: Option<&'a Refusal>,
}

fn show(
    args: &GuardArgs,
    name: &str,
    body: &[u8],
    judged: &Result<Accepted, Refusal>,
) -> Result<(), Failure> {
    if let Err(refusal) = judged {
        progress::print(&format!(
            "refused {}: {}",
            report::visible(name),
            report::visible(&refusal.to_string())
        ));
    }
    if args.json {
        let rows = judged.as_ref().ok().and_then(|accepted| accepted.rows);
        let refusal = judged.as_ref().err();
        return output::print_json(&Judged { read: name, ok: refusal.is_none(), rows, refusal });
    }
    if judged.is_err() {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    output::end(out.write_all(body).and_then(|()| out.flush()))
}
