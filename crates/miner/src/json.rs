//! JSON as programs write it: reading that is never refused for a field of another type.
//!
//! A log line is valid or it is not; a known key with an unexpected value is no reason to lose a call. Fields
//! are read leniently (another type reads as absent), of two equal keys the last one counts, and a lone
//! surrogate, which JavaScript writes as `\ud83d`, becomes U+FFFD.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// A string, or nothing where another type stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Str<'a>(pub(crate) Option<Cow<'a, str>>);

impl<'a> Str<'a> {
    pub(crate) fn as_deref(&self) -> Option<&str> {
        self.0.as_deref()
    }

    pub(crate) fn is(&self, word: &str) -> bool {
        self.as_deref() == Some(word)
    }
}

/// A boolean, or nothing where another type stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Flag(pub(crate) Option<bool>);

/// A list of what can be read so, or nothing where another type stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct List<T>(pub(crate) Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// A string, or a list of blocks; nothing where another type stands.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Content<'a, T> {
    #[default]
    Nothing,
    Text(Cow<'a, str>),
    Blocks(Vec<T>),
}

/// A value as it is written, or nothing where there is none.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Raw<'a>(pub(crate) Option<&'a RawValue>);

impl<'de: 'a, 'a> Deserialize<'de> for Raw<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Raw(Some(<&RawValue>::deserialize(deserializer)?)))
    }
}

/// The cases of a visitor for values that are not wanted: they are read over.
macro_rules! otherwise {
    ($lifetime:lifetime: $($case:ident)*) => {
        $( $crate::json::otherwise!(@ $lifetime $case); )*
    };
    (@ $l:lifetime bool) => { fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> { Ok(Default::default()) } };
    (@ $l:lifetime number) => {
        fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> { Ok(Default::default()) }
        fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> { Ok(Default::default()) }
        fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> { Ok(Default::default()) }
    };
    (@ $l:lifetime null) => { fn visit_unit<E>(self) -> Result<Self::Value, E> { Ok(Default::default()) } };
    (@ $l:lifetime text) => { fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> { Ok(Default::default()) } };
    (@ $l:lifetime list) => {
        fn visit_seq<A: serde::de::SeqAccess<$l>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            while list.next_element::<serde::de::IgnoredAny>()?.is_some() {}
            Ok(Default::default())
        }
    };
    (@ $l:lifetime object) => {
        fn visit_map<A: serde::de::MapAccess<$l>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            while map.next_entry::<serde::de::IgnoredAny, serde::de::IgnoredAny>()?.is_some() {}
            Ok(Default::default())
        }
    };
}

impl<'de: 'a, 'a> Deserialize<'de> for Str<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = Str<'de>;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a string")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Str<'de>, E> {
                Ok(Str(Some(Cow::Borrowed(text))))
            }
            fn visit_str<E>(self, text: &str) -> Result<Str<'de>, E> {
                Ok(Str(Some(Cow::Owned(text.to_owned()))))
            }
            otherwise!('de: bool number null list object);
        }
        deserializer.deserialize_any(V)
    }
}

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = Flag;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a boolean")
            }
            fn visit_bool<E>(self, flag: bool) -> Result<Flag, E> {
                Ok(Flag(Some(flag)))
            }
            otherwise!('de: number null text list object);
        }
        deserializer.deserialize_any(V)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for V<T> {
            type Value = List<T>;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a list")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<List<T>, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = list.next_element()? {
                    items.push(item);
                }
                Ok(List(items))
            }
            otherwise!('de: bool number null text object);
        }
        deserializer.deserialize_any(V(std::marker::PhantomData))
    }
}

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for Content<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for V<T> {
            type Value = Content<'de, T>;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a string or a list")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Content<'de, T>, E> {
                Ok(Content::Text(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Content<'de, T>, E> {
                Ok(Content::Text(Cow::Owned(text.to_owned())))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Content<'de, T>, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = list.next_element()? {
                    items.push(item);
                }
                Ok(Content::Blocks(items))
            }
            otherwise!('de: bool number null object);
        }
        deserializer.deserialize_any(V(std::marker::PhantomData))
    }
}

/// An object of which some keys are read. Every field has a default; every other value reads as the default
/// object, with `is_object` saying which it was.
macro_rules! object {
    ($(#[$meta:meta])* struct $name:ident<$l:lifetime> { $( $field:ident: $type:ty = $($key:literal)|+, )* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default)]
        #[allow(dead_code, reason = "not every object is asked whether it is one")]
        pub(crate) struct $name<$l> {
            /// Whether an object stood there at all.
            pub(crate) is_object: bool,
            /// The lifetime is used where no field does.
            pub(crate) _borrowed: std::marker::PhantomData<&$l ()>,
            $( pub(crate) $field: $type, )*
        }
        impl<'de: $l, $l> serde::de::Deserialize<'de> for $name<$l> {
            fn deserialize<D: serde::de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                use serde::de::{IgnoredAny, MapAccess, Visitor};
                struct V<$l>(std::marker::PhantomData<&$l ()>);
                impl<'de: $l, $l> Visitor<'de> for V<$l> {
                    type Value = $name<$l>;
                    fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        out.write_str("an object")
                    }
                    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                        let mut out = $name { is_object: true, ..Default::default() };
                        while let Some(key) = map.next_key::<$crate::json::Str<'de>>()? {
                            match key.as_deref().unwrap_or_default() {
                                $( $($key)|+ => out.$field = map.next_value()?, )*
                                _ => { map.next_value::<IgnoredAny>()?; }
                            }
                        }
                        Ok(out)
                    }
                    $crate::json::otherwise!('de: bool number null text list);
                }
                deserializer.deserialize_any(V(std::marker::PhantomData))
            }
        }
    };
}
pub(crate) use {object, otherwise};

/// Reads a value. Where lone surrogates or their like are all that is wrong, they are replaced first: hence
/// `mended`, which has to outlive what is read.
pub(crate) fn read<'a, T: Deserialize<'a>>(
    bytes: &'a [u8],
    mended: &'a mut Vec<u8>,
) -> Result<T, serde_json::Error> {
    match serde_json::from_slice(bytes) {
        Ok(value) => Ok(value),
        Err(error) => match without_lone_surrogates(bytes) {
            None => Err(error),
            Some(bytes) => {
                *mended = bytes;
                serde_json::from_slice(mended)
            }
        },
    }
}

/// The text with every escape of a lone surrogate replaced by that of U+FFFD, of the same length; `None` where
/// there is none.
fn without_lone_surrogates(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out: Option<Vec<u8>> = None;
    let mut at = 0;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr(b'\\', rest)) {
        let start = at + found;
        at = start + 2;
        let Some(unit) = escaped_unit(bytes, start) else { continue };
        at = start + 6;
        let is_pair = (0xd800..0xdc00).contains(&unit)
            && escaped_unit(bytes, at).is_some_and(|low| (0xdc00..0xe000).contains(&low));
        if is_pair {
            at += 6;
        } else if (0xd800..0xe000).contains(&unit) {
            let out = out.get_or_insert_with(|| bytes.to_vec());
            if let Some(place) = out.get_mut(start + 2..start + 6) {
                place.copy_from_slice(b"fffd");
            }
        }
    }
    out
}

/// The code unit of an escape `\uXXXX` at this place.
fn escaped_unit(bytes: &[u8], at: usize) -> Option<u32> {
    let escape = bytes.get(at..at + 6)?;
    let digits = escape.strip_prefix(b"\\u")?;
    let digits = std::str::from_utf8(digits).ok()?;
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    object! {
        struct Parcel<'a> { label: Str<'a> = "label", heavy: Flag = "heavy", parts: List<Str<'a>> = "parts", }
    }

    #[test]
    fn another_type_reads_as_absent_and_the_last_key_counts() {
        let text = br#"{"label":7,"heavy":"yes","parts":{"a":[1]},"label":"L","x":null}"#;
        let mut mended = Vec::new();
        let parcel: Parcel<'_> = read(text, &mut mended).unwrap();
        assert!(parcel.is_object && parcel.label.is("L"));
        assert_eq!((parcel.heavy, parcel.parts.0.len()), (Flag(None), 0));
        for other in ["[1]", "\"x\"", "3", "-3", "0.5", "true", "null"] {
            let mut mended = Vec::new();
            assert!(!read::<Parcel<'_>>(other.as_bytes(), &mut mended).unwrap().is_object, "{other}");
        }
    }

    #[test]
    fn lone_surrogates_are_replaced_and_pairs_are_kept() {
        let text = br#"{"label":"a\ud83db \ud83d\ude00 \\ud83d \udc00"}"#;
        let mut mended = Vec::new();
        let parcel: Parcel<'_> = read(text, &mut mended).unwrap();
        assert_eq!(parcel.label.as_deref(), Some("a\u{fffd}b \u{1f600} \\ud83d \u{fffd}"));
        let mut mended = Vec::new();
        assert!(read::<Parcel<'_>>(br#"{"label":"a\ud83d"#, &mut mended).is_err());
    }
}
