//! Kinds that make many probes of each task are told a part of them, so that a suite over a hundred tools can be
//! paid for and every form and size still occurs.

use probes::{BrokenRead, Catalog, SizeLadder, reads};

use crate::task::DraftedTask;

/// The forms of `broken_read`.
const FORMS: &[&str] = &[
    "markup-in-json",
    "login-page",
    "rows-under-another-key",
    "unfiltered-corpus",
    "empty-body",
    "empty-content",
    "dropped-filter",
    "rows-that-are-no-list",
    "inner-error",
    "page-cap",
];

/// The sizes of `size_ladder`.
const RUNGS: &[u32] = &[4, 8, 16, 32, 64, 128, 256, 512];

/// How many tasks a form and a rung should have at least.
const EACH: usize = 6;

/// How many tasks climb at most: a rung of 512 tools is the dearest request of all.
const CLIMBING: usize = 24;

/// Gives the tasks their forms and rungs in turn; `others` tasks of the suite have theirs already.
pub(crate) fn sampled(catalog: &Catalog, tasks: &mut [DraftedTask], others: usize) {
    let is_reading = |task: &DraftedTask| {
        task.tool.as_deref().and_then(|name| catalog.get(name)).is_some_and(|tool| reads(tool))
    };
    let readers = tasks.iter().filter(|task| is_reading(task)).count();
    let forms = share(FORMS.len(), readers + others);
    let every = (tasks.len() + others).div_ceil(CLIMBING).max(1);
    let rungs = share(RUNGS.len(), (tasks.len() + others).div_ceil(every));
    let mut reader = 0;
    for (at, task) in tasks.iter_mut().enumerate() {
        let climbs = (at + others).is_multiple_of(every);
        let sizes = if climbs { turn(RUNGS, at / every * rungs, rungs) } else { Vec::new() };
        task.kinds.size_ladder = Some(SizeLadder { rungs: sizes });
        if is_reading(task) {
            let forms = turn(FORMS, reader * forms, forms).into_iter().map(str::to_owned).collect();
            task.kinds.broken_read = Some(BrokenRead { forms: Some(forms), rows: Vec::new() });
            reader += 1;
        }
    }
}

/// How many of a list each of so many takes.
fn share(of: usize, takers: usize) -> usize {
    (of * EACH).div_ceil(takers.max(1)).clamp(1, of)
}

/// So many of a list from a place on, around its end, in the list's order.
fn turn<T: Copy>(list: &[T], from: usize, count: usize) -> Vec<T> {
    let mut places: Vec<usize> = (from..from + count).map(|at| at % list.len()).collect();
    places.sort_unstable();
    places.into_iter().filter_map(|at| list.get(at).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_tasks_take_all_and_many_take_one_each() {
        assert_eq!((share(8, 1), share(8, 12), share(8, 119), share(10, 0)), (8, 4, 1, 10));
        assert_eq!(turn(&[1, 2, 3], 2, 2), [1, 3]);
        let sizes: std::collections::BTreeSet<u32> = (0..12).flat_map(|at| turn(RUNGS, at * 2, 2)).collect();
        assert_eq!(sizes.len(), RUNGS.len());
    }
}
