//! JSON kept as text. Schemas, arguments and bodies are evidence: the text of numbers, the order of keys,
//! repeated keys and escapes survive; only insignificant white space is removed (DESIGN.md section 5).

use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// A JSON value as text, without insignificant white space. Equality and hashing are those of the text.
///
/// It can be read and written by `serde_json` only, and not below an untagged, internally tagged or flattened
/// type: those buffer the value and lose its text.
#[derive(Clone)]
pub struct RawJson(Box<RawValue>);

/// The text is not one JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawJsonError {
    /// What `serde_json` said, with line and column.
    pub message: String,
    /// Line of the mistake, from 1.
    pub line: usize,
    /// Column of the mistake, from 1.
    pub column: usize,
}

impl RawJson {
    /// Takes one JSON value as text and drops its insignificant white space.
    ///
    /// # Errors
    /// The text is not exactly one JSON value.
    pub fn parse(text: &str) -> Result<Self, RawJsonError> {
        let raw: &RawValue = serde_json::from_str(text).map_err(|error| RawJsonError {
            message: error.to_string(),
            line: error.line(),
            column: error.column(),
        })?;
        Ok(Self::from_raw(raw))
    }

    /// Writes a parsed value as text.
    #[must_use]
    pub fn from_value(value: &serde_json::Value) -> Self {
        Self(RawValue::from_string(value.to_string()).expect("a value prints as JSON"))
    }

    /// Writes a string as a JSON string.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        Self::from_value(&serde_json::Value::String(text.to_owned()))
    }

    fn from_raw(raw: &RawValue) -> Self {
        let text = raw.get();
        if !needs_minifying(text) {
            return Self(raw.to_owned());
        }
        Self(RawValue::from_string(minify(text)).expect("JSON without white space is JSON"))
    }

    /// The JSON text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.get()
    }

    /// Parses the text; `None` where `serde_json::Value` cannot hold it (a lone surrogate, `1e400`, depth).
    /// Of repeated keys it keeps the last.
    #[must_use]
    pub fn to_value(&self) -> Option<serde_json::Value> {
        serde_json::from_str(self.as_str()).ok()
    }

    /// The decoded string, where the value is a JSON string.
    #[must_use]
    pub fn to_text(&self) -> Option<String> {
        serde_json::from_str(self.as_str()).ok()
    }

    /// Whether the value is an object.
    #[must_use]
    pub fn is_object(&self) -> bool {
        self.as_str().starts_with('{')
    }

    /// Whether the value is `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.as_str() == "null"
    }
}

/// White space outside strings, in one pass; strings, most of a text, are skipped whole.
fn needs_minifying(text: &str) -> bool {
    let mut left = text.as_bytes();
    loop {
        let Some(at) = left.iter().position(|byte| matches!(byte, b'"' | b' ' | b'\t' | b'\n' | b'\r'))
        else {
            return false;
        };
        if left[at] != b'"' {
            return true;
        }
        left = behind_string(&left[at + 1..]);
    }
}

/// What stands behind a string whose quotation mark was passed.
fn behind_string(mut left: &[u8]) -> &[u8] {
    while let Some(at) = memchr::memchr2(b'"', b'\\', left) {
        // Behind a backslash stands one character that ends nothing.
        let passed = if left[at] == b'"' { at + 1 } else { at + 2 };
        let is_end = left[at] == b'"';
        left = left.get(passed..).unwrap_or_default();
        if is_end {
            return left;
        }
    }
    &[]
}

fn minify(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_string = false;
    let mut escaped = false;
    for character in text.chars() {
        if in_string {
            match character {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => in_string = false,
                _ => {}
            }
            out.push(character);
        } else if !matches!(character, ' ' | '\t' | '\n' | '\r') {
            in_string = character == '"';
            out.push(character);
        }
    }
    out
}

impl fmt::Debug for RawJson {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "RawJson({})", self.as_str())
    }
}

impl fmt::Display for RawJson {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl PartialEq for RawJson {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for RawJson {}

impl Hash for RawJson {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RawJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw: Box<RawValue> = Deserialize::deserialize(deserializer)?;
        if needs_minifying(raw.get()) { Ok(Self::from_raw(&raw)) } else { Ok(Self(raw)) }
    }
}

impl schemars::JsonSchema for RawJson {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "AnyJson".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!(true)
    }

    fn inline_schema() -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_numbers_key_order_repeats_and_escapes() {
        let text = "{ \"b\" : 1.0, \"a\":1E2,\n \"a\": 9007199254740993, \"s\": \"x \\u00e9 \\\" y\" }";
        let raw = RawJson::parse(text).unwrap();
        assert_eq!(raw.as_str(), r#"{"b":1.0,"a":1E2,"a":9007199254740993,"s":"x \u00e9 \" y"}"#);
        let again: RawJson = serde_json::from_str(&serde_json::to_string(&raw).unwrap()).unwrap();
        assert_eq!(again, raw);
    }

    #[test]
    fn white_space_in_strings_stays_and_outside_of_them_goes() {
        for text in [r#"{"a b":"c \" d","e":["\\"," "]}"#, r#""x \\""#, "1", "[]", r#"["\\\" ]",1]"#] {
            assert!(!needs_minifying(text), "{text}");
            assert_eq!(RawJson::parse(text).unwrap().as_str(), text);
        }
        for text in [r#"{"a":"\\" }"#, "[ ]", r#"["a" ,1]"#, "[\"\\\"\",\t1]", "{\"a\":1}\n", "1\r\n"] {
            assert!(needs_minifying(text), "{text}");
        }
        assert_eq!(RawJson::parse(r#"["\\" , " \" "]"#).unwrap().as_str(), r#"["\\"," \" "]"#);
    }

    #[test]
    fn says_where_text_is_no_json() {
        let error = RawJson::parse("{\"a\":\n  nul}").unwrap_err();
        assert_eq!(error.line, 2);
    }
}
