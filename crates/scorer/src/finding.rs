//! Findings: one detected fault each, with the words that show it.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use transcript::CallId;

/// One detected fault.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// What was found, in one line.
    pub message: String,
    /// What helps, in one line, from the table of fixes ([`crate::FIXES`]).
    #[serde(default)]
    pub fix: Cow<'static, str>,
    /// Where it shows.
    pub evidence: Evidence,
}

/// The words that show a finding, and where they stand.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// Turn, from 0.
    pub turn: u32,
    /// The call's place in its turn, from 0, where it is about a call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<u32>,
    /// The call's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub call_id: Option<CallId>,
    /// JSON pointer into the arguments, where it is about one of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The words themselves, as emitted.
    pub quote: String,
}

/// A fault in how a call is written (`../cases/wire` rule 8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each word says it")]
pub enum FormatFinding {
    EmittedAsText,
    EmittedInReasoning,
    MalformedMarkup,
    MalformedCall,
    NameMissing,
    NameNull,
    NameEmpty,
    ArgumentsNotJson,
    PythonLiteral,
    TrailingComma,
    ArgumentsNotObject,
    ArgumentsTruncated,
    ArgumentsConcatenated,
    ArgumentsDoubleEncoded,
    ArgumentDoubleEncoded,
    WrapperKey,
    NestedCalls,
    NestedArgumentsDropped,
    DuplicateKey,
    MissingRequired,
    TypeMismatch,
    EnumViolation,
    DuplicateId,
    IdReusedAcrossTurns,
    FinishReasonWrong,
}

/// A fault in what an argument says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArgumentFinding {
    /// JSON pointer into the arguments.
    pub path: String,
    /// What it is; the most specific word wins.
    pub finding: ArgumentFault,
    /// Whether it counts.
    pub counted: bool,
    /// What it rests on.
    pub basis: Basis,
    /// Whether the schema requires the key and the request never gave a value for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    /// A word on why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What a finding rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// The probe says what is right: confirmed.
    Oracle,
    /// The conversation gives no ground for the value: suspected.
    Grounding,
    /// The schema alone.
    Schema,
}

/// The words for argument faults (DESIGN.md 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each word says it")]
pub enum ArgumentFault {
    FabricatedId,
    FabricatedContact,
    FabricatedPath,
    FabricatedValue,
    Placeholder,
    StaleDate,
    StaleValue,
    InventedOptional,
    WrongPrincipal,
    UndeclaredKey,
    EnumViolation,
    TypeMismatch,
    CopiedExample,
    FillerString,
    FillerZero,
    FillerEmpty,
    FillerNull,
}
