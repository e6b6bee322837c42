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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ValueOracle;
    use crate::kind::testing::{READS, none, recipes};

    #[test]
    fn the_tool_returns_what_the_task_says_and_the_answer_follows_it() {
        let told = format!(
            "{READS}, kinds: {{ canary: {{ user: Where is PX-9?, result: {{ at: Ulm }}, answer: Ulm, habit: Bonn }} }}"
        );
        let recipe = recipes(&KIND, &told).unwrap().remove(0);
        assert_eq!(recipe.steps[0].messages[0].text(), "Where is PX-9?");
        assert_eq!(recipe.script.0[0].answer, StubAnswer::Returns(serde_json::json!({ "at": "Ulm" })));
        let answer = recipe.expectation.answer.unwrap();
        assert_eq!(
            (answer.follows, answer.habit),
            (ValueOracle::Equals(Box::new("Ulm".into())), Some("Bonn".into()))
        );
        assert!(none(&KIND, READS).contains("no `canary`"));
    }
}
