//! Numbers within their bounds.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

use crate::value::Purpose;
use crate::words::name_words;

/// What is usual for a name, both ends in it.
const USUAL: &[(&[&str], i64, i64)] = &[
    (&["frozen"], 1, 4),
    (&["end", "last", "until"], 52, 96),
    (&["port"], 8100, 8990),
    (&["year"], 2027, 2029),
    (&["month"], 1, 12),
    (&["day"], 1, 28),
    (&["hour", "hours"], 1, 23),
    (&["minute", "minutes", "seconds", "timeout", "duration"], 5, 55),
    (&["page"], 2, 9),
    (&["version"], 2, 19),
    (&["percent", "percentage"], 5, 95),
    (&["width", "height"], 640, 1600),
    (&["id", "number"], 1021, 9870),
    (&["cents"], 1250, 98_750),
    (&["radius", "distance"], 300, 4800),
    (&["index", "position"], 1, 5),
];

/// Names of what is counted in pixels: people say those in hundreds.
const PIXELS: &[&str] = &["width", "height", "pixel", "pixels", "px"];

/// A whole number.
pub(super) fn whole(schema: &Map<String, Value>, purpose: &Purpose<'_>) -> Value {
    let (from, to) = range(schema, purpose);
    let mut draw = purpose.draw.clone();
    let step = schema.get("multipleOf").and_then(Value::as_i64).filter(|step| *step > 1);
    for _ in 0..8 {
        let drawn = draw.number(from, to);
        let number = match step {
            Some(step) => drawn
                .div_euclid(step)
                .saturating_add(i64::from(drawn.rem_euclid(step) > 0))
                .saturating_mul(step),
            None => in_hundreds(drawn, (from, to), purpose),
        };
        let shown = schema.get("default").and_then(Value::as_i64) == Some(number)
            || mentions(schema, &number.to_string());
        if !shown && number <= to {
            return number.into();
        }
    }
    match step {
        Some(step) => to.div_euclid(step).saturating_mul(step).into(),
        None => draw.number(from, to).into(),
    }
}

/// A hundred beside it where a name is of pixels and the bounds leave it.
fn in_hundreds(drawn: i64, (from, to): (i64, i64), purpose: &Purpose<'_>) -> i64 {
    let is_pixels = name_words(&purpose.name).iter().any(|word| PIXELS.contains(&word.as_str()));
    let hundred = drawn - drawn.rem_euclid(100);
    let near = if hundred < from { hundred.saturating_add(100) } else { hundred };
    if is_pixels && (from..=to).contains(&near) && near > 0 { near } else { drawn }
}

/// A number, whole or with a fraction as its name suggests.
pub(super) fn any(schema: &Map<String, Value>, purpose: &Purpose<'_>) -> Value {
    let words = name_words(&purpose.name);
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    let mut draw = purpose.draw.clone();
    let bound = |key| schema.get(key).and_then(Value::as_f64);
    let fits = |number: f64| {
        bound("minimum").is_none_or(|least| number >= least)
            && bound("maximum").is_none_or(|most| number <= most)
            && bound("exclusiveMinimum").is_none_or(|least| number > least)
            && bound("exclusiveMaximum").is_none_or(|most| number < most)
    };
    let hundredths = if has(&["latitude", "lat"]) {
        draw.number(412, 6200)
    } else if has(&["longitude", "lng", "lon", "long"]) {
        draw.number(601, 14_000)
    } else if has(&["amount", "price", "total", "cost", "fee", "balance"]) {
        draw.number(1205, 98_995)
    } else if fits(40.0) || schema.get("multipleOf").is_some() {
        return whole(schema, purpose);
    } else {
        draw.number(1, 99)
    };
    let hundredths = if hundredths % 100 == 0 { hundredths + 37 } else { hundredths };
    let candidates = [hundredths, hundredths / 100, draw.number(1, 99), draw.number(1, 9) * 10];
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let mut fitting = candidates.iter().map(|n| *n as f64 / 100.0).filter(|number| fits(*number));
    let between = || {
        let least = bound("minimum").or(bound("exclusiveMinimum"));
        let most = bound("maximum").or(bound("exclusiveMaximum"));
        match (least, most) {
            (Some(least), Some(most)) => (least + most) / 2.0,
            (Some(least), None) => least + 1.0,
            (None, Some(most)) => most - 1.0,
            (None, None) => 1.0,
        }
    };
    fitting.next().unwrap_or_else(between).into()
}

/// The range to draw from: what is usual for the name, cut to the bounds.
fn range(schema: &Map<String, Value>, purpose: &Purpose<'_>) -> (i64, i64) {
    let words = name_words(&purpose.name);
    let usual = USUAL.iter().find(|(names, ..)| words.iter().any(|word| names.contains(&word.as_str())));
    let (usual_from, usual_to) = usual.map_or((3, 46), |(_, from, to)| (*from, *to));
    #[expect(clippy::cast_possible_truncation, reason = "a cast from float saturates")]
    let whole = |key| {
        schema.get(key).and_then(Value::as_f64).map(|bound: f64| (bound.ceil() as i64, bound.floor() as i64))
    };
    let least = whole("minimum")
        .map(|(up, _)| up)
        .max(whole("exclusiveMinimum").map(|(_, down)| down.saturating_add(1)));
    let most = [
        whole("maximum").map(|(_, down)| down),
        whole("exclusiveMaximum").map(|(up, _)| up.saturating_sub(1)),
    ];
    let most = most.into_iter().flatten().min();
    let (usual_from, usual_to) = told(schema).unwrap_or((usual_from, usual_to));
    let from = usual_from.max(least.unwrap_or(i64::MIN));
    let to = usual_to.min(most.unwrap_or(i64::MAX));
    if from <= to {
        return (from, to);
    }
    let from = least.unwrap_or_else(|| most.unwrap_or(0).saturating_sub(20));
    (from, most.unwrap_or_else(|| from.saturating_add(20)))
}

/// The range that a description tells: `Level 0-6`, `between 1 and 5`.
fn told(schema: &Map<String, Value>) -> Option<(i64, i64)> {
    static TOLD: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)(?:\b(?:between|from|range:?|level|\()\s*|^[^\d]{0,30}\s)(\d{1,5})\s*(?:-|–|\.\.|to|and)\s*(\d{1,6})\b")
            .expect("a fixed pattern")
    });
    let description = schema.get("description").and_then(Value::as_str)?;
    let found = TOLD.captures(description)?;
    let (from, to) = (found[1].parse().ok()?, found[2].parse().ok()?);
    (from < to).then_some((from, to))
}

/// Whether the description shows a number as a word of its own.
fn mentions(schema: &Map<String, Value>, number: &str) -> bool {
    let description = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    description.split(|c: char| !c.is_ascii_digit()).any(|word| word == number)
}
