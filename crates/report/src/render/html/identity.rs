//! What was run, as lists of facts.

use serde::Serialize;
use transcript::{ServingCheck, ServingState};

use crate::number::{count, counted, duration, of, window};
use crate::report::{Report, endpoint_words};
use crate::text_safe::cropped;

#[derive(Serialize)]
pub(super) struct Target {
    name: String,
    facts: Vec<(&'static str, String)>,
}

#[derive(Serialize)]
pub(super) struct Catalog<'a> {
    label: &'a str,
    hash: String,
    tools: Vec<&'a str>,
}

#[derive(Serialize)]
pub(super) struct Prompt<'a> {
    label: &'a str,
    hash: String,
    text: &'a crate::Excerpt,
}

pub(super) fn facts(report: &Report) -> Vec<(&'static str, String)> {
    let identity = &report.identity;
    let suite = &identity.suite;
    let join = |labels: Vec<String>| labels.join(", ");
    let mut facts =
        vec![("Suite", format!("{} v{} ({})", cropped(&suite.name, 60), suite.version, suite.hash.short()))];
    facts.push((
        "Catalog",
        join(
            identity
                .catalogs
                .iter()
                .map(|(hash, c)| {
                    format!(
                        "{}, {} ({})",
                        cropped(&c.label, 60),
                        counted(c.tools.len() as u64, "tool"),
                        hash.short()
                    )
                })
                .collect(),
        ),
    ));
    let prompts: Vec<String> = identity
        .prompts
        .iter()
        .map(|(hash, p)| format!("{} ({})", cropped(&p.label, 60), hash.short()))
        .collect();
    if !prompts.is_empty() {
        facts.push(("Prompt", join(prompts)));
    }
    facts.push(("Model", join(identity.targets.values().map(|t| cropped(&t.model, 60)).collect())));
    facts.push(("Trials", trials(report)));
    if let Some((from, to)) = &report.run.window {
        facts.push(("When", window(from, to)));
    }
    facts
}

fn trials(report: &Report) -> String {
    let identity = &report.identity;
    let (probes, tasks) = (count(identity.probes), count(identity.tasks));
    let planned = count(report.trials.planned);
    if identity.even {
        format!(
            "{planned} = {probes} probes of {tasks} tasks × {} × {}",
            counted(u64::from(identity.repeats), "repeat"),
            counted(identity.cells.len() as u64, "cell")
        )
    } else {
        let cells = counted(identity.cells.len() as u64, "cell");
        format!("{planned} of {probes} probes of {tasks} tasks in {cells}")
    }
}

pub(super) fn identity_facts(report: &Report) -> Vec<(&'static str, String)> {
    let identity = &report.identity;
    let run = &report.run;
    let mut facts = vec![
        ("Run", identity.run.clone()),
        ("Suite hash", identity.suite.hash.to_string()),
        ("Recorded by", format!("toolmirage {}", identity.toolmirage)),
        ("Scored by", identity.scorers.join(", ")),
        ("Seed", identity.seed.to_string()),
        ("Repeats", identity.repeats.to_string()),
        ("Most turns", identity.max_turns.to_string()),
        ("Requests", format!("{}, every network try counted", count(run.requests))),
    ];
    facts.extend(run.kept_words().map(|words| ("Not asked for", format!("{words}: a cache, or recordings"))));
    facts.extend(identity.profile.clone().map(|profile| ("Profile", profile)));
    facts.extend(run.wall_ms.map(|wall| ("Duration", duration(wall))));
    if let Some(tokens) = run.tokens {
        let part = |tokens: Option<u64>, word: &str| tokens.map(|tokens| format!("{} {word}", count(tokens)));
        let parts = [
            part(tokens.input, "in"),
            part(tokens.cached, "of them cached"),
            part(tokens.cache_write, "of them written into the cache"),
            part(tokens.output, "out"),
            part(tokens.reasoning, "of them reasoning"),
        ];
        facts.push(("Tokens", parts.into_iter().flatten().collect::<Vec<_>>().join(", ")));
    }
    if let Some(cost) = &run.cost {
        facts.push(("Cost", cost.words()));
    }
    if run.resumed > 0 {
        facts.push(("Resumed", counted(run.resumed, "time")));
    }
    if identity.drafts > 0 {
        facts.push(("Drafts", format!("{} probes stand on drafts", of(identity.drafts, identity.probes))));
    }
    facts
}

/// A price, and the list that it stands on.
fn price_words(price: &transcript::Price) -> String {
    let mut words = format!("${} a million tokens in", price.input.dollars());
    words.extend(price.cached_input.map(|cached| format!(", ${} of them cached", cached.dollars())));
    words.push_str(&format!(", ${} out", price.output.dollars()));
    words.extend(price.as_of.as_ref().map(|day| format!("; as of {day}")));
    words.extend(price.source.as_ref().map(|source| format!(", {source}")));
    words
}

pub(super) fn targets(report: &Report) -> Vec<Target> {
    let target = |(id, target): (&transcript::TargetId, &crate::TargetIdentity)| {
        let mut facts =
            vec![("Provider", target.provider.clone()), ("Model asked for", target.model.clone())];
        facts.extend(target.base_url.clone().map(|url| ("Base URL", url)));
        facts.extend(target.gateway.clone().map(|name| ("Gateway", name)));
        facts.extend(target.price.as_ref().map(|price| ("Price", price_words(price))));
        let settings: Vec<String> =
            target.settings.iter().map(|(key, value)| format!("{key} = {value}")).collect();
        facts.push((
            "Settings",
            if settings.is_empty() { "none asked for".to_owned() } else { settings.join(", ") },
        ));
        let known = endpoint_words(target.endpoint);
        facts.push(("Endpoint", if known.is_empty() { "not checked".to_owned() } else { known.join("; ") }));
        facts.extend(target.serving.iter().flat_map(|check| checked(check)));
        if target.simulated {
            facts.push(("Simulated", "yes: no measurement of a model".to_owned()));
        }
        Target { name: id.to_string(), facts }
    };
    report.identity.targets.iter().map(target).collect()
}

pub(super) fn catalogs(report: &Report) -> Vec<Catalog<'_>> {
    report
        .identity
        .catalogs
        .iter()
        .map(|(hash, catalog)| Catalog {
            label: &catalog.label,
            hash: hash.to_string(),
            tools: catalog.tools.iter().map(transcript::ToolName::as_str).collect(),
        })
        .collect()
}

pub(super) fn prompts(report: &Report) -> Vec<Prompt<'_>> {
    report
        .identity
        .prompts
        .iter()
        .filter(|(_, prompt)| !prompt.text.text.is_empty())
        .map(|(hash, prompt)| Prompt { label: &prompt.label, hash: hash.to_string(), text: &prompt.text })
        .collect()
}

/// What a check of the endpoint came to beside its properties.
fn checked(check: &ServingCheck) -> Vec<(&'static str, String)> {
    let requests = counted(check.requests, "request");
    let end = check.cut_short.as_ref().map(|cap| format!("; ended by {cap}")).unwrap_or_default();
    let mut facts =
        vec![("Checked", format!("{}, in {requests} apart from those of the run{end}", check.checked))];
    let answers: Vec<String> = check
        .answers
        .iter()
        .filter(|answer| answer.answer != ServingState::Unknown)
        .map(|answer| {
            let how = answer.how.as_ref().map(|how| format!(", {how}")).unwrap_or_default();
            format!("{} {}{how}", answer.question, answer.answer.as_str())
        })
        .collect();
    if !answers.is_empty() {
        facts.push(("Found", answers.join("; ")));
    }
    if !check.software.is_empty() {
        let software: Vec<String> =
            check.software.iter().map(|(place, words)| format!("{words} ({place})")).collect();
        facts.push(("Software", software.join(", ")));
    }
    facts
}
