//! Which files are looked at: found once in the work tree, so that a git ref is asked for the same ones.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use probes::{PlacedCatalog, SuiteError};
use regex::Regex;

use crate::error::Failure;
use crate::inputs::Configured;

/// Folders that are looked at where neither a path nor a configuration is given.
const DEFAULT_FOLDERS: &[&str] = &["catalogs", "suites"];

/// Files of a folder that are about the others.
const ABOUT: &[&str] = &["readme", "changelog", "license", "licence", "contributing", "sources"];

/// One thing to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Item {
    /// A catalog in a file.
    Catalog(PathBuf),
    /// A catalog of the configuration.
    ConfiguredCatalog(String),
    /// A prompt.
    Prompt(PathBuf),
    /// A suite.
    Suite(PathBuf),
}

/// Everything to look at.
pub(crate) struct Chosen {
    /// In the order in which it was named, folders in the order of their names.
    pub(crate) items: Vec<Item>,
    /// The configuration, for the names that suites use.
    pub(crate) configured: Option<Configured>,
}

/// What a file is, by its own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Catalog,
    Prompt,
    Suite,
    Config,
    Other,
}

impl Chosen {
    /// What the paths name, else what the configuration names.
    pub(crate) fn of(paths: &[PathBuf], configured: Option<Configured>) -> Result<Self, Failure> {
        let mut chosen = Self { items: Vec::new(), configured };
        if !paths.is_empty() {
            for path in paths {
                chosen.add(path)?;
            }
        } else if chosen.configured.is_some() {
            chosen.add_configured();
        } else {
            let folders = DEFAULT_FOLDERS.iter().map(Path::new).filter(|folder| folder.is_dir());
            for folder in folders {
                chosen.add_folder(folder)?;
            }
        }
        if chosen.items.is_empty() {
            let failure = Failure::usage("there is nothing to look at: no catalog, prompt or suite");
            return Err(failure.with_help("name files or folders, or write a toolmirage.yaml"));
        }
        Ok(chosen)
    }

    /// Whether there are prompts and no catalog to read them beside.
    pub(super) fn has_prompts_alone(&self) -> bool {
        let is_prompt = |item: &Item| matches!(item, Item::Prompt(_));
        let has_catalogs = self.configured.as_ref().is_some_and(|c| !c.config.catalogs.is_empty());
        self.items.iter().all(is_prompt) && !has_catalogs
    }

    fn add(&mut self, path: &Path) -> Result<(), Failure> {
        if path.is_dir() {
            return self.add_folder(path);
        }
        match sort_of(path)? {
            Sort::Config => {
                self.configured = Configured::load(Some(path), None)?;
                self.add_configured();
                Ok(())
            }
            Sort::Other => Err(Failure::usage(format!(
                "`{}` is no catalog, no prompt (.md, .txt) and no suite",
                path.display()
            ))),
            sort => {
                self.add_file(path, sort);
                Ok(())
            }
        }
    }

    fn add_file(&mut self, path: &Path, sort: Sort) {
        match sort {
            Sort::Catalog => self.push(Item::Catalog(path.to_owned())),
            Sort::Prompt => self.push(Item::Prompt(path.to_owned())),
            Sort::Suite => self.push(Item::Suite(path.to_owned())),
            Sort::Config | Sort::Other => {}
        }
    }

    /// What is named twice, by itself or by a folder or configuration, is looked at once.
    fn push(&mut self, item: Item) {
        if !self.items.contains(&item) {
            self.items.push(item);
        }
    }

    fn add_configured(&mut self) {
        let Some(configured) = &self.configured else { return };
        let (config, folder) = (&configured.config, configured.folder().to_owned());
        let join =
            |file: &String| if folder == Path::new(".") { PathBuf::from(file) } else { folder.join(file) };
        let catalogs = config.catalogs.keys().cloned().map(Item::ConfiguredCatalog);
        let prompts = config.prompts.values().map(|prompt| Item::Prompt(join(&prompt.file)));
        let suites = config.suites.iter().map(|suite| Item::Suite(join(suite)));
        let items: Vec<Item> = catalogs.chain(prompts).chain(suites).collect();
        items.into_iter().for_each(|item| self.push(item));
    }

    /// The files of a folder and those below it that are something; the others are passed over.
    fn add_folder(&mut self, folder: &Path) -> Result<(), Failure> {
        let unreadable = |source| SuiteError::Read { path: folder.display().to_string(), source };
        let entries = std::fs::read_dir(folder).map_err(unreadable)?;
        let mut paths: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
            let stem = name.split('.').next().unwrap_or_default();
            if stem.is_empty() || ABOUT.contains(&stem) {
                continue;
            }
            if path.is_dir() {
                self.add_folder(&path)?;
                continue;
            }
            match sort_of(&path)? {
                // A file that does not say what it is may be no list of tools at all.
                Sort::Catalog if !is_of_known_shape(&path) => {}
                sort => self.add_file(&path, sort),
            }
        }
        Ok(())
    }
}

fn is_of_known_shape(path: &Path) -> bool {
    match PlacedCatalog::load(path) {
        Err(SuiteError::Mistakes(mistakes)) => {
            !mistakes.iter().any(|mistake| mistake.message.starts_with("no known shape"))
        }
        _ => true,
    }
}

static FORMAT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?:^|[\s{,"'])toolmirage["']?\s*:\s*["']?([a-z_]+)/\d"#).expect("a fixed pattern")
});

/// What a file is, by its name and, where that does not tell, by the format that it names.
fn sort_of(path: &Path) -> Result<Sort, Failure> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match extension.as_str() {
        "md" | "txt" | "prompt" => return Ok(Sort::Prompt),
        "yaml" | "yml" | "json" => {}
        _ => return Ok(Sort::Other),
    }
    let unreadable = |source| SuiteError::Read { path: path.display().to_string(), source };
    let bytes = std::fs::read(path).map_err(unreadable)?;
    let text = String::from_utf8_lossy(&bytes);
    let format = FORMAT.captures(&text);
    Ok(match format.and_then(|found| found.get(1)).map(|found| found.as_str()) {
        Some("suite") => Sort::Suite,
        Some("config") => Sort::Config,
        Some("catalog") | None => Sort::Catalog,
        Some(_) => Sort::Other,
    })
}
