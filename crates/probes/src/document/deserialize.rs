//! A tree as a serde deserializer, so that a type is read from what was already parsed and checked, and a
//! type's own complaint keeps its place.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer as _, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};
use serde::forward_to_deserialize_any;

use crate::document::{Content, Document, Entry, Node, Source};
use crate::error::Diagnostic;

/// Reads a type from a document. The tree goes as the type comes, so that a file is not held twice.
pub(crate) fn read<T: serde::de::DeserializeOwned>(document: Document) -> Result<T, Diagnostic> {
    let Document { source, root, .. } = document;
    let whole = root.span();
    T::deserialize(At { source: &source, node: root })
        .map_err(|error| source.diagnostic(&error.span.unwrap_or(whole), error.message))
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

struct At<'a> {
    source: &'a Source,
    node: Node,
}

/// Puts the innermost place onto a complaint.
fn placed<T>(span: Range<usize>, result: Result<T, Complaint>) -> Result<T, Complaint> {
    result.map_err(|mut error| {
        error.span.get_or_insert(span);
        error
    })
}

impl<'de> Deserializer<'de> for At<'de> {
    type Error = Complaint;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Complaint> {
        let (source, span) = (self.source, self.node.span());
        let result = match self.node.content {
            Content::Null => visitor.visit_unit(),
            Content::Bool(value) => visitor.visit_bool(value),
            Content::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(value), ..) => visitor.visit_u64(value),
                (_, Some(value), _) => visitor.visit_i64(value),
                (.., value) => visitor.visit_f64(value.unwrap_or(f64::NAN)),
            },
            Content::Text(text) => visitor.visit_string(text.into()),
            Content::List(items) => visitor.visit_seq(Items { source, items: items.into_iter() }),
            Content::Map(entries) => {
                visitor.visit_map(Entries { source, entries: entries.into_iter(), value: None })
            }
        };
        placed(span, result)
    }

    /// Text may be written without quotation marks although it looks like a number: `version: 1.10`.
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Complaint> {
        let span = self.node.span();
        match (&self.node.content, self.source.text.get(span.clone())) {
            (Content::Number(_) | Content::Bool(_), Some(text)) => placed(span, visitor.visit_str(text)),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Complaint> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Complaint> {
        match &self.node.content {
            Content::Null => visitor.visit_none(),
            _ => placed(self.node.span(), visitor.visit_some(self)),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Complaint> {
        placed(self.node.span(), visitor.visit_newtype_struct(self))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Complaint> {
        let (source, span) = (self.source, self.node.span());
        let result = match self.node.content {
            Content::Text(name) => visitor.visit_enum(Variant { name: name.into(), value: None }),
            Content::Map(entries) => match <[Entry; 1]>::try_from(entries.into_vec()) {
                Ok([Entry { key, value, .. }]) => {
                    visitor.visit_enum(Variant { name: key, value: Some(At { source, node: value }) })
                }
                Err(_) => Err(serde::de::Error::custom("expected one word")),
            },
            _ => Err(serde::de::Error::custom("expected one word")),
        };
        placed(span, result)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

struct Items<'a> {
    source: &'a Source,
    items: std::vec::IntoIter<Node>,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Complaint;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Complaint> {
        let source = self.source;
        self.items.next().map(|node| seed.deserialize(At { source, node })).transpose()
    }
}

struct Entries<'a> {
    source: &'a Source,
    entries: std::vec::IntoIter<Entry>,
    value: Option<Node>,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Complaint;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Complaint> {
        let Some(entry) = self.entries.next() else { return Ok(None) };
        let span = entry.key_span();
        let key: StrDeserializer<'_, Complaint> = (&*entry.key).into_deserializer();
        let key = placed(span, seed.deserialize(key).map(Some));
        self.value = Some(entry.value);
        key
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Complaint> {
        match self.value.take() {
            Some(node) => seed.deserialize(At { source: self.source, node }),
            None => Err(serde::de::Error::custom("a value without a key")),
        }
    }
}

struct Variant<'a> {
    name: Arc<str>,
    value: Option<At<'a>>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Complaint;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Complaint> {
        let name: StrDeserializer<'_, Complaint> = (&*self.name).into_deserializer();
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
