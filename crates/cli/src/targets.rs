//! What is measured: from a name, `PROVIDER:MODEL` or `sim:PROFILE` to a target that can be asked.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use indexmap::IndexMap;
use probes::Probe;
use runner::{
    Gateway, HttpOptions, HttpRequest, HttpResponse, HttpTransport, KeyHeader, Redactor, Secret, Share,
    TokenCommand, Transport, TransportError, TransportErrorKind,
};
use sim::{Profile, Sim};
use transcript::{EndpointProperties, Known, RawJson, TargetId, TargetRecord};

use crate::args::MeasureArgs;
use crate::config::TargetConfig;
use crate::environment;
use crate::error::Failure;
use crate::inputs::Configured;
use crate::{bedrock, gateways, prices, sim_script};
use probes::nearest;

/// The provider name of simulated models.
pub(crate) const SIM: &str = "sim";

/// The wire format that a simulated model speaks.
pub(crate) const SIM_SPEAKS: &str = "openai_chat";

/// What is measured where nothing is named.
const DEFAULT_TARGET: &str = "sim:careless";

/// A target that is settled and not yet opened.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TargetPlan {
    /// Its id in the record, which is the name that the user gave.
    pub(crate) id: TargetId,
    /// What the record says of it.
    pub(crate) record: TargetRecord,
}

/// Settles the targets that flags, profile and configuration name, in that order.
pub(crate) fn settle(
    args: &MeasureArgs,
    configured: Option<&Configured>,
    profile: Option<&[String]>,
) -> Result<Vec<TargetPlan>, Failure> {
    let named: Vec<String> = if !args.targets.is_empty() {
        args.targets.clone()
    } else if let Some(names) = profile {
        names.to_vec()
    } else {
        let all: Vec<String> =
            configured.map(|c| c.config.targets.keys().cloned().collect()).unwrap_or_default();
        if all.is_empty() { vec![DEFAULT_TARGET.to_owned()] } else { all }
    };
    let mut plans: Vec<TargetPlan> = Vec::new();
    for name in &named {
        let plan = one(name, args, configured)?;
        if plans.iter().any(|other| other.id == plan.id) {
            return Err(Failure::usage(format!("target `{name}` is named twice")));
        }
        plans.push(plan);
    }
    Ok(plans)
}

fn one(name: &str, args: &MeasureArgs, configured: Option<&Configured>) -> Result<TargetPlan, Failure> {
    named(name, (args.base_url.as_deref(), args.key_env.as_deref()), &args.set, configured)
}

/// Settles one target: its name, base URL and variable of the key, and members of the body.
pub(crate) fn named(
    name: &str,
    (base_url, key_env): (Option<&str>, Option<&str>),
    set: &[String],
    configured: Option<&Configured>,
) -> Result<TargetPlan, Failure> {
    let id = TargetId(name.into());
    let known = configured.and_then(|configured| configured.config.targets.get(name));
    let mut record = match (known, name.split_once(':')) {
        (Some(config), _) => of_config(name, config, configured)?,
        (None, Some((provider, model))) => of_flags(provider, model, base_url, key_env),
        (None, None) => return Err(unknown(name, configured)),
    };
    for member in set {
        let (key, value) = parse_member(member)?;
        record.settings.insert(key, value);
    }
    check(name, &record)?;
    record.price = prices::of(&record, configured);
    Ok(TargetPlan { id, record })
}

fn unknown(name: &str, configured: Option<&Configured>) -> Failure {
    let names: Vec<&str> =
        configured.map(|c| c.config.targets.keys().map(String::as_str).collect()).unwrap_or_default();
    let failure = Failure::usage(format!("unknown target `{name}`"));
    match nearest(name, names.iter().copied()) {
        Some(near) => failure.with_help(format!("did you mean `{near}`?")),
        None => failure.with_help(
            "name a target of the configuration, `PROVIDER:MODEL` with --base-url, or `sim:careless`",
        ),
    }
}

fn of_config(
    name: &str,
    config: &TargetConfig,
    configured: Option<&Configured>,
) -> Result<TargetRecord, Failure> {
    let mut settings: IndexMap<String, RawJson> = IndexMap::new();
    for (key, value) in config.settings.iter().chain(&config.body) {
        if settings.insert(key.clone(), RawJson::from_value(value)).is_some() {
            return Err(Failure::usage(format!("target `{name}` has `{key}` in `settings` and in `body`")));
        }
    }
    if config.requests_per_minute == Some(0) || config.tokens_per_minute == Some(0) {
        return Err(Failure::usage(format!("target `{name}`: a limit of 0 lets nothing be sent")));
    }
    let public =
        config.region.as_ref().filter(|_| config.gateway.is_none()).map(|region| bedrock::public_url(region));
    let record = TargetRecord {
        provider: config.provider.clone(),
        model: config.model.clone(),
        base_url: config.base_url.clone().or(public),
        key_env: config.key_env.clone(),
        region: config.region.clone(),
        headers: config.headers.clone(),
        headers_env: config.headers_env.clone(),
        settings,
        simulated: config.provider == SIM,
        share: gateways::own_share(name, config),
        endpoint: endpoint(&config.provider),
        ..TargetRecord::default()
    };
    match (&config.gateway, configured) {
        (Some(gateway), Some(configured)) => gateways::through(record, (name, gateway), config, configured),
        (None, Some(configured)) => gateways::direct(record, name, config, configured),
        _ => Ok(record),
    }
}

fn of_flags(provider: &str, model: &str, base_url: Option<&str>, key_env: Option<&str>) -> TargetRecord {
    TargetRecord {
        provider: provider.to_owned(),
        model: model.to_owned(),
        base_url: base_url.map(str::to_owned),
        key_env: key_env.filter(|_| provider != SIM).map(str::to_owned),
        headers: IndexMap::new(),
        headers_env: IndexMap::new(),
        settings: IndexMap::new(),
        simulated: provider == SIM,
        endpoint: endpoint(provider),
        ..TargetRecord::default()
    }
}

/// What is known of an endpoint before anything is sent. A simulated one hides nothing.
pub(crate) fn endpoint(provider: &str) -> EndpointProperties {
    if provider != SIM {
        return EndpointProperties::default();
    }
    EndpointProperties {
        sees_tools: Known::Yes,
        constrains_names: Known::No,
        filters_unknown_names: Known::No,
        ..EndpointProperties::default()
    }
}

/// What can be checked of a target before anything is sent.
fn check(name: &str, record: &TargetRecord) -> Result<(), Failure> {
    if record.model.is_empty() {
        return Err(Failure::usage(format!("target `{name}` names no model")));
    }
    if let Some(url) = &record.base_url {
        check_url(name, url)?;
    }
    if let Some(header) = record.headers.keys().find(|header| is_secret_header(header)) {
        return Err(Failure::usage(format!(
            "target `{name}` has the header `{header}` in the configuration"
        ))
        .with_help("its value is a secret: name an environment variable for it under `headers_env`"));
    }
    if record.provider == SIM {
        record.model.parse::<Profile>()?;
        return Ok(());
    }
    let Some(provider) = runner::provider(&record.provider) else {
        return Err(unknown_provider(name, &record.provider));
    };
    if let Some(key) = record.settings.keys().find(|key| provider.reserved.contains(&key.as_str())) {
        return Err(Failure::usage(format!("target `{name}` sets `{key}`, which the harness writes itself")));
    }
    if let Some(region) = &record.region {
        bedrock::check_region(name, provider, region)?;
    }
    let missing = |key: &&&str| !record.settings.contains_key(**key);
    if let Some(key) = provider.required.iter().find(missing) {
        let message =
            format!("target `{name}` sets no `{key}`, which `{}` answers nothing without", provider.name);
        return Err(Failure::usage(message)
            .with_help(format!("give it: `settings` in the configuration, or --set {key}=VALUE")));
    }
    if record.base_url.is_none() && provider.base_url.is_none() {
        let flag = "`base_url` in the configuration, or --base-url URL";
        return Err(
            Failure::usage(format!("target `{name}` has no base URL")).with_help(format!("give it: {flag}"))
        );
    }
    Ok(())
}

/// Headers whose values are secrets as a rule.
fn is_secret_header(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["authorization", "proxy-authorization", "api-key", "x-api-key", "x-goog-api-key", "cookie"]
        .contains(&name.as_str())
}

/// A URL is written into the record, and a run goes on with what the record says: nothing in it may be secret.
fn check_url(name: &str, url: &str) -> Result<(), Failure> {
    let (address, query) = url.split_once('?').unwrap_or((url, ""));
    let authority = address.split_once("://").map_or(address, |(_, rest)| rest);
    let help = "name an environment variable: `key_env` for a bearer key, `headers_env` for any other header";
    if authority.contains('@') {
        return Err(Failure::usage(format!(
            "the base URL of target `{name}` has a user name or password in it"
        ))
        .with_help(help));
    }
    let odd = query.split('&').filter(|part| !part.is_empty()).find(|part| !part.starts_with("api-version="));
    match odd {
        Some(part) => {
            let key = part.split('=').next().unwrap_or_default();
            Err(Failure::usage(format!("the base URL of target `{name}` has the query member `{key}`; only `api-version` may stand there"))
                .with_help(help))
        }
        None => Ok(()),
    }
}

fn unknown_provider(name: &str, provider: &str) -> Failure {
    let known = || runner::PROVIDERS.iter().map(|provider| provider.name).chain([SIM]);
    let failure = Failure::usage(format!("target `{name}`: unknown provider `{provider}`"));
    match nearest(provider, known()) {
        Some(near) => failure.with_help(format!("did you mean `{near}`?")),
        None => failure.with_help(format!("this build has {}", known().collect::<Vec<_>>().join(", "))),
    }
}

fn parse_member(text: &str) -> Result<(String, RawJson), Failure> {
    let Some((key, value)) = text.split_once('=').filter(|(key, _)| !key.is_empty()) else {
        return Err(Failure::usage(format!("`--set {text}` is not KEY=JSON")));
    };
    // A word that is no JSON is taken for the text that it is: `--set reasoning_effort=low`.
    let value = RawJson::parse(value).unwrap_or_else(|_| RawJson::from_text(value));
    Ok((key.to_owned(), value))
}

/// Opened targets and the secrets that must never be written.
pub(crate) struct Opened {
    /// What answers.
    pub(crate) target: Arc<runner::Target>,
    /// Its secrets.
    pub(crate) secrets: Vec<Secret>,
    /// What knows the secrets that show only while it is asked.
    pub(crate) redactor: Redactor,
}

/// Opens a target: reads its secrets, prepares its connections. Nothing is sent. `probes` are those that it
/// will be put, for the script of a simulated model.
pub(crate) fn open(
    plan: &TargetPlan,
    concurrency: usize,
    seed: u64,
    probes: &[Arc<Probe>],
) -> Result<Opened, Failure> {
    let record = &plan.record;
    let (provider, _) = place(plan)?;
    let token = record.gateway.as_ref().and_then(|gateway| gateway.token_command.as_deref());
    let token = token.map(TokenCommand::new).transpose()?.map(Arc::new);
    let redactor = token.as_ref().map(|token| token.redactor().clone()).unwrap_or_default();
    let (transport, secrets): (Arc<dyn Transport>, Vec<Secret>) = if is_in_process(record) {
        let profile: Profile = record.model.parse()?;
        let sim = Sim::new(profile, sim_script::of(probes), seed);
        (Arc::new(InProcess(sim)), Vec::new())
    } else {
        let (options, secrets) = http_options(plan, provider, concurrency, token)?;
        (Arc::new(HttpTransport::new(options)?), secrets)
    };
    Ok(Opened { target: target(plan, transport)?, secrets, redactor })
}

/// Opens a target whose every answer is kept on disk: no secret is read, nothing can be sent.
pub(crate) fn open_kept(plan: &TargetPlan) -> Result<Opened, Failure> {
    let target = target(plan, Arc::new(Nowhere))?;
    Ok(Opened { target, secrets: Vec::new(), redactor: Redactor::default() })
}

fn target(plan: &TargetPlan, transport: Arc<dyn Transport>) -> Result<Arc<runner::Target>, Failure> {
    let record = &plan.record;
    let (provider, place) = place(plan)?;
    let headers = record.headers.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    let gateway = match (&record.gateway, &record.served_model) {
        (Some(gateway), _) => {
            let known = Gateway::new(gateway.served_model.clone(), &gateway.error_text);
            Some(known.map_err(|error| {
                Failure::usage(format!("`error_text` of gateway `{}`: {error}", gateway.name))
            })?)
        }
        (None, Some(at)) => Some(Gateway::direct(at.clone())),
        (None, None) => None,
    };
    let share = record.share.as_ref().map(|share| Share {
        name: share.of.clone(),
        requests_per_minute: share.requests_per_minute,
        tokens_per_minute: share.tokens_per_minute,
    });
    Ok(Arc::new(runner::Target {
        id: plan.id.clone(),
        provider,
        model: record.model.clone(),
        settings: record.settings.clone(),
        simulated: record.simulated,
        lane: [&record.provider, &place, &record.model, record.key_env.as_deref().unwrap_or_default()]
            .join("\n"),
        share,
        gateway,
        price: record.price.clone(),
        place,
        headers,
        transport,
    }))
}

/// Whether a target is a simulated model without a socket.
fn is_in_process(record: &TargetRecord) -> bool {
    record.provider == SIM && record.base_url.is_none()
}

/// The wire format of a target, and where it is: its public base URL, or a word.
pub(crate) fn place(plan: &TargetPlan) -> Result<(&'static runner::Provider, String), Failure> {
    let record = &plan.record;
    let name = if record.provider == SIM { SIM_SPEAKS } else { &record.provider };
    let provider = runner::provider(name).ok_or_else(|| unknown_provider(&plan.id.0, name))?;
    let place = match base_url(record, provider) {
        Some(url) if !is_in_process(record) => runner::public_url(&url),
        _ => format!("the simulated model {}", plan.id),
    };
    Ok((provider, place))
}

fn base_url(record: &TargetRecord, provider: &runner::Provider) -> Option<String> {
    record.base_url.clone().or_else(|| provider.base_url.map(str::to_owned))
}

fn http_options(
    plan: &TargetPlan,
    provider: &runner::Provider,
    concurrency: usize,
    token: Option<Arc<TokenCommand>>,
) -> Result<(HttpOptions, Vec<Secret>), Failure> {
    let record = &plan.record;
    let secret = |variable: &str| -> Result<Secret, Failure> {
        environment::secret(variable).map(Secret::new).ok_or_else(|| {
            Failure::usage(format!(
                "target `{}` reads its secret from `{variable}`, which is not set",
                plan.id
            ))
        })
    };
    let mut secret_headers = Vec::new();
    for (header, variable) in &record.headers_env {
        secret_headers.push((header.clone(), secret(variable)?));
    }
    let (key, signer, mut secrets) = match provider.key {
        KeyHeader::BearerOrSignature(service) if token.is_none() => {
            bedrock::authorization(plan, service, &base_url(record, provider).unwrap_or_default())?.parts()
        }
        _ => {
            let key = record.key_env.as_deref().map(secret).transpose()?;
            (key.clone(), None, Vec::from_iter(key))
        }
    };
    secrets.extend(secret_headers.iter().map(|(_, secret)| secret.clone()));
    let fixed = provider.headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let options = HttpOptions {
        base_url: base_url(record, provider).unwrap_or_default(),
        key,
        token,
        key_header: provider.key,
        signer,
        ca_file: record.gateway.as_ref().and_then(|gateway| gateway.ca_file.as_ref()).map(Into::into),
        headers: fixed
            .chain(record.headers.iter().map(|(name, value)| (name.clone(), value.clone())))
            .collect(),
        secret_headers,
        connect_timeout: Duration::from_secs(10),
        max_connections: concurrency,
        max_body: HttpOptions::MAX_BODY,
    };
    Ok((options, secrets))
}

/// Sends nothing.
struct Nowhere;

impl Transport for Nowhere {
    fn send(&self, _: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, TransportError>> {
        let message = "only kept responses are taken".to_owned();
        async move { Err(TransportError { kind: TransportErrorKind::Other, message }) }.boxed()
    }
}

/// A simulated model asked without a socket. The same bytes go in and come out as over HTTP.
struct InProcess(Sim);

impl Transport for InProcess {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, TransportError>> {
        let reply = self.0.respond(request.trial.as_deref(), &request.body);
        let response =
            HttpResponse { status: reply.status, headers: Vec::new(), body: Bytes::from(reply.body) };
        async move { Ok(response) }.boxed()
    }
}
