//! Was a tool called although the request needs none?

use probes::RateName;

use super::{Call, Check, Word, enters, is_emitted, over_calls};
use crate::score::View;
use crate::verdict::Judgement;

pub(super) const CHECK: Check =
    Check { rate: RateName::OverCall, is_asked: |view| enters(view, RateName::OverCall, false), judge };

fn judge(view: &View<'_>) -> Judgement {
    over_calls(view, |call, _| {
        if !is_emitted(call) {
            return Call::No;
        }
        Call::Event {
            arguments: 0,
            word: Word::Rate(RateName::OverCall),
            message: format!("`{}` was called; no call was needed", call.emitted_name),
        }
    })
}
