//! What differs between the sides, as a list: the likely cause where it is one thing and a rise is shown.

use super::capital;
use super::inline::{code, name};
use crate::compare::{Comparison, Direction, FieldChange, ToolChange};
use crate::number::{count, counted};
use crate::report::Excerpt;
use crate::table::differing::{Differing, Piece, differing, tool_words};

/// Things that are listed, and pieces of each.
const THINGS: usize = 4;
const PIECES: usize = 8;
/// Characters of a line of a prompt, and of a setting's value.
const LINE: usize = 240;
const VALUE: usize = 80;

/// The section; empty where nothing differs.
pub(super) fn section(comparison: &Comparison) -> String {
    let things = differing(comparison);
    if things.is_empty() {
        return String::new();
    }
    let mut blocks = vec![head(comparison)];
    for thing in things.iter().take(THINGS) {
        blocks.push(block(thing));
    }
    if things.len() > THINGS {
        blocks.push(format!("And {} more.", count((things.len() - THINGS) as u64)));
    }
    blocks.join("\n\n")
}

fn head(comparison: &Comparison) -> String {
    let mut changes = comparison.cells.iter().flat_map(|cell| &cell.changes);
    let rose = changes.any(|change| change.gated && change.direction == Direction::Rose);
    match comparison.factors.as_slice() {
        [one] if rose && comparison.concurrent => {
            format!("**Likely cause:** the {}, the only thing that differs", one.as_str())
        }
        [one] if rose => format!(
            "**What differs:** the {}; the sides ran at different times, so something unseen may differ too",
            one.as_str()
        ),
        [_, _, ..] => "**What differs:** several things, so the cause cannot be told".to_owned(),
        _ => "**What differs**".to_owned(),
    }
}

fn block(thing: &Differing<'_>) -> String {
    let title = match thing.name {
        Some(of) => format!("{} {}: {}", thing.what, name(of), thing.summary),
        None => format!("{}: {}", thing.what, thing.summary),
    };
    let mut lines = vec![capital(&title)];
    lines.extend(thing.pieces.iter().take(PIECES).map(|piece| format!("- {}", written(piece))));
    let more = thing.pieces.len().saturating_sub(PIECES) as u64 + thing.more;
    if more > 0 {
        lines.push(format!("- and {} more", count(more)));
    }
    lines.join("\n")
}

fn written(piece: &Piece<'_>) -> String {
    match *piece {
        Piece::Line { added, line, text } => {
            format!("line {line}, {}: {}", if added { "added" } else { "removed" }, code(text.trim(), LINE))
        }
        Piece::Tool { added, name: tool } => {
            format!("{} {}", if added { "added" } else { "removed" }, name(tool))
        }
        Piece::Changed(tool) => changed(tool),
        Piece::Field(field) => self::field(field),
        Piece::Reordered => "the tools stand in another order".to_owned(),
    }
}

fn changed(tool: &ToolChange) -> String {
    let mut out = format!("{}: {}", name(tool.name.as_str()), tool_words(tool));
    let arguments = [("now with", &tool.arguments_added), ("without", &tool.arguments_removed)];
    for (word, names) in arguments.into_iter().filter(|(_, names)| !names.is_empty()) {
        out.push_str(&format!("; {word} {}", names_of(names)));
    }
    let shown =
        tool.description.as_ref().filter(|(before, after)| !before.text.is_empty() || !after.text.is_empty());
    if let Some((before, after)) = shown {
        let text = |excerpt: &Excerpt| code(&excerpt.text, LINE);
        out.push_str(&format!(": {} → {}", text(before), text(after)));
    }
    out
}

fn names_of(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(6).map(|argument| name(argument)).collect();
    let more = names.len().saturating_sub(6) as u64;
    let more = if more > 0 { format!(" and {}", counted(more, "more argument")) } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

fn field(field: &FieldChange) -> String {
    let value =
        |value: &Option<String>| value.as_ref().map_or_else(|| "(not set)".to_owned(), |v| code(v, VALUE));
    format!("{}: {} → {}", name(&field.name), value(&field.baseline), value(&field.candidate))
}
