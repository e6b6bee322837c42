//! One catalog of several sources, each under its name template.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use transcript::{Tool, ToolName};

use crate::catalog::load::stem;
use crate::document::Source;
use crate::error::{Diagnostic, all_clear};
use crate::{Catalog, CatalogSource, Places, SuiteError};

/// How many catalogs may name each other as sources.
pub(super) const MAX_DEPTH: usize = 8;

/// Reads sources and joins them, in order.
pub(super) fn join(
    label: &str,
    folder: &Path,
    sources: &[CatalogSource],
    places: (&Places, &str),
    depth: usize,
) -> Result<Catalog, SuiteError> {
    let (places, list) = places;
    let pointer = |at: usize| format!("{list}/{at}");
    let mut mistakes: Vec<Diagnostic> = Vec::new();
    let mut tools: Vec<Arc<Tool>> = Vec::new();
    let mut from: HashMap<ToolName, usize> = HashMap::new();
    for (at, source) in sources.iter().enumerate() {
        if depth >= MAX_DEPTH {
            let message = format!("catalogs name each other as sources more than {MAX_DEPTH} deep");
            return Err(places.value(&pointer(at), message).into());
        }
        if let Some(message) = source.mistake() {
            mistakes.push(places.value(&pointer(at), message));
            continue;
        }
        match read(folder, source, depth) {
            Ok(catalog) => {
                for tool in catalog.tools() {
                    let tool = renamed(tool, source, sources.len() > 1);
                    match from.get(&tool.name) {
                        Some(&first) => {
                            mistakes.push(clash(places, &pointer(at), &tool, &sources[first], source))
                        }
                        None => {
                            from.insert(tool.name.clone(), at);
                            tools.push(Arc::new(tool));
                        }
                    }
                }
            }
            Err(SuiteError::Mistakes(more)) => mistakes.extend(more),
            Err(SuiteError::Read { path, source: cause }) => {
                let message = format!("cannot read `{path}`: {cause}");
                let key = if source.file.is_some() { "file" } else { "mcp" };
                let mistake = places.value(&format!("{}/{key}", pointer(at)), message);
                mistakes.push(match &source.mcp {
                    Some(_) => mistake.help("`toolmirage catalog pull` asks the server and writes it"),
                    None => mistake,
                });
            }
            Err(other) => return Err(other),
        }
    }
    all_clear(mistakes)?;
    Catalog::new(label, tools)
        .map_err(|name| Diagnostic::without_place(format!("two tools are named `{name}`")).into())
}

fn read(folder: &Path, source: &CatalogSource, depth: usize) -> Result<Catalog, SuiteError> {
    Catalog::from_source(Source::read(&folder.join(source.path()))?, depth + 1)
}

/// A tool under its source's template. A provider's own entry holds the old name, so it is let go.
pub(super) fn renamed(tool: &Tool, source: &CatalogSource, one_of_several: bool) -> Tool {
    let mut tool = tool.clone();
    if let Some(template) = &source.name {
        let name = ToolName::new(&template.replace("{tool}", tool.name.as_str()));
        if name != tool.name {
            tool.original = None;
            tool.name = name;
        }
    }
    if one_of_several {
        tool.source = Some(source_name(source));
    }
    tool
}

/// What a source is called: its server's name, else its file's.
fn source_name(source: &CatalogSource) -> String {
    source.mcp.clone().unwrap_or_else(|| stem(Path::new(&source.path())))
}

fn clash(
    places: &Places,
    pointer: &str,
    tool: &Tool,
    first: &CatalogSource,
    second: &CatalogSource,
) -> Diagnostic {
    let message = format!("`{}` and `{}` both give a tool `{}`", first.path(), second.path(), tool.name);
    let key = if second.file.is_some() { "file" } else { "mcp" };
    places
        .value(&format!("{pointer}/{key}"), message)
        .help("give one of them a template, such as `name: \"tickets__{tool}\"`")
}
