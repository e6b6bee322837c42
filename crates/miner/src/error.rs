//! Why nothing was mined.

use std::path::PathBuf;

/// Why nothing was mined.
#[derive(Debug, thiserror::Error)]
pub enum MineError {
    /// A path is not there.
    #[error("nothing is at `{}`", .0.display())]
    NoPath(PathBuf),
}
