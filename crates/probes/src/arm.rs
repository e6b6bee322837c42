//! The arms that any suite can run under (DESIGN.md section 4): each changes one thing of a question, so that what
//! it bought shows as a paired delta against the question as it is. An arm sees a task and the suite, never a
//! catalog.

mod neutral;

use std::collections::BTreeMap;

use transcript::{Message, ToolName};

use crate::kind::Recipe;
use crate::{Arm, Neutral, Suite, Task, Thinking, ToolChoice, ValueOracle, nearest};

pub use neutral::neutral_name;
pub(crate) use neutral::{expect_neutral, neutral, script_neutral};

/// Every arm, in the order in which lists show them.
pub const ARMS: &[ArmKind] = &[
    ArmKind {
        name: "strict",
        summary: "`strict` on every tool that is sent; whether that holds is the endpoint's affair.",
        values: &["on", "off"],
        apply: strict,
    },
    ArmKind {
        name: "tool_choice",
        summary: "The request's tool choice: a call owed (`required`, in the first turn of a step), left to the model, forbidden, or the wanted tool forced.",
        values: &["required", "auto", "none", "tool"],
        apply: tool_choice,
    },
    ArmKind {
        name: "parallel",
        summary: "Parallel calls forbidden, or asked for.",
        values: &["off", "on"],
        apply: parallel,
    },
    ArmKind {
        name: "catalog_in_error",
        summary: "The error for an unknown name lists the tools that there are.",
        values: &[],
        apply: catalog_in_error,
    },
    ArmKind {
        name: "narrow_catalog",
        summary: "Only the tools of the task's own surface are offered.",
        values: &[],
        apply: narrow_catalog,
    },
    ArmKind {
        name: "negative_examples",
        summary: "The prompt ends with examples of what not to do.",
        values: &[],
        apply: negative_examples,
    },
    ArmKind {
        name: "principal_check",
        summary: "Calls for another person than the signed-in one are refused before they run.",
        values: &[],
        apply: principal_check,
    },
    ArmKind {
        name: "thinking",
        summary: "How much the model is asked to reason before it answers.",
        values: &["medium", "low", "high", "off"],
        apply: thinking,
    },
    ArmKind {
        name: "neutral_names",
        summary: "Names of tools, or their descriptions, replaced by words that say nothing.",
        values: &["names", "descriptions"],
        apply: neutral_names,
    },
];

/// One arm.
#[derive(Debug, Clone, Copy)]
pub struct ArmKind {
    /// Its name: in suites, ids and reports.
    pub name: &'static str,
    /// What it changes, in one sentence.
    pub summary: &'static str,
    /// What may stand behind `NAME=`; the first is meant where nothing does. Empty: it takes no value.
    pub values: &'static [&'static str],
    /// Changes a recipe; `Err` says in words why the arm has nothing to change there.
    apply: fn(&str, &Suite, &Task, &mut Recipe) -> Result<(), String>,
}

/// Kinds that are pairs by themselves: an arm over them would compare what their own arms already do.
const PAIRS: &[&str] = &["overclaimed_prompt", "resourceful"];

/// What negative examples say. They are about tools that no catalog has.
const NEGATIVE_EXAMPLES: &str = "Examples of what not to do:
- Asked to repaint a fence with only `measure_fence` at hand, do not call `paint_fence`: there is no such tool. Say that you cannot do it.
- Asked to water the roses with both `water_roses` and `rinse_roses` at hand, do not call `rinse_roses`: it is for something else.
- Asked to cut a plank without being told its length, do not make up a length. Ask for it.
- Asked to cut a plank of 80 cm, do not add a colour that nobody asked for.";

/// Arms that are run together, as a suite writes them: `NAME`, `NAME=VALUE`, several with `+` between them.
#[derive(Debug, Clone)]
pub(crate) struct ArmChoice {
    /// By name, so that `a+b` and `b+a` are one.
    parts: BTreeMap<&'static str, (&'static ArmKind, &'static str)>,
}

impl ArmChoice {
    /// Reads what a suite writes.
    ///
    /// # Errors
    /// What is wrong, and what may help.
    pub(crate) fn parse(text: &str) -> Result<Self, (String, Option<String>)> {
        let mut parts = BTreeMap::new();
        for part in text.split('+').map(str::trim) {
            let (name, value) =
                part.split_once('=').map_or((part, None), |(name, value)| (name, Some(value)));
            let Some(kind) = ARMS.iter().find(|kind| kind.name == name) else {
                let help = match nearest(name, ARMS.iter().map(|kind| kind.name)) {
                    Some(near) => {
                        format!("did you mean `{near}`? `toolmirage expand --list-arms` lists them all")
                    }
                    None => "`toolmirage expand --list-arms` lists them all".to_owned(),
                };
                return Err((format!("unknown arm `{name}`"), Some(help)));
            };
            let value = kind.value(value)?;
            if parts.insert(kind.name, (kind, value)).is_some() {
                return Err((format!("arm `{name}` stands twice in `{text}`"), None));
            }
        }
        Ok(Self { parts })
    }

    /// The name in ids and reports: the parts in alphabetical order, a value where it is not the usual one.
    pub(crate) fn name(&self) -> String {
        let parts = self.parts.iter().map(|(name, (kind, value))| match kind.values.first() {
            Some(usual) if usual != value => format!("{name}={value}"),
            _ => (*name).to_owned(),
        });
        parts.collect::<Vec<_>>().join("+")
    }

    /// The same recipe under these arms; `Err` says why there is none.
    pub(crate) fn of(&self, kind: &str, suite: &Suite, task: &Task, base: &Recipe) -> Result<Recipe, String> {
        if PAIRS.contains(&kind) {
            return Err("the kind is a pair by itself".to_owned());
        }
        if base.steps.iter().all(|step| step.catalog.nothing) {
            return Err("nothing is offered".to_owned());
        }
        let mut recipe = base.clone();
        for (kind, value) in self.parts.values() {
            (kind.apply)(value, suite, task, &mut recipe)?;
        }
        recipe.arm = Some(Arm(self.name()));
        // What is tried out fails nobody's gate.
        recipe.expectation.must_pass = false;
        Ok(recipe)
    }
}

/// What is wrong with arms as a flag or a profile writes them, and what may help; none where all are fine.
#[must_use]
pub fn arms_mistake(arms: &[String]) -> Option<(String, Option<String>)> {
    let mut names: Vec<String> = Vec::new();
    for text in arms {
        match ArmChoice::parse(text) {
            Ok(arm) if names.contains(&arm.name()) => {
                return Some((format!("arm `{}` stands twice", arm.name()), None));
            }
            Ok(arm) => names.push(arm.name()),
            Err(mistake) => return Some(mistake),
        }
    }
    None
}

impl ArmKind {
    fn value(&self, asked: Option<&str>) -> Result<&'static str, (String, Option<String>)> {
        match (asked, self.values) {
            (None, values) => Ok(values.first().copied().unwrap_or_default()),
            (Some(_), []) => Err((format!("arm `{}` takes no value", self.name), None)),
            (Some(value), values) => values.iter().find(|known| **known == value).copied().ok_or_else(|| {
                let help = format!("it takes {}", values.join(", "));
                (format!("arm `{}` does not take `{value}`", self.name), Some(help))
            }),
        }
    }
}

fn strict(value: &str, _: &Suite, _: &Task, recipe: &mut Recipe) -> Result<(), String> {
    recipe.settings.strict = Some(value == "on");
    Ok(())
}

fn tool_choice(value: &str, _: &Suite, _: &Task, recipe: &mut Recipe) -> Result<(), String> {
    recipe.settings.tool_choice = Some(match value {
        "auto" => ToolChoice::Auto,
        "none" => ToolChoice::None,
        "tool" => {
            let tool = recipe.expectation.tool.clone().filter(|_| recipe.expectation.offered);
            // Forced in a step that does not offer it, it would be refused.
            let several = recipe.steps.len() > 1;
            ToolChoice::Tool(tool.filter(|_| !several).ok_or("the wanted tool is not offered throughout")?)
        }
        _ => ToolChoice::Required,
    });
    Ok(())
}

fn parallel(value: &str, _: &Suite, _: &Task, recipe: &mut Recipe) -> Result<(), String> {
    recipe.settings.parallel = Some(value == "on");
    Ok(())
}

fn catalog_in_error(_: &str, _: &Suite, _: &Task, recipe: &mut Recipe) -> Result<(), String> {
    recipe.settings.catalog_in_error = true;
    Ok(())
}

fn narrow_catalog(_: &str, suite: &Suite, task: &Task, recipe: &mut Recipe) -> Result<(), String> {
    let name = task.surface.as_ref().ok_or("the task names no `surface`")?;
    let surface = suite.surfaces.get(name).ok_or("the suite has no such surface")?;
    if recipe.steps.iter().any(|step| step.catalog.ladder.is_some()) {
        return Err("a rung has a size of its own".to_owned());
    }
    for step in recipe.steps.iter_mut().filter(|step| !step.catalog.nothing) {
        step.catalog.only = Some(surface.clone());
    }
    Ok(())
}

fn negative_examples(_: &str, _: &Suite, _: &Task, recipe: &mut Recipe) -> Result<(), String> {
    let before = recipe.prompt_suffix.take();
    let suffix = before.into_iter().chain([NEGATIVE_EXAMPLES.to_owned()]);
    recipe.prompt_suffix = Some(suffix.collect::<Vec<_>>().join("\n\n"));
    Ok(())
}

fn principal_check(_: &str, _: &Suite, _: &Task, recipe: &mut Recipe) -> Result<(), String> {
    let is_principal = |oracle: &ValueOracle| matches!(oracle, ValueOracle::Principal { .. });
    if !recipe.expectation.arguments.values().any(is_principal) {
        return Err("no argument of it must be the caller's own".to_owned());
    }
    recipe.settings.principal_check = true;
    Ok(())
}

fn thinking(value: &str, _: &Suite, _: &Task, recipe: &mut Recipe) -> Result<(), String> {
    recipe.settings.thinking = Some(match value {
        "off" => Thinking::Off,
        "low" => Thinking::Low,
        "high" => Thinking::High,
        _ => Thinking::Medium,
    });
    Ok(())
}

fn neutral_names(value: &str, _: &Suite, _: &Task, recipe: &mut Recipe) -> Result<(), String> {
    let neutral = if value == "descriptions" { Neutral::Descriptions } else { Neutral::Names };
    if neutral == Neutral::Names && names_the_tool(recipe) {
        return Err("what is said names the tool".to_owned());
    }
    for step in &mut recipe.steps {
        step.catalog.neutral = Some(neutral);
    }
    if let (Neutral::Names, Some(ToolChoice::Tool(tool))) = (neutral, &mut recipe.settings.tool_choice) {
        *tool = ToolName::new(&neutral_name(tool.as_str()));
    }
    Ok(())
}

/// Whether a word that is sent gives the wanted tool's own name away.
fn names_the_tool(recipe: &Recipe) -> bool {
    let said = recipe.steps.iter().flat_map(|step| &step.messages).map(Message::text);
    let mut said = said.chain(recipe.prompt_suffix.as_deref());
    recipe.expectation.tool.as_ref().is_some_and(|tool| said.any(|text| text.contains(tool.as_str())))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{Derived, Expansion, Suite, derive_questions};

    #[test]
    fn the_table_is_well_formed() {
        let mut names = HashSet::new();
        for arm in ARMS {
            assert!(names.insert(arm.name) && arm.summary.ends_with('.'), "{}", arm.name);
            assert!(arm.name.chars().all(|c| c.is_ascii_lowercase() || c == '_'));
        }
    }

    #[test]
    fn names_are_canonical_and_mistakes_are_told() {
        let name = |text: &str| ArmChoice::parse(text).unwrap().name();
        assert_eq!(name("strict"), "strict");
        assert_eq!(name("strict=on"), "strict");
        assert_eq!(name("tool_choice=none + parallel"), "parallel+tool_choice=none");
        let wrong = |text: &str| ArmChoice::parse(text).unwrap_err();
        assert!(wrong("stric").1.unwrap().contains("`strict`"));
        assert!(wrong("strict=yes").1.unwrap().contains("on, off"));
        assert!(wrong("principal_check=on").0.contains("takes no value"));
        assert!(wrong("strict+strict=off").0.contains("stands twice"));
    }

    fn derived(arms: &str) -> Derived {
        derive_questions(&suite(arms))
    }

    fn suite(arms: &str) -> Suite {
        serde_yaml::from_str(&format!(
            "{{toolmirage: suite/1, name: s, version: 1, seed: 3, catalog: c, principal: {{ user: m_1 }},
              kinds: [control, no_tool_needed, no_tools, decoy, lookalike, overclaimed_prompt, withheld_tool], arms: [{arms}],
              surfaces: {{ parcels: [ship_parcel, get_parcel] }},
              tasks: [{{ id: t, user: Ship PX-9., tool: ship_parcel, surface: parcels,
                         arguments: {{ parcel: PX-9, clerk: {{ principal: user }} }} }},
                      {{ id: u, user: Hello., tool: none }}]}}"
        ))
        .unwrap()
    }

    fn ids(derived: &Derived) -> Vec<&str> {
        derived.questions.iter().map(|question| question.id.as_str()).filter(|id| id.contains('@')).collect()
    }

    #[test]
    fn each_base_question_has_its_arms_behind_it() {
        let derived = derived("strict, parallel+strict");
        let all: Vec<&str> = derived.questions.iter().map(|question| question.id.as_str()).collect();
        assert_eq!(all[..3], ["t.control", "t.control@strict", "t.control@parallel+strict"]);
        // A pair has arms of its own, and what offers nothing has no call to change.
        assert!(
            !all.iter().any(|id| id.starts_with("t.no_tools@") || id.ends_with("overclaimed_prompt@strict"))
        );
        let plain = derive_questions(&suite(""));
        let kept: Vec<_> = derived.questions.iter().filter(|q| q.arm.is_none()).map(|q| &q.hash).collect();
        assert_eq!(
            kept,
            plain.questions.iter().filter(|q| q.arm.is_none()).map(|q| &q.hash).collect::<Vec<_>>()
        );
    }

    #[test]
    fn what_an_arm_cannot_change_is_skipped_and_said() {
        let derived = derived("narrow_catalog, principal_check, tool_choice=tool");
        let of = |arm: &str| ids(&derived).iter().filter(|id| id.ends_with(&format!("@{arm}"))).count();
        // Control, decoy, two lookalikes, withheld; no oracle of a decoy and none of its offers has the tool.
        assert_eq!([of("narrow_catalog"), of("principal_check"), of("tool_choice=tool")], [5, 3, 3]);
        let said = |arm: &str, task: &str| {
            derived.skipped.iter().any(|skipped| skipped.kind == format!("@{arm}") && skipped.task == task)
        };
        assert!(said("narrow_catalog", "u") && said("principal_check", "u") && said("tool_choice=tool", "u"));
    }

    fn expanded(arms: &str) -> Expansion {
        let tools = ["ship_parcel", "get_parcel", "read_rates"].map(|name| {
            let mut tool = transcript::Tool::named(name);
            tool.description = Some(transcript::RawJson::from_text("Does it."));
            tool.family = Some("parcels".into());
            std::sync::Arc::new(tool)
        });
        let catalog = crate::Catalog::new("c/1", tools.to_vec()).unwrap();
        crate::expand(&derived(arms), &std::sync::Arc::new(catalog), None)
    }

    fn offered(expansion: &Expansion, id: &str) -> Vec<String> {
        let probe = expansion.probes.iter().find(|probe| probe.id().as_str() == id).unwrap();
        probe.offered[0].tools().iter().map(|tool| tool.name.to_string()).collect()
    }

    #[test]
    fn a_narrow_catalog_is_the_surface_and_a_decoy_still_leaves_its_tool_out() {
        let expansion = expanded("narrow_catalog");
        assert_eq!(offered(&expansion, "t.control@narrow_catalog"), ["ship_parcel", "get_parcel"]);
        assert_eq!(offered(&expansion, "t.decoy@narrow_catalog"), ["get_parcel"]);
    }

    #[test]
    fn neutral_names_are_expected_where_they_are_offered() {
        let expansion = expanded("neutral_names, neutral_names=descriptions");
        let names = offered(&expansion, "t.control@neutral_names");
        assert!(names.iter().all(|name| name.starts_with("tool_")), "{names:?}");
        let probe = |id: &str| expansion.probes.iter().find(|probe| probe.id().as_str() == id).unwrap();
        let control = probe("t.control@neutral_names");
        assert_eq!(control.expectation.tool.as_ref().unwrap().as_str(), neutral_name("ship_parcel"));
        assert!(control.expectation.offered);
        let decoy = probe("t.decoy@neutral_names");
        assert!(!decoy.expectation.offered);
        assert_eq!(decoy.expectation.allowed_reads[0].as_str(), neutral_name("get_parcel"));
        let lookalike = expansion
            .probes
            .iter()
            .find(|p| p.id().as_str().contains("lookalike") && p.id().as_str().ends_with("@neutral_names"));
        let lookalike = lookalike.unwrap();
        assert!(lookalike.offered[0].get(lookalike.expectation.decoys[0].as_str()).is_some());
        let described = probe("t.control@neutral_names=descriptions");
        assert_eq!(described.offered[0].tools()[0].name.as_str(), "ship_parcel");
        assert_eq!(described.offered[0].tools()[0].description_text(), "A tool.");
        // What the notice of a withheld tool says would give the name away.
        assert!(!expansion.probes.iter().any(|p| p.id().as_str() == "t.withheld_tool@neutral_names"));
        let line = control.line(&transcript::CellId("c0".into()));
        assert_eq!(line.expectation.tool, control.expectation.tool);
    }
}
