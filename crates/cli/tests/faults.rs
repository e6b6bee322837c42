//! A run over a bad network that is killed again and again: no trial is lost, none is doubled, each is in the bucket
//! that what happened to it wants. `TOOLMIRAGE_LONG=1` makes it 5,000 trials and twenty kills.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

mod place;
mod served;

use std::collections::{BTreeMap, BTreeSet};
use std::thread;

use serde_json::Value;

use place::{Place, code, err};
use served::Served;

const PROFILE: &str = "planted:unknown_tool=0.1,shadow_call=0.2,hallucinated_argument=0.2,icc=0.2,seed=3";
const FAULTS: &str = "429=0.05,500=0.05,timeout=0.05,cut=0.05,malformed=0.05,truncated=0.05,seed=5";
const SUITE: &[&str] = &["suites/starter.yaml"];

/// Repeats of the 250 probes, and how often the run is killed.
#[expect(clippy::disallowed_methods, reason = "a test has no settings but these")]
fn size() -> (u32, u64) {
    if std::env::var_os("TOOLMIRAGE_LONG").is_some() { (20, 20) } else { (1, 4) }
}

fn lines(text: &str, kind: &str) -> Vec<Value> {
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter_map(|line| line.get(kind).cloned()).collect()
}

fn name(trial: &Value) -> String {
    format!("{}/{}", trial["probe"].as_str().unwrap(), trial["repeat"])
}

/// The status of a trial whose last try met this fault.
fn bucket(fault: Option<&str>) -> &'static str {
    match fault {
        None => "scored",
        Some("timeout") => "timeout",
        Some("malformed") => "unparsed",
        Some("truncated") => "truncated",
        Some(_) => "endpoint_error",
    }
}

struct Run<'a> {
    place: &'a Place,
    address: String,
    folder: &'a str,
}

impl Run<'_> {
    /// What begins it, or goes on with it.
    fn command(&self, repeats: u32) -> std::process::Command {
        let how = ["--timeout", "1", "--concurrency", "64", "-q"];
        let folder = self.place.path(self.folder);
        if folder.join("run.jsonl").exists() {
            return self.place.command(&[&["run", "--resume", self.folder][..], &how].concat());
        }
        let (url, target, repeats) =
            (format!("{}/v1", self.address), format!("sim:{PROFILE}"), repeats.to_string());
        let what = ["--target", &target, "--base-url", &url, "--repeats", &repeats, "--out", self.folder];
        self.place.command(&[&["run", "--no-check"], SUITE, &what, &how].concat())
    }

    fn trials(&self) -> BTreeMap<String, Value> {
        let record = self.place.read(&format!("{}/run.jsonl", self.folder));
        let trials = lines(&record, "trial");
        let count = trials.len();
        let by_name: BTreeMap<String, Value> =
            trials.into_iter().map(|trial| (name(&trial), trial)).collect();
        assert_eq!(by_name.len(), count, "{}: a trial is recorded twice", self.folder);
        assert_eq!(lines(&record, "footer").len(), 1, "{}: no end", self.folder);
        by_name
    }

    fn report(&self) -> Value {
        serde_json::from_str(&self.place.read(&format!("{}/report.json", self.folder))).unwrap()
    }
}

#[test]
fn a_bad_network_and_kills_lose_and_double_nothing() {
    let (repeats, kills) = size();
    let place = Place::new();
    let log = place.path("decisions.jsonl");
    let served =
        Served::start_with(&place, PROFILE, FAULTS, SUITE, &["--decision-log", log.to_str().unwrap()]);
    let disturbed = Run { place: &place, address: served.address.clone(), folder: "disturbed" };

    // Killed wherever the record has grown to: a part of a line, a trial under way, a wait before another try.
    let record = place.path("disturbed/run.jsonl");
    let size = |path: &std::path::Path| std::fs::metadata(path).map_or(0, |meta| meta.len());
    let (mut killed, mut draw) = (0, 41_u64);
    for _ in 0..kills {
        let mut child = disturbed.command(repeats).spawn().unwrap();
        draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let before = size(&record);
        let grown = draw >> 33;
        let goal = before + 1 + grown % (u64::from(repeats) * 750_000 / (kills + 1));
        while child.try_wait().unwrap().is_none() && size(&record) < goal {
            thread::yield_now();
        }
        if child.try_wait().unwrap().is_none() {
            child.kill().unwrap();
            killed += 1;
        }
        child.wait().unwrap();
    }
    assert!(killed > kills / 2, "killed only {killed} times");
    let end = disturbed.command(repeats).output().unwrap();
    assert_eq!(code(&end), 0, "{}", err(&end));

    // Every trial once, in the bucket that its last try wants.
    let trials = disturbed.trials();
    let planned = lines(&place.read("disturbed/run.jsonl"), "probe").len() * repeats as usize;
    assert_eq!(trials.len(), planned);
    served.stop();
    let mut met: BTreeMap<(String, u64), Option<String>> = BTreeMap::new();
    for line in place.read("decisions.jsonl").lines() {
        let try_: Value = serde_json::from_str(line).unwrap();
        let key = (try_["trial"].as_str().unwrap().to_owned(), try_["attempt"].as_u64().unwrap());
        met.insert(key, try_["fault"].as_str().map(str::to_owned));
    }
    let mut seen = BTreeSet::new();
    for (name, trial) in &trials {
        let attempts = trial["attempts"].as_u64().unwrap();
        let fault = &met[&(name.clone(), attempts)];
        assert_eq!(trial["status"], bucket(fault.as_deref()), "{name}: {fault:?}: {trial}");
        seen.insert(trial["status"].as_str().unwrap().to_owned());
    }
    assert!(["scored", "unparsed", "truncated"].iter().all(|status| seen.contains(*status)), "{seen:?}");

    // The same faults without kills come to the same figures; no faults at all, to the same answers.
    let served = Served::start(&place, PROFILE, FAULTS, SUITE);
    let whole = Run { place: &place, address: served.address.clone(), folder: "whole" };
    let output = whole.command(repeats).output().unwrap();
    assert_eq!(code(&output), 0, "{}", err(&output));
    let figures = |run: &Run<'_>| run.report()["cells"].clone();
    assert_eq!(figures(&disturbed), figures(&whole));
    drop(served);
    let served = Served::start(&place, PROFILE, "", SUITE);
    let undisturbed = Run { place: &place, address: served.address.clone(), folder: "undisturbed" };
    assert_eq!(code(&undisturbed.command(repeats).output().unwrap()), 0);
    let (mut both, answers) = (0, |trial: &Value| -> Vec<Value> {
        trial["turns"].as_array().unwrap().iter().map(|turn| turn["response"].clone()).collect()
    });
    for (name, trial) in undisturbed.trials() {
        assert_eq!(trial["status"], "scored", "{name}");
        let other = &trials[&name];
        if other["status"] == "scored" {
            assert_eq!(answers(&trial), answers(other), "{name}");
            both += 1;
        }
    }
    assert!(both * 2 > trials.len(), "{both} of {}", trials.len());
}
