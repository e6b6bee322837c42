//! Arms through the binary: named by suite, profile or flag, printed, counted, run, and told as paired differences.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

mod place;

use serde_json::Value;

use place::{Place, code, err, out};

fn json(place: &Place, args: &[&str]) -> Vec<Value> {
    let output = place.run(args);
    assert_eq!(code(&output), 0, "{}", err(&output));
    out(&output).lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

#[test]
fn a_suite_names_arms_and_a_flag_or_a_profile_stands_in_their_place() {
    let place = Place::new();
    place.edit("suites/starter.yaml", "\ntasks:", "\narms: [strict]\ntasks:");
    let arms = |args: &[&str]| -> Vec<String> {
        let lines = json(&place, &[&["expand", "suites/starter.yaml", "--json"], args].concat());
        let mut arms: Vec<String> = lines
            .iter()
            .filter(|line| line["kind"] == "control")
            .filter_map(|line| line["arm"].as_str().map(str::to_owned))
            .collect();
        arms.dedup();
        arms
    };
    assert_eq!(arms(&[]), ["strict"]);
    assert_eq!(arms(&["--arms", "none"]), [""; 0]);
    assert_eq!(arms(&["--arms", "parallel,strict=off"])[..2], ["parallel", "strict=off"]);

    let text = out(&place.run(&["expand", "suites/starter.yaml"]));
    assert!(text.contains("in the base arm, strict 182"), "{text}");
    place.write(
        "toolmirage.yaml",
        "toolmirage: config/1\nsuites: [suites/starter.yaml]\nprofiles:\n  try: { arms: [catalog_in_error] }\n",
    );
    let planned: Value =
        serde_json::from_str(&out(&place.run(&["plan", "--profile", "try", "--json"]))).unwrap();
    assert_eq!(planned["arms"]["catalog_in_error"], 182);
    assert!(planned["arms"].get("strict").is_none());
    for (args, words) in [
        (["--arms", "strikt"], ["unknown arm `strikt`", "did you mean `strict`"]),
        (["--arms", "strict=maybe"], ["does not take `maybe`", "on, off"]),
        (["--arms", "parallel,parallel=off"], ["arm `parallel` stands twice", ""]),
        (["--arms", "narrow_catalog"], ["arm `narrow_catalog` applies to no probe", "names no `surface`"]),
    ] {
        let output = place.run(&[&["plan", "suites/starter.yaml"], &args[..]].concat());
        assert_eq!(code(&output), 2);
        assert!(words.iter().all(|word| err(&output).contains(word)), "{}", err(&output));
    }
}

#[test]
fn what_an_arm_bought_is_told_and_enters_no_rate() {
    let place = Place::new();
    let run = |arms: &str, folder: &str| {
        let args =
            ["run", "suites/starter.yaml", "--target", "sim:careless", "--arms", arms, "--out", folder];
        let output = place.run(&args);
        assert_eq!(code(&output), 0, "{}", err(&output));
        let report: Value = serde_json::from_str(&place.read(&format!("{folder}/report.json"))).unwrap();
        (out(&output), report["cells"][0].clone())
    };
    let (_, plain) = run("none", "plain");
    let (text, cell) = run("tool_choice=none,neutral_names", "arms");
    assert_eq!(cell["rates"], plain["rates"], "trials of an arm enter no rate");
    assert!(text.contains("What each arm bought"), "{text}");
    let all: Vec<&Value> =
        cell["arms"].as_array().unwrap().iter().filter(|row| row["kind"] == "all").collect();
    let unknown =
        |arm: &str| *all.iter().find(|row| row["arm"] == arm && row["metric"] == "unknown_tool").unwrap();
    // A simulated model keeps to a tool choice of none.
    assert_eq!(unknown("tool_choice=none")["treatment"]["events"], 0);
    assert!(unknown("tool_choice=none")["q"].as_f64().unwrap() < 0.05);
    // Under neutral names, what is offered is what is expected: the wanted tool is called as before.
    let record = place.read("arms/run.jsonl");
    let neutral = record.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let controls: Vec<Value> = neutral
        .filter_map(|line| line.get("trial").cloned())
        .filter(|trial| trial["probe"].as_str().unwrap().ends_with(".control@neutral_names"))
        .collect();
    assert!(controls.len() > 30);
    let calls = controls
        .iter()
        .filter(|trial| trial["executor"][0]["tool"].as_str().is_some_and(|tool| tool.starts_with("tool_")));
    assert!(calls.count() > 20);
    // Scored again from the record alone, it is the same.
    assert_eq!(code(&place.run(&["score", "arms"])), 0);
    let again: Value = serde_json::from_str(&place.read("arms/report.json")).unwrap();
    assert_eq!(again["cells"][0]["arms"], cell["arms"]);
}
