//! Names and arguments of calls, as they stand in a body.

use serde_json::value::RawValue;
use transcript::{Arguments, EmittedName};

use super::json_text::raw;
use crate::json;

/// A call's name.
pub(super) fn name(member: Option<&RawValue>) -> EmittedName {
    match member {
        None => EmittedName::Missing,
        Some(value) if json::is_null(value) => EmittedName::Null,
        Some(value) => {
            json::string(value).map_or_else(|| EmittedName::Other(raw(value.get())), EmittedName::Text)
        }
    }
}

/// A call's arguments, in a format that carries them as a string.
pub(super) fn arguments(member: Option<&RawValue>) -> Arguments {
    match member {
        None => Arguments::Missing,
        Some(value) => json::string(value).map_or_else(|| Arguments::Json(raw(value.get())), Arguments::Text),
    }
}
