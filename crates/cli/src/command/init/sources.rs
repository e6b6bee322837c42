//! The sources that `init` reads, each as it came.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use drafter::{DraftedSource, slug};
use probes::yaml_scalar as scalar;
use probes::{Catalog, CatalogSource};

use super::request::{self, Captured};
use crate::args::InitArgs;
use crate::error::Failure;
use crate::exit::Exit;
use crate::live;

/// One source that was read.
pub(crate) struct Source {
    /// Where its copy lies, below the folder.
    pub(crate) file: String,
    /// Its bytes, as they came.
    pub(crate) bytes: Vec<u8>,
    /// What people call it.
    pub(crate) label: String,
    /// The template of its tools' names.
    pub(crate) template: Option<String>,
    /// Further keys of its entry.
    pub(crate) keys: Vec<(String, String)>,
    tools: Vec<String>,
    notes: Vec<String>,
}

impl Source {
    /// A source of these bytes; the tools in it are read to tell names that two sources give.
    pub(crate) fn new(label: &str, file_name: &str, bytes: Vec<u8>) -> Result<Self, Failure> {
        let text = String::from_utf8_lossy(&bytes);
        let catalog = Catalog::from_text(Path::new(file_name), &text)?;
        let tools = catalog.tools().iter().map(|tool| tool.name.to_string()).collect();
        let notes = catalog.notes().iter().map(|note| format!("{label}: {note}")).collect();
        Ok(Self {
            file: format!("catalogs/{file_name}"),
            bytes,
            label: label.to_owned(),
            template: None,
            keys: Vec::new(),
            tools,
            notes,
        })
    }

    /// Its entry in the configuration.
    pub(crate) fn drafted(&self) -> DraftedSource {
        let file = self.keys.is_empty().then(|| self.file.clone());
        DraftedSource { file, name: self.template.clone(), keys: self.keys.clone() }
    }
}

/// All sources.
#[derive(Default)]
pub(crate) struct Sources {
    /// Those that were read.
    pub(crate) found: Vec<Source>,
    /// Those that could not be, with the reason.
    pub(crate) left_out: Vec<(String, String)>,
    /// What the user should know.
    pub(crate) notes: Vec<String>,
    /// The captured request, and what it is called.
    pub(crate) captured: Option<(String, Captured)>,
    unreachable: bool,
}

impl Sources {
    /// What a suite over them is called.
    pub(crate) fn name(&self) -> String {
        match &self.found[..] {
            [one] => slug(&one.label),
            _ => "agent".to_owned(),
        }
    }

    /// How `init` ends: a source that is left out is a mistake, or a server that did not answer.
    pub(crate) fn exit(&self) -> Exit {
        match (self.left_out.is_empty(), self.unreachable) {
            (true, _) => Exit::Pass,
            (false, true) => Exit::Invalid,
            (false, false) => Exit::Usage,
        }
    }

    fn add(&mut self, label: &str, read: Result<Source, Failure>) {
        match read {
            Ok(source) => {
                self.notes.extend(source.notes.iter().cloned());
                self.found.push(source);
            }
            Err(failure) => self.left_out.push((label.to_owned(), failure.text())),
        }
    }

    /// Gives each file its own name, and a template to each source that gives a name again.
    fn told_apart(&mut self) {
        let mut files: HashMap<String, usize> = HashMap::new();
        let mut tools: HashMap<String, String> = HashMap::new();
        for source in &mut self.found {
            let seen = files.entry(source.file.clone()).or_default();
            *seen += 1;
            if *seen > 1 && source.keys.is_empty() {
                source.file = numbered(&source.file, *seen);
            }
            let clash = source
                .tools
                .iter()
                .find_map(|tool| tools.get(tool).map(|first| (tool.clone(), first.clone())));
            if let Some((tool, first)) = clash {
                let prefix = slug(&source.label).replace('-', "_");
                let suffix = if *seen > 1 { seen.to_string() } else { String::new() };
                let template = format!("{prefix}{suffix}__{{tool}}");
                self.notes.push(format!(
                    "`{first}` and `{}` both give a tool `{tool}`; those of the second are named `{template}` in toolmirage.yaml: write there how production names them",
                    source.label
                ));
                for tool in &mut source.tools {
                    *tool = template.replace("{tool}", tool);
                }
                source.template = Some(template);
            }
            tools.extend(source.tools.iter().map(|tool| (tool.clone(), source.label.clone())));
        }
    }
}

/// Reads every source that the flags name.
pub(crate) fn read(args: &InitArgs) -> Result<Sources, Failure> {
    let mut sources = Sources::default();
    for path in &args.tools {
        sources.add(&path.display().to_string(), of_file(path));
    }
    if let Some(path) = &args.from_request {
        let captured = request::read(path)?;
        let name = file_label(path);
        sources.add(
            &path.display().to_string(),
            Source::new(&name, &format!("{name}.json"), captured.tools.clone().into_bytes()),
        );
        sources.captured = Some((name, captured));
    }
    for server in servers(args)? {
        of_server(&server, Duration::from_secs(args.mcp_timeout), &mut sources);
    }
    if sources.found.is_empty() {
        return Err(match sources.left_out.first() {
            Some((source, why)) if sources.unreachable => {
                Failure::invalid(format!("no source could be read: {source}: {}", bare(why)))
            }
            Some((source, why)) => {
                Failure::usage(format!("no source could be read: {source}: {}", bare(why)))
            }
            None => Failure::usage("no source of tools is named")
                .with_help("name a file of tools (--tools FILE), or a live MCP server (--mcp NAME=COMMAND)"),
        });
    }
    sources.told_apart();
    Ok(sources)
}

/// A message without the word that it begins with.
fn bare(message: &str) -> &str {
    message.strip_prefix("error: ").unwrap_or(message)
}

/// The live servers that the flags name.
fn servers(args: &InitArgs) -> Result<Vec<CatalogSource>, Failure> {
    let mut servers: Vec<CatalogSource> = Vec::new();
    let commands = args.mcp.iter().map(|flag| ("--mcp", flag, false));
    let urls = args.mcp_url.iter().map(|flag| ("--mcp-url", flag, true));
    for (flag, text, is_url) in commands.chain(urls) {
        let (name, value) = text
            .split_once('=')
            .filter(|(name, value)| {
                !value.trim().is_empty()
                    && slug(name).replace('-', "_") == name.to_lowercase().replace('-', "_")
            })
            .ok_or_else(|| {
                Failure::usage(format!("`{flag} {text}` names no server")).with_help(
                    "write NAME=COMMAND or NAME=URL, the name of letters, digits, hyphens and underscores",
                )
            })?;
        if servers.iter().any(|server| server.mcp.as_deref() == Some(name)) {
            return Err(Failure::usage(format!("two servers are named `{name}`")));
        }
        let mut server = CatalogSource { mcp: Some(name.to_owned()), ..CatalogSource::default() };
        let place = if is_url { &mut server.url } else { &mut server.command };
        *place = Some(value.trim().to_owned());
        servers.push(server);
    }
    for text in &args.mcp_header {
        let parts = text.split_once(':').and_then(|(name, rest)| Some((name, rest.split_once('=')?)));
        let server = parts.and_then(|(name, header)| {
            let server = servers
                .iter_mut()
                .find(|server| server.url.is_some() && server.mcp.as_deref() == Some(name))?;
            Some((server, header))
        });
        let Some((server, (header, variable))) = server else {
            return Err(Failure::usage(format!("`--mcp-header {text}` belongs to no server of --mcp-url"))
                .with_help("write NAME:HEADER=VARIABLE"));
        };
        server.headers_env.insert(header.to_owned(), variable.to_owned());
    }
    Ok(servers)
}

/// Asks a live server. What it listed before something went wrong is kept.
fn of_server(server: &CatalogSource, deadline: Duration, sources: &mut Sources) {
    let name = server.mcp.clone().unwrap_or_default();
    let pulled = match live::pull(server, deadline) {
        Ok(pulled) => pulled,
        Err(failure) => {
            sources.unreachable |= failure.exit == Exit::Invalid;
            return sources.left_out.push((name, failure.text()));
        }
    };
    if let Some(why) = &pulled.cut_short {
        sources.unreachable = true;
        sources
            .left_out
            .push((name.clone(), format!("what comes behind its first {} tools: {why}", pulled.tools)));
    }
    let read = Source::new(&name, &format!("{name}.mcp.json"), pulled.text.into_bytes()).map(|mut source| {
        source.keys = keys(server);
        source
    });
    sources.add(&name, read);
}

/// The keys of a server's entry in the configuration, as they are written.
fn keys(server: &CatalogSource) -> Vec<(String, String)> {
    let mut keys = Vec::new();
    for (key, value) in [("mcp", &server.mcp), ("command", &server.command), ("url", &server.url)] {
        keys.extend(value.iter().map(|value| (key.to_owned(), scalar(value))));
    }
    if !server.headers_env.is_empty() {
        let headers = server
            .headers_env
            .iter()
            .map(|(name, variable)| format!("{}: {}", scalar(name), scalar(variable)));
        keys.push(("headers_env".to_owned(), format!("{{ {} }}", headers.collect::<Vec<_>>().join(", "))));
    }
    keys
}

/// A file's name up to its first dot.
pub(crate) fn file_label(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or("tools").to_owned()
}

fn of_file(path: &Path) -> Result<Source, Failure> {
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::usage(format!("cannot read `{}`: {error}", path.display())))?;
    // Read where it lies first, so that mistakes name the user's own file and its relative sources are found.
    Catalog::load(path)?;
    let file_name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let label = file_label(path);
    Source::new(&label, &file_name, bytes).map_err(|_| {
        Failure::usage(format!("`{}` names other files as its sources", path.display()))
            .with_help("name those with --tools")
    })
}

/// `catalogs/tools.json`, the second: `catalogs/tools-2.json`.
fn numbered(file: &str, number: usize) -> String {
    let (folder, name) = file.rsplit_once('/').unwrap_or(("catalogs", file));
    match name.split_once('.') {
        Some((stem, ending)) => format!("{folder}/{stem}-{number}.{ending}"),
        None => format!("{folder}/{name}-{number}"),
    }
}
