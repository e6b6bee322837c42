//! `gate:` of the configuration: what may not rise, what may not lie above what, and what becomes of what
//! cannot be told. From it and a profile's name to a policy.

use indexmap::IndexMap;
use probes::RateName;
use report::{Ceiling, OnInconclusive, Policy};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Failure;
use crate::inputs::Configured;

/// The gate.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GateConfig {
    /// Rates that may not rise, and that must have data [default: those of the three that the suite asks for].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rates: Option<Vec<RateName>>,
    /// Whether tasks marked `must_pass` have to pass in every trial [default: true].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) must_pass: Option<bool>,
    /// How sure a rise has to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) regression: Option<RegressionConfig>,
    /// Limits by rate: `8 %`, or `{ at: 8 %, on: point }`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) ceilings: IndexMap<RateName, CeilingConfig>,
    /// The rise that is put up with: `3 points`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tolerance: Option<String>,
    /// What becomes of what cannot be told: `pass` or `fail`, for all profiles or by profile [default: pass].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) inconclusive: Option<InconclusiveConfig>,
    /// The share of planned trials that must be scored: `95 %` [default: more than two thirds].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) coverage: Option<String>,
    /// Rates that may be without data, or hidden by the endpoint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) waive: Vec<RateName>,
}

/// How sure a rise has to be.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RegressionConfig {
    /// Two-sided error over all gated rates and cells [default: 5 %].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) family_error: Option<String>,
}

/// A limit on a rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum CeilingConfig {
    /// The limit, held against the ends of the 90 % interval.
    Share(String),
    /// The limit, and what is held against it.
    Full(FullCeiling),
}

/// A limit, and what is held against it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FullCeiling {
    /// The limit: `8 %`.
    pub(crate) at: String,
    /// What is held against it [default: interval].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) on: Option<CeilingOn>,
}

/// What is held against a ceiling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CeilingOn {
    /// The ends of the 90 % interval.
    Interval,
    /// The figure itself.
    Point,
}

/// What becomes of what cannot be told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum InconclusiveConfig {
    /// The same in every profile.
    Always(OnInconclusive),
    /// By profile.
    ByProfile(IndexMap<String, OnInconclusive>),
}

impl GateConfig {
    /// The policy of a profile.
    pub(crate) fn policy(&self, profile: Option<&str>) -> Result<Policy, Failure> {
        let regression = self.regression.clone().unwrap_or_default();
        let error = regression.family_error.as_deref().map(|text| share("regression.family_error", text));
        let ceilings = self.ceilings.iter().map(|(&metric, ceiling)| ceiling_of(metric, ceiling));
        Ok(Policy {
            profile: profile.map(str::to_owned),
            rates: self.rates.clone(),
            family_error: open_share("regression.family_error", error.transpose()?.unwrap_or(0.05))?,
            tolerance: self.tolerance.as_deref().map(|text| points("tolerance", text)).transpose()?,
            ceilings: ceilings.collect::<Result<_, _>>()?,
            must_pass: self.must_pass.unwrap_or(true),
            coverage: self.coverage.as_deref().map(|text| share("coverage", text)).transpose()?,
            inconclusive: self.on_inconclusive(profile),
            waive: self.waive.clone(),
            across_suites: false,
        })
    }

    fn on_inconclusive(&self, profile: Option<&str>) -> OnInconclusive {
        match &self.inconclusive {
            Some(InconclusiveConfig::Always(choice)) => *choice,
            Some(InconclusiveConfig::ByProfile(choices)) => {
                profile.and_then(|profile| choices.get(profile)).copied().unwrap_or(OnInconclusive::Pass)
            }
            None => OnInconclusive::Pass,
        }
    }
}

fn ceiling_of(metric: RateName, ceiling: &CeilingConfig) -> Result<Ceiling, Failure> {
    let key = format!("ceilings.{metric}");
    let (text, on) = match ceiling {
        CeilingConfig::Share(text) => (text, None),
        CeilingConfig::Full(full) => (&full.at, full.on),
    };
    Ok(Ceiling { metric, at: share(&key, text)?, on_point: on == Some(CeilingOn::Point) })
}

/// `8 %`, from 0 to 100, as a share of 1.
fn share(key: &str, text: &str) -> Result<f64, Failure> {
    let number =
        text.trim().strip_suffix('%').map(str::trim_end).and_then(|number| number.parse::<f64>().ok());
    match number.filter(|number| (0.0..=100.0).contains(number)) {
        Some(number) => Ok(number / 100.0),
        None => Err(Failure::usage(format!("`gate.{key}` is `{text}`, wanted a percentage such as `8 %`"))),
    }
}

/// `3 points`, above 0 and up to 100, as a share of 1.
pub(crate) fn points(key: &str, text: &str) -> Result<f64, Failure> {
    let trimmed = text.trim();
    let number = ["points", "point"].iter().find_map(|unit| trimmed.strip_suffix(unit));
    let number = number.and_then(|number| number.trim_end().parse::<f64>().ok());
    match number.filter(|number| *number > 0.0 && *number <= 100.0) {
        Some(number) => Ok(number / 100.0),
        None => {
            Err(Failure::usage(format!("`{key}` is `{text}`, wanted percentage points such as `3 points`")))
        }
    }
}

/// A rate by its name.
pub(crate) fn rate(name: &str) -> Result<RateName, Failure> {
    let wanted = name.replace('-', "_");
    let all = || scorer::METRICS.iter().map(|metric| metric.name);
    all().find(|rate| rate.as_str() == wanted).ok_or_else(|| {
        let failure = Failure::usage(format!("unknown rate `{name}`"));
        match probes::nearest(&wanted, all().map(RateName::as_str)) {
            Some(near) => failure.with_help(format!("did you mean `{near}`?")),
            None => failure.with_help("unknown_tool, shadow_call and hallucinated_argument are the three"),
        }
    })
}

fn open_share(key: &str, share: f64) -> Result<f64, Failure> {
    if share > 0.0 && share < 1.0 {
        return Ok(share);
    }
    Err(Failure::usage(format!("`gate.{key}` must lie between 0 and 100 %")))
}

/// The policy that the configuration has for a profile; none without a `gate`.
pub(crate) fn policy(
    configured: Option<&Configured>,
    profile: Option<&str>,
) -> Result<Option<Policy>, Failure> {
    let Some(configured) = configured else { return Ok(None) };
    let Some(gate) = &configured.config.gate else { return Ok(None) };
    if let Some(InconclusiveConfig::ByProfile(choices)) = &gate.inconclusive {
        let known = &configured.config.profiles;
        if let Some(name) = choices.keys().find(|name| !known.contains_key(*name)) {
            let failure = Failure::usage(format!("`gate.inconclusive` names the unknown profile `{name}`"));
            return Err(match probes::nearest(name, known.keys().map(String::as_str)) {
                Some(near) => failure.with_help(format!("did you mean `{near}`?")),
                None => failure,
            });
        }
    }
    gate.policy(profile).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the configuration is read: `on` is a word there.
    fn gate(text: &str) -> GateConfig {
        let indented: Vec<String> = text.lines().map(|line| format!("  {line}")).collect();
        let text = format!("toolmirage: config/1\ngate:\n{}\n", indented.join("\n"));
        let file = std::path::Path::new("toolmirage.yaml");
        let read = probes::read_yaml::<crate::config::Config>(file, &text, crate::config::CONFIG_FORMAT, &[]);
        read.unwrap_or_else(|error| panic!("{error}")).0.gate.unwrap()
    }

    #[test]
    fn every_key_is_read() {
        let gate = gate(
            "must_pass: false
regression: { family_error: 10 % }
rates: [unknown_tool, misused_tool]
ceilings: { unknown_tool: 8 %, hallucinated_argument: { at: 12.5 %, on: point } }
tolerance: 3 points
inconclusive: { nightly: pass, release: fail }
coverage: 95 %
waive: [shadow_call]",
        );
        let policy = gate.policy(Some("release")).unwrap_or_else(|failure| panic!("{}", failure.text()));
        assert_eq!(policy.inconclusive, OnInconclusive::Fail);
        assert_eq!((policy.family_error, policy.tolerance, policy.coverage), (0.1, Some(0.03), Some(0.95)));
        assert_eq!(policy.rates, Some(vec![RateName::UnknownTool, RateName::MisusedTool]));
        assert!(!policy.must_pass && policy.waive == [RateName::ShadowCall]);
        let on_point: Vec<bool> = policy.ceilings.iter().map(|ceiling| ceiling.on_point).collect();
        assert_eq!(on_point, [false, true]);
        let other = gate.policy(Some("nightly")).unwrap_or_else(|failure| panic!("{}", failure.text()));
        assert_eq!(other.inconclusive, OnInconclusive::Pass);
    }

    #[test]
    fn one_word_holds_for_all_profiles() {
        let policy =
            gate("inconclusive: fail").policy(None).unwrap_or_else(|failure| panic!("{}", failure.text()));
        assert_eq!(policy.inconclusive, OnInconclusive::Fail);
        assert_eq!(Policy { inconclusive: OnInconclusive::Pass, ..policy }, Policy::DEFAULT);
    }

    #[test]
    fn figures_without_their_unit_are_refused() {
        for text in [
            "tolerance: \"3 %\"",
            "tolerance: \"3\"",
            "tolerance: -1 points",
            "tolerance: 0 points",
            "coverage: \"0.95\"",
            "coverage: 101 %",
            "ceilings: { unknown_tool: 8 points }",
            "regression: { family_error: 0 % }",
        ] {
            assert!(gate(text).policy(None).is_err(), "{text}");
        }
    }
}
