//! The serving check (DESIGN.md 3.7): how an endpoint serves tools, asked before the model is blamed for what a server
//! does. `ask` is what is sent, `question` what is decided from it; deciding never sends.

mod ask;
mod exchange;
mod question;
mod recipe;
mod send;
mod settings;
mod software;
mod strictness;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;
use jiff::Timestamp;
use thiserror::Error;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use transcript::{
    Confidence, EndpointProperties, Known, RawJson, ServingAnswer, ServingCheck, ServingState,
    StrictnessCell, Turn, Usage,
};

use crate::provenance;
use crate::{Cap, Gateway, Meter, RetryPolicy, Target};
use ask::{ASKS, PLAIN};
use exchange::{Came, Exchanges};
use question::QUESTIONS;
use recipe::{Carried, NEWER_LIMIT, Recipe};
use send::Sender;

pub use strictness::{Choice, Knobs};

/// Version of questions and rules: a check of other rules is no longer fresh.
pub const SERVING_RULES: u32 = 1;

/// The limit on output tokens of answers whose length is not the question, where the target sets none: enough for a
/// call, and little of a model that goes on and on.
const USUAL_LIMIT: u64 = 160;

/// The same for models that think first.
const THINKING_LIMIT: u64 = 4096;

/// How a check is carried out.
#[derive(Debug, Clone)]
pub struct CheckOptions {
    /// How long one request may take.
    pub request_deadline: Duration,
    /// Which failures are tried again.
    pub retry: RetryPolicy,
    /// How long a server may be loading before its first answer.
    pub patience: Duration,
    /// The combinations of strict schemas, tool choice and parallel calls that are asked for.
    pub knobs: Vec<Knobs>,
    /// What may be spent, and what a run that follows has left of it.
    pub meter: Arc<Meter>,
}

/// Why there is no check.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CheckError {
    /// The endpoint refuses the key.
    #[error("the key is refused: {0}")]
    Authentication(String),
    /// Quota or credit is used up.
    #[error("quota or credit is used up: {0}")]
    Quota(String),
    /// Nothing answered.
    #[error("no model was reached: {0}")]
    Unreachable(String),
    /// Not one request is taken.
    #[error("the endpoint refuses the simplest request: {0}")]
    Refused(String),
    /// A cap was reached before anything could be told.
    #[error("stopped at {0}")]
    Capped(Cap),
    /// Cancelled.
    #[error("cancelled")]
    Cancelled,
}

/// The questions: key, and what a yes says.
pub fn serving_questions() -> impl Iterator<Item = (&'static str, &'static str)> {
    QUESTIONS.iter().map(|question| (question.key, question.says))
}

/// The size of each request of a check with the most output tokens that it asks for: all that can be asked, without
/// tries that are repeated.
#[must_use]
pub fn serving_requests(target: &Target, knobs: &[Knobs]) -> Vec<(usize, u64)> {
    let carried = carried(target);
    let (nothing, mut asked) = (Exchanges::default(), BTreeSet::new());
    let ours = ASKS.iter().filter(|ask| ask.name != ask::STREAMED || recipe::can_stream(target.provider));
    let knobs = knobs.iter().filter(|knobs| asked.insert(knobs.request()));
    let recipes = ours.map(|ask| (ask.make)(&nothing)).chain(knobs.map(|knobs| knobs.recipe(&nothing)));
    let limit = |recipe: &Recipe| recipe.limit.or_else(|| limit_of(target, &carried)).unwrap_or(USUAL_LIMIT);
    recipes.map(|recipe| (recipe::encode(target, &carried, &recipe).1.len(), limit(&recipe))).collect()
}

/// What the first request carries beside what it asks: the target's settings, and a limit where it sets none.
fn carried(target: &Target) -> Carried {
    let limit = (target.provider.output_limit)(&target.settings).is_none().then_some(USUAL_LIMIT);
    Carried { settings: target.settings.clone(), limit, newer_limit: false }
}

/// The limit on output tokens of requests that ask for none of their own.
fn limit_of(target: &Target, carried: &Carried) -> Option<u64> {
    carried.limit.or_else(|| (target.provider.output_limit)(&carried.settings))
}

/// Checks an endpoint. `on_request` is told of each request before it is sent: its name, and how many are behind it.
///
/// # Errors
/// Nothing can be said of the endpoint at all.
pub async fn check_serving(
    target: &Target,
    options: &CheckOptions,
    clock: &(dyn Fn() -> Timestamp + Sync),
    cancel: &CancellationToken,
    on_request: &mut (dyn FnMut(&str, u64) + Send),
) -> Result<ServingCheck, CheckError> {
    let checked = format!("{:.3}", clock());
    let mut sender = Sender {
        target,
        options,
        clock,
        cancel,
        carried: carried(target),
        patient_until: Instant::now() + options.patience,
        requests: 0,
        tokens: Usage::default(),
        reached: false,
        renewed: false,
    };
    let mut exchanges = Exchanges::default();
    let refused = open(&mut sender, &mut exchanges, on_request).await?;
    // What was answered until a cap was reached is not lost.
    let cut_short = match further(&mut sender, &mut exchanges, on_request).await {
        Ok(()) => None,
        Err(CheckError::Capped(cap)) => Some(cap.to_string()),
        Err(error) => return Err(error),
    };
    let (found, lookups) = match cut_short {
        None => software::of_paths(target, options.request_deadline.min(LOOKUP)).await,
        Some(_) => Default::default(),
    };
    let mut software = software::of_answers(&exchanges);
    software.extend(found);
    let (requests, tokens) = (sender.requests, sender.tokens);
    Ok(concluded(Facts {
        target,
        knobs: &options.knobs,
        exchanges: &exchanges,
        refused: &refused,
        checked,
        requests,
        lookups,
        tokens,
        cut_short,
        software,
    }))
}

/// Sends all that follows the first request.
async fn further(
    sender: &mut Sender<'_>,
    exchanges: &mut Exchanges,
    on_request: &mut (dyn FnMut(&str, u64) + Send),
) -> Result<(), CheckError> {
    for ask in ASKS.iter().filter(|ask| ask.name != PLAIN) {
        if !(ask.when)(exchanges)
            || (ask.name == ask::STREAMED && !recipe::can_stream(sender.target.provider))
        {
            continue;
        }
        on_request(ask.name, sender.requests);
        let exchange = sender.send(ask.name, &(ask.make)(exchanges)).await?;
        exchanges.push(exchange);
    }
    let blind = question::is_blind(exchanges) == Some(true);
    for knobs in sender.options.knobs.iter().filter(|_| !blind) {
        let name = knobs.request();
        if exchanges.get(&name).is_none() {
            on_request(&name, sender.requests);
            let exchange = sender.send(&name, &knobs.recipe(exchanges)).await?;
            exchanges.push(exchange);
        }
    }
    Ok(())
}

/// How long a look-up may take.
const LOOKUP: Duration = Duration::from_secs(5);

/// Sends the first request until it is taken: without settings that are refused, with another name for the limit or
/// none, with more room for a model that thinks first. Returns the settings that are refused.
async fn open(
    sender: &mut Sender<'_>,
    exchanges: &mut Exchanges,
    on_request: &mut (dyn FnMut(&str, u64) + Send),
) -> Result<Vec<String>, CheckError> {
    let Some(plain) = ASKS.iter().find(|ask| ask.name == PLAIN) else { return Ok(Vec::new()) };
    let recipe = (plain.make)(exchanges);
    let mut refused = Vec::new();
    // One try more than there are settings to leave out and limits to change.
    for _ in 0..sender.target.settings.len() + 4 {
        on_request(PLAIN, sender.requests);
        let exchange = sender.send(PLAIN, &recipe).await?;
        match &exchange.came {
            Came::Answer(answer) if answer.is_cut_off() && sender.carried.limit == Some(USUAL_LIMIT) => {
                sender.carried.limit = Some(THINKING_LIMIT);
            }
            Came::Answer(_) => {
                exchanges.push(exchange);
                return Ok(refused);
            }
            Came::Nothing(message) => return Err(CheckError::Unreachable(message.clone())),
            Came::Refused(message) => match relaxed(&mut sender.carried, message) {
                Relaxed::Setting(key) => refused.push(key),
                Relaxed::Limit => {}
                Relaxed::Nothing => return Err(CheckError::Refused(message.clone())),
            },
        }
    }
    Err(CheckError::Refused("it refuses one setting after the other".to_owned()))
}

/// What was changed because of a refusal.
enum Relaxed {
    Setting(String),
    Limit,
    Nothing,
}

fn relaxed(carried: &mut Carried, message: &str) -> Relaxed {
    if carried.limit.is_some() && !carried.newer_limit && settings::names(message, NEWER_LIMIT) {
        carried.newer_limit = true;
        return Relaxed::Limit;
    }
    if let Some(key) = settings::refused_by(message, &carried.settings) {
        carried.settings.shift_remove(&key);
        return Relaxed::Setting(key);
    }
    if carried.limit.take().is_some() {
        return Relaxed::Limit;
    }
    Relaxed::Nothing
}

/// What a check is concluded from.
struct Facts<'a> {
    target: &'a Target,
    knobs: &'a [Knobs],
    exchanges: &'a Exchanges,
    refused: &'a [String],
    checked: String,
    requests: u64,
    lookups: u64,
    tokens: Usage,
    cut_short: Option<String>,
    software: IndexMap<String, String>,
}

fn concluded(facts: Facts<'_>) -> ServingCheck {
    let Facts { target, exchanges, .. } = facts;
    let answers: Vec<ServingAnswer> = QUESTIONS
        .iter()
        .map(|question| (question.decide)(exchanges).recorded(question.key, exchanges))
        .collect();
    let mut strictness: Vec<StrictnessCell> = Vec::new();
    for cell in facts.knobs.iter().map(|knobs| knobs.decide(exchanges)) {
        if !strictness.iter().any(|known| known.arm == cell.arm) {
            strictness.push(cell);
        }
    }
    let turns: Vec<Turn> = exchanges
        .all()
        .filter_map(|exchange| exchange.answer())
        .map(|answer| Turn { observed: answer.observed.clone(), ..Turn::default() })
        .collect();
    ServingCheck {
        rules: SERVING_RULES,
        checked: facts.checked,
        requests: facts.requests,
        lookups: facts.lookups,
        tokens: facts.tokens,
        endpoint: properties(&answers),
        strictness,
        settings: setting_states(target.settings.clone(), facts.refused, exchanges),
        served_model: provenance::served_model(
            &target.model,
            target.gateway.as_ref().map_or(&[], Gateway::own_names),
            &turns,
        ),
        cut_short: facts.cut_short,
        software: facts.software,
        answers,
    }
}

fn setting_states(
    asked: IndexMap<String, RawJson>,
    refused: &[String],
    exchanges: &Exchanges,
) -> IndexMap<String, transcript::SettingState> {
    let limit = QUESTIONS.iter().find(|question| question.key == "output_limit");
    let limit = limit.map_or_else(question::Decision::unknown, |question| (question.decide)(exchanges));
    settings::states(&asked, refused, &limit, exchanges)
}

/// The properties that decide what can be measured: answers that deserve no confidence decide nothing.
fn properties(answers: &[ServingAnswer]) -> EndpointProperties {
    let known = |key: &str| {
        let answer = answers.iter().find(|answer| answer.question == key);
        let sure = answer.filter(|answer| answer.confidence >= Some(Confidence::Medium));
        match sure.map(|answer| answer.answer) {
            Some(ServingState::Yes) => Known::Yes,
            Some(ServingState::No) => Known::No,
            Some(ServingState::Refused | ServingState::Unknown) | None => Known::Unknown,
        }
    };
    EndpointProperties {
        sees_tools: known("sees_tools"),
        constrains_names: known("constrains_names"),
        filters_unknown_names: known("filters_unknown_names"),
        strict_constrains_names: known("strict_constrains_names"),
        required_constrains_names: known("required_constrains_names"),
    }
}
