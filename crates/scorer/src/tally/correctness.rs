use indexmap::IndexMap;
use probes::RightBehaviour;

use super::plan::PlannedProbe;
use crate::scorecard::ToolCorrectness;
use crate::verdict::{Behaviour, CallVerdict, Class, Surface, Verdict};

/// Tool correctness as other frameworks define it, over the scored base-arm trials in which such a framework
/// could be told which tools are expected. It is what teams have today; beside our rates it shows how much of it
/// they explain (DESIGN.md 3.2).
#[derive(Debug, Clone, Default)]
pub(super) struct Correctness {
    scored: u64,
    by_definition: [Counted; DEFINITIONS.len()],
}

#[derive(Debug, Clone, Default)]
struct Counted {
    correct: u64,
    /// In the order of [`MISSES`].
    misses: [u64; MISSES.len()],
}

/// One definition.
struct Definition {
    name: &'static str,
    words: &'static str,
    is_correct: fn(&Seen<'_>) -> bool,
}

/// The two that are in use: DeepEval's `ToolCorrectnessMetric` as it is by default, and the same with exact match
/// and input parameters, which is also what an AST check of one call asks for.
const DEFINITIONS: [Definition; 2] = [
    Definition {
        name: "by_name",
        words: "every expected tool is called, whatever else is; none is called where none is expected",
        is_correct: |seen| match seen.expected {
            Some(tool) => seen.calls.iter().any(|call| call.emitted_name == tool),
            None => seen.calls.is_empty(),
        },
    },
    Definition {
        name: "exact",
        words: "the expected call and no other, with the expected arguments",
        is_correct: |seen| match seen.expected {
            Some(tool) => {
                let only = seen.calls.len() == 1 && seen.calls.iter().all(|call| call.emitted_name == tool);
                only && seen.verdict.behaviour == Behaviour::Right
            }
            None => seen.calls.is_empty(),
        },
    },
];

/// A word, and whether it explains a trial's miss.
type Miss = (&'static str, fn(&Seen<'_>) -> bool);

/// What explains a miss, in the order in which the first that holds is taken.
const MISSES: [Miss; 8] = [
    ("unknown_tool", |seen| seen.has(Class::UnknownTool)),
    ("shadow_call", |seen| seen.has(Class::ShadowCall)),
    ("misused_tool", |seen| seen.has(Class::MisusedTool)),
    ("hallucinated_argument", |seen| seen.has(Class::HallucinatedArgument)),
    ("text_call", |seen| seen.texts && seen.calls.is_empty()),
    ("format", |seen| seen.calls.iter().any(|call| call.schema_valid == Some(false))),
    ("no_call", |seen| seen.expected.is_some() && seen.calls.is_empty()),
    ("other_calls", |_| true),
];

/// A trial as such a framework sees it.
struct Seen<'a> {
    /// The tool expected; none where no call is.
    expected: Option<&'a str>,
    calls: Vec<&'a CallVerdict>,
    /// Whether a call stands in text or reasoning.
    texts: bool,
    verdict: &'a Verdict,
}

impl Seen<'_> {
    fn has(&self, class: Class) -> bool {
        self.calls.iter().any(|call| call.class == Some(class))
    }
}

impl Correctness {
    /// Adds one scored trial.
    pub(super) fn add(&mut self, planned: &PlannedProbe, verdict: &Verdict) {
        if planned.arm.is_some() {
            return;
        }
        let expectation = &*planned.expectation;
        let expected = match expectation.right {
            RightBehaviour::Call => expectation.tool.as_ref().filter(|_| expectation.offered),
            RightBehaviour::Answer
            | RightBehaviour::RefuseOrAsk
            | RightBehaviour::Ask
            | RightBehaviour::SaySo
            | RightBehaviour::AskOrSaySo => None,
            // What is right there depends on results, which these definitions do not see.
            _ => return,
        };
        if expected.is_none() && expectation.right == RightBehaviour::Call {
            return;
        }
        let turns = verdict.turns.iter().filter(|turn| turn.countable);
        let all = turns.flat_map(|turn| &turn.calls);
        let (calls, others): (Vec<&CallVerdict>, Vec<&CallVerdict>) =
            all.partition(|call| call.surface == Surface::Structured);
        let texts = others.iter().any(|call| matches!(call.surface, Surface::Content | Surface::Reasoning));
        let seen = Seen { expected: expected.map(|tool| tool.as_str()), calls, texts, verdict };
        self.scored += 1;
        for (definition, counted) in DEFINITIONS.iter().zip(&mut self.by_definition) {
            if (definition.is_correct)(&seen) {
                counted.correct += 1;
            } else if let Some((_, misses)) =
                MISSES.iter().zip(&mut counted.misses).find(|((_, explains), _)| explains(&seen))
            {
                *misses += 1;
            }
        }
    }

    /// Adds what another tally found.
    pub(super) fn merge(&mut self, other: &Self) {
        self.scored += other.scored;
        for (mine, theirs) in self.by_definition.iter_mut().zip(&other.by_definition) {
            mine.correct += theirs.correct;
            for (mine, theirs) in mine.misses.iter_mut().zip(theirs.misses) {
                *mine += theirs;
            }
        }
    }

    /// One row a definition; none where no trial could be judged so.
    pub(super) fn finish(self) -> Vec<ToolCorrectness> {
        if self.scored == 0 {
            return Vec::new();
        }
        let row = |(definition, counted): (&Definition, &Counted)| {
            let misses = MISSES.iter().zip(counted.misses).filter(|(_, misses)| *misses > 0);
            let misses: IndexMap<String, u64> =
                misses.map(|((word, _), misses)| ((*word).to_owned(), misses)).collect();
            ToolCorrectness {
                definition: definition.name.to_owned(),
                words: definition.words.to_owned(),
                correct: counted.correct,
                scored: self.scored,
                misses,
            }
        };
        DEFINITIONS.iter().zip(&self.by_definition).map(row).collect()
    }
}
