//! Reads JSON bodies member by member. Bodies are hostile: one member that cannot be held (a lone surrogate,
//! a number beyond the range, deep nesting) must not hide the others, so nothing is parsed as a whole.

use std::fmt;

use indexmap::IndexMap;
use serde::de::{Deserializer as _, Visitor};
use serde_json::value::RawValue;

/// The members of an object, in order; of repeated keys the last value.
pub(crate) type Members<'a> = IndexMap<String, &'a RawValue>;

/// The members of an object; `None` where the value is none.
pub(crate) fn members(raw: &RawValue) -> Option<Members<'_>> {
    parse_members(raw.get())
}

/// The members of an object in JSON text.
pub(crate) fn parse_members(text: &str) -> Option<Members<'_>> {
    if text.starts_with('{') { serde_json::from_str(text).ok() } else { None }
}

/// The elements of an array; `None` where the value is none.
pub(crate) fn elements(raw: &RawValue) -> Option<Vec<&RawValue>> {
    if raw.get().starts_with('[') { serde_json::from_str(raw.get()).ok() } else { None }
}

/// A string, decoded; `None` where the value is none. A lone surrogate becomes U+FFFD.
pub(crate) fn string(raw: &RawValue) -> Option<String> {
    if !raw.get().starts_with('"') {
        return None;
    }
    serde_json::from_str(raw.get()).ok().or_else(|| lossy(raw.get()))
}

/// A string as it is, any other value but `null` as JSON text.
pub(crate) fn string_or_text(raw: &RawValue) -> Option<String> {
    string(raw).or_else(|| (!is_null(raw)).then(|| raw.get().to_owned()))
}

/// A count; `None` where the value is no whole number of at least 0.
pub(crate) fn count(raw: &RawValue) -> Option<u64> {
    serde_json::from_str(raw.get()).ok()
}

/// Whether the value is `null`.
pub(crate) fn is_null(raw: &RawValue) -> bool {
    raw.get() == "null"
}

/// A member that is there and not `null`.
pub(crate) fn present<'a>(members: &Members<'a>, key: &str) -> Option<&'a RawValue> {
    members.get(key).copied().filter(|raw| !is_null(raw))
}

/// A member that is a string with something in it.
pub(crate) fn present_string(members: &Members<'_>, key: &str) -> Option<String> {
    present(members, key).and_then(string).filter(|text| !text.is_empty())
}

/// `serde_json` refuses lone surrogates in a `String` and hands them over as bytes.
fn lossy(text: &str) -> Option<String> {
    struct Lossy;
    impl Visitor<'_> for Lossy {
        type Value = String;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a string")
        }

        fn visit_bytes<E>(self, bytes: &[u8]) -> Result<String, E> {
            Ok(String::from_utf8_lossy(bytes).into_owned())
        }
    }
    serde_json::Deserializer::from_str(text).deserialize_bytes(Lossy).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn a_lone_surrogate_hides_neither_its_string_nor_its_neighbours() {
        let body = raw(r#"{"a":"cut \ud83d","n":1e999,"b":"whole"}"#);
        let members = members(&body).unwrap();
        assert!(string(members["a"]).unwrap().starts_with("cut \u{fffd}"));
        assert_eq!(count(members["n"]), None);
        assert_eq!(string(members["b"]).as_deref(), Some("whole"));
    }

    #[test]
    fn other_shapes_are_none() {
        assert!(members(&raw("[1]")).is_none());
        assert!(elements(&raw("{}")).is_none());
        assert!(string(&raw("7")).is_none());
        assert_eq!(string_or_text(&raw("7")).as_deref(), Some("7"));
        assert_eq!(string_or_text(&raw("null")), None);
    }
}
