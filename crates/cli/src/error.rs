//! What a command fails with: a message with its causes, help where there is something to do, a status.

use std::fmt::Display;

use crate::exit::Exit;

/// An error on its way to the terminal.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The status that the process ends with.
    pub(crate) exit: Exit,
    /// What went wrong; its causes hang on it.
    pub(crate) error: anyhow::Error,
    /// What to do about it.
    pub(crate) help: Option<String>,
}

impl Failure {
    /// A mistake in how the program was called or configured.
    pub(crate) fn usage(message: impl Display) -> Self {
        Self { exit: Exit::Usage, error: anyhow::anyhow!("{message}"), help: None }
    }

    /// A measurement that is none.
    pub(crate) fn invalid(message: impl Display) -> Self {
        Self { exit: Exit::Invalid, error: anyhow::anyhow!("{message}"), help: None }
    }

    /// The same, with a line of help.
    pub(crate) fn with_help(mut self, help: impl Display) -> Self {
        self.help = Some(help.to_string());
        self
    }

    /// The text for standard error.
    pub(crate) fn text(&self) -> String {
        let message = self.error.to_string();
        // A mistake in a file is shown as it stands, with its place; it says "error" itself.
        let mut out = if message.starts_with("error") { message } else { format!("error: {message}") };
        for cause in self.error.chain().skip(1) {
            out.push_str("\n  because: ");
            out.push_str(&cause.to_string());
        }
        if let Some(help) = &self.help {
            out.push_str("\n  = help: ");
            out.push_str(help);
        }
        out
    }
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    /// An error that nothing is known of beyond its words is one of usage or configuration.
    fn from(error: E) -> Self {
        Self { exit: Exit::Usage, error: error.into(), help: None }
    }
}
