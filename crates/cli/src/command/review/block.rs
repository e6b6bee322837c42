//! The lines of one task within its suite's text.

use std::ops::Range;

use probes::Places;

/// The bytes of a task: its first line, with the hyphen, to the last line that is its own. Comments that stand right
/// before the next task are the next task's.
pub(super) fn block_of(text: &str, index: usize, places: &Places) -> Range<usize> {
    let start = line_start(text, places.at(&format!("/tasks/{index}")).0);
    let next = places.at(&format!("/tasks/{}", index + 1)).0;
    let is_next = next > places.at(&format!("/tasks/{index}")).0;
    let limit = if is_next { line_start(text, next) } else { section_end(text, start) };
    let mut end = limit;
    for line in text.get(start..limit).unwrap_or_default().split_inclusive('\n').rev() {
        let bare = line.trim();
        if !bare.is_empty() && !bare.starts_with('#') {
            break;
        }
        end -= line.len();
    }
    start..end.max(start)
}

/// Where the last task ends at the latest: at the next key of the file.
fn section_end(text: &str, start: usize) -> usize {
    let mut at = start;
    for (number, line) in text.get(start..).unwrap_or_default().split_inclusive('\n').enumerate() {
        if number > 0 && line.starts_with(|c: char| c.is_alphanumeric()) {
            return at;
        }
        at += line.len();
    }
    text.len()
}

fn line_start(text: &str, line: usize) -> usize {
    text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum()
}

/// The text with another block in a task's place.
pub(super) fn replaced(text: &str, index: usize, places: &Places, block: &str) -> String {
    let range = block_of(text, index, places);
    let ends = if block.is_empty() || block.ends_with('\n') { "" } else { "\n" };
    let before = text.get(..range.start).unwrap_or_default();
    let after = text.get(range.end..).unwrap_or_default();
    format!("{before}{block}{ends}{after}")
}

/// The text with a task that is no draft any more.
pub(super) fn accepted(text: &str, index: usize, places: &Places) -> String {
    let block = text.get(block_of(text, index, places)).unwrap_or_default();
    let is_mark = |line: &str| {
        let bare = line.split('#').next().unwrap_or_default().trim();
        bare == "draft: true"
    };
    let mut without: String = block.split_inclusive('\n').filter(|line| !is_mark(line)).collect();
    if without == block {
        // A task on one line, or one that begins with its mark.
        without = block.replacen(", draft: true", "", 1);
        if let Some((head, rest)) = without.split_once("- draft: true\n") {
            without = format!("{head}- {}", rest.trim_start_matches(' '));
        }
    }
    replaced(text, index, places, &without)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use probes::Suite;

    use super::*;

    const TEXT: &str = "\
# head
toolmirage: suite/1
name: s
version: 1
seed: 1
catalog: c
tasks:
  # about one
  - id: one
    user: Do one   # as they say it
    tool: t
    draft: true   # look

  # about two
  - { id: two, user: Do two, tool: t, draft: true }
  - id: three
    user: >-
      Do
      three
    draft: true
    tool: t
# end
kinds: [control]
";

    fn places(text: &str) -> (Suite, Places) {
        Suite::from_text(Path::new("s.yaml"), text).unwrap()
    }

    #[test]
    fn a_block_is_the_lines_of_one_task() {
        let places = places(TEXT).1;
        let block = |index| &TEXT[block_of(TEXT, index, &places)];
        assert!(
            block(0).starts_with("  - id: one") && block(0).ends_with("draft: true   # look\n"),
            "{}",
            block(0)
        );
        assert_eq!(block(1), "  - { id: two, user: Do two, tool: t, draft: true }\n");
        assert!(block(2).ends_with("    tool: t\n"));
    }

    #[test]
    fn accepting_takes_the_mark_away_and_nothing_else() {
        let mut text = TEXT.to_owned();
        for index in 0..3 {
            text = accepted(&text, index, &places(&text).1);
        }
        let (suite, _) = places(&text);
        assert!(suite.tasks.iter().all(|task| !task.draft));
        let kept = TEXT
            .replace("    draft: true   # look\n", "")
            .replace(", draft: true", "")
            .replace("    draft: true\n", "");
        assert_eq!(text, kept);
    }

    #[test]
    fn a_replaced_block_keeps_everything_around_it() {
        let text = replaced(TEXT, 1, &places(TEXT).1, "  # gone");
        assert!(text.contains("  # about two\n  # gone\n  - id: three"));
        assert_eq!(places(&text).0.tasks.len(), 2);
    }
}
