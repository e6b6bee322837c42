//! From files to suites, catalogs and the account.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use probes::{Catalog, Source, Task, Upstream, check_filler};
use transcript::{Fingerprint, Tool, ToolName};

use crate::account::{FileLine, LeftOutTool, RenamedTool};
use crate::case::{Case, Made, Opened, Part};
use crate::check::check;
use crate::names::{Given, Names};
use crate::records::{SourceFile, records};
use crate::written::{HEAD, catalog_text, suite_text};
use crate::{Account, Benchmark, CaseLine, Outcome, Quarantine, SuiteLine, Unreadable};

/// How an import is to be made.
#[derive(Debug, Clone)]
pub struct Options<'a> {
    /// What suites and catalogs are called; the benchmark's name where absent.
    pub name: Option<&'a str>,
    /// The benchmark's version, where its files do not say it.
    pub version: Option<&'a str>,
    /// Cases that are left out by what is shipped with the benchmark.
    pub shipped: Option<Quarantine>,
    /// Cases that are left out besides. An id here that no case has is reported.
    pub quarantine: Option<Quarantine>,
    /// What a catalog without cases is to be put around: no tool of it may do what a task there wants.
    pub around: Option<Around<'a>>,
}

/// A suite and its catalog.
#[derive(Debug, Clone, Copy)]
pub struct Around<'a> {
    /// The suite's tasks.
    pub tasks: &'a [Task],
    /// Its catalog.
    pub catalog: &'a Catalog,
}

impl Around<'_> {
    /// Why a tool cannot stand beside the suite's; none where it can.
    fn refuses(self, name: &str) -> Option<String> {
        if self.catalog.get(name).is_some() {
            return Some("the suite's catalog has a tool of its name".to_owned());
        }
        let alone = Catalog::new("filler/1", vec![Arc::new(Tool::named(name))]).ok()?;
        let refused = check_filler(self.tasks, &alone).is_err();
        refused.then(|| "it could do what a task of the suite wants, by its name".to_owned())
    }
}

/// What an import came to.
#[derive(Debug)]
pub struct Imported {
    /// What became of every case.
    pub account: Account,
    /// The files to write.
    pub files: Vec<WrittenFile>,
}

/// A file to write, by its path below the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenFile {
    /// Its path, with `/` between its parts.
    pub path: String,
    /// What it holds.
    pub text: String,
}

/// A task with the names that it is asked by.
#[derive(Debug)]
pub(crate) struct Ready {
    pub(crate) task: Task,
    /// Its case's position in the account.
    at: usize,
    part: &'static Part,
}

impl Ready {
    pub(crate) fn offers(&self) -> impl Iterator<Item = &ToolName> {
        self.task.offers.iter().flatten()
    }
}

/// Imports cases of a benchmark.
#[must_use]
pub fn import(benchmark: &Benchmark, files: &[SourceFile], options: &Options<'_>) -> Imported {
    let opened: Vec<Opened<'_>> =
        files.iter().map(|file| Opened { file, records: records(&file.text) }).collect();
    let read = (benchmark.read)(&opened);
    let mut account = Account::new(benchmark.name, benchmark.licence);
    account.prefix = options.name.unwrap_or(benchmark.name).to_owned();
    for one in &opened {
        let hash = Fingerprint::of(one.file.text.as_bytes()).to_string();
        account.files.push(FileLine { name: one.file.name.clone(), hash });
        let place = |line: &usize| format!("{}:{line}", one.file.name);
        let unreadable = one.records.unreadable.iter();
        account.unreadable.extend(
            unreadable.map(|(line, reason)| Unreadable { place: place(line), reason: reason.clone() }),
        );
    }
    let more = read.unreadable.into_iter();
    account.unreadable.extend(more.map(|(place, reason)| Unreadable { place, reason }));
    account.version =
        options.version.map(str::to_owned).or(read.version).unwrap_or_else(|| of_contents(&account));
    account.notes = read.notes;
    let mut making = Making { account, names: IndexMap::new(), ready: Vec::new(), ids: HashSet::new() };
    making.cases(read.cases, options);
    let mut written = making.suites(benchmark, options);
    let mut account = making.account;
    if !read.functions.is_empty() {
        written.extend(lone_catalog(benchmark, options, &read.functions, &mut account));
    }
    account.count();
    Imported { account, files: written }
}

/// A version for files that name none: what they hold.
fn of_contents(account: &Account) -> String {
    let hashes: Vec<&str> = account.files.iter().map(|file| file.hash.as_str()).collect();
    let hash = Fingerprint::of_json(&hashes).to_string();
    format!("files {}", hash.rsplit(':').next().unwrap_or_default().get(..12).unwrap_or_default())
}

struct Making {
    account: Account,
    names: IndexMap<&'static str, Names>,
    ready: Vec<Ready>,
    ids: HashSet<String>,
}

impl Making {
    fn cases(&mut self, cases: Vec<Case>, options: &Options<'_>) {
        let all = options.shipped.iter().chain(&options.quarantine).flat_map(|one| &one.cases);
        let quarantined: HashMap<&str, &str> =
            all.map(|(id, reason)| (id.as_str(), reason.as_str())).collect();
        let mut seen: HashMap<String, String> = HashMap::new();
        for case in cases {
            let mut line = CaseLine {
                id: case.id,
                place: case.place,
                task: None,
                outcome: Outcome::LeftOut,
                reason: None,
            };
            // Its functions are named whatever becomes of it, so that nothing else is renamed by that.
            let ready = case.made.map(|made| self.named(made, &line.id));
            if let Some(first) = seen.get(&line.id) {
                line.reason = Some(format!("{first} has a case of this id"));
            } else if let Some(reason) = quarantined.get(line.id.as_str()) {
                (line.outcome, line.reason) = (Outcome::Quarantined, Some((*reason).to_owned()));
            } else {
                match ready {
                    Ok(ready) => self.ready.push(ready),
                    Err(reason) => line.reason = Some(reason),
                }
            }
            seen.entry(line.id.clone()).or_insert_with(|| line.place.clone());
            self.account.cases.push(line);
        }
        let own = options.quarantine.iter().flat_map(|one| one.cases.keys());
        self.account.unmatched_quarantine = own.filter(|id| !seen.contains_key(*id)).cloned().collect();
    }

    /// The task by the names that providers take.
    fn named(&mut self, made: Made, id: &str) -> Ready {
        let Made { part, functions, mut task } = made;
        let names = self.names.entry(part.name).or_default();
        let names: IndexMap<&str, String> =
            functions.iter().map(|function| (function.name.as_str(), names.name(function))).collect();
        let renamed = |name: &str| names.get(name).cloned().unwrap_or_else(|| name.to_owned());
        task.offers = Some(names.values().map(|name| ToolName::new(name)).collect());
        task.tool = task.tool.map(|name| if name == "none" { name } else { renamed(&name) });
        for name in task.substitutes.iter_mut().chain(&mut task.read_only) {
            *name = ToolName::new(&renamed(name.as_str()));
        }
        task.id = self.unique(id);
        Ready { task, at: self.account.cases.len(), part }
    }

    /// The benchmark's id as one of ours.
    fn unique(&mut self, id: &str) -> String {
        let mut slug = String::new();
        for c in id.chars().flat_map(char::to_lowercase) {
            if c.is_ascii_alphanumeric() {
                slug.push(c);
            } else if !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            }
        }
        let slug = if slug.is_empty() { "case" } else { slug.trim_end_matches('-') };
        let mut unique = slug.to_owned();
        let mut number = 2;
        while !self.ids.insert(unique.clone()) {
            unique = format!("{slug}-{number}");
            number += 1;
        }
        unique
    }

    fn suites(&mut self, benchmark: &Benchmark, options: &Options<'_>) -> Vec<WrittenFile> {
        let mut by_part: IndexMap<&'static str, Vec<Ready>> = IndexMap::new();
        for mut ready in std::mem::take(&mut self.ready) {
            ready.task.source = Source {
                benchmark: Some(Upstream {
                    name: benchmark.title.to_owned(),
                    version: self.account.version.clone(),
                    licence: benchmark.licence.to_owned(),
                    id: self.account.cases[ready.at].id.clone(),
                }),
                ..Source::default()
            };
            by_part.entry(ready.part.name).or_default().push(ready);
        }
        let single = by_part.len() == 1;
        let mut written = Vec::new();
        for (part, ready) in by_part {
            let name = match options.name {
                Some(name) if single => name.to_owned(),
                name => format!("{}-{part}", name.unwrap_or(benchmark.name)),
            };
            written.extend(self.suite(&name, ready));
        }
        written
    }

    fn suite(&mut self, name: &str, ready: Vec<Ready>) -> Vec<WrittenFile> {
        let Some(part) = ready.first().map(|ready| ready.part) else { return Vec::new() };
        let names = self.names.shift_remove(part.name).unwrap_or_default();
        let tools: IndexMap<&str, &Given> =
            names.given().iter().map(|given| (given.name.as_str(), given)).collect();
        let checked = check(&ready, part.kinds, &tools);
        let probes = checked.iter().flatten().sum();
        let mut kept = Vec::new();
        for (ready, result) in ready.into_iter().zip(checked) {
            let line = &mut self.account.cases[ready.at];
            match result {
                Ok(_) => {
                    (line.outcome, line.task) = (Outcome::Imported, Some(ready.task.id.clone()));
                    kept.push(ready);
                }
                Err(reason) => line.reason = Some(reason),
            }
        }
        let offered: IndexSet<&str> = kept.iter().flat_map(Ready::offers).map(ToolName::as_str).collect();
        let mut offered: Vec<&Given> =
            tools.values().copied().filter(|given| offered.contains(given.name.as_str())).collect();
        if offered.is_empty() {
            offered.extend(tools.values().copied().take(1));
        }
        if kept.is_empty() || offered.is_empty() {
            return Vec::new();
        }
        let (suite, catalog) = (format!("suites/{name}.yaml"), format!("catalogs/{name}.json"));
        self.renamed(&catalog, &offered);
        self.account.suites.push(SuiteLine {
            suite: Some(suite.clone()),
            catalog: catalog.clone(),
            tasks: kept.len(),
            tools: offered.len(),
            probes,
            kinds: part.kinds.iter().map(|kind| (*kind).to_owned()).collect(),
        });
        let text = suite_text(name, &format!("../{catalog}"), part.kinds, kept.iter());
        vec![
            WrittenFile { path: suite, text: format!("{HEAD}{text}") },
            WrittenFile { path: catalog, text: catalog_text(name, offered.into_iter()) },
        ]
    }

    fn renamed(&mut self, catalog: &str, offered: &[&Given]) {
        let renamed = offered.iter().filter(|given| given.name != given.function.name);
        self.account.names.extend(renamed.map(|given| RenamedTool {
            catalog: catalog.to_owned(),
            name: given.name.clone(),
            original: given.function.name.clone(),
        }));
    }
}

/// A catalog of functions that belong to no case.
fn lone_catalog(
    benchmark: &Benchmark,
    options: &Options<'_>,
    functions: &[crate::function::Function],
    account: &mut Account,
) -> Option<WrittenFile> {
    let mut names = Names::default();
    for function in functions {
        names.name(function);
    }
    let mut kept: Vec<&Given> = Vec::new();
    for given in names.given() {
        match options.around.and_then(|around| around.refuses(&given.name)) {
            Some(reason) => account.left_out_tools.push(LeftOutTool { name: given.name.clone(), reason }),
            None => kept.push(given),
        }
    }
    if kept.is_empty() {
        return None;
    }
    let name = options.name.unwrap_or(benchmark.name);
    let catalog = format!("catalogs/{name}.json");
    for given in kept.iter().filter(|given| given.name != given.function.name) {
        let (name, original) = (given.name.clone(), given.function.name.clone());
        account.names.push(RenamedTool { catalog: catalog.clone(), name, original });
    }
    account.suites.push(SuiteLine {
        suite: None,
        catalog: catalog.clone(),
        tasks: 0,
        tools: kept.len(),
        probes: 0,
        kinds: Vec::new(),
    });
    Some(WrittenFile { path: catalog, text: catalog_text(name, kept.into_iter()) })
}
