//! What differs between two sides, as a list that every format can draw: words of ours beside texts of theirs.

use crate::compare::{CatalogChange, Comparison, FieldChange, PromptChange, TargetChange, ToolChange};
use crate::number::{count, counted};

/// One thing that differs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Differing<'a> {
    /// `prompt`, `catalog`, `target`, `runs`.
    pub(crate) what: &'static str,
    /// Its name, or its file; none of the runs.
    pub(crate) name: Option<&'a str>,
    /// In a few words: `2 lines added, 1 removed`.
    pub(crate) summary: String,
    /// Piece by piece.
    pub(crate) pieces: Vec<Piece<'a>>,
    /// Pieces that the report itself does not list.
    pub(crate) more: u64,
}

/// A piece of what differs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Piece<'a> {
    /// A line of a prompt, with its number on its side.
    Line { added: bool, line: u64, text: &'a str },
    /// A tool that one side alone offers.
    Tool { added: bool, name: &'a str },
    /// A tool of both sides whose description or schema differs.
    Changed(&'a ToolChange),
    /// A value on both sides.
    Field(&'a FieldChange),
    /// The tools of both stand in another order.
    Reordered,
}

/// Everything that differs: prompts, catalogs, targets, runs.
pub(crate) fn differing(comparison: &Comparison) -> Vec<Differing<'_>> {
    let all = &comparison.differences;
    let mut out: Vec<Differing<'_>> = all.prompts.iter().map(prompt).collect();
    out.extend(all.catalogs.iter().map(catalog));
    out.extend(all.targets.iter().map(target));
    if !all.runs.is_empty() {
        out.push(Differing {
            what: "runs",
            name: None,
            summary: counted(all.runs.len() as u64, "setting"),
            pieces: all.runs.iter().map(Piece::Field).collect(),
            more: 0,
        });
    }
    out
}

fn prompt(change: &PromptChange) -> Differing<'_> {
    // A blank line tells nobody anything.
    let told = || change.lines.iter().filter(|line| !line.text.text.trim().is_empty());
    let lines = |added| told().filter(|line| line.added == added).count() as u64;
    let (added, removed) = (lines(true), lines(false));
    let mut summary = match (added, removed) {
        (0, 0) => "blank lines alone".to_owned(),
        (added, 0) => format!("{} added", counted(added, "line")),
        (0, removed) => format!("{} removed", counted(removed, "line")),
        (added, removed) => format!("{} added, {} removed", counted(added, "line"), count(removed)),
    };
    if change.more > 0 {
        summary = format!("{summary}, and {}", counted(change.more, "more changed line"));
    }
    Differing {
        what: "prompt",
        name: Some(change.file.as_deref().map_or(change.label.as_str(), |file| {
            // As people write it.
            file.strip_prefix("./").unwrap_or(file)
        })),
        summary,
        pieces: told()
            .map(|line| Piece::Line { added: line.added, line: line.line, text: &line.text.text })
            .collect(),
        more: change.more,
    }
}

fn catalog(change: &CatalogChange) -> Differing<'_> {
    let mut pieces: Vec<Piece<'_>> =
        change.added.iter().map(|name| Piece::Tool { added: true, name: name.as_str() }).collect();
    pieces.extend(change.removed.iter().map(|name| Piece::Tool { added: false, name: name.as_str() }));
    pieces.extend(change.changed.iter().map(Piece::Changed));
    if change.reordered {
        pieces.push(Piece::Reordered);
    }
    let counts =
        [(change.added.len(), "added"), (change.removed.len(), "removed"), (change.changed.len(), "changed")];
    let mut parts: Vec<String> = Vec::new();
    for (tools, word) in counts.into_iter().filter(|(tools, _)| *tools > 0) {
        let tools = tools as u64;
        let number = if parts.is_empty() { counted(tools, "tool") } else { count(tools) };
        parts.push(format!("{number} {word}"));
    }
    if change.reordered {
        parts.push("another order".to_owned());
    }
    Differing {
        what: "catalog",
        name: Some(&change.label),
        summary: if parts.is_empty() { "its text".to_owned() } else { parts.join(", ") },
        pieces,
        more: 0,
    }
}

fn target(change: &TargetChange) -> Differing<'_> {
    Differing {
        what: "target",
        name: Some(&change.label),
        summary: counted(change.fields.len() as u64, "setting"),
        pieces: change.fields.iter().map(Piece::Field).collect(),
        more: 0,
    }
}

/// What differs of a tool, in words; the names of its arguments apart.
pub(crate) fn tool_words(change: &ToolChange) -> &'static str {
    let arguments = !change.arguments_added.is_empty() || !change.arguments_removed.is_empty();
    match (change.description.is_some(), arguments, change.schema) {
        (true, true, _) => "description and arguments changed",
        (true, false, true) => "description and schema changed",
        (true, false, false) => "description changed",
        (false, true, _) => "arguments changed",
        (false, false, _) => "schema changed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::DiffLine;
    use crate::report::Excerpt;

    fn line(added: bool) -> DiffLine {
        DiffLine { added, line: 3, text: Excerpt { text: "Guess.".into(), left_out: 0 } }
    }

    fn change(lines: Vec<DiffLine>, more: u64) -> PromptChange {
        PromptChange {
            label: "desk".into(),
            file: Some("prompts/desk.md".into()),
            baseline: None,
            candidate: None,
            lines,
            more,
        }
    }

    #[test]
    fn a_prompt_says_how_many_lines_of_which_sort() {
        let summary = |lines, more| prompt(&change(lines, more)).summary.clone();
        assert_eq!(summary(vec![line(true), line(true)], 0), "2 lines added");
        assert_eq!(summary(vec![line(true), line(false)], 0), "1 line added, 1 removed");
        assert_eq!(summary(vec![line(false)], 7), "1 line removed, and 7 more changed lines");
        assert_eq!(summary(vec![], 0), "blank lines alone");
        let mut blank = line(true);
        blank.text.text = "  ".into();
        assert_eq!(summary(vec![blank.clone(), line(true)], 0), "1 line added");
        assert_eq!(prompt(&change(vec![blank], 0)).pieces, []);
        let mut elsewhere = change(vec![], 0);
        assert_eq!(prompt(&elsewhere).name, Some("prompts/desk.md"));
        elsewhere.file = Some("./prompts/desk.md".into());
        assert_eq!(prompt(&elsewhere).name, Some("prompts/desk.md"));
    }

    #[test]
    fn a_catalog_names_what_was_added_removed_changed_and_moved() {
        let change = CatalogChange {
            label: "harbor/3".into(),
            added: vec!["a".into(), "b".into()],
            removed: vec!["c".into()],
            changed: vec![],
            reordered: true,
        };
        let differing = catalog(&change);
        assert_eq!(differing.summary, "2 tools added, 1 removed, another order");
        assert_eq!(differing.pieces.len(), 4);
        assert_eq!(differing.pieces[2], Piece::Tool { added: false, name: "c" });
    }

    #[test]
    fn a_changed_tool_says_in_what() {
        let tool = |description: bool, arguments: &[&str], schema| ToolChange {
            name: "a".into(),
            description: description.then(Default::default),
            arguments_added: arguments.iter().map(|name| (*name).to_owned()).collect(),
            arguments_removed: vec![],
            schema,
        };
        assert_eq!(tool_words(&tool(true, &["x"], true)), "description and arguments changed");
        assert_eq!(tool_words(&tool(true, &[], false)), "description changed");
        assert_eq!(tool_words(&tool(false, &[], true)), "schema changed");
    }
}
