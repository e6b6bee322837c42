//! What is not shared is in no format: canaries in a prompt, in schemas and in what a model said.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod canonical;

use canonical::{named, rendered};
use report::{Excerpt, FORMATS, Format, Report, Share};
use transcript::Role;

const PROMPT: &str = "canary-of-the-prompt";
const SCHEMA: &str = "canary-of-a-schema";
const WORDS: &str = "canary-of-the-words";
const RESULT: &str = "canary-of-a-result";
const QUOTE: &str = "canary-of-a-quote";
const NAME: &str = "canary_of_a_name";
const REASON: &str = "canary-of-a-reason";

fn put(excerpt: &mut Excerpt, canary: &str) {
    excerpt.text = format!("before {canary} after");
}

/// A report with canaries wherever others' words can stand.
fn with_canaries(name: &str) -> Report {
    let mut report = named(name);
    report.identity.prompts.values_mut().for_each(|prompt| put(&mut prompt.text, PROMPT));
    report.invented.iter_mut().for_each(|name| name.name = Excerpt::of(NAME, 100));
    report.excluded.listed.iter_mut().for_each(|trial| trial.reason = Some(REASON.to_owned()));
    let mut trials: Vec<&mut report::ShownTrial> = report.failing.iter_mut().collect();
    if let Some(comparison) = &mut report.comparison {
        for prompt in &mut comparison.differences.prompts {
            prompt.baseline = None;
            prompt.lines.iter_mut().for_each(|line| put(&mut line.text, PROMPT));
        }
        for tool in comparison.differences.catalogs.iter_mut().flat_map(|catalog| &mut catalog.changed) {
            tool.description = Some((Excerpt::of(SCHEMA, 100), Excerpt::of(SCHEMA, 100)));
            tool.arguments_added = vec![SCHEMA.to_owned()];
        }
        for cell in &mut comparison.cells {
            cell.invented.iter_mut().for_each(|name| name.name = Excerpt::of(NAME, 100));
        }
        trials.extend(&mut comparison.trials);
    }
    for trial in trials {
        trial.prompt_suffix = Some(Excerpt::of(PROMPT, 100));
        for message in &mut trial.messages {
            put(&mut message.text, if message.role == Role::User { QUOTE } else { WORDS });
        }
        for finding in &mut trial.findings {
            finding.evidence.quote = QUOTE.to_owned();
            put(&mut finding.message, QUOTE);
        }
        if let Some(evidence) = trial.outcome.as_mut().and_then(|outcome| outcome.evidence.as_mut()) {
            evidence.quote = QUOTE.to_owned();
        }
        for turn in &mut trial.turns {
            turn.text = Some(Excerpt::of(WORDS, 100));
            turn.reasoning = Some(Excerpt::of(WORDS, 100));
            turn.refusal = Some(Excerpt::of(WORDS, 100));
            for result in turn.calls.iter_mut().filter_map(|call| call.result.as_mut()) {
                put(&mut result.text, RESULT);
            }
        }
    }
    report
}

#[test]
fn what_is_not_shared_is_in_no_format() {
    let levels: [(Share, &[&str]); 2] = [
        (Share::Evidence, &[PROMPT, SCHEMA, WORDS, RESULT]),
        (Share::Summary, &[PROMPT, SCHEMA, WORDS, RESULT, QUOTE, NAME, REASON]),
    ];
    let mut seen = std::collections::BTreeSet::new();
    for name in
        ["hostile", "faulty", "excluded", "several_cells", "worse", "several_factors", "hostile_comparison"]
    {
        let whole = with_canaries(name);
        let json = rendered(&whole, Format::Json);
        seen.extend(
            [PROMPT, SCHEMA, WORDS, RESULT, QUOTE, NAME, REASON].into_iter().filter(|c| json.contains(c)),
        );
        for (share, canaries) in levels {
            let shared = whole.clone().shared(share);
            for entry in FORMATS {
                let text = rendered(&shared, entry.format);
                for canary in canaries {
                    assert!(!text.contains(canary), "{name} as {} at {share:?} has {canary}", entry.name);
                }
                let says = match entry.format {
                    Format::Json => text.contains(&format!("\"share\": \"{}\"", share.as_str())),
                    Format::Junit | Format::Csv => true,
                    _ => text.contains(&format!("shared as `{}`", share.as_str())),
                };
                assert!(says, "{name} as {} does not say what it leaves out", entry.name);
                assert!(entry.format != Format::Text || text.lines().count() <= 40, "{name} at {share:?}");
            }
        }
        let evidence = rendered(&whole.clone().shared(Share::Evidence), Format::Json);
        assert_eq!(evidence.contains(QUOTE), json.contains(QUOTE), "{name}");
    }
    assert_eq!(seen.len(), 7, "a canary was nowhere to be found: {seen:?}");
}

#[test]
fn figures_are_the_same_at_every_level() {
    for canonical in canonical::canonical() {
        let summary = canonical.report.clone().shared(Share::Summary);
        assert_eq!(summary.cells, canonical.report.cells, "{}", canonical.name);
        assert_eq!(summary.gate, canonical.report.gate);
        assert_eq!(summary.failing_trials(), canonical.report.failing_trials());
        let calls = |report: &Report| {
            report.invented.iter().map(|name| name.calls).sum::<u64>() + report.unlisted_names.calls
        };
        assert_eq!(calls(&summary), calls(&canonical.report));
        assert_eq!(summary.clone().shared(Share::Full), summary, "what is gone does not come back");
        assert_eq!(canonical.report.clone().shared(Share::Full), canonical.report);
        let csv = |report: &Report| rendered(report, Format::Csv);
        assert_eq!(csv(&summary), csv(&canonical.report), "{}", canonical.name);
    }
}
