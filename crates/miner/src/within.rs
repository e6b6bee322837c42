//! The line on which an event of a document over several lines stands.

/// Where in the bytes that are being read the events stand.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Within {
    /// Up to where line breaks are counted.
    counted: usize,
    /// The line that is reached.
    pub(crate) line: u64,
    /// The line on which the bytes begin.
    first: u64,
}

impl Within {
    /// At the beginning of bytes that begin on this line.
    pub(crate) fn from(line: u64) -> Self {
        Self { counted: 0, line, first: line }
    }

    /// Goes to `part`, a piece of `whole`, forwards or back.
    pub(crate) fn reach(&mut self, whole: &[u8], part: &[u8]) {
        let Some(offset) = (part.as_ptr() as usize).checked_sub(whole.as_ptr() as usize) else { return };
        if offset < self.counted {
            *self = Self::from(self.first);
        }
        let Some(passed) = whole.get(self.counted..offset) else { return };
        self.line += memchr::memchr_iter(b'\n', passed).count() as u64;
        self.counted = offset;
    }
}
