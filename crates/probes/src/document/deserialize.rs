//! A tree as a serde deserializer, so that a type is read from what was already parsed and checked, and a
//! type's own complaint keeps its place.

use std::fmt;
use std::ops::Range;

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde::forward_to_deserialize_any;

use crate::document::{Content, Document, Entry, Node};
use crate::error::Diagnostic;

/// Reads a type from a document.
pub(crate) fn read<T: serde::de::DeserializeOwned>(document: &Document) -> Result<T, Diagnostic> {
    let at = At { document, node: &document.root };
    T::deserialize(at).map_err(|error| {
        let span = error.span.unwrap_or_else(|| document.root.span.clone());
        document.source.diagnostic(&span, error.message)
    })
}

#[derive(Debug)]
struct Complaint {
    message: String,
    span: Option<Range<usize>>,
}

impl fmt::Display for Complaint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Complaint {}

impl serde::de::Error for Complaint {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { message: message.to_string(), span: None }
    }
}

#[derive(Clone, Copy)]
struct At<'a> {
    document: &'a Document,
    node: &'a Node,
}

impl<'a> At<'a> {
    fn with(self, node: &'a Node) -> Self {
        Self { node, ..self }
    }

    /// Puts the innermost place onto a complaint.
    fn placed<T>(self, result: Result<T, Complaint>) -> Result<T, Complaint> {
        result.map_err(|mut error| {
            error.span.get_or_insert_with(|| self.node.span.clone());
            error
        })
    }
}

impl<'de> Deserializer<'de> for At<'de> {
    type Error = Complaint;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Complaint> {
        let result = match &self.node.content {
            Content::Null => visitor.visit_unit(),
            Content::Bool(value) => visitor.visit_bool(*value),
            Content::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(value), ..) => visitor.visit_u64(value),
                (_, Some(value), _) => visitor.visit_i64(value),
                (.., value) => visitor.visit_f64(value.unwrap_or(f64::NAN)),
            },
            Content::Text(text) => visitor.visit_borrowed_str(text),
            Content::List(items) => visitor.visit_seq(Items { at: self, items: items.iter() }),
            Content::Map(entries) => {
                visitor.visit_map(Entries { at: self, entries: entries.iter(), value: None })
            }
        };
        self.placed(result)
    }

    /// Text may be written without quotation marks although it looks like a number: `version: 1.10`.
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Complaint> {
        let as_written = self.document.source.text.get(self.node.span.clone());
        match (&self.node.content, as_written) {
            (Content::Number(_) | Content::Bool(_), Some(text)) => self.placed(visitor.visit_str(text)),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Complaint> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Complaint> {
        match &self.node.content {
            Content::Null => visitor.visit_none(),
            _ => self.placed(visitor.visit_some(self)),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Complaint> {
        self.placed(visitor.visit_newtype_struct(self))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Complaint> {
        let result = match &self.node.content {
            Content::Map(entries) if entries.len() == 1 => visitor
                .visit_enum(Variant { name: &entries[0].key, value: Some(self.with(&entries[0].value)) }),
            Content::Text(name) => visitor.visit_enum(Variant { name, value: None }),
            _ => Err(serde::de::Error::custom("expected one word")),
        };
        self.placed(result)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

struct Items<'a> {
    at: At<'a>,
    items: std::slice::Iter<'a, Node>,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Complaint;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Complaint> {
        self.items.next().map(|node| seed.deserialize(self.at.with(node))).transpose()
    }
}

struct Entries<'a> {
    at: At<'a>,
    entries: std::slice::Iter<'a, Entry>,
    value: Option<&'a Node>,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Complaint;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Complaint> {
        let Some(entry) = self.entries.next() else { return Ok(None) };
        self.value = Some(&entry.value);
        let key = serde::de::value::BorrowedStrDeserializer::<Complaint>::new(&entry.key);
        seed.deserialize(key).map(Some).map_err(|mut error| {
            error.span.get_or_insert_with(|| entry.key_span.clone());
            error
        })
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Complaint> {
        match self.value.take() {
            Some(node) => seed.deserialize(self.at.with(node)),
            None => Err(serde::de::Error::custom("a value without a key")),
        }
    }
}

struct Variant<'a> {
    name: &'a str,
    value: Option<At<'a>>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Complaint;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Complaint> {
        let name = serde::de::value::BorrowedStrDeserializer::<Complaint>::new(self.name);
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'de> {
    type Error = Complaint;

    fn unit_variant(self) -> Result<(), Complaint> {
        match self.value {
            None => Ok(()),
            Some(_) => Err(serde::de::Error::custom("expected one word")),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Complaint> {
        match self.value {
            Some(value) => seed.deserialize(value),
            None => Err(serde::de::Error::custom("expected a map with one key")),
        }
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Complaint> {
        self.struct_variant(&[], visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Complaint> {
        match self.value {
            Some(value) => value.deserialize_any(visitor),
            None => Err(serde::de::Error::custom("expected a map with one key")),
        }
    }
}
