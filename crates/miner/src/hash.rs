//! Compact keys: ids are compared by hash, so that a million of them take megabytes and not the length of the
//! ids. They live in memory only and are never written.

use std::hash::{DefaultHasher, Hasher};

/// 64 bits of a text; 0 stands for none and is never one of a text.
pub(crate) fn short(bytes: &[u8]) -> u64 {
    seeded(0, bytes).max(1)
}

/// 128 bits of a text.
pub(crate) fn long(bytes: &[u8]) -> u128 {
    (u128::from(seeded(1, bytes)) << 64) | u128::from(seeded(2, bytes))
}

/// 128 bits of a number within what `key` stands for.
pub(crate) fn within(key: u128, number: u64) -> u128 {
    let mut bytes = [0; 24];
    bytes[..16].copy_from_slice(&key.to_le_bytes());
    bytes[16..].copy_from_slice(&number.to_le_bytes());
    long(&bytes)
}

/// `DefaultHasher::new` has fixed keys, so one build gives one text one hash.
fn seeded(seed: u8, bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write_u8(seed);
    hasher.write(bytes);
    hasher.finish()
}
