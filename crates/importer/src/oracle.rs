//! BFCL's answers as rules of a suite. An answer lists the values that an argument may have; the empty text among them
//! means that it may be left out, and the members of an object are lists of allowed values again.

use probes::ArgumentRule;
use serde_json::{Map, Value};

/// How many allowed values an argument may come to, its members' choices multiplied.
const MOST: usize = 64;

/// The rule for one argument. `required` says whether its schema requires it, so that it cannot be left out.
pub(crate) fn rule(allowed: &Value, required: bool) -> Result<ArgumentRule, String> {
    let Value::Array(listed) = allowed else {
        return Err(format!("{allowed} is no list of allowed values"));
    };
    let mut values = Vec::new();
    for value in listed.iter().filter(|value| !is_omission(value)) {
        values.extend(choices(value)?);
    }
    let mut distinct: Vec<Value> = Vec::new();
    for value in values {
        if !distinct.contains(&value) {
            distinct.push(value);
        }
    }
    let may_be_absent = listed.iter().any(is_omission) && !required;
    match (distinct.len(), may_be_absent) {
        (0, true) => Ok(ArgumentRule::Absent),
        // A required text that may be anything but must be there: the empty text is the value itself.
        (0, false) if !listed.is_empty() => Ok(ArgumentRule::Equals("".into())),
        (0, false) => Err("no value is allowed".to_owned()),
        (_, true) => Ok(ArgumentRule::AbsentOr(distinct)),
        (1, false) => Ok(ArgumentRule::Equals(distinct.swap_remove(0))),
        (_, false) => Ok(ArgumentRule::OneOf(distinct)),
    }
}

/// Whether this entry says that the argument may be left out.
pub(crate) fn is_omission(value: &Value) -> bool {
    value.as_str() == Some("")
}

/// The values that one entry stands for.
fn choices(value: &Value) -> Result<Vec<Value>, String> {
    match value {
        Value::Object(members) => objects(members),
        Value::Array(items) if items.iter().any(Value::is_object) => {
            let mut lists: Vec<Vec<Value>> = vec![Vec::new()];
            for item in items {
                lists = multiplied(lists, &choices(item)?, |list, item| {
                    let mut list = list.clone();
                    list.push(item.clone());
                    list
                })?;
            }
            Ok(lists.into_iter().map(Value::Array).collect())
        }
        value => Ok(vec![value.clone()]),
    }
}

fn objects(members: &Map<String, Value>) -> Result<Vec<Value>, String> {
    let mut objects: Vec<Map<String, Value>> = vec![Map::new()];
    for (key, allowed) in members {
        let mut of_member: Vec<Option<Value>> = Vec::new();
        match allowed {
            Value::Array(listed) => {
                for value in listed.iter().filter(|value| !is_omission(value)) {
                    of_member.extend(choices(value)?.into_iter().map(Some));
                }
                of_member.extend(listed.iter().any(is_omission).then_some(None));
            }
            plain => of_member.push(Some(plain.clone())),
        }
        objects = multiplied(objects, &of_member, |object, value| {
            let mut object = object.clone();
            if let Some(value) = value {
                object.insert(key.clone(), value.clone());
            }
            object
        })?;
    }
    Ok(objects.into_iter().map(Value::Object).collect())
}

fn multiplied<A, B>(all: Vec<A>, by: &[B], with: impl Fn(&A, &B) -> A) -> Result<Vec<A>, String> {
    if all.len().saturating_mul(by.len()) > MOST {
        return Err(format!("its members' allowed values come to more than {MOST} objects"));
    }
    Ok(all.iter().flat_map(|one| by.iter().map(|other| with(one, other)).collect::<Vec<_>>()).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_empty_text_means_that_it_may_be_left_out() {
        let rule = |allowed: Value| rule(&allowed, false).unwrap();
        assert_eq!(rule(json!([5])), ArgumentRule::Equals(json!(5)));
        assert_eq!(rule(json!(["a", "b", "a"])), ArgumentRule::OneOf(vec![json!("a"), json!("b")]));
        assert_eq!(rule(json!(["", true])), ArgumentRule::AbsentOr(vec![json!(true)]));
        assert_eq!(rule(json!([""])), ArgumentRule::Absent);
        assert_eq!(rule(json!([["", 1]])), ArgumentRule::Equals(json!(["", 1])));
    }

    #[test]
    fn what_the_schema_requires_cannot_be_left_out() {
        assert_eq!(rule(&json!(["", "x"]), true).unwrap(), ArgumentRule::Equals(json!("x")));
        assert_eq!(rule(&json!([""]), true).unwrap(), ArgumentRule::Equals(json!("")));
        assert!(rule(&json!([]), true).is_err() && rule(&json!(5), true).is_err());
    }

    #[test]
    fn members_are_lists_of_allowed_values_too() {
        let object = rule(&json!([{"min": [1, 2], "max": [9], "unit": ["", "m"]}]), false).unwrap();
        let ArgumentRule::OneOf(all) = object else { panic!("{object:?}") };
        assert_eq!(all.len(), 4);
        assert!(
            all.contains(&json!({"min": 2, "max": 9}))
                && all.contains(&json!({"min": 1, "max": 9, "unit": "m"}))
        );
        let list = rule(&json!([[{"a": [1]}, {"a": [2, 3]}]]), false).unwrap();
        assert_eq!(list, ArgumentRule::OneOf(vec![json!([{"a": 1}, {"a": 2}]), json!([{"a": 1}, {"a": 3}])]));
        let many: Vec<Value> = (0..9).map(Value::from).collect();
        assert!(rule(&json!([{"a": many, "b": many}]), false).unwrap_err().contains("more than 64"));
    }
}
