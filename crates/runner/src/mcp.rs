//! Reading the tools of a live MCP server, over stdio or streamable HTTP: `initialize`, `notifications/initialized`,
//! and `tools/list` page by page. A client of its own, since every tool is kept as the server wrote it: a typed client
//! would drop what it does not know. Nothing is ever called.

mod http;
mod jsonrpc;
mod stdio;

use std::time::{Duration, Instant};

use transcript::RawJson;

use crate::Secret;

pub use stdio::split_command;

/// The revision of the protocol that is asked for; a server may answer with another.
const PROTOCOL_VERSION: &str = "2025-06-18";

/// Where a server is.
#[derive(Debug, Clone)]
pub enum McpServer {
    /// A program that is started, and talked to over its standard input and output.
    Command(Vec<String>),
    /// An address, with headers whose values are secret.
    Url {
        /// The endpoint.
        url: String,
        /// Headers by name.
        headers: Vec<(String, Secret)>,
    },
}

/// What reading may cost.
#[derive(Debug, Clone, Copy)]
pub struct McpLimits {
    /// How long everything may take.
    pub deadline: Duration,
    /// How many tools are read at most.
    pub max_tools: usize,
}

/// What a server lists.
#[derive(Debug)]
pub struct McpListing {
    /// The entries of `tools/list`, each as it came, in order.
    pub tools: Vec<RawJson>,
    /// Pages that were read.
    pub pages: usize,
    /// Why the list ends before its end, where it does: what came until then is kept.
    pub cut_short: Option<McpError>,
}

/// Why a server's tools cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum McpError {
    /// The program cannot be started.
    #[error("`{program}` cannot be started: {why}")]
    Start {
        /// The program.
        program: String,
        /// What the system said.
        why: String,
    },
    /// The command is none.
    #[error("the command is empty, or a quotation mark in it is not closed")]
    NoCommand,
    /// The server ended before it answered.
    #[error("the server ended ({status}) before it answered `{method}`{said}")]
    Ended {
        /// What was asked.
        method: String,
        /// How it ended.
        status: String,
        /// What it wrote to standard error, or in place of answers.
        said: String,
    },
    /// No answer came in time.
    #[error("no answer to `{method}` within {seconds} s{said}")]
    Silent {
        /// What was asked.
        method: String,
        /// The deadline.
        seconds: u64,
        /// What it wrote to standard error, or in place of answers.
        said: String,
    },
    /// The server answered with an error.
    #[error("the server answered `{method}` with an error: {message}")]
    Refused {
        /// What was asked.
        method: String,
        /// Code and message.
        message: String,
    },
    /// What came is no answer of MCP.
    #[error("what came for `{method}` is no answer of MCP: {what}")]
    NoMcp {
        /// What was asked.
        method: String,
        /// What came instead.
        what: String,
    },
    /// No connection, or none that lasted.
    #[error("{0}")]
    Unreachable(String),
    /// More than was allowed for.
    #[error("the server lists more than {0} tools")]
    TooMany(usize),
}

/// A conversation with one server.
trait Session {
    /// Sends a request and waits for its result.
    fn ask(&mut self, method: &str, params: &str) -> Result<RawJson, McpError>;

    /// Sends a notification.
    fn tell(&mut self, method: &str) -> Result<(), McpError>;

    /// Learns the revision that both speak.
    fn agreed(&mut self, version: &str);
}

/// The longest that a server is waited for, whatever is asked.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Reads the tools of a server. Blocks; must not be called inside of an async runtime.
///
/// # Errors
/// No tool could be read.
pub fn list_mcp_tools(server: &McpServer, limits: McpLimits) -> Result<McpListing, McpError> {
    let until = Instant::now() + limits.deadline.min(LONGEST);
    match server {
        McpServer::Command(words) => list(&mut stdio::Process::start(words, until, limits.deadline)?, limits),
        McpServer::Url { url, headers } => {
            list(&mut http::Connection::open(url, headers, until, limits.deadline)?, limits)
        }
    }
}

fn list(session: &mut dyn Session, limits: McpLimits) -> Result<McpListing, McpError> {
    let hello = format!(
        r#"{{"protocolVersion":"{PROTOCOL_VERSION}","capabilities":{{}},"clientInfo":{{"name":"toolmirage","version":"{}"}}}}"#,
        env!("CARGO_PKG_VERSION")
    );
    let answer = session.ask("initialize", &hello)?;
    let version = jsonrpc::text_member(&answer, "protocolVersion").ok_or_else(|| McpError::NoMcp {
        method: "initialize".to_owned(),
        what: "it names no `protocolVersion`".to_owned(),
    })?;
    session.agreed(&version);
    session.tell("notifications/initialized")?;
    let mut listing = McpListing { tools: Vec::new(), pages: 0, cut_short: None };
    if let Err(error) = pages(session, limits, &mut listing) {
        if listing.tools.is_empty() {
            return Err(error);
        }
        listing.cut_short = Some(error);
    }
    Ok(listing)
}

/// Reads page after page into a listing.
fn pages(session: &mut dyn Session, limits: McpLimits, listing: &mut McpListing) -> Result<(), McpError> {
    let method = "tools/list";
    let mut seen: Vec<String> = Vec::new();
    let mut params = "{}".to_owned();
    loop {
        let page = session.ask(method, &params)?;
        let tools = jsonrpc::list_member(&page, "tools").ok_or_else(|| McpError::NoMcp {
            method: method.to_owned(),
            what: "its result has no list `tools`".to_owned(),
        })?;
        listing.tools.extend(tools);
        listing.pages += 1;
        if listing.tools.len() > limits.max_tools {
            listing.tools.truncate(limits.max_tools);
            return Err(McpError::TooMany(limits.max_tools));
        }
        let Some(cursor) = jsonrpc::text_member(&page, "nextCursor") else {
            return Ok(());
        };
        if seen.contains(&cursor) {
            let what = format!("the cursor `{cursor}` comes a second time");
            return Err(McpError::NoMcp { method: method.to_owned(), what });
        }
        params = format!(r#"{{"cursor":{}}}"#, serde_json::Value::String(cursor.clone()));
        seen.push(cursor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers from a list.
    struct Fake(Vec<Result<&'static str, McpError>>);

    impl Session for Fake {
        fn ask(&mut self, _: &str, _: &str) -> Result<RawJson, McpError> {
            self.0.remove(0).map(|text| RawJson::parse(text).unwrap())
        }
        fn tell(&mut self, _: &str) -> Result<(), McpError> {
            Ok(())
        }
        fn agreed(&mut self, _: &str) {}
    }

    const HELLO: Result<&str, McpError> = Ok(r#"{"protocolVersion":"2025-03-26"}"#);

    fn read(answers: Vec<Result<&'static str, McpError>>) -> Result<McpListing, McpError> {
        list(&mut Fake(answers), McpLimits { deadline: Duration::from_secs(1), max_tools: 3 })
    }

    #[test]
    fn pages_are_joined_and_tools_stay_as_they_came() {
        let listing = read(vec![
            HELLO,
            Ok(r#"{"tools":[{"name":"a","n":1.0}],"nextCursor":"x"}"#),
            Ok(r#"{"tools":[{"name":"b"}]}"#),
        ])
        .unwrap();
        let tools: Vec<&str> = listing.tools.iter().map(RawJson::as_str).collect();
        assert_eq!(tools, [r#"{"name":"a","n":1.0}"#, r#"{"name":"b"}"#]);
        assert_eq!((listing.pages, listing.cut_short), (2, None));
    }

    #[test]
    fn what_came_before_a_fault_is_kept() {
        let page = || Ok(r#"{"tools":[{"name":"a"},{"name":"b"}],"nextCursor":"x"}"#);
        let listing = read(vec![HELLO, page(), Err(McpError::Unreachable("gone".into()))]).unwrap();
        assert_eq!((listing.tools.len(), listing.cut_short), (2, Some(McpError::Unreachable("gone".into()))));
        let listing = read(vec![HELLO, page(), page()]).unwrap();
        assert_eq!((listing.tools.len(), listing.cut_short), (3, Some(McpError::TooMany(3))));
        assert!(read(vec![HELLO, Ok(r#"{"no":1}"#)]).unwrap_err().to_string().contains("no list `tools`"));
        assert!(read(vec![Ok("{}")]).unwrap_err().to_string().contains("no `protocolVersion`"));
    }
}
