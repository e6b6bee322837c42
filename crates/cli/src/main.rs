//! The binary `toolmirage`.

mod command;
mod config;

use clap::Parser;

#[derive(Parser)]
enum Command {
    Explain(command::explain::Options),
}

fn main() -> std::process::ExitCode {
    let _ = (config::CONFIG_FORMAT, config::KNOWN_NOT_IN_THIS_BUILD);
    let Command::Explain(options) = Command::parse();
    match command::explain::run(&options, &mut std::io::stdout().lock()) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("error: {error:#}");
            std::process::ExitCode::from(2)
        }
    }
}
