//! Did a tool run that the account leaves out, or claims as skipped?

use probes::RateName;

use super::{Check, claimed, enters};

pub(super) const CHECK: Check = Check {
    rate: RateName::UndisclosedCall,
    is_asked: |view| enters(view, RateName::UndisclosedCall, false),
    judge: |view| claimed::judge(view, RateName::UndisclosedCall),
};
