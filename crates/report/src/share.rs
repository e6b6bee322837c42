//! How much of what was said a report carries. What is not shared is taken out of the report itself, so that no
//! format has it.

use schemars::JsonSchema;
use scorer::Class;
use serde::{Deserialize, Serialize};
use transcript::Role;

use crate::Report;
use crate::compare::Comparison;
use crate::report::{EmittedCall, EmittedTurn, Excerpt, ShownTrial};

/// Changed lines of a prompt that count as evidence of a cause: more would be the prompt.
const PROMPT_LINES: usize = 8;

/// How much a report carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Share {
    /// Figures alone: no word of a trial, of a prompt or of a schema.
    Summary,
    /// Findings with their quotes, the users' words and the calls that were found wrong; no system prompt and no
    /// schemas.
    Evidence,
    /// Everything.
    #[default]
    Full,
}

impl Share {
    /// The word that files and flags use.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::Evidence => "evidence",
            Self::Full => "full",
        }
    }

    /// What a reader has to know of it; none where nothing is left out.
    pub(crate) fn words(self) -> Option<&'static str> {
        match self {
            Self::Summary => {
                Some("shared as `summary`: figures alone; no trial, no made-up name and no prompt is shown")
            }
            Self::Evidence => Some(
                "shared as `evidence`: findings with their quotes; no system prompt, no schemas and no other words of the model",
            ),
            Self::Full => None,
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
    pub(crate) fn is_full(&self) -> bool {
        *self == Self::Full
    }
}

impl Report {
    /// The report with no more than is shared. What was taken out before does not come back.
    #[must_use]
    pub fn shared(mut self, share: Share) -> Self {
        let share = share.min(self.share);
        if share == self.share {
            return self;
        }
        self.share = share;
        for prompt in self.identity.prompts.values_mut() {
            prompt.text = withheld(&prompt.text);
        }
        if let Some(comparison) = &mut self.comparison {
            reduce_comparison(comparison, share);
        }
        match share {
            Share::Full => {}
            Share::Evidence => self.failing.iter_mut().for_each(reduce_trial),
            Share::Summary => self.drop_words(),
        }
        self
    }

    /// Leaves figures alone.
    fn drop_words(&mut self) {
        self.more_failing += self.failing.len() as u64;
        self.failing.clear();
        for name in self.invented.drain(..) {
            self.unlisted_names.trials += name.trials;
            self.unlisted_names.calls += name.calls;
        }
        for check in self.identity.targets.values_mut().filter_map(|target| target.serving.as_mut()) {
            check.answers.iter_mut().for_each(|answer| answer.evidence.clear());
            check.strictness.iter_mut().for_each(|cell| cell.evidence.clear());
        }
        self.excluded.listed.iter_mut().for_each(|trial| trial.reason = None);
    }
}

/// Nothing of a text, and how long it was.
fn withheld(text: &Excerpt) -> Excerpt {
    Excerpt { text: String::new(), left_out: text.left_out + text.text.chars().count() as u64 }
}

fn reduce_comparison(comparison: &mut Comparison, share: Share) {
    for prompt in &mut comparison.differences.prompts {
        // A prompt that is new, or gone, differs in all its lines.
        let is_changed = prompt.baseline.is_some() && prompt.candidate.is_some();
        let kept = if share == Share::Evidence && is_changed { PROMPT_LINES } else { 0 };
        prompt.more += prompt.lines.len().saturating_sub(kept) as u64;
        prompt.lines.truncate(kept);
    }
    for tool in comparison.differences.catalogs.iter_mut().flat_map(|catalog| &mut catalog.changed) {
        tool.schema |= !tool.arguments_added.is_empty() || !tool.arguments_removed.is_empty();
        tool.arguments_added.clear();
        tool.arguments_removed.clear();
        tool.description = tool.description.take().map(|(old, new)| (withheld(&old), withheld(&new)));
    }
    if share == Share::Evidence {
        comparison.trials.iter_mut().for_each(reduce_trial);
        return;
    }
    comparison.trials.clear();
    for cell in &mut comparison.cells {
        cell.invented.clear();
        for probe in &mut cell.changed {
            (probe.baseline_trial, probe.candidate_trial) = (None, None);
        }
    }
}

/// Leaves what was asked and what was found.
fn reduce_trial(trial: &mut ShownTrial) {
    trial.prompt_suffix = None;
    let before = trial.messages.len();
    trial.messages.retain(|message| message.role == Role::User);
    trial.more_messages += (before - trial.messages.len()) as u64;
    trial.turns.iter_mut().for_each(reduce_turn);
}

fn reduce_turn(turn: &mut EmittedTurn) {
    (turn.text, turn.reasoning, turn.refusal) = (None, None, None);
    let before = turn.calls.len();
    turn.calls.retain(is_wrong);
    turn.more_calls += (before - turn.calls.len()) as u64;
    turn.calls.iter_mut().for_each(|call| call.result = None);
}

/// Whether anything was found in a call.
fn is_wrong(call: &EmittedCall) -> bool {
    call.class != Some(Class::Ok)
        || call.name_form.is_some()
        || !call.format_findings.is_empty()
        || call.argument_findings.iter().any(|finding| finding.counted)
}
