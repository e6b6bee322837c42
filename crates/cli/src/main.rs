//! The binary `toolmirage`.

mod config;

fn main() {
    let _ = (config::CONFIG_FORMAT, config::KNOWN_NOT_IN_THIS_BUILD);
}
