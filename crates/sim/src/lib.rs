//! Simulated models: the instrument that proves the instrument. A simulated model decides from a request and
//! from a script of what an honest model would know; every mistake that it makes is drawn at a known rate and
//! written down, so that what the harness finds can be compared with the truth. It never sees a check or a
//! verdict, and its rates are never a measurement of a model.

mod answer;
mod decide;
mod decision_log;
mod delivery;
mod draw;
mod fault;
mod invent;
mod last_line;
mod miswrite;
mod name;
mod obedient;
mod plan;
mod profile;
mod protocol;
mod request;
mod respond;
mod script;
mod server;
mod serving;
mod wording;

pub use answer::{FINGERPRINT, is_simulated};
pub use decision_log::{
    CallDecision, CallSurface, CallTruth, Decision, DecisionLog, FormatFault, Slip, TextClass,
};
pub use fault::{FAULTS, Fault, FaultError, Faults};
pub use profile::{Conduct, Profile, ProfileError, Rates};
pub use respond::{Reply, Sim};
pub use script::{
    Event, LastLine, LaterStep, Right, SCRIPT_FORMAT, ScriptCall, ScriptEntry, ScriptError, SimScript,
};
pub use server::{ATTEMPT_HEADER, TRIAL_HEADER, bind, serve};
pub use serving::{Serving, ServingFault, UnknownFault};
