//! Markdown: whatever a model or a file put into a report, outside of code there are words of ours alone; and
//! whatever its size, it stays below what a comment may hold.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod canonical;

use canonical::{canonical, huge_comparison, many_failing, named, rendered};
use report::Format;

/// What is left of a line when code is taken away: code spans, and `<code>` in the head of a `<details>`.
fn outside_code(line: &str) -> String {
    if let Some(head) = line.strip_prefix("<details><summary>") {
        let parts: Vec<&str> = head.split("<code>").collect();
        let rest: Vec<&str> = parts[1..].iter().map(|part| part.split_once("</code>").unwrap().1).collect();
        return format!("{}{}", parts[0], rest.concat()).replace("</summary>", "");
    }
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        out.push_str(&rest[..at]);
        let run = rest[at..].chars().take_while(|&c| c == '`').count();
        rest = &rest[at + run..];
        // The span ends at the next run of the same length, and at no other.
        let mut from = 0;
        let end = loop {
            let start = from + rest[from..].find('`').expect("a code span is closed on its line");
            let length = rest[start..].chars().take_while(|&c| c == '`').count();
            if length == run {
                break start + length;
            }
            from = start + length;
        };
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// What is wrong with a line outside of code.
fn fault(line: &str) -> Option<String> {
    let text = outside_code(line);
    let text = text.strip_prefix("### ").or_else(|| text.strip_prefix("> **")).unwrap_or(&text);
    let text = text.replace("&lt;", "").replace("</details>", "").replace("→", "");
    let text = text
        .replace("**", "")
        .replace("*unclear*", "")
        .replace("*Left out", "")
        .replace("report.html`.*", "");
    let is_row = line.starts_with('|');
    let text = if is_row { text.replace('|', "") } else { text };
    let active = |c: char| "<>@#[]{}!~$^_\\&|`=*".contains(c) && c != '=';
    if let Some(found) = text.chars().find(|&c| active(c)) {
        return Some(format!("{found:?} in {text:?}"));
    }
    let lower = text.to_lowercase();
    ["http", "www.", "://", "mailto", "gh-"].into_iter().find(|word| lower.contains(word)).map(str::to_owned)
}

#[test]
fn outside_of_code_there_is_nothing_that_markdown_or_github_takes_for_more_than_words() {
    for canonical in canonical() {
        let drawn = rendered(&canonical.report, Format::Markdown);
        let mut lines = drawn.lines();
        let marker = lines.next().unwrap();
        let inner = marker.strip_prefix("<!-- toolmirage:").and_then(|rest| rest.strip_suffix(" -->"));
        assert!(inner.is_some_and(|inner| !inner.contains("--") && !inner.contains('>')), "{marker}");
        for line in lines {
            assert_eq!(fault(line), None, "{}: {line}", canonical.name);
        }
    }
}

#[test]
fn a_row_has_as_many_cells_as_its_head() {
    let cells = |line: &str| {
        let mut before = ' ';
        let mut count = 0;
        for character in line.chars() {
            count += usize::from(character == '|' && before != '\\');
            before = character;
        }
        count
    };
    for canonical in canonical() {
        let drawn = rendered(&canonical.report, Format::Markdown);
        let mut head = None;
        for line in drawn.lines() {
            if line.starts_with('|') {
                assert_eq!(
                    cells(line),
                    *head.get_or_insert_with(|| cells(line)),
                    "{}: {line}",
                    canonical.name
                );
            } else {
                head = None;
            }
        }
    }
}

#[test]
fn nothing_found_is_two_lines() {
    let drawn = rendered(&named("unclear"), Format::Markdown);
    let lines: Vec<&str> = drawn.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.len(), 3, "the marker and two lines: {drawn}");
    assert!(lines[0].starts_with("<!-- toolmirage:harbor:pr -->"));
    assert!(lines[1].starts_with("### ✅ toolmirage: no harm shown from this `desk` prompt"));
    assert!(lines[2].starts_with("2 cells, 144 pairs each, all three rates unclear or better"));
}

#[test]
fn a_regression_says_what_by_how_much_how_sure_and_where_to_look() {
    let drawn = rendered(&named("worse"), Format::Markdown);
    for words in [
        "### ❌ toolmirage: with this `desk` prompt, `gull-2` invents tools more often",
        "**unknown-tool on desk gull-2 rose from 2.1 % to 9.8 %** (3 → 14 of 143 paired probes: +7.7 points",
        "corrected for 6 tests",
        "13 probes got worse, 2 better; 12 of the 13 did it again in at least 3 of 5 further trials.",
        "Both sides ran together, trial beside trial; only the prompt differs.",
        "**2.1 → 9.8 % worse** (3 → 14 of 143)",
        "unclear (5 → 4 of 36)",
        "**Likely cause:** the prompt",
        "- line 3, added: `You can change every booking of the port.`",
        "| `pilot_withdraw` | 0 → 3 | `pilot_cancel_request` |",
        "refused 30 → 16",
        "invented 2 → 14",
        "`harbor_extend_stay({\"vessel\":\"Alma\"})` → unknown-tool, invented",
        "Left out 4 of 576 trials",
        "`toolmirage explain reports/2031-03-09-b extend-stay-alma.decoy`",
    ] {
        assert!(drawn.contains(words), "{words}");
    }
}

#[test]
fn several_factors_have_no_likely_cause_and_a_cell_that_cannot_be_compared_no_figure() {
    let several = rendered(&named("several_factors"), Format::Markdown);
    assert!(several.contains("the cause cannot be told") && !several.contains("Likely cause"));
    assert!(several.contains("not concurrent"));
    assert!(several.contains("an accepted baseline holds no transcripts"));
    let hidden = rendered(&named("not_comparable"), Format::Markdown);
    assert!(hidden.contains("### ⚠️ toolmirage: the two sides cannot be judged"));
    assert!(!hidden.contains("→ 2.1 %") && hidden.contains("not comparable: the endpoints differ"));
}

#[test]
fn whatever_the_input_it_fits_into_a_comment() {
    for (name, report) in [("huge", huge_comparison()), ("many failing", many_failing(1_000))] {
        let drawn = rendered(&report, Format::Markdown);
        assert!(drawn.len() < 60_000, "{name}: {} bytes", drawn.len());
        assert!(drawn.contains(" more"), "{name}: what is cut is counted");
    }
    for canonical in canonical() {
        assert!(rendered(&canonical.report, Format::Markdown).len() < 60_000, "{}", canonical.name);
    }
}

#[test]
fn the_check_for_faults_can_fail() {
    for line in ["<b>", "@x", "a #1", "[a](b)", "see http x", "*x*", "a_b", "a|b"] {
        assert!(fault(line).is_some(), "{line}");
    }
    assert_eq!(fault("plain words, `<b> @x` and a number 1.5 %"), None);
    assert_eq!(outside_code("a `` ` `` b"), "a  b");
}
