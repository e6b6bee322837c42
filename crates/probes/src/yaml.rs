//! Reading the files that people write: every mistake of a file is gathered before giving up.

use std::path::Path;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::document::{Content, Document, Places, Source, deserialize, yaml};
use crate::error::{SuiteError, all_clear};
use crate::format_check::check_format;
use crate::schema_walk::SchemaWalk;

/// Reads a YAML file (or JSON, which is YAML) into a type. `format` is what its key `toolmirage` must say, such
/// as `suite/1`; `not_in_this_build` are keys that other builds know.
///
/// # Errors
/// All the mistakes of the file: its syntax first; then, for a file of this format, unknown, repeated and missing
/// keys and values of the wrong sort.
pub fn read_yaml<T: JsonSchema + DeserializeOwned>(
    file: &Path,
    text: &str,
    format: &str,
    not_in_this_build: &[&str],
) -> Result<(T, Places), SuiteError> {
    let document = yaml::parse(Source::new(file, text))?;
    from_document(document, format, not_in_this_build)
}

/// The same, of a file on disk.
///
/// # Errors
/// The file cannot be read or is not UTF-8 text, or all the mistakes of it.
pub fn read_yaml_file<T: JsonSchema + DeserializeOwned>(
    file: &Path,
    format: &str,
    not_in_this_build: &[&str],
) -> Result<(T, Places), SuiteError> {
    let document = yaml::parse(Source::read(file)?)?;
    from_document(document, format, not_in_this_build)
}

/// The same, of a document that is parsed already.
pub(crate) fn from_document<T: JsonSchema + DeserializeOwned>(
    document: Document,
    format: &str,
    not_in_this_build: &[&str],
) -> Result<(T, Places), SuiteError> {
    if !matches!(document.root.content, Content::Map(_)) {
        let message = format!("the file holds {}, and should hold a map of keys", document.root.type_name());
        return Err(document.source.diagnostic(&document.root.span(), message).into());
    }
    check_format(&document, format)?;
    let schema = schemars::schema_for!(T);
    let walk = SchemaWalk::new(&document, schema.as_value(), not_in_this_build);
    all_clear([document.mistakes.clone(), walk.mistakes()].concat())?;
    let places = Places::from(&document);
    Ok((deserialize::read(document)?, places))
}
