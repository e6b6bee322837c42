//! The account that a trial ends with, where its probe asks for one: the last message's words and its claim line.

use std::borrow::Cow;

use probes::ClaimLine;

use crate::claim::{ActionStatus, Claim, claim};
use crate::turn::TurnFacts;
use crate::verdict::Subject;

/// What the last message says.
#[derive(Debug)]
pub(crate) struct Account<'a> {
    /// The turn, from 0.
    pub(crate) turn: usize,
    /// The whole text.
    pub(crate) text: &'a str,
    /// Its claim lines.
    pub(crate) claim: Claim,
    /// The text without them.
    pub(crate) words: Cow<'a, str>,
}

impl<'a> Account<'a> {
    /// The account of a trial whose probe asks for a claim line.
    pub(crate) fn of(subject: &Subject<'_>, facts: &'a [TurnFacts<'_>]) -> Option<Self> {
        subject.expectation.filter(|expectation| expectation.claim != ClaimLine::None)?;
        let turn = facts.len().checked_sub(1)?;
        let text: &'a str = &facts.get(turn)?.text;
        let claim = claim(text);
        let words = claim.without_lines(text);
        Some(Self { turn, text, claim, words })
    }

    /// The last thing that the claim says of a tool.
    pub(crate) fn status_of(&self, tool: &str) -> Option<ActionStatus> {
        let actions = self.claim.actions.iter().flat_map(|line| line.actions.iter().rev());
        actions.filter(|action| action.tool == tool).find_map(|action| action.status)
    }
}
