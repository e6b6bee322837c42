//! Compiled schemas and patterns, kept for as long as a scoring takes: a catalog's schemas are few and its
//! calls are many.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, Validator};
use regex::Regex;
use serde_json::Value;

use super::declared::Declared;

/// One schema, ready to judge with.
pub(super) struct Compiled {
    /// None where the text is no JSON Schema: validity cannot be asked then.
    pub(super) validator: Option<Validator>,
    /// What it declares.
    pub(super) declared: Declared,
}

/// A thread-safe cache of compiled schemas and patterns, by their text.
#[derive(Default)]
pub struct Schemas {
    compiled: RwLock<HashMap<Box<str>, Arc<Compiled>>>,
    patterns: RwLock<HashMap<Box<str>, Option<Regex>>>,
}

impl std::fmt::Debug for Schemas {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Schemas").finish_non_exhaustive()
    }
}

impl Schemas {
    /// An empty cache.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The compiled form of a schema's text.
    pub(super) fn compiled(&self, schema: &str) -> Arc<Compiled> {
        if let Some(known) = self.compiled.read().unwrap_or_else(PoisonError::into_inner).get(schema) {
            return Arc::clone(known);
        }
        let compiled = Arc::new(compile(schema));
        let mut cache = self.compiled.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(cache.entry(schema.into()).or_insert(compiled))
    }

    /// Whether a pattern matches a text as a whole; none where the pattern is no regular
    /// expression, or the text stands for a value that was taken out.
    pub(super) fn matches_whole(&self, pattern: &str, text: &str) -> Option<bool> {
        // What was taken out of the record cannot be held against a pattern.
        if transcript::RedactedKind::of_token(text).is_some() {
            return None;
        }
        if let Some(known) = self.patterns.read().unwrap_or_else(PoisonError::into_inner).get(pattern) {
            return known.as_ref().map(|regex| regex.is_match(text));
        }
        let regex = Regex::new(&format!("^(?:{pattern})$")).ok();
        let verdict = regex.as_ref().map(|regex| regex.is_match(text));
        self.patterns.write().unwrap_or_else(PoisonError::into_inner).insert(pattern.into(), regex);
        verdict
    }
}

/// Whether a schema takes a value. What stands for a text that was taken out has neither its form nor its length, and
/// where it was a number not even its type: none of that counts against it.
pub(super) fn is_valid(validator: &Validator, value: &Value) -> bool {
    let may_be = |error: jsonschema::ValidationError<'_>| {
        let stands_for = error.instance().as_str().and_then(transcript::RedactedKind::of_token).is_some();
        let of_its_form = matches!(
            error.kind(),
            ValidationErrorKind::Pattern { .. }
                | ValidationErrorKind::Format { .. }
                | ValidationErrorKind::MaxLength { .. }
                | ValidationErrorKind::MinLength { .. }
                | ValidationErrorKind::Type { .. }
        );
        stands_for && of_its_form
    };
    validator.is_valid(value) || validator.iter_errors(value).all(may_be)
}

fn compile(text: &str) -> Compiled {
    let Ok(mut schema) = serde_json::from_str::<Value>(text) else {
        return Compiled { validator: None, declared: Declared::default() };
    };
    plain_dialect(&mut schema);
    // Schemas come from users: the engine that cannot backtrack, and no reference is ever fetched.
    let validator = jsonschema::options().with_pattern_options(PatternOptions::regex()).build(&schema).ok();
    Compiled { validator, declared: Declared::of(&schema) }
}

/// Brings the two turns of phrase of OpenAPI that Gemini's tools use into plain JSON Schema: types in capitals,
/// and `nullable`.
fn plain_dialect(schema: &mut Value) {
    match schema {
        Value::Object(keywords) => {
            if let Some(Value::String(name)) = keywords.get_mut("type")
                && name.chars().all(|letter| letter.is_ascii_uppercase())
            {
                name.make_ascii_lowercase();
            }
            if keywords.get("nullable") == Some(&Value::Bool(true))
                && let Some(kind @ Value::String(_)) = keywords.get("type").cloned()
            {
                keywords.insert("type".to_owned(), Value::Array(vec![kind, "null".into()]));
            }
            for (keyword, below) in keywords.iter_mut() {
                // These hold values, not schemas.
                if !matches!(keyword.as_str(), "enum" | "const" | "default" | "example" | "examples") {
                    plain_dialect(below);
                }
            }
        }
        Value::Array(all) => all.iter_mut().for_each(plain_dialect),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn valid(schema: &str, value: &Value) -> Option<bool> {
        Schemas::new().compiled(schema).validator.as_ref().map(|validator| validator.is_valid(value))
    }

    #[test]
    fn a_schema_that_is_none_gives_no_answer() {
        assert_eq!(valid(r#"{"type": "object"}"#, &json!({})), Some(true));
        assert_eq!(valid(r#"{"type": "object"}"#, &json!([])), Some(false));
        assert_eq!(valid(r#"{"type": "objekt"}"#, &json!({})), None);
        assert_eq!(valid(r#"{"$ref": "https://schemas.invalid/x"}"#, &json!({})), None);
        assert_eq!(valid("{", &json!({})), None);
    }

    #[test]
    fn a_token_has_no_form_that_a_schema_could_refuse() {
        let schema = r#"{"properties":{"to":{"type":"string","pattern":"^[a-z]+@","maxLength":5},"n":{"type":"integer"}}}"#;
        let compiled = Schemas::new().compiled(schema);
        let taken = |value: Value| is_valid(compiled.validator.as_ref().unwrap(), &value);
        assert!(taken(json!({"to": "<email:12>", "n": "<private:1>"})));
        assert!(!taken(json!({"to": "<email:12>", "n": "one"})));
        assert!(!taken(json!({"to": "<mail>", "n": 1})));
    }

    #[test]
    fn capitals_and_nullable_are_understood() {
        let schema = r#"{"type":"OBJECT","properties":{"bin":{"type":"STRING","nullable":true,"enum":["STRING",null]}}}"#;
        assert_eq!(valid(schema, &json!({"bin": null})), Some(true));
        assert_eq!(valid(schema, &json!({"bin": "STRING"})), Some(true));
        assert_eq!(valid(schema, &json!({"bin": 1})), Some(false));
    }

    #[test]
    fn the_same_text_is_compiled_once() {
        let schemas = Schemas::new();
        assert!(Arc::ptr_eq(&schemas.compiled("{}"), &schemas.compiled("{}")));
    }

    #[test]
    fn patterns_match_whole_texts() {
        let schemas = Schemas::new();
        assert_eq!(schemas.matches_whole("a|bc", "bc"), Some(true));
        assert_eq!(schemas.matches_whole("a|bc", "abc"), Some(false));
        assert_eq!(schemas.matches_whole("(", "abc"), None);
        assert_eq!(schemas.matches_whole("(", "abc"), None);
    }
}
