//! A server behind an address: a message a request, answered by JSON or by a stream of events (streamable HTTP).

use std::time::{Duration, Instant};

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use tokio::runtime::Runtime;
use transcript::RawJson;

use crate::http::{is_loopback, tls_config};
use crate::mcp::jsonrpc::{self, Heard, shortened};
use crate::mcp::{McpError, Session};
use crate::{Secret, public_url};

/// The largest answer that is read, in bytes.
const MAX_BODY: usize = 64 << 20;

/// The header that names a session.
const SESSION: &str = "mcp-session-id";

/// A conversation over HTTP. It has a runtime of its own, so that its users need none.
pub(super) struct Connection {
    runtime: Runtime,
    client: reqwest::Client,
    url: String,
    session: Option<HeaderValue>,
    version: Option<String>,
    asked: u64,
    until: Instant,
    deadline: Duration,
}

impl Connection {
    pub(super) fn open(
        url: &str,
        headers: &[(String, Secret)],
        until: Instant,
        deadline: Duration,
    ) -> Result<Self, McpError> {
        let parsed = reqwest::Url::parse(url)
            .map_err(|error| McpError::Unreachable(format!("`{}` is no URL: {error}", public_url(url))))?;
        if !matches!(parsed.scheme(), "http" | "https") {
            return Err(McpError::Unreachable(format!("`{}` is neither http nor https", public_url(url))));
        }
        let tls = tls_config(parsed.scheme() == "https")
            .map_err(|error| McpError::Unreachable(error.to_string()))?;
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("toolmirage/", env!("CARGO_PKG_VERSION")))
            .default_headers(secret_headers(headers)?)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .tls_backend_preconfigured(tls);
        if is_loopback(&parsed) {
            builder = builder.no_proxy();
        }
        let client = builder.build().map_err(unreachable)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| McpError::Unreachable(error.to_string()))?;
        Ok(Self {
            runtime,
            client,
            url: url.to_owned(),
            session: None,
            version: None,
            asked: 0,
            until,
            deadline,
        })
    }

    fn request(&self, message: String) -> reqwest::RequestBuilder {
        let mut builder = self
            .client
            .post(&self.url)
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json, text/event-stream")
            .body(message);
        if let Some(session) = &self.session {
            builder = builder.header(SESSION, session.clone());
        }
        if let Some(version) = &self.version {
            builder = builder.header("mcp-protocol-version", version);
        }
        builder
    }

    fn within<T>(
        &self,
        method: &str,
        work: impl Future<Output = Result<T, McpError>>,
    ) -> Result<T, McpError> {
        let left = self.until.saturating_duration_since(Instant::now());
        let seconds = self.deadline.as_secs();
        let silent = || McpError::Silent { method: method.to_owned(), seconds, said: String::new() };
        self.runtime
            .block_on(async { tokio::time::timeout(left, work).await })
            .unwrap_or_else(|_| Err(silent()))
    }
}

impl Session for Connection {
    fn ask(&mut self, method: &str, params: &str) -> Result<RawJson, McpError> {
        self.asked += 1;
        let id = self.asked;
        let request = self.request(jsonrpc::request(id, method, params));
        let work = async {
            let response = checked(request.send().await.map_err(unreachable)?, method).await?;
            let session = response.headers().get(SESSION).cloned();
            Ok((session, answer(response, id, method).await?))
        };
        let (session, answer) = self.within(method, work)?;
        self.session = session.or(self.session.take());
        answer
    }

    fn tell(&mut self, method: &str) -> Result<(), McpError> {
        let request = self.request(jsonrpc::notification(method));
        let work = async { checked(request.send().await.map_err(unreachable)?, method).await };
        self.within(method, work).map(|_| ())
    }

    fn agreed(&mut self, version: &str) {
        self.version = HeaderValue::from_str(version).is_ok().then(|| version.to_owned());
    }
}

impl Drop for Connection {
    /// Says that the session is over; a server that does not listen forgets it in time.
    fn drop(&mut self) {
        let Some(session) = self.session.take() else { return };
        let request = self.client.delete(&self.url).header(SESSION, session);
        let _ = self
            .runtime
            .block_on(async { tokio::time::timeout(Duration::from_millis(500), request.send()).await });
    }
}

/// A response with a status that says yes.
async fn checked(response: reqwest::Response, method: &str) -> Result<reqwest::Response, McpError> {
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let hint = match status.as_u16() {
        401 | 403 => "; give its headers by the names of variables",
        404 | 405 => "; is this the address of its streamable HTTP endpoint?",
        300..=399 => "; redirects are not followed",
        _ => "",
    };
    let body = response.text().await.unwrap_or_default();
    let body = if body.trim().is_empty() { String::new() } else { format!(" `{}`", shortened(&body)) };
    Err(McpError::NoMcp { method: method.to_owned(), what: format!("HTTP status {status}{body}{hint}") })
}

/// Reads a response until the answer is there: a stream may stay open behind it.
async fn answer(
    mut response: reqwest::Response,
    id: u64,
    method: &str,
) -> Result<Result<RawJson, McpError>, McpError> {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_stream = kind.starts_with("text/event-stream");
    let mut body: Vec<u8> = Vec::new();
    let mut done = 0;
    while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
        body.extend_from_slice(&chunk);
        if body.len() > MAX_BODY {
            let what = format!("more than {MAX_BODY} bytes");
            return Err(McpError::NoMcp { method: method.to_owned(), what });
        }
        while is_stream && let Some((event, end)) = next_event(&body, done) {
            done = end;
            if let Some(Heard::Answer(answer)) = jsonrpc::hear(&event, id, method) {
                return Ok(answer);
            }
        }
    }
    let text = String::from_utf8_lossy(&body).into_owned();
    let last = if is_stream { data_of(text.get(done..).unwrap_or_default()) } else { text.clone() };
    match jsonrpc::hear(&last, id, method) {
        Some(Heard::Answer(answer)) => Ok(answer),
        _ => Err(McpError::NoMcp { method: method.to_owned(), what: format!("`{}`", shortened(&text)) }),
    }
}

/// The data of the next whole event, and where it ends.
fn next_event(body: &[u8], from: usize) -> Option<(String, usize)> {
    let rest = body.get(from..)?;
    let find =
        |mark: &[u8]| rest.windows(mark.len()).position(|window| window == mark).map(|at| at + mark.len());
    let end = [find(b"\n\n"), find(b"\r\n\r\n"), find(b"\r\r")].into_iter().flatten().min()?;
    let event = String::from_utf8_lossy(rest.get(..end)?).into_owned();
    Some((data_of(&event), from + end))
}

/// The lines `data:` of an event, joined.
fn data_of(event: &str) -> String {
    let lines = event.split(['\n', '\r']).filter_map(|line| line.strip_prefix("data:"));
    lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

fn secret_headers(headers: &[(String, Secret)]) -> Result<HeaderMap, McpError> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let key = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| McpError::Unreachable(format!("`{name}` is no name for a header")))?;
        let mut value = HeaderValue::from_str(value.expose()).map_err(|_| {
            McpError::Unreachable(format!(
                "the value for header `{name}` has characters that no header can carry"
            ))
        })?;
        value.set_sensitive(true);
        map.insert(key, value);
    }
    Ok(map)
}

#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` hands over")]
fn unreachable(error: reqwest::Error) -> McpError {
    McpError::Unreachable(crate::http::chain(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_taken_one_by_one() {
        let body = b"event: message\ndata: {\"a\":1}\n\ndata: {\ndata: }\r\n\r\ndata: rest";
        let (first, end) = next_event(body, 0).unwrap();
        assert_eq!(first, "{\"a\":1}");
        let (second, end) = next_event(body, end).unwrap();
        assert_eq!(second, "{\n}");
        assert!(next_event(body, end).is_none());
    }
}
