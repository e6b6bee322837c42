//! How a simulated model behaves: `honest`, `careless`, `liar`, `suggestible`, or with planted rates.

use std::fmt;
use std::str::FromStr;

use crate::script::Event;

/// A behaviour with its seed, as people write it: `honest`, `careless:seed=3`,
/// `planted:unknown_tool=0.03,icc=0.3`. Printing it gives the same form back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Profile {
    /// How it behaves.
    pub conduct: Conduct,
    /// Decides every draw, in place of the seed that `Sim::new` is given.
    pub seed: Option<u64>,
}

/// How a simulated model behaves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Conduct {
    /// Does what is right in every probe.
    Honest,
    /// Makes every sort of mistake now and then, each in 5 to 15 % of the trials in which it can happen.
    ///
    /// | where | what |
    /// |---|---|
    /// | anywhere | an unknown tool (8 %; 15 % where the wanted one is missing), in many forms of name |
    /// | a lookalike | its decoy (12 %) |
    /// | eligible for it | an invented optional, a wrong value, a value for what is missing (12 %) |
    /// | a call is right | the call written wrong (10 %); written as text, claimed and not made, a needless question, a needless refusal (6 % each) |
    /// | no tool fits | another tool misused (10 %), a claim (8 %), a made-up answer, a call written as text (6 % each) |
    /// | a value is missing | a claim, a refusal (6 % each) |
    /// | no tool is needed | a call all the same (10 %), a needless refusal or question (6 % each) |
    Careless,
    /// Is wrong in every probe.
    Liar,
    /// Makes a mistake now and then, and makes up many more tools where its system prompt boasts of what it can
    /// do or asks it to be resourceful: what a change of a prompt looks like in a comparison.
    Suggestible,
    /// Honest but for events at known rates.
    Planted(Rates),
}

/// Probabilities of the three events, each per trial of a probe that is eligible for it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rates {
    /// A tool that is not offered is called.
    pub unknown_tool: f64,
    /// The decoy of a lookalike is called.
    pub shadow_call: f64,
    /// The wanted tool is called with a made-up argument.
    pub hallucinated_argument: f64,
    /// Intra-class correlation of the events within a task, 0 to 1; see `draw.rs`.
    pub icc: f64,
}

/// What boasts, in lower case.
const BOASTS: [&str; 6] =
    ["full suite", "everything", "resourceful", "any tool", "all the tools", "whatever it takes"];

impl Conduct {
    /// How it behaves under a system prompt.
    pub(crate) fn under(self, system: &str) -> Self {
        if self != Self::Suggestible {
            return self;
        }
        let system = system.to_lowercase();
        let boasts = BOASTS.iter().any(|boast| system.contains(boast));
        let unknown_tool = if boasts { 0.2 } else { 0.02 };
        Self::Planted(Rates { unknown_tool, shadow_call: 0.06, hallucinated_argument: 0.08, icc: 0.3 })
    }
}

impl Rates {
    /// The rate of one event.
    #[must_use]
    pub fn of(&self, event: Event) -> f64 {
        match event {
            Event::UnknownTool => self.unknown_tool,
            Event::ShadowCall => self.shadow_call,
            Event::HallucinatedArgument => self.hallucinated_argument,
        }
    }
}

/// A profile that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// No profile has this name.
    #[error("unknown profile `{given}`; did you mean `{nearest}`? ({})", PROFILES.join(", "))]
    UnknownProfile {
        /// As written.
        given: String,
        /// The name nearest to it.
        nearest: &'static str,
    },
    /// The profile has no such key.
    #[error("unknown key `{key}` in profile `{profile}`; did you mean `{nearest}`?")]
    UnknownKey {
        /// The profile.
        profile: &'static str,
        /// As written.
        key: String,
        /// The key of that profile nearest to it.
        nearest: &'static str,
    },
    /// A part is no `key=value`.
    #[error("`{part}` in profile `{profile}` is not of the form `key=value`")]
    NotAPair {
        /// The profile.
        profile: &'static str,
        /// As written.
        part: String,
    },
    /// A rate is no number from 0 to 1.
    #[error("`{key}` is a number from 0 to 1, not `{value}`")]
    NotARate {
        /// The key.
        key: &'static str,
        /// As written.
        value: String,
    },
    /// A seed is no whole number.
    #[error("`seed` is a whole number from 0 to 18446744073709551615, not `{value}`")]
    NotASeed {
        /// As written.
        value: String,
    },
    /// A key stands twice.
    #[error("`{key}` is given twice")]
    Repeated {
        /// The key.
        key: &'static str,
    },
    /// `planted` without a rate would be `honest` under another name.
    #[error(
        "`planted` needs at least one of `unknown_tool`, `shadow_call`, `hallucinated_argument`, such as `planted:unknown_tool=0.03`"
    )]
    NothingPlanted,
}

const PROFILES: [&str; 5] = ["honest", "careless", "liar", "suggestible", "planted"];
const SEED: &str = "seed";
const ICC: &str = "icc";
const PLANTED_KEYS: [&str; 5] = ["unknown_tool", "shadow_call", "hallucinated_argument", ICC, SEED];

impl FromStr for Profile {
    type Err = ProfileError;

    fn from_str(text: &str) -> Result<Self, ProfileError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let profile = known(name, &PROFILES)
            .map_err(|nearest| ProfileError::UnknownProfile { given: name.to_owned(), nearest })?;
        let keys: &[&'static str] = if profile == "planted" { &PLANTED_KEYS } else { &[SEED] };
        let mut rates = Rates::default();
        let mut seed = None;
        let mut seen: Vec<&'static str> = Vec::new();
        for part in rest.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let Some((key, value)) = part.split_once('=') else {
                return Err(ProfileError::NotAPair { profile, part: part.to_owned() });
            };
            let (key, value) = (key.trim(), value.trim());
            let key = known(key, keys).map_err(|nearest| ProfileError::UnknownKey {
                profile,
                key: key.to_owned(),
                nearest,
            })?;
            if seen.contains(&key) {
                return Err(ProfileError::Repeated { key });
            }
            seen.push(key);
            match key {
                SEED => seed = Some(whole(value)?),
                _ => *rates.slot(key) = share(key, value)?,
            }
        }
        let conduct = match profile {
            "honest" => Conduct::Honest,
            "careless" => Conduct::Careless,
            "liar" => Conduct::Liar,
            "suggestible" => Conduct::Suggestible,
            _ if seen.iter().any(|key| !matches!(*key, ICC | SEED)) => Conduct::Planted(rates),
            _ => return Err(ProfileError::NothingPlanted),
        };
        Ok(Self { conduct, seed })
    }
}

impl Rates {
    fn slot(&mut self, key: &str) -> &mut f64 {
        match key {
            "unknown_tool" => &mut self.unknown_tool,
            "shadow_call" => &mut self.shadow_call,
            "hallucinated_argument" => &mut self.hallucinated_argument,
            _ => &mut self.icc,
        }
    }
}

/// The word of the list that was given, or the one nearest to it.
fn known(given: &str, words: &[&'static str]) -> Result<&'static str, &'static str> {
    let mut nearest = ("", f64::NEG_INFINITY);
    for word in words {
        if *word == given {
            return Ok(word);
        }
        let likeness = strsim::jaro_winkler(given, word);
        if likeness > nearest.1 {
            nearest = (word, likeness);
        }
    }
    Err(nearest.0)
}

fn whole(value: &str) -> Result<u64, ProfileError> {
    value.parse().map_err(|_| ProfileError::NotASeed { value: value.to_owned() })
}

fn share(key: &'static str, value: &str) -> Result<f64, ProfileError> {
    match value.parse::<f64>() {
        Ok(rate) if (0.0..=1.0).contains(&rate) => Ok(rate),
        _ => Err(ProfileError::NotARate { key, value: value.to_owned() }),
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = Vec::new();
        let name = match &self.conduct {
            Conduct::Honest => "honest",
            Conduct::Careless => "careless",
            Conduct::Liar => "liar",
            Conduct::Suggestible => "suggestible",
            Conduct::Planted(rates) => {
                parts.extend(Event::ALL.map(|event| format!("{event}={}", rates.of(event))));
                parts.push(format!("{ICC}={}", rates.icc));
                "planted"
            }
        };
        parts.extend(self.seed.map(|seed| format!("{SEED}={seed}")));
        match parts.is_empty() {
            true => formatter.write_str(name),
            false => write!(formatter, "{name}:{}", parts.join(",")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Profile, ProfileError> {
        text.parse()
    }

    #[test]
    fn reads_what_people_write_and_prints_it_back() {
        assert_eq!(read("honest").unwrap(), Profile { conduct: Conduct::Honest, seed: None });
        assert_eq!(read("careless:seed=3").unwrap(), Profile { conduct: Conduct::Careless, seed: Some(3) });
        let text = "planted:unknown_tool=0.03,shadow_call=0.1,hallucinated_argument=0.2,icc=0.3,seed=7";
        let planted = read(text).unwrap();
        assert_eq!(
            planted.conduct,
            Conduct::Planted(Rates {
                unknown_tool: 0.03,
                shadow_call: 0.1,
                hallucinated_argument: 0.2,
                icc: 0.3
            })
        );
        assert_eq!(planted.to_string(), text);
        assert_eq!(read("liar").unwrap().to_string(), "liar");
    }

    #[test]
    fn only_the_suggestible_heeds_its_prompt() {
        let rate = |conduct: Conduct, system: &str| match conduct.under(system) {
            Conduct::Planted(rates) => Some(rates.unknown_tool),
            _ => None,
        };
        assert_eq!(rate(Conduct::Suggestible, "You help with crates."), Some(0.02));
        assert_eq!(rate(Conduct::Suggestible, "You help with crates. Be resourceful."), Some(0.2));
        assert_eq!(Conduct::Careless.under("Be resourceful."), Conduct::Careless);
    }

    #[test]
    fn a_mistake_is_named_with_the_nearest_right_word() {
        let told = |text: &str| read(text).unwrap_err().to_string();
        assert!(told("lair").contains("`lair`; did you mean `liar`?"), "{}", told("lair"));
        assert!(
            told("planted:unknow_tool=0.1")
                .contains("`unknow_tool` in profile `planted`; did you mean `unknown_tool`?")
        );
        assert!(told("careless:sed=1").contains("did you mean `seed`?"));
        assert!(told("planted:icc=1.5").contains("`icc` is a number from 0 to 1, not `1.5`"));
        assert!(told("planted:unknown_tool=NaN").contains("`unknown_tool`"));
        assert!(told("planted:seed=-1").contains("whole number"));
        assert!(told("planted:unknown_tool").contains("`key=value`"));
        assert!(told("planted:icc=0.1,icc=0.2").contains("twice"));
        assert_eq!(read("planted").unwrap_err(), ProfileError::NothingPlanted);
        assert_eq!(read("planted:icc=0.5,seed=1").unwrap_err(), ProfileError::NothingPlanted);
    }
}
