//! What a call's arguments say and how they say it (DESIGN.md 3.1 and 3.6). The text is read first, then held
//! against the tool's schema, then each value against the probe's oracle, and against the conversation where the
//! oracle says nothing of it. Whether a name is in the catalog, and whether a call was right, is asked elsewhere.

mod answer;
mod branches;
mod by_schema;
mod conversation;
mod date;
mod date_token;
mod date_value;
mod declared;
mod equality;
mod example_text;
mod fold;
mod form;
mod given;
mod grounding;
mod judge;
mod neighbour;
mod notation;
mod number;
mod oracle;
mod reading;
mod schemas;
mod shape;
mod text_value;
mod undeclared;
#[rustfmt::skip]
mod word;

#[cfg(test)]
mod cases;
#[cfg(test)]
mod examples;

use probes::Expectation;
use serde_json::{Map, Value};
use transcript::{Arguments, Tool};

use crate::finding::{ArgumentFinding, FormatFinding};

pub(crate) use answer::{Follows, follows};
pub(crate) use conversation::Conversation;
pub use schemas::Schemas;

/// One call of a tool that its turn's catalog offers, and what is known around it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ArgumentInput<'a> {
    /// The tool that is called.
    pub(crate) tool: &'a Tool,
    /// Its arguments, as they arrived.
    pub(crate) arguments: &'a Arguments,
    /// What the probe says of them; none where the call is of another tool than the expected one, or where there
    /// is no probe.
    pub(crate) oracle: Option<&'a Expectation>,
    /// What was said before the call.
    pub(crate) conversation: &'a Conversation<'a>,
    /// Whether the request asked for strict schemas, where `null` is how an optional argument is left out.
    pub(crate) strict: bool,
    /// The time that the prompt says it is, RFC 3339.
    pub(crate) clock: Option<&'a str>,
    /// Whether what grounding suspects counts: only where there is no probe at all.
    pub(crate) grounding_counts: bool,
}

/// What was found in a call's arguments.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct ArgumentVerdict {
    /// Against the tool's schema; none where that cannot be asked (wire cases, rule 7).
    pub(crate) schema_valid: Option<bool>,
    /// The object, where there is one at any depth of encoding.
    pub(crate) object: Option<Map<String, Value>>,
    /// How many arguments the call gives, wrappers opened: the denominator of the argument's unit.
    pub(crate) keys: u32,
    /// Faults of form, root cause first.
    pub(crate) format_findings: Vec<FormatFinding>,
    /// Faults of content, in the order of the arguments.
    pub(crate) argument_findings: Vec<ArgumentFinding>,
    /// Arguments that the oracle wants and the call does not give, as the expectation names them.
    pub(crate) left_out: Vec<String>,
}

/// Judges the arguments of one call.
pub(crate) fn judge_arguments(input: &ArgumentInput<'_>, schemas: &Schemas) -> ArgumentVerdict {
    let reading = reading::read(input.arguments.text());
    let compiled = input.tool.input_schema.as_ref().map(|schema| schemas.compiled(schema.as_str()));
    let Some(object) = reading.object else {
        return ArgumentVerdict { format_findings: reading.faults, ..ArgumentVerdict::default() };
    };
    let object = Value::Object(object);
    let validator = compiled.as_ref().and_then(|compiled| compiled.validator.as_ref());
    let schema_valid =
        validator.filter(|_| reading.as_it_stands).map(|validator| schemas::is_valid(validator, &object));
    let declared = compiled.as_ref().map(|compiled| &compiled.declared);
    let mut verdict = judge::judge(input, schemas, declared, &object, schema_valid);
    let mut format_findings = reading.faults;
    format_findings.append(&mut verdict.format_findings);
    verdict.format_findings = format_findings;
    verdict.schema_valid = schema_valid;
    if let Value::Object(object) = object {
        verdict.object = Some(object);
    }
    verdict
}

/// One reference token of a JSON pointer (RFC 6901).
fn pointer_part(key: &str) -> std::borrow::Cow<'_, str> {
    if key.contains(['~', '/']) { key.replace('~', "~0").replace('/', "~1").into() } else { key.into() }
}
