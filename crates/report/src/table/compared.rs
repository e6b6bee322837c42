//! What changed between two sides, in the words and figures that every format uses.

use std::cmp::Ordering;

use ::probes::RateName;
use scorer::PairedRate;

use crate::compare::{
    Change, ChangedProbe, ComparedCell, Comparison, Direction, InventedChange, ProbeChange, ProbeDirection,
};
use crate::number::{PROBES_FOR_A_PERCENTAGE, count, counted, of, p_value, paired_share};
use crate::report::OutcomeCount;
use crate::words::words;

/// One rate of a pair of cells, as tables write it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ChangeFigures {
    /// `1.6 → 6.6 %`; none under ten pairs, and where one side has no figure.
    pub(crate) shares: Option<String>,
    /// `5 → 21 of 316`; none where one side has no figure.
    pub(crate) counts: Option<String>,
    /// `p = 0.004`, or `q = 0.04` of a rate that is for reading alone.
    pub(crate) p: Option<String>,
    /// What follows from it.
    pub(crate) direction: Direction,
    /// Why one side has no figure.
    pub(crate) absent: Option<String>,
}

/// A change as tables write it.
pub(crate) fn change_figures(change: &Change) -> ChangeFigures {
    let rate = change.rate.as_ref().filter(|_| change.direction != Direction::NotComparable);
    let enough = rate.filter(|rate| rate.pairs >= PROBES_FOR_A_PERCENTAGE);
    ChangeFigures {
        shares: enough.map(|rate| {
            format!("{} → {} %", paired_share(rate.baseline_rate), paired_share(rate.candidate_rate))
        }),
        counts: rate.map(|rate| {
            let (before, after) = (rate.baseline, rate.candidate);
            both_of((before.events, before.scored), (after.events, after.scored))
        }),
        p: rate
            .and(change.adjusted_p)
            .map(|p| format!("{} {}", if change.gated { "p" } else { "q" }, p_value(p))),
        direction: change.direction,
        absent: match rate {
            Some(_) => None,
            None => Some(change.reason.clone().unwrap_or_else(|| "no figure on one side".to_owned())),
        },
    }
}

/// `5 → 21 of 316`: events of trials scored on both sides, the second said once where it is the same on both.
fn both_of((events, scored): (u64, u64), (events_after, scored_after): (u64, u64)) -> String {
    let before = if scored == scored_after { count(events) } else { of(events, scored) };
    format!("{before} → {}", of(events_after, scored_after))
}

/// `the gated rate`, `both rates`, `all three rates`.
pub(crate) fn all_rates_words(comparison: &Comparison) -> String {
    match gated_rates(comparison).len() {
        1 => "the gated rate".to_owned(),
        2 => "both rates".to_owned(),
        3 => "all three rates".to_owned(),
        more => format!("all {more} rates"),
    }
}

/// How much was paired: `2 cells, 144 pairs each`, `2 cells, 318 and 319 pairs`.
pub(crate) fn pairs_words(comparison: &Comparison) -> String {
    let cells = &comparison.cells;
    let each: Vec<u64> = cells.iter().map(|cell| cell.pairs).collect();
    let pairs = match each.as_slice() {
        [] => "no pairs".to_owned(),
        [one] => counted(*one, "pair"),
        [first, rest @ ..] if rest.iter().all(|other| other == first) => {
            format!("{} each", counted(*first, "pair"))
        }
        [one, other] => format!("{} and {} pairs", count(*one), count(*other)),
        several => format!("{} pairs in all", count(several.iter().sum())),
    };
    format!("{}, {pairs}", counted(cells.len() as u64, "cell"))
}

/// The rates that head the table of a comparison: those that the gate looks at.
pub(crate) fn gated_rates(comparison: &Comparison) -> Vec<RateName> {
    let changes = comparison.cells.iter().flat_map(|cell| &cell.changes);
    let mut rates: Vec<RateName> =
        changes.filter(|change| change.gated).map(|change| change.metric).collect();
    rates.sort_unstable();
    rates.dedup();
    if rates.is_empty() { RateName::HEADLINE.to_vec() } else { rates }
}

/// One of the rates of a pair of cells.
pub(crate) fn change_of(cell: &ComparedCell, metric: RateName) -> Option<&Change> {
    cell.changes.iter().find(|change| change.metric == metric)
}

/// Rates for reading alone that moved: `misused-tool on desk gull-2: 1.4 → 9.7 %, 1 → 7 of 72, worse, q = 0.010`.
pub(crate) fn moved_beside(comparison: &Comparison) -> Vec<String> {
    let mut all = Vec::new();
    for cell in &comparison.cells {
        for change in cell.changes.iter().filter(|change| !change.gated) {
            if !matches!(change.direction, Direction::Rose | Direction::Fell) {
                continue;
            }
            let figures = change_figures(change);
            let parts: Vec<String> = [figures.shares, figures.counts]
                .into_iter()
                .flatten()
                .chain([change.direction.word().to_owned()])
                .chain(figures.p)
                .collect();
            all.push(format!("{} on {}: {}", words(change.metric).title, cell.label, parts.join(", ")));
        }
    }
    all
}

/// What the run could have seen: for each gated rate that says so, the greatest such rise over the cells, in
/// whole points: `rises from about 7 points in unknown-tool and 30 in shadow-call`.
pub(crate) fn sees_words(comparison: &Comparison) -> Option<String> {
    let mut parts = Vec::new();
    for metric in gated_rates(comparison) {
        let rises = comparison.cells.iter().filter_map(|cell| change_of(cell, metric)?.sees_rise);
        if let Some(rise) = rises.max_by(f64::total_cmp) {
            let points = crate::gate::whole_points(rise);
            let unit = if parts.is_empty() { " points" } else { "" };
            parts.push(format!("{points}{unit} in {}", words(metric).title));
        }
    }
    let (last, rest) = parts.split_last()?;
    Some(match rest {
        [] => format!("rises from about {last}"),
        rest => format!("rises from about {} and {last}", rest.join(", ")),
    })
}

/// What further trials of the probes that got worse in a rate showed: `11 of the 13 did it again in at least 3
/// of 5 further trials`; none where there were no further trials.
pub(crate) fn repeated_words(cell: &ComparedCell, metric: RateName) -> Option<String> {
    let worse = cell.changed.iter().filter(|probe| rate_of(probe, metric).is_some_and(got_worse));
    let tried: Vec<_> = worse
        .filter_map(|probe| probe.confirmed)
        .map(|confirmed| confirmed.candidate)
        .filter(|again| again.scored > 0)
        .collect();
    let first = tried.first()?.scored;
    let again = tried.iter().filter(|again| u64::from(again.events) * 2 > u64::from(again.scored)).count();
    let how_often = if tried.iter().all(|again| again.scored == first) {
        format!("at least {} of {first} further trials", first / 2 + 1)
    } else {
        "most of their further trials".to_owned()
    };
    Some(format!("{} of the {} did it again in {how_often}", count(again as u64), count(tried.len() as u64)))
}

fn rate_of(probe: &ChangedProbe, metric: RateName) -> Option<&ProbeChange> {
    probe.rates.iter().find(|rate| rate.metric == metric)
}

fn got_worse(rate: &ProbeChange) -> bool {
    rate.movement() == Ordering::Greater
}

/// What a reader has to know where the interval of a rise that is shown reaches down to zero.
pub(crate) fn cautious_words(rate: &PairedRate) -> Option<&'static str> {
    let (low, _) = rate.interval_95?;
    (low <= 0.0).then_some(
        "An interval supposes that probes of one task are alike, and is the more cautious of the two; the test \
         goes by what each task did.",
    )
}

/// `13 probes got worse, 2 better`.
pub(crate) fn moved_words(change: &Change) -> Option<String> {
    let rate = change.rate.as_ref()?;
    Some(format!("{} got worse, {} better", counted(rate.worse, "probe"), count(rate.better)))
}

/// What became of one changed probe: `unknown-tool 0 of 1 → 1 of 1`, and its outcome where that changed.
pub(crate) fn changed_words(probe: &ChangedProbe) -> String {
    let mut parts: Vec<String> = probe
        .rates
        .iter()
        .map(|rate| {
            let (before, after) = (rate.baseline, rate.candidate);
            format!(
                "{} {} → {}",
                words(rate.metric).title,
                of(before.events.into(), before.scored.into()),
                of(after.events.into(), after.scored.into())
            )
        })
        .collect();
    if let (Some(before), Some(after)) = probe.outcomes {
        parts.push(format!("{} → {}", before.as_str(), after.as_str()));
    }
    parts.join("; ")
}

/// `0 → 4 of 5`: further trials of both sides with the event.
pub(crate) fn again_words(probe: &ChangedProbe) -> Option<String> {
    let (before, after) = probe.confirmed.map(|again| (again.baseline, again.candidate))?;
    let is_any = before.scored > 0 || after.scored > 0;
    is_any.then(|| {
        both_of((before.events.into(), before.scored.into()), (after.events.into(), after.scored.into()))
    })
}

/// `17 changed in some rate: 14 worse, 3 better`.
pub(crate) fn changed_count_words(cell: &ComparedCell) -> String {
    let of = |direction| cell.changed.iter().filter(|probe| probe.direction == direction).count() as u64;
    let parts: Vec<String> = [
        (ProbeDirection::Worse, "worse"),
        (ProbeDirection::Mixed, "mixed"),
        (ProbeDirection::Better, "better"),
    ]
    .into_iter()
    .map(|(direction, word)| (of(direction), word))
    .filter(|(probes, _)| *probes > 0)
    .map(|(probes, word)| format!("{} {word}", count(probes)))
    .collect();
    match parts.as_slice() {
        [] => "none changed".to_owned(),
        parts => {
            format!("{} changed in some rate: {}", count(cell.changed.len() as u64), parts.join(", "))
        }
    }
}

/// Names that are called and do not exist, those beyond `limit` added up.
pub(crate) struct InventedRows<'a> {
    /// The first ones.
    pub(crate) listed: &'a [InventedChange],
    /// How many others, and trials of the baseline and of the candidate that called them.
    pub(crate) others: Option<(u64, u64, u64)>,
}

pub(crate) fn invented_rows(cell: &ComparedCell, limit: usize) -> InventedRows<'_> {
    let (listed, rest) = cell.invented.split_at(limit.min(cell.invented.len()));
    let sum = |of: fn(&InventedChange) -> u64| rest.iter().map(of).sum();
    let others = (!rest.is_empty())
        .then(|| (rest.len() as u64, sum(|name| name.baseline), sum(|name| name.candidate)));
    InventedRows { listed, others }
}

/// `refused 30 → 20, clarified 2 → 2, ...`; all outcomes, in the order in which they are always shown. Where the
/// sides have unequal trials, what each adds up to is said first.
pub(crate) fn outcome_words(cell: &ComparedCell) -> Option<String> {
    let outcomes = cell.outcomes.as_ref()?;
    let all = |side: &[OutcomeCount]| side.iter().map(|outcome| outcome.trials).sum::<u64>();
    let (before, after) = (all(&outcomes.baseline), all(&outcomes.candidate));
    let unequal = (before != after).then(|| format!("of {} → {} trials ", count(before), count(after)));
    let parts: Vec<String> = outcomes
        .baseline
        .iter()
        .zip(&outcomes.candidate)
        .map(|(before, after)| {
            format!("{} {} → {}", before.outcome.as_str(), count(before.trials), count(after.trials))
        })
        .collect();
    Some(format!("{}{}", unequal.unwrap_or_default(), parts.join(", ")))
}

/// The scored trials that a pair's invented names are counted over, where the sides have unequally many.
pub(crate) fn invented_over(cell: &ComparedCell) -> Option<String> {
    let (before, after) = cell.scored;
    (before != after).then(|| format!("of {} → {} scored", count(before), count(after)))
}

/// What the notes do not say: that both sides ran beside each other, and that one thing differs.
pub(crate) fn circumstances_words(comparison: &Comparison) -> Option<String> {
    let mut parts = Vec::new();
    if comparison.concurrent {
        parts.push("both sides ran together, trial beside trial".to_owned());
    }
    match comparison.factors.as_slice() {
        [] => parts.push("prompt, catalog and target are the same on both".to_owned()),
        [one] => parts.push(format!("only the {} differs", one.as_str())),
        _ => {}
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

#[cfg(test)]
mod tests {
    use scorer::{PerTrial, Repeats};

    use super::*;
    use crate::compare::Confirmed;

    fn change(pairs: u64, before: (u64, u64), after: (u64, u64)) -> Change {
        let side = |(events, scored)| PerTrial { events, scored };
        #[expect(clippy::cast_precision_loss, reason = "small counts")]
        let share = |(events, scored): (u64, u64)| events as f64 / scored as f64;
        Change {
            metric: RateName::UnknownTool,
            gated: true,
            rate: Some(PairedRate {
                metric: RateName::UnknownTool,
                pairs,
                tasks: pairs,
                baseline: side(before),
                candidate: side(after),
                baseline_rate: share(before),
                candidate_rate: share(after),
                difference: share(after) - share(before),
                interval_95: None,
                interval_90: None,
                worse: 1,
                better: 0,
                exact_p: Some(0.000_4),
                mid_p: Some(0.000_2),
                task_correlation: 0.0,
            }),
            adjusted_p: Some(0.000_6),
            direction: Direction::Rose,
            reason: None,
            sees_rise: None,
            baseline_coverage: before,
            candidate_coverage: after,
        }
    }

    fn probe(again: Option<(u32, u32)>, worse: bool) -> ChangedProbe {
        let repeats = |events| Repeats { events, scored: 1 };
        ChangedProbe {
            probe: transcript::ProbeId::new("a.decoy"),
            kind: "decoy".into(),
            arm: None,
            task: "a".into(),
            tool: None,
            must_pass: false,
            direction: if worse { ProbeDirection::Worse } else { ProbeDirection::Better },
            rates: vec![ProbeChange {
                metric: RateName::UnknownTool,
                gated: true,
                baseline: repeats(u32::from(!worse)),
                candidate: repeats(u32::from(worse)),
            }],
            outcomes: (None, None),
            confirmed: again.map(|(events, scored)| Confirmed {
                baseline: Repeats::default(),
                candidate: Repeats { events, scored },
            }),
            baseline_trial: None,
            candidate_trial: None,
        }
    }

    fn cell(changed: Vec<ChangedProbe>) -> ComparedCell {
        ComparedCell {
            scored: (0, 0),
            label: "desk gull-2".into(),
            prompt: None,
            catalog: "harbor/2".into(),
            target: "gull-2".into(),
            baseline: transcript::CellId("c0".into()),
            candidate: transcript::CellId("c1".into()),
            factors: vec![],
            simulated: false,
            pairs: 4,
            changes: vec![],
            outcomes: None,
            invented: vec![],
            changed,
            unpaired: vec![],
        }
    }

    #[test]
    fn a_change_is_never_without_its_counts_and_never_a_percentage_of_few() {
        let many = change_figures(&change(143, (3, 143), (14, 143)));
        assert_eq!(many.shares.as_deref(), Some("2.1 → 9.8 %"));
        assert_eq!(many.counts.as_deref(), Some("3 → 14 of 143"));
        assert_eq!(many.p.as_deref(), Some("p < 0.001"));
        let few = change_figures(&change(9, (0, 27), (3, 26)));
        assert_eq!((few.shares, few.counts.as_deref()), (None, Some("0 of 27 → 3 of 26")));
    }

    #[test]
    fn what_is_not_comparable_has_a_reason_and_no_figure() {
        let mut hidden = change(143, (3, 143), (14, 143));
        hidden.direction = Direction::NotComparable;
        hidden.reason = Some("hidden by the endpoint in the candidate".into());
        let figures = change_figures(&hidden);
        assert_eq!((figures.shares, figures.counts, figures.p), (None, None, None));
        assert_eq!(figures.absent.as_deref(), Some("hidden by the endpoint in the candidate"));
    }

    #[test]
    fn a_probe_did_it_again_where_most_of_its_further_trials_did() {
        let rate = RateName::UnknownTool;
        let three = vec![probe(Some((3, 5)), true), probe(Some((2, 5)), true), probe(Some((5, 5)), false)];
        assert_eq!(
            repeated_words(&cell(three), rate).as_deref(),
            Some("1 of the 2 did it again in at least 3 of 5 further trials")
        );
        let uneven = vec![probe(Some((2, 4)), true), probe(Some((5, 5)), true)];
        assert_eq!(
            repeated_words(&cell(uneven), rate).as_deref(),
            Some("1 of the 2 did it again in most of their further trials")
        );
        assert_eq!(repeated_words(&cell(vec![probe(None, true)]), rate), None);
        assert_eq!(repeated_words(&cell(vec![probe(Some((0, 0)), true)]), rate), None);
    }

    #[test]
    fn changed_probes_are_counted_by_direction() {
        assert_eq!(
            changed_count_words(&cell(vec![probe(None, true), probe(None, false), probe(None, true)])),
            "3 changed in some rate: 2 worse, 1 better"
        );
        assert_eq!(changed_count_words(&cell(vec![])), "none changed");
        assert_eq!(changed_words(&probe(None, true)), "unknown-tool 0 of 1 → 1 of 1");
        assert_eq!(again_words(&probe(Some((4, 5)), true)).as_deref(), Some("0 of 0 → 4 of 5"));
        assert_eq!(again_words(&probe(Some((0, 0)), true)), None);
    }
}
