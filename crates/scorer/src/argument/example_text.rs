//! What of a prompt or a description is only an example. A value that stands there belongs to nobody.

use super::fold::fold;
use super::word;

/// How long an example goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    /// There is none.
    None,
    /// To the next empty line; whether a line of it was seen.
    Paragraph(bool),
    /// To the next heading.
    Section,
}

/// Splits a text into what is said and what is only an example, both folded: from a word that brings in an example
/// to the end of the sentence; where that word ends its line, to the next empty line; below a heading of that
/// name, to the next heading.
pub(super) fn split_examples(text: &str) -> (String, String) {
    let mut said = String::new();
    let mut examples = String::new();
    let mut block = Block::None;
    for line in text.lines() {
        let line = fold(line);
        block = match block {
            Block::Paragraph(true) if line.is_empty() => Block::None,
            Block::Paragraph(_) if !line.is_empty() => Block::Paragraph(true),
            _ if line.starts_with('#') => Block::None,
            other => other,
        };
        if block == Block::None {
            block = split_line(&line, &mut said, &mut examples);
        } else {
            push_line(&mut examples, &line);
        }
    }
    (said, examples)
}

/// Splits a line outside examples; gives what begins behind it.
fn split_line(line: &str, said: &mut String, examples: &mut String) -> Block {
    if line.starts_with('#') && matches!(line.trim_matches(['#', ' ', ':', '*']), "example" | "examples") {
        return Block::Section;
    }
    let marks = word::EXAMPLE_MARKS.iter().filter_map(|mark| line.find(mark).map(|at| (at, at + mark.len())));
    let Some((from, to)) = marks.min() else {
        push_line(said, line);
        return Block::None;
    };
    let end = line[to..].find(". ").map_or(line.len(), |end| to + end);
    push_line(said, &line[..from]);
    push_line(said, &line[end..]);
    push_line(examples, &line[to..end]);
    let opens = line[to..].trim_matches([':', '*', ' ']).is_empty();
    if opens { Block::Paragraph(false) } else { Block::None }
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}
