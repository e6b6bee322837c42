//! What tokens cost: prices of a model, and sums of money without rounding on the way.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Usage;

/// Dollars for a million tokens, kept in millionths of a dollar; a number of dollars in files. A millionth of a dollar
/// for a million tokens is a picodollar a token, so that costs are whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct UsdPerMillion(u64);

impl UsdPerMillion {
    /// Takes a number of dollars; none where it is negative, no number, or beyond a million.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 1e12")]
    pub fn of_dollars(dollars: f64) -> Option<Self> {
        (0.0..=1e6).contains(&dollars).then(|| Self((dollars * 1e6).round() as u64))
    }

    /// The number of dollars.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "at most 1e12")]
    pub fn dollars(self) -> f64 {
        self.0 as f64 / 1e6
    }
}

impl Serialize for UsdPerMillion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.dollars())
    }
}

impl<'de> Deserialize<'de> for UsdPerMillion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let dollars = f64::deserialize(deserializer)?;
        Self::of_dollars(dollars).ok_or_else(|| {
            serde::de::Error::custom(format!("{dollars} is no price: dollars a million tokens, from 0 on"))
        })
    }
}

impl JsonSchema for UsdPerMillion {
    fn schema_name() -> Cow<'static, str> {
        "UsdPerMillion".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0, "maximum": 1_000_000 })
    }
}

/// What a model's tokens cost, in dollars a million tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Tokens read.
    pub input: UsdPerMillion,
    /// Tokens read from the provider's cache [default: as `input`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<UsdPerMillion>,
    /// Tokens written into the provider's cache [default: as `input`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<UsdPerMillion>,
    /// Tokens written, reasoning included.
    pub output: UsdPerMillion,
    /// The day on which the source said so, `YYYY-MM-DD`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<String>,
    /// Where the prices stand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

impl Price {
    /// What these tokens cost. None where it is not known how many were read or written.
    #[must_use]
    pub fn cost(&self, usage: &Usage) -> Option<Cost> {
        let (input, output) = (usage.input?, usage.output?);
        let cached = usage.cached.unwrap_or(0).min(input);
        let written = usage.cache_write.unwrap_or(0).min(input - cached);
        let fresh = input - cached - written;
        let parts = [
            (fresh, self.input),
            (cached, self.cached_input.unwrap_or(self.input)),
            (written, self.cache_write.unwrap_or(self.input)),
            (output, self.output),
        ];
        let sum = parts.iter().map(|(tokens, price)| u128::from(*tokens) * u128::from(price.0)).sum::<u128>();
        Some(Cost(u64::try_from(sum).unwrap_or(u64::MAX)))
    }
}

/// A sum of money, in picodollars: the most is some 18 million dollars, at which sums stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cost(u64);

impl Cost {
    /// Takes a number of dollars; none where it is negative, no number, or beyond ten million.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 1e19")]
    pub fn of_dollars(dollars: f64) -> Option<Self> {
        (0.0..=1e7).contains(&dollars).then(|| Self((dollars * 1e12).round() as u64))
    }

    /// The number of dollars.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "for people")]
    pub fn dollars(self) -> f64 {
        self.0 as f64 / 1e12
    }

    /// The sum.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The difference, 0 where the other is greater.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

/// `$74.90`; below a dollar four digits, so that a small run does not cost `$0.00`.
impl fmt::Display for Cost {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dollars = self.dollars();
        match self.0 {
            0 => formatter.write_str("$0"),
            1..100_000_000 => formatter.write_str("less than $0.0001"),
            100_000_000..1_000_000_000_000 => write!(formatter, "${dollars:.4}"),
            _ => write!(formatter, "${dollars:.2}"),
        }
    }
}

impl Serialize for Cost {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.dollars())
    }
}

impl<'de> Deserialize<'de> for Cost {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let dollars = f64::deserialize(deserializer)?;
        Self::of_dollars(dollars)
            .ok_or_else(|| serde::de::Error::custom(format!("{dollars} is no sum of dollars")))
    }
}

impl JsonSchema for Cost {
    fn schema_name() -> Cow<'static, str> {
        "Cost".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn price(cached: Option<f64>, write: Option<f64>) -> Price {
        let usd = |dollars| UsdPerMillion::of_dollars(dollars).unwrap();
        Price {
            input: usd(3.0),
            cached_input: cached.map(usd),
            cache_write: write.map(usd),
            output: usd(15.0),
            as_of: None,
            source: None,
        }
    }

    #[test]
    fn each_sort_of_token_has_its_price() {
        let usage = |input, output, cached, cache_write| Usage {
            input,
            output,
            cached,
            cache_write,
            ..Usage::default()
        };
        let cost = |price: &Price, usage: &Usage| price.cost(usage).map(|cost| cost.to_string());
        let whole = usage(Some(1_000_000), Some(200_000), None, None);
        assert_eq!(cost(&price(None, None), &whole).as_deref(), Some("$6.00"));
        // 400,000 fresh at 3, 500,000 cached at 0.3, 100,000 written at 3.75, 200,000 out at 15.
        let parts = usage(Some(1_000_000), Some(200_000), Some(500_000), Some(100_000));
        assert_eq!(price(Some(0.3), Some(3.75)).cost(&parts), Cost::of_dollars(1.2 + 0.15 + 0.375 + 3.0));
        assert_eq!(price(None, None).cost(&parts), Cost::of_dollars(6.0), "without a price of its own");
        assert_eq!(price(None, None).cost(&usage(Some(7), None, None, None)), None);
        let hostile = usage(Some(u64::MAX), Some(u64::MAX), Some(u64::MAX), Some(1));
        assert_eq!(price(Some(0.1), None).cost(&hostile), Some(Cost(u64::MAX)));
    }

    #[test]
    fn sums_read_as_people_write_them() {
        let read = |dollars| Cost::of_dollars(dollars).map(|cost| cost.to_string());
        assert_eq!(read(74.9).as_deref(), Some("$74.90"));
        assert_eq!(read(0.0312).as_deref(), Some("$0.0312"));
        assert_eq!(read(0.00001).as_deref(), Some("less than $0.0001"));
        assert_eq!(read(0.0).as_deref(), Some("$0"));
        assert_eq!(read(-1.0).or(read(f64::NAN)), None);
        assert!(serde_json::from_str::<UsdPerMillion>("-1").is_err());
        assert_eq!(serde_json::to_string(&UsdPerMillion::of_dollars(0.075).unwrap()).unwrap(), "0.075");
    }
}
