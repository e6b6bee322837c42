//! JSON put together from JSON texts: what comes from files and bodies is spliced in as it stands.

use serde::Serialize;
use transcript::RawJson;

/// A value of ours as JSON text. Types of ours always print as JSON.
pub(super) fn text<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

/// An object under way.
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
        self.0.push_str(&text(key));
        self.0.push(':');
        self.0.push_str(value);
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
pub(super) fn array<T: AsRef<str>>(elements: &[T]) -> String {
    let elements: Vec<&str> = elements.iter().map(AsRef::as_ref).collect();
    format!("[{}]", elements.join(","))
}

/// JSON text as a value. Texts that were put together here are JSON.
pub(super) fn raw(json: &str) -> RawJson {
    RawJson::parse(json).unwrap_or_else(|_| RawJson::from_text(json))
}
