//! A function that a case offers, by the name that its benchmark gives it.

use serde_json::{Map, Value};
use transcript::RawJson;

use crate::schema;

/// One function, its schema in JSON Schema.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Function {
    /// The benchmark's own name for it.
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) parameters: Value,
}

impl Function {
    /// From `{name, description, parameters}`, also within `{function: ...}`; `Err` says what is missing.
    pub(crate) fn of(written: &Value) -> Result<Self, String> {
        let written = written.get("function").filter(|inner| inner.is_object()).unwrap_or(written);
        let Some(name) = written.get("name").and_then(Value::as_str).filter(|name| !name.is_empty()) else {
            return Err("a function has no `name`".to_owned());
        };
        let schema = ["parameters", "inputSchema", "arguments"].iter().find_map(|key| written.get(*key));
        let parameters = schema::parameters(schema).map_err(|why| format!("function `{name}`: {why}"))?;
        let description = written.get("description").and_then(Value::as_str).map(str::to_owned);
        Ok(Self { name: name.to_owned(), description, parameters })
    }

    /// The functions of a list, which may be written as texts of JSON.
    pub(crate) fn list(written: Option<&Value>) -> Result<Vec<Self>, String> {
        let text = written.and_then(Value::as_str).map(parsed).transpose()?;
        let Some(Value::Array(all)) = text.as_ref().or(written) else {
            return Err("it has no list of functions".to_owned());
        };
        let one = |function: &Value| match function {
            Value::String(text) => Self::of(&parsed(text)?),
            function => Self::of(function),
        };
        let mut functions: Vec<Self> = Vec::new();
        for function in all {
            let function = one(function)?;
            match functions.iter().find(|other| other.name == function.name) {
                Some(other) if *other != function => {
                    return Err(format!("it offers two functions of the name `{}`", function.name));
                }
                Some(_) => {}
                None => functions.push(function),
            }
        }
        Ok(functions)
    }

    /// Whether the schema itself requires an argument.
    pub(crate) fn requires(&self, argument: &str) -> bool {
        self.required().any(|name| name == argument)
    }

    /// The arguments that the schema itself requires.
    pub(crate) fn required(&self) -> impl Iterator<Item = &str> {
        self.parameters
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
    }

    /// The arguments in the order of the schema.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = &str> {
        let properties = self.parameters.get("properties").and_then(Value::as_object);
        properties.into_iter().flat_map(Map::keys).map(String::as_str)
    }

    /// What tells it from another function of its name.
    pub(crate) fn definition(&self) -> String {
        let description = self
            .description
            .as_deref()
            .map_or_else(|| "null".to_owned(), |text| RawJson::from_text(text).as_str().to_owned());
        format!("{description}{}", self.parameters)
    }
}

fn parsed(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|_| "a function is text that is no JSON".to_owned())
}
