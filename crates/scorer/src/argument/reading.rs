//! Reads the text of a call's arguments: from what arrived to a JSON object, or to the fault that keeps it from
//! being one. Nothing is repaired: what had to be decoded a second time is said, and the object is then only
//! looked at for what its values claim.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;
use serde_json::{Map, Value};

use crate::finding::FormatFinding;

/// How often a string is decoded again in the search for an object.
const MAX_LAYERS: usize = 4;

/// What the text of a call's arguments turned out to be.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reading {
    /// The object, where there is one at any depth of encoding.
    pub(super) object: Option<Map<String, Value>>,
    /// Whether the object is what arrived, as it stands: only then can it be held against a schema.
    pub(super) as_it_stands: bool,
    /// Faults of the text, root cause first.
    pub(super) faults: Vec<FormatFinding>,
}

impl Reading {
    fn unreadable(faults: Vec<FormatFinding>) -> Self {
        Self { object: None, as_it_stands: false, faults }
    }
}

/// Reads arguments. Nothing at all, white space, `""` and `null` are `{}` (wire cases, rule 7).
pub(super) fn read(text: &str) -> Reading {
    let text = text.trim();
    if text.is_empty() || text == "null" || text == "\"\"" {
        return Reading { object: Some(Map::new()), as_it_stands: true, faults: Vec::new() };
    }
    match parse(text) {
        Ok((Value::Object(object), repeated)) => Reading {
            object: Some(object),
            as_it_stands: true,
            faults: if repeated { vec![FormatFinding::DuplicateKey] } else { Vec::new() },
        },
        Ok((Value::String(inner), _)) => read_again(&inner),
        Ok(_) => Reading::unreadable(vec![FormatFinding::ArgumentsNotObject]),
        Err(error) => Reading::unreadable(name_fault(text, &error)),
    }
}

/// A JSON string: it may hold the object, encoded once more.
fn read_again(inner: &str) -> Reading {
    let mut layer = inner.to_owned();
    for _ in 0..MAX_LAYERS {
        match parse(layer.trim()) {
            Ok((Value::Object(object), repeated)) => {
                let mut faults = vec![FormatFinding::ArgumentsDoubleEncoded];
                if repeated {
                    faults.push(FormatFinding::DuplicateKey);
                }
                return Reading { object: Some(object), as_it_stands: false, faults };
            }
            Ok((Value::String(deeper), _)) => layer = deeper,
            _ => break,
        }
    }
    Reading::unreadable(vec![FormatFinding::ArgumentsNotObject])
}

/// Why a text is no JSON: the root cause first, then what shows it.
fn name_fault(text: &str, error: &serde_json::Error) -> Vec<FormatFinding> {
    if let Some(faults) = concatenated(text) {
        return faults;
    }
    if error.classify() == Category::Eof {
        return vec![FormatFinding::ArgumentsTruncated];
    }
    let mut faults = vec![FormatFinding::ArgumentsNotJson];
    let marks = marks_of(text);
    if marks.python {
        faults.push(FormatFinding::PythonLiteral);
    }
    if marks.trailing_comma {
        faults.push(FormatFinding::TrailingComma);
    }
    faults
}

/// Several JSON objects, one behind the other, in one text.
fn concatenated(text: &str) -> Option<Vec<FormatFinding>> {
    let mut objects = 0_usize;
    for value in serde_json::Deserializer::from_str(text).into_iter::<Map<String, Value>>() {
        match value {
            Ok(_) => objects += 1,
            Err(error) if objects > 0 && error.classify() == Category::Eof => {
                return Some(vec![FormatFinding::ArgumentsConcatenated, FormatFinding::ArgumentsTruncated]);
            }
            Err(_) => return None,
        }
    }
    (objects > 1).then(|| vec![FormatFinding::ArgumentsConcatenated])
}

/// What shows outside double-quoted strings.
#[derive(Debug, Default)]
struct Marks {
    python: bool,
    trailing_comma: bool,
}

fn marks_of(text: &str) -> Marks {
    let mut marks = Marks::default();
    let mut quote: Option<char> = None;
    let mut escaped = false;
    let mut after_comma = false;
    let mut word = String::new();
    for character in text.chars() {
        if let Some(open) = quote {
            match character {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                _ if character == open => quote = None,
                _ => {}
            }
            continue;
        }
        if character.is_alphanumeric() {
            word.push(character);
        } else {
            marks.python |= matches!(word.as_str(), "True" | "False" | "None");
            word.clear();
        }
        match character {
            '"' => quote = Some('"'),
            '\'' => {
                marks.python = true;
                quote = Some('\'');
            }
            '}' | ']' if after_comma => marks.trailing_comma = true,
            _ => {}
        }
        if !character.is_whitespace() {
            after_comma = character == ',';
        }
    }
    marks
}

/// Parses one JSON value and says whether an object in it has a key twice. `serde_json` keeps the last one.
///
/// # Errors
/// The text is not exactly one JSON value that `serde_json::Value` can hold.
fn parse(text: &str) -> Result<(Value, bool), serde_json::Error> {
    let repeated = Cell::new(false);
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Watching { repeated: &repeated }.deserialize(&mut reader)?;
    reader.end()?;
    Ok((value, repeated.get()))
}

/// Builds a value and watches for repeated keys on the way.
#[derive(Clone, Copy)]
struct Watching<'a> {
    repeated: &'a Cell<bool>,
}

impl<'de> DeserializeSeed<'de> for Watching<'_> {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Watching<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = items.next_element_seed(self)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            let value = members.next_value_seed(self)?;
            if object.insert(key, value).is_some() {
                self.repeated.set(true);
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use FormatFinding::{
        ArgumentsConcatenated, ArgumentsDoubleEncoded, ArgumentsNotJson, ArgumentsNotObject,
        ArgumentsTruncated, DuplicateKey, PythonLiteral, TrailingComma,
    };

    fn faults(text: &str) -> Vec<FormatFinding> {
        read(text).faults
    }

    #[test]
    fn nothing_counts_as_an_empty_object() {
        for text in ["", "  ", "null", "\"\"", "{}", " { } "] {
            let reading = read(text);
            assert_eq!(reading.object, Some(Map::new()), "{text:?}");
            assert!(reading.as_it_stands && reading.faults.is_empty(), "{text:?}");
        }
    }

    #[test]
    fn says_why_a_text_is_no_object() {
        let cases: &[(&str, &[FormatFinding])] = &[
            (r#"{"shelf": "B4", "depth": 2}"#, &[]),
            (r#"{"shelf": "B4", "#, &[ArgumentsTruncated]),
            (r#"{"shelf": "B"#, &[ArgumentsTruncated]),
            (r#"{"depth": tr"#, &[ArgumentsTruncated]),
            (r#"{"shelf": "B4"}{"shelf": "B5"}"#, &[ArgumentsConcatenated]),
            ("{\"shelf\": \"B4\"}\n{\"shelf\": \"B4\"}", &[ArgumentsConcatenated]),
            (r#"{"shelf": "B4"}{"shelf":"#, &[ArgumentsConcatenated, ArgumentsTruncated]),
            (r#"{"shelf": "B4",}"#, &[ArgumentsNotJson, TrailingComma]),
            (r#"{"rows": [1, 2, ]}"#, &[ArgumentsNotJson, TrailingComma]),
            (r#"{'shelf': 'B4'}"#, &[ArgumentsNotJson, PythonLiteral]),
            (r#"{"deep": True}"#, &[ArgumentsNotJson, PythonLiteral]),
            (r#"{'deep': None,}"#, &[ArgumentsNotJson, PythonLiteral, TrailingComma]),
            (r#"{shelf: "True, ]"}"#, &[ArgumentsNotJson]),
            ("shelf B4", &[ArgumentsNotJson]),
            (r#"{"shelf": "B4"} thanks"#, &[ArgumentsNotJson]),
            (r#"["B4"]"#, &[ArgumentsNotObject]),
            ("12", &[ArgumentsNotObject]),
            (r#""B4""#, &[ArgumentsNotObject]),
            (r#""[1]""#, &[ArgumentsNotObject]),
            (r#""{\"shelf\": \"B4\"}""#, &[ArgumentsDoubleEncoded]),
            (r#"{"shelf": "B4", "shelf": "B5"}"#, &[DuplicateKey]),
            (r#"{"at": {"row": 1, "row": 1}}"#, &[DuplicateKey]),
            (r#"{"at": {"row": 1}, "row": 1}"#, &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(&faults(text), expected, "{text}");
        }
    }

    #[test]
    fn decodes_an_object_below_several_layers_and_says_so() {
        let twice = serde_json::to_string(&serde_json::to_string(r#"{"shelf":"B4"}"#).unwrap()).unwrap();
        let reading = read(&twice);
        assert_eq!(reading.object, json!({"shelf": "B4"}).as_object().cloned());
        assert!(!reading.as_it_stands);
        assert_eq!(reading.faults, [ArgumentsDoubleEncoded]);
    }

    #[test]
    fn keeps_the_last_of_repeated_keys() {
        let reading = read(r#"{"row": 1, "row": 2}"#);
        assert_eq!(reading.object, json!({"row": 2}).as_object().cloned());
        assert!(reading.as_it_stands);
    }

    #[test]
    fn depth_that_no_reader_takes_is_a_fault_and_no_crash() {
        let deep = "[".repeat(100_000);
        assert_eq!(faults(&deep)[0], ArgumentsNotJson);
    }
}
