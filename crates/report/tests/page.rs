//! The page of a comparison: what it answers, that it stays small, and that nothing in it runs but its own filter.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod canonical;

use std::sync::OnceLock;

use canonical::{Canonical, huge_comparison, rendered};
use report::{Excerpt, Format, GateVerdict, Report, ShownTrial};

const COMPARISONS: [&str; 6] =
    ["worse", "unclear", "better", "not_comparable", "several_factors", "hostile_comparison"];

/// One of the canonical reports, which are made once.
fn named(name: &str) -> Report {
    all().iter().find(|canonical| canonical.name == name).unwrap().report.clone()
}

fn all() -> &'static [Canonical] {
    static ALL: OnceLock<Vec<Canonical>> = OnceLock::new();
    ALL.get_or_init(canonical::canonical)
}

fn page(report: &Report) -> String {
    rendered(report, Format::Html)
}

/// The part of a page between two marks.
fn between<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
    let rest = page.split_once(from).unwrap_or_else(|| panic!("no {from}")).1;
    rest.split_once(to).unwrap_or_else(|| panic!("no {to}")).0
}

/// Text with its markup taken out.
fn plain(markup: &str) -> String {
    let mut out = String::new();
    for piece in markup.split('<') {
        out.push_str(piece.split_once('>').map_or(piece, |(_, text)| text));
        out.push(' ');
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A comparison of so many changed probes, in whose every trial something is wrong and every text is long.
fn large(probes: usize) -> Report {
    let mut report = named("worse");
    let comparison = report.comparison.as_mut().unwrap();
    let texts = |trial: &mut ShownTrial, at: usize| {
        let long = "The berth plan says \"taken\" & nobody <knows> why / when. ".repeat(20);
        trial.trial = format!("probe-{at}.decoy/{}/0", trial.cell);
        for turn in &mut trial.turns {
            turn.text = Some(Excerpt { text: long.clone(), left_out: 0 });
            turn.reasoning = Some(Excerpt { text: long.clone(), left_out: 7 });
        }
    };
    let pair = &mut comparison.cells[0];
    let example = pair.changed[0].clone();
    let sides = [example.baseline_trial.unwrap(), example.candidate_trial.unwrap()];
    let sides = sides.map(|at| comparison.trials[at].clone());
    comparison.trials.clear();
    pair.changed.clear();
    report.failing.clear();
    for at in 0..probes {
        let mut changed = example.clone();
        for (side, mut trial) in sides.clone().into_iter().enumerate() {
            texts(&mut trial, at);
            let place = Some(comparison.trials.len());
            if side == 0 {
                changed.baseline_trial = place
            } else {
                changed.candidate_trial = place
            }
            comparison.trials.push(trial.clone());
            report.failing.push(trial);
        }
        pair.changed.push(changed);
    }
    for pair in &mut comparison.cells[1..] {
        pair.changed.clear();
    }
    report
}

#[test]
fn the_first_screen_says_whether_by_how_much_how_sure_and_where() {
    let report = named("worse");
    let page = page(&report);
    let top = plain(between(&page, "<body>", "id=\"differences\""));
    for words in [
        "Did this change make it worse?",
        "fail",
        &report.gate.as_ref().unwrap().headline[1..],
        "2.1 → 9.8 %",
        "3 → 14 of 143 paired probes",
        "p = 0.011",
        "Only the prompt differs. Both sides ran in one run, trial beside trial.",
        "prompts&#x2f;desk.md",
        "added as line 3 + You can change every booking of the port.",
        "15 worse",
    ] {
        assert!(top.contains(words), "{words}\n{top}");
    }
}

#[test]
fn every_verdict_is_a_word_with_a_mark() {
    for name in COMPARISONS {
        let report = named(name);
        let page = page(&report);
        let word = plain(between(&page, "<p class=\"word\">", "</p>"));
        let verdict = report.gate.as_ref().unwrap().verdict;
        assert!(word.starts_with(verdict.as_str()), "{name}: {word}");
        assert!(between(&page, "<p class=\"word\">", "</p>").contains("<svg"), "{name}");
        if verdict == GateVerdict::Inconclusive {
            assert!(word.contains("here"), "{name}: what becomes of it stands beside it");
        }
    }
}

#[test]
fn what_cannot_be_compared_has_no_figure_and_a_reason() {
    let page = page(&named("not_comparable"));
    let grid = between(&page, "<tbody role=\"rowgroup\">", "</tbody>");
    assert!(plain(grid).contains("not comparable the endpoints differ: constrains_names unknown and yes"));
    assert!(!grid.contains("class=\"shares\"") && !grid.contains(" → "));
    assert!(!between(&page, "<figure class=\"delta\">", "</figure>").contains("<circle"));
}

#[test]
fn a_rise_that_could_not_be_seen_is_said_beside_an_unclear_rate() {
    let grid = plain(between(&page(&named("unclear")), "<table class=\"grid\"", "</table>"));
    assert!(
        grid.contains("could have shown a rise from about")
            || grid.contains("too few tasks to show any rise")
    );
}

#[test]
fn each_difference_is_drawn_with_both_intervals_and_said_in_words() {
    let report = named("worse");
    let page = page(&report);
    let plot = between(&page, "<figure class=\"delta\">", "</figure>");
    let pairs = report.comparison.as_ref().unwrap().cells.len();
    assert_eq!(plot.matches("<circle").count(), 3 * pairs);
    assert_eq!(plot.matches("class=\"thick\"").count(), 3 * pairs);
    assert!(plot.contains("aria-label=\"unknown-tool, desk gull-2: worse, +7.7 points, 95 % interval"));
    assert!(!plot.contains("class=\"tolerance\""), "the policy has none");
    let tolerant = self::page(&named("better"));
    let plot = between(&tolerant, "<figure class=\"delta\">", "</figure>");
    assert!(plot.contains("class=\"tolerance\"") && plot.contains("dashed: tolerance of 5.0 points"));
}

#[test]
fn a_changed_probe_opens_both_sides_beside_each_other() {
    let report = named("worse");
    let page = page(&report);
    let list = between(&page, "id=\"changed\"", "id=\"gate\"");
    let changed: usize =
        report.comparison.as_ref().unwrap().cells.iter().map(|cell| cell.changed.len()).sum();
    assert_eq!(list.matches("<details class=\"trial item\"").count(), changed);
    let first = between(list, "<details class=\"trial item\"", "</details>\n<details class=\"trial item\"");
    let words = plain(first);
    for said in [
        "Asked on both sides",
        "Baseline main",
        "Candidate this change",
        "Found",
        "Emitted",
        "Put to both sides again",
    ] {
        assert!(words.contains(said), "{said}: {words}");
    }
}

#[test]
fn an_accepted_baseline_says_that_it_holds_no_transcripts() {
    let page = page(&named("several_factors"));
    assert!(page.contains("An accepted baseline holds outcomes and no transcripts."));
    assert!(page.contains("an accepted baseline: outcomes without transcripts"));
}

#[test]
fn the_page_of_two_thousand_failing_trials_stays_below_three_megabytes_and_counts_what_it_leaves_out() {
    let report = large(1_000);
    let page = page(&report);
    assert!(page.len() < 3_000_000, "{} bytes", page.len());
    assert_eq!(
        page.matches("class=\"trial item\"").count() + page.matches("class=\"trial line item\"").count(),
        3_000
    );
    let whole = page.matches("<div class=\"pair\"").count();
    assert!(whole > 100, "{whole} changed probes are shown whole");
    assert!(page.contains(&format!(
        "{} changed probes are shown as one line, so that the page stays small",
        1_000 - whole
    )));
    assert!(page.contains(&format!(
        "{} failing trials are shown as one line",
        report::visible(&group(2_000 - 2 * whole))
    )));
    assert_eq!(page.matches("\">beside the other side</a>").count(), 2 * whole, "nothing is shown twice");
}

#[test]
fn the_page_of_a_comparison_of_endless_lists_stays_below_three_megabytes_too() {
    let page = page(&huge_comparison());
    assert!(page.len() < 3_000_000, "{} bytes", page.len());
    for counted in ["488 more notes", "37 more pairs", "more changed probes are not on this page"] {
        assert!(page.contains(counted), "{counted}");
    }
}

/// A count with a comma before its last three digits.
fn group(number: usize) -> String {
    if number < 1_000 { number.to_string() } else { format!("{},{:03}", number / 1_000, number % 1_000) }
}

#[test]
fn a_page_with_room_leaves_nothing_out() {
    for name in COMPARISONS {
        let page = page(&named(name));
        assert!(!page.contains("trial line item\"") || page.contains("beside the other side"), "{name}");
        assert!(!page.contains("shown as one line"), "{name}");
    }
}

#[test]
fn the_policy_of_the_page_allows_its_own_style_and_script_and_nothing_else() {
    let scripts: Vec<String> = all()
        .iter()
        .map(|canonical| {
            let page = rendered(&canonical.report, Format::Html);
            let policy = between(&page, "Content-Security-Policy\" content=\"", "\">");
            assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
            assert!(!policy.contains("unsafe"), "{policy}");
            assert!(!page.contains(" style=\""), "{}: an inline style would be refused", canonical.name);
            let script = page.split_once("<script>").map(|(_, rest)| rest.split_once("</script>").unwrap().0);
            assert_eq!(script.is_none(), policy.contains("script-src 'none'"), "{}", canonical.name);
            script.unwrap_or_default().to_owned()
        })
        .filter(|script| !script.is_empty())
        .collect();
    assert!(scripts.len() > 2);
    assert!(scripts.iter().all(|script| *script == scripts[0]), "one script, whatever the report holds");
    assert!(!scripts[0].contains('\r') && !scripts[0].contains("<!--"));
}

#[test]
fn headings_stand_in_order_and_ids_are_unique() {
    for canonical in all() {
        let page = rendered(&canonical.report, Format::Html);
        let page = page.split("<script>").next().unwrap();
        let mut last = 0;
        for piece in page.split("<h").skip(1) {
            let Some(level) = piece.chars().next().and_then(|digit| digit.to_digit(10)) else { continue };
            assert!(
                level <= last + 1,
                "{}: h{level} after h{last}: {}",
                canonical.name,
                &piece[..40.min(piece.len())]
            );
            last = level;
        }
        let mut ids: Vec<&str> =
            page.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        let all = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all, "{}", canonical.name);
        for target in page.split(" href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            assert!(
                ids.binary_search(&target).is_ok(),
                "{}: a link to #{target} leads nowhere",
                canonical.name
            );
        }
    }
}

#[test]
fn the_failing_trials_of_a_plain_run_can_be_filtered_too() {
    let page = page(&named("faulty"));
    assert!(page.contains("<form class=\"filter\" hidden role=\"search\" data-list=\"failing\""));
    assert!(page.contains("<option value=\"lookalike\">lookalike (1)</option>"));
    assert!(!self::page(&named("nothing")).contains("<form"));
}

#[test]
fn every_format_says_alike_how_many_lines_of_a_prompt_differ() {
    let mut report = named("worse");
    let lines = &mut report.comparison.as_mut().unwrap().differences.prompts[0].lines;
    let mut blank = lines.iter().find(|line| line.added).unwrap().clone();
    blank.text.text = "  ".into();
    lines.push(blank);
    for format in [Format::Text, Format::Markdown, Format::Html] {
        let drawn = rendered(&report, format);
        assert!(drawn.contains("2 lines added, 1 removed"), "{format:?}: a blank line is no line");
    }
}
