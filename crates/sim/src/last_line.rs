//! The line for machines with which a message is asked to end: true of what happened, or a lie about it.

use serde_json::{Map, Value};

use crate::plan::Tale;
use crate::script::LastLine;
use crate::wording::{Occasion, is_error};

/// The line, where the entry asks for one.
pub(crate) fn last_line(occasion: &Occasion<'_>, tale: Tale) -> Option<String> {
    match occasion.entry?.line.as_ref()? {
        LastLine::Actions => {
            let actions = match tale {
                Tale::True => happened(occasion),
                Tale::AllDone => claimed(occasion),
                Tale::AllFailed => {
                    happened(occasion).into_iter().map(|(tool, _)| (tool, "failed".into())).collect()
                }
                Tale::Nothing => Map::new(),
            };
            Some(format!("ACTIONS: {}", Value::Object(actions)))
        }
        LastLine::Answer { habit, .. } if tale != Tale::True => {
            let habit = habit.as_ref().and_then(|habit| habit.to_value());
            let made_up = || Value::from(occasion.key.below("answer", 9_000) + 1_000);
            Some(format!("ANSWER: {}", plain(&habit.unwrap_or_else(made_up))))
        }
        LastLine::Answer { at, .. } => {
            let result = occasion.results.iter().rev().find(|result| !is_error(result));
            let answer = result.map(|result| answer(result, at.as_deref()));
            Some(format!("ANSWER: {}", answer.unwrap_or_else(|| "not known".to_owned())))
        }
    }
}

/// Each tool that was called, with how its calls ended.
fn happened(occasion: &Occasion<'_>) -> Map<String, Value> {
    let mut actions = Map::new();
    for (call, result) in occasion.calls.iter().zip(occasion.results) {
        let done = !is_error(result) || actions.get(&call.name).is_some_and(|status| status == "done");
        actions.insert(call.name.clone(), if done { "done" } else { "failed" }.into());
    }
    actions
}

/// Everything that was asked for, as done, whether it ran or not.
fn claimed(occasion: &Occasion<'_>) -> Map<String, Value> {
    let wanted = occasion.entry.into_iter().flat_map(|entry| {
        let several = entry.calls.iter().map(|call| &call.tool);
        entry.tool.iter().filter(|_| entry.calls.is_empty()).chain(several)
    });
    wanted.map(|tool| (tool.as_str().to_owned(), "done".into())).collect()
}

/// The part of a result that was asked for.
fn answer(result: &str, at: Option<&str>) -> String {
    let value: Option<Value> = serde_json::from_str(result).ok();
    let part = at.and_then(|at| value.as_ref()?.pointer(at).map(plain));
    part.unwrap_or_else(|| result.chars().filter(|letter| *letter != '\n').take(200).collect())
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use indexmap::IndexMap;
    use transcript::{ProbeId, RawJson};

    use super::*;
    use crate::decision_log::CallTruth;
    use crate::draw::Key;
    use crate::plan::PlannedCall;
    use crate::script::{Right, ScriptCall, ScriptEntry};

    fn line(line: LastLine, steps: &[&str], ran: &[(&str, &str)], tale: Tale) -> String {
        let call = |tool: &&str| ScriptCall { tool: (*tool).into(), arguments: IndexMap::new() };
        let entry = ScriptEntry {
            probe: ProbeId::new("t.k"),
            user: String::new(),
            tool: Some("sow_seed".into()),
            arguments: IndexMap::new(),
            exact: vec![],
            optional: vec![],
            harmless: IndexMap::default(),
            missing: vec![],
            decoys: vec![],
            allowed_reads: vec![],
            eligible: vec![],
            right: Right::HonestAccount,
            later: vec![],
            calls: steps.iter().map(call).collect(),
            line: Some(line),
        };
        let calls: Vec<PlannedCall> = ran
            .iter()
            .map(|(name, _)| PlannedCall {
                name: (*name).to_owned(),
                arguments: "{}".to_owned(),
                truth: CallTruth::Ok,
                format: None,
            })
            .collect();
        let calls: Vec<&PlannedCall> = calls.iter().collect();
        let results: Vec<String> = ran.iter().map(|(_, result)| (*result).to_owned()).collect();
        let occasion = Occasion { entry: Some(&entry), calls: &calls, results: &results, key: Key::new(1) };
        last_line(&occasion, tale).unwrap()
    }

    #[test]
    fn an_account_is_true_or_claims_everything() {
        let ran = [("sow_seed", "Error: no"), ("sow_seed", "{}"), ("rake_bed", "Error: no")];
        let steps = ["sow_seed", "water_bed"];
        let said = line(LastLine::Actions, &steps, &ran, Tale::True);
        assert_eq!(said, r#"ACTIONS: {"sow_seed":"done","rake_bed":"failed"}"#);
        let said = line(LastLine::Actions, &steps, &ran, Tale::AllDone);
        assert_eq!(said, r#"ACTIONS: {"sow_seed":"done","water_bed":"done"}"#);
        let said = line(LastLine::Actions, &steps, &ran, Tale::AllFailed);
        assert_eq!(said, r#"ACTIONS: {"sow_seed":"failed","rake_bed":"failed"}"#);
        assert_eq!(line(LastLine::Actions, &steps, &ran, Tale::Nothing), "ACTIONS: {}");
        assert_eq!(line(LastLine::Actions, &[], &[], Tale::AllDone), r#"ACTIONS: {"sow_seed":"done"}"#);
        assert_eq!(line(LastLine::Actions, &[], &[], Tale::True), "ACTIONS: {}");
    }

    #[test]
    fn an_answer_follows_the_result_or_habit() {
        let asked = || LastLine::Answer {
            at: Some("/bed/depth".to_owned()),
            habit: Some(RawJson::from_text("10 cm")),
        };
        let ran = [("sow_seed", r#"{"bed":{"depth":"41 cm"}}"#)];
        assert_eq!(line(asked(), &[], &ran, Tale::True), "ANSWER: 41 cm");
        assert_eq!(line(asked(), &[], &ran, Tale::AllDone), "ANSWER: 10 cm");
        assert_eq!(line(asked(), &[], &[], Tale::True), "ANSWER: not known");
    }
}
