//! A result that says something else than habit would: does the answer follow it.

use crate::kind::{AllowedReads, Kind, KindSettings, Recipe, StubDefault, oracle, wants_a_tool};
use crate::{AnswerOracle, ClaimLine, RateName, RightBehaviour, Script, ScriptRule, StubAnswer, Task};

pub(super) const KIND: Kind = Kind {
    name: "canary",
    summary: "The whole catalog and the user's words; the wanted tool returns a result that contradicts the habit answer.",
    isolates: "ignored results",
    headline: &[],
    side: &[RateName::IgnoredResult],
    right: RightBehaviour::FollowResult,
    claim: ClaimLine::Answer,
    reads: AllowedReads::Listed,
    stubs: StubDefault::Scripted,
    derive,
};

fn derive(task: &Task, settings: &KindSettings<'_>) -> Result<Vec<Recipe>, String> {
    let tool = wants_a_tool(task)?;
    let mut recipe = KIND.recipe_with_tool(task, settings)?;
    let told = task.kinds.canary.as_ref().ok_or("the task's `kinds` have no `canary`")?;
    if let Some(words) = &told.user {
        recipe.say(words);
    }
    recipe.script = Script(vec![ScriptRule {
        tool: tool.into(),
        call: None,
        arguments: None,
        answer: StubAnswer::Returns(told.result.clone()),
    }]);
    recipe.expectation.answer =
        Some(AnswerOracle { follows: oracle(&told.answer, settings), habit: told.habit.clone() });
    Ok(vec![recipe])
}
