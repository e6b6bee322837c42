//! Whatever a file holds, reading it ends with a value or with mistakes that can be shown.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

use std::path::Path;

use probes::{Catalog, Suite, SuiteError};
use proptest::prelude::*;

fn read(text: &str) {
    let file = Path::new("any");
    for error in
        [Catalog::from_text(file, text).err(), Suite::from_text(file, text).err()].into_iter().flatten()
    {
        let shown = error.to_string();
        assert!(shown.chars().all(|c| c == '\n' || !c.is_control()), "{shown:?}");
        assert!(matches!(&error, SuiteError::Mistakes(mistakes) if !mistakes.is_empty()));
    }
}

const SUITE: &str = include_str!("mistakes/meaning.suite.yaml");
const CATALOG: &str = include_str!("mistakes/schemas.catalog.yaml");
const LIST: &str = include_str!("mistakes/entries.catalog.json");

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_text(text in "\\PC{0,80}") {
        read(&text);
    }

    #[test]
    fn any_structure(text in r#"[\[\]{}:,"'&*#|>\-ä a\n\t\u{1b}]{0,60}"#) {
        read(&text);
    }

    #[test]
    fn a_file_with_a_part_replaced(which in 0..3_usize, from in 0..600_usize, length in 0..20_usize, by in "[\\PC\n\u{9b}]{0,6}") {
        let mut characters: Vec<char> = [SUITE, CATALOG, LIST][which].chars().collect();
        let from = from.min(characters.len());
        let to = (from + length).min(characters.len());
        characters.splice(from..to, by.chars());
        read(&characters.into_iter().collect::<String>());
    }
}
