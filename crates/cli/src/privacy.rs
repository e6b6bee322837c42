//! `privacy:` of the configuration: what is taken out before anything is written, and how much reports carry.

use clap::ValueEnum;
use report::Share;
use runner::Redactor;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::args::RunArgs;
use crate::environment;
use crate::error::Failure;
use crate::inputs::Configured;

/// What is taken out before anything is written, and how much reports carry.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PrivacyConfig {
    /// How much reports carry: `summary` (figures alone), `evidence` (findings with their quotes; no system prompt, no
    /// schemas) or `full` [default: `evidence` where the environment says `CI`, else `full`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) share: Option<Share>,
    /// What is taken out of the record and the executor log, and so of every report: `email`, `phone`, `iban`, or regular
    /// expressions. A token stands in the place of each value, `<email:1>`, the same one throughout a run. Models are
    /// sent what the suite says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) redact: Vec<String>,
}

/// `--share`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShareChoice {
    /// Figures alone: no word of a trial.
    Summary,
    /// Findings with their quotes; no system prompt and no schemas.
    Evidence,
    /// Everything that reports have.
    Full,
}

impl From<ShareChoice> for Share {
    fn from(choice: ShareChoice) -> Self {
        match choice {
            ShareChoice::Summary => Self::Summary,
            ShareChoice::Evidence => Self::Evidence,
            ShareChoice::Full => Self::Full,
        }
    }
}

/// How much reports carry: by the flag, else by the configuration, else by where we run.
pub(crate) fn share(flag: Option<ShareChoice>, configured: Option<&Configured>) -> Share {
    let written = configured.and_then(|configured| configured.config.privacy.as_ref()?.share);
    let usual = if environment::is_ci() { Share::Evidence } else { Share::Full };
    flag.map(Share::from).or(written).unwrap_or(usual)
}

/// What takes out what `privacy.redact` names.
pub(crate) fn redactor(configured: Option<&Configured>) -> Result<Redactor, Failure> {
    let Some(configured) = configured else { return Ok(Redactor::default()) };
    let patterns = configured.config.privacy.as_ref().map(|privacy| privacy.redact.as_slice());
    Redactor::default()
        .with_patterns(patterns.unwrap_or_default())
        .map_err(|(at, message)| configured.mistake(&format!("/privacy/redact/{at}"), message))
}

/// Responses are kept byte for byte, or not at all.
pub(crate) fn check_kept(args: &RunArgs, redactor: &Redactor) -> Result<(), Failure> {
    let kept = [("--cache", &args.cache), ("--record", &args.record), ("--replay", &args.replay)];
    let Some((flag, _)) = kept.into_iter().find(|(_, folder)| folder.is_some()) else { return Ok(()) };
    if !redactor.has_patterns() {
        return Ok(());
    }
    let message = format!(
        "`{flag}` keeps responses as they came, and `privacy.redact` takes {} out of what is written",
        redactor.kinds().join(", ")
    );
    Err(Failure::usage(message).with_help(format!(
        "leave {flag} out, or run with a configuration without `privacy.redact`: what is taken out of a response cannot be replayed"
    )))
}
