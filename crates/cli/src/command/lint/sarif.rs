//! SARIF 2.1.0 (OASIS), as far as findings with a place need it.

use linter::{Finding, RULES};
use serde::Serialize;

use crate::error::Failure;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool<'a>,
    column_kind: &'static str,
    results: Vec<Outcome<'a>>,
}

#[derive(Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
struct Driver<'a> {
    name: &'static str,
    version: &'static str,
    rules: Vec<RuleText<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RuleText<'a> {
    id: &'a str,
    short_description: Text<'a>,
    help: Text<'a>,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct Text<'a> {
    text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome<'a> {
    rule_id: &'a str,
    rule_index: usize,
    /// SARIF has the words of our severities.
    level: &'static str,
    message: OwnText,
    locations: Vec<Location>,
}

#[derive(Serialize)]
struct OwnText {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Physical,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
}

/// The findings as one SARIF log.
pub(super) fn text(found: &[Finding]) -> Result<String, Failure> {
    let rules = RULES.iter().map(|rule| RuleText {
        id: rule.name,
        short_description: Text { text: rule.summary },
        help: Text { text: rule.page },
        default_configuration: Configuration { level: rule.severity.as_str() },
    });
    let driver = Driver { name: "toolmirage", version: env!("CARGO_PKG_VERSION"), rules: rules.collect() };
    let run = Run {
        tool: Tool { driver },
        column_kind: "unicodeCodePoints",
        results: found.iter().map(outcome).collect(),
    };
    let log = Log { schema: SCHEMA, version: "2.1.0", runs: [run] };
    let mut text = serde_json::to_string_pretty(&log)?;
    text.push('\n');
    Ok(text)
}

fn outcome(finding: &Finding) -> Outcome<'_> {
    let place = &finding.diagnostic;
    let help = place.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
    let location = Location {
        physical_location: Physical {
            artifact_location: Artifact { uri: uri(&place.file) },
            region: Region { start_line: place.line.max(1), start_column: place.column.max(1) },
        },
    };
    Outcome {
        rule_id: finding.rule.name,
        rule_index: RULES.iter().position(|rule| rule.name == finding.rule.name).unwrap_or(0),
        level: finding.severity.as_str(),
        message: OwnText { text: format!("{}{help}", place.message) },
        locations: if place.file.is_empty() { Vec::new() } else { vec![location] },
    }
}

/// A path as a URI reference: separators are slashes, and what a URI cannot have is escaped (RFC 3986).
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.replace('\\', "/").bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=@".contains(&byte);
        if plain { out.push(byte.into()) } else { out.push_str(&format!("%{byte:02X}")) }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("catalogs/a b:1.json"), "catalogs/a%20b%3A1.json");
    }
}
