//! `toolmirage.yaml` (`config/1`): catalogs, prompts, targets, suites and profiles by name. A shipped suite
//! runs without one.

mod gateway;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use transcript::{Price, ServedAt};

use crate::gating::GateConfig;
use crate::money::MaxCost;
use crate::privacy::PrivacyConfig;
pub(crate) use gateway::{Addition, GatewayConfig};

/// The format's name and version, first in every configuration file.
pub(crate) const CONFIG_FORMAT: &str = "config/1";

/// Keys that the configuration will have and this build does not read, at any depth.
pub(crate) const KNOWN_NOT_IN_THIS_BUILD: &[&str] = &[
    // of the file
    "owners", "history", "triage",   // of a catalog
    "exposure", // of a prompt
    "render",
];

/// A configuration file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    /// `config/1`: the format and its version.
    pub(crate) toolmirage: String,
    /// Catalogs by name.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) catalogs: IndexMap<String, CatalogConfig>,
    /// System prompts by name.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) prompts: IndexMap<String, PromptConfig>,
    /// Gateways between us and models, by name.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) gateways: IndexMap<String, GatewayConfig>,
    /// What models cost, by the name of the model, in dollars a million tokens. They win over the list that is built in.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) prices: IndexMap<String, Price>,
    /// What is measured, by name.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) targets: IndexMap<String, TargetConfig>,
    /// Suite files, relative to this file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) suites: Vec<String>,
    /// Named ways to run.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) profiles: IndexMap<String, ProfileConfig>,
    /// What decides whether a run or a comparison passes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) gate: Option<GateConfig>,
    /// What is taken out before anything is written, and how much reports carry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) privacy: Option<PrivacyConfig>,
}

/// A catalog: several sources make one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CatalogConfig {
    /// Tool lists that make up the catalog, in order; files are relative to this file.
    pub(crate) sources: Vec<probes::CatalogSource>,
    /// A request body captured in production, relative to this file: `catalog check` holds the catalog against the
    /// tools that it offers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) must_equal: Option<String>,
}

/// A system prompt in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PromptConfig {
    /// The file, relative to this file.
    pub(crate) file: String,
    /// Values for `{{NAME}}` in it.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) vars: IndexMap<String, Value>,
}

/// A model at an endpoint. No setting is ever defaulted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TargetConfig {
    /// The wire format (`openai_chat`, `openai_responses`, `anthropic_messages`, `gemini`, ...), or `sim` with a profile
    /// as its model.
    pub(crate) provider: String,
    /// Model to ask for.
    pub(crate) model: String,
    /// The gateway that it goes through, in place of a base URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) gateway: Option<String>,
    /// Where an answer names the model that gave it, and the names that the model asked for has there. Each member that is
    /// given stands in the place of the gateway's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) served_model: Option<ServedAt>,
    /// Base URL, up to and including `/v1` where the provider has it [default: the provider's own].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) base_url: Option<String>,
    /// Name of the environment variable that holds the key [default for `bedrock_converse`: `AWS_BEARER_TOKEN_BEDROCK`].
    /// Where it is not set, `bedrock_converse` signs with `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and
    /// `AWS_SESSION_TOKEN`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) key_env: Option<String>,
    /// The region that `bedrock_converse` asks, and signs for [default: the one in the host of the base URL, else that of
    /// `AWS_REGION`]. Without a base URL it is asked at its public address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) region: Option<String>,
    /// Headers to send. Secrets do not belong here; see `headers_env`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) headers: IndexMap<String, String>,
    /// Headers whose values are in environment variables of these names.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) headers_env: IndexMap<String, String>,
    /// Model settings, sent as members of the body: `temperature`, `max_tokens`, ...
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) settings: IndexMap<String, Value>,
    /// Further members of the body.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) body: IndexMap<String, Value>,
    /// Requests a minute that we may send to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) requests_per_minute: Option<u64>,
    /// Tokens a minute, read and written, that we may use of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tokens_per_minute: Option<u64>,
    /// When the model is switched off; for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) retires: Option<String>,
    /// The target that takes its place; for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) replaced_by: Option<String>,
}

/// A named way to run. Absent keys leave the choice to the flags and their defaults.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProfileConfig {
    /// Targets, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) targets: Option<Vec<String>>,
    /// Kinds to run of those that the suite has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) kinds: Option<Vec<String>>,
    /// Arms, in place of those of the suite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) arms: Option<Vec<String>>,
    /// Repeats of each probe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) repeats: Option<u32>,
    /// Requests under way at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) concurrency: Option<usize>,
    /// Most turns of a trial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) max_turns: Option<u32>,
    /// Requests that a sitting may send, those of the check of how endpoints serve tools included, as in all caps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) max_requests: Option<u64>,
    /// Tokens, read and written, that a sitting may spend.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) max_tokens: Option<u64>,
    /// Money that a sitting may cost: `25 USD`. Every target needs a price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) max_cost: Option<MaxCost>,
    /// Minutes that a sitting may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) max_minutes: Option<f64>,
    /// A git ref whose prompts and catalogs are measured beside those of the work tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) against: Option<String>,
    /// Which cells run: all, or those whose prompt or catalog differs from `against` [default: affected with
    /// `against`, else all].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cells: Option<WhichCells>,
    /// Further trials of each changed probe on each side, for reading alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) confirm: Option<u32>,
}

/// Which cells of a profile run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WhichCells {
    /// Every one.
    All,
    /// Those whose inputs differ from those of `against`.
    Affected,
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = r#"
toolmirage: config/1
catalogs:
  depot:
    sources:
      - file: tools/depot.openai.json
      - { file: tools/routes.mcp.json, name: "routes__{tool}" }
prompts:
  drivers: { file: prompts/drivers.md, vars: { today: "2027-02-18", plan: night } }
gateways:
  yard:
    base_url: https://models.yard.example
    key_env: YARD_KEY
    headers: { X-Team: depot }
    ca_file: /etc/ssl/yard.pem
    served_model: { header: x-real-model, equals: [fern-2-0917] }
    no_cache: { header: "Cache-Control: no-cache" }
    no_fallback: { body: { fallback: false } }
    error_text: ["^upstream .* unavailable"]
    tokens_per_minute: 800000
prices:
  fern-2: { input: 0.75, cached_input: 0.075, output: 4.5 }
targets:
  fern-4: { gateway: yard, provider: openai_chat, model: fern-4 }
  fern-2: { provider: openai_chat, model: fern-2, base_url: "http://127.0.0.1:8080/v1", key_env: FERN_KEY, retires: 2027-09-30, replaced_by: fern-3 }
  fern-3: { provider: openai_chat, model: fern-3, settings: { max_tokens: 1024 } }
suites: [suites/dispatch.yaml]
profiles:
  nightly: { targets: [fern-2], kinds: [control, decoy], arms: [strict, parallel+strict], repeats: 3 }
  pr: { against: main, cells: affected, confirm: 5, max_cost: 25 USD }
gate:
  ceilings: { unknown_tool: 8 %, shadow_call: { at: 20 %, on: point } }
  tolerance: 3 points
  inconclusive: { pr: pass, nightly: fail }
privacy:
  share: evidence
  redact: [email, phone, iban, "CREW-[0-9]{4}"]
"#;

    #[test]
    fn example_round_trips() {
        let read = |text: &str| -> Config {
            let file = std::path::Path::new("toolmirage.yaml");
            let read = probes::read_yaml(file, text, CONFIG_FORMAT, KNOWN_NOT_IN_THIS_BUILD);
            read.unwrap_or_else(|error| panic!("{error}")).0
        };
        let config = read(EXAMPLE);
        let written = serde_yaml::to_string(&config).unwrap();
        assert_eq!(read(&written), config);
    }
}
