//! `toolmirage.yaml`, as `init` writes it.

use std::fmt::Write as _;

use probes::yaml_scalar as scalar;

/// What the configuration names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigDraft {
    /// The catalog's name.
    pub catalog: String,
    /// Its sources, in order.
    pub sources: Vec<DraftedSource>,
    /// The prompts.
    pub prompts: Vec<DraftedPrompt>,
    /// The suite's file.
    pub suite: String,
    /// The captured request that the catalog must equal: its file, relative to the configuration.
    pub must_equal: Option<String>,
    /// Settings of the captured request, as JSON by key.
    pub settings: Vec<(String, String)>,
    /// The captured request's model.
    pub model: Option<String>,
    /// Rates that the suite's probes can show; ceilings are written for these.
    pub rates: Vec<&'static str>,
    /// The suite's kinds, each with the number of its probes where they were counted.
    pub kinds: Vec<(String, Option<usize>)>,
}

/// One source of the catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftedSource {
    /// Its file, relative to the configuration; none where the name of its server says it.
    pub file: Option<String>,
    /// The template of its tools' names.
    pub name: Option<String>,
    /// Further keys as they are written: where a live server's tools were read from.
    pub keys: Vec<(String, String)>,
}

/// One prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftedPrompt {
    /// Its name.
    pub name: String,
    /// Its file, relative to the configuration.
    pub file: String,
}

/// The upper limits that are written, in percent: a start, and no aim.
const CEILINGS: &[(&str, u32)] = &[("unknown_tool", 8), ("shadow_call", 20), ("hallucinated_argument", 20)];

/// The configuration file.
#[must_use]
pub fn config_yaml(draft: &ConfigDraft) -> String {
    let mut out = String::from("toolmirage: config/1\n\ncatalogs:\n");
    let _ = writeln!(out, "  {}:", scalar(&draft.catalog));
    out.push_str(
        "    sources:                              # in the order in which production offers them\n",
    );
    for source in &draft.sources {
        out.push_str(&source_yaml(source));
    }
    if let Some(captured) = &draft.must_equal {
        let _ = writeln!(out, "    must_equal: {}   # `toolmirage catalog check` compares", scalar(captured));
    }
    if draft.prompts.is_empty() {
        out.push_str("\n# prompts:                                # the system prompts that production sends; name them in the suite too\n");
        out.push_str("#   support: { file: prompts/support.md }\n");
    } else {
        out.push_str("\nprompts:\n");
        for prompt in &draft.prompts {
            let _ = writeln!(out, "  {}: {{ file: {} }}", scalar(&prompt.name), scalar(&prompt.file));
        }
    }
    out.push_str(&targets_yaml(draft));
    let _ = writeln!(out, "\nsuites: [{}]", scalar(&draft.suite));
    out.push_str(&profiles_yaml(draft));
    out.push_str(&gate_yaml(draft));
    out
}

fn source_yaml(source: &DraftedSource) -> String {
    let file = source.file.iter().map(|file| ("file".to_owned(), scalar(file)));
    let template = source
        .name
        .iter()
        .map(|name| ("name".to_owned(), format!("{}   # {{tool}} is the tool's own name", scalar(name))));
    let mut out = String::new();
    for (at, (key, value)) in file.chain(source.keys.iter().cloned()).chain(template).enumerate() {
        let lead = if at == 0 { "      - " } else { "        " };
        let _ = writeln!(out, "{lead}{key}: {value}");
    }
    out
}

fn targets_yaml(draft: &ConfigDraft) -> String {
    let model = draft.model.as_deref().unwrap_or("MODEL");
    let mut out = String::from(
        "\ntargets:                                  # fill in what you measure; `sim:honest` and `sim:careless` need no entry\n",
    );
    let _ = writeln!(
        out,
        "  mine:\n    provider: openai_chat\n    model: {}\n    base_url: \"http://127.0.0.1:8080/v1\"",
        scalar(model)
    );
    out.push_str("    # key_env: MY_API_KEY                 # name of the variable that holds the key\n");
    if draft.settings.is_empty() {
        out.push_str("    # settings: { max_tokens: 1024 }      # nothing is set unless it stands here\n");
    } else {
        out.push_str("    settings:                             # as the captured request has them\n");
        for (key, value) in &draft.settings {
            let _ = writeln!(out, "      {}: {value}", scalar(key));
        }
    }
    out
}

/// Kinds of a pull request: those of the gated rates, without the ones that need several requests a probe.
const OF_PULL_REQUESTS: &[&str] = &[
    "control",
    "no_tool_needed",
    "decoy",
    "sibling_gap",
    "lookalike",
    "optional_argument",
    "missing_argument",
    "principal",
];

/// Further kinds of a week: what enters the gated rates too, and what the prompt adds to them.
const OF_WEEKS: &[&str] = &["familiar_neighbour", "wrong_value", "removed_parameter", "overclaimed_prompt"];

fn profiles_yaml(draft: &ConfigDraft) -> String {
    let pull_request = Chosen::of(draft, |name| OF_PULL_REQUESTS.contains(&name));
    let week = Chosen::of(draft, |name| OF_PULL_REQUESTS.contains(&name) || OF_WEEKS.contains(&name));
    let all = Chosen::of(draft, |_| true);
    let mut out = String::from(
        "\n# What a run costs is probes x repeats x targets x prompts, each with the whole catalog: `toolmirage plan` says it.\nprofiles:\n",
    );
    out.push_str("  pr:                                     # did this change do harm? Beside main, only what it touches\n    targets: [mine]\n    against: main\n    cells: affected\n");
    out.push_str(&pull_request.yaml("on each side"));
    out.push_str("    repeats: 1\n    confirm: 5                            # changed probes again, for reading alone\n");
    out.push_str("  weekly:\n    targets: [mine]\n");
    out.push_str(&week.yaml("a repeat"));
    out.push_str("    repeats: 3\n");
    let count = all.count.map_or_else(String::new, |count| format!(": {count} probes a repeat"));
    let _ = writeln!(
        out,
        "  upgrade:                                # may we switch? What cannot be told fails. Every kind{count}\n    targets: [mine]\n    cells: all\n    repeats: 3"
    );
    out
}

/// Kinds of a profile, with the number of their probes where they were counted.
struct Chosen {
    names: Vec<String>,
    count: Option<usize>,
}

impl Chosen {
    fn of(draft: &ConfigDraft, takes: impl Fn(&str) -> bool) -> Self {
        let chosen: Vec<&(String, Option<usize>)> =
            draft.kinds.iter().filter(|(name, _)| takes(name)).collect();
        Self {
            names: chosen.iter().map(|(name, _)| name.clone()).collect(),
            count: chosen.iter().map(|(_, count)| *count).sum(),
        }
    }

    fn yaml(&self, each: &str) -> String {
        let Some(count) = self.count else { return format!("    kinds: [{}]\n", self.names.join(", ")) };
        format!("    kinds: [{}]   # {count} probes {each}\n", self.names.join(", "))
    }
}

fn gate_yaml(draft: &ConfigDraft) -> String {
    let mut out = String::from(
        "\n# A rate is a floor to push down, not a passing grade: a model that makes up 3 % of its calls makes them up\n# every day. Lower the ceilings once a run stays below them.\ngate:\n",
    );
    if !draft.rates.is_empty() {
        let _ = writeln!(out, "  rates: [{}]", draft.rates.join(", "));
    }
    out.push_str("  must_pass: true                         # tasks marked must_pass, in every trial\n  regression: { family_error: 5 % }       # a shown rise fails\n");
    let ceilings: Vec<_> = CEILINGS.iter().filter(|(rate, _)| draft.rates.contains(rate)).collect();
    if !ceilings.is_empty() {
        out.push_str("  ceilings:                               # on the upper end of the 90 % interval\n");
        for (rate, percent) in ceilings {
            let _ = writeln!(out, "    {rate}: {percent} %");
        }
    }
    out.push_str("  tolerance: 3 points                     # what an upgrade may cost\n  inconclusive: { pr: pass, weekly: pass, upgrade: fail }\n  coverage: 95 %\n");
    out
}
