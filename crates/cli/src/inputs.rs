//! From what the user typed and configured to probes: suite, catalog, prompts, kinds.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;
use probes::{
    CATALOG_FORMAT, Catalog, CatalogDifference, CatalogFile, CatalogSource, Derived, Expansion, LOCK_FORMAT,
    Lock, Places, Probe, Prompt, Suite, SuiteError, arms_mistake, check_filler, derive_questions, expand,
    read_yaml_file,
};
use transcript::{CatalogRecord, Fingerprint, PromptRecord, SuiteRecord, ToolName};

use crate::args::SuiteArgs;
use crate::config::{CONFIG_FORMAT, Config, KNOWN_NOT_IN_THIS_BUILD, ProfileConfig};
use crate::error::Failure;
use crate::git::AtRef;
use crate::runs;
use probes::{nearest, pointer_step};

/// The suite that runs when none is named.
const DEFAULT_SUITE: &str = "suites/starter.yaml";

/// The configuration file that is read where none is named.
const DEFAULT_CONFIG: &str = "toolmirage.yaml";

/// What `--only` takes for the probes that changed in the newest comparison.
const CHANGED: &str = "changed";

/// How deep catalogs may name catalogs.
const NESTED: usize = 8;

/// A configuration and where it lies.
pub(crate) struct Configured {
    /// What it says.
    pub(crate) config: Config,
    /// The folder that its paths are relative to.
    folder: PathBuf,
    path: PathBuf,
    places: Places,
}

impl Configured {
    /// The configuration as a commit has it; that of the work tree where the commit has none.
    pub(crate) fn at(&self, at: &AtRef) -> Result<Option<Self>, Failure> {
        let Some(copy) = at.fetch(&self.path)? else { return Ok(None) };
        let (config, places) = read_yaml_file(&copy, CONFIG_FORMAT, KNOWN_NOT_IN_THIS_BUILD)?;
        Ok(Some(Self { config, folder: self.folder.clone(), path: self.path.clone(), places }))
    }

    /// A mistake at a place of the file.
    pub(crate) fn mistake(&self, pointer: &str, message: String) -> Failure {
        Failure::from(SuiteError::from(self.places.value(pointer, message)))
    }

    /// The folder that its paths are relative to.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Reads the named configuration, or the default one where it exists: the nearest above the suite that
    /// is named, else that of the folder. So a suite is whole from wherever it is named.
    pub(crate) fn load(named: Option<&Path>, suite: Option<&Path>) -> Result<Option<Self>, Failure> {
        let here = || Some(PathBuf::from(DEFAULT_CONFIG)).filter(|path| path.is_file());
        let Some(path) = named.map(Path::to_owned).or_else(|| suite.and_then(beside)).or_else(here) else {
            return Ok(None);
        };
        let (config, places) = read_yaml_file(&path, CONFIG_FORMAT, KNOWN_NOT_IN_THIS_BUILD)?;
        Ok(Some(Self { config, folder: folder_of(&path), path, places }))
    }

    /// How a catalog differs from the request that it must equal, and that request's file; none where it must
    /// equal none.
    pub(crate) fn captured_difference(
        &self,
        name: &str,
    ) -> Result<Option<(String, CatalogDifference)>, Failure> {
        let Some(catalog) = self.config.catalogs.get(name) else { return Ok(None) };
        let Some(file) = &catalog.must_equal else { return Ok(None) };
        let captured = Catalog::load(&self.folder.join(file))?;
        let own = self.catalog_of(name, &catalog.sources, &self.folder)?;
        Ok(Some((file.clone(), CatalogDifference::between(&captured, &own))))
    }

    /// A catalog of its sources, which lie in a folder.
    fn catalog_of(&self, name: &str, sources: &[CatalogSource], folder: &Path) -> Result<Catalog, Failure> {
        let pointer = format!("/catalogs/{}/sources", pointer_step(name));
        Ok(Catalog::from_sources(name, folder, sources, (&self.places, pointer.as_str()))?)
    }

    /// The suite that it names; several would be several runs, and the user says which.
    pub(crate) fn suite(&self) -> Result<Option<PathBuf>, Failure> {
        match &self.config.suites[..] {
            [] => Ok(None),
            [suite] => Ok(Some(self.folder.join(suite))),
            several => Err(Failure::usage("the configuration names several suites; a run takes one")
                .with_help(format!("name one of {}", several.join(", ")))),
        }
    }
}

/// Where prompts and catalogs are taken from.
#[derive(Clone, Copy)]
pub(crate) enum Origin<'a> {
    /// The files as they lie there.
    WorkTree,
    /// The files of a commit.
    Ref(&'a AtRef),
}

impl Origin<'_> {
    /// Where a file can be read; none where the commit does not have it.
    pub(crate) fn file(self, path: &Path) -> Result<Option<PathBuf>, Failure> {
        match self {
            Self::WorkTree => Ok(Some(path.to_owned())),
            Self::Ref(at) => at.fetch(path),
        }
    }

    /// Where the files of a folder can be read, once they are asked for.
    pub(crate) fn folder(self, folder: &Path) -> PathBuf {
        match self {
            Self::WorkTree => folder.to_owned(),
            Self::Ref(at) => at
                .copy_of(&folder.join("x"))
                .and_then(|file| file.parent().map(Path::to_owned))
                .unwrap_or_default(),
        }
    }

    /// How a path is shown: never that of a temporary copy.
    fn shown(self, path: &Path) -> String {
        match self {
            Self::WorkTree => path.strip_prefix(".").unwrap_or(path).display().to_string(),
            Self::Ref(at) => at.relative(path).unwrap_or_else(|| path.to_owned()).display().to_string(),
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
    filler: Option<Catalog>,
    gone: Vec<ToolName>,
    frozen: Lock,
}

/// Catalog and prompts of another version.
pub(crate) struct Before {
    /// The catalog.
    pub(crate) catalog: Arc<Catalog>,
    /// The prompts, in the order of the suite; none where that version does not have one.
    pub(crate) prompts: Vec<Option<Arc<Prompt>>>,
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
        profile: Option<&ProfileConfig>,
    ) -> Result<Self, Failure> {
        let path = match (&args.suite, configured) {
            (Some(named), _) => named.clone(),
            (None, Some(configured)) => configured.suite()?.unwrap_or_else(|| PathBuf::from(DEFAULT_SUITE)),
            (None, None) => PathBuf::from(DEFAULT_SUITE),
        };
        let (mut suite, places) = Suite::load(&path)?;
        let folder = folder_of(&path);
        let Some(mut catalog) = load_catalog(&suite, &folder, configured, Origin::WorkTree)? else {
            return Err(Failure::usage(format!("no catalog `{}`", suite.catalog)));
        };
        let prompts = load_prompts(&suite, &folder, configured, Origin::WorkTree)?;
        let prompts: Vec<Prompt> = prompts.into_iter().flatten().collect();
        let gone = suite.check_catalog(&catalog, &places)?;
        if prompts.is_empty() {
            suite.check_prompt(None, &places)?;
        }
        for prompt in &prompts {
            suite.check_prompt(Some(prompt), &places)?;
        }
        drop(places);
        let filler = args.filler.as_deref().map(Catalog::load).transpose()?;
        if let Some(filler) = &filler {
            check_filler(&suite.tasks, filler)?;
            catalog = catalog.around(filler)?;
        }
        let all = derive_questions(&suite);
        let frozen = Lock::of(&suite, &all);
        let of_profile = profile.and_then(|profile| profile.kinds.as_ref());
        let kinds = Some(&args.kinds).filter(|kinds| !kinds.is_empty()).or(of_profile);
        choose_kinds(&mut suite, kinds)?;
        let of_profile = profile.and_then(|profile| profile.arms.as_ref());
        let arms = Some(&args.arms).filter(|arms| !arms.is_empty()).or(of_profile);
        choose_arms(&mut suite, arms)?;
        let derived = if kinds.is_none() && arms.is_none() { all } else { derive_questions(&suite) };
        Ok(Self {
            suite,
            derived,
            path,
            catalog: Arc::new(catalog),
            prompts: prompts.into_iter().map(Arc::new).collect(),
            only: only(&args.only)?,
            limit: args.limit,
            filler,
            gone,
            frozen,
        })
    }

    /// The suite's questions, all of its kinds, as a lock holds them.
    pub(crate) fn frozen(&self) -> &Lock {
        &self.frozen
    }

    /// Where the suite's lock lies.
    pub(crate) fn lock_path(&self) -> PathBuf {
        self.path.with_extension("lock")
    }

    /// How the suite differs from its lock, in words; none where it is the same or has no lock.
    pub(crate) fn lock_difference(&self) -> Result<Option<String>, Failure> {
        let path = self.lock_path();
        // A link to nowhere or a folder is no missing lock: reading it says what is wrong.
        if path.symlink_metadata().is_err() {
            return Ok(None);
        }
        let (lock, _) = read_yaml_file::<Lock>(&path, LOCK_FORMAT, &[])?;
        Ok(lock.difference(&self.frozen.questions).map(|difference| difference.words()))
    }

    /// Refuses a suite that asks something else than was frozen.
    pub(crate) fn check_lock(&self) -> Result<(), Failure> {
        let Some(words) = self.lock_difference()? else { return Ok(()) };
        let (suite, lock) = (self.path.display(), self.lock_path());
        Err(Failure::usage(format!("`{suite}` no longer equals its lock `{}`: {words}", lock.display()))
            .with_help(format!("`toolmirage expand {suite} --update` accepts it")))
    }

    /// The same suite with catalog and prompts as a commit has them. A prompt that it does not have is none.
    pub(crate) fn at(&self, at: &AtRef, configured: Option<&Configured>) -> Result<Before, Failure> {
        self.before(at, configured).map_err(|failure| at.named(failure))
    }

    fn before(&self, at: &AtRef, configured: Option<&Configured>) -> Result<Before, Failure> {
        let folder = folder_of(&self.path);
        let then = configured.map(|configured| configured.at(at)).transpose()?.flatten();
        let configured = then.as_ref().or(configured);
        let origin = Origin::Ref(at);
        let Some(mut catalog) = load_catalog(&self.suite, &folder, configured, origin)? else {
            let message = format!("`{}` has no catalog `{}`", at.git_ref.name, self.suite.catalog);
            return Err(Failure::usage(message).with_help("without it there is nothing to compare with"));
        };
        if let Some(filler) = &self.filler {
            catalog = catalog.around(filler)?;
        }
        let prompts = load_prompts(&self.suite, &folder, configured, origin)?;
        let prompts = prompts.into_iter().map(|prompt| prompt.map(Arc::new)).collect();
        Ok(Before { catalog: Arc::new(catalog), prompts })
    }

    /// The probes of one prompt on another version of prompt and catalog: those that `now` has too, where
    /// only some of them were asked for.
    pub(crate) fn cell_before(
        &self,
        before: &Before,
        prompt: Option<&Arc<Prompt>>,
        now: &CellProbes,
    ) -> CellProbes {
        let Expansion { mut probes, stale, .. } = expand(&self.derived, &before.catalog, prompt);
        if !self.only.is_empty() || self.limit.is_some() {
            let asked: HashSet<_> = now.probes.iter().map(|probe| probe.id()).collect();
            probes.retain(|probe| asked.contains(probe.id()));
        }
        CellProbes { prompt: prompt.cloned(), probes, stale }
    }

    /// Tools that tasks name and the catalog does not have; their questions are stale.
    pub(crate) fn gone(&self) -> &[ToolName] {
        &self.gone
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
}

/// What a record's header says of a catalog.
pub(crate) fn catalog_record(catalog: &Catalog) -> (Fingerprint, CatalogRecord) {
    let tools = catalog.tools().iter().map(|tool| (**tool).clone()).collect();
    (catalog.hash().clone(), CatalogRecord { label: catalog.label().to_owned(), tools })
}

/// What a record's header says of a prompt.
pub(crate) fn prompt_record(prompt: &Prompt) -> (Fingerprint, PromptRecord) {
    let record =
        PromptRecord { label: prompt.label.clone(), text: prompt.text.clone(), file: prompt.file.clone() };
    (prompt.hash.clone(), record)
}

/// The starts of ids that are asked for, with `changed` in words of its own.
fn only(asked: &[String]) -> Result<Vec<String>, Failure> {
    let mut starts = Vec::new();
    for start in asked {
        if start == CHANGED {
            starts.extend(runs::changed_probes()?);
        } else {
            starts.push(start.clone());
        }
    }
    Ok(starts)
}

/// So many probes, spread evenly over the list, so that every part of a suite is there. The arms of a question stay
/// together with it, as many questions as are within the limit; at least one.
fn spread(probes: &[Arc<Probe>], limit: usize) -> Vec<Arc<Probe>> {
    let base = |probe: &Probe| {
        let id = probe.id().as_str();
        id.split_once('@').map_or(id, |(base, _)| base).to_owned()
    };
    let mut questions: IndexMap<String, Vec<&Arc<Probe>>> = IndexMap::new();
    for probe in probes {
        questions.entry(base(probe)).or_default().push(probe);
    }
    let wanted = (limit * questions.len() / probes.len().max(1)).max(usize::from(limit > 0));
    let at = |place: usize| questions.get_index(place * questions.len() / wanted);
    (0..wanted).filter_map(at).flat_map(|(_, arms)| arms.iter().map(|probe| Arc::clone(probe))).collect()
}

/// The word for every combination of strict schemas, tool choice and parallel calls.
const STRICTNESS: &str = "strictness";

/// The arms that a word stands for.
fn spelt_out(arm: &str) -> Vec<String> {
    match arm {
        STRICTNESS => runner::Knobs::every().iter().map(runner::Knobs::arm).collect(),
        one => vec![one.to_owned()],
    }
}

/// Puts other arms in place of the suite's.
fn choose_arms(suite: &mut Suite, arms: Option<&Vec<String>>) -> Result<(), Failure> {
    let Some(arms) = arms else { return Ok(()) };
    suite.arms =
        if arms[..] == ["none"] { Vec::new() } else { arms.iter().flat_map(|arm| spelt_out(arm)).collect() };
    let Some((message, help)) = arms_mistake(&suite.arms) else { return Ok(()) };
    let failure = Failure::usage(message);
    Err(match help {
        Some(help) => failure.with_help(help),
        None => failure,
    })
}

fn choose_kinds(suite: &mut Suite, kinds: Option<&Vec<String>>) -> Result<(), Failure> {
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

/// The suite's catalog; none where a commit does not have it.
pub(crate) fn load_catalog(
    suite: &Suite,
    folder: &Path,
    configured: Option<&Configured>,
    origin: Origin<'_>,
) -> Result<Option<Catalog>, Failure> {
    if let Some(configured) = configured
        && let Some(catalog) = configured.config.catalogs.get(&suite.catalog)
    {
        let sources: &[CatalogSource] = &catalog.sources;
        fetch_sources(sources, configured.folder(), origin, 0)?;
        let folder = origin.folder(configured.folder());
        return Ok(Some(configured.catalog_of(&suite.catalog, sources, &folder)?));
    }
    let names =
        configured.map(|c| c.config.catalogs.keys().map(String::as_str).collect()).unwrap_or_default();
    let path = existing(&suite.catalog, "catalog", folder, names, origin)?;
    let Some((path, file)) = path else { return Ok(None) };
    fetch_nested(&path, &file, origin, 0)?;
    Ok(Some(Catalog::load(&file)?))
}

/// Lays the files of a commit down that a catalog is made of.
pub(crate) fn fetch_sources(
    sources: &[CatalogSource],
    folder: &Path,
    origin: Origin<'_>,
    depth: usize,
) -> Result<(), Failure> {
    for source in sources {
        let path = folder.join(source.path());
        if let (Some(file), Origin::Ref(_)) = (origin.file(&path)?, origin) {
            fetch_nested(&path, &file, origin, depth)?;
        }
    }
    Ok(())
}

/// The same for what a catalog file names in its turn. Mistakes are found where it is loaded.
pub(crate) fn fetch_nested(
    path: &Path,
    file: &Path,
    origin: Origin<'_>,
    depth: usize,
) -> Result<(), Failure> {
    if matches!(origin, Origin::WorkTree) || depth > NESTED {
        return Ok(());
    }
    let Ok((own, _)) = read_yaml_file::<CatalogFile>(file, CATALOG_FORMAT, &[]) else { return Ok(()) };
    fetch_sources(&own.sources.unwrap_or_default(), &folder_of(path), origin, depth + 1)
}

pub(crate) fn load_prompts(
    suite: &Suite,
    folder: &Path,
    configured: Option<&Configured>,
    origin: Origin<'_>,
) -> Result<Vec<Option<Prompt>>, Failure> {
    suite.prompts.iter().map(|name| load_prompt(name, suite, folder, configured, origin)).collect()
}

fn load_prompt(
    name: &str,
    suite: &Suite,
    folder: &Path,
    configured: Option<&Configured>,
    origin: Origin<'_>,
) -> Result<Option<Prompt>, Failure> {
    let named = configured.and_then(|c| c.config.prompts.get(name).map(|prompt| (c, prompt)));
    let none = IndexMap::new();
    let (path, file, vars, label) = match named {
        Some((configured, prompt)) => {
            let path = configured.folder.join(&prompt.file);
            let Some(file) = origin.file(&path)? else { return Ok(None) };
            (path, file, &prompt.vars, name.to_owned())
        }
        None => {
            let names =
                configured.map(|c| c.config.prompts.keys().map(String::as_str).collect()).unwrap_or_default();
            let Some((path, file)) = existing(name, "prompt", folder, names, origin)? else {
                return Ok(None);
            };
            let label =
                path.file_stem().map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into_owned());
            (path, file, &none, label)
        }
    };
    let template = std::fs::read_to_string(&file)
        .map_err(|source| SuiteError::Read { path: origin.shown(&path), source })?;
    let shown = PathBuf::from(origin.shown(&path));
    let mut prompt =
        Prompt::render(&label, &shown, &template, vars, &suite.principal, suite.clock.as_deref())?;
    prompt.file = Some(origin.shown(&path));
    Ok(Some(prompt))
}

/// The file that a suite names, relative to the suite, and where it can be read; none where a commit does not
/// have it.
fn existing(
    name: &str,
    what: &str,
    folder: &Path,
    configured: Vec<&str>,
    origin: Origin<'_>,
) -> Result<Option<(PathBuf, PathBuf)>, Failure> {
    let path = folder.join(name);
    if let Origin::Ref(_) = origin {
        return Ok(origin.file(&path)?.map(|file| (path, file)));
    }
    if path.is_file() {
        return Ok(Some((path.clone(), path)));
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

/// The nearest configuration above a suite that lies outside of this folder.
fn beside(suite: &Path) -> Option<PathBuf> {
    let is_below =
        suite.is_relative() && !suite.components().any(|part| part == std::path::Component::ParentDir);
    let above = suite.ancestors().skip(1).filter(|folder| !(is_below && folder.as_os_str().is_empty()));
    above.map(|folder| folder.join(DEFAULT_CONFIG)).find(|path| path.is_file())
}

pub(crate) fn folder_of(path: &Path) -> PathBuf {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}
