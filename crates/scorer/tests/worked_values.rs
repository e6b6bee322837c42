//! Checks the statistics against values worked out elsewhere, row by row.
//!
//! The rows lie outside the repository: `cases/statistics/worked.json` in a folder `shared` beside it, or in
//! the folder that `TOOLMIRAGE_SHARED` names. Without them there is nothing to check, and the test says so.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "finds its data by an environment variable, and says when there is none"
)]

use std::path::PathBuf;

use scorer::statistic::{
    Counts, Interval, Side, TwoSidedP, benjamini_hochberg, clopper_pearson, holm, mcnemar,
    paired_difference_hybrid, pairs_mcnemar, rate_interval, sign_flip, tango_paired_difference,
    trials_per_arm_unpaired, wilson,
};
use serde_json::Value;

/// The relative tolerance of the score interval, which its source solved less finely.
const SCORE_TOLERANCE: f64 = 1e-6;
const TOLERANCE: f64 = 1e-9;
const ABSOLUTE_TOLERANCE: f64 = 1e-12;

#[test]
fn every_worked_row_comes_out() {
    let path = shared().join("cases/statistics/worked.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: no worked values at {}", path.display());
        return;
    };
    let rows: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert!(!rows.is_empty(), "no rows in {}", path.display());
    let mut misses = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        if let Err(miss) = check(row) {
            misses.push(format!("row {place}, {}: {miss}", row["method"]));
        }
    }
    assert!(misses.is_empty(), "{} of {}:\n{}", misses.len(), rows.len(), misses.join("\n"));
}

fn shared() -> PathBuf {
    std::env::var_os("TOOLMIRAGE_SHARED")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")), PathBuf::from)
}

fn check(row: &Value) -> Result<(), String> {
    let method = row["method"].as_str().unwrap_or_default();
    match method {
        "wilson" => {
            interval(row, wilson(count(row, "events")?, count(row, "trials")?, number(row, "alpha")?))
        }
        "clopper_pearson" => interval(
            row,
            clopper_pearson(count(row, "events")?, count(row, "trials")?, number(row, "alpha")?),
        ),
        "mcnemar" => {
            let got = mcnemar(count(row, "only_baseline")?, count(row, "only_candidate")?);
            p_values(row, got)
        }
        "sign_flip" => p_values(row, sign_flip(&differences(row)?).ok_or("absent")?),
        "tango_paired_difference" => tango(row),
        "holm" => adjusted(row, holm(&numbers(&row["p"])?)),
        "benjamini_hochberg" => adjusted(row, benjamini_hochberg(&numbers(&row["p"])?)),
        "trials_per_arm_unpaired" => size(
            row,
            trials_per_arm_unpaired(
                number(row, "baseline")?,
                number(row, "candidate")?,
                number(row, "alpha")?,
                number(row, "power")?,
            ),
        ),
        "pairs_mcnemar" => size(
            row,
            pairs_mcnemar(
                number(row, "discordance")?,
                number(row, "shift")?,
                number(row, "alpha")?,
                number(row, "power")?,
            ),
        ),
        "rate_interval" => rate(row),
        "paired_difference_hybrid" => hybrid(row),
        _ => Err("no such method".to_owned()),
    }
}

fn interval(row: &Value, got: Option<Interval>) -> Result<(), String> {
    let got = got.ok_or("absent")?;
    near(row, "low", got.low, TOLERANCE)?;
    near(row, "high", got.high, TOLERANCE)
}

fn p_values(row: &Value, got: TwoSidedP) -> Result<(), String> {
    near(row, "exact_p", got.exact_p, TOLERANCE)?;
    near(row, "mid_p", got.mid_p, TOLERANCE)
}

fn tango(row: &Value) -> Result<(), String> {
    let got = tango_paired_difference(
        count(row, "only_baseline")?,
        count(row, "only_candidate")?,
        count(row, "pairs")?,
        number(row, "alpha")?,
    );
    let got = got.ok_or("absent")?;
    near(row, "low", got.low, SCORE_TOLERANCE)?;
    near(row, "high", got.high, SCORE_TOLERANCE)
}

fn adjusted(row: &Value, got: Option<Vec<f64>>) -> Result<(), String> {
    let got = got.ok_or("absent")?;
    let wanted = numbers(&row["adjusted"])?;
    if got.len() != wanted.len() {
        return Err(format!("{} values, not {}", got.len(), wanted.len()));
    }
    for (got, wanted) in got.into_iter().zip(wanted) {
        close("adjusted", got, wanted, TOLERANCE)?;
    }
    Ok(())
}

fn size(row: &Value, got: Option<u64>) -> Result<(), String> {
    let wanted = count(row, "n")?;
    if got == Some(wanted) {
        return Ok(());
    }
    Err(format!("n is {got:?}, not {wanted}"))
}

fn rate(row: &Value) -> Result<(), String> {
    let tasks = tasks(&row["trials_by_task"])?;
    let alpha = number(row, "alpha")?;
    let rate = mean_over_probes(&tasks);
    near(row, "rate", rate, TOLERANCE)?;
    let got = rate_interval(&tasks, rate, alpha).ok_or("absent")?;
    near(row, "icc", got.icc, TOLERANCE)?;
    near(row, "icc_shrunk", got.icc_shrunk, TOLERANCE)?;
    near(row, "effective_trials", got.effective_trials, TOLERANCE)?;
    interval(row, Some(got.interval))
}

fn hybrid(row: &Value) -> Result<(), String> {
    let baseline = tasks(&row["baseline_by_task"])?;
    let candidate = tasks(&row["candidate_by_task"])?;
    let side = |tasks| Side { tasks, rate: mean_over_probes(tasks) };
    let got = paired_difference_hybrid(side(&baseline), side(&candidate), number(row, "alpha")?);
    let got = got.ok_or("absent")?;
    near(row, "correlation", got.correlation, TOLERANCE)?;
    near(row, "difference", got.difference, TOLERANCE)?;
    interval(row, Some(got.interval))
}

/// The rows have one probe a task.
fn mean_over_probes(tasks: &[Counts]) -> f64 {
    let mut sum = 0.0;
    let mut probes = 0.0;
    for task in tasks {
        sum += float(task.events) / float(task.trials);
        probes += 1.0;
    }
    sum / probes
}

#[allow(clippy::cast_precision_loss, reason = "the rows hold small counts")]
fn float(count: u64) -> f64 {
    count as f64
}

fn tasks(value: &Value) -> Result<Vec<Counts>, String> {
    let mut tasks = Vec::new();
    for task in list(value)? {
        let trials = list(task)?;
        tasks.push(Counts {
            events: trials.iter().filter_map(Value::as_u64).sum(),
            trials: trials.len() as u64,
        });
    }
    Ok(tasks)
}

/// Reads `"-1/3"` at 3 repeats as -1.
fn differences(row: &Value) -> Result<Vec<i64>, String> {
    let repeats = i64::try_from(count(row, "repeats")?).map_err(|error| error.to_string())?;
    let mut differences = Vec::new();
    for value in list(&row["differences_by_task"])? {
        let text = value.as_str().ok_or("a difference is no text")?;
        let (above, below) = text.split_once('/').unwrap_or((text, "1"));
        let whole = |text: &str| text.parse::<i64>().map_err(|error| error.to_string());
        differences.push(whole(above)? * repeats / whole(below)?);
    }
    Ok(differences)
}

fn near(row: &Value, key: &str, got: f64, tolerance: f64) -> Result<(), String> {
    close(key, got, number(row, key)?, tolerance)
}

fn close(key: &str, got: f64, wanted: f64, tolerance: f64) -> Result<(), String> {
    let error = (got - wanted).abs();
    if error <= ABSOLUTE_TOLERANCE || error <= tolerance * wanted.abs() {
        return Ok(());
    }
    Err(format!("{key} is {got}, not {wanted}"))
}

fn number(row: &Value, key: &str) -> Result<f64, String> {
    row[key].as_f64().ok_or_else(|| format!("no number `{key}`"))
}

fn count(row: &Value, key: &str) -> Result<u64, String> {
    row[key].as_u64().ok_or_else(|| format!("no count `{key}`"))
}

fn numbers(value: &Value) -> Result<Vec<f64>, String> {
    let number = |value: &Value| value.as_f64().ok_or_else(|| "no number".to_owned());
    list(value)?.iter().map(number).collect()
}

fn list(value: &Value) -> Result<&[Value], String> {
    value.as_array().map(Vec::as_slice).ok_or_else(|| "no list".to_owned())
}
