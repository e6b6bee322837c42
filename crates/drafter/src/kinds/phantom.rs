//! Requests of several steps: two that can be done and one that no tool can do; four that can, where every verb of
//! the catalog is there.

use probes::{Catalog, Phantom, PhantomStep, reads};
use transcript::Tool;

use crate::schema::Schema;
use crate::state::says_state;
use crate::task::DraftedTask;

/// How many tasks get one at most: a request of three steps takes three times the tokens of one.
const MOST: usize = 8;

/// The longest words of one step, in characters: longer requests are read by nobody.
const LONGEST: usize = 240;

/// Hangs requests of several steps on tasks that write.
pub(crate) fn phantoms(catalog: &Catalog, tasks: &mut [DraftedTask], absent: &[DraftedTask]) {
    let is_step = |task: &DraftedTask| {
        let tool = task.tool.as_deref().and_then(|name| catalog.get(name));
        tool.is_some_and(|tool| !reads(tool) && is_whole(task, tool))
            && task.user.chars().count() <= LONGEST
            && !task.user.contains('\n')
            // What is open for one step is not for the next.
            && !says_state(&task.user)
    };
    let steps: Vec<usize> =
        tasks.iter().enumerate().filter(|(_, task)| is_step(task)).map(|(at, _)| at).collect();
    let each = if absent.is_empty() { 4 } else { 2 };
    for (turn, chosen) in steps.chunks_exact(each).take(MOST).enumerate() {
        let own: Vec<&DraftedTask> = chosen.iter().filter_map(|at| tasks.get(*at)).collect();
        // The impossible step is about another thing than the others: after them nobody could tell what failed.
        let about: Vec<&str> = own.iter().flat_map(|task| values(&task.user)).collect();
        let is_other = |task: &&DraftedTask| !values(&task.user).any(|value| about.contains(&value));
        let last = absent.iter().cycle().skip(turn).take(absent.len()).find(is_other);
        if last.is_none() && !absent.is_empty() {
            continue;
        }
        let all: Vec<&DraftedTask> = own.into_iter().chain(last).collect();
        let told = Phantom { user: words(&all), steps: all.iter().map(|task| step(task)).collect() };
        if let Some(task) = chosen.first().and_then(|at| tasks.get_mut(*at)) {
            task.kinds.phantom = Some(told);
        }
    }
}

/// Whether a task lists all that its call needs: of what is asked for in plain words no step could be told done.
fn is_whole(task: &DraftedTask, tool: &Tool) -> bool {
    let arguments = Schema::of(tool).arguments();
    arguments.iter().all(|argument| !argument.required || task.arguments.contains_key(&argument.name))
        && !task.arguments.keys().any(|name| name.starts_with('/'))
}

/// What stands in words as a value: what has a digit, a slash or a hyphen in it.
fn values(words: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| !c.is_alphanumeric();
    words
        .split(' ')
        .map(move |word| word.trim_matches(ends))
        .filter(|word| word.len() > 3 && word.chars().any(|c| c.is_ascii_digit() || "/-_".contains(c)))
}

fn step(task: &DraftedTask) -> PhantomStep {
    PhantomStep {
        tool: task.tool.as_deref().or(task.absent_tool.as_deref()).unwrap_or_default().into(),
        impossible: task.absent_tool.is_some(),
        arguments: task.arguments.clone(),
    }
}

fn words(steps: &[&DraftedTask]) -> String {
    let count = ["No", "One", "Two", "Three", "Four", "Five"].get(steps.len()).unwrap_or(&"Several");
    let lines: Vec<String> =
        steps.iter().enumerate().map(|(at, task)| format!("{}) {}", at + 1, task.user)).collect();
    format!("{count} things, in this order:\n{}", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::task::DraftSource;

    #[test]
    fn the_impossible_step_is_about_another_thing() {
        let text = r#"{"tools":[{"name":"create_note"},{"name":"send_note"}]}"#;
        let catalog = Catalog::from_text(Path::new("c.json"), text).unwrap();
        let task = |tool: &str, user: &str| {
            let made = DraftedTask::of(tool.to_owned(), user.to_owned(), DraftSource::Schema);
            DraftedTask { tool: Some(tool.to_owned()), ..made }
        };
        let absent = |user: &str| DraftedTask {
            absent_tool: Some("delete_note".into()),
            tool: None,
            ..task("delete_note", user)
        };
        let last = |absent: &[DraftedTask]| {
            let mut tasks =
                [task("create_note", "Create note NTE-1."), task("send_note", "Send note NTE-2.")];
            phantoms(&catalog, &mut tasks, absent);
            tasks[0].kinds.phantom.as_ref().map(|phantom| phantom.user.lines().last().unwrap().to_owned())
        };
        let (same, other) = (absent("Delete note NTE-1"), absent("Delete note NTE-7"));
        assert_eq!(last(&[same.clone(), other]).as_deref(), Some("3) Delete note NTE-7"));
        assert_eq!(last(&[same]), None);
        let open = [
            task("create_note", "A dialog is open on the page. Handle the dialog."),
            task("send_note", "Send note NTE-2."),
        ];
        let mut tasks = open.clone();
        phantoms(&catalog, &mut tasks, &[absent("Delete note NTE-7")]);
        assert_eq!(tasks, open);
        // What is asked for in plain words is no step.
        let text = r#"{"tools":[{"name":"create_note","inputSchema":{"properties":{"rules":{"type":"object"}},"required":["rules"]}},{"name":"send_note"}]}"#;
        let catalog = Catalog::from_text(Path::new("c.json"), text).unwrap();
        let mut tasks = [task("create_note", "Create a note."), task("send_note", "Send note NTE-2.")];
        phantoms(&catalog, &mut tasks, &[absent("Delete note NTE-7")]);
        assert!(tasks.iter().all(|task| task.kinds.phantom.is_none()));
    }
}
