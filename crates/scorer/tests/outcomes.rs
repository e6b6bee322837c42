//! The outcome classifier against labelled texts: ours, one file a language, which must hold everywhere; and,
//! where a folder `shared` stands beside or above the workspace, texts of real models.

use std::path::{Path, PathBuf};

use scorer::{LabelledText, OutcomeReport, classify, measure};

/// Least share of right texts among those that got a label, in percent.
const PRECISION: u64 = 95;
/// Most texts that may be left `unclassified` in spite of another label, in percent.
const UNCLASSIFIED: u64 = 10;

const LANGUAGES: [&str; 6] = ["en", "de", "fr", "es", "zh", "ja"];

fn read(path: &Path) -> Vec<LabelledText> {
    let text = std::fs::read_to_string(path).expect("the file of labelled texts is there");
    text.lines().map(|line| serde_json::from_str(line).expect("a labelled text a line")).collect()
}

fn ours(language: &str) -> Vec<LabelledText> {
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/outcomes/{language}.jsonl")))
}

/// What is wrong with a report, one line each.
fn complaints(name: &str, report: &OutcomeReport) -> Vec<String> {
    let mut wrong = Vec::new();
    for (label, quality) in &report.labels {
        if label != "unclassified" && !quality.is_precise(PRECISION) {
            wrong.push(format!("{name}: {label} is right in {} of {}", quality.correct, quality.found));
        }
    }
    let missed = report.labels.get("unclassified").map_or(0, |quality| quality.found - quality.correct);
    if missed * 100 > report.judged * UNCLASSIFIED {
        wrong.push(format!("{name}: {missed} of {} unclassified", report.judged));
    }
    wrong
}

fn table(name: &str, report: &OutcomeReport) -> String {
    let mut lines = vec![format!("{name}: {} judged, {} unclassified", report.judged, report.unclassified)];
    for (label, q) in &report.labels {
        lines.push(format!(
            "  {label}: precision {}/{}, recall {}/{}",
            q.correct, q.found, q.correct, q.labelled
        ));
    }
    for (label, found) in &report.confusion {
        lines.push(format!("  {label} -> {found:?}"));
    }
    lines.join("\n")
}

fn misses(rows: &[LabelledText]) -> String {
    let missed = rows.iter().filter_map(|row| {
        let found = classify(&row.text, &row.user);
        let line =
            || format!("  {} for {}, by {}: {:?}", found.label.as_str(), row.label, found.rule, row.text);
        (found.label.as_str() != row.label).then(line)
    });
    missed.collect::<Vec<_>>().join("\n")
}

#[test]
fn our_texts_get_their_labels() {
    let mut wrong = Vec::new();
    let mut all = Vec::new();
    for language in LANGUAGES {
        let rows = ours(language);
        let report = measure(&rows);
        wrong.extend(complaints(language, &report));
        println!("{}\n{}", table(language, &report), misses(&rows));
        all.extend(rows);
    }
    let report = measure(&all);
    println!("{}", table("all", &report));
    wrong.extend(complaints("all", &report));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn our_texts_cover_every_label_in_every_language() {
    for language in LANGUAGES {
        let rows = ours(language);
        let least = if language == "en" { 200 } else { 15 };
        assert!(rows.len() >= least, "{language} has {}", rows.len());
        for label in ["refused", "clarified", "claimed", "answered", "unclassified"] {
            assert!(rows.iter().any(|row| row.label == label), "{language} lacks {label}");
        }
    }
}

/// Curly quotes, capitals, emphasis, wrapping lines and Windows line ends change nothing.
#[test]
fn typography_changes_no_label() {
    for row in ours("en") {
        let plain = classify(&row.text, &row.user);
        for text in [
            row.text.replace('\'', "’"),
            row.text.replace('\n', "\r\n"),
            format!("\n\n  {}  \n", row.text),
            row.text.replace("cannot", "**cannot**"),
        ] {
            assert_eq!(classify(&text, &row.user).label, plain.label, "{text:?}");
        }
    }
}

#[test]
fn spans_lie_in_the_text_on_character_boundaries() {
    for row in LANGUAGES.into_iter().flat_map(ours) {
        let found = classify(&row.text, &row.user);
        match found.span {
            Some(span) => {
                assert!(row.text.get(span).is_some_and(|shown| !shown.is_empty()), "{:?}", row.text)
            }
            None => assert_eq!(found.label.as_str(), "unclassified"),
        }
    }
}

proptest::proptest! {
    /// Model output is hostile: whatever it is, a span can be cut from it, and the same text gets the same.
    #[test]
    fn any_text_is_classified(text in "(\\PC|[\\n'\"`*#|:.?_-]|I can't |I've cancelled |which |已|- |```\n){0,60}", user in ".{0,40}") {
        let found = classify(&text, &user);
        if let Some(span) = &found.span {
            proptest::prop_assert!(text.get(span.clone()).is_some());
        }
        proptest::prop_assert_eq!(classify(&text, &user), found);
    }
}

/// Every label can be got wrong: a measurement over wrong labels complains.
#[test]
fn wrong_labels_are_noticed() {
    let mut rows = ours("en");
    for row in &mut rows {
        row.label = if row.label == "refused" { "clarified" } else { "refused" }.to_owned();
    }
    assert!(!complaints("en", &measure(&rows)).is_empty());
}

fn shared() -> Option<PathBuf> {
    let up = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    up.map(|folder| folder.join("shared/cases")).find(|folder| folder.is_dir())
}

#[test]
fn texts_of_real_models_get_their_labels() {
    let Some(cases) = shared() else {
        println!("skipped: no folder `shared` beside or above the workspace");
        return;
    };
    let report = measure(&read(&cases.join("outcomes/labelled.jsonl")));
    println!("{}", table("labelled.jsonl", &report));
    let wrong = complaints("labelled.jsonl", &report);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The visible text of a response body of any provider: its text parts, joined.
fn visible(body: &serde_json::Value) -> String {
    match body {
        serde_json::Value::Array(parts) => parts.iter().map(visible).collect(),
        serde_json::Value::Object(members) => {
            let text = |key: &str| members.get(key).and_then(serde_json::Value::as_str);
            let nested = ["choices", "message", "content", "output", "candidates", "parts"];
            let own = text("text").or_else(|| text("content")).unwrap_or_default();
            own.to_owned()
                + &nested.iter().filter_map(|key| members.get(*key)).map(visible).collect::<String>()
        }
        _ => String::new(),
    }
}

#[test]
fn decoys_that_end_in_text_get_their_labels() {
    let Some(cases) = shared() else {
        println!("skipped: no folder `shared` beside or above the workspace");
        return;
    };
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(cases.join("wire")).expect("the folder of wire cases") {
        let path = entry.expect("a wire case").path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a wire case");
        let case: serde_json::Value = serde_json::from_str(&text).expect("a wire case is JSON");
        let expected = case["verdict"]["decoy_outcome"].as_str().unwrap_or_default();
        if case["verdict"]["turn"] != "text" || !["refused", "clarified"].contains(&expected) {
            continue;
        }
        let found = classify(&visible(&case["response"]), &case["messages"].to_string());
        println!("{}: {} by {}", path.display(), found.label.as_str(), found.rule);
        if found.label.as_str() != expected {
            wrong.push(format!("{}: {} for {expected}", path.display(), found.label.as_str()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
