//! What a server says of itself: headers of its answers, and the paths at which servers tell their version. Only the
//! endpoint's own host is asked.

use std::time::Duration;

use indexmap::IndexMap;
use serde::Deserialize;

use super::exchange::{Exchanges, quoted};
use crate::Target;

/// Headers that name software.
const HEADERS: &[&str] =
    &["server", "x-powered-by", "via", "x-litellm-version", "openai-version", "x-ollama-version"];

/// Paths at which servers tell their name or version, at the root of the host, and the members that do.
const PATHS: &[(&str, &[&str])] = &[
    ("/version", &["version"]),
    ("/api/version", &["version"]),
    ("/props", &["build_info"]),
    ("/get_server_info", &["version"]),
];

/// The first words of a body that is looked at.
const MOST: usize = 1 << 20;

/// Where the answers name software: fingerprint and headers.
pub(super) fn of_answers(exchanges: &Exchanges) -> IndexMap<String, String> {
    let mut found = IndexMap::new();
    for answer in exchanges.all().filter_map(|exchange| exchange.answer()) {
        for (name, value) in answer.headers.iter().filter(|(name, _)| HEADERS.contains(&name.as_str())) {
            found.entry(format!("header {name}")).or_insert_with(|| quoted(value));
        }
        if let Some(fingerprint) = &answer.observed.fingerprint {
            found.entry("system_fingerprint".to_owned()).or_insert_with(|| quoted(fingerprint));
        }
    }
    found
}

/// What the paths say, and how many were asked.
pub(super) async fn of_paths(target: &Target, deadline: Duration) -> (IndexMap<String, String>, u64) {
    let mut found = IndexMap::new();
    let mut asked = 0;
    for (path, members) in PATHS {
        let Some(got) = target.transport.look_up(path, deadline) else { return (found, asked) };
        asked += 1;
        let Ok(response) = got.await else { continue };
        if response.status == 200 && response.body.len() <= MOST {
            found.extend(version_in(&response.body, members).map(|words| (format!("GET {path}"), words)));
        }
    }
    (found, asked)
}

#[derive(Deserialize)]
struct Versions {
    version: Option<String>,
    build_info: Option<String>,
}

fn version_in(body: &[u8], members: &[&str]) -> Option<String> {
    let versions: Versions = serde_json::from_slice(body).ok()?;
    let words = members.iter().find_map(|member| match *member {
        "build_info" => versions.build_info.as_deref(),
        _ => versions.version.as_deref(),
    })?;
    Some(quoted(words)).filter(|words| !words.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_where_they_are_texts() {
        assert_eq!(version_in(br#"{"version":"0.31.2"}"#, &["version"]).as_deref(), Some("0.31.2"));
        assert_eq!(version_in(br#"{"build_info":"b77-f00"}"#, &["build_info"]).as_deref(), Some("b77-f00"));
        assert_eq!(version_in(br#"{"version":7}"#, &["version"]), None);
        assert_eq!(version_in(b"<html>", &["version"]), None);
    }
}
