//! From acts to the census.

mod absences;
mod rates;

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::absence::ArgumentFault;
use crate::census::{ArgumentErrors, ByName, Calls, Owed, OwedEvent, OwedRule};
use crate::dedup::{Act, Acts, Mark, Outcome, OwedAct};
use crate::labels::Label;
use crate::options::Options;
use crate::owed::OwedKind;
use crate::secret::without_secrets;

pub(crate) use absences::absent;
pub(crate) use rates::{parts, rates};

/// Every argument fault, in the order of its marks.
const FAULTS: &[ArgumentFault] = &[
    ArgumentFault::Missing,
    ArgumentFault::Unexpected,
    ArgumentFault::Type,
    ArgumentFault::Unparseable,
    ArgumentFault::NotLoaded,
    ArgumentFault::Other,
];

/// Names of files by their number.
pub(crate) struct Files<'a>(pub(crate) &'a [String]);

impl Files<'_> {
    pub(crate) fn name(&self, file: u32) -> String {
        self.0.get(file as usize).cloned().unwrap_or_default()
    }
}

/// The acts that count: an echo that was known as one only at the end does not.
pub(crate) fn counted(acts: &Acts) -> impl Iterator<Item = &Act> {
    acts.acts.iter().filter(|act| !act.marks.has(Mark::Echo))
}

/// Counts the calls.
pub(crate) fn calls(acts: &Acts) -> Calls {
    let mut out = Calls {
        occurrences: acts.occurrences,
        result_occurrences: acts.answer_occurrences,
        results_without_call: acts.orphans.len() as u64,
        ..Calls::default()
    };
    let mut by_tool: HashMap<Label, u64> = HashMap::new();
    for act in counted(acts) {
        let marks = act.marks;
        out.unique += 1;
        *by_tool.entry(act.name).or_default() += 1;
        let add = |mark, to: &mut u64| *to += u64::from(marks.has(mark));
        add(Mark::Answered, &mut out.answered);
        add(Mark::Error, &mut out.error_results);
        add(Mark::InnerError, &mut out.inner_errors);
        add(Mark::InnerUnknown, &mut out.inner_unknown);
        add(Mark::SubAgent, &mut out.by_sub_agents);
        if marks.has(Mark::Mirrored) {
            *if marks.has(Mark::Own) { &mut out.mirrored } else { &mut out.only_mirrored } += 1;
        }
    }
    out.unanswered = out.unique - out.answered;
    let (ids, with_id) = acts.ids();
    out.distinct_ids = ids;
    out.id_reuse = with_id.saturating_sub(ids);
    out.by_tool = named(acts, by_tool);
    out.provider_run = named(acts, acts.provider_calls.clone());
    out.by_action = named(acts, acts.actions.clone());
    let mut inner: HashMap<Label, u64> = HashMap::new();
    for (at, names) in &acts.inner {
        let is_echo = acts.acts.get(*at as usize).is_none_or(|act| act.marks.has(Mark::Echo));
        for name in names.iter().filter(|_| !is_echo) {
            *inner.entry(*name).or_default() += 1;
        }
    }
    out.inner_by_tool = named(acts, inner);
    out
}

/// Counts the calls whose arguments were refused.
pub(crate) fn argument_errors(acts: &Acts) -> ArgumentErrors {
    let mut out = ArgumentErrors::default();
    let mut by_tool: HashMap<Label, u64> = HashMap::new();
    for act in counted(acts) {
        let mut faults = FAULTS.iter().enumerate().filter(|(at, _)| act.marks.has_fault(*at)).peekable();
        if faults.peek().is_none() {
            continue;
        }
        out.unique += 1;
        *by_tool.entry(act.name).or_default() += 1;
        for (_, fault) in faults {
            *out.by_fault.entry(*fault).or_default() += 1;
        }
    }
    out.by_tool = named(acts, by_tool);
    out
}

/// The texts that owed a call: those whose message has no call after all.
pub(crate) fn owed(acts: &Acts, files: &Files<'_>, options: &Options) -> Owed {
    let mut messages: HashMap<u64, bool> =
        acts.owed.values().map(|owed| (owed.message, false)).filter(|(message, _)| *message != 0).collect();
    for act in &acts.acts {
        if let Some(has_call) = messages.get_mut(&act.message) {
            *has_call = true;
        }
    }
    let known = acts.known_tools();
    let has_claims = acts.owed.values().any(|owed| owed.owing.kind == OwedKind::Claim);
    let called = if has_claims { acts.called_by_lineage() } else { HashSet::new() };
    let is_owed = |owed: &&OwedAct| match owed.owing.kind {
        // A promise is one only where the log says that the turn ended with it.
        OwedKind::Promise => owed.ends_turn == Some(true),
        OwedKind::Claim => acts.is_claim_without_call(owed, &called),
        OwedKind::Refusal | OwedKind::Inventory | OwedKind::Required => true,
    };
    let mut events: Vec<_> = acts
        .owed
        .values()
        .filter(|owed| !messages.get(&owed.message).copied().unwrap_or_default())
        .filter(is_owed)
        .map(|owed| (owed.file, owed.line, owed.owing.kind, owed.owing.tool.clone(), &owed.owing.span))
        .collect();
    let rules = required(acts, options, &mut events);
    events.sort();
    let mut out = Owed { unique: events.len() as u64, rules, ..Owed::default() };
    for kind in OwedKind::ALL {
        out.by_kind.insert(*kind, 0);
    }
    for (file, line, kind, tool, span) in events {
        *out.by_kind.entry(kind).or_default() += 1;
        out.events.push(OwedEvent {
            file: files.name(file),
            line,
            kind,
            known: tool.as_deref().map(|tool| tool.split(" or ").any(|tool| known.contains(tool))),
            tool: tool.map(String::from),
            span: without_secrets(span).into_owned(),
        });
    }
    out
}

/// A text that owed a call: file, line, kind, tool, words.
type OwedText<'a> = (u32, u64, OwedKind, Option<Box<str>>, &'a Box<str>);

/// What came of the rules; the turns that ended without their call are added to the texts.
fn required<'a>(acts: &'a Acts, options: &Options, events: &mut Vec<OwedText<'a>>) -> Vec<OwedRule> {
    let mut rules: Vec<OwedRule> = options
        .rules
        .iter()
        .map(|rule| OwedRule { rule: rule.text().to_owned(), turns: 0, met: 0, unmet: 0, open: 0 })
        .collect();
    for act in &acts.required.acts {
        let Some(count) = rules.get_mut(act.rule) else { continue };
        count.turns += 1;
        match act.outcome {
            Outcome::Met => count.met += 1,
            Outcome::Open => count.open += 1,
            Outcome::Unmet => {
                count.unmet += 1;
                let tools = options.rules.get(act.rule).map(|rule| rule.tools().join(" or "));
                let tool = tools.map(String::into_boxed_str);
                events.push((act.file, act.line, OwedKind::Required, tool, &act.span));
            }
        }
    }
    rules
}

/// Counts by name, most frequent first, equal ones by name.
pub(crate) fn named(acts: &Acts, counts: HashMap<Label, u64>) -> ByName {
    let named = counts.into_iter().map(|(label, count)| (acts.labels.text(label).unwrap_or_default(), count));
    sorted(named.collect())
}

/// The same over texts.
pub(crate) fn sorted(mut counts: Vec<(&str, u64)>) -> ByName {
    counts.sort_by(|(name, count), (other, others)| others.cmp(count).then_with(|| name.cmp(other)));
    counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect()
}

/// Adds one under a text.
pub(crate) fn one_more<'a>(counts: &mut BTreeMap<&'a str, u64>, name: &'a str) {
    *counts.entry(name).or_default() += 1;
}
