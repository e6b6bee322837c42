//! Two sides through the built binary: `run --against`, `compare`, `baseline`, `plan`, and the statuses that a
//! gate ends with.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

mod place;

use std::fmt::Write as _;
use std::process::{Command, Stdio};

use serde_json::Value;

use place::{Place, code, err, out};

impl Place {
    /// Makes a repository of the folder, with everything that lies there in one commit on `main`.
    fn commit(&self) {
        for args in [
            &["init", "-q", "-b", "main"][..],
            &["add", "-A"],
            &["-c", "user.email=a@example.org", "-c", "user.name=a", "commit", "-q", "-m", "all"],
        ] {
            let done = Command::new("git").args(args).current_dir(self.path(".")).output().unwrap();
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        }
    }

    /// Runs without a word, and checks the status.
    fn quiet(&self, args: &[&str], status: i32) -> String {
        let output = self.run(args);
        assert_eq!(code(&output), status, "{args:?}\n{}{}", out(&output), err(&output));
        err(&output)
    }

    fn json(&self, args: &[&str]) -> (i32, Value) {
        let output = self.run(&[args, &["--json"]].concat());
        let json = serde_json::from_slice(&output.stdout);
        (code(&output), json.unwrap_or_else(|error| panic!("{error}\n{}{}", out(&output), err(&output))))
    }
}

const PROMPT: &str = "suites/prompts/billing.md";

/// A suite of so many tasks with one control each.
fn controls(place: &Place, tasks: usize) {
    let mut suite = String::from(
        "toolmirage: suite/1\nname: crates\nversion: 1\nseed: 4\ncatalog: crates.yaml\nkinds: [control]\ntasks:\n",
    );
    for task in 0..tasks {
        let _ =
            writeln!(suite, "  - {{ id: task-{task}, tool: move_crate, user: Move crate number {task}. }}");
    }
    place.write("crates.suite.yaml", &suite);
    place.write(
        "crates.yaml",
        "toolmirage: catalog/1\nname: crates\nversion: 1\ntools:\n  - { name: move_crate }\n  - { name: weigh_crate }\n  - { name: paint_crate }\n",
    );
}

#[test]
fn statuses_follow_what_was_planted() {
    let place = Place::new();
    controls(&place, 400);
    let run = |rate: &str, seed: u32, out: &str| {
        let target = format!("sim:planted:unknown_tool={rate},seed={seed}");
        place.quiet(&["run", "-q", "crates.suite.yaml", "--target", &target, "--out", out], 0);
    };
    let compare = |a: &str, b: &str, more: &[&str]| {
        let args = [&["compare", a, b, "--rates", "unknown_tool"], more].concat();
        code(&place.run(&args))
    };
    for seed in 0..5 {
        let [before, rise, same] = ["before", "rise", "same"].map(|name| format!("{name}-{seed}"));
        run("0.03", seed, &before);
        run("0.12", seed + 100, &rise);
        run("0.03", seed + 200, &same);
        assert_eq!(compare(&before, &rise, &[]), 1, "seed {seed}");
        assert_eq!(compare(&before, &same, &[]), 0, "seed {seed}");
        if seed > 0 {
            continue;
        }
        assert_eq!(
            compare(&before, &same, &["--tolerance", "0.1 points", "--inconclusive", "fail"]),
            3,
            "seed {seed}"
        );
        assert_eq!(
            compare(&before, &same, &["--tolerance", "30 points", "--inconclusive", "fail"]),
            0,
            "seed {seed}"
        );
        assert_eq!(
            compare(&before, &rise, &["--tolerance", "60 points"]),
            0,
            "seed {seed}: within tolerance"
        );
    }
}

#[test]
fn nothing_that_differs_is_nothing_to_measure() {
    let place = Place::new();
    place.commit();
    let output = place.run(&["run", "--against", "main"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(out(&output).starts_with("nothing to measure"), "{}", out(&output));
    assert!(!place.path("reports").exists(), "nothing was begun");
    let (status, json) = place.json(&["run", "--against", "main"]);
    assert_eq!((status, json["nothing_to_measure"].as_bool()), (0, Some(true)));
    // A change that no cell reads is none.
    place.edit("suites/README.md", "\n", "\n\n");
    assert!(out(&place.run(&["run", "--against", "main"])).starts_with("nothing to measure"));
}

#[test]
fn a_changed_prompt_is_measured_beside_its_ref() {
    let place = Place::new();
    place.commit();
    place.edit(PROMPT, "\n", "\nYou can do everything that an accountant could wish for.\n");
    let (status, report) =
        place.json(&["run", "-q", "--against", "main", "--target", "sim:honest", "--out", "r"]);
    assert_eq!(status, 0);
    let comparison = &report["comparison"];
    assert_eq!(comparison["concurrent"], true);
    assert_eq!(comparison["factors"], serde_json::json!(["prompt"]));
    assert_eq!(comparison["baseline"]["label"], "main");
    let cell = &comparison["cells"][0];
    assert_eq!(cell["pairs"], 250);
    assert_eq!(cell["unpaired"], serde_json::json!([]));
    let lines = &comparison["differences"]["prompts"][0];
    assert_eq!(lines["file"], PROMPT);
    assert_eq!(lines["lines"][0]["line"], 2);
    assert_eq!(report["gate"]["verdict"], "inconclusive");
    // The record says the same when it is read again.
    let (_, again) = place.json(&["report", "r"]);
    assert_eq!(again["comparison"], report["comparison"]);
    let record = place.read("r/run.jsonl");
    let header: Value = serde_json::from_str(record.lines().next().unwrap()).unwrap();
    assert_eq!(header["header"]["cells"][0]["side"], "baseline");
    assert_eq!(header["header"]["cells"][0]["ref"], "main");
    assert_eq!(header["header"]["against"]["commit"].as_str().unwrap().len(), 40);
    assert!(!record.contains("/tmp/"), "no path of a temporary copy is kept");
}

#[test]
fn the_two_sides_of_a_probe_lie_next_to_each_other() {
    let place = Place::new();
    place.commit();
    place.edit(PROMPT, "\n", "\nBe brief.\n");
    let args = [
        "run",
        "-q",
        "--against",
        "main",
        "--target",
        "sim:honest",
        "--concurrency",
        "1",
        "--limit",
        "40",
        "--out",
        "r",
    ];
    place.quiet(&args, 0);
    let trials: Vec<Value> = place
        .read("r/run.jsonl")
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok()?.get("trial").cloned())
        .collect();
    assert_eq!(trials.len(), 80);
    let without_arm = |trial: &Value| {
        let probe = trial["probe"].as_str().unwrap();
        probe.split('@').next().unwrap().to_owned()
    };
    let mut switches = 0;
    for pair in trials.windows(2) {
        switches += usize::from(without_arm(&pair[0]) != without_arm(&pair[1]));
    }
    let mut questions: Vec<String> = trials.iter().map(without_arm).collect();
    questions.sort_unstable();
    questions.dedup();
    assert_eq!(switches + 1, questions.len(), "each question is left once and for all");
}

#[test]
fn a_changed_catalog_still_pairs_and_lists_what_is_stale() {
    let place = Place::new();
    place.commit();
    let catalog = place.read("catalogs/billing.yaml");
    let at = catalog.find("  - name: get_revenue_report").expect("the tool is there");
    let end = catalog[at + 4..].find("\n  - name:").map_or(catalog.len(), |end| at + 4 + end + 1);
    place.write("catalogs/billing.yaml", &format!("{}{}", &catalog[..at], &catalog[end..]));
    let output = place.run(&["run", "--against", "main", "--target", "sim:honest", "--out", "r", "--json"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(err(&output).contains("get_revenue_report"), "{}", err(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let comparison = &report["comparison"];
    assert_eq!(comparison["factors"], serde_json::json!(["catalog"]));
    assert_eq!(
        comparison["differences"]["catalogs"][0]["removed"],
        serde_json::json!(["get_revenue_report"])
    );
    let cell = &comparison["cells"][0];
    let unpaired = cell["unpaired"].as_array().unwrap();
    assert!(!unpaired.is_empty() && unpaired.iter().all(|probe| probe["stale"] == true), "{unpaired:?}");
    assert_eq!(cell["pairs"].as_u64().unwrap() + unpaired.len() as u64, 250);
    assert!(report["identity"]["stale"].as_array().unwrap().len() >= unpaired.len());
}

#[test]
fn confirming_trials_are_shown_and_enter_no_rate() {
    let place = Place::new();
    place.commit();
    place.edit(PROMPT, "\n", "\nBe brief.\n");
    let run = |out: &str, more: &[&str]| {
        let args = ["run", "-q", "--against", "main", "--target", "sim:careless", "--out", out];
        place.json(&[&args[..], more].concat()).1
    };
    let plain = run("plain", &[]);
    let confirmed = run("confirmed", &["--confirm", "3"]);
    assert_eq!(plain["cells"][0]["rates"], confirmed["cells"][0]["rates"]);
    assert_eq!(plain["trials"], confirmed["trials"]);
    let changed = confirmed["comparison"]["cells"][0]["changed"].as_array().unwrap();
    let gated = |probe: &Value| probe["rates"].as_array().unwrap().iter().any(|rate| rate["gated"] == true);
    assert!(changed.iter().any(gated));
    for probe in changed {
        let scored = probe["confirmed"]["candidate"]["scored"].as_u64();
        assert_eq!(scored, gated(probe).then_some(3), "{probe}");
    }
    let again = changed.iter().filter(|probe| gated(probe)).count();
    let trials =
        place.read("confirmed/run.jsonl").lines().filter(|line| line.starts_with("{\"trial\"")).count();
    assert_eq!(trials, 500 + again * 6);
    // Each changed probe shows one trial of each side.
    let shown = confirmed["comparison"]["trials"].as_array().unwrap();
    for probe in changed {
        for side in ["baseline_trial", "candidate_trial"] {
            let at = usize::try_from(probe[side].as_u64().unwrap()).unwrap();
            assert_eq!(shown[at]["probe"], probe["probe"]);
        }
    }
}

#[test]
fn only_what_changed_can_be_put_again() {
    let place = Place::new();
    place.commit();
    assert!(place.quiet(&["run", "--only", "changed"], 2).contains("no comparison below"));
    place.edit(PROMPT, "\n", "\nBe brief.\n");
    let run = ["run", "-q", "--against", "main", "--target", "sim:careless"];
    let (_, first) = place.json(&[&run[..], &["--out", "reports/first"]].concat());
    let (_, again) = place.json(&[&run[..], &["--only", "changed", "--out", "reports/again"]].concat());
    let changed = first["comparison"]["cells"][0]["changed"].as_array().unwrap().len() as u64;
    let pairs = again["comparison"]["cells"][0]["pairs"].as_u64().unwrap();
    assert!(changed > 20 && pairs >= changed && pairs < 200, "{changed} changed, {pairs} were put again");
}

#[test]
fn a_killed_comparison_goes_on() {
    let place = Place::new();
    place.commit();
    place.edit(PROMPT, "\n", "\nBe brief.\n");
    let args = ["run", "-q", "--against", "main", "--target", "sim:careless", "--confirm", "2"];
    place.run(&[&args[..], &["--out", "whole"]].concat());
    let spawn = |args: &[&str]| place.command(args).stdout(Stdio::null()).spawn().unwrap();
    let mut child = spawn(&[&args[..], &["--out", "killed"]].concat());
    let record = place.path("killed/run.jsonl");
    let lines = || std::fs::read(&record).map_or(0, |bytes| bytes.iter().filter(|b| **b == b'\n').count());
    for wanted in [620, 760, 900, 1_010, 1_040] {
        while lines() < wanted && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        child.kill().ok();
        child.wait().unwrap();
        child = spawn(&["run", "-q", "--resume", "killed"]);
    }
    child.wait().unwrap();
    let ids = |run: &str| {
        let mut ids: Vec<(String, String, u64)> = place
            .read(&format!("{run}/run.jsonl"))
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok()?.get("trial").cloned())
            .map(|trial| {
                let text = |key: &str| trial[key].as_str().unwrap().to_owned();
                (text("probe"), text("cell"), trial["repeat"].as_u64().unwrap())
            })
            .collect();
        ids.sort();
        ids
    };
    assert_eq!(ids("killed"), ids("whole"));
    let (_, killed) = place.json(&["report", "killed"]);
    let (_, whole) = place.json(&["report", "whole"]);
    assert_eq!(killed["finished"], true);
    assert_eq!(killed["gate"], whole["gate"]);
}

#[test]
fn what_cannot_be_compared_is_said_plainly() {
    let place = Place::new();
    place.commit();
    for (name, suite, target) in [
        ("honest", "suites/starter.yaml", "sim:honest"),
        ("documents", "suites/documents.yaml", "sim:honest"),
        ("careless", "suites/starter.yaml", "sim:careless"),
    ] {
        place.quiet(&["run", "-q", suite, "--target", target, "--out", name], 0);
    }
    place.edit(PROMPT, "\n", "\nBe brief.\n");
    place.quiet(&["run", "-q", "--target", "sim:careless", "--out", "prompt"], 0);
    let cases: &[(&[&str], i32, &[&str])] = &[
        (&["compare", "honest", "documents"], 4, &["different suites", "starter", "documents"]),
        (&["compare", "honest", "prompt"], 4, &["prompt and target differ", "--factor all"]),
        (&["compare", "honest", "careless", "--factor", "prompt"], 4, &["--factor target"]),
        (&["compare", "careless", "prompt", "--factor", "catalog"], 4, &["catalog alone"]),
        (&["compare", "honest", "nowhere"], 2, &["`nowhere` is no run"]),
        (&["compare", "honest", "careless", "--factor", "promt"], 2, &["did you mean `prompt`"]),
        (&["compare", "honest", "careless", "--factor", "arm:overclaimed"], 2, &["not in this build"]),
        (&["compare", "honest", "careless", "--rates", "unknown"], 2, &["unknown rate"]),
        (&["compare", "honest", "careless", "--tolerance", "3 %"], 2, &["3 points"]),
        (&["run", "--against", "mian"], 2, &["no ref", "did you mean `main`"]),
        (&["run", "--against", "--upload-pack=x"], 2, &[]),
        (&["run", "--confirm", "3"], 2, &["--against"]),
        (&["plan", "--baseline", "nowhere"], 2, &["no run"]),
    ];
    for (args, status, words) in cases {
        let said = place.quiet(args, *status);
        for word in *words {
            assert!(said.contains(word), "{args:?} lacks {word:?}\n{said}");
        }
    }
    assert_eq!(place.json(&["compare", "honest", "prompt", "--factor", "all"]).0, 1);
}

#[test]
fn an_unfinished_record_is_neither_compared_nor_accepted() {
    let place = Place::new();
    place.quiet(&["run", "-q", "--target", "sim:honest", "--out", "a"], 0);
    let record = place.read("a/run.jsonl");
    let without_footer = record.trim_end().rsplit_once('\n').unwrap().0;
    std::fs::create_dir(place.path("b")).unwrap();
    place.write("b/run.jsonl", &format!("{without_footer}\n"));
    for args in [&["compare", "a", "b"][..], &["compare", "b", "a"], &["baseline", "accept", "b"]] {
        let said = place.quiet(args, 4);
        assert!(said.contains("unfinished") && said.contains("--resume b"), "{said}");
    }
}

#[test]
fn a_baseline_outlives_its_record() {
    let place = Place::new();
    place.quiet(&["run", "-q", "--target", "sim:honest", "--out", "a"], 0);
    place.quiet(&["run", "-q", "--target", "sim:careless", "--out", "b"], 0);
    place.quiet(&["baseline", "accept", "a", "--reason", "first"], 0);
    let file = "baselines/starter.json";
    let baseline: Value = serde_json::from_str(&place.read(file)).unwrap();
    assert_eq!(baseline["scorer"], "scorer/2");
    assert!(baseline["record"].as_str().unwrap().starts_with("sha256:"));
    assert_eq!(baseline["scorecards"][0]["probes"].as_array().unwrap().len(), 250);
    assert!(!place.read(file).contains("\"turns\":["), "no transcripts");
    let (from_record, whole) = place.json(&["compare", "a", "b"]);
    std::fs::remove_dir_all(place.path("a")).unwrap();
    let (from_file, kept) = place.json(&["compare", file, "b"]);
    assert_eq!((from_record, from_file), (1, 1));
    assert_eq!(whole["gate"], kept["gate"]);
    assert_eq!(kept["comparison"]["baseline"]["accepted"], true);
    assert_eq!(kept["comparison"]["concurrent"], false);
    // Another build's rules.
    place.edit(file, "scorer/2", "scorer/0");
    let said = place.quiet(&["compare", file, "b"], 4);
    assert!(said.contains("scorer/0") && said.contains("accept it again"), "{said}");
    place.write(file, "{\"format\": \"other/1\"}");
    place.quiet(&["compare", file, "b"], 2);
    place.write(file, "{");
    place.quiet(&["compare", file, "b"], 2);
}

#[test]
fn versions_of_a_suite_are_mixed_only_when_asked() {
    let place = Place::new();
    controls(&place, 30);
    let run = |out: &str| {
        place.quiet(&["run", "-q", "crates.suite.yaml", "--target", "sim:honest", "--out", out], 0)
    };
    run("a");
    place.edit("crates.suite.yaml", "Move crate number 3.", "Move crate number three.");
    run("b");
    let (status, json) = place.json(&["compare", "a", "b"]);
    assert_eq!((status, json["gate"]["verdict"].as_str()), (4, Some("invalid")));
    assert_eq!(json["comparison"]["cells"][0]["pairs"], 29);
    assert_eq!(json["comparison"]["cells"][0]["unpaired"][0]["reason"], "its question changed");
    place.edit("crates.suite.yaml", "version: 1", "version: 2");
    run("c");
    assert_eq!(place.json(&["compare", "a", "c"]).0, 4);
    assert_eq!(place.json(&["compare", "a", "c", "--across-suites"]).0, 0);
    // Fewer probes of the same version are no other suite.
    let args = ["run", "-q", "crates.suite.yaml", "--target", "sim:honest", "--limit", "20", "--out", "d"];
    place.quiet(&args, 0);
    let (status, json) = place.json(&["compare", "c", "d"]);
    assert_eq!((status, json["comparison"]["cells"][0]["pairs"].as_u64()), (0, Some(20)));
}

const GATED: &str = "toolmirage: config/1
suites: [suites/starter.yaml]
profiles:
  quick: { targets: [\"sim:careless\"] }
  switch: { targets: [\"sim:honest\"], against: main }
  sure: { targets: [\"sim:honest\"] }
gate:
  must_pass: false
  ceilings: { unknown_tool: 8 %, hallucinated_argument: { at: 30 %, on: point } }
  tolerance: 3 points
  inconclusive: { switch: fail, sure: fail }
  coverage: 95 %
";

#[test]
fn a_configured_gate_ends_a_run() {
    let place = Place::new();
    place.write("toolmirage.yaml", GATED);
    place.commit();
    let (status, json) = place.json(&["run", "-q", "--profile", "quick", "--out", "a"]);
    assert_eq!((status, json["gate"]["verdict"].as_str()), (0, Some("inconclusive")));
    let (status, json) = place.json(&["run", "-q", "--profile", "sure", "--out", "b"]);
    assert_eq!((status, json["gate"]["verdict"].as_str()), (0, Some("pass")), "{}", json["gate"]);
    let gate = |from: &str, to: &str, args: &[&str]| {
        place.write("toolmirage.yaml", &GATED.replace(from, to));
        let output = place.run(args);
        (code(&output), err(&output))
    };
    let score = |from: &str, to: &str| gate(from, to, &["score", "a"]).0;
    assert_eq!(score("unknown_tool: 8 %", "unknown_tool: 1 %"), 1, "above its ceiling");
    assert_eq!(score("inconclusive: { switch", "inconclusive: { quick: fail, switch"), 3);
    assert_eq!(score("must_pass: false", "must_pass: true"), 1);
    assert_eq!(score("30 %, on: point", "5 %, on: point"), 1);
    assert_eq!(score("coverage: 95 %", "coverage: 95 %\n  rates: [swallowed_failure]"), 4, "never measured");
    assert_eq!(
        score("coverage: 95 %", "coverage: 95 %\n  rates: [swallowed_failure]\n  waive: [swallowed_failure]"),
        0
    );
    // A tolerance that forty tasks cannot meet, where what cannot be told fails: refused before anything is sent.
    place.edit(PROMPT, "\n", "\nBe brief.\n");
    let (status, said) = gate("", "", &["run", "--profile", "switch"]);
    assert_eq!(status, 2, "{said}");
    assert!(said.contains("3.0 points") && said.contains("at least 88 tasks"), "{said}");
    let mistakes = [
        ("tolerance: 3 points", "tolerance: 3 %", "3 points"),
        ("unknown_tool: 8 %", "unknown_tol: 8 %", "unknown_tool"),
        ("switch: fail", "swich: fail", "did you mean `switch`"),
        ("coverage:", "coverge:", "coverage"),
    ];
    for (from, to, word) in mistakes {
        let (status, said) = gate(from, to, &["run", "--profile", "quick"]);
        assert_eq!(status, 2, "{said}");
        assert!(said.contains(word), "{to} lacks {word}: {said}");
    }
}

#[test]
fn a_plan_says_what_could_be_seen() {
    let place = Place::new();
    let (status, json) = place.json(&["plan", "--repeats", "3"]);
    assert_eq!(status, 0);
    assert_eq!(json["trials"], 750);
    let outlook = &json["outlook"];
    assert_eq!((outlook["family"].as_u64(), outlook["fewest_tasks_to_fail"].as_u64()), (Some(3), Some(6)));
    let rates = outlook["rates"].as_array().unwrap();
    assert_eq!(rates.len(), 3);
    for rate in rates {
        let unchanged = &rate["unchanged"];
        let sum: f64 =
            ["fail", "pass", "inconclusive"].iter().map(|key| unchanged[key].as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{rate}");
        assert!(rate["sees_rise"].as_f64().unwrap() > 0.05 && rate["measured"] == false);
    }
    assert!(!place.path("reports").exists());
    place.quiet(&["run", "-q", "--target", "sim:careless", "--out", "a"], 0);
    let (_, json) = place.json(&["plan", "--baseline", "a"]);
    assert_eq!(json["outlook"]["rates"][0]["measured"], true);
    assert!(json["requests"]["expected"].as_u64().unwrap() > 250);
    let text = out(&place.run(&["plan"]));
    assert!(text.contains("fewer than 6 tasks that move one way can never fail"), "{text}");
}

const CONFIGURED: &str = "toolmirage: config/1
catalogs:
  desk: { sources: [{ file: tools/parcels.yaml }, { file: tools/notes.json, name: \"notes__{tool}\" }] }
prompts:
  day: { file: prompts/day.md, vars: { shift: early } }
  night: { file: prompts/night.md }
suites: [desk.yaml]
profiles:
  pr: { against: main, targets: [\"sim:honest\", \"sim:careless\"] }
";

/// A project with a configuration, two prompts, and a catalog of two files, one of them of a further one.
fn configured() -> Place {
    let place = Place::new();
    for folder in ["tools", "prompts"] {
        std::fs::create_dir(place.path(folder)).unwrap();
    }
    place.write("toolmirage.yaml", CONFIGURED);
    place.write("prompts/day.md", "You help with parcels, {{shift}}.\n");
    place.write("prompts/night.md", "You help with parcels at night.\n");
    place.write(
        "tools/parcels.yaml",
        "toolmirage: catalog/1\nname: parcels\nversion: 1\nsources: [{ file: more.json }]\n",
    );
    place.write("tools/more.json", r#"{"tools": [{"name": "send_parcel"}, {"name": "track_parcel"}]}"#);
    place.write("tools/notes.json", r#"{"tools": [{"name": "add"}]}"#);
    place.write(
        "desk.yaml",
        "toolmirage: suite/1\nname: desk\nversion: 1\nseed: 3\ncatalog: desk\nprompts: [day, night]\nkinds: [control, decoy]\ntasks:\n  - { id: send, user: Send the parcel., tool: send_parcel }\n  - { id: note, user: Add a note., tool: notes__add }\n",
    );
    place.commit();
    place
}

fn cells(report: &Value) -> Vec<&str> {
    report["comparison"]["cells"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cell| cell["label"].as_str().unwrap())
        .collect()
}

#[test]
fn only_what_differs_from_the_ref_is_run() {
    let place = configured();
    let run = |out: &str| {
        let output = place.run(&["run", "-q", "--profile", "pr", "--out", out, "--json"]);
        let json: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        (json, err(&output))
    };
    assert_eq!(run("none").0["nothing_to_measure"], true);
    // A prompt.
    place.edit("prompts/night.md", "parcels", "parcels and letters");
    let (report, _) = run("prompt");
    assert_eq!(cells(&report), ["night honest", "night careless"]);
    // A variable of the other prompt, which only the configuration holds.
    place.edit("toolmirage.yaml", "shift: early", "shift: late");
    let (report, _) = run("variable");
    assert_eq!(cells(&report), ["day honest", "day careless", "night honest", "night careless"]);
    assert_eq!(report["comparison"]["family"], 4);
    // A file that a catalog's file names: every prompt is affected.
    place.write("prompts/night.md", "You help with parcels at night.\n");
    place.edit("toolmirage.yaml", "shift: late", "shift: early");
    place.edit("tools/more.json", "track_parcel", "trace_parcel");
    let (report, _) = run("catalog");
    assert_eq!(cells(&report).len(), 4);
    let change = &report["comparison"]["differences"]["catalogs"][0];
    assert_eq!(
        (&change["added"][0], &change["removed"][0]),
        (&"trace_parcel".into(), &"track_parcel".into())
    );
    // A prompt that the ref does not have has nothing to be compared with.
    place.edit("toolmirage.yaml", "  night:", "  dusk: { file: prompts/night.md }\n  night:");
    place.edit("desk.yaml", "[day, night]", "[day, dusk]");
    let output = place.run(&["run", "--profile", "pr", "--out", "new", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(err(&output).contains("no prompt `dusk`"), "{}", err(&output));
    assert_eq!(cells(&report), ["day honest", "day careless"]);
    let alone = report["comparison"]["alone"].as_array().unwrap();
    assert_eq!(alone.len(), 2, "it is run alone, so that ceilings judge it");
    assert_eq!(report["cells"].as_array().unwrap().len(), 6);
    // A file that is not under version control.
    std::fs::remove_file(place.path("tools/notes.json")).unwrap();
    place.edit("toolmirage.yaml", "tools/notes.json", "../notes.json");
    assert_ne!(code(&place.run(&["run", "--profile", "pr"])), 0);
}

#[test]
fn a_new_prompt_is_judged_by_ceilings_and_never_passes_unmeasured() {
    let place = configured();
    place.write("prompts/boast.md", "You can do everything.\n");
    place.edit("toolmirage.yaml", "suites:", "gate: { ceilings: { unknown_tool: 1 % } }\nsuites:");
    place.edit("toolmirage.yaml", "  night:", "  boast: { file: prompts/boast.md }\n  night:");
    place.edit("desk.yaml", "[day, night]", "[day, night, boast]");
    let (status, report) =
        place.json(&["run", "-q", "--profile", "pr", "--target", "sim:liar", "--out", "r"]);
    assert_eq!((status, report["cells"].as_array().unwrap().len()), (1, 1), "{}", report["gate"]);
}

#[test]
#[cfg(unix)]
fn links_and_line_endings_are_no_difference() {
    let place = Place::new();
    std::os::unix::fs::symlink("billing.md", place.path("suites/prompts/in.md")).unwrap();
    std::os::unix::fs::symlink("billing.yaml", place.path("catalogs/in.yaml")).unwrap();
    place.edit("suites/starter.yaml", "prompts/billing.md", "prompts/in.md");
    place.edit("suites/starter.yaml", "catalogs/billing.yaml", "catalogs/in.yaml");
    place.write(".gitattributes", "*.md text eol=crlf\n");
    place.commit();
    let checkout =
        Command::new("git").args(["checkout", "-q", "-f", "main"]).current_dir(place.path(".")).status();
    assert!(checkout.unwrap().success());
    place.write(PROMPT, &place.read(PROMPT).replace('\n', "\r\n"));
    let output = place.run(&["run", "--against", "main"]);
    assert!(out(&output).starts_with("nothing to measure"), "{}{}", out(&output), err(&output));
    place.edit(PROMPT, "\r\n", "\r\nBe brief.\r\n");
    let (_, report) = place.json(&["run", "-q", "--against", "main", "--target", "sim:honest", "--out", "r"]);
    let lines = report["comparison"]["differences"]["prompts"][0]["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 1, "{lines:?}");
}

#[test]
fn mistakes_on_the_refs_side_are_named_after_the_ref() {
    let place = Place::new();
    let right = place.read("catalogs/billing.yaml");
    place.write("catalogs/billing.yaml", &right.replacen("name: get_invoice", "nam: get_invoice", 1));
    place.commit();
    place.write("catalogs/billing.yaml", &right);
    let said = place.quiet(&["run", "--against", "main"], 2);
    assert!(said.contains("main:catalogs/billing.yaml:") && !said.contains("/tmp"), "{said}");
}

#[test]
fn nothing_that_was_not_asked_passes() {
    let place = Place::new();
    place.write("toolmirage.yaml", GATED);
    place.quiet(&["run", "-q", "--target", "sim:honest", "--out", "a"], 0);
    place.quiet(&["run", "-q", "--target", "sim:careless", "--out", "b"], 0);
    let said = place.quiet(&["compare", "a", "b", "--profile", "swich"], 2);
    assert!(said.contains("did you mean `switch`"), "{said}");
    place.write(
        "toolmirage.yaml",
        "toolmirage: config/1\ngate: { rates: [phantom_claim], waive: [phantom_claim], must_pass: false }\n",
    );
    let (status, json) = place.json(&["compare", "a", "b"]);
    assert_eq!((status, json["gate"]["headline"].as_str()), (4, Some("nothing was asked")));
    // A run beside itself, and beside the baseline that was taken from it.
    place.quiet(&["baseline", "accept", "a"], 0);
    for other in ["a", "baselines/starter.json"] {
        let (_, json) = place.json(&["compare", other, "a", "--rates", "unknown_tool"]);
        assert_eq!(json["comparison"]["notes"][0], "both sides are one and the same record");
    }
}

#[test]
fn a_baseline_that_cannot_be_is_refused() {
    let place = Place::new();
    place.quiet(&["run", "-q", "--target", "sim:honest", "--limit", "20", "--out", "a"], 0);
    place.quiet(&["baseline", "accept", "a"], 0);
    let file = "baselines/starter.json";
    let whole: Value = serde_json::from_str(&place.read(file)).unwrap();
    let refused = |change: &dyn Fn(&mut Value), word: &str| {
        let mut broken = whole.clone();
        change(&mut broken);
        place.write(file, &broken.to_string());
        let said = place.quiet(&["compare", file, "a"], 2);
        assert!(said.contains(word), "{said}");
    };
    refused(&|it| it["scorecards"][0]["rates"][0]["events"] = 500.into(), "more events");
    refused(
        &|it| it["scorecards"][0]["probes"][0]["rates"]["unknown_tool"]["scored"] = 9.into(),
        "more events or trials",
    );
    refused(&|it| it["window"] = serde_json::json!(["x", "y"]), "no moment");
    refused(
        &|it| {
            let card = it["scorecards"][0].clone();
            it["scorecards"].as_array_mut().unwrap().push(card);
        },
        "stands twice",
    );
}

#[test]
fn a_record_whose_cells_name_nothing_is_damaged() {
    let place = Place::new();
    place.quiet(&["run", "-q", "--target", "sim:honest", "--limit", "20", "--out", "a"], 0);
    let record = place.read("a/run.jsonl");
    let (first, rest) = record.split_once('\n').unwrap();
    let mut header: Value = serde_json::from_str(first).unwrap();
    header["header"]["prompts"] = serde_json::json!({});
    place.write("a/run.jsonl", &format!("{header}\n{rest}"));
    assert!(place.quiet(&["report", "a"], 4).contains("damaged"));
}

#[test]
fn a_ref_without_the_catalog_is_said_plainly() {
    let place = configured();
    place.edit("desk.yaml", "catalog: desk", "catalog: tools/new.yaml");
    place.edit("desk.yaml", "notes__add", "send_parcel");
    place.write(
        "tools/new.yaml",
        "toolmirage: catalog/1\nname: new\nversion: 1\ntools: [{ name: send_parcel }]\n",
    );
    let said = place.quiet(&["run", "--profile", "pr"], 2);
    assert!(said.contains("`main` has no catalog `tools/new.yaml`"), "{said}");
}
