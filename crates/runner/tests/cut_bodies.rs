//! Every wire case cut off at many places, and with a byte of it changed: whatever an endpoint sends, it is read,
//! and what was read of it can be echoed as JSON.
#![expect(clippy::unwrap_used, reason = "a test harness")]

use std::fs;
use std::path::{Path, PathBuf};

use runner::{PROVIDERS, Provider};
use transcript::{CallId, RawJson};

/// Bytes that JSON reads as something else.
const ODD: &[u8] = b"\"7{\n\xff";

#[test]
fn no_part_of_a_body_is_too_odd_to_read() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire");
    for provider in PROVIDERS {
        let bodies: Vec<Vec<u8>> = bodies(&root.join(provider.name)).collect();
        assert!(!bodies.is_empty(), "{}", provider.name);
        for body in bodies {
            for at in (0..body.len()).step_by(3) {
                read(provider, &body[..at]);
                let mut changed = body.clone();
                changed[at] = ODD[at % ODD.len()];
                read(provider, &changed);
            }
        }
    }
}

fn bodies(root: &Path) -> impl Iterator<Item = Vec<u8>> {
    let mut cases: Vec<PathBuf> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    cases.into_iter().filter_map(|case| {
        ["response.json", "response.txt"].iter().find_map(|name| fs::read(case.join(name)).ok())
    })
}

fn read(provider: &Provider, body: &[u8]) {
    let decoded = (provider.decode)(200, body);
    let ids: Vec<CallId> = decoded.observed.calls().map(|_| CallId("a00000000".to_owned())).collect();
    if let Some(whole) = decoded.whole() {
        let echo = (provider.echo)(whole, &decoded.observed, &ids);
        assert!(RawJson::parse(echo.as_str()).is_ok(), "{echo}");
    }
}
