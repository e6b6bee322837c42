//! placeholder
use serde_json::Value;

use crate::document::Document;
use crate::error::Diagnostic;

pub(crate) struct SchemaWalk<'a> {
    document: &'a Document,
    schema: &'a Value,
    not_in_this_build: &'a [&'a str],
}
impl<'a> SchemaWalk<'a> {
    pub(crate) fn new(document: &'a Document, schema: &'a Value, not_in_this_build: &'a [&'a str]) -> Self {
        Self { document, schema, not_in_this_build }
    }
    pub(crate) fn mistakes(&self) -> Vec<Diagnostic> {
        Vec::new()
    }
}
