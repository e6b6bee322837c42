//! Values that must never be shown or written.

use std::fmt;

/// A secret. Printing it in any way gives `[redacted]`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Takes a value into safe keeping.
    #[must_use]
    pub fn new(value: String) -> Self {
        Self(value)
    }

    /// The secret as the value of an `Authorization` header.
    #[must_use]
    pub fn bearer(&self) -> Self {
        Self(format!("Bearer {}", self.0))
    }

    /// The value itself, for the request and for the redactor.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(crate::redact::REDACTED)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(crate::redact::REDACTED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_prints_as_nothing() {
        let secret = Secret::new("k-99182-moss".into());
        let printed = format!("{secret} {secret:?} {:?}", Some(&secret));
        assert!(!printed.contains("moss"), "{printed}");
    }
}
