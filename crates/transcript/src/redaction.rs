//! What stands in a record in place of a value that was taken out of it: `<email:1>`.

/// A value that was taken out of everything that is written. Equal values of a run have equal tokens, so that what
/// an argument is and what the words gave can still be held against each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RedactedKind {
    /// An e-mail address.
    Email,
    /// A telephone number.
    Phone,
    /// A bank account.
    Iban,
    /// What a pattern of the user's own finds.
    Private,
}

impl RedactedKind {
    /// Every kind, in the order in which lists show them.
    pub const ALL: [Self; 4] = [Self::Email, Self::Phone, Self::Iban, Self::Private];

    /// The word in its tokens.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Phone => "phone",
            Self::Iban => "iban",
            Self::Private => "private",
        }
    }

    /// The token of the value with this number.
    #[must_use]
    pub fn token(self, number: u64) -> String {
        format!("<{}:{number}>", self.as_str())
    }

    /// What a text is the token of, where it is one and nothing else.
    #[must_use]
    pub fn of_token(text: &str) -> Option<Self> {
        let (word, number) = text.strip_prefix('<')?.strip_suffix('>')?.split_once(':')?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        Self::ALL.into_iter().find(|kind| is_number && kind.as_str() == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_told_from_other_texts() {
        for kind in RedactedKind::ALL {
            assert_eq!(RedactedKind::of_token(&kind.token(17)), Some(kind));
        }
        for text in ["<email:>", "<email>", "<mail:1>", "email:1", "<email:1> x", "<email:x>", ""] {
            assert_eq!(RedactedKind::of_token(text), None, "{text}");
        }
    }
}
