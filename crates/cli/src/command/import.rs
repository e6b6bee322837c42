//! `toolmirage import`: suites from files of public benchmarks that the user has downloaded.

mod sources;

use std::fmt::Write as _;
use std::path::Path;

use importer::{Account, Around, BENCHMARKS, Benchmark, Imported, Options, Quarantine, benchmark, import};

use crate::args::{ImportArgs, SuiteArgs};
use crate::command::init::files::Files;
use crate::error::Failure;
use crate::exit::Exit;
use crate::inputs::{Configured, Inputs};
use crate::{output, progress};

/// Writes suites, catalogs and the account.
pub(crate) fn run(args: &ImportArgs, config: Option<&Path>) -> Result<Exit, Failure> {
    if args.list {
        output::print(&listed())?;
        return Ok(Exit::Pass);
    }
    let benchmark = named(args.benchmark.as_deref().unwrap_or_default())?;
    check_name(args.name.as_deref())?;
    let files = sources::read(benchmark, &args.files)?;
    let shipped = match benchmark.quarantine {
        Some(text) if !args.no_quarantine => {
            Some(Quarantine::from_text(Path::new("quarantine.yaml"), text)?.0)
        }
        _ => None,
    };
    let quarantine = args.quarantine.as_deref().map(|path| quarantine(path, benchmark)).transpose()?;
    let (name, version) = (args.name.as_deref(), args.benchmark_version.as_deref());
    let suite = args.around.as_ref().map(|suite| around(suite, config)).transpose()?;
    let around = suite.as_ref().map(|one| Around { tasks: &one.suite.tasks, catalog: &one.catalog });
    let options = Options { name, version, shipped, quarantine, around };
    let Imported { account, files } = import(benchmark, &files, &options);
    if account.is_empty() {
        return nothing(&account, args.json);
    }
    let stage = tempfile::tempdir()?;
    let mut written = Files::new(stage.path());
    for file in &files {
        written.put(&file.path, file.text.as_bytes())?;
    }
    let mut text = serde_json::to_string_pretty(&account)?;
    text.push('\n');
    written.put(&format!("imports/{}.json", account.name()), text.as_bytes())?;
    written.move_to(&args.dir, args.force)?;
    if args.json {
        output::print(&text)?;
    } else {
        output::print(&report(&account, args, written.names()))?;
    }
    Ok(Exit::Pass)
}

fn named(name: &str) -> Result<&'static Benchmark, Failure> {
    benchmark(name).ok_or_else(|| {
        let failure = Failure::usage(format!("unknown benchmark `{name}`"));
        let near = probes::nearest(name, BENCHMARKS.iter().map(|benchmark| benchmark.name));
        match near {
            Some(near) => {
                failure.with_help(format!("did you mean `{near}`? `toolmirage import --list` shows them"))
            }
            None => failure.with_help("`toolmirage import --list` shows them"),
        }
    })
}

fn check_name(name: Option<&str>) -> Result<(), Failure> {
    let Some(name) = name.filter(|name| drafter::slug(name) != *name) else { return Ok(()) };
    Err(Failure::usage(format!("`{name}` is no name of a suite"))
        .with_help(format!("use lower-case letters, digits and hyphens, such as `{}`", drafter::slug(name))))
}

fn quarantine(path: &Path, benchmark: &Benchmark) -> Result<Quarantine, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("cannot read `{}`: {error}", path.display())))?;
    let (quarantine, places) = Quarantine::from_text(path, &text)?;
    if quarantine.benchmark != benchmark.name {
        let message =
            format!("this quarantines cases of `{}`, not of `{}`", quarantine.benchmark, benchmark.name);
        return Err(Failure::usage(places.value("/benchmark", message)));
    }
    Ok(quarantine)
}

/// The suite that a catalog is to be put around.
fn around(suite: &Path, config: Option<&Path>) -> Result<Inputs, Failure> {
    let args = SuiteArgs {
        suite: Some(suite.to_owned()),
        filler: None,
        kinds: Vec::new(),
        arms: Vec::new(),
        only: Vec::new(),
        limit: None,
    };
    Inputs::load(&args, Configured::load(config, Some(suite))?.as_ref(), None)
}

/// Files of which nothing can be asked: the account still says why.
fn nothing(account: &Account, json: bool) -> Result<Exit, Failure> {
    if json {
        output::print_json(account)?;
    } else {
        progress::print(report::visible_block(account.text().trim_end()).as_ref());
    }
    Err(Failure::usage("no case could be imported").with_help("`toolmirage import --list` says what is read"))
}

fn report(account: &Account, args: &ImportArgs, names: &[String]) -> String {
    let shown = report::visible(&args.dir.display().to_string()).into_owned();
    let around = args.around.as_ref().map_or_else(|| "SUITE".to_owned(), |suite| suite.display().to_string());
    let mut out = report::visible_block(&account.text()).into_owned();
    out.push('\n');
    for name in names {
        let _ = writeln!(out, "wrote      {shown}/{name}");
    }
    let mut next = "next       ";
    for suite in &account.suites {
        let _ = match &suite.suite {
            Some(suite) => writeln!(out, "{next}toolmirage run {shown}/{suite} --target sim:careless"),
            None => writeln!(out, "{next}toolmirage run {around} --filler {shown}/{}", suite.catalog),
        };
        next = "           ";
    }
    out
}

fn listed() -> String {
    let mut out = String::new();
    for benchmark in BENCHMARKS {
        let _ = writeln!(out, "{:<14}{}, {}", benchmark.name, benchmark.title, benchmark.licence);
        for line in benchmark.summary {
            let _ = writeln!(out, "              {line}");
        }
    }
    out
}
