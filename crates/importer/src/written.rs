//! The files of an import: suites as YAML, catalogs as JSON with a tool a line.

use std::fmt::Write as _;

use probes::{CATALOG_FORMAT, SUITE_FORMAT, yaml_scalar};
use serde_json::{Value, json};

use crate::import::Ready;
use crate::names::Given;
use crate::yaml;

/// The seed of imported suites; no kind that is imported draws from it.
const SEED: u64 = 20_270_114;

/// What stands at the head of an imported suite.
pub(crate) const HEAD: &str = "\
# Imported by `toolmirage import` from files of a public benchmark: the words are its authors', under its licence.
# Every case that was read, and every name that was changed, stands in the account in ../imports.
";

/// A suite file.
pub(crate) fn suite_text<'r>(
    name: &str,
    catalog: &str,
    kinds: &[&str],
    ready: impl Iterator<Item = &'r Ready>,
) -> String {
    let (name, catalog) = (yaml_scalar(name), yaml_scalar(catalog));
    let mut out = format!("toolmirage: {SUITE_FORMAT}\nname: {name}\nversion: 1\nseed: {SEED}\n");
    // The words of a public benchmark stand in many traces by right.
    let _ = writeln!(out, "catalog: {catalog}\nkinds: [{}]\nheld_out: false\n\ntasks:", kinds.join(", "));
    for (at, ready) in ready.enumerate() {
        if at > 0 {
            out.push('\n');
        }
        if let Ok(Value::Object(members)) = serde_json::to_value(&ready.task) {
            out.push_str(&yaml::item(&members, 2));
        }
    }
    out
}

/// A catalog file in our own form, a tool a line.
pub(crate) fn catalog_text<'g>(name: &str, tools: impl Iterator<Item = &'g Given>) -> String {
    let tool = |given: &Given| {
        let mut tool = json!({ "name": given.name });
        if let Some(description) = &given.function.description {
            tool["description"] = description.as_str().into();
        }
        tool["input_schema"] = given.function.parameters.clone();
        format!("    {tool}")
    };
    let tools: Vec<String> = tools.map(tool).collect();
    let head = json!(name);
    format!(
        "{{\n  \"toolmirage\": \"{CATALOG_FORMAT}\",\n  \"name\": {head},\n  \"version\": 1,\n  \"tools\": [\n{}\n  ]\n}}\n",
        tools.join(",\n")
    )
}
