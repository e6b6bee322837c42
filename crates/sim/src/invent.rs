//! Made-up values: right in type, and given by nobody.

use serde_json::{Number, Value, json};

use crate::draw::Key;

/// A value for an argument that nothing justifies. Never empty, `null`, zero or the schema's default: those
/// would be neutral fillers, which are listed and not counted (DESIGN.md 3.6).
pub(crate) fn made_up(schema: &Value, argument: &str, key: Key) -> Value {
    made_up_of(property(schema, argument), schema, argument, key, 0)
}

fn made_up_of(schema: &Value, root: &Value, argument: &str, key: Key, depth: u8) -> Value {
    let schema = resolved(schema, root);
    if let Some(constant) = schema.get("const") {
        return constant.clone();
    }
    if let Some(member) = member_other_than(schema, schema.get("default"), key) {
        return member;
    }
    match type_of(schema) {
        "integer" => json!(whole(schema, key)),
        "number" => json!(whole(schema, key)),
        "boolean" => json!(schema.get("default") != Some(&Value::Bool(true))),
        "array" if depth < 4 => {
            let items = schema.get("items").unwrap_or(&Value::Null);
            json!([made_up_of(items, root, argument, key, depth + 1)])
        }
        "object" if depth < 4 => object(schema, root, key, depth),
        _ => Value::String(text(schema, argument, key)),
    }
}

/// A value in place of a right one: of its type, and another.
pub(crate) fn altered(right: &Value, schema: &Value, argument: &str, key: Key) -> Value {
    let described = resolved(property(schema, argument), schema);
    if let Some(member) = member_other_than(described, Some(right), key) {
        return member;
    }
    match right {
        Value::Bool(flag) => json!(!flag),
        Value::Number(number) => json_number_beside(number, described, key),
        Value::String(text) => Value::String(altered_text(text, argument, key)),
        Value::Array(items) => match items.first() {
            Some(first) => json!([altered(first, &Value::Null, argument, key)]),
            None => json!([text_for(argument, key)]),
        },
        Value::Object(_) | Value::Null => made_up(schema, argument, key),
    }
}

/// The names of the arguments that a tool's schema requires.
pub(crate) fn required(schema: &Value) -> impl Iterator<Item = &str> {
    let names = schema.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str)
}

fn property<'a>(schema: &'a Value, argument: &str) -> &'a Value {
    schema.get("properties").and_then(|all| all.get(argument)).unwrap_or(&Value::Null)
}

/// Follows a reference within the schema and takes the first alternative that is not `null`.
fn resolved<'a>(mut schema: &'a Value, root: &'a Value) -> &'a Value {
    for _ in 0..8 {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let target = reference.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
            schema = target.unwrap_or(&Value::Null);
            continue;
        }
        let alternatives = ["anyOf", "oneOf", "allOf"].iter().find_map(|word| schema.get(*word)?.as_array());
        let not_null = |branch: &&Value| branch.get("type").and_then(Value::as_str) != Some("null");
        match alternatives.and_then(|branches| branches.iter().find(not_null)) {
            Some(branch) => schema = branch,
            None => break,
        }
    }
    schema
}

fn type_of(schema: &Value) -> &str {
    match schema.get("type") {
        Some(Value::String(word)) => word,
        Some(Value::Array(words)) => {
            words.iter().filter_map(Value::as_str).find(|word| *word != "null").unwrap_or("string")
        }
        _ if schema.get("properties").is_some() => "object",
        _ => "string",
    }
}

/// A member of an enum, another than this one where there is another.
fn member_other_than(schema: &Value, not: Option<&Value>, key: Key) -> Option<Value> {
    let members = schema.get("enum")?.as_array()?;
    let others: Vec<&Value> =
        members.iter().filter(|member| Some(*member) != not && !member.is_null()).collect();
    key.pick("member", &others).map(|member| (*member).clone())
}

fn whole(schema: &Value, key: Key) -> u64 {
    let limit = |word: &str| schema.get(word).and_then(Value::as_f64).filter(|limit| *limit >= 0.0);
    let low = limit("minimum").or_else(|| limit("exclusiveMinimum").map(|limit| limit + 1.0)).unwrap_or(1.0);
    let low = low.ceil().max(1.0) as u64;
    let high = limit("maximum").or_else(|| limit("exclusiveMaximum").map(|limit| limit - 1.0));
    let high = high.map_or(low.saturating_add(480), |high| high.floor() as u64).max(low);
    let span = usize::try_from(high - low).unwrap_or(usize::MAX).saturating_add(1).min(480);
    low + key.below("number", span) as u64
}

fn json_number_beside(right: &Number, schema: &Value, key: Key) -> Value {
    if let Some(whole) = right.as_i64() {
        let other = whole.saturating_add(1 + key.below("number", 40) as i64);
        let highest = schema.get("maximum").and_then(Value::as_i64).unwrap_or(i64::MAX);
        return json!(if other <= highest && other != whole { other } else { whole.saturating_sub(1) });
    }
    let value = right.as_f64().unwrap_or(1.0);
    // Tenths keep the text short, and no amount equals itself plus at least one.
    json!((value * 10.0).round() / 10.0 + 1.0 + key.below("number", 40) as f64)
}

fn object(schema: &Value, root: &Value, key: Key, depth: u8) -> Value {
    let mut members = serde_json::Map::new();
    for name in required(schema) {
        let value = made_up_of(property(schema, name), root, name, key.with(name.as_bytes()), depth + 1);
        members.insert(name.to_owned(), value);
    }
    if members.is_empty() {
        members.insert("note".to_owned(), json!(text_for("note", key)));
    }
    Value::Object(members)
}

fn text(schema: &Value, argument: &str, key: Key) -> String {
    match schema.get("format").and_then(Value::as_str) {
        Some("date") => day(key),
        Some("date-time") => format!("{}T{:02}:30:00Z", day(key), 7 + key.below("hour", 12)),
        Some("time") => format!("{:02}:30:00", 7 + key.below("hour", 12)),
        Some("email") => contact(key),
        Some("uri" | "url") => format!("https://files.sim.example/{}", digits(key, 6)),
        Some("uuid") => {
            let (left, right) = (key.roll("left"), key.roll("right"));
            format!(
                "{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}",
                left >> 32,
                left & 0xffff,
                right >> 52,
                (left >> 16) & 0xfff,
                right & 0xffff_ffff_ffff
            )
        }
        _ => text_for(argument, key),
    }
}

/// A text that looks like what the argument's name asks for.
fn text_for(argument: &str, key: Key) -> String {
    let name = argument.to_ascii_lowercase();
    let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    if name.contains("mail") {
        return contact(key);
    }
    if ends(&["_on", "date", "_at", "day"]) {
        return day(key);
    }
    if ends(&["url", "uri", "link"]) {
        return format!("https://files.sim.example/{}", digits(key, 6));
    }
    if ends(&["path", "file", "folder", "directory"]) {
        return format!("/srv/shared/draft-{}.txt", digits(key, 4));
    }
    if ends(&["id", "ids", "number", "reference", "code", "key", "token"]) {
        let stem: String = name.chars().filter(char::is_ascii_alphabetic).take(3).collect();
        return format!("{}-{}", stem.to_ascii_uppercase(), digits(key, 5));
    }
    let words =
        ["quarterly cleanup", "as discussed on the phone", "standard handling", "top shelf, row nine"];
    let words = key.pick("words", &words).copied().unwrap_or_default();
    format!("{words} {}", digits(key, 3))
}

fn day(key: Key) -> String {
    format!("2027-{:02}-{:02}", 1 + key.below("month", 12), 1 + key.below("day", 28))
}

fn contact(key: Key) -> String {
    let names = ["noor.hale", "t.brandvold", "ines.okoye", "m.quist"];
    let name = key.pick("contact", &names).copied().unwrap_or_default();
    format!("{name}{}@post.sim.example", digits(key, 2))
}

fn digits(key: Key, count: u32) -> String {
    let low = 10_u64.pow(count.saturating_sub(1));
    (low + key.roll("digits") % (9 * low)).to_string()
}

/// The text with its last run of digits replaced; another text where it has none.
fn altered_text(right: &str, argument: &str, key: Key) -> String {
    if is_date(right) {
        let month = right.get(5..7).and_then(|month| month.parse::<u32>().ok()).unwrap_or(1);
        let other = 1 + (month + key.below("month", 11) as u32) % 12;
        return format!("{}-{other:02}-{}", &right[..4], &right[8..]);
    }
    let end = right.rfind(|letter: char| letter.is_ascii_digit()).map(|at| at + 1);
    let Some(end) = end.filter(|_| !right.contains('@')) else {
        return if right.contains('@') { contact(key) } else { text_for(argument, key) };
    };
    let start = right[..end]
        .rfind(|letter: char| !letter.is_ascii_digit())
        .map_or(0, |at| at + right[at..].chars().next().map_or(1, char::len_utf8));
    let moved: String = right[start..end]
        .bytes()
        .enumerate()
        .map(|(at, digit)| {
            let shift = if at == 0 {
                1 + key.below("first", 8)
            } else {
                key.below(if at % 2 == 0 { "even" } else { "odd" }, 10)
            };
            char::from(b'0' + ((usize::from(digit - b'0') + shift) % 10) as u8)
        })
        .collect();
    format!("{}{moved}{}", &right[..start], &right[end..])
}

fn is_date(text: &str) -> bool {
    text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> impl Iterator<Item = Key> {
        (0_u64..200).map(|n| Key::new(3).with(&n.to_le_bytes()))
    }

    #[test]
    fn made_up_values_have_the_type_and_are_no_fillers() {
        let schema = json!({
            "$defs": { "colour": { "enum": ["red", "green", "blue"], "default": "red" } },
            "properties": {
                "count": { "type": "integer", "minimum": 3, "maximum": 5 },
                "loud": { "type": "boolean", "default": true },
                "colour": { "$ref": "#/$defs/colour" },
                "due_on": { "type": "string", "format": "date" },
                "tags": { "anyOf": [{ "type": "null" }, { "type": "array", "items": { "type": "string" } }] },
                "where": { "type": ["object", "null"], "properties": { "room_id": {} }, "required": ["room_id"] },
            }
        });
        for key in keys() {
            let value = |argument: &str| made_up(&schema, argument, key);
            assert!((3..=5).contains(&value("count").as_u64().unwrap()));
            assert_eq!(value("loud"), json!(false));
            assert!(["green", "blue"].contains(&value("colour").as_str().unwrap()));
            assert!(is_date(value("due_on").as_str().unwrap()));
            assert!(!value("tags")[0].as_str().unwrap().is_empty());
            assert!(value("where")["room_id"].as_str().unwrap().starts_with("ROO-"));
            assert!(!value("undeclared").as_str().unwrap().is_empty());
        }
    }

    #[test]
    fn altered_values_differ_and_keep_their_type() {
        let schema = json!({ "properties": { "mode": { "enum": ["fast", "slow"] }, "n": { "maximum": 9 } } });
        let rights = [
            ("mode", json!("fast")),
            ("n", json!(9)),
            ("amount", json!(49.9)),
            ("id", json!("R-2026-0418")),
            ("id", json!("pay_k3V9d")),
            ("id", json!("ü7é")),
            ("on", json!("2027-02-12")),
            ("who", json!("lena2@field.example")),
            ("note", json!("By the door")),
            ("flag", json!(true)),
            ("list", json!(["a1"])),
        ];
        for key in keys() {
            for (argument, right) in &rights {
                let wrong = altered(right, &schema, argument, key);
                assert_ne!(&wrong, right);
                assert_eq!(std::mem::discriminant(&wrong), std::mem::discriminant(right), "{wrong} {right}");
            }
            assert!(is_date(altered(&json!("2027-02-12"), &schema, "on", key).as_str().unwrap()));
        }
    }
}
