//! From files to what the rules read.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use linter::{CatalogSubject, PromptSubject, Subject, SuiteSubject};
use probes::{PlacedCatalog, Suite, TextFile};

use crate::command::lint::chosen::{Chosen, Item};
use crate::error::Failure;
use crate::git::plain;
use crate::inputs::{self, Configured, Origin, folder_of};

/// Reads everything that was chosen. What a git ref does not have is left out.
pub(super) fn subject(chosen: &Chosen, origin: Origin<'_>) -> Result<Subject, Failure> {
    let then = match (origin, &chosen.configured) {
        (Origin::Ref(at), Some(configured)) => configured.at(at)?,
        _ => None,
    };
    let mut loading = Loading {
        configured: then.as_ref().or(chosen.configured.as_ref()),
        origin,
        subject: Subject::default(),
        catalogs: HashMap::new(),
        prompts: HashMap::new(),
    };
    for item in &chosen.items {
        match item {
            Item::Catalog(path) => _ = loading.catalog(&Place::File(path.clone()), true)?,
            Item::ConfiguredCatalog(name) => _ = loading.catalog(&Place::Configured(name.clone()), true)?,
            Item::Suite(path) => loading.suite(path)?,
            Item::Prompt(_) => {}
        }
    }
    for item in &chosen.items {
        if let Item::Prompt(path) = item {
            loading.prompt(path)?;
        }
    }
    Ok(loading.subject)
}

/// Where a catalog comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Place {
    File(PathBuf),
    Configured(String),
}

struct Loading<'a> {
    configured: Option<&'a Configured>,
    origin: Origin<'a>,
    subject: Subject,
    catalogs: HashMap<Place, usize>,
    /// The catalogs that prompts are sent with, by what suites say.
    prompts: HashMap<PathBuf, BTreeSet<usize>>,
}

impl Loading<'_> {
    /// Reads a catalog once; none where a git ref does not have it.
    fn catalog(&mut self, place: &Place, is_linted: bool) -> Result<Option<usize>, Failure> {
        let key = match place {
            Place::File(path) => Place::File(same_file(path)),
            named => named.clone(),
        };
        if let Some(at) = self.catalogs.get(&key).copied() {
            if let Some(catalog) = self.subject.catalogs.get_mut(at).filter(|_| is_linted) {
                catalog.is_linted = true;
            }
            return Ok(Some(at));
        }
        let Some(catalog) = self.read(place)? else { return Ok(None) };
        let at = self.subject.catalogs.len();
        self.subject.catalogs.push(CatalogSubject { catalog, is_linted });
        self.catalogs.insert(key, at);
        Ok(Some(at))
    }

    fn read(&self, place: &Place) -> Result<Option<PlacedCatalog>, Failure> {
        match place {
            Place::File(path) => {
                let Some(file) = self.origin.file(path)? else { return Ok(None) };
                inputs::fetch_nested(path, &file, self.origin, 0)?;
                Ok(Some(PlacedCatalog::load(&file)?))
            }
            Place::Configured(name) => {
                let Some((configured, catalog)) =
                    self.configured.and_then(|c| Some((c, c.config.catalogs.get(name)?)))
                else {
                    return Ok(None);
                };
                inputs::fetch_sources(&catalog.sources, configured.folder(), self.origin, 0)?;
                let folder = match (self.origin, configured.folder()) {
                    (Origin::WorkTree, folder) if folder == Path::new(".") => PathBuf::new(),
                    (origin, folder) => origin.folder(folder),
                };
                Ok(Some(PlacedCatalog::from_sources(name, &folder, &catalog.sources)?))
            }
        }
    }

    fn suite(&mut self, path: &Path) -> Result<(), Failure> {
        let Some(file) = self.origin.file(path)? else { return Ok(()) };
        let (suite, places) = Suite::load(&file)?;
        let folder = folder_of(path);
        let Some(catalog) = inputs::load_catalog(&suite, &folder, self.configured, self.origin)? else {
            return Ok(());
        };
        suite.check_catalog(&catalog, &places)?;
        let is_named = self.configured.is_some_and(|c| c.config.catalogs.contains_key(&suite.catalog));
        let place = if is_named {
            Place::Configured(suite.catalog.clone())
        } else {
            Place::File(plain(&folder.join(&suite.catalog)))
        };
        let Some(placed) = self.catalog(&place, false)? else { return Ok(()) };
        for name in &suite.prompts {
            let named = self.configured.and_then(|c| Some((c, c.config.prompts.get(name)?)));
            let file = match named {
                Some((configured, prompt)) => configured.folder().join(&prompt.file),
                None => folder.join(name),
            };
            self.prompts.entry(same_file(&file)).or_default().insert(placed);
        }
        let prompts = inputs::load_prompts(&suite, &folder, self.configured, self.origin)?;
        self.subject.suites.push(SuiteSubject {
            held_out: suite.held_out,
            prompts: prompts.into_iter().flatten().map(|prompt| prompt.text).collect(),
            catalog: Arc::new(catalog),
            suite,
            places,
            placed,
        });
        Ok(())
    }

    /// A prompt goes with the catalogs of the suites that name it; else with all that were named here; else with
    /// those of the configuration.
    fn prompt(&mut self, path: &Path) -> Result<(), Failure> {
        let Some(file) = self.origin.file(path)? else { return Ok(()) };
        let text = TextFile::read(&file)?;
        let of_suites = self.prompts.get(&same_file(path));
        let mut catalogs: Vec<usize> = of_suites.into_iter().flatten().copied().collect();
        if catalogs.is_empty() {
            catalogs = (0..self.subject.catalogs.len()).collect();
        }
        if catalogs.is_empty() {
            let names = self.configured.map(|c| c.config.catalogs.keys().cloned().collect::<Vec<_>>());
            for name in names.unwrap_or_default() {
                catalogs.extend(self.catalog(&Place::Configured(name), false)?);
            }
        }
        self.subject.prompts.push(PromptSubject { text, catalogs });
        Ok(())
    }
}

/// A path that is the same however a file is named.
fn same_file(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| plain(path))
}
