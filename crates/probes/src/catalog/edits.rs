//! Applying what a probe changes in a catalog.

use std::sync::Arc;

use serde_json::Value;
use transcript::{RawJson, Tool};

use crate::arm;
use crate::catalog::{AddedTool, CatalogEdits, Fillings, Place, ToolPatch};

impl CatalogEdits {
    /// The tools that are offered in place of `tools`, in order. What an edit names and the catalog does not
    /// have changes nothing.
    #[must_use]
    pub fn apply(&self, tools: &[Arc<Tool>]) -> Vec<Arc<Tool>> {
        self.apply_with(tools, &mut Fillings::new())
    }

    /// The same, with what was worked out before on this catalog.
    pub(crate) fn apply_with(&self, tools: &[Arc<Tool>], fillings: &mut Fillings) -> Vec<Arc<Tool>> {
        let mut offered: Vec<Arc<Tool>> = if self.nothing {
            Vec::new()
        } else {
            tools.iter().filter(|tool| self.keeps(tool)).cloned().collect()
        };
        if let Some(ladder) = &self.ladder {
            // What was worked out before holds for the whole catalog but for what is left out.
            let mut of_this_step = Fillings::new();
            let whole = !self.nothing && self.only.is_none();
            let known = if whole { fillings } else { &mut of_this_step };
            let key = (ladder.tool.clone(), ladder.seed, self.without.clone());
            let filling = known.entry(key).or_insert_with(|| ladder.filling(&offered));
            offered = ladder.rung(&offered, filling);
        }
        for patch in &self.patches {
            for tool in offered.iter_mut().filter(|tool| tool.name == patch.tool) {
                *tool = Arc::new(patched(tool, patch));
            }
        }
        for added in &self.with {
            let at = position(&added.place, &offered);
            offered.insert(at, Arc::new(added_tool(added, tools)));
        }
        if let Some(what) = self.neutral {
            offered = offered.iter().map(|tool| arm::neutral(tool, what)).collect();
        }
        offered
    }

    fn keeps(&self, tool: &Tool) -> bool {
        let named = self.only.as_ref().is_none_or(|only| only.contains(&tool.name));
        named && !self.without.contains(&tool.name)
    }
}

/// Where a tool is inserted; behind all others where its neighbour is not there.
fn position(place: &Place, offered: &[Arc<Tool>]) -> usize {
    let find = |name| offered.iter().position(|tool| &tool.name == name);
    match place {
        Place::First => 0,
        Place::Last => offered.len(),
        Place::Before(name) => find(name).unwrap_or(offered.len()),
        Place::After(name) => find(name).map_or(offered.len(), |at| at + 1),
    }
}

fn added_tool(added: &AddedTool, tools: &[Arc<Tool>]) -> Tool {
    let shadowed = added.schema_of.as_ref().and_then(|name| tools.iter().find(|tool| &tool.name == name));
    let empty = || RawJson::from_value(&serde_json::json!({ "type": "object", "properties": {} }));
    let mut tool = Tool::named(added.name.as_str());
    tool.description = Some(RawJson::from_text(&added.description));
    tool.input_schema = match (shadowed, &added.input_schema) {
        (Some(shadowed), _) => shadowed.input_schema.clone(),
        (None, Some(own)) => Some(own.clone()),
        (None, None) => Some(empty()),
    };
    tool.strict = shadowed.and_then(|shadowed| shadowed.strict);
    tool
}

fn patched(tool: &Tool, patch: &ToolPatch) -> Tool {
    let mut tool = tool.clone();
    tool.original = None; // what a provider's own entry says no longer holds
    if let Some(description) = &patch.description {
        tool.description = Some(RawJson::from_text(description));
    }
    if let Some(strict) = patch.strict {
        tool.strict = Some(strict);
    }
    if let (Some(argument), Some(schema)) = (&patch.remove_argument, &tool.input_schema) {
        tool.input_schema = schema.to_value().map(|schema| RawJson::from_value(&without(schema, argument)));
    }
    tool
}

fn without(mut schema: Value, argument: &str) -> Value {
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.shift_remove(argument);
    }
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|name| name != argument);
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalog() -> Vec<Arc<Tool>> {
        ["get_a", "make_a", "drop_a"]
            .map(|name| {
                let mut tool = Tool::named(name);
                tool.input_schema = Some(
                    RawJson::parse(r#"{"properties":{"x":{"minimum":1.0},"y":{}},"required":["x"]}"#)
                        .unwrap(),
                );
                Arc::new(tool)
            })
            .to_vec()
    }

    fn names(edits: &CatalogEdits) -> Vec<String> {
        edits.apply(&catalog()).iter().map(|tool| tool.name.to_string()).collect()
    }

    fn added(place: Place) -> CatalogEdits {
        let tool = AddedTool {
            name: "near".into(),
            description: "d".into(),
            schema_of: Some("make_a".into()),
            input_schema: None,
            place,
        };
        CatalogEdits { with: vec![tool], ..CatalogEdits::default() }
    }

    #[test]
    fn tools_are_left_out_and_added_at_their_place() {
        assert_eq!(names(&CatalogEdits { nothing: true, ..CatalogEdits::default() }), [""; 0]);
        let edits = CatalogEdits { without: vec!["make_a".into(), "gone".into()], ..CatalogEdits::default() };
        assert_eq!(names(&edits), ["get_a", "drop_a"]);
        let edits = CatalogEdits { only: Some(vec!["make_a".into()]), ..CatalogEdits::default() };
        assert_eq!(names(&edits), ["make_a"]);
        assert_eq!(names(&added(Place::Before("make_a".into()))), ["get_a", "near", "make_a", "drop_a"]);
        assert_eq!(names(&added(Place::After("make_a".into()))), ["get_a", "make_a", "near", "drop_a"]);
        assert_eq!(names(&added(Place::First))[0], "near");
        assert_eq!(names(&added(Place::Last))[3], "near");
    }

    #[test]
    fn an_added_tool_has_the_schema_of_the_one_it_shadows() {
        let offered = added(Place::First).apply(&catalog());
        assert_eq!(offered[0].input_schema, offered[2].input_schema);
        assert_eq!(offered[0].description_text(), "d");
    }

    #[test]
    fn a_patch_changes_one_tool() {
        let patch = ToolPatch {
            tool: "get_a".into(),
            remove_argument: Some("x".into()),
            description: None,
            strict: Some(true),
        };
        let offered = CatalogEdits { patches: vec![patch], ..CatalogEdits::default() }.apply(&catalog());
        assert_eq!(
            offered[0].input_schema.as_ref().unwrap().as_str(),
            r#"{"properties":{"y":{}},"required":[]}"#
        );
        assert_eq!(offered[0].strict, Some(true));
        assert_eq!(offered[1].strict, None);
    }
}
