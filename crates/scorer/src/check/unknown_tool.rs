//! Was a tool called whose name is not in the catalog of its turn? Structured calls only.

use probes::RateName;

use super::{Call, Check, Word, enters, over_calls};
use crate::score::View;
use crate::verdict::{Judgement, Surface, Unscored};

pub(super) const CHECK: Check =
    Check { rate: RateName::UnknownTool, is_asked: |view| enters(view, RateName::UnknownTool, true), judge };

fn judge(view: &View<'_>) -> Judgement {
    let calls = || view.turns.iter().flat_map(|turn| &turn.calls);
    let unreadable = calls().any(|call| call.surface == Surface::FinishMessage);
    if unreadable && !calls().any(|call| call.surface == Surface::Structured) {
        return Judgement::Unscored(Unscored::UnreadableName);
    }
    over_calls(view, |call, _| match (call.surface, call.name_form) {
        (Surface::Structured, Some(form)) => {
            Call::Event { arguments: 0, message: crate::why::unknown(call), word: Word::Form(form) }
        }
        (Surface::Structured, None) => Call::Fine,
        _ => Call::No,
    })
}
