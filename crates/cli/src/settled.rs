//! A run that is settled: everything but the connections.

use std::path::PathBuf;
use std::sync::Arc;

use indexmap::IndexMap;
use probes::Probe;
use transcript::{Cell, CellId, GitRef, Header, RECORD_FORMAT, Side, Stale};

use crate::args::{MeasureArgs, RunArgs};
use crate::config::{ProfileConfig, WhichCells};
use crate::error::Failure;
use crate::git::AtRef;
use crate::inputs::{Before, CellProbes, Configured, Inputs, catalog_record, prompt_record};
use crate::targets::{self, TargetPlan};
use crate::{clock, privacy, runs};

/// A run that is settled: everything but the connections.
pub(crate) struct Settled {
    /// The record's header.
    pub(crate) header: Header,
    /// The targets, as the header names them.
    pub(crate) targets: Vec<TargetPlan>,
    /// The probes of each cell, in the order of the header.
    pub(crate) cells: Vec<Vec<Arc<Probe>>>,
    /// The folder for the record and the reports; empty until the run begins.
    pub(crate) folder: PathBuf,
    /// What has to be said before it begins.
    pub(crate) notes: Vec<String>,
}

/// What a run comes to before it is begun.
pub(crate) enum Settling {
    /// It has something to measure.
    Run(Box<Settled>),
    /// No cell's inputs differ from those of the ref.
    NothingToMeasure {
        /// The ref.
        git_ref: GitRef,
        /// What would have been measured.
        cells: usize,
    },
}

/// Refuses a catalog that is no longer what production was seen to send: its rates would be those of other tools.
fn check_captured(inputs: &Inputs, configured: Option<&Configured>) -> Result<(), Failure> {
    let name = &inputs.suite.catalog;
    match configured.map(|configured| configured.captured_difference(name)).transpose()?.flatten() {
        Some((file, difference)) if !difference.is_empty() => {
            Err(Failure::usage(format!("catalog `{name}` differs from `{file}`, which it must equal"))
                .with_help("`toolmirage catalog check` shows how"))
        }
        _ => Ok(()),
    }
}

/// Refuses an arm under which no question of the suite can be put: nothing would tell that it was never tried.
fn check_arms(inputs: &Inputs) -> Result<(), Failure> {
    let derived = &inputs.derived;
    let has = |name: &str| {
        derived.questions.iter().any(|question| question.arm.as_ref().is_some_and(|arm| arm.0 == name))
    };
    let mut arms =
        derived.skipped.iter().filter_map(|skipped| Some((skipped.kind.strip_prefix('@')?, skipped)));
    match arms.find(|(name, _)| !has(name)) {
        None => Ok(()),
        Some((name, skipped)) => {
            Err(Failure::usage(format!("arm `{name}` applies to no probe of the suite"))
                .with_help(format!("{}: {}", skipped.task, skipped.reason)))
        }
    }
}

/// Settles a run from flags, profile and configuration. Nothing is sent and nothing is written.
pub(crate) fn settle(
    args: &MeasureArgs,
    configured: Option<&Configured>,
    profile: Option<&ProfileConfig>,
) -> Result<Settling, Failure> {
    let inputs = Inputs::load(&args.suite, configured, profile)?;
    inputs.check_lock()?;
    check_arms(&inputs)?;
    check_captured(&inputs, configured)?;
    let targets = targets::settle(args, configured, profile.and_then(|profile| profile.targets.as_deref()))?;
    let repeats = args.repeats.or(profile.and_then(|profile| profile.repeats)).unwrap_or(1);
    let max_turns = args.max_turns.or(profile.and_then(|profile| profile.max_turns)).unwrap_or(6);
    if repeats == 0 || max_turns == 0 {
        return Err(Failure::usage("`--repeats` and `--max-turns` take at least 1"));
    }
    let against = args.against.clone().or(profile.and_then(|profile| profile.against.clone()));
    let confirm = args.confirm.or(profile.and_then(|profile| profile.confirm)).unwrap_or(0);
    if against.is_none()
        && (confirm > 0 || profile.is_some_and(|profile| profile.cells == Some(WhichCells::Affected)))
    {
        return Err(Failure::usage("`confirm` and `cells: affected` need something to compare with")
            .with_help("name a git ref: --against main, or `against: main` in the profile"));
    }
    let now = inputs.cells()?;
    let mut plan = CellPlan::default();
    let mut git_ref = None;
    match against {
        None => now.iter().for_each(|cell| plan.add_cell(&inputs, cell, &targets)),
        Some(name) => {
            let at = AtRef::open(&name, inputs.path.parent().unwrap_or(&inputs.path))?;
            let before = inputs.at(&at, configured)?;
            let all = profile.is_some_and(|profile| profile.cells == Some(WhichCells::All));
            plan.add_sides(&inputs, &now, &before, &targets, (&at.git_ref, all));
            if plan.cells.is_empty() {
                return Ok(Settling::NothingToMeasure { git_ref: at.git_ref.clone(), cells: now.len() });
            }
            git_ref = Some(at.git_ref);
        }
    }
    let mut notes = gone_tools(&inputs);
    notes.append(&mut plan.notes);
    let header = Header {
        format: RECORD_FORMAT.to_owned(),
        toolmirage: env!("CARGO_PKG_VERSION").to_owned(),
        run: String::new(),
        suite: inputs.suite_record(),
        catalogs: plan.catalogs,
        prompts: plan.prompts,
        cells: plan.cells,
        targets: targets.iter().map(|target| (target.id.clone(), target.record.clone())).collect(),
        repeats,
        seed: args.seed.unwrap_or(inputs.suite.seed),
        max_turns,
        planned: plan.probes.iter().map(|of_cell| of_cell.len() as u64).sum::<u64>() * u64::from(repeats),
        stale: plan.stale,
        profile: args.profile.clone(),
        against: git_ref,
        confirm,
        redact: privacy::redactor(configured)?.kinds(),
    };
    Ok(Settling::Run(Box::new(Settled {
        header,
        targets,
        cells: plan.probes,
        folder: PathBuf::new(),
        notes,
    })))
}

impl Settled {
    /// Makes the folder, and names the run after it.
    pub(crate) fn begin(&mut self, args: &RunArgs) -> Result<(), Failure> {
        let suite = &self.header.suite.name;
        self.folder = match &args.out {
            Some(folder) => folder.clone(),
            None => runs::new_folder(&clock::today(), self.header.profile.as_deref().unwrap_or(suite))?,
        };
        self.header.run =
            self.folder.file_name().map_or_else(|| suite.clone(), |name| name.to_string_lossy().into_owned());
        Ok(())
    }
}

fn gone_tools(inputs: &Inputs) -> Vec<String> {
    if inputs.gone().is_empty() {
        return Vec::new();
    }
    let names: Vec<&str> = inputs.gone().iter().take(5).map(|name| name.as_str()).collect();
    let more = inputs.gone().len() - names.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    vec![format!(
        "warning: the catalog has no {}{more}; questions that need them give no probe",
        names.join(", ")
    )]
}

/// Cells as they are put together.
#[derive(Default)]
struct CellPlan {
    cells: Vec<Cell>,
    probes: Vec<Vec<Arc<Probe>>>,
    stale: Vec<Stale>,
    notes: Vec<String>,
    catalogs: IndexMap<transcript::Fingerprint, transcript::CatalogRecord>,
    prompts: IndexMap<transcript::Fingerprint, transcript::PromptRecord>,
}

impl CellPlan {
    /// A prompt's cells: one a target.
    fn add_cell(&mut self, inputs: &Inputs, cell: &CellProbes, targets: &[TargetPlan]) {
        for target in targets {
            self.push(cell, &inputs.catalog, target, Side::Candidate, None);
        }
    }

    /// Both sides of every prompt whose inputs differ, side by side; a prompt that the ref does not have has
    /// no baseline and is run alone.
    fn add_sides(
        &mut self,
        inputs: &Inputs,
        now: &[CellProbes],
        before: &Before,
        targets: &[TargetPlan],
        (git_ref, all): (&GitRef, bool),
    ) {
        let none = vec![None; now.len()];
        let prompts = if before.prompts.is_empty() { &none } else { &before.prompts };
        for (cell, prompt) in now.iter().zip(prompts) {
            if let Some(new) = cell.prompt.as_ref().filter(|_| prompt.is_none()) {
                self.notes.push(format!(
                    "note: `{}` has no prompt `{}`: it is run alone, and only ceilings and must-pass probes judge it",
                    git_ref.name, new.label
                ));
                self.add_cell(inputs, cell, targets);
                continue;
            }
            let hash =
                |prompt: &Option<Arc<probes::Prompt>>| prompt.as_ref().map(|prompt| prompt.hash.clone());
            let differs =
                hash(prompt) != hash(&cell.prompt) || before.catalog.hash() != inputs.catalog.hash();
            if !differs && !all {
                continue;
            }
            let then = inputs.cell_before(before, prompt.as_ref(), cell);
            for target in targets {
                self.push(&then, &before.catalog, target, Side::Baseline, Some(&git_ref.name));
                self.push(cell, &inputs.catalog, target, Side::Candidate, None);
            }
        }
    }

    fn push(
        &mut self,
        cell: &CellProbes,
        catalog: &probes::Catalog,
        target: &TargetPlan,
        side: Side,
        git_ref: Option<&str>,
    ) {
        let id = CellId(format!("c{}", self.cells.len()).into());
        self.stale.extend(cell.stale.iter().map(|(probe, reason)| Stale {
            cell: id.clone(),
            probe: probe.clone(),
            reason: reason.clone(),
        }));
        self.catalogs.extend([catalog_record(catalog)]);
        self.prompts.extend(cell.prompt.iter().map(|prompt| prompt_record(prompt)));
        self.cells.push(Cell {
            id,
            prompt: cell.prompt.as_ref().map(|prompt| prompt.hash.clone()),
            catalog: catalog.hash().clone(),
            target: target.id.clone(),
            side,
            git_ref: git_ref.map(str::to_owned),
        });
        self.probes.push(cell.probes.clone());
    }
}
