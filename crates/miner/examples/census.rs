//! Prints the census of the paths that are named, as JSON: for measuring the miner without the rest of the program.
//! `cargo run --release -p miner --example census -- logs/`

#![allow(clippy::print_stdout, reason = "an example prints")]

use miner::{MineError, Options, Sources, mine};

fn main() -> Result<(), MineError> {
    let paths = std::env::args_os().skip(1).map(Into::into).collect();
    let options = Options {
        since: None,
        until: None,
        project: None,
        by: Vec::new(),
        top: 5,
        strict: false,
        rules: Vec::new(),
    };
    let census = mine(Sources { paths, stream: None }, &options)?;
    println!("{}", serde_json::to_string(&census).unwrap_or_default());
    Ok(())
}
