//! Was a call written into text or reasoning, where nobody dispatches it?

use probes::RateName;

use super::{Call, Check, Word, over_calls};
use crate::score::View;
use crate::verdict::{Judgement, Surface};

pub(super) const CHECK: Check = Check { rate: RateName::TextCall, is_asked: |_| true, judge };

fn judge(view: &View<'_>) -> Judgement {
    over_calls(view, |call, _| {
        let place = match call.surface {
            Surface::Content => "the text",
            Surface::Reasoning => "the reasoning",
            Surface::Structured | Surface::FinishMessage => return Call::Fine,
        };
        Call::Event {
            arguments: 0,
            word: Word::Rate(RateName::TextCall),
            message: format!("a call of `{}` stands in {place}", call.emitted_name),
        }
    })
}
