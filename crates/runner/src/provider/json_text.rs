//! JSON put together from texts, so that what is handed on keeps its own words: numbers, escapes, order of keys.

use transcript::RawJson;

use crate::json::{self, Members};

/// An object under way.
pub(super) struct Object(String);

impl Object {
    pub(super) fn new() -> Self {
        Self("{".to_owned())
    }

    /// Appends a member whose value is JSON.
    pub(super) fn member(&mut self, key: &str, value: &str) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push_str(&string(key));
        self.0.push(':');
        self.0.push_str(value);
    }

    /// Appends a member that is a string.
    pub(super) fn text(&mut self, key: &str, value: &str) {
        self.member(key, &string(value));
    }

    pub(super) fn finish(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

/// An object of one member.
pub(super) fn object(key: &str, value: &str) -> String {
    let mut out = Object::new();
    out.member(key, value);
    out.finish()
}

/// A list of JSON texts.
pub(super) fn list<T: AsRef<str>>(elements: impl IntoIterator<Item = T>) -> String {
    let mut out = String::from("[");
    for element in elements {
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str(element.as_ref());
    }
    out.push(']');
    out
}

/// A JSON string.
pub(super) fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A text of ours as raw JSON.
pub(super) fn raw(text: &str) -> RawJson {
    RawJson::parse(text).unwrap_or_else(|_| RawJson::from_text(text))
}

pub(super) fn boolean(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

/// These members with one put to a value, in its place or at the end; all else as it stands.
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
    fn texts_are_kept() {
        assert_eq!(object("a\n", "[1.0]"), r#"{"a\n":[1.0]}"#);
        assert_eq!(list(["1", "{}"]), "[1,{}]");
        assert_eq!(list([] as [&str; 0]), "[]");
    }

    #[test]
    fn a_member_is_put_in_its_place_or_at_the_end() {
        assert_eq!(put_in(r#"{"a":1E2,"b":2}"#, "a", "7").unwrap(), r#"{"a":7,"b":2}"#);
        assert_eq!(put_in(r#"{"a":1E2}"#, "b", "7").unwrap(), r#"{"a":1E2,"b":7}"#);
        assert_eq!(put_in("{}", "b", "7").unwrap(), r#"{"b":7}"#);
        assert!(put_in("[]", "b", "7").is_none());
    }
}
