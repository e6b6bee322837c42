//! Requests over HTTP: one client a target, connections kept for as many slots as there are, no redirects and
//! no retries of the client's own, since every try is recorded.

use std::error::Error as _;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;

use crate::transport::{
    ATTEMPT_HEADER, HttpRequest, HttpResponse, TRIAL_HEADER, Transport, TransportError, TransportErrorKind,
};
use crate::{KeyHeader, RequestSigner, Secret, TokenCommand, public_url};

/// How to reach one endpoint.
#[derive(Debug, Clone)]
pub struct HttpOptions {
    /// Base URL up to and including `/v1`; a query stays at the end of every URL.
    pub base_url: String,
    /// Sent as `key_header` says and nowhere else.
    pub key: Option<Secret>,
    /// A command that prints the key, where `key` is none.
    pub token: Option<Arc<TokenCommand>>,
    /// How the key is sent.
    pub key_header: KeyHeader,
    /// What signs every request, where there is no key.
    pub signer: Option<RequestSigner>,
    /// A file with certificates (PEM) that are trusted beside those of the system.
    pub ca_file: Option<PathBuf>,
    /// Further headers.
    pub headers: Vec<(String, String)>,
    /// Further headers whose values are secret.
    pub secret_headers: Vec<(String, Secret)>,
    /// How long connecting may take.
    pub connect_timeout: Duration,
    /// Requests that may be under way at once: so many connections are kept.
    pub max_connections: usize,
    /// Largest body that is read, in bytes.
    pub max_body: usize,
}

impl HttpOptions {
    /// The limit on bodies that suits every endpoint: 16 MiB. The longest answers of today have a megabyte, and
    /// sixty-four bodies may be under way at once.
    pub const MAX_BODY: usize = 16 << 20;
}

/// The media type of every body that is sent.
const JSON: &str = "application/json";

/// A transport over HTTP.
#[derive(Debug)]
pub struct HttpTransport {
    client: reqwest::Client,
    address: String,
    query: String,
    token: Option<Arc<TokenCommand>>,
    key_header: KeyHeader,
    signer: Option<RequestSigner>,
    max_body: usize,
    /// The last path and its URL: a target has one path, as a rule.
    last: Mutex<Option<(String, Url)>>,
}

impl HttpTransport {
    /// Prepares a client. Certificates are loaded for `https` only, so that a machine without any can talk to
    /// a model on loopback. Nothing is sent.
    ///
    /// # Errors
    /// The URL or a header is no such thing, or there is no client to be had; the message says which.
    pub fn new(options: HttpOptions) -> Result<Self, TransportError> {
        let url = Url::parse(&options.base_url)
            .map_err(|error| unusable(format!("`{}` is no URL: {error}", public_url(&options.base_url))))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(unusable(format!("`{}` is neither http nor https", public_url(&options.base_url))));
        }
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("toolmirage/", env!("CARGO_PKG_VERSION")))
            .default_headers(headers(&options)?)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            // One request a connection at a time: a slot's fault stays that slot's.
            .http1_only()
            .connect_timeout(options.connect_timeout)
            .pool_max_idle_per_host(options.max_connections)
            .tls_backend_preconfigured(tls_config_with(url.scheme() == "https", options.ca_file.as_deref())?);
        if is_loopback(&url) {
            builder = builder.no_proxy();
        }
        let client = builder.build().map_err(|error| unusable(chain(&error)))?;
        let (address, query) = match options.base_url.split_once('?') {
            Some((address, query)) => (address, format!("?{query}")),
            None => (options.base_url.as_str(), String::new()),
        };
        let address = address.trim_end_matches('/').to_owned();
        let HttpOptions { token, key_header, signer, max_body, .. } = options;
        Ok(Self { client, address, query, token, key_header, signer, max_body, last: Mutex::new(None) })
    }

    fn url(&self, path: &str) -> Result<Url, TransportError> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, url)) = last.as_ref().filter(|(known, _)| known == path) {
            return Ok(url.clone());
        }
        let url = Url::parse(&format!("{}{path}{}", self.address, self.query))
            .map_err(|error| unusable(format!("`{path}` makes no URL: {error}")))?;
        *last = Some((path.to_owned(), url.clone()));
        Ok(url)
    }

    async fn exchange(&self, request: HttpRequest) -> Result<HttpResponse, TransportError> {
        let url = self.url(&request.path)?;
        let signed = self.signer.as_ref().map(|signer| signer.sign(&url, JSON, &request.body));
        let signed = signed.transpose().map_err(unusable)?.unwrap_or_default();
        let mut builder = self.client.post(url).header(CONTENT_TYPE, JSON).body(request.body);
        for (name, value) in signed {
            let value = header_value(&name, value.expose(), true)?;
            builder = builder.header(name, value);
        }
        if let Some(trial) = &request.trial {
            builder = builder.header(TRIAL_HEADER, trial).header(ATTEMPT_HEADER, request.attempt);
        }
        let mut number = None;
        if let Some(command) = &self.token {
            let (token, of_token) = command.token().await.map_err(|error| unusable(error.to_string()))?;
            let (name, value) = key_in(self.key_header, &token)?;
            builder = builder.header(name, value);
            number = Some(of_token);
        }
        let response = self.answer(builder).await?;
        if let (401, Some(command), Some(number)) = (response.status, &self.token, number) {
            command.refuse(number);
        }
        Ok(response)
    }

    async fn answer(&self, builder: reqwest::RequestBuilder) -> Result<HttpResponse, TransportError> {
        let response = builder.send().await.map_err(|error| failed(error, TransportErrorKind::Cut))?;
        let status = response.status().as_u16();
        let headers = response
            .headers()
            .iter()
            .map(|(name, value)| {
                (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
            })
            .collect();
        let body = self.read_body(response).await?;
        Ok(HttpResponse { status, headers, body })
    }

    async fn read_body(&self, mut response: reqwest::Response) -> Result<Bytes, TransportError> {
        let mut body = BytesMut::new();
        while let Some(chunk) =
            response.chunk().await.map_err(|error| failed(error, TransportErrorKind::Cut))?
        {
            if body.len() + chunk.len() > self.max_body {
                let message = format!("more than {} bytes", self.max_body);
                return Err(TransportError { kind: TransportErrorKind::TooLarge, message });
            }
            if body.is_empty() && response.content_length() == Some(chunk.len() as u64) {
                return Ok(chunk);
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body.freeze())
    }
}

impl Transport for HttpTransport {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, TransportError>> {
        let deadline = request.deadline;
        within(deadline, self.exchange(request)).boxed()
    }

    fn renews_key(&self) -> bool {
        self.token.is_some()
    }

    fn look_up(
        &self,
        path: &str,
        deadline: Duration,
    ) -> Option<BoxFuture<'_, Result<HttpResponse, TransportError>>> {
        let builder = self.client.get(root(&self.address)?.join(path).ok()?);
        Some(within(deadline, self.answer(builder)).boxed())
    }
}

/// What comes within a time, or that it did not.
async fn within(
    deadline: Duration,
    exchange: impl Future<Output = Result<HttpResponse, TransportError>>,
) -> Result<HttpResponse, TransportError> {
    tokio::time::timeout(deadline, exchange).await.unwrap_or_else(|_| {
        let message = format!("nothing complete after {:.1} s", deadline.as_secs_f64());
        Err(TransportError { kind: TransportErrorKind::Timeout, message })
    })
}

/// The root of the host that an address lies on.
fn root(address: &str) -> Option<reqwest::Url> {
    let mut url = reqwest::Url::parse(address).ok()?;
    url.set_path("/");
    url.set_query(None);
    Some(url)
}

/// The header that carries a key.
fn key_in(header: KeyHeader, key: &Secret) -> Result<(HeaderName, HeaderValue), TransportError> {
    let (name, value) = match header {
        KeyHeader::Bearer | KeyHeader::BearerOrSignature(_) => (AUTHORIZATION, key.bearer()),
        KeyHeader::Named(name) => (HeaderName::from_static(name), key.clone()),
    };
    let value = header_value(name.as_str(), value.expose(), true)?;
    Ok((name, value))
}

fn headers(options: &HttpOptions) -> Result<HeaderMap, TransportError> {
    let mut map = HeaderMap::new();
    let plain = options.headers.iter().map(|(name, value)| (name.as_str(), value.as_str(), false));
    let secret = options.secret_headers.iter().map(|(name, value)| (name.as_str(), value.expose(), true));
    for (name, value, sensitive) in plain.chain(secret) {
        let key = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| unusable(format!("`{name}` is no name for a header")))?;
        map.insert(key, header_value(name, value, sensitive)?);
    }
    if let Some(key) = &options.key {
        let (name, value) = key_in(options.key_header, key)?;
        map.insert(name, value);
    }
    Ok(map)
}

fn header_value(name: &str, value: &str, sensitive: bool) -> Result<HeaderValue, TransportError> {
    // The value may be a key with a line break behind it: the message must not show it.
    let mut value = HeaderValue::from_str(value).map_err(|_| {
        unusable(format!("the value for header `{name}` has characters that no header can carry"))
    })?;
    value.set_sensitive(sensitive);
    Ok(value)
}

/// Our own configuration of rustls, with ring; the client would otherwise want a provider that is installed
/// for the whole process, and a certificate store even for plain http.
pub(crate) fn tls_config(with_roots: bool) -> Result<rustls::ClientConfig, TransportError> {
    tls_config_with(with_roots, None)
}

/// The same, with the certificates of a file beside those of the system.
fn tls_config_with(with_roots: bool, ca_file: Option<&Path>) -> Result<rustls::ClientConfig, TransportError> {
    let mut roots = rustls::RootCertStore::empty();
    for certificate in ca_file.map(certificates).transpose()?.unwrap_or_default() {
        roots
            .add(certificate)
            .map_err(|error| unusable(format!("a certificate of `ca_file` cannot be used: {error}")))?;
    }
    if with_roots {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
        let native = rustls_native_certs::load_native_certs();
        for error in &native.errors {
            tracing::debug!(%error, "a certificate of the system cannot be read");
        }
        roots.add_parsable_certificates(native.certs);
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| unusable(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

/// The certificates of a file.
fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, TransportError> {
    let cannot = |why: String| unusable(format!("`ca_file` `{}` {why}", file.display()));
    let found: Result<Vec<_>, _> = CertificateDer::pem_file_iter(file)
        .and_then(Iterator::collect)
        .map_err(|error| cannot(format!("cannot be read: {error}")));
    found.and_then(
        |found| if found.is_empty() { Err(cannot("holds no certificate".into())) } else { Ok(found) },
    )
}

pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn unusable(message: String) -> TransportError {
    TransportError { kind: TransportErrorKind::Other, message }
}

fn failed(error: reqwest::Error, otherwise: TransportErrorKind) -> TransportError {
    let kind = if error.is_connect() {
        TransportErrorKind::Connect
    } else if error.is_timeout() {
        TransportErrorKind::Timeout
    } else if error.is_builder() {
        TransportErrorKind::Other
    } else {
        otherwise
    };
    TransportError { kind, message: chain(&error.without_url()) }
}

/// An error with its causes, each once: the client's own message often repeats its cause.
pub(crate) fn chain(error: &reqwest::Error) -> String {
    let mut out = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let text = inner.to_string();
        if !out.contains(&text) {
            let _ = write!(out, ": {text}");
        }
        cause = inner.source();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(base_url: &str) -> HttpOptions {
        HttpOptions {
            base_url: base_url.to_owned(),
            key: None,
            token: None,
            key_header: KeyHeader::Bearer,
            signer: None,
            ca_file: None,
            headers: Vec::new(),
            secret_headers: Vec::new(),
            connect_timeout: Duration::from_secs(1),
            max_connections: 1,
            max_body: HttpOptions::MAX_BODY,
        }
    }

    #[test]
    fn what_cannot_be_sent_is_said_without_the_secret() {
        let message = |options| HttpTransport::new(options).map(|_| ()).unwrap_err().to_string();
        assert!(message(options("depot")).contains("`depot` is no URL"));
        assert!(message(options("ftp://h/v1")).contains("neither http nor https"));
        let broken = HttpOptions { key: Some(Secret::new("k-123\nX: y".into())), ..options("http://h/v1") };
        let text = message(broken);
        assert!(text.contains("authorization") && !text.contains("k-123"), "{text}");
    }

    #[test]
    fn https_builds_too() {
        assert!(HttpTransport::new(options("https://h/v1")).is_ok());
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ca.pem");
        let message = || {
            let with_file = HttpOptions { ca_file: Some(file.clone()), ..options("https://h/v1") };
            HttpTransport::new(with_file).map(|_| ()).unwrap_err().to_string()
        };
        assert!(message().contains("cannot be read"), "{}", message());
        std::fs::write(&file, "no certificate").unwrap();
        assert!(message().contains("holds no certificate"), "{}", message());
        let bad = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        std::fs::write(&file, bad).unwrap();
        assert!(message().contains("cannot be used"), "{}", message());
    }
}
