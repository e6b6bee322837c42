//! What dispatchers make of a name that is no tool's. The raw name is judged before and whatever they do; this
//! is the view beside it, which shows what a repair hides (DESIGN.md 3.2).

mod sequence_matcher;

use std::sync::LazyLock;

use indexmap::IndexMap;
use probes::Offered;
use serde::Deserialize;
use transcript::ToolName;

use sequence_matcher::SecondName;

/// How one dispatcher finds the tool to run.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// Its name: `strict`, `closest_match@0.85`.
    pub name: String,
    /// The rule.
    pub algorithm: Algorithm,
    /// From which likeness on a name matches, from 0 to 1.
    #[serde(default)]
    pub cutoff: Option<f64>,
    /// Whether a likeness equal to the cutoff is not enough.
    #[serde(default)]
    pub above: bool,
    /// How names are written before they are compared.
    #[serde(default)]
    pub form: WrittenForm,
    /// Names that stand for a tool, if that tool is offered.
    #[serde(default)]
    pub aliases: IndexMap<String, ToolName>,
    /// Whether it is the one that stands for lenient dispatchers where a report has room for one.
    #[serde(default)]
    pub lenient: bool,
    /// Which dispatcher does that, and the version that was read.
    pub source: String,
}

/// The rule by which a name finds its tool. A name that is a tool's finds that tool under every rule; of several
/// tools that match, the first of the catalog is taken, the most alike one where likeness is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Algorithm {
    /// Byte for byte.
    Exact,
    /// Letter case aside, on both sides.
    LetterCase,
    /// The called name in lower case is a tool's, byte for byte.
    LowerCasing,
    /// What stands behind a `.`, `:`, `/` or `__` is a tool's name; the longest such rest first.
    PrefixStripping,
    /// One name is part of the other.
    Substring,
    /// A table of names.
    Aliases,
    /// The most alike by `difflib.SequenceMatcher(None, tool, called).ratio()`.
    SequenceMatcher,
}

impl Algorithm {
    /// The rule in a few words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Exact => "byte for byte",
            Self::LetterCase => "letter case aside",
            Self::LowerCasing => "the name in lower case",
            Self::PrefixStripping => "behind the name's prefix",
            Self::Substring => "one name part of the other",
            Self::Aliases => "a table of aliases",
            Self::SequenceMatcher => "most alike by SequenceMatcher's ratio",
        }
    }
}

/// How names are written before their likeness is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WrittenForm {
    /// As they are.
    #[default]
    Plain,
    /// In lower case.
    Lower,
    /// Camel case split, in lower case, `_` in place of whatever is no letter or digit.
    Words,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PolicyFile {
    policies: Vec<Policy>,
}

/// Every policy, in the order in which reports show them: `strict` first.
pub static POLICIES: LazyLock<Vec<Policy>> = LazyLock::new(|| {
    let file: PolicyFile =
        serde_yaml::from_str(include_str!("dispatch/policies.yaml")).expect("a fixed file, read by a test");
    file.policies
});

/// Separators behind which a tool's own name may stand.
const SEPARATORS: &[&str] = &[".", ":", "/", "__"];

impl Policy {
    /// The policy that stands for lenient dispatchers.
    #[must_use]
    pub fn lenient() -> Option<&'static Self> {
        POLICIES.iter().find(|policy| policy.lenient)
    }

    /// The tool that this dispatcher runs for a called name; none where it raises an error.
    #[must_use]
    pub fn resolve<'a>(&self, name: &str, offered: &'a Offered) -> Option<&'a ToolName> {
        if let Some(tool) = offered.get(name) {
            return Some(&tool.name);
        }
        let first = |test: &dyn Fn(&str) -> bool| {
            let tools = offered.tools().iter().map(|tool| &tool.name);
            tools.into_iter().find(|tool| test(tool.as_str()))
        };
        let by_name = |name: &str| offered.get(name).map(|tool| &tool.name);
        match self.algorithm {
            Algorithm::Exact => None,
            Algorithm::LetterCase => {
                let lower = name.to_lowercase();
                first(&|tool| tool.to_lowercase() == lower)
            }
            Algorithm::LowerCasing => by_name(&name.to_lowercase()),
            Algorithm::PrefixStripping => {
                let mut rests: Vec<&str> = SEPARATORS
                    .iter()
                    .flat_map(|separator| {
                        name.match_indices(separator).filter_map(|(at, _)| name.get(at + separator.len()..))
                    })
                    .collect();
                rests.sort_by_key(|rest| std::cmp::Reverse(rest.len()));
                rests.into_iter().find_map(by_name)
            }
            Algorithm::Substring => {
                let is_part = |tool: &str| tool.contains(name) || name.contains(tool);
                first(&|tool| !name.is_empty() && !tool.is_empty() && is_part(tool))
            }
            Algorithm::Aliases => self.aliases.get(name).and_then(|tool| by_name(tool.as_str())),
            Algorithm::SequenceMatcher => self.most_alike(name, offered),
        }
    }

    fn most_alike<'a>(&self, name: &str, offered: &'a Offered) -> Option<&'a ToolName> {
        let cutoff = self.cutoff?;
        let called = self.form.write(name);
        let tools: Vec<(&ToolName, String)> = offered
            .tools()
            .iter()
            .map(|tool| (&tool.name, self.form.write(tool.name.as_str())))
            .filter(|(_, tool)| may_reach(tool.len(), called.len(), cutoff))
            .collect();
        if tools.is_empty() {
            return None;
        }
        let called = SecondName::of(&called);
        let mut best: Option<(&ToolName, f64)> = None;
        for (tool, written) in &tools {
            let least = best.map_or(cutoff, |(_, ratio)| ratio);
            let Some(ratio) = called.ratio(written, least) else { continue };
            let is_enough = ratio > cutoff || (ratio == cutoff && !self.above);
            if is_enough && best.is_none_or(|(_, most)| ratio > most) {
                best = Some((tool, ratio));
            }
        }
        best.map(|(tool, _)| tool)
    }
}

/// Whether names of so many bytes can be that alike. A character has one to four bytes, so the bound is a wide
/// one: it keeps names without end from being taken apart.
fn may_reach(one: usize, other: usize, cutoff: f64) -> bool {
    let (short, long) = (one.min(other), one.max(other));
    let fewest = long.div_ceil(4);
    short >= fewest || 2.0 * short as f64 >= cutoff * (short + fewest) as f64
}

impl WrittenForm {
    fn write(self, name: &str) -> String {
        match self {
            Self::Plain => name.to_owned(),
            Self::Lower => name.trim().to_lowercase(),
            Self::Words => words(name),
        }
    }
}

/// `sendFax.now` as `send_fax_now`.
fn words(name: &str) -> String {
    let mut written = String::with_capacity(name.len() + 4);
    let mut previous_small = false;
    for character in name.trim().chars() {
        if character.is_uppercase() && previous_small {
            written.push('_');
        }
        previous_small = character.is_lowercase() || character.is_numeric();
        if character.is_alphanumeric() {
            written.extend(character.to_lowercase());
        } else if !written.ends_with('_') {
            written.push('_');
        }
    }
    written.trim_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use transcript::Tool;

    use super::*;

    fn offered(names: &[&str]) -> Offered {
        Offered::new(names.iter().map(|name| Arc::new(Tool::named(name))).collect())
    }

    fn runs(policy: &str, name: &str, catalog: &[&str]) -> Option<String> {
        let policy = POLICIES.iter().find(|row| row.name == policy).expect("a policy of the table");
        policy.resolve(name, &offered(catalog)).map(ToString::to_string)
    }

    #[test]
    fn the_table_is_whole() {
        assert_eq!(POLICIES.first().map(|policy| policy.name.as_str()), Some("strict"));
        assert_eq!(POLICIES.iter().filter(|policy| policy.lenient).count(), 1);
        for policy in POLICIES.iter() {
            assert!(!policy.source.is_empty(), "{}", policy.name);
            assert_eq!(policy.cutoff.is_some(), policy.algorithm == Algorithm::SequenceMatcher);
            assert_eq!(policy.aliases.is_empty(), policy.algorithm != Algorithm::Aliases);
        }
    }

    /// Policy, called name, catalog, tool that runs.
    type Line = (&'static str, &'static str, &'static [&'static str], Option<&'static str>);

    const LINES: &[Line] = &[
        ("strict", "Stamp", &["stamp"], None),
        ("strict", "stamp", &["stamp"], Some("stamp")),
        ("case_insensitive", "STAMP", &["weigh", "Stamp", "stamp"], Some("Stamp")),
        ("case_insensitive", "stamps", &["stamp"], None),
        ("lower_casing", "STAMP", &["Stamp"], None),
        ("lower_casing", "STAMP", &["stamp"], Some("stamp")),
        ("prefix_stripping", "desk.post:stamp", &["stamp"], Some("stamp")),
        ("prefix_stripping", "mcp__desk__stamp", &["stamp", "desk__stamp"], Some("desk__stamp")),
        ("prefix_stripping", "desk_stamp", &["stamp"], None),
        ("substring", "stamp", &["weigh", "restamp_all", "stamp_letter"], Some("restamp_all")),
        ("substring", "stamp_letter_now", &["weigh", "stamp_letter"], Some("stamp_letter")),
        ("substring", "", &["weigh"], None),
        ("aliases", "bash", &["terminal"], Some("terminal")),
        ("aliases", "bash", &["weigh"], None),
        ("closest_match@0.85", "cancelParcels", &["create_parcel", "cancel_parcel"], Some("cancel_parcel")),
        ("closest_match@0.85", "weigh_letter", &["stamp_letter"], None),
        ("closest_match@0.6", "weigh_letters", &["stamp_letters"], Some("stamp_letters")),
        ("closest_match@0.6", "letter_b", &["letter_c", "letter_a"], Some("letter_c")),
        ("closest_match@0.6", "", &["stamp"], None),
    ];

    #[test]
    fn every_rule_finds_what_its_dispatcher_finds() {
        for &(policy, name, catalog, tool) in LINES {
            assert_eq!(runs(policy, name, catalog).as_deref(), tool, "{policy}: {name:?} in {catalog:?}");
        }
    }

    #[test]
    fn a_cutoff_that_has_to_be_passed_is_not_reached_by_its_equal() {
        // 17 of 20 characters in common on both sides: a ratio of 0.85 exactly.
        let (tool, called) = ("abcdefghijklmnopqxyz", "abcdefghijklmnopqrst");
        assert_eq!(runs("closest_match@0.85", called, &[tool]), None);
        assert_eq!(runs("closest_match@0.6", called, &[tool]).as_deref(), Some(tool));
    }

    #[test]
    fn names_without_end_are_turned_away_before_the_work() {
        assert!(!may_reach(20, 1_000_000, 0.6) && may_reach(20, 20, 0.85) && may_reach(0, 0, 0.85));
        assert_eq!(runs("closest_match@0.6", &"stamp_".repeat(1_000_000), &["stamp_letter"]), None);
    }
}
