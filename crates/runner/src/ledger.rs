//! What a run has so far: which trials are in the record, which are held back, and why to stop.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use probes::Probe;
use transcript::{TargetId, Trial, TrialError, TrialId, TrialStatus};

use crate::conversation::TrialEnd;
use crate::record_file::RecordWriter;
use crate::retry::FailureClass;
use crate::schedule::Slot;
use crate::{EndReason, Plan, PlannedCell, RecordError, RunEnd, RunEvent, Target};

pub(crate) struct Ledger<'a> {
    plan: &'a Plan,
    record: &'a mut RecordWriter,
    on_event: &'a mut (dyn FnMut(RunEvent<'_>) + Send),
    reach: BTreeMap<TargetId, Reach>,
}

/// Whether a target was ever reached.
enum Reach {
    Yes,
    /// Trials that found nobody there. Should the target turn out not to be there at all, they are as good as
    /// not put, and a resumed run puts them; else they are failures like others.
    NotYet(Vec<(Slot, Box<Trial>)>),
}

/// A slot's parts.
pub(crate) struct SlotParts<'a> {
    pub(crate) target: &'a Target,
    pub(crate) probe: &'a Arc<Probe>,
    pub(crate) id: TrialId,
}

impl<'a> Ledger<'a> {
    pub(crate) fn new(
        plan: &'a Plan,
        record: &'a mut RecordWriter,
        on_event: &'a mut (dyn FnMut(RunEvent<'_>) + Send),
    ) -> Self {
        Self { plan, record, on_event, reach: BTreeMap::new() }
    }

    /// The parts of a slot whose trial is still to be put.
    pub(crate) fn open(&self, slot: Slot) -> Option<(Slot, SlotParts<'a>)> {
        let (cell, probe) = parts(self.plan, slot)?;
        let id = TrialId { probe: probe.id().clone(), cell: cell.id.clone(), repeat: slot.repeat };
        (!self.record.has(&id)).then_some((slot, SlotParts { target: &cell.target, probe, id }))
    }

    /// Enters what came of a trial; gives the reason to stop, if it is one.
    pub(crate) fn enter(&mut self, slot: Slot, end: TrialEnd) -> Result<Option<EndReason>, RecordError> {
        let Some((cell, _)) = parts(self.plan, slot) else { return Ok(None) };
        let place = || cell.target.place.clone();
        match end {
            TrialEnd::Dropped => Ok(Some(EndReason::Interrupted)),
            TrialEnd::NotRecorded { trial, key } => Ok(Some(EndReason::NotRecorded { trial, key })),
            TrialEnd::Refused { class, message } => {
                let message = self.record.clean(&message);
                Ok(Some(match class {
                    FailureClass::Auth => EndReason::Authentication { place: place(), message },
                    _ => EndReason::Quota { place: place(), message },
                }))
            }
            TrialEnd::Done { trial, reached: true } => {
                if let Some(Reach::NotYet(held)) = self.reach.insert(cell.target.id.clone(), Reach::Yes) {
                    held.into_iter().try_for_each(|(slot, trial)| self.put_down(slot, trial))?;
                }
                self.put_down(slot, trial).map(|()| None)
            }
            TrialEnd::Done { trial, reached: false } => self.not_reached(slot, trial, cell),
        }
    }

    fn not_reached(
        &mut self,
        slot: Slot,
        trial: Box<Trial>,
        cell: &PlannedCell,
    ) -> Result<Option<EndReason>, RecordError> {
        let reach = self.reach.entry(cell.target.id.clone()).or_insert_with(|| Reach::NotYet(Vec::new()));
        let Reach::NotYet(held) = reach else { return self.put_down(slot, trial).map(|()| None) };
        held.push((slot, trial));
        let enough = held.len() >= self.plan.give_up_after.max(1);
        Ok(if enough { self.unreachable(&cell.target.id) } else { None })
    }

    fn unreachable(&self, target: &TargetId) -> Option<EndReason> {
        let Some(Reach::NotYet(held)) = self.reach.get(target) else { return None };
        let (slot, trial) = held.last()?;
        let (cell, _) = parts(self.plan, *slot)?;
        let message = trial.error.as_ref().map(|error| error.message.as_str()).unwrap_or_default();
        let message = self.record.clean(message);
        Some(EndReason::Unreachable { place: cell.target.place.clone(), message })
    }

    fn put_down(&mut self, slot: Slot, mut trial: Box<Trial>) -> Result<(), RecordError> {
        let Some((cell, probe)) = parts(self.plan, slot) else { return Ok(()) };
        // A simulated model may well say the same twice; no gateway stands before it.
        // Nor is what we kept ourselves.
        let is_kept = trial.turns.iter().any(|turn| turn.kept.is_some());
        let own = cell.target.simulated || is_kept;
        if trial.status == TrialStatus::Scored && !own && self.record.is_replay(&trial) {
            trial.status = TrialStatus::GatewayReplay;
            let message = "a response that came before, byte for byte and under the same id".to_owned();
            trial.error = Some(TrialError { message, http_status: None, cause: None });
        }
        let written = self.record.append(&trial)?;
        let trial = written.as_ref().unwrap_or(&trial);
        let (done, planned) = (self.record.recorded(), self.plan.planned_in_all());
        (self.on_event)(RunEvent::Trial { trial, probe, done, planned });
        Ok(())
    }

    /// Ends the round; after the last one a complete record gets its footer.
    pub(crate) fn close(self, reason: EndReason, now: Timestamp) -> Result<RunEnd, RecordError> {
        let planned = self.plan.planned_in_all();
        let why = match reason {
            EndReason::Complete => {
                self.reach.keys().find_map(|target| self.unreachable(target)).unwrap_or(EndReason::Complete)
            }
            reason => reason,
        };
        if why == EndReason::Complete && self.plan.round.is_last {
            self.record.finish(planned, now)?;
        }
        let scored = self.record.statuses().get(&TrialStatus::Scored).copied().unwrap_or_default();
        Ok(RunEnd { why, planned, done: self.record.recorded(), scored })
    }
}

fn parts(plan: &Plan, slot: Slot) -> Option<(&PlannedCell, &Arc<Probe>)> {
    let cell = plan.cells.get(slot.cell as usize)?;
    Some((cell, cell.probes.get(slot.probe as usize)?))
}
