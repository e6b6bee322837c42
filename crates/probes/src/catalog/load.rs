//! Reading catalogs: our own form, and the tool lists that people already have.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use transcript::{RawJson, Tool};

use crate::catalog::schema_check::check_schema;
use crate::catalog::shape::{self, List, Listed, ToolNodes};
use crate::catalog::{openapi, sources};
use crate::document::{Document, Node, Source, json, yaml};
use crate::error::{Diagnostic, all_clear};
use crate::yaml::from_document;
use crate::{CATALOG_FORMAT, Catalog, CatalogFile, CatalogSource, Places, SuiteError, ToolEntry};

/// Keys of a catalog that other builds have.
const NOT_IN_THIS_BUILD: &[&str] = &["must_equal", "exposure"];

impl Catalog {
    /// Reads a catalog file of any known shape. Sources that it names are read too.
    ///
    /// # Errors
    /// The file cannot be read, or all the mistakes in it.
    pub fn load(path: &Path) -> Result<Self, SuiteError> {
        Self::from_source(Source::read(path)?, 0)
    }

    /// Reads a catalog from a text; `file` names it in messages, and paths in it are relative to its folder.
    ///
    /// # Errors
    /// All the mistakes in it.
    pub fn from_text(file: &Path, text: &str) -> Result<Self, SuiteError> {
        Self::from_source(Source::new(file, text), 0)
    }

    /// Makes one catalog of several sources, whose files lie relative to `folder`. `places` is the file and
    /// the JSON pointer of the list that names them: mistakes between sources are shown there.
    ///
    /// # Errors
    /// All the mistakes in the sources, or names that two of them give.
    pub fn from_sources(
        label: &str,
        folder: &Path,
        sources: &[CatalogSource],
        places: (&Places, &str),
    ) -> Result<Self, SuiteError> {
        sources::join(label, folder, sources, places, 0)
    }

    /// Reads a catalog that lies `depth` sources deep.
    pub(super) fn from_source(source: Source, depth: usize) -> Result<Self, SuiteError> {
        let document = parse(source)?;
        if document.root.get("toolmirage").is_some() {
            return own_form(Arc::new(document), depth);
        }
        if openapi::is_openapi(&document.root) {
            return of_openapi(&document);
        }
        let (tools, mut mistakes) = listed(&document)?;
        check_names(&document, tools.iter().map(|listed| listed.nodes), &mut mistakes);
        all_clear(mistakes)?;
        let label = stem(Path::new(document.source.file.as_ref()));
        named(&label, tools.into_iter().map(|listed| listed.tool).collect())
    }
}

/// The tools of a list that is not in our own form, with every mistake but those in names.
pub(super) fn listed(document: &Document) -> Result<(Vec<Listed<'_>>, Vec<Diagnostic>), Diagnostic> {
    let List { tools, mistakes: unread, span } = shape::recognise(document)?;
    let mut mistakes = [document.mistakes.clone(), unread].concat();
    if tools.is_empty() && mistakes.is_empty() {
        return Err(document.source.diagnostic(&span, "the catalog has no tools"));
    }
    check_schemas(document, tools.iter().map(|listed| listed.nodes), &mut mistakes);
    Ok((tools, mistakes))
}

fn of_openapi(document: &Document) -> Result<Catalog, SuiteError> {
    all_clear(document.mistakes.clone())?;
    let openapi::Operations { tools, notes } = openapi::operations(document)?;
    let label = stem(Path::new(document.source.file.as_ref()));
    let mut catalog = named(&label, tools.into_iter().map(|operation| operation.tool).collect())?;
    catalog.notes = notes;
    Ok(catalog)
}

/// Parses a file that is JSON or YAML. Braces and brackets begin JSON as a rule, and YAML otherwise.
pub(super) fn parse(source: Source) -> Result<Document, SuiteError> {
    if !source.text.trim_start().starts_with(['{', '[']) {
        return yaml::parse(source);
    }
    match json::parse(source.clone()) {
        Err(error) if serde_json::from_str::<serde::de::IgnoredAny>(&source.text).is_err() => {
            yaml::parse(source).map_err(|_| error)
        }
        read => read,
    }
}

/// A file's name up to its first dot.
pub(super) fn stem(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or(&name).to_owned()
}

fn named(label: &str, tools: Vec<Tool>) -> Result<Catalog, SuiteError> {
    Catalog::new(label, tools.into_iter().map(Arc::new).collect())
        .map_err(|name| Diagnostic::without_place(format!("two tools are named `{name}`")).into())
}

fn own_form(document: Arc<Document>, depth: usize) -> Result<Catalog, SuiteError> {
    let mut mistakes = Vec::new();
    check_names(&document, own_nodes(&document), &mut mistakes);
    check_schemas(&document, own_nodes(&document), &mut mistakes);
    let read = from_document::<CatalogFile>((*document).clone(), CATALOG_FORMAT, NOT_IN_THIS_BUILD);
    let (file, places) = match read {
        Ok(read) => read,
        Err(SuiteError::Mistakes(more)) => {
            mistakes.extend(more);
            return Err(mistakes.into());
        }
        Err(other) => return Err(other),
    };
    all_clear(mistakes)?;
    let label = format!("{}/{}", file.name, file.version);
    match (&file.tools, &file.sources) {
        (Some(_), Some(_)) => {
            Err(places.key("/sources", "`sources` stands in place of `tools`; this file has both").into())
        }
        (None, None) => Err(places
            .key("/name", "the catalog has neither `tools` nor `sources`")
            .help("list its tools under `tools:`")
            .into()),
        (None, Some(sources)) if sources.is_empty() => {
            Err(places.value("/sources", "the catalog has no sources").into())
        }
        (None, Some(sources)) => {
            let folder = Path::new(document.source.file.as_ref()).parent().unwrap_or(Path::new(""));
            sources::join(&label, folder, sources, (&places, "/sources"), depth)
        }
        (Some(tools), None) if tools.is_empty() => {
            Err(places.value("/tools", "the catalog has no tools").into())
        }
        (Some(tools), None) => {
            let schemas = own_nodes(&document).map(|nodes| nodes.schema);
            named(
                &label,
                tools.iter().zip(schemas).map(|(entry, schema)| own_tool(&document, entry, schema)).collect(),
            )
        }
    }
}

/// The tools of our own form that have a name.
pub(super) fn own_nodes(document: &Document) -> impl Iterator<Item = ToolNodes<'_>> {
    let tools = document.root.get("tools").and_then(Node::items).unwrap_or_default();
    tools.iter().filter_map(|tool| {
        let schema = tool.get("input_schema").filter(|schema| schema.entries().is_some());
        Some(ToolNodes { name: tool.get("name")?, schema, is_gemini: false })
    })
}

/// A tool of our own form. Its schema is taken from the tree, which keeps the text of numbers.
pub(super) fn own_tool(document: &Document, entry: &ToolEntry, schema: Option<&Node>) -> Tool {
    let mut tool = Tool::named(&entry.name);
    tool.description = entry.description.as_deref().map(RawJson::from_text);
    tool.input_schema = schema.map(|schema| document.raw(schema));
    tool.read_only = entry.read_only;
    tool.deprecated = entry.deprecated;
    tool.family.clone_from(&entry.family);
    tool.since.clone_from(&entry.since);
    tool
}

/// Checks that every tool has a name, and each another one.
fn check_names<'a>(
    document: &Document,
    tools: impl Iterator<Item = ToolNodes<'a>>,
    mistakes: &mut Vec<Diagnostic>,
) {
    let mut first: HashMap<&str, usize> = HashMap::new();
    for tool in tools {
        let span = &tool.name.span();
        let name = tool.name.text().unwrap_or_else(|| document.source.text.get(span.clone()).unwrap_or(""));
        if name.is_empty() {
            mistakes.push(document.source.diagnostic(span, "this tool's name is empty"));
        } else if let Some(before) = first.insert(name, span.start) {
            let (line, _) = document.source.place(before);
            let message = format!("two tools are named `{name}`");
            mistakes.push(document.source.diagnostic(span, message).help(format!(
                "the first is in line {line}; a model could not tell them apart, and neither could a rate"
            )));
        }
    }
}

/// Checks that schemas are schemas.
fn check_schemas<'a>(
    document: &Document,
    tools: impl Iterator<Item = ToolNodes<'a>>,
    mistakes: &mut Vec<Diagnostic>,
) {
    for tool in tools {
        if let Some(schema) = tool.schema {
            check_schema(document, schema, tool.is_gemini, mistakes);
        }
    }
}
