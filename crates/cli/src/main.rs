//! The binary `toolmirage`: parse, dispatch, show an error, choose the exit status.

mod args;
mod baseline;
mod bedrock;
mod clock;
mod command;
mod conclusion;
mod config;
mod environment;
mod error;
mod exit;
#[cfg(test)]
mod gated;
mod gateways;
mod gating;
mod git;
mod glossary;
mod inputs;
mod live;
mod money;
mod output;
mod planning;
mod prices;
mod privacy;
mod progress;
mod recorded;
mod rounds;
mod runs;
mod scoring;
mod selftest;
mod serving;
mod settled;
mod sim_script;
mod spending;
mod targets;

use std::process::ExitCode;

use clap::Parser as _;

use args::{Cli, Command};
use error::Failure;
use exit::Exit;
use inputs::Configured;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    start_log();
    match dispatch(&cli) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            progress::print(&failure.text());
            failure.exit.into()
        }
    }
}

fn dispatch(cli: &Cli) -> Result<Exit, Failure> {
    let configured = || Configured::load(cli.config.as_deref(), suite_of(&cli.command));
    match &cli.command {
        Command::Init(args) => {
            // Only a target of --draft-with stands in a configuration: without one, none is read.
            let configured = if args.draft_with.is_some() { configured()? } else { None };
            command::init::run(args, configured.as_ref(), cli.quiet)
        }
        Command::Import(args) => command::import::run(args, cli.config.as_deref()),
        Command::Catalog(args) => command::catalog::run(args, configured()?.as_ref()),
        Command::Review(args) => command::review::run(args, configured()?.as_ref()),
        Command::CheckEndpoint(args) => command::check_endpoint::run(args, configured()?.as_ref(), cli.quiet),
        Command::Run(args) => command::run::run(args, configured()?.as_ref(), cli.quiet),
        Command::Plan(args) => command::plan::run(args, configured()?.as_ref()),
        Command::Expand(args) => command::expand::run(args, configured()?.as_ref()),
        Command::Lint(args) => command::lint::run(args, configured()?, cli.quiet),
        Command::Mine(args) => command::mine::run(args, cli.quiet),
        Command::Score(args) => command::score::run(args, configured()?.as_ref()),
        Command::Report(args) => command::report::run(args, configured()?.as_ref()),
        Command::Compare(args) => command::compare::run(args, configured()?.as_ref()),
        Command::Baseline(args) => command::baseline::run(args),
        Command::Explain(args) => explain(args),
        Command::Audit(args) => command::audit::run(args, cli.quiet),
        Command::ExplainKey(args) => command::explain_key::run(args),
        Command::Guard(args) => command::guard::run(args, cli.quiet),
        Command::Selftest(args) => command::selftest::run(args, configured()?.as_ref()),
        Command::Sim(args) => command::sim::run(args, configured()?.as_ref(), cli.quiet),
        Command::Schema(args) => command::schema::run(args),
    }
}

/// The suite that a command names.
fn suite_of(command: &Command) -> Option<&std::path::Path> {
    let args = match command {
        Command::Run(args) => &args.what.suite,
        Command::Plan(args) => &args.what.suite,
        Command::Expand(args) => &args.suite,
        Command::Sim(args) => &args.suite,
        Command::Catalog(args) => return args.suite(),
        Command::Review(args) => return args.suite.as_deref(),
        Command::Selftest(args) => return args.suite.as_deref(),
        _ => return None,
    };
    args.suite.as_deref()
}

/// An existing file wins, then a run, then a word.
fn explain(args: &args::ExplainArgs) -> Result<Exit, Failure> {
    let path = std::path::Path::new(&args.what);
    let is_record = path.extension().is_some_and(|extension| extension == "jsonl");
    if path.is_file() && !is_record {
        let options = command::explain::Options {
            file: path.to_owned(),
            catalog: args.catalog.clone(),
            json: args.json,
        };
        let mut out = Vec::new();
        command::explain::run(&options, &mut out)?;
        output::print(&String::from_utf8_lossy(&out))?;
        return Ok(Exit::Pass);
    }
    if args.which.is_some() || runs::is_run(&args.what) {
        return command::show::trials(&args.what, args.which.as_deref(), args.json);
    }
    command::show::word(&args.what, args.json)
}

/// Logs to standard error, where the environment asks for it.
fn start_log() {
    let Some(filter) = environment::log_filter() else { return };
    let mut filter = tracing_subscriber::EnvFilter::new(filter);
    // The library that signs requests would tell who signs.
    if let Ok(off) = "aws_sigv4=off".parse() {
        filter = filter.add_directive(off);
    }
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(false).init();
}
