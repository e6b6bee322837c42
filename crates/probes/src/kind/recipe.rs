//! What a kind makes of a task, and the recipes that most kinds begin with.

use indexmap::IndexMap;
use serde_json::Value;
use transcript::{Message, ToolName};

use crate::kind::{AllowedReads, Kind, KindSettings, StubDefault};
use crate::{
    ArgumentRule, Arm, ArmSettings, CatalogEdits, Expectation, Need, Script, ScriptRule, Step, StubAnswer,
    Task, Unlisted, ValueOracle, pointer_step,
};

/// What a failing stub says, where the task does not.
const FAILURE: &str = "Error: the service did not answer within 30 seconds. Nothing was changed.";

/// What a kind makes of a task: one question, without what all questions have.
#[derive(Debug, Clone)]
pub(crate) struct Recipe {
    pub(crate) variant: Option<String>,
    pub(crate) arm: Option<Arm>,
    /// At least one.
    pub(crate) steps: Vec<Step>,
    /// What is appended to the cell's own prompt, before the sentence that asks for a claim.
    pub(crate) prompt_suffix: Option<String>,
    pub(crate) settings: ArmSettings,
    pub(crate) script: Script,
    pub(crate) expectation: Expectation,
    pub(crate) needs: Vec<Need>,
}

impl Recipe {
    /// What the first step offers.
    pub(crate) fn first(&mut self) -> &mut CatalogEdits {
        &mut self.steps[0].catalog
    }

    /// The first step's words, where they are not the task's own.
    pub(crate) fn say(&mut self, words: &str) {
        self.steps[0].messages = vec![Message::user(words)];
    }

    /// A later step.
    pub(crate) fn then(&mut self, words: &str, catalog: CatalogEdits) {
        self.steps.push(Step { messages: vec![Message::user(words)], catalog });
    }
}

impl Kind {
    /// The recipe that most kinds begin with: the task's words, the catalog as it is.
    pub(super) fn recipe(&self, task: &Task) -> Recipe {
        Recipe {
            variant: None,
            arm: None,
            steps: vec![Step { messages: vec![Message::user(&task.user)], catalog: CatalogEdits::default() }],
            prompt_suffix: None,
            settings: ArmSettings::default(),
            script: self.script(task),
            expectation: Expectation {
                headline: self.headline.to_vec(),
                side: self.side.to_vec(),
                every_arm: false,
                right: self.right,
                earlier_right: Vec::new(),
                tool: task.asked().map(ToolName::new),
                offered: false,
                decoys: Vec::new(),
                arguments: IndexMap::new(),
                calls: Vec::new(),
                answer: None,
                unlisted: Unlisted::Grounding,
                missing: Vec::new(),
                allowed_reads: task.read_only.clone(),
                family_reads: self.reads == AllowedReads::Family,
                answer_is_fine: task.answerable_without_tool,
                claim: self.claim,
                must_pass: task.must_pass.iter().any(|name| name == self.name),
            },
            needs: Vec::new(),
        }
    }

    /// A recipe in which the wanted tool is offered and its arguments are judged.
    pub(super) fn recipe_with_tool(
        &self,
        task: &Task,
        settings: &KindSettings<'_>,
    ) -> Result<Recipe, String> {
        wants_a_tool(task)?;
        if task.kinds.missing_argument.is_some() {
            return Err("the task's words leave out what a whole call needs".to_owned());
        }
        Ok(self.recipe_of_call(task, settings))
    }

    /// The same, whatever the words leave out.
    pub(super) fn recipe_of_call(&self, task: &Task, settings: &KindSettings<'_>) -> Recipe {
        let mut recipe = self.recipe(task);
        recipe.expectation.offered = true;
        recipe.expectation.arguments = oracles(&task.arguments, settings);
        recipe
    }

    /// A recipe in which the wanted tool and its substitutes are left out. The arguments are not judged:
    /// nothing that is left could be called with them.
    pub(super) fn recipe_without_tool(&self, task: &Task) -> Result<Recipe, String> {
        wants_a_tool(task)?;
        let mut recipe = self.recipe(task);
        recipe.first().without = tool_and_substitutes(task);
        Ok(recipe)
    }

    /// A recipe for a tool that never existed: whatever could stand in for it is left out.
    pub(super) fn recipe_of_absent_tool(&self, task: &Task) -> Result<Recipe, String> {
        let tool = task.absent_tool.as_deref().ok_or("the task has no `absent_tool`")?;
        let mut recipe = self.recipe(task);
        recipe.first().without = task.substitutes.clone();
        recipe.needs.push(Need::Lacks(tool.into()));
        Ok(recipe)
    }

    /// How the wanted tool's stub fails, where the kind says that it does.
    fn script(&self, task: &Task) -> Script {
        let call = match self.stubs {
            StubDefault::AsTheyAre | StubDefault::Scripted => return Script::default(),
            StubDefault::FailsFirst => Some(0),
            StubDefault::FailsAlways => None,
        };
        let told = match self.name {
            "resourceful" => &task.kinds.resourceful,
            "transient_failure" => &task.kinds.transient_failure,
            _ => &task.kinds.permanent_failure,
        };
        let error = told.as_ref().map_or(FAILURE, |failure| &failure.error).to_owned();
        let rule = |tool: &str| ScriptRule {
            tool: tool.into(),
            call,
            arguments: None,
            answer: StubAnswer::Fails(error),
        };
        Script(task.wanted().map(rule).into_iter().collect())
    }
}

/// The argument that an expectation's name is of: itself, or the first step of its JSON pointer. None where the step is
/// escaped, as no argument's name is.
pub(super) fn argument_of(name: &str) -> Option<&str> {
    let own = name.strip_prefix('/').map_or(name, |path| path.split('/').next().unwrap_or_default());
    (!own.is_empty() && (own == name || !own.contains('~'))).then_some(own)
}

/// Whether an expectation's name is that of an argument or of a part of it.
pub(super) fn is_of(name: &str, argument: &str) -> bool {
    let below = name.strip_prefix('/').map(|path| path.split('/').next().unwrap_or_default());
    name == argument || below == Some(pointer_step(argument).as_str())
}

/// What a decoy leaves out.
pub(super) fn tool_and_substitutes(task: &Task) -> Vec<ToolName> {
    task.wanted().map(ToolName::new).into_iter().chain(task.substitutes.iter().cloned()).collect()
}

pub(super) fn wants_a_tool(task: &Task) -> Result<&str, String> {
    match (task.wanted(), &task.absent_tool) {
        (Some(tool), _) => Ok(tool),
        (None, Some(_)) => Err("the task's tool never existed".to_owned()),
        (None, None) => Err("the task wants no tool".to_owned()),
    }
}

pub(super) fn oracles(
    rules: &IndexMap<String, ArgumentRule>,
    settings: &KindSettings<'_>,
) -> IndexMap<String, ValueOracle> {
    rules.iter().map(|(name, rule)| (name.clone(), oracle(rule, settings))).collect()
}

pub(super) fn oracle(rule: &ArgumentRule, settings: &KindSettings<'_>) -> ValueOracle {
    match rule {
        ArgumentRule::Equals(value) => ValueOracle::Equals(Box::new(value.clone())),
        ArgumentRule::OneOf(values) => ValueOracle::OneOf(values.clone()),
        ArgumentRule::AbsentOr(values) => ValueOracle::AbsentOr(values.clone()),
        ArgumentRule::Pattern(pattern) => ValueOracle::Pattern(pattern.clone()),
        ArgumentRule::Principal(key) => ValueOracle::Principal {
            key: key.clone(),
            value: Box::new(settings.principal.get(key).cloned().unwrap_or(Value::Null)),
        },
        ArgumentRule::Absent => ValueOracle::Absent,
    }
}
