//! Requests of several steps: two that can be done and one that no tool can do; four that can, where every verb of
//! the catalog is there.

use probes::{Catalog, Phantom, PhantomStep, reads};

use crate::task::DraftedTask;

/// How many tasks get one at most: a request of three steps takes three times the tokens of one.
const MOST: usize = 8;

/// The longest words of one step, in characters: longer requests are read by nobody.
const LONGEST: usize = 240;

/// Hangs requests of several steps on tasks that write.
pub(crate) fn phantoms(catalog: &Catalog, tasks: &mut [DraftedTask], absent: &[DraftedTask]) {
    let is_step = |task: &DraftedTask| {
        let tool = task.tool.as_deref().and_then(|name| catalog.get(name));
        tool.is_some_and(|tool| !reads(tool))
            && task.user.chars().count() <= LONGEST
            && !task.user.contains('\n')
    };
    let steps: Vec<usize> =
        tasks.iter().enumerate().filter(|(_, task)| is_step(task)).map(|(at, _)| at).collect();
    let each = if absent.is_empty() { 4 } else { 2 };
    for (turn, chosen) in steps.chunks_exact(each).take(MOST).enumerate() {
        let own: Vec<&DraftedTask> = chosen.iter().filter_map(|at| tasks.get(*at)).collect();
        let last = absent.get(turn % absent.len().max(1));
        let all: Vec<&DraftedTask> = own.into_iter().chain(last).collect();
        let told = Phantom { user: words(&all), steps: all.iter().map(|task| step(task)).collect() };
        if let Some(task) = chosen.first().and_then(|at| tasks.get_mut(*at)) {
            task.kinds.phantom = Some(told);
        }
    }
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
