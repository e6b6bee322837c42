//! Reads JSON bodies member by member. Bodies are hostile: one member that cannot be held (a lone surrogate,
//! a number beyond the range, deep nesting) must not hide the others, so nothing is parsed as a whole.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The members of an object, in order; of repeated keys the last.
#[derive(Debug, Default)]
pub(crate) struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Members<'a> {
    pub(crate) fn get(&self, key: &str) -> Option<&'a RawValue> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| *value)
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.0.iter().map(|(name, value)| (name.as_ref(), *value))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Members<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut pairs = Vec::with_capacity(8);
                while let Some((Key(key), value)) = map.next_entry()? {
                    pairs.push((key, value));
                }
                Ok(Members(keep_last(pairs)))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

/// Drops all but the last of equal keys. A body decides how many there are: the work stays linear.
fn keep_last<'a>(pairs: Vec<(Cow<'a, str>, &'a RawValue)>) -> Vec<(Cow<'a, str>, &'a RawValue)> {
    const FEW: usize = 24;
    let repeats = match pairs.len() {
        0..=FEW => (1..pairs.len()).any(|at| pairs[..at].iter().any(|(key, _)| *key == pairs[at].0)),
        _ => true,
    };
    if !repeats {
        return pairs;
    }
    let mut last: HashMap<Cow<'a, str>, usize> = HashMap::with_capacity(pairs.len());
    for (at, (key, _)) in pairs.iter().enumerate() {
        last.insert(key.clone(), at);
    }
    let kept = pairs.into_iter().enumerate().filter(|(at, (key, _))| last.get(key) == Some(at));
    kept.map(|(_, pair)| pair).collect()
}

/// A key that is copied only where it has escapes.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// The members of an object; `None` where the value is none.
pub(crate) fn members(raw: &RawValue) -> Option<Members<'_>> {
    parse_members(raw.get())
}

/// The members of an object in JSON text.
pub(crate) fn parse_members(text: &str) -> Option<Members<'_>> {
    if text.starts_with('{') { serde_json::from_str(text).ok() } else { None }
}

/// The elements of an array; `None` where the value is none.
pub(crate) fn elements(raw: &RawValue) -> Option<Vec<&RawValue>> {
    if raw.get().starts_with('[') { serde_json::from_str(raw.get()).ok() } else { None }
}

/// A string, decoded; `None` where the value is none. A lone surrogate becomes U+FFFD.
pub(crate) fn string(raw: &RawValue) -> Option<String> {
    if !raw.get().starts_with('"') {
        return None;
    }
    serde_json::from_str(raw.get()).ok().or_else(|| lossy(raw.get()))
}

/// A string as it is, any other value but `null` as JSON text.
pub(crate) fn string_or_text(raw: &RawValue) -> Option<String> {
    string(raw).or_else(|| (!is_null(raw)).then(|| raw.get().to_owned()))
}

/// A count; `None` where the value is no whole number of at least 0.
pub(crate) fn count(raw: &RawValue) -> Option<u64> {
    serde_json::from_str(raw.get()).ok()
}

/// Whether the value is `null`.
pub(crate) fn is_null(raw: &RawValue) -> bool {
    raw.get() == "null"
}

/// A member that is there and not `null`.
pub(crate) fn present<'a>(members: &Members<'a>, key: &str) -> Option<&'a RawValue> {
    members.get(key).filter(|raw| !is_null(raw))
}

/// A member that is a string with something in it.
pub(crate) fn present_string(members: &Members<'_>, key: &str) -> Option<String> {
    present(members, key).and_then(string).filter(|text| !text.is_empty())
}

/// `serde_json` refuses lone surrogates in a `String` and hands them over as bytes.
fn lossy(text: &str) -> Option<String> {
    struct Lossy;
    impl Visitor<'_> for Lossy {
        type Value = String;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a string")
        }

        fn visit_bytes<E>(self, bytes: &[u8]) -> Result<String, E> {
            Ok(String::from_utf8_lossy(bytes).into_owned())
        }
    }
    serde_json::Deserializer::from_str(text).deserialize_bytes(Lossy).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn a_lone_surrogate_hides_neither_its_string_nor_its_neighbours() {
        let body = raw(r#"{"a":"cut \ud83d","n":1e999,"b":"whole"}"#);
        let members = members(&body).unwrap();
        assert!(string(members.get("a").unwrap()).unwrap().starts_with("cut \u{fffd}"));
        assert_eq!(count(members.get("n").unwrap()), None);
        assert_eq!(string(members.get("b").unwrap()).as_deref(), Some("whole"));
    }

    #[test]
    fn of_repeated_keys_the_last_counts() {
        let body = raw(r#"{"a":1,"\u0061":2,"b":3}"#);
        let members = members(&body).unwrap();
        assert_eq!(count(members.get("a").unwrap()), Some(2));
        assert_eq!(members.iter().map(|(key, _)| key).collect::<Vec<_>>(), ["a", "b"]);
        let many: String = (0..60).map(|at| format!(r#""k{}":{at},"#, at % 40)).collect();
        let body = raw(&format!("{{{}}}", many.trim_end_matches(',')));
        let members = super::members(&body).unwrap();
        assert_eq!((members.iter().count(), count(members.get("k3").unwrap())), (40, Some(43)));
    }

    #[test]
    fn other_shapes_are_none() {
        assert!(members(&raw("[1]")).is_none());
        assert!(elements(&raw("{}")).is_none());
        assert!(string(&raw("7")).is_none());
        assert_eq!(string_or_text(&raw("7")).as_deref(), Some("7"));
        assert_eq!(string_or_text(&raw("null")), None);
    }
}
