//! Objects whose members belong together: a form's field with the value that it takes, a relation with its two ends,
//! a thing with what is known of it. Each comes from one row, so that no colour is `spare` and no slider holds prose.

use serde_json::{Map, Value};

use crate::draw::Draw;
use crate::schema::type_of;
use crate::value::vocabulary as words;
use crate::words::name_words;

/// A sort of record: what its members are called, and its rows.
struct Sort {
    /// For each column, the names of members that stand for it. The first two must be there.
    columns: &'static [&'static [&'static str]],
    rows: &'static [&'static [&'static str]],
}

const SORTS: &[Sort] = &[
    // A form's field: where it is, what it is called, what it is, what it takes.
    Sort {
        columns: &[
            &["type", "kind", "field_type"],
            &["value"],
            &["target", "selector", "ref", "element"],
            &["name", "label"],
        ],
        rows: &[
            &["textbox", "Mira Sandvik", "#guest-name", "guest name"],
            &["textbox", "Two vegetarians", "#guest-note", "guest note"],
            &["combobox", "Thursday", "#ferry-day", "ferry day"],
            &["checkbox", "true", "#newsletter", "newsletter"],
            &["slider", "40", "#lamp-brightness", "lamp brightness"],
            &["textbox", "northquay", "#landing-stage", "landing stage"],
        ],
    },
    // A relation between two things.
    Sort {
        columns: &[
            &["from", "source", "subject", "from_entity"],
            &["to", "target", "object", "to_entity"],
            &["relation_type", "relation", "type", "predicate"],
        ],
        rows: &[
            &["Mira Sandvik", "Harbour Office", "works_at"],
            &["Pump Room", "Harbour Office", "belongs_to"],
            &["Jonas Ferreira", "Ferry Rota", "maintains"],
            &["Kiln Yard", "Brindlemoor", "lies_in"],
            &["Clara Voss", "Jonas Ferreira", "reports_to"],
            &["Seed Catalogue", "Orchard Society", "published_by"],
        ],
    },
    // A thing with its sort and what is known of it.
    Sort {
        columns: &[
            &["name", "entity_name", "entity", "title"],
            &["observations", "contents", "facts", "notes", "description", "observation", "content"],
            &["entity_type", "type", "kind", "category"],
        ],
        rows: &[
            &["Mira Sandvik", "Keeps the spare key to the pump room.", "person"],
            &["Harbour Office", "Is shut on Mondays.", "organisation"],
            &["Ferry Rota", "Is written anew every spring.", "document"],
            &["Kiln Yard", "Has two ovens and a drying loft.", "place"],
            &["Orchard Society", "Meets on the first Tuesday of the month.", "organisation"],
            &["Jonas Ferreira", "Looks after the ferry rota.", "person"],
        ],
    },
];

/// Free data: a field with values that it may have.
const FIELDS: &[(&str, &[&str])] = &[
    ("status", &["open", "held", "closed"]),
    ("region", &["north", "harbour", "islands"]),
    ("season", &["spring", "autumn", "winter"]),
    ("colour", words::COLOURS),
    ("town", words::TOWNS),
    ("team", &["ferry crew", "kiln crew", "orchard crew"]),
];

/// A field of free data with its value.
pub(super) fn field(draw: &mut Draw) -> (&'static str, &'static str) {
    let at = usize::try_from(draw.number(0, 5)).unwrap_or(0);
    let (name, values) = FIELDS.get(at).copied().unwrap_or(("status", &["open"]));
    (name, draw.pick(values))
}

/// A thing as a document would hold it.
pub(super) fn document(draw: &mut Draw) -> Value {
    const CRATES: &[&str] = &["pears", "lanterns", "seed jars", "tide tables", "honey", "tiles"];
    let (name, value) = field(draw);
    let mut out = Map::new();
    out.insert("item".to_owned(), draw.pick(CRATES).into());
    out.insert("quantity".to_owned(), draw.number(3, 46).into());
    out.insert(name.to_owned(), value.into());
    out.into()
}

/// Two rows of a table, as texts; the first is its head where it has one.
pub(super) fn grid(has_head: bool, draw: &mut Draw) -> Vec<Vec<String>> {
    const FRUIT: &[&str] = &["pears", "quinces", "plums"];
    const OTHERS: &[&str] = &["lanterns", "seed jars", "tiles", "honey"];
    let first = if has_head {
        ["item".to_owned(), "quantity".to_owned()]
    } else {
        [draw.pick(FRUIT).to_owned(), draw.number(3, 24).to_string()]
    };
    let second = [draw.pick(OTHERS).to_owned(), draw.number(25, 46).to_string()];
    vec![first.to_vec(), second.to_vec()]
}

/// The members of an object that belong together; empty where no sort of record has members of these names.
pub(super) fn members(properties: &Map<String, Value>, draw: &mut Draw) -> Map<String, Value> {
    SORTS.iter().find_map(|sort| of_sort(sort, properties, draw)).unwrap_or_default()
}

fn of_sort(sort: &Sort, properties: &Map<String, Value>, draw: &mut Draw) -> Option<Map<String, Value>> {
    let is_called = |name: &str, other: &str| name_words(name).join("_") == other;
    let find = |names: &[&str]| {
        names.iter().find_map(|other| properties.iter().find(|(name, _)| is_called(name, other)))
    };
    let columns: Vec<Option<(&String, &Value)>> = sort.columns.iter().map(|names| find(names)).collect();
    let both = columns.first()?.is_some() && columns.get(1)?.is_some();
    let fits = |row: &&&[&str]| {
        columns.iter().zip(row.iter()).all(|(column, cell)| match column {
            Some((_, schema)) => takes(schema, cell),
            None => true,
        })
    };
    let rows: Vec<&[&str]> = sort.rows.iter().filter(fits).copied().collect();
    if !both || rows.is_empty() {
        return None;
    }
    let row = draw.pick(&rows);
    let cell = |(column, cell): (&Option<(&String, &Value)>, &&str)| {
        let (name, schema) = (*column)?;
        let is_list = schema.as_object().is_some_and(|schema| type_of(schema) == "array");
        let value: Value = if is_list { vec![*cell].into() } else { (*cell).into() };
        Some((name.clone(), value))
    };
    Some(columns.iter().zip(row).filter_map(cell).collect())
}

/// Whether a member takes a cell: a text or a list of texts, and one of its list where it has one.
fn takes(schema: &Value, cell: &str) -> bool {
    let Some(members) = schema.as_object() else { return false };
    let is_closed = ["pattern", "format", "const", "$ref"].iter().any(|key| members.contains_key(*key));
    let listed = members.get("enum").and_then(Value::as_array);
    let items_are_texts =
        || members.get("items").and_then(Value::as_object).is_some_and(|items| type_of(items) == "string");
    !is_closed
        && listed.is_none_or(|listed| listed.iter().any(|member| member == cell))
        && match type_of(members).as_str() {
            "string" => true,
            "array" => items_are_texts(),
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_come_from_one_row() {
        let text = json!({"type": "string"});
        for (properties, expected) in [
            (json!({"target": text, "name": text, "type": {"enum": ["slider"]}, "value": text}), true),
            (json!({"from": text, "to": text, "relationType": text}), true),
            (json!({"entityName": text, "contents": {"type": "array", "items": text}}), true),
            (json!({"from": {"type": "integer"}, "to": text}), false),
            (json!({"anything": text}), false),
        ] {
            let properties = properties.as_object().unwrap();
            let made = members(properties, &mut Draw::new(3, &["r"]));
            assert_eq!(made.len() == properties.len(), expected, "{made:?}");
            if let Some(kind) = made.get("type") {
                assert_eq!((kind, &made["value"]), (&json!("slider"), &json!("40")));
            }
        }
    }
}
