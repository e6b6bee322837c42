//! What a call must hold of a value that has members of its own: what the words give, member by member, where the
//! schema takes more than that. Words of the model's own for what is there already are then nobody's to forbid.

use probes::{ArgumentRule, pointer_step};
use serde_json::{Map, Value};

use crate::schema::{Argument, Schema, type_of};
use crate::told::described_by;

/// How many members that nobody asked for are left out by name at most, of one object.
const ABSENT: usize = 3;

/// Names of texts that say in other words what stands beside them.
const DESCRIBES: &[&str] = &[
    "element",
    "label",
    "description",
    "reason",
    "explanation",
    "rationale",
    "summary",
    "caption",
    "purpose",
];

/// Whether a text is a description of what is there: of the model's own words, and no value.
fn is_descriptive(argument: &Argument) -> bool {
    let description = argument.description().to_lowercase();
    let is_for_people = description.contains("human-readable") || description.contains("human readable");
    type_of(&argument.schema) == "string"
        && ["enum", "const", "pattern", "format"].iter().all(|key| !argument.schema.contains_key(*key))
        && (is_for_people || DESCRIBES.contains(&argument.name.to_lowercase().as_str()))
}

/// The members of values, by their schema.
pub(crate) struct Members<'a> {
    pub(crate) schema: &'a Schema,
    /// The rule for a member that is left out.
    pub(crate) left_out: &'a dyn Fn(&Argument) -> ArgumentRule,
}

impl Members<'_> {
    /// What a call must hold of an argument with this value: a rule of its own where the schema takes nothing beside
    /// the value, else one for each part of it.
    pub(crate) fn rules(&self, name: &str, written: &Value, value: &Value) -> Vec<(String, ArgumentRule)> {
        let path = format!("/{}", pointer_step(name));
        self.parts(&path, written, value)
            .filter(|rules| rules.iter().any(|(_, rule)| matches!(rule, ArgumentRule::Equals(_))))
            .unwrap_or_else(|| vec![(name.to_owned(), ArgumentRule::Equals(value.clone()))])
    }

    /// The rules of a value's parts; none where nothing may stand beside them.
    fn parts(&self, path: &str, written: &Value, value: &Value) -> Option<Vec<(String, ArgumentRule)>> {
        match value {
            Value::Array(items) => self.items(path, written, items),
            Value::Object(members) => self.members(path, written, members),
            _ => None,
        }
    }

    fn items(&self, path: &str, written: &Value, items: &[Value]) -> Option<Vec<(String, ArgumentRule)>> {
        let schema = self.schema.simplified(written);
        let each = schema.get("items").filter(|each| each.is_object())?;
        let parts: Vec<_> = (0..)
            .zip(items)
            .map(|(at, item): (usize, &Value)| self.parts(&format!("{path}/{at}"), each, item))
            .collect();
        if parts.iter().all(Option::is_none) {
            return None;
        }
        let mut rules = Vec::new();
        for ((at, item), parts) in (0..).zip(items).zip(parts) {
            let at: usize = at;
            let whole = || vec![(format!("{path}/{at}"), ArgumentRule::Equals(item.clone()))];
            rules.extend(parts.unwrap_or_else(whole));
        }
        rules.push((format!("{path}/{}", items.len()), ArgumentRule::Absent));
        Some(rules)
    }

    fn members(
        &self,
        path: &str,
        written: &Value,
        members: &Map<String, Value>,
    ) -> Option<Vec<(String, ArgumentRule)>> {
        let declared = self.schema.members(&self.schema.simplified(written));
        let tells = self.schema.discriminators(written);
        let mut rules = Vec::new();
        let mut is_free = false;
        for (name, value) in members {
            let at = format!("{path}/{}", pointer_step(name));
            let argument = declared.iter().find(|argument| argument.name == *name);
            // What the model says for people, and what only tells which branch of a union it is.
            let may_miss = argument.is_some_and(|argument| {
                !argument.required
                    && (described_by(argument, &declared)
                        .is_some_and(|other| members.contains_key(&other.name))
                        || tells.contains(name))
            });
            if may_miss {
                is_free = true;
                rules.push((at, ArgumentRule::AbsentOr(vec![value.clone()])));
                continue;
            }
            let written = self.schema.member(written, name);
            match written.and_then(|written| self.parts(&at, written, value)) {
                Some(parts) => {
                    is_free = true;
                    rules.extend(parts);
                }
                None => rules.push((at, ArgumentRule::Equals(value.clone()))),
            }
        }
        is_free |= tells.iter().any(|name| !members.contains_key(name));
        let mut absent = 0;
        let left_out = |argument: &&Argument| !argument.required && !members.contains_key(&argument.name);
        for argument in declared.iter().filter(left_out) {
            is_free = true;
            if is_descriptive(argument) || tells.contains(&argument.name) {
                continue;
            }
            let rule = (self.left_out)(argument);
            absent += usize::from(rule == ArgumentRule::Absent);
            if rule != ArgumentRule::Absent || absent <= ABSENT {
                rules.push((format!("{path}/{}", pointer_step(&argument.name)), rule));
            }
        }
        (is_free && !rules.is_empty()).then_some(rules)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use transcript::{RawJson, Tool};

    use super::*;

    fn rules(schema: Value, value: &Value) -> Vec<(String, ArgumentRule)> {
        let mut tool = Tool::named("t");
        tool.input_schema = Some(RawJson::from_value(&json!({"properties": {"rows": schema}})));
        let schema = Schema::of(&tool);
        let members = Members { schema: &schema, left_out: &|_| ArgumentRule::Absent };
        members.rules("rows", schema.written("rows").unwrap(), value)
    }

    fn equals(value: &str) -> ArgumentRule {
        ArgumentRule::Equals(value.into())
    }

    #[test]
    fn what_may_stand_beside_a_value_is_no_difference() {
        let text = json!({"type": "string"});
        let row = json!({"type": "object", "required": ["bin"], "properties":
            {"bin": text, "label": text, "depth": {"type": "integer"}}});
        let found = rules(json!({"type": "array", "items": row}), &json!([{"bin": "B-1"}, {"bin": "B-2"}]));
        let expected = [
            ("/rows/0/bin", equals("B-1")),
            ("/rows/0/depth", ArgumentRule::Absent),
            ("/rows/1/bin", equals("B-2")),
            ("/rows/1/depth", ArgumentRule::Absent),
            ("/rows/2", ArgumentRule::Absent),
        ];
        assert_eq!(found, expected.map(|(name, rule)| (name.to_owned(), rule)));
        let plain = json!({"type": "object", "required": ["bin"], "properties": {"bin": text}});
        let value = json!({"bin": "B-1"});
        assert_eq!(rules(plain, &value), [("rows".to_owned(), ArgumentRule::Equals(value.clone()))]);
        assert_eq!(rules(json!({}), &value), [("rows".to_owned(), ArgumentRule::Equals(value))]);
    }

    #[test]
    fn what_a_model_says_for_people_may_be_missing() {
        let schema = json!({"properties": {"target": {"type": "string"},
            "element": {"type": "string", "description": "Human-readable words for it"}}, "required": ["target"]});
        let found = rules(schema, &json!({"target": "#bin", "element": "bin"}));
        assert_eq!(found[0], ("/rows/target".to_owned(), equals("#bin")));
        assert_eq!(found[1], ("/rows/element".to_owned(), ArgumentRule::AbsentOr(vec!["bin".into()])));
    }

    #[test]
    fn which_branch_it_is_may_be_said_or_not() {
        let text = json!({"type": "string"});
        let branch = |name: &str, more: &[&str], closed: bool| {
            let mut required = vec![name];
            required.extend(more);
            json!({"type": "object", "properties": {name: text, "type": {"const": name}}, "required": required,
                "additionalProperties": !closed})
        };
        let bare = json!({"type": "object", "properties": {"shelf": text}, "required": ["shelf"]});
        let value = json!({"shelf": "S-1"});
        let found = rules(json!({"oneOf": [bare, branch("crate", &["type"], false)]}), &value);
        assert_eq!(found, [("/rows/shelf".to_owned(), equals("S-1"))]);
        let mut closed = bare;
        closed["additionalProperties"] = false.into();
        let found = rules(json!({"oneOf": [closed, branch("crate", &["type"], false)]}), &value);
        assert_eq!(found, [("rows".to_owned(), ArgumentRule::Equals(value))]);
        let told = json!({"type": "shelf", "shelf": "S-1"});
        let found = rules(json!({"oneOf": [branch("shelf", &[], true), branch("crate", &[], true)]}), &told);
        assert_eq!(found[0], ("/rows/type".to_owned(), ArgumentRule::AbsentOr(vec!["shelf".into()])));
        let needed = json!({"oneOf": [branch("shelf", &["type"], true), branch("crate", &["type"], true)]});
        assert_eq!(rules(needed, &told), [("rows".to_owned(), ArgumentRule::Equals(told))]);
    }
}
