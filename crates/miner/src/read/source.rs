//! A log: a file, or what comes on standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;

/// A file to be read.
#[derive(Debug, Clone)]
pub(crate) struct Log {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// As reports name it.
    pub(crate) name: String,
    /// Its size when it was found, in bytes; it may grow while it is read, and what comes later is not read.
    pub(crate) size: u64,
}

/// How a log is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    None,
    Gzip,
    Zstd,
}

impl Packing {
    /// Told from the first bytes.
    pub(super) fn of(start: &[u8]) -> Self {
        match start {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Self::Zstd,
            _ => Self::None,
        }
    }
}

/// A reader of bytes that is handed between threads.
pub(crate) type Bytes = Box<dyn Read + Send>;

/// Opens a log and unpacks it.
pub(crate) fn open(log: &Log) -> io::Result<Bytes> {
    let file = File::open(&log.path)?;
    unpacked(Box::new(file.take(log.size)))
}

/// What comes out of a reader, unpacked, whatever its name says.
pub(super) fn unpacked(mut packed: Bytes) -> io::Result<Bytes> {
    let mut start = Vec::with_capacity(4);
    packed.by_ref().take(4).read_to_end(&mut start)?;
    let packing = Packing::of(&start);
    let whole = io::Cursor::new(start).chain(packed);
    if packing == Packing::None {
        return Ok(Box::new(whole));
    }
    let taken = Arc::new(AtomicU64::new(0));
    let counted = Counted { inner: whole, taken: Arc::clone(&taken) };
    let inner: Bytes = match packing {
        Packing::Zstd => Box::new(Frames::new(counted)?),
        _ => Box::new(MultiGzDecoder::new(io::BufReader::new(counted))),
    };
    Ok(Box::new(Guarded { inner, taken, given: 0 }))
}

/// Zstandard, frame after frame.
struct Frames<R: Read> {
    decoder: Option<StreamingDecoder<io::BufReader<R>, ruzstd::decoding::FrameDecoder>>,
}

impl<R: Read> Frames<R> {
    fn new(source: R) -> io::Result<Self> {
        Ok(Self { decoder: Some(frame(io::BufReader::new(source))?) })
    }
}

fn frame<R: Read>(
    source: io::BufReader<R>,
) -> io::Result<StreamingDecoder<io::BufReader<R>, ruzstd::decoding::FrameDecoder>> {
    StreamingDecoder::new(source)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.to_string()))
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let Some(decoder) = &mut self.decoder else { return Ok(0) };
            let count = decoder.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            // The frame ends here. Another may follow.
            let Some(decoder) = self.decoder.take() else { return Ok(0) };
            let mut source = decoder.into_inner();
            if io::BufRead::fill_buf(&mut source)?.is_empty() {
                return Ok(0);
            }
            self.decoder = Some(frame(source)?);
        }
    }
}

/// Counts what is taken.
struct Counted<R> {
    inner: R,
    taken: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.taken.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Stops where far more comes out than went in.
struct Guarded {
    inner: Bytes,
    taken: Arc<AtomicU64>,
    given: u64,
}

impl Read for Guarded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.given += count as u64;
        let taken = self.taken.load(Ordering::Relaxed);
        if self.given > super::ALWAYS_READ && self.given / super::MOST_TIMES_LARGER > taken {
            let text = format!("unpacks to more than {} times its size", super::MOST_TIMES_LARGER);
            return Err(io::Error::other(text));
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_unpacks_beyond_measure_is_stopped() {
        let guarded = |given, taken| Guarded {
            inner: Box::new(io::repeat(0).take(10)),
            taken: Arc::new(AtomicU64::new(taken)),
            given,
        };
        let mut buffer = [0; 10];
        assert!(guarded(1 << 40, 1 << 20).read(&mut buffer).is_err());
        assert!(guarded(1 << 40, 1 << 35).read(&mut buffer).is_ok());
        assert!(guarded(1 << 20, 1).read(&mut buffer).is_ok());
    }
}
