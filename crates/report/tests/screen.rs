//! A terminal of 40 lines: what it says of two sides, and of a gate without them.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod canonical;

use canonical::{huge_comparison, named, rendered};
use report::{Format, GateVerdict, Report};

#[test]
fn a_regression_is_on_one_screen() {
    let drawn = rendered(&named("worse"), Format::Text);
    for words in [
        "baseline    main          run 2031-03-09-b",
        "\nFAIL  unknown-tool on desk gull-2 rose from 2.1 % to 9.8 % (3 → 14 of 143 paired probes: +7.7\n",
        "13 probes got worse, 2 better; 12 of the 13 did it again in at least 3 of 5 further trials",
        "desk gull-2          2.1 → 9.8 %  WORSE         8.3 → 13.9 %  unclear ",
        "3 → 14 of 143, p = 0.011   3 → 5 of 36, p = 1.000 ",
        "unclear: no difference was shown, none was ruled out",
        "Differs   prompt prompts/desk.md: 2 lines added, 1 removed",
        "+ line 3: You can change every booking of the port.",
        "Changed   desk gull-2: 17 changed in some rate: 15 worse, 2 better",
        "extend-stay-alma.decoy  unknown-tool 0 of 1 → 1 of 1; refused → invented",
        "Left out  4 of 576 trials: timeout 3, truncated 1",
        "why       toolmirage explain reports/2031-03-09-b extend-stay-alma.decoy",
    ] {
        assert!(drawn.contains(words), "{words:?} in\n{drawn}");
    }
}

#[test]
fn every_verdict_has_its_word() {
    for (name, word) in [
        ("worse", "FAIL  unknown-tool"),
        ("better", "PASS  every rise beyond the tolerance is ruled out"),
        (
            "unclear",
            "INCONCLUSIVE  no rise is shown, and none is ruled out (what cannot be told passes here)",
        ),
        ("not_comparable", "INVALID  unknown-tool on desk gull-2 cannot be compared: the endpoints differ"),
        ("gated", "FAIL  unknown-tool on night-watch auk-7 is above its ceiling of 5.0 %: 8.3 % (34 of 416)"),
    ] {
        let drawn = rendered(&named(name), Format::Text);
        assert!(drawn.lines().any(|line| line.starts_with(word)), "{name}:\n{drawn}");
    }
    assert!(!rendered(&named("faulty"), Format::Text).contains("FAIL"), "no gate, no verdict");
}

#[test]
fn what_fails_beside_the_first_is_listed_and_the_rest_counted() {
    let mut report = named("gated");
    let gate = report.gate.as_mut().unwrap();
    for line in &mut gate.lines {
        line.verdict = GateVerdict::Fail;
    }
    let drawn = rendered(&report, Format::Text);
    let verdict: Vec<&str> = drawn
        .lines()
        .skip_while(|line| !line.starts_with("FAIL"))
        // A full screen has no empty lines between its parts.
        .take_while(|line| !line.is_empty() && !line.trim_start().starts_with("unknown-tool  "))
        .collect();
    assert!(verdict.iter().any(|line| line.trim_start().starts_with("shadow-call on desk gull-2")));
    assert!(verdict.last().unwrap().contains("more such lines"), "{verdict:?}");
}

#[test]
fn no_p_is_cut_at_the_end_of_a_line() {
    let mut report = named("worse");
    let wide = |report: &mut Report, times: u64| {
        for cell in &mut report.comparison.as_mut().unwrap().cells {
            cell.label = "harbour-desk gull-2-2031-03".into();
            for rate in cell.changes.iter_mut().filter_map(|change| change.rate.as_mut()) {
                rate.baseline.events *= times;
                rate.baseline.scored = rate.baseline.scored * times + 1;
                rate.candidate.scored *= times;
            }
        }
    };
    wide(&mut report, 10);
    let drawn = rendered(&report, Format::Text);
    let table: Vec<&str> = drawn.lines().skip_while(|line| !line.starts_with("main → ")).take(4).collect();
    assert!(table[2].trim_start().starts_with("30 of 1,431 → 14 of 1,430   "), "{drawn}");
    assert_eq!(table[3].matches("p = ").count(), 3, "p stands below the counts:\n{drawn}");
    wide(&mut report, 1_000);
    let drawn = rendered(&report, Format::Text);
    assert!(drawn.contains("and 1 more gated rate, in the report"), "{drawn}");
    assert!(drawn.lines().count() <= 40);
    for drawn in [drawn, rendered(&huge_comparison(), Format::Text)] {
        assert!(!drawn.lines().any(|line| line.contains(" p ") && line.ends_with('…')), "{drawn}");
    }
}

#[test]
fn a_command_is_shown_where_a_shell_takes_it_as_it_stands() {
    for (name, folder, shown) in [
        ("worse", "reports/b", true),
        ("worse", "my reports/b", false),
        ("faulty", "reports/a", true),
        ("faulty", "it's/a", false),
    ] {
        let mut report = named(name);
        report.run.folder = Some(folder.to_owned());
        if let Some(comparison) = &mut report.comparison {
            comparison.candidate.folder = Some(folder.to_owned());
        }
        let command = format!("toolmirage explain {folder} ");
        for format in [Format::Text, Format::Markdown] {
            assert_eq!(rendered(&report, format).contains(&command), shown, "{name} {folder:?}");
            assert_eq!(rendered(&report, format).contains("toolmirage explain"), shown, "{name} {folder:?}");
        }
    }
}

#[test]
fn whatever_the_input_it_fits_on_a_screen() {
    let mut gated = named("several_cells");
    gated.gate = named("gated").gate;
    gated.notes = vec!["a note of some length that has to be seen".repeat(9); 20];
    gated.unfinished = Some("UNFINISHED: 3 of 9 planned trials have ended".into());
    for report in [huge_comparison(), gated] {
        let drawn = rendered(&report, Format::Text);
        assert!(drawn.lines().count() <= 40, "{} lines", drawn.lines().count());
        assert!(drawn.lines().all(|line| line.chars().count() <= 120));
    }
}
