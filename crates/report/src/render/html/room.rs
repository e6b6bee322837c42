//! How much of the lists a page of limited size shows: a line of every entry first, then whole entries as long
//! as there is room. What does not fit is counted.

/// Bytes that entries may still take up.
#[derive(Debug)]
pub(super) struct Room {
    left: usize,
    closed: bool,
}

/// What a list shows of itself.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shown {
    /// Entries as a line alone.
    pub(super) lines: u64,
    /// Entries that are not there at all.
    pub(super) left_out: u64,
}

impl Room {
    pub(super) fn of(bytes: usize) -> Self {
        Self { left: bytes, closed: false }
    }

    /// Bytes that are left.
    pub(super) fn left(&self) -> usize {
        self.left
    }

    /// Sets aside what a line takes up, if there is room for it.
    pub(super) fn set_aside(&mut self, line: usize) -> bool {
        let left = self.left.checked_sub(line);
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }

    /// Whether nothing more is shown whole.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether an entry that takes up so many bytes more than its line is shown whole. After the first that is
    /// not, none is: what is shown whole is always the beginning of a list.
    pub(super) fn has(&mut self, more: usize) -> bool {
        match self.left.checked_sub(more).filter(|_| !self.closed) {
            Some(left) => self.left = left,
            None => self.closed = true,
        }
        !self.closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_first_and_whole_entries_until_one_does_not_fit() {
        let mut room = Room::of(100);
        assert!((0..3).all(|_| room.set_aside(10)));
        assert!(room.has(50));
        assert!(!room.has(30), "20 bytes are left");
        assert!(!room.has(1), "and nothing after the first that does not fit");
    }

    #[test]
    fn a_line_that_does_not_fit_takes_nothing() {
        let mut room = Room::of(25);
        assert_eq!([10, 10, 10].map(|line| room.set_aside(line)), [true, true, false]);
        assert!(room.has(5));
        assert!(!room.has(1));
    }
}
