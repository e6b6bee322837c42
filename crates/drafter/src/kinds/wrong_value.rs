//! A value that the schema cannot take, in words that hold it as a person would say it.

use probes::{WrongValue, stands_in};
use serde_json::{Map, Value};

use crate::draw::Draw;
use crate::schema::{Argument, Schema, type_of};
use crate::words::{Request, name_words, scalars};

/// Words that a person might take for one of a list's members.
const NO_MEMBERS: &[&str] = &[
    "provisional",
    "seasonal",
    "quarantined",
    "experimental",
    "crimson",
    "fortnightly",
    "unofficial",
    "retired",
];

/// Names of arguments that are places, and places that are on no list.
const PLACES: &[&str] = &["location", "city", "place", "town", "region", "country"];
const NO_PLACES: &[&str] = &["Brindlemoor", "Northquay", "Saltmarsh Ferry"];

/// The largest bound beyond which a person would still name a number.
const SAYABLE: i64 = 1_000_000;

/// The first argument that has a value which cannot be, and the request with it.
pub(crate) fn wrong_value(
    schema: &Schema,
    arguments: &[Argument],
    request: &Request,
    draw: &Draw,
) -> Option<WrongValue> {
    request
        .parts
        .iter()
        .filter(|part| !part.is_verb && part.plain.is_none() && !schema.has_branches(&part.name))
        .find_map(|part| {
            let argument = arguments.iter().find(|argument| argument.name == part.name)?;
            let words = name_words(&argument.name);
            let is_place = words.iter().any(|word| PLACES.contains(&word.as_str()));
            let value = cannot_be(&argument.schema, is_place, draw.part(&part.name))?;
            let mut wrong = request.clone();
            let own = wrong.parts.iter_mut().find(|other| other.name == part.name)?;
            own.value.clone_from(&value);
            let user = wrong.words(None);
            let is_said = scalars(&value).iter().all(|text| stands_in(text, &user));
            is_said.then(|| WrongValue { user, argument: part.name.clone(), value })
        })
}

/// A value of the right type that the schema refuses; none where any would do.
fn cannot_be(schema: &Map<String, Value>, is_place: bool, mut draw: Draw) -> Option<Value> {
    if let Some(members) = schema.get("enum").and_then(Value::as_array) {
        let taken: Vec<String> = members.iter().filter_map(Value::as_str).map(str::to_lowercase).collect();
        // Of places no word of a state is one.
        let is_name = |member: &Value| {
            member
                .as_str()
                .is_some_and(|text| text.starts_with(char::is_uppercase) && text.contains(char::is_lowercase))
        };
        if is_place && members.iter().all(is_name) {
            return Some(draw.pick(NO_PLACES).into());
        }
        let is_free = |word: &&&str| !taken.iter().any(|own| own.contains(**word));
        let free: Vec<&str> = NO_MEMBERS.iter().filter(is_free).copied().collect();
        return (taken.len() == members.len() && !taken.is_empty()).then(|| draw.pick(&free).into());
    }
    if schema.contains_key("const") {
        return None;
    }
    match type_of(schema).as_str() {
        "integer" | "number" => out_of_bounds(schema),
        "string" => schema.get("format").is_some_and(|format| format == "date").then(|| "2027-02-30".into()),
        _ => None,
    }
}

/// A number beyond the upper bound; below the lower one where that is above zero.
fn out_of_bounds(schema: &Map<String, Value>) -> Option<Value> {
    let bound = |keys: [&str; 2]| keys.iter().find_map(|key| schema.get(*key)?.as_i64());
    let above = bound(["maximum", "exclusiveMaximum"])
        .filter(|most| *most <= SAYABLE)
        .and_then(|most| most.checked_mul(2)?.checked_add(3));
    let below = || bound(["minimum", "exclusiveMinimum"]).filter(|least| *least > 1).map(|least| least / 2);
    above.or_else(below).map(Value::from)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn schemas_that_take_everything_have_no_wrong_value() {
        let of = |schema: Value| cannot_be(schema.as_object().unwrap(), false, Draw::new(7, &["w"]));
        let place = json!({"enum": ["Oslo", "Turku"]});
        let place = cannot_be(place.as_object().unwrap(), true, Draw::new(7, &["w"])).unwrap();
        assert!(NO_PLACES.contains(&place.as_str().unwrap()));
        assert_eq!(of(json!({"type": "integer", "maximum": 50})), Some(103.into()));
        assert_eq!(of(json!({"type": "integer", "minimum": 10})), Some(5.into()));
        assert_eq!(of(json!({"type": "string", "format": "date"})), Some("2027-02-30".into()));
        let word = of(json!({"enum": ["open", "retired"]})).unwrap();
        assert!(NO_MEMBERS.contains(&word.as_str().unwrap()) && word != "retired");
        for free in [
            json!({"type": "string"}),
            json!({"type": "integer", "minimum": 0}),
            json!({"type": "integer", "maximum": 9_007_199_254_740_991_i64}),
            json!({"enum": [1, 2]}),
        ] {
            assert_eq!(of(free), None);
        }
    }
}
