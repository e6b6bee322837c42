//! `report.json`: the report itself, readable, and harmless when it is printed to a terminal.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};

use crate::text_safe::is_hidden;
use crate::{Report, ReportError};

/// Writes the report. Its first and last members share a line with the outer braces, so that what they warn
/// of stands on the first and the last line of the file.
pub(super) fn draw(report: &Report, out: &mut dyn Write) -> Result<(), ReportError> {
    report.serialize(&mut Serializer::with_formatter(&mut *out, Visible::default()))?;
    out.write_all(b"\n")?;
    Ok(())
}

/// Writes a value as a line of JSON Lines, harmless when it is printed to a terminal.
pub(crate) fn line<T: Serialize>(value: &T, out: &mut dyn Write) -> Result<(), ReportError> {
    value.serialize(&mut Serializer::with_formatter(&mut *out, VisibleLine))?;
    out.write_all(b"\n")?;
    Ok(())
}

/// On one line, and otherwise like [`Visible`].
struct VisibleLine;

impl Formatter for VisibleLine {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        write_visible(out, fragment)
    }
}

/// Writes a piece of a JSON string, characters that nobody sees as `\u` escapes.
fn write_visible<W: ?Sized + Write>(out: &mut W, fragment: &str) -> io::Result<()> {
    // Almost all of a report is this, and nothing of it is hidden.
    if fragment.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return out.write_all(fragment.as_bytes());
    }
    let mut rest = fragment;
    while let Some(at) = rest.find(is_hidden) {
        let (plain, hidden) = rest.split_at(at);
        out.write_all(plain.as_bytes())?;
        let mut characters = hidden.chars();
        if let Some(character) = characters.next() {
            for unit in character.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
        }
        rest = characters.as_str();
    }
    out.write_all(rest.as_bytes())
}

/// Indents like `PrettyFormatter` but for the outer braces, and writes characters that nobody sees as `\u`
/// escapes: the value stays the same.
#[derive(Default)]
struct Visible {
    pretty: PrettyFormatter<'static>,
    depth: usize,
}

impl Formatter for Visible {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        write_visible(out, fragment)
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth += 1;
        self.pretty.begin_array(out)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth -= 1;
        self.pretty.end_array(out)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.pretty.begin_array_value(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.pretty.end_array_value(out)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth += 1;
        self.pretty.begin_object(out)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth -= 1;
        match self.depth {
            0 => out.write_all(b" }"),
            _ => self.pretty.end_object(out),
        }
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        match (self.depth, first) {
            (1, true) => out.write_all(b" "),
            _ => self.pretty.begin_object_key(out, first),
        }
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.pretty.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.pretty.end_object_value(out)
    }
}
