//! Setting parts and sentences into lines of a terminal.

use super::WIDTH;
use crate::text_safe::cropped;

/// Parts behind a label, wrapped, at most `limit` lines; what does not fit is counted.
pub(super) fn labelled(label: &str, parts: &[String], joint: &str, limit: usize, lines: &mut Vec<String>) {
    let mut rows: Vec<String> = vec![String::new()];
    for (at, part) in parts.iter().enumerate() {
        let part = cropped(part, WIDTH - 10);
        let row = rows.last_mut().map_or(0, |row| row.chars().count());
        // The last row keeps room for the words on what does not fit.
        let width = WIDTH - if rows.len() == limit { 22 } else { 10 };
        if row > 0 && row + joint.len() + part.chars().count() > width {
            if rows.len() == limit {
                let more = format!("{joint}and {} more", parts.len() - at);
                if let Some(row) = rows.last_mut() {
                    row.push_str(&more);
                }
                break;
            }
            if let Some(row) = rows.last_mut() {
                row.push_str(joint.trim_end());
            }
            rows.push(part);
        } else if let Some(row) = rows.last_mut() {
            if !row.is_empty() {
                row.push_str(joint);
            }
            row.push_str(&part);
        }
    }
    for (at, row) in rows.into_iter().enumerate() {
        let label = if at == 0 { label } else { "" };
        lines.push(format!("{label:<10}{row}"));
    }
}

/// Parts side by side, on as many lines as the width needs.
pub(super) fn push_wrapped(parts: &[String], joint: &str, lines: &mut Vec<String>) {
    let mut line = String::new();
    for part in parts {
        if !line.is_empty() && line.chars().count() + joint.len() + part.chars().count() > WIDTH {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push_str(joint);
        }
        line.push_str(part);
    }
    lines.push(line);
}

/// A sentence behind a label, broken between words and set below itself, on at most `limit` lines.
pub(super) fn sentence(label: &str, text: &str, limit: usize, lines: &mut Vec<String>) {
    let indent = label.chars().count();
    let mut rows: Vec<String> = vec![String::new()];
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let word = cropped(word, WIDTH - indent);
        let row = rows.last_mut().map_or(0, |row| row.chars().count());
        if row > 0 && indent + row + 1 + word.chars().count() > WIDTH {
            if rows.len() == limit {
                if let Some(row) = rows.last_mut() {
                    row.push_str(" …");
                }
                break;
            }
            rows.push(word);
        } else if let Some(row) = rows.last_mut() {
            if !row.is_empty() {
                row.push(' ');
            }
            row.push_str(&word);
        }
    }
    for (at, row) in rows.into_iter().enumerate() {
        let label = if at == 0 { label } else { "" };
        lines.push(format!("{label:<indent$}{row}"));
    }
}

/// Cells one below the other, each column as wide as its widest; the first is for the rows' names.
pub(super) fn columns(rows: &[Vec<String>], gap: &str, lines: &mut Vec<String>) {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    for row in rows {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        lines.push(cells.join(gap).trim_end().to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_broken_between_words_and_stands_below_itself() {
        let mut lines = Vec::new();
        sentence("FAIL  ", &"word ".repeat(30), 3, &mut lines);
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("FAIL  word") && lines[1].starts_with("      word"));
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH));
        lines.clear();
        sentence("FAIL  ", &"word ".repeat(60), 2, &mut lines);
        assert_eq!(lines.len(), 2);
        assert!(lines[1].ends_with(" …"), "what is cut is marked");
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut lines = Vec::new();
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        columns(&[row(["", "rate"]), row(["désk", "1 → 2"])], "  ", &mut lines);
        assert_eq!(lines, ["      rate", "désk  1 → 2"]);
    }
}
