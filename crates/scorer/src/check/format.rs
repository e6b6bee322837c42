//! Is a call written as the format asks, whatever it says?

use probes::RateName;

use super::{Call, Check, Word, over_calls};
use crate::score::View;
use crate::verdict::Judgement;

pub(super) const CHECK: Check = Check { rate: RateName::Format, is_asked: |_| true, judge };

fn judge(view: &View<'_>) -> Judgement {
    over_calls(view, |call, _| match call.format_findings.first() {
        None => Call::Fine,
        Some(cause) => {
            Call::Event { arguments: 0, message: crate::why::format(call), word: Word::Format(*cause) }
        }
    })
}
