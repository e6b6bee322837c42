//! `toolmirage explain-key`: what the requests of a trial are kept under. It is worked out from the record alone.

use std::fmt::Write as _;
use std::path::Path;

use report::visible;
use runner::{RecordReader, Recordings, RequestKey, UNKEYED};
use serde_json::json;
use transcript::{Fingerprint, Header, RecordLine, Trial};

use crate::args::ExplainKeyArgs;
use crate::error::Failure;
use crate::exit::Exit;
use crate::targets::{self, TargetPlan};
use crate::{output, runs};

/// Prints the key of each turn, what it is made of, and whether a folder has it.
pub(crate) fn run(args: &ExplainKeyArgs) -> Result<Exit, Failure> {
    let run = runs::find(&args.run)?;
    let mut reader = RecordReader::open(&run.record)?;
    let header = reader.header().clone();
    let trial = find(&mut reader, &args.trial, &run.display())?;
    let keys = keys(&header, &trial)?;
    let has = |key: &RequestKey| args.folder.as_deref().map(|folder| is_there(folder, key));
    if args.json {
        let turns: Vec<_> = keys
            .iter()
            .map(|key| {
                let parts: indexmap::IndexMap<_, _> = key.lines().into_iter().collect();
                json!({"hash": key.hash(), "parts": parts, "kept": has(key)})
            })
            .collect();
        output::print_json(&json!({"trial": args.trial, "turns": turns, "not_in_it": UNKEYED}))?;
        return Ok(Exit::Pass);
    }
    let mut out = String::new();
    for (at, (key, turn)) in keys.iter().zip(&trial.turns).enumerate() {
        let _ = writeln!(out, "turn {}   {}", at + 1, key.hash());
        for (name, value) in key.lines().into_iter().skip(1) {
            let _ = writeln!(out, "  {:<9} {}", visible(&name), visible(&value));
        }
        if let Some(kept) = &turn.kept {
            let _ = writeln!(
                out,
                "  taken     from disk, kept {} after {} ms",
                visible(&kept.stored),
                kept.latency_ms
            );
        }
        if let (Some(folder), Some(is_there)) = (&args.folder, has(key)) {
            let file = Recordings::file(folder, key);
            let word = if is_there { "kept in" } else { "not in" };
            let _ = writeln!(out, "  {word:<9} {}", file.display());
        }
    }
    let _ = writeln!(out, "not part of a key: {UNKEYED}");
    output::print(&out)?;
    Ok(Exit::Pass)
}

fn is_there(folder: &Path, key: &RequestKey) -> bool {
    Recordings::file(folder, key).is_file()
}

fn find(reader: &mut RecordReader, typed: &str, run: &str) -> Result<Trial, Failure> {
    let mut ids = Vec::new();
    for line in reader {
        let RecordLine::Trial(trial) = line? else { continue };
        let id = trial.id().to_string();
        if id == typed {
            return Ok(*trial);
        }
        ids.push(id);
    }
    let failure = Failure::usage(format!("`{typed}` is no trial of `{run}`"));
    Err(match probes::nearest(typed, ids.iter().map(String::as_str)) {
        Some(near) => failure.with_help(format!("did you mean `{near}`?")),
        None => failure.with_help("a trial is PROBE/CELL/REPEAT, as `toolmirage explain RUN` prints it"),
    })
}

/// The key of each request that the trial made.
fn keys(header: &Header, trial: &Trial) -> Result<Vec<RequestKey>, Failure> {
    let cell = header.cells.iter().find(|cell| cell.id == trial.cell);
    let Some((id, record)) = cell.and_then(|cell| header.targets.get_key_value(&cell.target)) else {
        return Err(Failure::usage(format!("the record does not say what cell `{}` asked", trial.cell)));
    };
    let plan = TargetPlan { id: id.clone(), record: record.clone() };
    let (provider, place) = targets::place(&plan)?;
    let path = (provider.path)(&record.model);
    let keys = trial.turns.iter().map(|turn| RequestKey {
        provider: provider.name.to_owned(),
        url: format!("{place}{path}"),
        headers: record.headers.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
        trial: record.simulated.then(|| format!("{}/{}", trial.probe, trial.repeat)),
        repeat: trial.repeat,
        body: Fingerprint(format!("sha256:{}", turn.request_sha256).into()),
    });
    Ok(keys.collect())
}
