//! A call that the principal check refused before it ran counts as a hallucinated argument, never as a failure of the
//! tool (DESIGN.md 3.6): the check is the dispatcher's, and what it confirms needs no oracle.

use probes::{Expectation, ValueOracle, pointer_step};
use serde_json::Value;
use transcript::ToolCall;

use crate::finding::{ArgumentFault, ArgumentFinding, Basis};
use crate::verdict::CallVerdict;

/// Notes the refusal as a counted finding, in place of a softer word for the same argument.
pub(super) fn note(
    verdict: &mut CallVerdict,
    call: &ToolCall,
    told: &str,
    expectation: Option<&Expectation>,
) {
    let is_it =
        |finding: &ArgumentFinding| finding.finding == ArgumentFault::WrongPrincipal && finding.counted;
    if verdict.argument_findings.iter().any(is_it) {
        return;
    }
    let path = expectation.and_then(|expectation| refused_at(call, expectation)).unwrap_or_default();
    verdict.argument_findings.retain(|finding| finding.path != path || finding.counted);
    let said = if told.is_empty() { String::new() } else { format!(": {told}") };
    verdict.argument_findings.push(ArgumentFinding {
        path,
        finding: ArgumentFault::WrongPrincipal,
        counted: true,
        basis: Basis::Oracle,
        required: false,
        note: Some(format!("refused before it ran{said}")),
    });
}

/// The first argument that must be the caller's own and is not, as a JSON pointer.
fn refused_at(call: &ToolCall, expectation: &Expectation) -> Option<String> {
    let arguments: Value = serde_json::from_str(call.arguments.text()).ok()?;
    expectation.arguments.iter().find_map(|(name, oracle)| {
        let ValueOracle::Principal { value, .. } = oracle else { return None };
        let pointer = if name.starts_with('/') { name.clone() } else { format!("/{}", pointer_step(name)) };
        arguments.pointer(&pointer).filter(|given| **given != **value)?;
        Some(pointer)
    })
}
