//! From a record to the run that it was planned as: going on with a run needs nothing but its record.

use std::sync::Arc;

use indexmap::IndexMap;
use probes::{Catalog, Probe, Prompt};
use runner::RecordReader;
use transcript::{Cell, CellId, Fingerprint, Header, RecordLine};

use crate::error::Failure;
use crate::runs::RunPath;
use crate::settled::Settled;
use crate::targets::TargetPlan;

/// A record is begun whole: one that holds fewer probes than were planned was damaged afterwards.
pub(crate) fn complete_plan(header: &Header, probes: u64) -> Result<(), Failure> {
    let held = probes * u64::from(header.repeats);
    if header.planned == 0 || held == header.planned {
        return Ok(());
    }
    let message =
        format!("the record is damaged: its probes make {held} trials, and {} were planned", header.planned);
    Err(Failure::invalid(message)
        .with_help("a killed run leaves all its probes; restore the file, or run again"))
}

/// A header whose cells name what it does not hold was damaged afterwards.
pub(crate) fn whole_header(header: &Header) -> Result<(), Failure> {
    let holds = |cell: &Cell| {
        cell.prompt.as_ref().is_none_or(|hash| header.prompts.contains_key(hash))
            && header.catalogs.contains_key(&cell.catalog)
            && header.targets.contains_key(&cell.target)
    };
    let Some(cell) = header.cells.iter().find(|cell| !holds(cell)) else { return Ok(()) };
    let what = "a prompt, catalog or target that its header does not hold";
    Err(Failure::invalid(format!("the record is damaged: cell `{}` names {what}", cell.id))
        .with_help("restore the file, or run again"))
}

/// Settles a run again from its record.
pub(crate) fn settle(run: &RunPath) -> Result<Settled, Failure> {
    let mut reader = RecordReader::open(&run.record)?;
    let header = reader.header().clone();
    whole_header(&header)?;
    let mut catalogs: IndexMap<Fingerprint, Arc<Catalog>> = IndexMap::new();
    for (hash, record) in &header.catalogs {
        let tools = record.tools.iter().cloned().map(Arc::new).collect();
        let catalog = Catalog::new(&record.label, tools)
            .map_err(|name| Failure::usage(format!("the record's catalog has two tools named `{name}`")))?;
        catalogs.insert(hash.clone(), Arc::new(catalog));
    }
    let prompts: IndexMap<&Fingerprint, Arc<Prompt>> = header
        .prompts
        .iter()
        .map(|(hash, prompt)| (hash, Arc::new(Prompt::new(&prompt.label, &prompt.text))))
        .collect();
    let mut cells: IndexMap<CellId, Vec<Arc<Probe>>> =
        header.cells.iter().map(|cell| (cell.id.clone(), Vec::new())).collect();
    for line in &mut reader {
        let RecordLine::Probe(line) = line? else { continue };
        let cell = header.cells.iter().find(|cell| cell.id == line.cell);
        let prompt = cell.and_then(|cell| cell.prompt.as_ref()).and_then(|hash| prompts.get(hash));
        let Some(catalog) = catalogs.get(&line.catalog.base) else {
            return Err(Failure::usage(format!(
                "probe `{}` names a catalog that the record does not hold",
                line.id
            )));
        };
        let probe = line.probe(catalog, prompt);
        if let Some(probes) = cells.get_mut(&line.cell) {
            probes.push(Arc::new(probe));
        }
    }
    let probes = cells.values().map(|probes| probes.len() as u64).sum();
    complete_plan(&header, probes)?;
    let targets = header
        .targets
        .iter()
        .map(|(id, record)| TargetPlan { id: id.clone(), record: record.clone() })
        .collect();
    Ok(Settled {
        targets,
        cells: cells.into_values().collect(),
        folder: run.folder.clone(),
        header,
        notes: Vec::new(),
    })
}
