//! What can be wrong with the files that people write, and how it is shown (STYLE.md section 9).

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::document::Source;

/// A file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// The file cannot be read at all.
    #[error("cannot read `{path}`")]
    Read {
        /// The file.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// Mistakes in files, all of them, in the order in which they stand.
    #[error("{}", render(.0))]
    Mistakes(Vec<Diagnostic>),
    /// A run record's probe names a catalog that its header does not hold.
    #[error("probe `{probe}` names catalog `{catalog}`, which the record's header does not hold")]
    MissingCatalog {
        /// The probe.
        probe: String,
        /// The catalog's hash.
        catalog: String,
    },
}

impl SuiteError {
    /// The mistakes; none where a file could not be read.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Self::Mistakes(mistakes) => mistakes,
            Self::Read { .. } | Self::MissingCatalog { .. } => &[],
        }
    }
}

impl From<Diagnostic> for SuiteError {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Mistakes(vec![diagnostic])
    }
}

impl From<Vec<Diagnostic>> for SuiteError {
    /// Puts them into the order of their file.
    fn from(mut diagnostics: Vec<Diagnostic>) -> Self {
        diagnostics.sort_by_key(|mistake| (mistake.line, mistake.column));
        Self::Mistakes(diagnostics)
    }
}

/// Nothing where there is no mistake, else all mistakes.
pub(crate) fn all_clear(mistakes: Vec<Diagnostic>) -> Result<(), SuiteError> {
    if mistakes.is_empty() { Ok(()) } else { Err(mistakes.into()) }
}

fn render(mistakes: &[Diagnostic]) -> String {
    mistakes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n\n")
}

/// One mistake at its place. Its `Display` shows the line with a caret, without colour.
#[derive(Clone)]
pub struct Diagnostic {
    /// The file; empty where the mistake is in none.
    pub file: Arc<str>,
    /// Line, from 1; 0 where there is no place.
    pub line: usize,
    /// Column in characters, from 1; 0 where there is no place.
    pub column: usize,
    /// What is wrong and what was expected: a lowercase fragment.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    text: Arc<str>,
    span: Range<usize>,
}

impl Diagnostic {
    pub(crate) fn at(source: &Source, span: Range<usize>, message: String) -> Self {
        let (line, column) = source.place(span.start);
        let (file, text) = (source.file.clone(), source.text.clone());
        Self { file, line, column, message, help: None, text, span }
    }

    /// A mistake that has no place in a file.
    #[must_use]
    pub fn without_place(message: impl Into<String>) -> Self {
        let (file, text) = (Arc::from(""), Arc::from(""));
        Self { file, line: 0, column: 0, message: message.into(), help: None, text, span: 0..0 }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds the nearest right word, where one is near.
    #[must_use]
    pub(crate) fn nearest(self, word: &str, known: &[&str]) -> Self {
        match crate::near_name::nearest(word, known.iter().copied()) {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None if known.is_empty() => self,
            None if known.len() <= 12 => {
                let list = known.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
                self.help(format!("known here: {list}"))
            }
            None => self,
        }
    }

    /// The line that it stands in, and the bytes of the mistake within that line.
    fn line_text(&self) -> (String, Range<usize>) {
        let start = self.text.get(..self.span.start).and_then(|t| t.rfind('\n')).map_or(0, |at| at + 1);
        let rest = self.text.get(start..).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default().trim_end_matches('\r');
        let from = (self.span.start - start).min(line.len());
        let to = (self.span.end.saturating_sub(start)).clamp(from, line.len());
        let shown = visible(line.get(..from).unwrap_or_default());
        let marked = visible(line.get(from..to).unwrap_or_default());
        let end = shown.len() + marked.trim_end().len();
        let text = format!("{shown}{marked}{}", visible(line.get(to..).unwrap_or_default()));
        (text, shown.len()..end.max(shown.len()))
    }
}

/// Control characters beyond ASCII would reach the terminal; the renderer takes care of the others.
fn visible(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && !c.is_ascii() { '\u{fffd}' } else { c }).collect()
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.rendered(Level::ERROR, None))
    }
}

/// What stands before a message: how bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heading {
    /// It is wrong.
    Error,
    /// It should be looked at.
    Warning,
    /// It is worth knowing.
    Note,
}

impl Diagnostic {
    /// The line with a caret, under another heading than `error`, and with the id of the rule that says so.
    #[must_use]
    pub fn titled(&self, heading: Heading, id: &str) -> String {
        let level = match heading {
            Heading::Error => Level::ERROR,
            Heading::Warning => Level::WARNING,
            Heading::Note => Level::NOTE,
        };
        self.rendered(level, Some(id))
    }

    fn rendered(&self, level: Level<'static>, id: Option<&str>) -> String {
        let message = visible(&self.message);
        let mut title = level.primary_title(message.as_str());
        if let Some(id) = id {
            title = title.id(id);
        }
        let (line, span) = self.line_text();
        let mut group = Group::with_title(title);
        if self.line > 0 {
            group = group.element(
                Snippet::source(line.as_str())
                    .path(self.file.as_ref())
                    .line_start(self.line)
                    .annotation(AnnotationKind::Primary.span(span)),
            );
        } else if !self.file.is_empty() {
            group = group.element(Origin::path(self.file.as_ref()));
        }
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(visible(help)));
        }
        Renderer::plain().render(&[group])
    }
}

impl fmt::Debug for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}
