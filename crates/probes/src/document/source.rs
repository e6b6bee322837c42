//! A file's text, and where in it a byte stands.

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::error::{Diagnostic, SuiteError};

/// A file's name and text.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) file: Arc<str>,
    pub(crate) text: Arc<str>,
    line_starts: Arc<OnceLock<Vec<usize>>>,
}

impl Source {
    pub(crate) fn new(file: &Path, text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self {
            file: file.display().to_string().into(),
            text: text.into(),
            line_starts: Arc::new(OnceLock::new()),
        }
    }

    /// Reads a file that must be UTF-8 text.
    pub(crate) fn read(file: &Path) -> Result<Self, SuiteError> {
        let unreadable = |source| SuiteError::Read { path: file.display().to_string(), source };
        let bytes = std::fs::read(file).map_err(unreadable)?;
        if u32::try_from(bytes.len()).is_err() {
            return Err(unreadable(std::io::Error::other("it has more than 4 GiB")));
        }
        match std::str::from_utf8(&bytes) {
            Ok(text) => Ok(Self::new(file, text)),
            Err(error) => Err(not_utf8(file, &bytes, error.valid_up_to())),
        }
    }

    /// Line and column of a byte, both from 1, columns in characters.
    pub(crate) fn place(&self, offset: usize) -> (usize, usize) {
        let starts = self.line_starts();
        let line = starts.partition_point(|&start| start <= offset).max(1);
        let start = starts.get(line - 1).copied().unwrap_or(0);
        let column = self.text.get(start..offset).map_or(1, |before| before.chars().count() + 1);
        (line, column)
    }

    /// The byte at which a line and column (both from 1, the column in bytes) lie.
    pub(crate) fn offset(&self, line: usize, column: usize) -> usize {
        let start = self.line_starts().get(line.saturating_sub(1)).copied().unwrap_or(0);
        let mut offset = (start + column.saturating_sub(1)).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }

    fn line_starts(&self) -> &[usize] {
        self.line_starts.get_or_init(|| {
            let breaks = self.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect()
        })
    }

    /// A diagnostic at some bytes.
    pub(crate) fn diagnostic(&self, span: &Range<usize>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::at(self, span.clone(), message.into())
    }
}

fn not_utf8(file: &Path, bytes: &[u8], valid: usize) -> SuiteError {
    let before = String::from_utf8_lossy(bytes.get(..valid).unwrap_or_default()).into_owned();
    let source = Source::new(file, &format!("{before}\u{fffd}"));
    let offset = source.text.len() - '\u{fffd}'.len_utf8();
    let diagnostic = source.diagnostic(&(offset..source.text.len()), "the file is not UTF-8 text");
    SuiteError::from(diagnostic.help("save it as UTF-8"))
}
