//! From a suite to its questions. Deriving reads nothing but the suite, and gives the same every time.

use std::sync::Arc;

use serde::Serialize;
use transcript::{Fingerprint, Message, ProbeId};

use crate::arm::ArmChoice;
use crate::kind::{KINDS, Kind, KindSettings, Recipe};
use crate::{ArmSettings, EarlierWords, Expectation, Question, Script, Step, Suite, Task};

/// The questions of a suite.
#[derive(Debug, Clone)]
pub struct Derived {
    /// The questions: by task in the order of the suite, then by kind in the order of `KINDS`.
    pub questions: Vec<Arc<Question>>,
    /// Tasks that yield no question of a kind that the suite wants.
    pub skipped: Vec<Skipped>,
}

/// A task that yields no question of a kind, or under an arm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// The task.
    pub task: String,
    /// The kind, or the arm with an `@` before it.
    pub kind: String,
    /// Why.
    pub reason: String,
}

impl Derived {
    /// The suite's hash, over ids and question hashes alone: prompts, catalogs, owners and words about the
    /// suite stay out of it.
    #[must_use]
    pub fn hash(&self) -> Fingerprint {
        let lock: Vec<_> = self.questions.iter().map(|question| (&question.id, &question.hash)).collect();
        Fingerprint::of_json(&lock)
    }
}

/// Derives the questions of a suite.
#[must_use]
pub fn derive_questions(suite: &Suite) -> Derived {
    let settings = KindSettings::of(suite);
    // What is no arm is a mistake of the suite, and told where it is read.
    let arms: Vec<ArmChoice> = suite.arms.iter().filter_map(|arm| ArmChoice::parse(arm).ok()).collect();
    let mut derived = Derived { questions: Vec::new(), skipped: Vec::new() };
    for task in &suite.tasks {
        for kind in suite.wanted_kinds() {
            match (kind.derive)(task, &settings) {
                Ok(recipes) => {
                    let recipes = with_arms(suite, task, kind, &arms, recipes, &mut derived.skipped);
                    derived.questions.extend(
                        recipes.into_iter().map(|recipe| Arc::new(question(suite, task, kind, recipe))),
                    );
                }
                Err(reason) => {
                    derived.skipped.push(Skipped {
                        task: task.id.clone(),
                        kind: kind.name.to_owned(),
                        reason,
                    });
                }
            }
        }
    }
    derived
}

impl Suite {
    /// The kinds that it derives, in the order of `KINDS`; all where it names none.
    pub fn wanted_kinds(&self) -> impl Iterator<Item = &'static Kind> {
        KINDS.iter().filter(|kind| match &self.kinds {
            Some(names) => names.iter().any(|name| name == kind.name),
            None => true,
        })
    }
}

/// Recipes, and behind each base arm the same under each arm of the suite. An arm that changes nothing in any
/// kind of a task is told of once.
fn with_arms(
    suite: &Suite,
    task: &Task,
    kind: &Kind,
    arms: &[ArmChoice],
    recipes: Vec<Recipe>,
    skipped: &mut Vec<Skipped>,
) -> Vec<Recipe> {
    let mut all = Vec::with_capacity(recipes.len() * (1 + arms.len()));
    for recipe in recipes {
        let base = (recipe.arm.is_none() && !arms.is_empty()).then(|| recipe.clone());
        all.push(recipe);
        for (base, arm) in base.iter().flat_map(|base| arms.iter().map(move |arm| (base, arm))) {
            match arm.of(kind.name, suite, task, base) {
                Ok(recipe) => all.push(recipe),
                Err(reason) => {
                    let none = Skipped { task: task.id.clone(), kind: format!("@{}", arm.name()), reason };
                    if !skipped
                        .iter()
                        .rev()
                        .take_while(|other| other.task == none.task)
                        .any(|other| *other == none)
                    {
                        skipped.push(none);
                    }
                }
            }
        }
    }
    all
}

fn question(suite: &Suite, task: &Task, kind: &Kind, recipe: Recipe) -> Question {
    let Recipe { mut steps, settings, script, mut expectation, .. } = recipe;
    in_its_place(task, &mut steps);
    let suffix = joined(task.system.clone(), recipe.prompt_suffix);
    let prompt_suffix = joined(suffix, expectation.claim.request().map(str::to_owned));
    // What the hash leaves out is taken away for as long as it is made.
    let headline = std::mem::take(&mut expectation.headline);
    let side = std::mem::take(&mut expectation.side);
    let must_pass = std::mem::take(&mut expectation.must_pass);
    let hash = question_hash(&Hashed {
        steps: &steps,
        prompt_suffix: prompt_suffix.as_deref(),
        settings: &settings,
        script: &script,
        expectation: &expectation,
        clock: suite.clock.as_deref(),
    });
    let expectation = Expectation { headline, side, must_pass, ..expectation };
    let mut id = format!("{}.{}", task.id, kind.name);
    for part in recipe.variant.iter() {
        id = format!("{id}.{part}");
    }
    for arm in recipe.arm.iter() {
        id = format!("{id}@{arm}");
    }
    Question {
        id: ProbeId::new(&id),
        hash,
        kind: kind.name.to_owned(),
        arm: recipe.arm,
        task: task.id.clone(),
        steps,
        prompt_suffix,
        settings,
        script,
        expectation: Arc::new(expectation),
        clock: suite.clock.clone(),
        draft: task.draft,
        source: task.source.word().to_owned(),
        upstream: task.source.benchmark.clone(),
        needs: recipe.needs,
    }
}

/// Puts steps behind what was said before, and among the tools that are offered for the task.
fn in_its_place(task: &Task, steps: &mut [Step]) {
    if let Some(first) = steps.first_mut() {
        let said = |words: &EarlierWords| match words {
            EarlierWords::User(text) => Message::user(text),
            EarlierWords::Assistant(text) => Message::assistant(text),
        };
        first.messages.splice(0..0, task.history.iter().map(said));
    }
    let Some(offers) = &task.offers else { return };
    for step in steps.iter_mut().filter(|step| !step.catalog.nothing) {
        match &mut step.catalog.only {
            Some(only) => only.retain(|name| offers.contains(name)),
            only @ None => *only = Some(offers.clone()),
        }
    }
}

/// What stands behind the cell's prompt, part by part: the task's own words, what the kind appends, and the sentence
/// that asks for a claim, in every arm alike.
fn joined(first: Option<String>, second: Option<String>) -> Option<String> {
    match (first, second) {
        (Some(first), Some(second)) => Some(format!("{first}\n\n{second}")),
        (first, second) => first.or(second),
    }
}

/// What a question's hash covers: the user messages and what the kind adds or leaves out (`steps`,
/// `prompt_suffix`, `settings`), stubs, expectation, clock. What a task must pass and which rates a
/// probe enters are no part of what is asked: marking a task, or a build that counts more, keeps its pairs.
#[derive(Serialize)]
struct Hashed<'a> {
    steps: &'a [Step],
    prompt_suffix: Option<&'a str>,
    settings: &'a ArmSettings,
    script: &'a Script,
    expectation: &'a Expectation,
    clock: Option<&'a str>,
}

fn question_hash(hashed: &Hashed<'_>) -> Fingerprint {
    Fingerprint::of_json(hashed)
}
