//! Names that say nothing, in place of a catalog's own.

use std::sync::Arc;

use sha2::{Digest, Sha256};
use transcript::{RawJson, Tool, ToolName};

use crate::near_name::reads;
use crate::{Expectation, Neutral, Script};

/// What every tool says of itself where descriptions are replaced.
const DESCRIPTION: &str = "A tool.";

/// The neutral name of a tool: it depends on the name alone, so that a question can say it without a catalog.
#[must_use]
pub fn neutral_name(name: &str) -> String {
    let hash = Sha256::digest(name.as_bytes());
    let digits: String = hash.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    format!("tool_{digits}")
}

/// A tool under another name, or with another description. Whether it reads is settled by its own name first.
pub(crate) fn neutral(tool: &Tool, what: Neutral) -> Arc<Tool> {
    let mut neutral = tool.clone();
    neutral.original = None; // a provider's own entry holds what is replaced
    match what {
        Neutral::Names => {
            neutral.read_only = Some(reads(tool));
            neutral.name = ToolName::new(&neutral_name(tool.name.as_str()));
        }
        Neutral::Descriptions => neutral.description = Some(RawJson::from_text(DESCRIPTION)),
    }
    Arc::new(neutral)
}

/// An expectation over neutral names.
pub(crate) fn expect_neutral(expectation: &mut Expectation) {
    let names =
        expectation.tool.iter_mut().chain(&mut expectation.decoys).chain(&mut expectation.allowed_reads);
    for name in names.chain(expectation.calls.iter_mut().map(|call| &mut call.tool)) {
        *name = ToolName::new(&neutral_name(name.as_str()));
    }
}

/// A script over neutral names.
pub(crate) fn script_neutral(script: &mut Script) {
    for rule in &mut script.0 {
        rule.tool = ToolName::new(&neutral_name(rule.tool.as_str()));
    }
}
