//! Records from disk: read block by block, judged on all cores, counted in the order of the lines.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use rayon::prelude::*;
use report::{Gathered, Measured, ShownTrial};
use runner::{ParsedLine, RecordBlock, RecordReader, UnparsedLine};
use transcript::{CellId, Header, ProbeId, RecordLine, Trial};

use super::{Counted, Judge, Judged, Scoring, wire_format};
use crate::error::Failure;
use crate::recorded::{complete_plan, whole_header};
use crate::runs::RunPath;

/// Bytes of a record that are judged at once: enough to keep every core busy, and little beside what a run's plan
/// takes.
const BLOCK: usize = 4 << 20;

/// Lines that one core takes at a time.
const LINES: usize = 16;

/// What a record holds beside its trials, and what is done with it.
#[derive(Default)]
struct Pass {
    /// Whether the plan is the record's own; else it is known, and the record's probes are passed over.
    plan_is_read: bool,
    /// Whether the raw bodies are decoded anew.
    decodes: bool,
    resumed: u64,
    finished: bool,
}

/// A line, and its verdict where it is a trial of a known probe.
struct Line {
    parsed: ParsedLine,
    judged: Option<Judged>,
}

/// Scores a record from disk, line by line. With `decode`, the raw bodies are decoded again first.
pub(crate) fn score_record(record: &Path, folder: &Path, decode: bool) -> Result<Measured, Failure> {
    scored(record, folder, decode, Gathered::default())
}

/// Scores a record from disk, and lists every failing trial of it.
pub(crate) fn list_record(record: &Path, folder: &Path) -> Result<Measured, Failure> {
    scored(record, folder, false, Gathered::listing_all())
}

fn scored(record: &Path, folder: &Path, decodes: bool, gathered: Gathered) -> Result<Measured, Failure> {
    let mut reader = RecordReader::open(record)?;
    whole_header(reader.header())?;
    if decodes {
        can_decode(reader.header())?;
    }
    let mut scoring = Scoring::new(reader.header().clone(), folder);
    scoring.counted.gathered = gathered;
    let mut pass = Pass { plan_is_read: true, decodes, ..Pass::default() };
    pass.over(&mut reader, &mut scoring)?;
    let probes = scoring.judge.probes.values().map(|probes| probes.len() as u64).sum();
    complete_plan(&scoring.judge.header, probes)?;
    scoring.counted.facts.resumed = pass.resumed;
    scoring.counted.facts.torn_line = reader.torn().first().map(|torn| torn.line);
    Ok(scoring.finish(pass.finished, None))
}

/// Scores the trials that a record of a known plan holds; gives how often its run was taken up again.
pub(super) fn trials_of(reader: &mut RecordReader, scoring: &mut Scoring) -> Result<u64, Failure> {
    let mut pass = Pass::default();
    pass.over(reader, scoring)?;
    Ok(pass.resumed)
}

impl Pass {
    /// Reads a record to its end. While one block is judged, the one before is counted and the next one read.
    fn over(&mut self, reader: &mut RecordReader, scoring: &mut Scoring) -> Result<(), Failure> {
        let mut judged = Vec::new();
        let mut block = reader.block(BLOCK)?;
        while let Some(current) = block {
            let Scoring { judge, counted } = scoring;
            let decodes = self.decodes;
            let (lines, next) = rayon::join(
                || judge_lines(judge, &current, decodes),
                || {
                    for line in judged {
                        self.count(reader, judge, counted, line)?;
                    }
                    Ok::<_, Failure>(reader.block(BLOCK)?)
                },
            );
            block = next?;
            judged = lines;
            // What is judged next may be of a probe that stands here.
            if self.plan_is_read && judged.iter().any(Line::is_probe) {
                for line in std::mem::take(&mut judged) {
                    match line.parsed {
                        ParsedLine::Line(RecordLine::Probe(probe)) => scoring.probe(*probe)?,
                        _ => self.count(reader, &scoring.judge, &mut scoring.counted, line)?,
                    }
                }
            }
        }
        for line in judged {
            self.count(reader, &scoring.judge, &mut scoring.counted, line)?;
        }
        Ok(())
    }

    fn count(
        &mut self,
        reader: &mut RecordReader,
        judge: &Judge,
        counted: &mut Counted,
        line: Line,
    ) -> Result<(), Failure> {
        match reader.met(line.parsed)? {
            Some(RecordLine::Trial(mut trial)) => {
                if let Some(judged) = line.judged.or_else(|| judge_anew(judge, &mut trial, self.decodes)) {
                    counted.add(judge, &trial, &judged);
                }
            }
            Some(RecordLine::Resumed(_)) => self.resumed += 1,
            Some(RecordLine::Footer(_)) => self.finished = true,
            Some(RecordLine::Header(_) | RecordLine::Probe(_)) | None => {}
        }
        Ok(())
    }
}

impl Line {
    fn is_probe(&self) -> bool {
        matches!(self.parsed, ParsedLine::Line(RecordLine::Probe(_)))
    }
}

/// Parses the lines of a block, and judges the trials among them, on all cores.
fn judge_lines(judge: &Judge, block: &RecordBlock, decodes: bool) -> Vec<Line> {
    let lines: Vec<_> = block.lines().collect();
    let parsed = lines.into_par_iter().with_min_len(LINES).map(|line| {
        let mut parsed = line.parse();
        let judged = match &mut parsed {
            ParsedLine::Line(RecordLine::Trial(trial)) => judge_anew(judge, trial, decodes),
            _ => None,
        };
        Line { parsed, judged }
    });
    parsed.collect()
}

fn judge_anew(judge: &Judge, trial: &mut Trial, decodes: bool) -> Option<Judged> {
    if decodes {
        decode_again(trial, judge);
    }
    judge.judge(trial)
}

/// Scores a record that came to its end; `cannot` says what an unfinished one cannot: `be compared`.
pub(crate) fn score_finished(run: &RunPath, cannot: &str) -> Result<Measured, Failure> {
    let measured = score_record(&run.record, &run.folder, false)?;
    if measured.facts.finished {
        return Ok(measured);
    }
    Err(Failure::invalid(format!("`{}` is unfinished and cannot {cannot}", run.display()))
        .with_help(format!("`toolmirage run --resume {}` goes on with it", run.display())))
}

/// The trials of some probes as reports show them, read from a record; those that only confirm are left out.
pub(crate) fn shown_trials(
    record: &Path,
    wanted: &HashMap<CellId, HashSet<ProbeId>>,
) -> Result<Vec<ShownTrial>, Failure> {
    let mut reader = RecordReader::open(record)?;
    let mut scoring = Scoring::new(reader.header().clone(), Path::new(""));
    let is_wanted = |cell: &CellId, probe: &ProbeId| wanted.get(cell).is_some_and(|of| of.contains(probe));
    let mut shown = Vec::new();
    while let Some(block) = reader.block(BLOCK)? {
        let lines: Vec<_> = block.lines().collect();
        let parsed: Vec<_> = lines.into_par_iter().with_min_len(LINES).map(UnparsedLine::parse).collect();
        for line in parsed {
            match reader.met(line)? {
                Some(RecordLine::Probe(probe)) if is_wanted(&probe.cell, &probe.id) => {
                    scoring.probe(*probe)?
                }
                Some(RecordLine::Trial(trial))
                    if is_wanted(&trial.cell, &trial.probe)
                        && trial.repeat < scoring.judge.header.repeats =>
                {
                    shown.extend(scoring.judge.shown(&trial));
                }
                _ => {}
            }
        }
    }
    Ok(shown)
}

/// Whether this build knows the wire formats of all targets of a record.
fn can_decode(header: &Header) -> Result<(), Failure> {
    match header.targets.values().map(wire_format).find(|name| runner::provider(name).is_none()) {
        Some(name) => Err(Failure::usage(format!("the record's wire format `{name}` is not in this build"))),
        None => Ok(()),
    }
}

/// Decodes every stored body anew.
fn decode_again(trial: &mut Trial, judge: &Judge) {
    let Some(provider) = judge.target(&trial.cell).and_then(|target| runner::provider(wire_format(target)))
    else {
        return;
    };
    for turn in &mut trial.turns {
        let body = match (&turn.response, &turn.response_text) {
            (Some(json), _) => json.as_str().as_bytes(),
            (None, Some(text)) => text.as_bytes(),
            (None, None) => continue,
        };
        let decoded = (provider.decode)(turn.http_status.unwrap_or(200), body);
        turn.observed = decoded.observed;
        turn.usage = decoded.usage;
    }
}
