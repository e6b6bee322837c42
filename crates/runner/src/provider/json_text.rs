//! JSON put together from JSON texts: what comes from files and bodies is spliced in as it stands.

use serde::Serialize;
use transcript::RawJson;

/// A value of ours as JSON text. Types of ours always print as JSON.
pub(super) fn json_text<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

/// An object under way.
#[derive(Debug)]
pub(super) struct Object(String);

impl Object {
    pub(super) fn new() -> Self {
        Self("{".to_owned())
    }

    /// Appends a member; the value is JSON text.
    pub(super) fn member(&mut self, key: &str, value: &str) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push_str(&json_text(key));
        self.0.push(':');
        self.0.push_str(value);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.len() == 1
    }

    pub(super) fn finish(mut self) -> String {
        self.0.push('}');
        self.0
    }

    pub(super) fn into_raw(self) -> RawJson {
        raw(&self.finish())
    }
}

/// An array of JSON texts.
pub(super) fn array<T: AsRef<str>>(elements: impl IntoIterator<Item = T>) -> String {
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

/// JSON text as a value. Texts that were put together here are JSON.
pub(super) fn raw(json: &str) -> RawJson {
    RawJson::parse(json).unwrap_or_else(|_| RawJson::from_text(json))
}

/// Arguments of a canned call where a format wants them in place and not as a string. None at all are an empty
/// object; what is no JSON stays the string that it is.
pub(super) fn arguments_in_place(arguments: &str) -> String {
    match RawJson::parse(arguments) {
        Ok(raw) => raw.as_str().to_owned(),
        Err(_) if arguments.is_empty() => "{}".to_owned(),
        Err(_) => json_text(arguments),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stand_as_they_came() {
        let mut object = Object::new();
        assert!(object.is_empty());
        object.member("a\"", "1.0");
        object.member("b", r#""\u00e9""#);
        assert_eq!(object.into_raw().as_str(), r#"{"a\"":1.0,"b":"\u00e9"}"#);
        assert_eq!(array(["1", "{}"]), "[1,{}]");
    }

    #[test]
    fn arguments_are_taken_for_json_only_where_they_are() {
        assert_eq!(arguments_in_place(r#"{"n": 1.0}"#), r#"{"n":1.0}"#);
        assert_eq!(arguments_in_place(""), "{}");
        assert_eq!(arguments_in_place("{'n': 1}"), r#""{'n': 1}""#);
    }
}
