//! The sources that `init` reads, each as it came.

use std::collections::HashMap;
use std::path::Path;

use drafter::{DraftedSource, slug};
use probes::Catalog;

use crate::args::InitArgs;
use crate::error::Failure;
use crate::exit::Exit;

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
        DraftedSource { file: self.file.clone(), name: self.template.clone(), keys: self.keys.clone() }
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
            if *seen > 1 {
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
    if sources.found.is_empty() {
        return Err(match sources.left_out.first() {
            Some((source, why)) => Failure::usage(format!("no source could be read: {source}: {why}")),
            None => {
                Failure::usage("no source of tools is named").with_help("name a file of tools: --tools FILE")
            }
        });
    }
    sources.told_apart();
    Ok(sources)
}

fn of_file(path: &Path) -> Result<Source, Failure> {
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::usage(format!("cannot read `{}`: {error}", path.display())))?;
    // Read where it lies first, so that mistakes name the user's own file and its relative sources are found.
    Catalog::load(path)?;
    let file_name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let label = file_name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or("tools").to_owned();
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
