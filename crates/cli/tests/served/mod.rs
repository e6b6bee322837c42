//! A simulated model that the built binary serves, for as long as a test wants it.

#![allow(dead_code, reason = "not every test needs all of it")]

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use crate::place::Place;

pub(crate) struct Served {
    child: Child,
    /// Where it is, without any path.
    pub(crate) address: String,
}

impl Served {
    /// Serves the suite under this profile; `faults` as `sim --faults` takes them.
    pub(crate) fn start(place: &Place, profile: &str, faults: &str, suite: &[&str]) -> Self {
        Self::start_with(place, profile, faults, suite, &[])
    }

    pub(crate) fn start_with(
        place: &Place,
        profile: &str,
        faults: &str,
        suite: &[&str],
        further: &[&str],
    ) -> Self {
        let mut args = vec!["sim", "--port", "0", "--profile", profile, "--faults", faults, "-q"];
        args.extend(suite);
        args.extend(further);
        let mut child = place.command(&args).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_suffix("/v1").unwrap_or_default().to_owned();
        assert!(address.starts_with("http://127.0.0.1:"), "{line}");
        Self { child, address }
    }
}

impl Served {
    /// Ends it as Ctrl-C does, so that all that it decided is written.
    pub(crate) fn stop(mut self) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
        assert!(sent.success() && self.child.wait().unwrap().success());
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
