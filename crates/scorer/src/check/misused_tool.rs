//! Was a registered tool called that the probe does not allow, where the wanted one is not there?

use probes::RateName;

use super::{Call, Check, Word, enters, over_calls};
use crate::label::is_misuse;
use crate::score::View;
use crate::verdict::{Judgement, Surface};

pub(super) const CHECK: Check =
    Check { rate: RateName::MisusedTool, is_asked: |view| enters(view, RateName::MisusedTool, false), judge };

fn judge(view: &View<'_>) -> Judgement {
    let expectation = view.subject.expectation;
    over_calls(view, |call, facts| {
        if call.surface != Surface::Structured || call.is_unknown() {
            return Call::No;
        }
        if expectation.is_some_and(|e| is_misuse(facts.target.as_ref(), e)) {
            let reached = facts.target.as_ref().map_or(call.emitted_name.as_str(), |tool| tool.as_str());
            return Call::Event {
                arguments: 0,
                word: Word::Rate(RateName::MisusedTool),
                message: format!("`{reached}` is offered, and not for this"),
            };
        }
        Call::Fine
    })
}
