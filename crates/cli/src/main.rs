//! The binary `toolmirage`: parse, dispatch, show an error, choose the exit status.

mod args;
mod clock;
mod command;
mod config;
mod environment;
mod error;
mod exit;
mod glossary;
mod inputs;
mod output;
mod progress;
mod recorded;
mod runs;
mod scoring;
mod sim_script;
mod targets;

use std::process::ExitCode;

use clap::Parser as _;

use args::{Cli, Command};
use error::Failure;
use exit::Exit;
use inputs::Configured;

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
    let configured = || Configured::load(cli.config.as_deref());
    match &cli.command {
        Command::Run(args) => command::run::run(args, configured()?.as_ref(), cli.quiet),
        Command::Expand(args) => command::expand::run(args, configured()?.as_ref()),
        Command::Score(args) => command::score::run(args),
        Command::Report(args) => command::report::run(args),
        Command::Explain(args) => command::explain::run(args),
        Command::Sim(args) => command::sim::run(args, configured()?.as_ref(), cli.quiet),
        Command::Schema(args) => command::schema::run(args),
    }
}

/// Logs to standard error, where the environment asks for it.
fn start_log() {
    let Some(filter) = environment::log_filter() else { return };
    let filter = tracing_subscriber::EnvFilter::new(filter);
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(false).init();
}
