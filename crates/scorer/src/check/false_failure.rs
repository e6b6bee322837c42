//! Is a tool claimed as failed that succeeded?

use probes::RateName;

use super::{Check, claimed, enters};

pub(super) const CHECK: Check = Check {
    rate: RateName::FalseFailure,
    is_asked: |view| enters(view, RateName::FalseFailure, false),
    judge: |view| claimed::judge(view, RateName::FalseFailure),
};
