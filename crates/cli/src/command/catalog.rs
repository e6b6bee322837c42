//! `toolmirage catalog`: tools as production sends them. `pull` asks live servers and writes what they list, `check`
//! holds a catalog against a captured request, `diff` sets two versions side by side.

mod diff;
mod pull;

use std::fmt::Write as _;

use probes::CatalogDifference;
use transcript::ToolName;

use crate::args::{CatalogArgs, CatalogCommand, CheckArgs};
use crate::error::Failure;
use crate::exit::Exit;
use crate::inputs::Configured;
use crate::output;

/// Runs the command.
pub(crate) fn run(args: &CatalogArgs, configured: Option<&Configured>) -> Result<Exit, Failure> {
    match &args.command {
        CatalogCommand::Pull(args) => pull::run(args, needed(configured)?),
        CatalogCommand::Check(args) => check(args, needed(configured)?),
        CatalogCommand::Diff(args) => diff::run(args, configured),
    }
}

fn needed(configured: Option<&Configured>) -> Result<&Configured, Failure> {
    configured.ok_or_else(|| {
        Failure::usage("there is no configuration")
            .with_help("name it with --config, or write one with `toolmirage init`")
    })
}

fn check(args: &CheckArgs, configured: &Configured) -> Result<Exit, Failure> {
    let catalogs = &configured.config.catalogs;
    if let Some(unknown) = args.catalogs.iter().find(|name| !catalogs.contains_key(*name)) {
        return Err(Failure::usage(format!("the configuration has no catalog `{unknown}`")));
    }
    let mut text = String::new();
    let mut found: Vec<(String, CatalogDifference)> = Vec::new();
    let chosen = catalogs.keys().filter(|name| args.catalogs.is_empty() || args.catalogs.contains(name));
    for name in chosen {
        let Some((file, difference)) = configured.captured_difference(name)? else { continue };
        if difference.is_empty() {
            let _ = writeln!(text, "{name}: equals {file}");
        } else {
            let _ = writeln!(text, "{name}: differs from {file}");
            text.push_str(&difference_text(&difference, &|_| String::new()));
        }
        found.push((name.clone(), difference));
    }
    if found.is_empty() {
        return Err(Failure::usage("no catalog of the configuration has `must_equal`")
            .with_help("`must_equal: FILE` names a request body captured in production"));
    }
    let differs = found.iter().any(|(_, difference)| !difference.is_empty());
    if args.json {
        let found: indexmap::IndexMap<String, CatalogDifference> = found.into_iter().collect();
        output::print_json(&found)?;
    } else {
        output::print(&report::visible_block(&text))?;
    }
    Ok(if differs { Exit::Failed } else { Exit::Pass })
}

/// A difference in lines; `beside` says what stands behind a tool's name.
pub(super) fn difference_text(
    difference: &CatalogDifference,
    beside: &dyn Fn(&ToolName) -> String,
) -> String {
    let mut out = String::new();
    for tool in &difference.added {
        let _ = writeln!(out, "  added    {tool}");
    }
    for tool in &difference.removed {
        let _ = writeln!(out, "  removed  {tool}{}", beside(tool));
    }
    for renamed in &difference.renamed {
        let _ = writeln!(out, "  renamed  {} to {}{}", renamed.from, renamed.to, beside(&renamed.from));
    }
    for changed in &difference.changed {
        let _ = writeln!(out, "  changed  {}{}", changed.tool, beside(&changed.tool));
        for change in &changed.changes {
            let _ = writeln!(out, "           {change}");
        }
    }
    if let Some(order) = &difference.order {
        let _ = writeln!(out, "  order    `{}` stands where `{}` stood", order.second, order.first);
    }
    out
}
