//! What a target's tokens cost: by the configuration, else by the list that is built in.

use std::sync::LazyLock;

use indexmap::IndexMap;
use serde::Deserialize;
use transcript::{Price, TargetRecord};

use crate::error::Failure;
use crate::inputs::Configured;
use crate::targets::TargetPlan;

/// Public list prices, with the day and the source of each.
const LIST: &str = include_str!("prices.yaml");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    provider: String,
    as_of: String,
    source: String,
    models: IndexMap<String, Price>,
}

static LISTED: LazyLock<Vec<Listed>> =
    LazyLock::new(|| serde_yaml::from_str(LIST).expect("a test reads the list that is built in"));

/// What a target's tokens cost; none where nobody said. A simulated model has no price.
pub(crate) fn of(record: &TargetRecord, configured: Option<&Configured>) -> Option<Price> {
    let own = configured.and_then(|configured| configured.config.prices.get(&record.model));
    if own.is_some() || record.simulated {
        return own.cloned();
    }
    // Elsewhere the same name may be another price, or another model.
    let home = runner::provider(&record.provider).and_then(|provider| provider.base_url);
    let is_home = record.gateway.is_none() && record.base_url.as_deref().is_none_or(|url| Some(url) == home);
    if is_home { listed(&record.provider, &record.model) } else { None }
}

fn listed(provider: &str, model: &str) -> Option<Price> {
    LISTED.iter().filter(|list| list.provider == provider).find_map(|list| {
        let price = list.models.get(model).or_else(|| list.models.get(undated(model)?))?;
        Some(Price { as_of: Some(list.as_of.clone()), source: Some(list.source.clone()), ..price.clone() })
    })
}

/// A model's name without the day of its version: `-2026-03-05`, `-20250929`.
fn undated(model: &str) -> Option<&str> {
    let digits =
        |text: &str, length: usize| text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    let (name, last) = model.rsplit_once('-')?;
    if digits(last, 8) {
        return Some(name);
    }
    let (name, month) = name.rsplit_once('-').filter(|_| digits(last, 2))?;
    let (name, year) = name.rsplit_once('-').filter(|_| digits(month, 2))?;
    digits(year, 4).then_some(name)
}

/// Refuses a cap on money where a model has no price: it would never be reached.
pub(crate) fn check_capped(targets: &[TargetPlan]) -> Result<(), Failure> {
    let unpriced = |plan: &&TargetPlan| plan.record.price.is_none() && !plan.record.simulated;
    let Some(plan) = targets.iter().find(unpriced) else { return Ok(()) };
    let model = &plan.record.model;
    Err(Failure::usage(format!("`max_cost` cannot be kept: target `{}` has no price", plan.id)).with_help(
        format!(
            "add it to toolmirage.yaml, in dollars a million tokens: `prices: {{ \"{model}\": {{ input: 1.00, cached_input: 0.10, output: 4.00 }} }}` with its own figures"
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(provider: &str, model: &str, base_url: Option<&str>) -> TargetRecord {
        TargetRecord {
            provider: provider.into(),
            model: model.into(),
            base_url: base_url.map(str::to_owned),
            ..TargetRecord::default()
        }
    }

    #[test]
    fn the_list_is_whole() {
        for list in LISTED.iter() {
            assert!(runner::provider(&list.provider).is_some_and(|provider| provider.base_url.is_some()));
            assert!(list.as_of.parse::<jiff::civil::Date>().is_ok() && list.source.starts_with("https://"));
            for (model, price) in &list.models {
                assert!(price.input < price.output, "{model}");
                assert!(price.cached_input.is_none_or(|cached| cached < price.input), "{model}");
                assert!(price.as_of.is_none() && price.source.is_none(), "{model}: its list says it");
            }
        }
    }

    #[test]
    fn a_price_holds_at_home() {
        let home = "https://api.anthropic.com/v1";
        let price = of(&record("anthropic_messages", "claude-opus-5", None), None).unwrap();
        assert!(price.as_of.is_some() && price.source.is_some());
        assert_eq!(of(&record("anthropic_messages", "claude-opus-5", Some(home)), None), Some(price));
        assert!(of(&record("openai_responses", "gpt-5.4-2026-03-05", None), None).is_some());
        assert!(of(&record("anthropic_messages", "claude-opus-4-5-20251101", None), None).is_some());
        for (provider, model, base_url) in [
            ("anthropic_messages", "claude-opus-5", Some("http://127.0.0.1:8080/v1")),
            ("openrouter", "claude-opus-5", None),
            ("anthropic_messages", "claude-opus-5-preview", None),
            ("openai_responses", "gpt-5.4-nano-2", None),
        ] {
            assert_eq!(of(&record(provider, model, base_url), None), None, "{provider} {model}");
        }
    }
}
