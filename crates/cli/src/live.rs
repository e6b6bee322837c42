//! Asking live MCP servers for their tools. Runs never do: `init` and `catalog pull` write what a server lists to a
//! file, and everything else reads that file.

use std::time::Duration;

use probes::CatalogSource;
use runner::{McpLimits, McpServer, Redactor, Secret, list_mcp_tools, split_command, token_of};

use crate::environment;
use crate::error::Failure;

/// How many tools are read of one server at most.
const MAX_TOOLS: usize = 20_000;

/// What a server lists, as it is written to a file.
pub(crate) struct Pulled {
    /// An MCP `tools/list` result, a tool a line, each as the server wrote it.
    pub(crate) text: String,
    /// How many tools are in it.
    pub(crate) tools: usize,
    /// Why there are not all of them, where something went wrong on the way.
    pub(crate) cut_short: Option<String>,
}

/// Asks the server of a source. A key that it sends back is in nothing that is given.
pub(crate) fn pull(source: &CatalogSource, deadline: Duration) -> Result<Pulled, Failure> {
    let server = server(source)?;
    let limits = McpLimits { deadline, max_tools: MAX_TOOLS };
    let redactor = match &server {
        McpServer::Url { headers, .. } => Redactor::new(headers.iter().map(|(_, secret)| secret)),
        McpServer::Command(_) => Redactor::default(),
    };
    let said = |error: &dyn std::fmt::Display| redactor.clean(&error.to_string()).into_owned();
    let listing = list_mcp_tools(&server, limits).map_err(|error| Failure::invalid(said(&error)))?;
    let entry = |tool: &str| format!("    {}", redactor.clean_line(&one_line(tool)));
    let entries: Vec<String> = listing.tools.iter().map(|tool| entry(tool.as_str())).collect();
    let text = format!("{{\n  \"tools\": [\n{}\n  ]\n}}\n", entries.join(",\n"));
    Ok(Pulled { text, tools: listing.tools.len(), cut_short: listing.cut_short.map(|error| said(&error)) })
}

/// JSON without the line breaks between its values: within its texts there are none.
fn one_line(json: &str) -> String {
    json.replace(['\n', '\r'], " ")
}

fn server(source: &CatalogSource) -> Result<McpServer, Failure> {
    match (&source.command, &source.url) {
        (Some(command), _) => Ok(McpServer::Command(split_command(command)?)),
        (None, Some(url)) => {
            check_url(url)?;
            Ok(McpServer::Url { url: url.clone(), headers: headers(source)? })
        }
        (None, None) => {
            let name = source.mcp.as_deref().unwrap_or_default();
            Err(Failure::usage(format!("server `{name}` has neither `command` nor `url`")))
        }
    }
}

/// An address is written into the configuration: nothing in it may be secret.
fn check_url(url: &str) -> Result<(), Failure> {
    let (address, query) = url.split_once('?').unwrap_or((url, ""));
    let authority =
        address.split_once("://").map_or(address, |(_, rest)| rest).split('/').next().unwrap_or_default();
    let is_secret = |part: &str| {
        let key = part.split('=').next().unwrap_or_default().to_lowercase();
        ["token", "key", "secret", "password", "auth"].iter().any(|word| key.contains(word))
    };
    if authority.contains('@') || query.split('&').any(is_secret) {
        return Err(Failure::usage("the server's address has a secret in it").with_help(
            "name an environment variable for a header: --mcp-header NAME:HEADER=VARIABLE, or `headers_env`",
        ));
    }
    Ok(())
}

fn headers(source: &CatalogSource) -> Result<Vec<(String, Secret)>, Failure> {
    let mut headers = Vec::new();
    for (name, variable) in &source.headers_env {
        let value = environment::secret(variable).ok_or_else(|| {
            Failure::usage(format!("the variable `{variable}` for header `{name}` is not set"))
        })?;
        headers.push((name.clone(), Secret::new(value)));
    }
    if let Some(command) = &source.token_command {
        headers.push(("authorization".to_owned(), token_of(command)?.bearer()));
    }
    Ok(headers)
}
