//! Prompts in several styles: what is planted in them is found, and what is honest is let be. `prompts/`.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use linter::{CatalogSubject, Finding, PromptSubject, Subject, lint};
use probes::{PlacedCatalog, TextFile};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/prompts")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).unwrap()
}

/// What is found in a prompt that is sent with `prompts/tools.yaml`.
fn of_prompt(text: &str) -> Vec<Finding> {
    let catalog = PlacedCatalog::load(&folder().join("tools.yaml")).unwrap();
    let mut subject = Subject::default();
    subject.catalogs.push(CatalogSubject { catalog, is_linted: false });
    let text = TextFile::new(Path::new("prompt.md"), text);
    subject.prompts.push(PromptSubject { text, catalogs: vec![0] });
    lint(&subject)
}

fn lines(name: &str) -> Vec<usize> {
    let mut lines: Vec<usize> = of_prompt(&read(name)).iter().map(|found| found.diagnostic.line).collect();
    lines.sort_unstable();
    lines
}

#[test]
fn five_planted_faults_are_five_findings_and_the_honest_twin_has_none() {
    let none: [usize; 0] = [];
    assert_eq!(lines("support.planted.md"), [14, 18, 21, 27, 28]);
    assert_eq!(lines("support.honest.md"), none);
    assert_eq!(lines("ops.planted.md"), [3, 4, 5, 6, 7]);
    assert_eq!(lines("ops.honest.md"), none);
    assert_eq!(lines("desk.planted.txt"), [6, 9, 9, 10, 11]);
    assert_eq!(lines("desk.honest.txt"), none);
}

/// Each line of `faults.txt` is a rule and a sentence in which it finds something.
#[test]
fn faulty_sentences_are_found_by_their_rule() {
    let missed: Vec<String> = read("faults.txt")
        .lines()
        .filter(|line| {
            let (rule, sentence) = line.split_once('\t').unwrap();
            let rules: BTreeSet<&str> = of_prompt(sentence).iter().map(|found| found.rule.name).collect();
            rules != BTreeSet::from([rule])
        })
        .map(str::to_owned)
        .collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// No line of `fine.txt` is a fault.
#[test]
fn honest_sentences_are_let_be() {
    let mut wrong = Vec::new();
    for sentence in read("fine.txt").lines() {
        wrong.extend(
            of_prompt(sentence).into_iter().map(|found| format!("{sentence}: {}", found.diagnostic.message)),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
