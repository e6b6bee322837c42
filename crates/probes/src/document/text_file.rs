//! A file of plain text, such as a prompt, in which places can be shown.

use std::ops::Range;
use std::path::Path;

use crate::SuiteError;
use crate::document::Source;
use crate::error::Diagnostic;

/// A text and the name of its file.
#[derive(Debug, Clone)]
pub struct TextFile(Source);

impl TextFile {
    /// Takes a text; `file` names it where a place is shown.
    #[must_use]
    pub fn new(file: &Path, text: &str) -> Self {
        Self(Source::new(file, text))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read or is not UTF-8 text.
    pub fn read(file: &Path) -> Result<Self, SuiteError> {
        Source::read(file).map(Self)
    }

    /// The text, without a byte order mark.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// What is to be said of some bytes of the text.
    #[must_use]
    pub fn at(&self, bytes: Range<usize>, message: impl Into<String>) -> Diagnostic {
        self.0.diagnostic(&bytes, message)
    }
}
