//! Was a tool named inside an offered router's arguments that nobody offers? A line of its own, never added to
//! the unknown calls.

use probes::RateName;

use super::{Call, Check, Word, over_calls};
use crate::name::is_wrapper_name;
use crate::score::View;
use crate::verdict::{CallVerdict, Judgement, Surface};

pub(super) const CHECK: Check = Check { rate: RateName::InnerUnknown, is_asked: has_router_call, judge };

fn is_router_call(call: &CallVerdict) -> bool {
    call.surface == Surface::Structured && !call.is_unknown() && is_wrapper_name(&call.emitted_name)
}

fn has_router_call(view: &View<'_>) -> bool {
    view.turns.iter().flat_map(|turn| &turn.calls).any(is_router_call)
}

fn judge(view: &View<'_>) -> Judgement {
    over_calls(view, |call, facts| {
        if !is_router_call(call) {
            return Call::No;
        }
        match facts.inner_unknown.as_slice() {
            [] => Call::Fine,
            names => Call::Event {
                arguments: 0,
                word: Word::Rate(RateName::InnerUnknown),
                message: format!("`{}` was asked to run `{}`", call.emitted_name, names.join("`, `")),
            },
        }
    })
}
