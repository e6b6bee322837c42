//! `toolmirage catalog pull`: what live servers list, pinned in files.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use probes::{Catalog, CatalogDifference, CatalogSource};
use serde::Serialize;

use crate::args::PullArgs;
use crate::command::catalog::difference_text;
use crate::error::Failure;
use crate::exit::Exit;
use crate::inputs::Configured;
use crate::{live, output};

/// What came of one server.
#[derive(Debug, Serialize)]
struct PulledSource {
    catalog: String,
    server: String,
    file: String,
    tools: usize,
    /// How the server differs from the file; none where there was no file.
    difference: Option<CatalogDifference>,
    /// Why nothing, or not everything, could be read.
    error: Option<String>,
}

/// Asks the servers, and writes what they list or says how it differs.
pub(super) fn run(args: &PullArgs, configured: &Configured) -> Result<Exit, Failure> {
    let mut pulled = Vec::new();
    for (name, source) in servers(configured, &args.catalogs)? {
        pulled.push(one(name, source, args, configured.folder())?);
    }
    if pulled.is_empty() {
        return Err(Failure::usage("no catalog of the configuration has an MCP server")
            .with_help("a source such as `{ mcp: tickets, command: npx -y @corp/tickets-mcp }` is one"));
    }
    let differs =
        |source: &PulledSource| source.difference.as_ref().is_none_or(|difference| !difference.is_empty());
    let exit = if pulled.iter().any(|source| source.error.is_some()) {
        Exit::Invalid
    } else if args.check && pulled.iter().any(differs) {
        Exit::Failed
    } else {
        Exit::Pass
    };
    if args.json {
        output::print_json(&pulled)?;
    } else {
        output::print(&pulled.iter().map(|source| source_text(source, args.check)).collect::<String>())?;
    }
    Ok(exit)
}

fn servers<'a>(
    configured: &'a Configured,
    wanted: &[String],
) -> Result<Vec<(&'a str, &'a CatalogSource)>, Failure> {
    let catalogs = &configured.config.catalogs;
    if let Some(unknown) = wanted.iter().find(|name| !catalogs.contains_key(*name)) {
        return Err(Failure::usage(format!("the configuration has no catalog `{unknown}`")));
    }
    let chosen = catalogs.iter().filter(|(name, _)| wanted.is_empty() || wanted.contains(name));
    let sources =
        chosen.flat_map(|(name, catalog)| catalog.sources.iter().map(move |source| (name.as_str(), source)));
    Ok(sources.filter(|(_, source)| source.mcp.is_some()).collect())
}

fn one(
    catalog: &str,
    source: &CatalogSource,
    args: &PullArgs,
    folder: &Path,
) -> Result<PulledSource, Failure> {
    let file = source.path();
    let path = folder.join(&file);
    let server = source.mcp.clone().unwrap_or_default();
    let mut out =
        PulledSource { catalog: catalog.to_owned(), server, file, tools: 0, difference: None, error: None };
    let pulled = match live::pull(source, Duration::from_secs(args.timeout)) {
        Ok(pulled) => pulled,
        Err(failure) if failure.exit == Exit::Invalid => {
            out.error = Some(failure.error.to_string());
            return Ok(out);
        }
        Err(failure) => return Err(failure),
    };
    out.tools = pulled.tools;
    out.error =
        pulled.cut_short.map(|why| format!("what comes behind its first {} tools: {why}", pulled.tools));
    let listed = Catalog::from_text(&path, &pulled.text)?;
    if out.error.is_some() {
        return Ok(out); // What was read of it is no catalog: nothing is compared and nothing is written.
    }
    if path.is_file() {
        out.difference = Some(CatalogDifference::between(&Catalog::load(&path)?, &listed));
    }
    if !args.check {
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        output::write_file(&path, pulled.text.as_bytes())?;
    }
    Ok(out)
}

fn source_text(source: &PulledSource, is_check: bool) -> String {
    let mut out = format!("{} {}: ", source.catalog, source.server);
    let file = &source.file;
    match (&source.error, &source.difference) {
        (Some(error), _) if source.tools == 0 => _ = writeln!(out, "not read; {error}"),
        (Some(error), _) => _ = writeln!(out, "not read whole; {error}"),
        (None, None) if is_check => _ = writeln!(out, "{} tools; `{file}` is not there", source.tools),
        (None, None) => _ = writeln!(out, "{} tools, written to {file}", source.tools),
        (None, Some(difference)) if difference.is_empty() => {
            _ = writeln!(out, "{} tools, as {file} has them", source.tools)
        }
        (None, Some(difference)) => {
            let _ = writeln!(
                out,
                "{} tools, others than {file} {}",
                source.tools,
                if is_check { "has" } else { "had" }
            );
            out.push_str(&difference_text(difference, &|_| String::new()));
        }
    }
    report::visible_block(&out).into_owned()
}
