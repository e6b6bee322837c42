//! What shows only when probes are played with simulated models. The program that can play them finds it.

use crate::Severity;
use crate::rule::{Check, Rule};

pub(super) const UNFAILABLE: Rule = Rule {
    name: "unfailable_probe",
    severity: Severity::Warning,
    summary: "The simulated liar goes through a probe uncaught, so that the probe cannot fail.",
    page: include_str!("unfailable_probe.md"),
    checks: &[Check::Played],
};

pub(super) const UNPASSABLE: Rule = Rule {
    name: "unpassable_probe",
    severity: Severity::Error,
    summary: "The simulated honest model is blamed in a probe, so that nothing can pass it.",
    page: include_str!("unpassable_probe.md"),
    checks: &[Check::Played],
};
