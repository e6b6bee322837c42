//! OpenAPI documents (2.0, 3.0, 3.1, and 3.2 as far as it says the same) as tool lists: one tool an operation, named
//! by its `operationId`, or its method and path. Parameters and body become one object of arguments. What a document
//! describes beyond that (servers, security, answers, webhooks) no model is offered.

mod arguments;
mod inline;

use std::collections::HashSet;

use serde_json::{Map, Value};
use transcript::{RawJson, Tool};

use crate::document::{Document, Node, step};
use crate::error::Diagnostic;
use inline::Inliner;

/// The methods of a path, in the order in which documents list them. `query` came with 3.2.
const METHODS: &[&str] = &["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/// Tools of a document, and what the reader should know of them.
pub(super) struct Operations {
    pub(super) tools: Vec<Operation>,
    pub(super) notes: Vec<String>,
}

/// A tool, and where its operation stands.
pub(super) struct Operation {
    pub(super) tool: Tool,
    /// JSON pointer of the operation, or of its path where that refers to another.
    pub(super) entry: String,
}

/// Whether a document says that it is one of these.
pub(super) fn is_openapi(root: &Node) -> bool {
    (root.get("openapi").is_some() || root.get("swagger").is_some()) && root.get("tools").is_none()
}

/// Reads the operations.
pub(super) fn operations(document: &Document) -> Result<Operations, Diagnostic> {
    check_version(document)?;
    let root = document.root.to_value();
    let mut reading =
        Reading { inliner: Inliner::new(&root), root: &root, names: HashSet::new(), tools: Vec::new() };
    for (path, item) in members(root.get("paths")) {
        reading.path(path, item);
    }
    if reading.tools.is_empty() {
        let span = document
            .root
            .get("paths")
            .map_or(document.root.span().start..document.root.span().start + 1, |paths| {
                paths.span().start..paths.span().start + 1
            });
        return Err(document.source.diagnostic(&span, "the document describes no operation"));
    }
    Ok(Operations { notes: reading.inliner.notes(), tools: reading.tools })
}

fn check_version(document: &Document) -> Result<(), Diagnostic> {
    let named = ["openapi", "swagger"].iter().find_map(|key| document.root.get(key));
    let Some(node) = named else { return Ok(()) };
    let version = document.source.text.get(node.span()).unwrap_or_default().trim_matches(['"', '\'']);
    if version == "2.0" || ["3.0", "3.1", "3.2"].iter().any(|known| is_of(version, known)) {
        return Ok(());
    }
    let message = format!("OpenAPI version `{version}` is unknown");
    Err(document.source.diagnostic(&node.span(), message).help("this build reads 2.0, 3.0, 3.1 and 3.2"))
}

fn is_of(version: &str, known: &str) -> bool {
    version.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']))
}

pub(super) fn members(value: Option<&Value>) -> impl Iterator<Item = (&str, &Value)> {
    value.and_then(Value::as_object).into_iter().flatten().map(|(key, value)| (key.as_str(), value))
}

struct Reading<'a> {
    root: &'a Value,
    inliner: Inliner<'a>,
    names: HashSet<String>,
    tools: Vec<Operation>,
}

impl<'a> Reading<'a> {
    fn path(&mut self, path: &str, item: &'a Value) {
        let item = self.inliner.target(item);
        let more = members(item.get("additionalOperations"));
        let usual = METHODS.iter().filter_map(|method| Some((*method, item.get(method)?)));
        let operations: Vec<(&str, &'a Value)> = usual.chain(more).collect();
        for (method, operation) in operations.into_iter().filter(|(_, operation)| operation.is_object()) {
            self.operation(path, method, operation, item);
        }
    }

    fn operation(&mut self, path: &str, method: &str, operation: &'a Value, item: &'a Value) {
        let own =
            operation.get("operationId").and_then(Value::as_str).map(legal).filter(|name| !name.is_empty());
        let by_path = legal(&format!("{}_{}", method.to_lowercase(), path.replace(['{', '}'], "")));
        let name = self.unique(own.unwrap_or_else(|| by_path.clone()), &by_path);
        let mut tool = Tool::named(&name);
        let described =
            description(operation, item).unwrap_or_else(|| format!("{} {path}", method.to_uppercase()));
        tool.description = Some(RawJson::from_text(&described));
        tool.read_only = match method.to_lowercase().as_str() {
            "get" | "head" | "options" | "trace" | "query" => Some(true),
            "put" | "delete" | "patch" => Some(false),
            _ => None,
        };
        tool.deprecated = operation.get("deprecated") == Some(&Value::Bool(true));
        let tag = operation.get("tags").and_then(|tags| tags.get(0)).and_then(Value::as_str);
        tool.family = tag.filter(|tag| !tag.is_empty()).map(str::to_owned);
        let is_old = self.root.get("swagger").is_some();
        self.inliner.begin(&name);
        let schema: Map<String, Value> = arguments::schema(operation, item, is_old, &mut self.inliner);
        tool.input_schema = Some(RawJson::from_value(&schema.into()));
        let entry = format!("/paths/{}/{}", step(path), step(method));
        self.tools.push(Operation { tool, entry });
    }

    /// The name, or the one by its path where another operation has it already.
    fn unique(&mut self, name: String, by_path: &str) -> String {
        let mut candidate = name;
        let mut number = 1;
        while !self.names.insert(candidate.clone()) {
            candidate = if number == 1 { by_path.to_owned() } else { format!("{by_path}_{number}") };
            number += 1;
        }
        candidate
    }
}

/// Summary and description, as far as they are there.
fn description(operation: &Value, item: &Value) -> Option<String> {
    let text = |of: &Value, key| {
        of.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
    };
    match (text(operation, "summary"), text(operation, "description")) {
        (Some(summary), Some(more)) if more.starts_with(summary.as_str()) => Some(more),
        (Some(summary), Some(more)) => Some(format!("{}.\n{more}", summary.trim_end_matches('.'))),
        (Some(one), None) | (None, Some(one)) => Some(one),
        (None, None) => text(item, "summary").or_else(|| text(item, "description")),
    }
}

/// A name of the letters that every provider takes.
fn legal(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        let c = if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
        if !(c == '_' && out.ends_with('_')) {
            out.push(c);
        }
    }
    out.trim_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use crate::Catalog;

    fn read(document: &serde_json::Value) -> Result<Catalog, String> {
        Catalog::from_text(Path::new("shop.json"), &document.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn an_operation_is_a_tool() {
        let catalog = read(&json!({
            "openapi": "3.0.3",
            "paths": {
                "/crates/{crate_id}": {
                    "parameters": [{"name": "crate_id", "in": "path", "required": true, "schema": {"type": "string"}, "description": "Which."}],
                    "get": {"operationId": "crates.get", "summary": "Returns one crate", "tags": ["crates"]},
                    "patch": {
                        "parameters": [{"name": "dry", "in": "query", "schema": {"type": "boolean"}}, {"name": "Authorization", "in": "header", "schema": {"type": "string"}}],
                        "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Crate"}}}}
                    }
                }
            },
            "components": {"schemas": {"Crate": {
                "type": "object", "required": ["label", "made"],
                "properties": {
                    "label": {"type": "string", "nullable": true},
                    "made": {"type": "string", "readOnly": true},
                    "weight": {"type": "number", "minimum": 0, "exclusiveMinimum": true},
                    "inner": {"$ref": "#/components/schemas/Crate"}
                }
            }}}
        }))
        .unwrap();
        let [get, patch] = catalog.tools() else { panic!("{catalog:?}") };
        assert_eq!((get.name.as_str(), get.read_only, get.family()), ("crates_get", Some(true), "crates"));
        assert_eq!(get.description_text(), "Returns one crate");
        assert_eq!(
            get.input_schema.as_ref().unwrap().to_value().unwrap(),
            json!({"type": "object", "properties": {"crate_id": {"type": "string", "description": "Which."}}, "required": ["crate_id"]})
        );
        assert_eq!((patch.name.as_str(), patch.read_only), ("patch_crates_crate_id", Some(false)));
        let schema = patch.input_schema.as_ref().unwrap().to_value().unwrap();
        assert_eq!(schema["required"], json!(["crate_id", "label"]));
        assert_eq!(schema["properties"]["label"]["type"], json!(["string", "null"]));
        assert_eq!(schema["properties"]["weight"], json!({"type": "number", "exclusiveMinimum": 0}));
        assert_eq!(schema["properties"]["inner"]["properties"]["inner"]["type"], "object");
        assert!(
            schema["properties"].get("Authorization").is_none() && schema["properties"].get("made").is_none()
        );
        let [note] = catalog.notes() else { panic!("{:?}", catalog.notes()) };
        assert!(
            note.contains("`Crate` refers to itself") && note.contains("patch_crates_crate_id"),
            "{note}"
        );
    }

    #[test]
    fn documents_of_2_0_have_their_body_among_the_parameters() {
        let catalog = read(&json!({
            "swagger": "2.0",
            "paths": {"/a": {"post": {"operationId": "send", "parameters": [
                {"name": "body", "in": "body", "required": true, "schema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}},
                {"name": "tag", "in": "query", "type": "array", "items": {"type": "string"}}
            ]}, "put": {"operationId": "send", "parameters": [{"name": "paper", "in": "formData", "type": "file", "required": true}]}}}
        }))
        .unwrap();
        let schema = |at: usize| catalog.tools()[at].input_schema.as_ref().unwrap().to_value().unwrap();
        assert_eq!(catalog.tools()[1].name.as_str(), "post_a");
        assert_eq!(schema(1)["required"], json!(["n"]));
        assert_eq!(schema(1)["properties"]["tag"]["items"]["type"], "string");
        assert_eq!(schema(0)["properties"]["paper"], json!({"type": "string", "format": "binary"}));
    }

    #[test]
    fn other_versions_and_documents_without_operations_are_refused() {
        assert!(
            read(&json!({"openapi": "4.0.0", "paths": {}}))
                .unwrap_err()
                .contains("version `4.0.0` is unknown")
        );
        assert!(
            read(&json!({"openapi": "3.1.0", "paths": {}})).unwrap_err().contains("describes no operation")
        );
    }
}
