//! `toolmirage check-endpoint`: how an endpoint serves tools, on one screen.

mod screen;

use std::sync::Arc;
use std::time::{Duration, Instant};

use runner::{Caps, CheckError, CheckOptions, Knobs, Meter, RetryPolicy};
use serde::Serialize;
use transcript::{Known, ServingCheck, TargetRecord};

use crate::args::CheckEndpointArgs;
use crate::error::Failure;
use crate::exit::Exit;
use crate::inputs::Configured;
use crate::{output, serving, targets};

/// What is printed as JSON.
#[derive(Debug, Serialize)]
struct Checked<'a> {
    target: &'a str,
    provider: &'a str,
    model: &'a str,
    base_url: Option<&'a str>,
    /// `yes`; `no` where the tools do not reach the model; `unknown` where that could not be told.
    measurable: Known,
    /// Why the unknown-tool rate is censored there, where it is.
    censored: Option<&'static str>,
    check: &'a ServingCheck,
}

/// Checks.
pub(crate) fn run(
    args: &CheckEndpointArgs,
    configured: Option<&Configured>,
    quiet: bool,
) -> Result<Exit, Failure> {
    let place = (args.base_url.as_deref(), args.key_env.as_deref());
    let plan = targets::named(&args.target, place, &args.set, configured)?;
    let options = CheckOptions {
        request_deadline: Duration::from_secs(args.timeout.max(1)),
        retry: RetryPolicy::STANDARD,
        patience: Duration::from_secs(args.wait),
        knobs: if args.matrix { Knobs::every() } else { Vec::new() },
        meter: Arc::new(Meter::new(Caps::default())),
    };
    let started = Instant::now();
    let check = match serving::ask(&plan, &options, quiet)? {
        Ok(check) => check,
        Err(error) => return Err(failure(&args.target, error)),
    };
    let checked = Checked {
        target: &plan.id.0,
        provider: &plan.record.provider,
        model: &plan.record.model,
        base_url: plan.record.base_url.as_deref(),
        measurable: check.endpoint.sees_tools,
        censored: censored(&check),
        check: &check,
    };
    if args.json {
        output::print_json(&checked)?;
    } else {
        let text =
            screen::draw(&args.target, place_of(&plan.record), &check, args.evidence, started.elapsed());
        output::print(&report::visible_block(&text))?;
    }
    Ok(if check.endpoint.sees_tools == Known::No { Exit::Invalid } else { Exit::Pass })
}

fn place_of(record: &TargetRecord) -> String {
    let own = || runner::provider(&record.provider).and_then(|provider| provider.base_url);
    record.base_url.as_deref().or_else(own).map_or_else(|| "in process".to_owned(), runner::public_url)
}

/// Why calls of tools that are not offered cannot be seen, where they cannot.
fn censored(check: &ServingCheck) -> Option<&'static str> {
    match (check.endpoint.constrains_names, check.endpoint.filters_unknown_names) {
        (Known::Yes, _) => Some("names are constrained to offered ones"),
        (_, Known::Yes) => Some("unknown names are filtered or rewritten"),
        _ => None,
    }
}

fn failure(target: &str, error: CheckError) -> Failure {
    let exit = match error {
        CheckError::Authentication(_) | CheckError::Quota(_) | CheckError::Capped(_) => Exit::Stopped,
        CheckError::Unreachable(_) | CheckError::Refused(_) => Exit::Invalid,
        CheckError::Cancelled => return serving::interrupted(),
    };
    let help = match error {
        CheckError::Authentication(_) => {
            Some("name the variable that holds the key with `key_env` or --key-env".to_owned())
        }
        CheckError::Unreachable(_) => {
            Some("see that the endpoint is up and the base URL ends in /v1".to_owned())
        }
        _ => None,
    };
    Failure { exit, error: anyhow::anyhow!("target `{target}` cannot be checked: {error}"), help }
}
