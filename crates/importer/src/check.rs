//! Holds tasks against their own catalog by the checks that `run` makes, before they are written: what those would
//! refuse, or find stale, would spoil the whole suite.

use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;
use probes::{Catalog, Suite, SuiteError, derive_questions, expand};

use crate::import::Ready;
use crate::names::Given;
use crate::written::{catalog_text, suite_text};

/// How many tasks are checked at once. A mistake among them is found by halving.
const AT_ONCE: usize = 64;

/// How many probes each task yields; `Err` says why it cannot be asked.
pub(crate) fn check(
    ready: &[Ready],
    kinds: &[&str],
    tools: &IndexMap<&str, &Given>,
) -> Vec<Result<usize, String>> {
    if tools.is_empty() {
        return ready.iter().map(|_| Err("no case of its sort offers a function".to_owned())).collect();
    }
    ready.chunks(AT_ONCE).flat_map(|some| halved(some, kinds, tools)).collect()
}

fn halved(ready: &[Ready], kinds: &[&str], tools: &IndexMap<&str, &Given>) -> Vec<Result<usize, String>> {
    match (together(ready, kinds, tools), ready) {
        (Ok(results), _) => results,
        (Err(error), [_]) => vec![Err(first_words(&error))],
        (Err(_), several) => {
            let (one, other) = several.split_at(several.len() / 2);
            [halved(one, kinds, tools), halved(other, kinds, tools)].concat()
        }
    }
}

fn together(
    ready: &[Ready],
    kinds: &[&str],
    tools: &IndexMap<&str, &Given>,
) -> Result<Vec<Result<usize, String>>, SuiteError> {
    let mut offered: IndexMap<&str, &Given> = IndexMap::new();
    for name in ready.iter().flat_map(Ready::offers) {
        offered.extend(tools.get_key_value(name.as_str()).map(|(name, given)| (*name, *given)));
    }
    if offered.is_empty() {
        // A catalog has at least one tool; that it is not offered changes nothing.
        offered.extend(tools.first());
    }
    let catalog =
        Catalog::from_text(Path::new("catalog.json"), &catalog_text("c", offered.values().copied()))?;
    let text = suite_text("s", "c", kinds, ready.iter());
    let (suite, places) = Suite::from_text(Path::new("suite.yaml"), &text)?;
    suite.check_catalog(&catalog, &places)?;
    let expansion = expand(&derive_questions(&suite), &Arc::new(catalog), None);
    let mut probes: IndexMap<&str, usize> = IndexMap::new();
    for probe in &expansion.probes {
        *probes.entry(&probe.question.task).or_default() += 1;
    }
    let mut refused: IndexMap<&str, String> = IndexMap::new();
    for (id, reason) in &expansion.stale {
        let task = id.as_str().split('.').next().unwrap_or_default();
        refused.entry(task).or_insert_with(|| format!("its probe could not be asked: {reason}"));
    }
    for skipped in expansion.skipped.iter().filter(|skipped| !probes.contains_key(skipped.task.as_str())) {
        refused.entry(&skipped.task).or_insert_with(|| format!("no probe comes of it: {}", skipped.reason));
    }
    let result = |ready: &Ready| match refused.get(ready.task.id.as_str()) {
        Some(reason) => Err(reason.clone()),
        None => Ok(probes.get(ready.task.id.as_str()).copied().unwrap_or_default()),
    };
    Ok(ready.iter().map(result).collect())
}

fn first_words(error: &SuiteError) -> String {
    error.diagnostics().first().map_or_else(|| error.to_string(), |mistake| mistake.message.clone())
}
