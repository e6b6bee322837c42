//! What differs between two catalogs, tool by tool.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use transcript::{RawJson, Tool, ToolName};

use crate::Catalog;
use crate::near_name::{Purpose, similarity};

/// How alike two names must be for one to be the other renamed, where their descriptions differ.
const ALIKE: f64 = 0.5;

/// What differs between two catalogs. Schemas are compared by what they say, whatever the order of their members.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct CatalogDifference {
    /// Tools that only the second has, in its order.
    pub added: Vec<ToolName>,
    /// Tools that only the first has, in its order.
    pub removed: Vec<ToolName>,
    /// Tools that have another name in the second: equal schema, and equal description or a name that is alike and asks
    /// for the same (`delete_note` is not `archive_note` renamed).
    pub renamed: Vec<Renamed>,
    /// Tools of both that say something else.
    pub changed: Vec<ChangedTool>,
    /// The first place from which on the tools of both stand in another order; none where they do not.
    pub order: Option<OrderChange>,
}

/// A tool of another name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Renamed {
    /// In the first.
    pub from: ToolName,
    /// In the second.
    pub to: ToolName,
}

/// A tool that says something else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangedTool {
    /// Which.
    pub tool: ToolName,
    /// What, a line each.
    pub changes: Vec<String>,
}

/// Where the order differs, among the tools that both have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OrderChange {
    /// The tool of the first at that place.
    pub first: ToolName,
    /// The tool of the second.
    pub second: ToolName,
}

impl CatalogDifference {
    /// Compares two catalogs.
    #[must_use]
    pub fn between(first: &Catalog, second: &Catalog) -> Self {
        let only = |of: &Catalog, other: &Catalog| -> Vec<ToolName> {
            let names = of.tools().iter().map(|tool| tool.name.clone());
            names.filter(|name| other.get(name.as_str()).is_none()).collect()
        };
        let mut difference =
            Self { added: only(second, first), removed: only(first, second), ..Self::default() };
        difference.find_renamed(first, second);
        for tool in first.tools() {
            let Some(other) = second.get(tool.name.as_str()) else { continue };
            let changes = changes(tool, other);
            if !changes.is_empty() {
                difference.changed.push(ChangedTool { tool: tool.name.clone(), changes });
            }
        }
        let both = |of: &Catalog, other: &Catalog| -> Vec<ToolName> {
            let names = of.tools().iter().map(|tool| tool.name.clone());
            names.filter(|name| other.get(name.as_str()).is_some()).collect()
        };
        let mut pairs = both(first, second).into_iter().zip(both(second, first));
        difference.order =
            pairs.find(|(one, other)| one != other).map(|(first, second)| OrderChange { first, second });
        difference
    }

    /// Whether nothing differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The tools of the first that are not what they were.
    pub fn touched(&self) -> impl Iterator<Item = &ToolName> {
        let renamed = self.renamed.iter().map(|renamed| &renamed.from);
        self.removed.iter().chain(renamed).chain(self.changed.iter().map(|changed| &changed.tool))
    }

    /// Takes pairs out of what was removed and added.
    fn find_renamed(&mut self, first: &Catalog, second: &Catalog) {
        for from in std::mem::take(&mut self.removed) {
            let Some(tool) = first.get(from.as_str()) else { continue };
            let (description, own_schema) = (tool.description_text(), schema(tool));
            let is_one = |name: &ToolName| {
                second.get(name.as_str()).is_some_and(|other| {
                    let says_the_same = || description == other.description_text();
                    let is_alike = similarity(from.as_str(), name.as_str()) >= ALIKE
                        && deed(from.as_str()) == deed(name.as_str());
                    (is_alike || says_the_same()) && own_schema == schema(other)
                })
            };
            match self.added.iter().position(is_one) {
                Some(at) => self.renamed.push(Renamed { from, to: self.added.remove(at) }),
                None => self.removed.push(from),
            }
        }
    }
}

/// The verb of a name, by its group.
fn deed(name: &str) -> Option<&'static str> {
    Purpose::of(name).map(|purpose| purpose.verb())
}

fn schema(tool: &Tool) -> Option<Value> {
    tool.input_schema.as_ref().and_then(RawJson::to_value)
}

fn changes(one: &Tool, other: &Tool) -> Vec<String> {
    let mut changes = Vec::new();
    if one.description_text() != other.description_text() {
        changes.push("the description differs".to_owned());
    }
    if one.strict.unwrap_or(false) != other.strict.unwrap_or(false) {
        changes.push(format!("`strict` is {} there", other.strict.unwrap_or(false)));
    }
    let (first, second) = (schema(one).unwrap_or_default(), schema(other).unwrap_or_default());
    if first != second {
        let before = changes.len();
        arguments(&first, &second, &mut changes);
        if changes.len() == before {
            changes.push("the schema differs".to_owned());
        }
    }
    changes
}

fn arguments(first: &Value, second: &Value, changes: &mut Vec<String>) {
    let own = |schema: &Value| -> BTreeMap<String, Value> {
        let properties = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
        properties.into_iter().collect()
    };
    let requires = |schema: &Value, name: &str| {
        schema
            .get("required")
            .and_then(Value::as_array)
            .is_some_and(|names| names.iter().any(|other| other == name))
    };
    let (before, after) = (own(first), own(second));
    for (name, schema) in &before {
        let Some(other) = after.get(name) else {
            changes.push(format!("argument `{name}` is removed"));
            continue;
        };
        match (requires(first, name), requires(second, name)) {
            (true, false) => changes.push(format!("argument `{name}` is optional")),
            (false, true) => changes.push(format!("argument `{name}` is required")),
            _ => {}
        }
        if schema.get("description") != other.get("description") {
            changes.push(format!("argument `{name}` is described otherwise"));
        }
        if without_description(schema) != without_description(other) {
            changes.push(format!("argument `{name}` takes other values"));
        }
    }
    for name in after.keys().filter(|name| !before.contains_key(*name)) {
        let how = if requires(second, name) { ", required" } else { "" };
        changes.push(format!("argument `{name}` is added{how}"));
    }
}

fn without_description(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Value::Object(members) = &mut schema {
        members.shift_remove("description");
    }
    schema
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn catalog(tools: &str) -> Catalog {
        Catalog::from_text(Path::new("c.json"), &format!("{{\"tools\":[{tools}]}}")).unwrap()
    }

    #[test]
    fn every_sort_of_difference_is_told() {
        let first = catalog(
            r#"{"name":"a","description":"A.","inputSchema":{"properties":{"x":{"type":"string"},"y":{}},"required":["x"]}},
               {"name":"b","description":"B."},{"name":"old_name","description":"Same."},{"name":"gone","description":"Bye."}"#,
        );
        let second = catalog(
            r#"{"name":"b","description":"B!"},{"name":"new_name","description":"Same."},{"name":"fresh","description":"Hi.","inputSchema":{}},
               {"name":"a","description":"A.","inputSchema":{"required":["z"],"properties":{"z":{},"x":{"type":"integer","description":"X"}}}}"#,
        );
        let found = CatalogDifference::between(&first, &second);
        assert_eq!(found.added, ["fresh".into()]);
        assert_eq!(found.removed, ["gone".into()]);
        assert_eq!(found.renamed, [Renamed { from: "old_name".into(), to: "new_name".into() }]);
        let changes: Vec<(&str, Vec<&str>)> = found
            .changed
            .iter()
            .map(|c| (c.tool.as_str(), c.changes.iter().map(String::as_str).collect()))
            .collect();
        let of_a = vec![
            "argument `x` is optional",
            "argument `x` is described otherwise",
            "argument `x` takes other values",
            "argument `y` is removed",
            "argument `z` is added, required",
        ];
        assert_eq!(changes, [("a", of_a), ("b", vec!["the description differs"])]);
        assert_eq!(found.order, Some(OrderChange { first: "a".into(), second: "b".into() }));
    }

    #[test]
    fn a_tool_that_does_something_else_is_no_tool_renamed() {
        let renamed = |from: &str, to: &str| {
            let first = catalog(&format!(r#"{{"name":"{from}","description":"A.","inputSchema":{{}}}}"#));
            let second = catalog(&format!(r#"{{"name":"{to}","description":"B.","inputSchema":{{}}}}"#));
            CatalogDifference::between(&first, &second).renamed.len()
        };
        assert_eq!(renamed("delete_note", "archive_note"), 0);
        assert_eq!(renamed("delete_note", "remove_note"), 1);
        assert_eq!(renamed("wiki_note", "wikis_note"), 1);
    }

    #[test]
    fn the_order_of_a_schemas_members_says_nothing() {
        let first =
            catalog(r#"{"name":"a","inputSchema":{"type":"object","properties":{"x":{"a":1,"b":2}}}}"#);
        let second =
            catalog(r#"{"name":"a","inputSchema":{"properties":{"x":{"b":2,"a":1}},"type":"object"}}"#);
        assert!(CatalogDifference::between(&first, &second).is_empty());
    }
}
