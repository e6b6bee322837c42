//! One walk over a schema, for what a provider's strict mode refuses.

use serde_json::{Map, Value};

use crate::argument::step;

/// How deep and how far a schema is looked into.
const MAX_STEPS: usize = 5_000;

/// A provider's strict mode.
pub(super) struct Provider {
    pub(super) name: &'static str,
    /// What it is called in messages.
    pub(super) mode: &'static str,
    pub(super) help: &'static str,
    /// Whether every object must close itself with `additionalProperties: false`.
    closed: bool,
    /// Whether every property must be required.
    all_required: bool,
    /// Keywords that it refuses.
    refused: &'static [&'static str],
    /// Whether an enum may hold text alone, and no empty one.
    text_enums: bool,
    /// Whether `type` must be one word, and no list of words.
    one_type: bool,
    /// The greatest `minItems` that it enforces; none: any.
    most_items_at_least: Option<u64>,
    /// Whether the root may be an `anyOf`.
    any_of_at_root: bool,
}

/// OpenAI: the guide to structured outputs, "supported schemas". Anthropic: the guide to structured outputs,
/// "JSON Schema limitations"; its SDKs move limits into descriptions. Gemini: `Schema` of the API reference, which
/// `parameters` takes; `parametersJsonSchema` takes more.
pub(super) const PROVIDERS: &[Provider] = &[
    Provider {
        name: "OpenAI",
        mode: "OpenAI's strict subset",
        help: "strict mode needs `additionalProperties: false` and every property in `required`, optional ones as a union with null",
        closed: true,
        all_required: true,
        refused: &[
            "allOf",
            "oneOf",
            "not",
            "if",
            "then",
            "else",
            "dependentRequired",
            "dependentSchemas",
            "patternProperties",
            "propertyNames",
            "unevaluatedProperties",
            "unevaluatedItems",
            "contains",
            "uniqueItems",
            "minProperties",
            "maxProperties",
        ],
        text_enums: false,
        one_type: false,
        most_items_at_least: None,
        any_of_at_root: false,
    },
    Provider {
        name: "Anthropic",
        mode: "Anthropic's strict subset",
        help: "strict mode needs `additionalProperties: false`; limits of numbers, texts and lists are not enforced, so say them in the description",
        closed: true,
        all_required: false,
        refused: &[
            "oneOf",
            "not",
            "if",
            "then",
            "else",
            "dependentRequired",
            "dependentSchemas",
            "patternProperties",
            "propertyNames",
            "contains",
            "uniqueItems",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "minLength",
            "maxLength",
            "maxItems",
            "minProperties",
            "maxProperties",
        ],
        text_enums: false,
        one_type: false,
        most_items_at_least: Some(1),
        any_of_at_root: true,
    },
    Provider {
        name: "Gemini",
        mode: "what Gemini's `parameters` takes",
        help: "send it as `parametersJsonSchema`, or write members as text",
        closed: false,
        all_required: false,
        refused: &[
            "oneOf",
            "allOf",
            "not",
            "if",
            "const",
            "$ref",
            "$defs",
            "definitions",
            "patternProperties",
            "propertyNames",
            "contains",
            "uniqueItems",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
        ],
        text_enums: true,
        one_type: true,
        most_items_at_least: None,
        any_of_at_root: true,
    },
];

/// One thing that is refused.
pub(super) struct Fault {
    /// JSON pointer within the schema.
    pub(super) pointer: String,
    pub(super) what: String,
}

/// What a provider refuses in a schema, in the order of the schema.
pub(super) fn faults(schema: &Value, provider: &Provider) -> Vec<Fault> {
    let mut walk = Walk { provider, faults: Vec::new(), steps: 0 };
    walk.schema(schema, String::new());
    walk.faults
}

struct Walk<'a> {
    provider: &'a Provider,
    faults: Vec<Fault>,
    steps: usize,
}

impl Walk<'_> {
    fn schema(&mut self, schema: &Value, pointer: String) {
        self.steps += 1;
        let Some(members) = schema.as_object().filter(|_| self.steps <= MAX_STEPS) else { return };
        for key in self.provider.refused.iter().filter(|key| members.contains_key(**key)) {
            self.fault(format!("{pointer}/{key}"), format!("`{key}`"));
        }
        self.object(members, &pointer);
        self.members(members, &pointer);
        for (key, value) in members {
            let below = format!("{pointer}/{}", step(key));
            match (key.as_str(), value) {
                ("properties" | "$defs" | "definitions", Value::Object(schemas)) => {
                    for (name, schema) in schemas {
                        self.schema(schema, format!("{below}/{}", step(name)));
                    }
                }
                ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(schemas)) => {
                    for (at, schema) in schemas.iter().enumerate() {
                        self.schema(schema, format!("{below}/{at}"));
                    }
                }
                ("items" | "additionalProperties" | "not", Value::Object(_)) => self.schema(value, below),
                _ => {}
            }
        }
    }

    fn object(&mut self, members: &Map<String, Value>, pointer: &str) {
        let is_object = members.contains_key("properties")
            || members.get("type").is_some_and(|name| *name == "object" || *name == "OBJECT");
        if !is_object {
            return;
        }
        let properties = members.get("properties").and_then(Value::as_object);
        if self.provider.closed {
            match members.get("additionalProperties") {
                Some(Value::Bool(false)) => {}
                Some(Value::Object(_)) => {
                    let what = "maps with keys of any name".to_owned();
                    self.fault(format!("{pointer}/additionalProperties"), what);
                }
                _ if properties.is_none() && !pointer.is_empty() => {
                    self.fault(pointer.to_owned(), "maps with keys of any name".to_owned());
                }
                _ => self.fault(pointer.to_owned(), "`additionalProperties` is not false".to_owned()),
            }
        }
        let required = members.get("required").and_then(Value::as_array);
        let is_required = |name: &str| required.is_some_and(|list| list.iter().any(|item| *item == *name));
        let optional = properties.and_then(|properties| properties.keys().find(|name| !is_required(name)));
        if let Some(optional) = optional.filter(|_| self.provider.all_required) {
            let place = format!("{pointer}/properties/{}", step(optional));
            self.fault(place, "arguments that are not in `required`".to_owned());
        }
    }

    fn members(&mut self, members: &Map<String, Value>, pointer: &str) {
        if self.provider.one_type && members.get("type").is_some_and(Value::is_array) {
            self.fault(format!("{pointer}/type"), "lists of types".to_owned());
        }
        let least = members.get("minItems").and_then(Value::as_u64);
        if least.zip(self.provider.most_items_at_least).is_some_and(|(least, most)| least > most) {
            self.fault(format!("{pointer}/minItems"), "`minItems` above 1".to_owned());
        }
        if pointer.is_empty() && !self.provider.any_of_at_root && members.contains_key("anyOf") {
            self.fault("/anyOf".to_owned(), "`anyOf` at the root".to_owned());
        }
        let list = members.get("enum").and_then(Value::as_array).filter(|_| self.provider.text_enums);
        for member in list.into_iter().flatten() {
            match member {
                Value::String(text) if !text.is_empty() => continue,
                Value::String(_) => {
                    self.fault(format!("{pointer}/enum"), "an empty member of `enum`".to_owned())
                }
                _ => self.fault(format!("{pointer}/enum"), "members of `enum` that are no text".to_owned()),
            }
            return;
        }
    }

    fn fault(&mut self, pointer: String, what: String) {
        self.faults.push(Fault { pointer, what });
    }
}
