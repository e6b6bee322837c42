//! Texts that repeat (names, models, projects), kept once and written as numbers.

use indexmap::IndexSet;

/// A text by its number. 0 is none.
pub(crate) type Label = u32;

/// The texts.
#[derive(Debug, Default)]
pub(crate) struct Labels(IndexSet<Box<str>>);

impl Labels {
    /// The number of a text; 0 without one.
    pub(crate) fn of(&mut self, text: Option<&str>) -> Label {
        let Some(text) = text else { return 0 };
        let at = match self.0.get_index_of(text) {
            Some(at) => at,
            None => self.0.insert_full(text.into()).0,
        };
        u32::try_from(at).unwrap_or(u32::MAX - 1) + 1
    }

    /// The number of a text that is known.
    pub(crate) fn label(&self, text: &str) -> Option<Label> {
        let at = u32::try_from(self.0.get_index_of(text)?).ok()?;
        at.checked_add(1)
    }

    /// The text of a number.
    pub(crate) fn text(&self, label: Label) -> Option<&str> {
        let at = usize::try_from(label.checked_sub(1)?).ok()?;
        self.0.get_index(at).map(|text| &**text)
    }
}
