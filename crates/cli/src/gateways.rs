//! From a target that names a gateway to one that goes through it.

use std::path::Path;

use indexmap::IndexMap;
use probes::{nearest, pointer_step};
use runner::Gateway;
use transcript::{GatewayRecord, RawJson, ServedAt, ShareRecord, TargetRecord};

use crate::config::{Addition, GatewayConfig, TargetConfig};
use crate::error::Failure;
use crate::inputs::Configured;

/// Sends a target through the gateway that it names.
pub(crate) fn through(
    mut record: TargetRecord,
    (target, name): (&str, &str),
    config: &TargetConfig,
    configured: &Configured,
) -> Result<TargetRecord, Failure> {
    let gateways = &configured.config.gateways;
    let at_target = |key: &str| format!("/targets/{}/{key}", pointer_step(target));
    let Some(gateway) = gateways.get(name) else {
        let failure = configured.mistake(&at_target("gateway"), format!("unknown gateway `{name}`"));
        return Err(match nearest(name, gateways.keys().map(String::as_str)) {
            Some(near) => failure.with_help(format!("did you mean `{near}`?")),
            None => failure.with_help("gateways stand under `gateways:` of the same file"),
        });
    };
    let at = |key: &str| format!("/gateways/{}/{key}", pointer_step(name));
    let mistake = |key: &str, message: String| configured.mistake(&at(key), message);
    if record.base_url.is_some() {
        let message = format!("target `{target}` has a base URL and goes through gateway `{name}`");
        return Err(configured
            .mistake(&at_target("base_url"), message)
            .with_help("leave one of the two out"));
    }
    if gateway.key_env.is_some() && gateway.token_command.is_some() {
        return Err(mistake("token_command", "a gateway has `key_env` or `token_command`, not both".into()));
    }
    if let Some(command) = &gateway.token_command {
        runner::TokenCommand::new(command).map_err(|error| mistake("token_command", error.to_string()))?;
    }
    for (key, limit) in [
        ("requests_per_minute", gateway.requests_per_minute),
        ("tokens_per_minute", gateway.tokens_per_minute),
    ] {
        if limit == Some(0) {
            return Err(mistake(key, "a limit of 0 lets nothing be sent".into()));
        }
    }
    if let Some(at) = &gateway.served_model {
        check_served_at(at, &mistake)?;
    }
    let own = own_served_at(target, config, configured)?;
    let served_model = merged(own, gateway.served_model.as_ref());
    Gateway::new(None, &gateway.error_text)
        .map_err(|error| mistake("error_text", format!("no regular expression: {error}")))?;

    record.base_url = Some(base_url(&gateway.base_url, &record.provider));
    let own_key = record.key_env.is_some();
    record.key_env = record.key_env.or_else(|| gateway.key_env.clone());
    let mut headers = gateway.headers.clone();
    for (key, addition) in [("no_cache", &gateway.no_cache), ("no_fallback", &gateway.no_fallback)] {
        let Some(addition) = addition else { continue };
        add(addition, &mut headers, &mut record.settings).map_err(|message| mistake(key, message))?;
    }
    // A target's own come last: they win.
    headers.extend(std::mem::take(&mut record.headers));
    record.headers = headers;
    let own = std::mem::replace(&mut record.headers_env, gateway.headers_env.clone());
    record.headers_env.extend(own);
    record.share = record.share.or_else(|| share(format!("gateway {name}"), gateway));
    record.gateway = Some(GatewayRecord {
        name: name.to_owned(),
        ca_file: gateway.ca_file.as_ref().map(|file| beside(configured.folder(), file)),
        token_command: gateway.token_command.clone().filter(|_| !own_key),
        served_model,
        error_text: gateway.error_text.clone(),
    });
    Ok(record)
}

/// Says of a target without a gateway how its endpoint names models.
pub(crate) fn direct(
    mut record: TargetRecord,
    target: &str,
    config: &TargetConfig,
    configured: &Configured,
) -> Result<TargetRecord, Failure> {
    record.served_model = own_served_at(target, config, configured)?.cloned();
    Ok(record)
}

/// Where answers to a target name their model, as far as the target itself says it.
fn own_served_at<'a>(
    target: &str,
    config: &'a TargetConfig,
    configured: &Configured,
) -> Result<Option<&'a ServedAt>, Failure> {
    let Some(at) = &config.served_model else { return Ok(None) };
    let place = |key: &str| format!("/targets/{}/{key}", pointer_step(target));
    check_served_at(at, &|key, message| configured.mistake(&place(key), message))?;
    Ok(Some(at))
}

/// What the target says, and what the gateway says where it says nothing.
fn merged(own: Option<&ServedAt>, gateway: Option<&ServedAt>) -> Option<ServedAt> {
    let (Some(own), Some(gateway)) = (own, gateway) else { return own.or(gateway).cloned() };
    let place = if own.header.is_some() || own.body.is_some() { own } else { gateway };
    let names = if own.equals.is_empty() { gateway } else { own };
    Some(ServedAt { equals: names.equals.clone(), ..place.clone() })
}

/// The share of a target that goes to its provider itself.
pub(crate) fn own_share(target: &str, config: &TargetConfig) -> Option<ShareRecord> {
    let limited = config.requests_per_minute.is_some() || config.tokens_per_minute.is_some();
    limited.then(|| ShareRecord {
        of: format!("target {target}"),
        requests_per_minute: config.requests_per_minute,
        tokens_per_minute: config.tokens_per_minute,
    })
}

fn share(of: String, gateway: &GatewayConfig) -> Option<ShareRecord> {
    let limited = gateway.requests_per_minute.is_some() || gateway.tokens_per_minute.is_some();
    limited.then_some(ShareRecord {
        of,
        requests_per_minute: gateway.requests_per_minute,
        tokens_per_minute: gateway.tokens_per_minute,
    })
}

fn check_served_at(at: &ServedAt, mistake: &dyn Fn(&str, String) -> Failure) -> Result<(), Failure> {
    match (&at.header, &at.body) {
        (Some(_), None) => Ok(()),
        (None, None) if !at.equals.is_empty() => Ok(()),
        (None, Some(pointer)) if pointer.starts_with('/') => Ok(()),
        (None, Some(pointer)) => Err(mistake(
            "served_model/body",
            format!("`{pointer}` is no JSON pointer: it begins with `/`, as in `/metadata/model`"),
        )),
        _ => Err(mistake("served_model", "give one of `header` and `body`, or `equals` alone".into())),
    }
}

fn add(
    addition: &Addition,
    headers: &mut IndexMap<String, String>,
    settings: &mut IndexMap<String, RawJson>,
) -> Result<(), String> {
    if let Some(header) = &addition.header {
        let (name, value) =
            header.split_once(':').ok_or_else(|| format!("`{header}` is no header: write `Name: value`"))?;
        headers.insert(name.trim().to_owned(), value.trim().to_owned());
    }
    for (key, value) in &addition.body {
        if settings.insert(key.clone(), RawJson::from_value(value)).is_some() {
            return Err(format!("`{key}` is set by a target that goes through it"));
        }
    }
    if addition.header.is_none() && addition.body.is_empty() {
        return Err("give a `header` or a `body`".into());
    }
    Ok(())
}

/// The base URL of a provider's format at a gateway: `/v1` and its like belong to the format.
fn base_url(gateway: &str, provider: &str) -> String {
    let path_of = |url: &str| {
        let (_, rest) = url.split_once("://")?;
        rest.split_once('/')
            .map(|(_, path)| path.trim_end_matches('/').to_owned())
            .filter(|path| !path.is_empty())
    };
    let (address, query) = gateway.split_once('?').map_or((gateway, ""), |(address, query)| (address, query));
    if path_of(address).is_some() {
        return gateway.to_owned();
    }
    let own = runner::provider(provider).and_then(|provider| provider.base_url).and_then(path_of);
    // Chat completions have no home of their own, and the same path everywhere.
    let path = own.or_else(|| (provider == "openai_chat").then(|| "v1".to_owned()));
    let mut url = address.trim_end_matches('/').to_owned();
    if let Some(path) = path {
        url = format!("{url}/{path}");
    }
    if query.is_empty() { url } else { format!("{url}?{query}") }
}

fn beside(folder: &Path, file: &str) -> String {
    folder.join(file).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formats_path_is_appended_where_there_is_none() {
        for (gateway, provider, url) in [
            ("https://llm.corp.example", "openai_chat", "https://llm.corp.example/v1"),
            ("https://llm.corp.example/", "anthropic_messages", "https://llm.corp.example/v1"),
            ("https://llm.corp.example", "gemini", "https://llm.corp.example/v1beta"),
            ("https://llm.corp.example", "ollama", "https://llm.corp.example"),
            ("https://llm.corp.example/proxy", "openai_chat", "https://llm.corp.example/proxy"),
            (
                "https://llm.corp.example?api-version=2",
                "openai_responses",
                "https://llm.corp.example/v1?api-version=2",
            ),
        ] {
            assert_eq!(base_url(gateway, provider), url, "{gateway} {provider}");
        }
    }
}
