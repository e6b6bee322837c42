//! Whole lines out of a reader, a window at a time.

use std::io::{self, Read};

use crate::gather::Gather;

/// Bytes of a reader that have come and are not gathered yet.
pub(super) struct Windows<R> {
    reader: R,
    buffer: Vec<u8>,
    /// How many bytes at the front of the buffer are filled.
    filled: usize,
    /// Where the first of them stands, counted from the beginning of what is read.
    at: u64,
    is_over: bool,
    /// Why it is over before its end. What came before counts, and is gathered first.
    failed: Option<io::Error>,
    /// The length so far of a line that is too long, while it is skipped.
    skipping: Option<u64>,
}

impl<R: Read> Windows<R> {
    pub(super) fn new(reader: R, buffer: Vec<u8>) -> Self {
        let mut buffer = buffer;
        if buffer.len() < super::WINDOW {
            buffer.resize(super::WINDOW, 0);
        }
        Self { reader, buffer, filled: 0, at: 0, is_over: false, failed: None, skipping: None }
    }

    /// The buffer, for the next log.
    pub(super) fn into_buffer(mut self) -> Vec<u8> {
        // A long line of one log is no reason to hold its room for all others.
        self.buffer.truncate(super::WINDOW);
        self.buffer.shrink_to(super::WINDOW);
        self.buffer
    }

    /// Fills the window. What stands in it then begins a line.
    pub(super) fn fill(&mut self) -> io::Result<()> {
        while !self.is_over && self.filled < self.buffer.len() {
            let room = self.buffer.get_mut(self.filled..).unwrap_or_default();
            match self.reader.read(room) {
                Ok(0) => self.is_over = true,
                Ok(count) => self.filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if self.filled == 0 => return Err(error),
                Err(error) => {
                    self.is_over = true;
                    self.failed = Some(error);
                }
            }
        }
        Ok(())
    }

    /// What stands in the window.
    pub(super) fn bytes(&self) -> &[u8] {
        self.buffer.get(..self.filled).unwrap_or_default()
    }

    /// Whether nothing follows what stands in the window.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Where the window begins.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// Reads on to the end, or to `limit` bytes; whether it is the end.
    pub(super) fn fill_all(&mut self, limit: u64) -> io::Result<bool> {
        loop {
            self.fill()?;
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            if self.is_over {
                return Ok(true);
            }
            if self.filled as u64 >= limit {
                return Ok(false);
            }
            let room = (self.buffer.len() * 2).min(usize::try_from(limit).unwrap_or(usize::MAX));
            self.buffer.resize(room, 0);
        }
    }

    /// Makes room for `size` bytes and fills it; `false` where there is that much room already, or nothing follows.
    pub(super) fn widen(&mut self, size: usize) -> io::Result<bool> {
        if self.is_over || self.buffer.len() >= size {
            return Ok(false);
        }
        self.buffer.resize(size, 0);
        self.fill()?;
        Ok(true)
    }

    /// Drops everything up to and including the next line break: the line belongs to whoever reads before.
    pub(super) fn drop_line(&mut self) -> io::Result<()> {
        loop {
            self.fill()?;
            match memchr::memchr(b'\n', self.bytes()) {
                Some(end) => {
                    self.consume(end + 1);
                    return Ok(());
                }
                None => self.consume(self.filled),
            }
            if self.is_over {
                return Ok(());
            }
        }
    }

    /// Gathers the lines of the window that begin before `end`. `ends_log` says that the log ends where the
    /// reader does. `false` when there is nothing more to gather.
    pub(super) fn gather(&mut self, gather: &mut Gather<'_>, end: u64, ends_log: bool) -> io::Result<bool> {
        self.fill()?;
        if self.filled == 0 {
            self.end_skipping(gather);
            return self.failed.take().map_or(Ok(false), Err);
        }
        if self.skipping.is_some() {
            self.skip(gather);
            return Ok(true);
        }
        if self.at >= end {
            return Ok(false);
        }
        // The line in which byte `end - 1` stands is the last one.
        let within = usize::try_from(end - self.at).unwrap_or(usize::MAX);
        let bytes = self.bytes();
        let last = match within <= bytes.len() {
            true => {
                bytes.get(within - 1..).and_then(|rest| memchr::memchr(b'\n', rest)).map(|at| within - 1 + at)
            }
            false => memchr::memrchr(b'\n', bytes),
        };
        match last {
            Some(last) => {
                gather.lines(bytes.get(..=last).unwrap_or_default(), false);
                self.consume(last + 1);
            }
            None if self.is_over => {
                gather.lines(bytes, ends_log);
                self.consume(self.filled);
            }
            // The window has to hold the line that goes on beyond it; the lines before it are not lost.
            None => match memchr::memrchr(b'\n', bytes) {
                Some(last) => {
                    gather.lines(bytes.get(..=last).unwrap_or_default(), false);
                    self.consume(last + 1);
                }
                None if self.buffer.len() < super::LONGEST_LINE => {
                    let room = (self.buffer.len() * 2).min(super::LONGEST_LINE);
                    self.buffer.resize(room, 0);
                }
                None => self.skipping = Some(0),
            },
        }
        Ok(true)
    }

    /// Skips a line that is too long, as far as the window goes.
    fn skip(&mut self, gather: &mut Gather<'_>) {
        let so_far = self.skipping.unwrap_or_default();
        match memchr::memchr(b'\n', self.bytes()) {
            Some(end) => {
                gather.long_line(so_far + end as u64 + 1);
                self.skipping = None;
                self.consume(end + 1);
            }
            None => {
                self.skipping = Some(so_far + self.filled as u64);
                self.consume(self.filled);
            }
        }
    }

    fn end_skipping(&mut self, gather: &mut Gather<'_>) {
        if let Some(length) = self.skipping.take() {
            gather.long_line(length);
        }
    }

    fn consume(&mut self, count: usize) {
        self.buffer.copy_within(count..self.filled, 0);
        self.filled -= count;
        self.at += count as u64;
    }
}
