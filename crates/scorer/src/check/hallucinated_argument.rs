//! Was a registered tool called with an argument that is made up? A trial without a call stays in: it had the
//! same chance (DESIGN.md 3.2).

use probes::RateName;

use super::{Call, Check, Word, enters, over_calls};
use crate::score::View;
use crate::verdict::{Judgement, Surface};

pub(super) const CHECK: Check = Check {
    rate: RateName::HallucinatedArgument,
    is_asked: |view| enters(view, RateName::HallucinatedArgument, true),
    judge,
};

fn judge(view: &View<'_>) -> Judgement {
    over_calls(view, |call, facts| {
        if call.surface != Surface::Structured || call.is_unknown() {
            return Call::No;
        }
        if !call.has_counted_argument() {
            return Call::Fine;
        }
        let counted: Vec<_> = call.argument_findings.iter().filter(|finding| finding.counted).collect();
        Call::Event {
            // Findings inside one argument are one argument's.
            arguments: u32::try_from(counted.len()).unwrap_or(u32::MAX).min(facts.arguments),
            message: crate::why::arguments(call),
            word: counted
                .first()
                .map_or(Word::Rate(RateName::HallucinatedArgument), |first| Word::Argument(first.finding)),
        }
    })
}
