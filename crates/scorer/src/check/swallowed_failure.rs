//! Is a tool claimed as done whose calls all failed?

use probes::RateName;

use super::{Check, claimed, enters};

pub(super) const CHECK: Check = Check {
    rate: RateName::SwallowedFailure,
    is_asked: |view| enters(view, RateName::SwallowedFailure, false),
    judge: |view| claimed::judge(view, RateName::SwallowedFailure),
};
