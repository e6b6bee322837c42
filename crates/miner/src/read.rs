//! Reading in windows: a file is never mapped (one that shrinks would end the process) and never whole in memory,
//! unless it is one JSON document.

mod pieces;
mod source;
mod windows;

pub(crate) use pieces::{Step, Task, Work, plan, work};
pub(crate) use source::{Log, open};

/// How much is read at a time, in bytes: what is copied out of the kernel is still in the cache when it is searched.
pub(crate) const WINDOW: usize = 256 << 10;

/// How much of its beginning a log's format is told from, where a window does not tell it.
pub(crate) const SAMPLE: usize = 1 << 20;

/// The longest line that is read, in bytes. Longer ones are named.
pub(crate) const LONGEST_LINE: usize = 32 << 20;

/// The largest document that is read, in bytes. Larger ones are named.
pub(crate) const LARGEST_DOCUMENT: u64 = 128 << 20;

/// From this size on a file whose lines stand alone is read in pieces: no thread waits long for another at the end
/// of a batch.
const SPLIT: u64 = 4 << 20;

/// The size of a piece.
const PIECE: u64 = 2 << 20;

/// How much of a stream is read before what was gathered is handed on, in bytes.
const STRETCH: u64 = 64 << 20;

/// How many times larger than what is stored a stream may become. Logs of agents pack 5 to 60 times.
const MOST_TIMES_LARGER: u64 = 1_000;

/// Streams below this size are read however well they are packed.
const ALWAYS_READ: u64 = 256 << 20;
