//! What a transcript says of itself where its tools are known: calls of tools that were not offered, and argument
//! values that nothing in the conversation gives. There is no probe, so grounding is the only basis (DESIGN.md 3.6).

use std::sync::Arc;

use probes::{Offered, RateName};
use serde::{Deserialize, Serialize};
use transcript::{Message, TrialStatus, Turn};

use super::run::ResultsBy;
use crate::argument::Schemas;
use crate::score::score;
use crate::verdict::{ByUnit, Judgement, RequestFacts, Subject, SubjectStep};

/// So many findings of one rate are kept of one run.
const KEPT: usize = 5;
/// Characters of a quote.
const QUOTED: usize = 200;

/// A transcript in the scorer's form.
pub(super) struct Conversation {
    pub(super) steps: Vec<Vec<Message>>,
    pub(super) turns: Vec<Turn>,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Grounded {
    pub(super) unknown: Option<Counted>,
    /// None also where the agent wrote the results, or there are none: they may hold what it then repeats.
    pub(super) arguments: Option<Counted>,
}

/// Events of one rate in one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Counted {
    pub(super) opportunities: ByUnit,
    pub(super) events: ByUnit,
    pub(super) findings: Vec<GroundedFinding>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct GroundedFinding {
    pub(super) tool: Box<str>,
    pub(super) message: Box<str>,
    pub(super) quote: Box<str>,
}

impl Grounded {
    /// About how many bytes of memory it takes.
    pub(super) fn weight(&self) -> usize {
        let of = |counted: &Option<Counted>| {
            let findings = counted.iter().flat_map(|counted| &counted.findings);
            findings.map(|one| one.message.len() + one.quote.len() + 96).sum::<usize>()
        };
        size_of::<Self>() + of(&self.unknown) + of(&self.arguments)
    }
}

/// Judges a transcript against the tools that were offered.
pub(super) fn judge(
    conversation: &Conversation,
    offered: &Arc<Offered>,
    schemas: &Schemas,
    results: ResultsBy,
) -> Grounded {
    let steps: Vec<SubjectStep<'_>> = conversation
        .steps
        .iter()
        .map(|messages| SubjectStep { messages, offered: offered.as_ref() })
        .collect();
    let subject = Subject {
        expectation: None,
        steps: &steps,
        turns: &conversation.turns,
        executor: None,
        request: RequestFacts { provider: "openai_chat", ..RequestFacts::default() },
        status: TrialStatus::Scored,
        cause: None,
        turn_limit: false,
    };
    let verdict = score(&subject, schemas);
    let counted = |rate: RateName| match verdict.checks.get(&rate) {
        Some(Judgement::Judged { opportunities, events, findings, .. }) => Some(Counted {
            opportunities: *opportunities,
            events: *events,
            findings: findings.iter().take(KEPT).map(|finding| kept(finding, &conversation.turns)).collect(),
        }),
        Some(Judgement::Unscored(_)) | None => None,
    };
    let arguments =
        (results == ResultsBy::Harness).then(|| counted(RateName::HallucinatedArgument)).flatten();
    Grounded { unknown: counted(RateName::UnknownTool), arguments }
}

fn kept(finding: &crate::finding::Finding, turns: &[Turn]) -> GroundedFinding {
    let evidence = &finding.evidence;
    let turn = usize::try_from(evidence.turn).ok().and_then(|turn| turns.get(turn));
    let place = evidence.call.and_then(|call| usize::try_from(call).ok());
    let call = turn.zip(place).and_then(|(turn, place)| turn.observed.calls().nth(place));
    GroundedFinding {
        tool: Box::from(call.map_or("", |call| call.name.as_str())),
        message: Box::from(finding.message.as_str()),
        quote: evidence.quote.chars().take(QUOTED).collect::<String>().into_boxed_str(),
    }
}
