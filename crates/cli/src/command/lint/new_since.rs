//! Findings that a git ref does not have.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use linter::Finding;

use crate::git::AtRef;

/// What makes two findings the same: never the line, which moves with every edit above it.
type Key<'a> = (Option<PathBuf>, &'static str, Option<&'a str>, &'a str);

/// The findings that were not there before: of equal ones, as many as have come on top.
pub(super) fn only_new(found: Vec<Finding>, before: &[Finding], at: &AtRef) -> Vec<Finding> {
    let mut known: HashMap<Key<'_>, usize> = HashMap::new();
    for finding in before {
        let file = at.original(Path::new(finding.diagnostic.file.as_ref()));
        *known.entry(key(finding, file)).or_default() += 1;
    }
    let mut is_new = Vec::with_capacity(found.len());
    for finding in &found {
        let file = at.relative(Path::new(finding.diagnostic.file.as_ref()));
        let count = known.get_mut(&key(finding, file)).filter(|count| **count > 0);
        is_new.push(count.is_none());
        if let Some(count) = count {
            *count -= 1;
        }
    }
    found.into_iter().zip(is_new).filter(|(_, is_new)| *is_new).map(|(finding, _)| finding).collect()
}

fn key(finding: &Finding, file: Option<PathBuf>) -> Key<'_> {
    (file, finding.rule.name, finding.tools.first().map(String::as_str), &finding.diagnostic.message)
}
