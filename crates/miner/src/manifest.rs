//! The files that were mined, with their hashes: what a citation of the figures names.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::census::SkippedFile;
use crate::error::MineError;
use crate::find;
use crate::read::Log;

/// The format of a manifest and its version.
pub const MANIFEST_FORMAT: &str = "toolmirage-manifest/1";

/// How much of a file is held while it is hashed, in bytes.
const PIECE: usize = 1 << 20;

/// The files that were mined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    /// The format of this file and its version.
    pub format: String,
    /// How many files are listed.
    pub file_count: u64,
    /// Their bytes, as they lie there, packed ones packed.
    pub bytes: u64,
    /// SHA-256 over a line a file, in the order below: its hash, two spaces, its path, a line break. That is what
    /// `sha256sum` prints for plain paths, so that `sha256sum FILE... | sha256sum` gives it again.
    pub sha256: String,
    /// The files, in the order of their paths.
    pub files: Vec<ManifestFile>,
    /// What lies below the paths and has no hash, with the reason.
    pub left_out: Vec<SkippedFile>,
}

/// One file of a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ManifestFile {
    /// Its path, as it was named.
    pub file: String,
    /// How many of its bytes are mined and hashed: its size when it was found.
    pub bytes: u64,
    /// SHA-256 of those bytes.
    pub sha256: String,
}

/// Hashes every file below the paths. A file that grows meanwhile is hashed up to its size when it was found.
///
/// # Errors
///
/// Where a path that was named is not there. Files that cannot be read are no error: they are left out by name.
pub fn manifest(paths: &[PathBuf]) -> Result<Manifest, MineError> {
    if let Some(path) = paths.iter().find(|path| path.symlink_metadata().is_err()) {
        return Err(MineError::NoPath(path.clone()));
    }
    let found = find::files(paths);
    let hashed: Vec<(Log, io::Result<(u64, String)>)> = found
        .logs
        .into_par_iter()
        .map(|log| {
            let hash = hash_of(&log.path, log.size);
            (log, hash)
        })
        .collect();
    let mut left_out: Vec<SkippedFile> =
        found.left_out.into_iter().map(|(file, why)| SkippedFile { file, why }).collect();
    let mut files = Vec::with_capacity(hashed.len());
    for (log, hash) in hashed {
        match hash {
            Ok((bytes, sha256)) => files.push(ManifestFile { file: log.name, bytes, sha256 }),
            Err(error) => left_out.push(SkippedFile { file: log.name, why: error.to_string() }),
        }
    }
    files.sort_by(|file, other| file.file.cmp(&other.file));
    left_out.sort_by(|file, other| file.file.cmp(&other.file));
    let mut all = Sha256::new();
    for file in &files {
        all.update(format!("{}  {}\n", file.sha256, file.file));
    }
    Ok(Manifest {
        format: MANIFEST_FORMAT.to_owned(),
        file_count: files.len() as u64,
        bytes: files.iter().map(|file| file.bytes).sum(),
        sha256: hex(&all.finalize()),
        files,
        left_out,
    })
}

fn hash_of(path: &Path, size: u64) -> io::Result<(u64, String)> {
    let mut file = File::open(path)?.take(size);
    let mut hash = Sha256::new();
    let mut piece = vec![0; PIECE.min(usize::try_from(size).unwrap_or(PIECE).max(1))];
    let mut bytes = 0;
    loop {
        let count = match file.read(&mut piece) {
            Ok(0) => return Ok((bytes, hex(&hash.finalize()))),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        hash.update(piece.get(..count).unwrap_or_default());
        bytes += count as u64;
    }
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut out, byte| {
        // Writing into a string cannot fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_hashed_in_the_order_of_their_paths() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("b"), "abc").unwrap();
        std::fs::write(folder.path().join("a"), "").unwrap();
        let listed = manifest(&[folder.path().join("b"), folder.path().to_owned()]).unwrap();
        let [empty, abc] = &listed.files[..] else { panic!("{listed:?}") };
        // FIPS 180-2, appendix B.1, and the hash of nothing.
        assert_eq!(abc.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(empty.sha256, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!((listed.file_count, listed.bytes, abc.bytes), (2, 3, 3));
        assert_eq!(listed.left_out[0].why, "the same file as one before");
        let again = manifest(&[folder.path().to_owned()]).unwrap();
        assert_eq!(again.files, listed.files);
        std::fs::write(folder.path().join("b"), "abd").unwrap();
        assert_ne!(manifest(&[folder.path().to_owned()]).unwrap().sha256, again.sha256);
        assert!(manifest(&[folder.path().join("gone")]).is_err());
    }
}
