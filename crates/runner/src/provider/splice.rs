//! Changes in JSON texts that leave all else as it stands, and small texts by hand.

use super::json_text::Object;
use crate::json::{self, Members};

/// An object of one member; the value is JSON text.
pub(super) fn object(key: &str, value: &str) -> String {
    let mut out = Object::new();
    out.member(key, value);
    out.finish()
}

pub(super) fn boolean(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

/// These members with one put to a value, in its place or at the end.
pub(super) fn put(members: &Members<'_>, key: &str, value: &str) -> String {
    let mut out = Object::new();
    for (name, own) in members.iter() {
        out.member(name, if name == key { value } else { own.get() });
    }
    if !members.has(key) {
        out.member(key, value);
    }
    out.finish()
}

/// `put` for an object in JSON text; none where the text is no object.
pub(super) fn put_in(object: &str, key: &str, value: &str) -> Option<String> {
    json::parse_members(object).map(|members| put(&members, key, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_is_put_in_its_place_or_at_the_end() {
        assert_eq!(put_in(r#"{"a":1E2,"b":2}"#, "a", "7").unwrap(), r#"{"a":7,"b":2}"#);
        assert_eq!(put_in(r#"{"a":1E2}"#, "b", "7").unwrap(), r#"{"a":1E2,"b":7}"#);
        assert_eq!(put_in("{}", "b", "7").unwrap(), r#"{"b":7}"#);
        assert!(put_in("[]", "b", "7").is_none());
    }
}
