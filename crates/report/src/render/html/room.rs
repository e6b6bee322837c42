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
    /// Entries in full.
    pub(super) whole: u64,
    /// Entries as a line alone.
    pub(super) lines: u64,
    /// Entries that are not there at all.
    pub(super) left_out: u64,
}

impl Room {
    pub(super) fn of(bytes: usize) -> Self {
        Self { left: bytes, closed: false }
    }

    /// Sets aside what the lines of a list take up, and says how many of them there is room for.
    pub(super) fn set_aside(&mut self, lines: &[usize]) -> usize {
        for (at, line) in lines.iter().enumerate() {
            let Some(left) = self.left.checked_sub(*line) else { return at };
            self.left = left;
        }
        lines.len()
    }

    /// Whether an entry that takes up so many bytes more than its line is shown whole. After the first that is
    /// not, none is: what is shown whole is always the beginning of a list. An entry that is no more than its
    /// line needs no room.
    pub(super) fn has(&mut self, more: usize) -> bool {
        if more == 0 {
            return true;
        }
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
        assert_eq!(room.set_aside(&[10, 10, 10]), 3);
        assert!(room.has(50));
        assert!(!room.has(30), "20 bytes are left");
        assert!(!room.has(1), "and nothing after the first that does not fit");
        assert!(room.has(0));
    }

    #[test]
    fn lines_that_do_not_fit_are_cut_at_the_end() {
        let mut room = Room::of(25);
        assert_eq!(room.set_aside(&[10, 10, 10]), 2);
        assert!(room.has(5));
        assert!(!room.has(1));
    }
}
