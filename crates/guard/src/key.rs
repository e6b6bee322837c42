//! Where a value lies: a key of the outermost object, a JSON pointer, or `.` for the whole.

use serde_json::Value;

/// The value at a place; none where it is not there. A `null` is there.
pub(crate) fn at<'a>(body: &'a Value, key: &str) -> Option<&'a Value> {
    match key {
        "." => Some(body),
        _ if key.starts_with('/') => body.pointer(key),
        _ => body.get(key),
    }
}

/// The value that is nearest to a missing place on the way to it, and its name: where the keys that are there
/// instead are to be read.
pub(crate) fn nearest<'a>(body: &'a Value, key: &str) -> (&'a Value, String) {
    let mut pointer = if key.starts_with('/') { key } else { "" };
    while let Some((parent, _)) = pointer.rsplit_once('/') {
        pointer = parent;
        if let Some(value) = body.pointer(pointer) {
            let name = if pointer.is_empty() { "the body".to_owned() } else { format!("`{pointer}`") };
            return (value, name);
        }
    }
    (body, "the body".to_owned())
}
