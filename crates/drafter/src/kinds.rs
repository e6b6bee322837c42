//! What single kinds need beside a task: words with a value that cannot be, results that say something else than
//! habit would, requests of several steps, tools that never existed, and samples of kinds that multiply.

mod absent;
mod canary;
mod family;
mod phantom;
mod sample;
mod wrong_value;

pub(crate) use absent::absent_tools;
pub(crate) use canary::canary;
pub use canary::without_canary;
pub(crate) use phantom::phantoms;
pub(crate) use sample::sampled;
pub(crate) use wrong_value::wrong_value;
