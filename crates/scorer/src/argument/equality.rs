//! When a value is the wanted one, and when it is the wanted one in another form.

use serde_json::{Number, Value};

use super::date_value::same_date;
use super::fold::{fold, squeeze};
use super::notation::{Compared, compared};
use super::number::whole_text;

/// Whether two values are equal: numbers by value, a string is no number.
pub(super) fn same(wanted: &Value, given: &Value) -> bool {
    match (wanted, given) {
        (Value::Number(a), Value::Number(b)) => same_number(a, b),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => wanted == given,
    }
}

fn same_number(a: &Number, b: &Number) -> bool {
    match (a.as_i128(), b.as_i128()) {
        (Some(a), Some(b)) => a == b,
        _ => a.as_f64() == b.as_f64(),
    }
}

/// Says how a value is the wanted one in another type or notation; none where it says something else. Such a
/// value makes nothing up: it is a fault of format (wire cases, rule 4).
pub(super) fn other_form(wanted: &Value, given: &Value) -> Option<&'static str> {
    match (wanted, given) {
        (Value::String(wanted), Value::String(given)) => other_notation(wanted, given),
        (Value::Number(wanted), Value::String(given)) => {
            same_as_text(wanted, given).then_some("the number, as a string")
        }
        (Value::String(wanted), Value::Number(given)) => {
            same_as_text(given, wanted).then_some("the string, as a number")
        }
        (Value::Bool(wanted), Value::String(given)) => {
            (truth(given) == Some(*wanted)).then_some(if *wanted {
                "the switch, as a string"
            } else {
                "every string is true to a careless cast"
            })
        }
        (Value::Bool(wanted), Value::Number(given)) => {
            (given.as_i64() == Some(i64::from(*wanted))).then_some("the switch, as a number")
        }
        (Value::Array(wanted), Value::Array(given)) => other_list(wanted, given),
        (Value::Array(wanted), Value::String(given)) => list_in_text(wanted, given),
        (Value::Array(wanted), given) if wanted.len() == 1 => {
            same(&wanted[0], given).then_some("the only item, without its list")
        }
        (Value::Object(_), Value::String(given)) => {
            holds_json(given).filter(|inner| same(wanted, inner)).map(|_| "the object, encoded as a string")
        }
        (wanted, Value::Array(given)) if given.len() == 1 => (same(wanted, &given[0])
            || other_form(wanted, &given[0]).is_some())
        .then_some("the value, in a list"),
        _ => None,
    }
}

fn same_as_text(number: &Number, text: &str) -> bool {
    number.as_f64().is_some_and(|number| whole_text(text).contains(&number))
}

/// The switch that a string means.
pub(super) fn truth(text: &str) -> Option<bool> {
    match fold(text).as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

/// The list or object that a string holds.
pub(super) fn holds_json(text: &str) -> Option<Value> {
    let text = text.trim();
    text.starts_with(['[', '{']).then(|| serde_json::from_str(text).ok())?
}

fn other_notation(wanted: &str, given: &str) -> Option<&'static str> {
    if same_date(wanted, given) {
        return Some("the same date in another notation");
    }
    match compared(wanted, given) {
        Some(Compared::Same(how)) => return Some(how).filter(|_| fold(wanted) != fold(given)),
        Some(Compared::Other) => return None,
        None => {}
    }
    let (wanted_numbers, given_numbers) = (whole_text(wanted), whole_text(given));
    if !wanted_numbers.is_empty() && !given_numbers.is_empty() {
        let equal = wanted_numbers.iter().any(|number| given_numbers.contains(number));
        return equal.then_some("the same number in another notation");
    }
    let (wanted, given) = (fold(wanted), fold(given));
    if wanted == given {
        return Some("differs in letter case or spacing only");
    }
    let squeezed = squeeze(&wanted);
    (!squeezed.is_empty() && squeezed == squeeze(&given))
        .then_some("differs in separators or punctuation only")
}

fn other_list(wanted: &[Value], given: &[Value]) -> Option<&'static str> {
    if wanted.len() != given.len() {
        return None;
    }
    let mut left: Vec<&Value> = given.iter().collect();
    for item in wanted {
        let at = left.iter().position(|other| same(item, other) || other_form(item, other).is_some())?;
        left.swap_remove(at);
    }
    Some("the same items in another order or notation")
}

fn list_in_text(wanted: &[Value], given: &str) -> Option<&'static str> {
    if let Some(Value::Array(inner)) = holds_json(given) {
        let equal = same(&Value::Array(wanted.to_vec()), &Value::Array(inner.clone()));
        return (equal || other_list(wanted, &inner).is_some()).then_some("the list, encoded as a string");
    }
    let parts: Vec<Value> = given.split([',', ';']).map(|part| Value::from(part.trim())).collect();
    let equal = parts.len() == wanted.len()
        && wanted.iter().zip(&parts).all(|(a, b)| same(a, b) || other_form(a, b).is_some());
    equal.then_some("the list, as one string")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_compare_by_value_and_a_string_is_no_number() {
        assert!(same(&json!(7), &json!(7.0)));
        assert!(same(&json!(1e3), &json!(1000)));
        assert!(!same(&json!(9_007_199_254_740_993_i64), &json!(9_007_199_254_740_992_i64)));
        assert!(!same(&json!(7), &json!("7")));
        assert!(same(&json!({"a": [1, 2.0]}), &json!({"a": [1.0, 2]})));
        assert!(!same(&json!([1, 2]), &json!([2, 1])));
    }

    #[test]
    fn another_form_of_the_same_value_is_told_from_another_value() {
        let forms = [
            (json!(31.5), json!("31.50")),
            (json!(1200), json!("1,200 EUR")),
            (json!("7741"), json!(7741)),
            (json!(true), json!("True")),
            (json!(false), json!("false")),
            (json!(true), json!(1)),
            (json!(["oak", "elm"]), json!("oak, elm")),
            (json!(["oak", "elm"]), json!("[\"oak\",\"elm\"]")),
            (json!(["oak", "elm"]), json!(["elm", "oak"])),
            (json!(["oak"]), json!("oak")),
            (json!("oak"), json!(["oak"])),
            (json!({"tree": "oak"}), json!("{\"tree\":\"oak\"}")),
            (json!("2027-08-09"), json!("9 August 2027")),
            (json!("2027-08-09"), json!("2027-08-09T00:00:00Z")),
            (json!("bank_transfer"), json!("Bank Transfer")),
            (json!("K-4471"), json!("k4471")),
        ];
        for (wanted, given) in forms {
            assert!(!same(&wanted, &given) && other_form(&wanted, &given).is_some(), "{wanted} {given}");
        }
        let others = [
            (json!(31.5), json!("31.60")),
            (json!("7741"), json!(7742)),
            (json!(true), json!("false")),
            (json!(["oak", "elm"]), json!(["oak"])),
            (json!(["oak", "elm"]), json!("oak")),
            (json!("2027-08-09"), json!("2027-08-10")),
            (json!("1.5"), json!("15")),
            (json!("K-4471"), json!("K-4472")),
            (json!("5"), json!("-5")),
            (json!("oak"), json!(null)),
        ];
        for (wanted, given) in others {
            assert_eq!(other_form(&wanted, &given), None, "{wanted} {given}");
        }
    }
}
