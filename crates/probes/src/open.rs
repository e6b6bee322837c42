//! The way back from a run record: a probe's line and the record's header give again what was sent, so that
//! trials are scored with nothing else at hand.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use indexmap::IndexMap;
use transcript::{CatalogRecord, Fingerprint, Message};

use crate::offer::Offers;
use crate::probe::{ProbeLine, system_text};
use crate::{Catalog, CatalogEdits, Offered, Probe, Prompt, Question, Step, SuiteError};

/// The catalogs of a record's header. Probes with equal edits share what they offer.
#[derive(Debug)]
pub struct RecordCatalogs {
    by_hash: HashMap<Fingerprint, Mutex<Offers>>,
}

impl RecordCatalogs {
    /// Takes the catalogs of a header.
    #[must_use]
    pub fn new(catalogs: &IndexMap<Fingerprint, CatalogRecord>) -> Self {
        let offers = |record: &CatalogRecord| {
            let tools: Vec<_> = record.tools.iter().cloned().map(Arc::new).collect();
            Mutex::new(Offers::new(&tools))
        };
        Self { by_hash: catalogs.iter().map(|(hash, record)| (hash.clone(), offers(record))).collect() }
    }

    fn offered(&self, hash: &Fingerprint, edits: &CatalogEdits) -> Option<Offered> {
        let mut offers = self.by_hash.get(hash)?.lock().unwrap_or_else(PoisonError::into_inner);
        Some(offers.of(edits).offered)
    }
}

/// A probe's steps as they were sent.
#[derive(Debug, Clone)]
pub struct OpenedProbe {
    /// At least one.
    pub steps: Vec<OpenedStep>,
}

/// One step as it was sent.
#[derive(Debug, Clone)]
pub struct OpenedStep {
    /// Messages before the step's first turn; the first step begins with the system prompt.
    pub messages: Vec<Message>,
    /// The tools offered.
    pub offered: Offered,
}

impl ProbeLine {
    /// Opens a probe. `prompt` is the text of its cell's prompt.
    ///
    /// # Errors
    /// The header does not hold the catalog that the line names.
    pub fn open(&self, catalogs: &RecordCatalogs, prompt: Option<&str>) -> Result<OpenedProbe, SuiteError> {
        let base = &self.catalog.base;
        let offered = |edits: &CatalogEdits| {
            catalogs.offered(base, edits).ok_or_else(|| SuiteError::MissingCatalog {
                probe: self.id.to_string(),
                catalog: base.to_string(),
            })
        };
        let system = system_text(prompt, self.prompt_suffix.as_deref());
        let mut messages: Vec<Message> = system.iter().map(|text| Message::system(text)).collect();
        messages.extend(self.messages.iter().cloned());
        let mut steps = vec![OpenedStep { messages, offered: offered(&self.catalog.edits)? }];
        for Step { messages, catalog } in &self.later {
            steps.push(OpenedStep { messages: messages.clone(), offered: offered(catalog)? });
        }
        Ok(OpenedProbe { steps })
    }
}

impl Probe {
    /// The probe's steps as they are sent.
    #[must_use]
    pub fn opened(&self) -> OpenedProbe {
        let mut system = self.system();
        let steps = self.question.steps.iter().zip(&self.offered).map(|(step, offered)| {
            let mut messages: Vec<Message> =
                system.take().map(|text| Message::system(&text)).into_iter().collect();
            messages.extend(step.messages.iter().cloned());
            OpenedStep { messages, offered: offered.clone() }
        });
        OpenedProbe { steps: steps.collect() }
    }
}

impl ProbeLine {
    /// The probe as it was put, for going on with a run. `catalog` is the one that the line names, `prompt` that
    /// of its cell. The hashes are the line's own: what was recorded decides, not what this build would derive.
    #[must_use]
    pub fn probe(&self, catalog: &Arc<Catalog>, prompt: Option<&Arc<Prompt>>) -> Probe {
        let first = Step { messages: self.messages.clone(), catalog: self.catalog.edits.clone() };
        let steps: Vec<Step> = std::iter::once(first).chain(self.later.iter().cloned()).collect();
        let offered = steps.iter().map(|step| Offered::new(step.catalog.apply(catalog.tools()))).collect();
        let expectation = Arc::new(self.expectation.clone());
        let question = Question {
            id: self.id.clone(),
            hash: self.question_hash.clone(),
            kind: self.kind.clone(),
            arm: self.arm.clone(),
            task: self.task.clone(),
            steps,
            prompt_suffix: self.prompt_suffix.clone(),
            settings: self.settings.clone(),
            script: self.script.clone(),
            expectation: Arc::clone(&expectation),
            clock: self.clock.clone(),
            draft: self.draft,
            source: self.source.clone(),
            upstream: self.upstream.clone(),
            needs: Vec::new(),
        };
        Probe {
            expectation,
            question: Arc::new(question),
            prompt: prompt.cloned(),
            catalog: Arc::clone(catalog),
            offered,
            sent_hash: self.sent_hash.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use transcript::{CellId, Tool};

    use super::*;
    use crate::{Suite, derive_questions, expand};

    #[test]
    fn what_a_line_opens_to_is_what_the_probe_sends() {
        let suite: Suite = serde_yaml::from_str(
            "{toolmirage: suite/1, name: s, version: 1, seed: 1, catalog: c, tasks: [{id: t, user: u, tool: send_note}]}",
        )
        .unwrap();
        let tools: Vec<_> = ["send_note", "get_note"].map(Tool::named).to_vec();
        let catalog = Arc::new(Catalog::new("c/1", tools.iter().cloned().map(Arc::new).collect()).unwrap());
        let prompt = Arc::new(Prompt::new("p", "Be brief.\n"));
        let expansion = expand(&derive_questions(&suite), &catalog, Some(&prompt));
        let record = CatalogRecord { label: "c/1".into(), tools };
        let catalogs = RecordCatalogs::new(&IndexMap::from([(catalog.hash().clone(), record)]));
        assert!(expansion.probes.len() > 4);
        for probe in &expansion.probes {
            let line = probe.line(&CellId("c0".into()));
            let line: ProbeLine = serde_json::from_str(&serde_json::to_string(&line).unwrap()).unwrap();
            let opened = line.open(&catalogs, Some(&prompt.text)).unwrap();
            assert_eq!(opened.steps[0].messages[0].text(), probe.system().unwrap());
            assert_eq!(opened.steps[0].offered.tools(), probe.offered[0].tools());
            let direct = probe.opened();
            assert_eq!(direct.steps.len(), opened.steps.len());
            for (one, other) in direct.steps.iter().zip(&opened.steps) {
                assert_eq!(one.messages, other.messages);
                assert_eq!(one.offered.tools(), other.offered.tools());
            }
            assert_eq!(line.probe(&catalog, Some(&prompt)).line(&line.cell), line);
        }
        let line = expansion.probes[0].line(&CellId("c0".into()));
        let none = RecordCatalogs::new(&IndexMap::new());
        assert!(line.open(&none, None).unwrap_err().to_string().contains("does not hold"));
    }
}
