//! Catalogs with the place of every tool, for what is said of a catalog that can be used: findings of `lint`.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use transcript::Tool;

use crate::catalog::load::{listed, own_nodes, own_tool, parse, stem};
use crate::catalog::openapi;
use crate::catalog::shape::ToolNodes;
use crate::catalog::sources::{MAX_DEPTH, renamed};
use crate::document::{Content, Document, Node, Source, step};
use crate::error::all_clear;
use crate::yaml::from_document;
use crate::{CATALOG_FORMAT, CatalogFile, CatalogSource, Places, SuiteError};

/// A catalog whose tools know their places. Names may stand twice in it.
#[derive(Debug, Clone)]
pub struct PlacedCatalog {
    /// What the catalog is called.
    pub label: String,
    /// The tools, in the order in which they are offered.
    pub tools: Vec<PlacedTool>,
}

/// A tool, and where it stands.
#[derive(Debug, Clone)]
pub struct PlacedTool {
    /// The tool.
    pub tool: Tool,
    /// The places of the file that it is written in.
    pub places: Places,
    /// JSON pointer of the map that has its name; of an OpenAPI document its operation.
    pub entry: String,
    /// JSON pointer of its schema; none where it has none, or where the schema stands in no one place (OpenAPI).
    pub schema: Option<String>,
}

impl PlacedCatalog {
    /// Reads a catalog file of any known shape, with the sources that it names. Unlike `Catalog::load` it takes
    /// two tools of one name.
    ///
    /// # Errors
    /// The file cannot be read, or all other mistakes in it.
    pub fn load(path: &Path) -> Result<Self, SuiteError> {
        read(path, 0)
    }

    /// Joins several sources, whose files lie relative to `folder`.
    ///
    /// # Errors
    /// The mistakes of the first source that has any.
    pub fn from_sources(label: &str, folder: &Path, sources: &[CatalogSource]) -> Result<Self, SuiteError> {
        join(label, folder, sources, 0)
    }
}

fn read(path: &Path, depth: usize) -> Result<PlacedCatalog, SuiteError> {
    // What a catalog that names itself says is `Catalog::load`'s to tell.
    if depth >= MAX_DEPTH {
        return crate::Catalog::load(path)
            .map(|catalog| PlacedCatalog { label: catalog.label().to_owned(), tools: Vec::new() });
    }
    let document = Arc::new(parse(Source::read(path)?)?);
    if document.root.get("toolmirage").is_some() {
        return own_form(path, document, depth);
    }
    if openapi::is_openapi(&document.root) {
        return of_openapi(path, &document);
    }
    let (listed, mistakes) = listed(&document)?;
    all_clear(mistakes)?;
    let (nodes, tools): (Vec<ToolNodes<'_>>, Vec<Tool>) =
        listed.into_iter().map(|listed| (listed.nodes, listed.tool)).unzip();
    Ok(PlacedCatalog { label: stem(path), tools: placed(&document, &nodes, tools) })
}

/// What is wrong in the schema of an operation is said of the operation: its parts stand in many places.
fn of_openapi(path: &Path, document: &Arc<Document>) -> Result<PlacedCatalog, SuiteError> {
    all_clear(document.mistakes.clone())?;
    let places = Places::from(&**document);
    let placed = |operation: openapi::Operation| PlacedTool {
        tool: operation.tool,
        places: places.clone(),
        entry: operation.entry,
        schema: None,
    };
    let tools = openapi::operations(document)?.tools;
    Ok(PlacedCatalog { label: stem(path), tools: tools.into_iter().map(placed).collect() })
}

fn own_form(path: &Path, document: Arc<Document>, depth: usize) -> Result<PlacedCatalog, SuiteError> {
    // A file of our own form has other mistakes than names that stand twice; one place knows them all.
    let has_twice = |error: &SuiteError| {
        let about_names = |message: &str| message.starts_with("two tools are named");
        !error.diagnostics().is_empty() && error.diagnostics().iter().all(|d| about_names(&d.message))
    };
    match crate::Catalog::load(path) {
        Err(error) if !has_twice(&error) => return Err(error),
        _ => {}
    }
    let (file, _) = from_document::<CatalogFile>((*document).clone(), CATALOG_FORMAT, &[])?;
    let label = format!("{}/{}", file.name, file.version);
    if let Some(sources) = &file.sources {
        return join(&label, path.parent().unwrap_or(Path::new("")), sources, depth);
    }
    let nodes: Vec<ToolNodes<'_>> = own_nodes(&document).collect();
    let entries = file.tools.iter().flatten().zip(&nodes);
    let tools = entries.map(|(entry, nodes)| own_tool(&document, entry, nodes.schema)).collect();
    Ok(PlacedCatalog { label, tools: placed(&document, &nodes, tools) })
}

fn join(
    label: &str,
    folder: &Path,
    sources: &[CatalogSource],
    depth: usize,
) -> Result<PlacedCatalog, SuiteError> {
    let mut tools = Vec::new();
    for source in sources {
        let catalog = read(&folder.join(source.path()), depth + 1)?;
        tools.extend(
            catalog.tools.into_iter().map(|placed| PlacedTool {
                tool: renamed(&placed.tool, source, sources.len() > 1),
                ..placed
            }),
        );
    }
    Ok(PlacedCatalog { label: label.to_owned(), tools })
}

fn placed(document: &Arc<Document>, nodes: &[ToolNodes<'_>], tools: Vec<Tool>) -> Vec<PlacedTool> {
    let starts = nodes.iter().flat_map(|tool| [Some(tool.name), tool.schema]).flatten();
    let mut wanted: HashMap<(usize, usize), Option<String>> =
        starts.map(|node| ((node.span().start, node.span().end), None)).collect();
    find(&document.root, &mut String::new(), &mut wanted);
    let pointer = |node: &Node| wanted.get(&(node.span().start, node.span().end)).cloned().flatten();
    let places = Places::from(&**document);
    let all = tools.into_iter().zip(nodes);
    all.map(|(tool, nodes)| PlacedTool {
        tool,
        places: places.clone(),
        entry: pointer(nodes.name)
            .and_then(|name| name.rsplit_once('/').map(|(entry, _)| entry.to_owned()))
            .unwrap_or_default(),
        schema: nodes.schema.and_then(pointer),
    })
    .collect()
}

/// Walks over a tree once and notes the pointers of the nodes that are wanted.
fn find(node: &Node, at: &mut String, wanted: &mut HashMap<(usize, usize), Option<String>>) {
    if let Some(found) = wanted.get_mut(&(node.span().start, node.span().end)) {
        found.get_or_insert_with(|| at.clone());
    }
    let length = at.len();
    let mut below = |key: &str, child: &Node| {
        at.push('/');
        at.push_str(key);
        find(child, at, wanted);
        at.truncate(length);
    };
    match &node.content {
        Content::List(items) => {
            items.iter().enumerate().for_each(|(index, item)| below(&index.to_string(), item));
        }
        Content::Map(entries) => entries.iter().for_each(|entry| below(&step(&entry.key), &entry.value)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(name: &str, text: &str) -> PlacedCatalog {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        PlacedCatalog::load(&path).unwrap()
    }

    #[test]
    fn every_shape_knows_where_its_tools_stand() {
        let schema = r#"{"type":"object","properties":{"a":{"type":"string"}}}"#;
        let shapes = [
            format!(
                "[\n{{\"type\":\"function\",\"function\":{{\"name\":\"a_b\",\n\"parameters\":{schema}}}}}]"
            ),
            format!("{{\"tools\":[\n{{\"name\":\"a_b\",\n\"inputSchema\":{schema}}}]}}"),
            format!("[{{\"functionDeclarations\":[\n{{\"name\":\"a_b\",\n\"parameters\":{schema}}}]}}]"),
            format!(
                "toolmirage: catalog/1\nname: x\nversion: 1\ntools:\n- name: a_b\n  input_schema: {schema}"
            ),
        ];
        for (at, text) in shapes.iter().enumerate() {
            let catalog = load(if at == 3 { "x.yaml" } else { "x.json" }, text);
            let tool = &catalog.tools[0];
            let line = if at == 3 { 5 } else { 2 };
            assert_eq!(tool.places.at(&format!("{}/name", tool.entry)).0, line, "{text}");
            let schema = tool.schema.as_ref().unwrap();
            assert_eq!(tool.places.at(&format!("{schema}/properties/a/type")).0, line + 1, "{text}");
        }
    }

    #[test]
    fn an_operation_of_openapi_is_placed_where_it_stands() {
        let catalog = load(
            "x.json",
            "{\"openapi\":\"3.1.0\",\"paths\":{\n\"/a/{id}\":{\n\"get\":{\"operationId\":\"get_a\"},\n\"put\":{}}}}",
        );
        let places: Vec<_> = catalog
            .tools
            .iter()
            .map(|tool| (tool.tool.name.as_str(), tool.places.at(&format!("{}/name", tool.entry)).0))
            .collect();
        assert_eq!(places, [("get_a", 3), ("put_a_id", 4)]);
    }

    #[test]
    fn two_tools_of_one_name_are_both_there() {
        let twice = load("x.json", r#"[{"name":"a","inputSchema":{}},{"name":"a","inputSchema":{}}]"#);
        assert_eq!(twice.tools.len(), 2);
        let own =
            load("x.yaml", "{toolmirage: catalog/1, name: x, version: 1, tools: [{name: a}, {name: a}]}");
        assert_eq!(own.tools.len(), 2);
    }
}
