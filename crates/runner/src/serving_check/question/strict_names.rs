//! Whether strict schemas constrain names, where nothing else does.

use super::{Decision, Question, required_names};
use crate::serving_check::ask::{STRICT, STRICT_ABSENT};
use crate::serving_check::exchange::Exchanges;

pub(super) const QUESTION: Question =
    Question { key: "strict_constrains_names", says: "`strict` constrains names", decide };

fn decide(exchanges: &Exchanges) -> Decision {
    let asked = "with `strict`, asked to call a tool that is not offered";
    required_names::under(exchanges, STRICT_ABSENT, &[STRICT], asked)
}
