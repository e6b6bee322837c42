//! Sums of money as people write them: `25 USD`, `$25`, `25`.

use std::borrow::Cow;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use transcript::Cost;

/// A cap on what a sitting may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MaxCost(pub(crate) Cost);

impl FromStr for MaxCost {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let trimmed = text.trim();
        let number = trimmed.strip_suffix("USD").or_else(|| trimmed.strip_prefix('$')).unwrap_or(trimmed);
        let dollars = number.trim().parse::<f64>().ok().filter(|dollars| *dollars > 0.0);
        dollars
            .and_then(Cost::of_dollars)
            .map(Self)
            .ok_or_else(|| format!("`{text}` is no sum of dollars that a run may cost: write `25 USD`"))
    }
}

impl Serialize for MaxCost {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{} USD", self.0.dollars()))
    }
}

impl<'de> Deserialize<'de> for MaxCost {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for MaxCost {
    fn schema_name() -> Cow<'static, str> {
        "MaxCost".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": r"^\s*(\$\s*[0-9.]+|[0-9.]+(\s*USD)?)\s*$" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_read_as_they_are_written() {
        for text in ["25 USD", "$25", "25", " 25.00USD "] {
            assert_eq!(text.parse::<MaxCost>().unwrap().0, Cost::of_dollars(25.0).unwrap(), "{text}");
        }
        for text in ["", "0 USD", "-1", "25 EUR", "NaN", "1e9", "$25 USD"] {
            assert!(text.parse::<MaxCost>().is_err(), "{text}");
        }
    }
}
