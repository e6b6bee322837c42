//! From what the user typed and configured to probes: suite, catalog, prompts, kinds.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;
use probes::{
    Catalog, CatalogSource, Derived, Expansion, Places, Probe, Prompt, Suite, SuiteError, check_filler,
    derive_questions, expand, read_yaml_file,
};
use transcript::{CatalogRecord, Fingerprint, PromptRecord, SuiteRecord};

use crate::args::SuiteArgs;
use crate::config::{CONFIG_FORMAT, Config, KNOWN_NOT_IN_THIS_BUILD};
use crate::error::Failure;
use probes::nearest;

/// The suite that runs when none is named.
const DEFAULT_SUITE: &str = "suites/starter.yaml";

/// The configuration file that is read where none is named.
const DEFAULT_CONFIG: &str = "toolmirage.yaml";

/// A configuration and where it lies.
pub(crate) struct Configured {
    /// What it says.
    pub(crate) config: Config,
    /// The folder that its paths are relative to.
    folder: PathBuf,
    places: Places,
}

impl Configured {
    /// Reads the named configuration, or the default one where it exists.
    pub(crate) fn load(named: Option<&Path>) -> Result<Option<Self>, Failure> {
        let path = match named {
            Some(path) => path,
            None if Path::new(DEFAULT_CONFIG).is_file() => Path::new(DEFAULT_CONFIG),
            None => return Ok(None),
        };
        let (config, places) = read_yaml_file(path, CONFIG_FORMAT, KNOWN_NOT_IN_THIS_BUILD)?;
        Ok(Some(Self { config, folder: folder_of(path), places }))
    }

    /// The suite that it names; several would be several runs, and the user says which.
    fn suite(&self) -> Result<Option<PathBuf>, Failure> {
        match &self.config.suites[..] {
            [] => Ok(None),
            [suite] => Ok(Some(self.folder.join(suite))),
            several => Err(Failure::usage("the configuration names several suites; a run takes one")
                .with_help(format!("name one of {}", several.join(", ")))),
        }
    }
}

/// A suite with everything that its probes are made of.
pub(crate) struct Inputs {
    /// The suite.
    pub(crate) suite: Suite,
    /// Its questions, as far as the kinds asked for go.
    pub(crate) derived: Derived,
    /// Where the suite lies.
    pub(crate) path: PathBuf,
    /// The catalog offered.
    pub(crate) catalog: Arc<Catalog>,
    /// The prompts, rendered; each is a cell. Empty: one cell without a prompt.
    pub(crate) prompts: Vec<Arc<Prompt>>,
    only: Vec<String>,
    limit: Option<usize>,
}

/// The probes of one prompt.
pub(crate) struct CellProbes {
    /// The prompt; none where the suite has none.
    pub(crate) prompt: Option<Arc<Prompt>>,
    /// The probes, in the order of the suite.
    pub(crate) probes: Vec<Arc<Probe>>,
    /// Questions that gave no probe, with the reason.
    pub(crate) stale: Vec<(transcript::ProbeId, String)>,
}

impl Inputs {
    /// Loads a suite with its catalog and prompts, and checks the one against the others.
    pub(crate) fn load(
        args: &SuiteArgs,
        configured: Option<&Configured>,
        kinds: Option<&[String]>,
    ) -> Result<Self, Failure> {
        let path = match (&args.suite, configured) {
            (Some(named), _) => named.clone(),
            (None, Some(configured)) => configured.suite()?.unwrap_or_else(|| PathBuf::from(DEFAULT_SUITE)),
            (None, None) => PathBuf::from(DEFAULT_SUITE),
        };
        let (mut suite, places) = Suite::load(&path)?;
        let folder = folder_of(&path);
        let mut catalog = load_catalog(&suite, &folder, configured)?;
        let prompts = load_prompts(&suite, &folder, configured)?;
        suite.check_catalog(&catalog, &places)?;
        if prompts.is_empty() {
            suite.check_prompt(None, &places)?;
        }
        for prompt in &prompts {
            suite.check_prompt(Some(prompt), &places)?;
        }
        if let Some(filler) = &args.filler {
            let filler = Catalog::load(filler)?;
            check_filler(&suite.tasks, &filler)?;
            catalog = catalog.around(&filler)?;
        }
        choose_kinds(&mut suite, if args.kinds.is_empty() { kinds } else { Some(&args.kinds) })?;
        let derived = derive_questions(&suite);
        Ok(Self {
            suite,
            derived,
            path,
            catalog: Arc::new(catalog),
            prompts: prompts.into_iter().map(Arc::new).collect(),
            only: args.only.clone(),
            limit: args.limit,
        })
    }

    /// The probes, prompt by prompt.
    pub(crate) fn cells(&self) -> Result<Vec<CellProbes>, Failure> {
        let prompts: Vec<Option<&Arc<Prompt>>> =
            if self.prompts.is_empty() { vec![None] } else { self.prompts.iter().map(Some).collect() };
        let cells: Vec<CellProbes> = prompts.into_iter().map(|prompt| self.cell(prompt)).collect();
        if cells.iter().all(|cell| cell.probes.is_empty()) {
            return Err(self.nothing_matched());
        }
        Ok(cells)
    }

    fn cell(&self, prompt: Option<&Arc<Prompt>>) -> CellProbes {
        let Expansion { mut probes, stale, .. } = expand(&self.derived, &self.catalog, prompt);
        if !self.only.is_empty() {
            probes.retain(|probe| self.only.iter().any(|start| probe.id().as_str().starts_with(start)));
        }
        if let Some(limit) = self.limit.filter(|limit| *limit < probes.len()) {
            probes = spread(&probes, limit);
        }
        CellProbes { prompt: prompt.cloned(), probes, stale }
    }

    fn nothing_matched(&self) -> Failure {
        let message = format!("no probe of `{}` matches", self.path.display());
        let failure = Failure::invalid(message);
        let ids: Vec<&str> = self.derived.questions.iter().map(|question| question.id.as_str()).collect();
        match self.only.first().and_then(|only| nearest(only, ids)) {
            Some(id) => failure.with_help(format!("did you mean `{id}`?")),
            None => failure.with_help("`toolmirage expand` prints the probes"),
        }
    }

    /// What a record's header says of the suite.
    pub(crate) fn suite_record(&self) -> SuiteRecord {
        SuiteRecord { name: self.suite.name.clone(), version: self.suite.version, hash: self.derived.hash() }
    }

    /// What a record's header says of the catalog.
    pub(crate) fn catalog_records(&self) -> IndexMap<Fingerprint, CatalogRecord> {
        let tools = self.catalog.tools().iter().map(|tool| (**tool).clone()).collect();
        let record = CatalogRecord { label: self.catalog.label().to_owned(), tools };
        IndexMap::from([(self.catalog.hash().clone(), record)])
    }

    /// What a record's header says of the prompts.
    pub(crate) fn prompt_records(&self) -> IndexMap<Fingerprint, PromptRecord> {
        let record = |prompt: &Arc<Prompt>| PromptRecord {
            label: prompt.label.clone(),
            text: prompt.text.clone(),
            file: prompt.file.clone(),
        };
        self.prompts.iter().map(|prompt| (prompt.hash.clone(), record(prompt))).collect()
    }
}

/// So many probes, spread evenly over the list, so that every part of a suite is there.
fn spread(probes: &[Arc<Probe>], limit: usize) -> Vec<Arc<Probe>> {
    (0..limit).filter_map(|at| probes.get(at * probes.len() / limit)).cloned().collect()
}

fn choose_kinds(suite: &mut Suite, kinds: Option<&[String]>) -> Result<(), Failure> {
    let Some(kinds) = kinds else { return Ok(()) };
    for name in kinds {
        if probes::kind(name).is_none() {
            let failure = Failure::usage(format!("unknown kind of probe `{name}`"));
            let near = nearest(name, probes::KINDS.iter().map(|kind| kind.name));
            return Err(match near {
                Some(near) => failure.with_help(format!("did you mean `{near}`?")),
                None => failure.with_help("`toolmirage expand --list-kinds` lists them all"),
            });
        }
    }
    let wanted: Vec<String> = suite.wanted_kinds().map(|kind| kind.name.to_owned()).collect();
    let chosen: Vec<String> = wanted.iter().filter(|name| kinds.contains(name)).cloned().collect();
    if chosen.is_empty() {
        return Err(Failure::invalid(format!("the suite has none of the kinds {}", kinds.join(", ")))
            .with_help(format!("it has {}", wanted.join(", "))));
    }
    suite.kinds = Some(chosen);
    Ok(())
}

fn load_catalog(suite: &Suite, folder: &Path, configured: Option<&Configured>) -> Result<Catalog, Failure> {
    if let Some(configured) = configured
        && let Some(catalog) = configured.config.catalogs.get(&suite.catalog)
    {
        let pointer = format!("/catalogs/{}/sources", suite.catalog.replace('~', "~0").replace('/', "~1"));
        let sources: &[CatalogSource] = &catalog.sources;
        let label = suite.catalog.as_str();
        return Ok(Catalog::from_sources(
            label,
            &configured.folder,
            sources,
            (&configured.places, &pointer),
        )?);
    }
    let names =
        configured.map(|c| c.config.catalogs.keys().map(String::as_str).collect()).unwrap_or_default();
    Ok(Catalog::load(&existing(&suite.catalog, "catalog", folder, names)?)?)
}

fn load_prompts(
    suite: &Suite,
    folder: &Path,
    configured: Option<&Configured>,
) -> Result<Vec<Prompt>, Failure> {
    suite.prompts.iter().map(|name| load_prompt(name, suite, folder, configured)).collect()
}

fn load_prompt(
    name: &str,
    suite: &Suite,
    folder: &Path,
    configured: Option<&Configured>,
) -> Result<Prompt, Failure> {
    let named = configured.and_then(|c| c.config.prompts.get(name).map(|prompt| (c, prompt)));
    let none = IndexMap::new();
    let (path, vars, label) = match named {
        Some((configured, prompt)) => (configured.folder.join(&prompt.file), &prompt.vars, name.to_owned()),
        None => {
            let names =
                configured.map(|c| c.config.prompts.keys().map(String::as_str).collect()).unwrap_or_default();
            let path = existing(name, "prompt", folder, names)?;
            let label =
                path.file_stem().map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into_owned());
            (path, &none, label)
        }
    };
    let template = std::fs::read_to_string(&path)
        .map_err(|source| SuiteError::Read { path: path.display().to_string(), source })?;
    let mut prompt =
        Prompt::render(&label, &path, &template, vars, &suite.principal, suite.clock.as_deref())?;
    prompt.file = Some(path.display().to_string());
    Ok(prompt)
}

/// The file that a suite names, relative to the suite.
fn existing(name: &str, what: &str, folder: &Path, configured: Vec<&str>) -> Result<PathBuf, Failure> {
    let path = folder.join(name);
    if path.is_file() {
        return Ok(path);
    }
    let failure = Failure::usage(format!(
        "the suite's {what} `{name}` is no file (`{}`), and no {what} of the configuration",
        path.display()
    ));
    Err(match nearest(name, configured) {
        Some(near) => failure.with_help(format!("did you mean `{near}`?")),
        None => {
            failure.with_help(format!("name a {what} of the configuration, or a path relative to the suite"))
        }
    })
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}
