//! Keys and tokens that logs quote: a census is passed around, and what looks like one is masked before it is in it.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

/// What stands in the place of one.
const MASK: &str = "[masked]";

/// Texts that are keys by their form: the prefixes that issuers give theirs so that they can be found, signed
/// tokens, private keys, and what follows a word that announces one.
static SECRETS: LazyLock<Regex> = LazyLock::new(|| {
    let patterns = [
        r"\bsk-[A-Za-z0-9_-]{16,}",
        r"\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|hf_|npm_|pypi-)[A-Za-z0-9_-]{16,}",
        r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
        r"\bAIza[A-Za-z0-9_-]{30,}",
        r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?",
        r"(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)",
        r"(?i)\bbearer\s+[A-Za-z0-9._~+/-]{12,}=*",
        r#"(?i)\b(?:api[_-]?key|access[_-]?token|auth[_-]?token|client[_-]?secret|password|passwd)["']?\s*[:=]\s*["']?[^\s"',;&]{6,}"#,
        r"\b[a-z][a-z0-9+.-]*://[^\s/:@]*:[^\s/@]+@",
    ];
    Regex::new(&patterns.map(|pattern| format!("(?:{pattern})")).join("|"))
        .expect("the patterns are used by a test")
});

/// The text with what looks like a key or token masked.
#[must_use]
pub fn without_secrets(text: &str) -> Cow<'_, str> {
    SECRETS.replace_all(text, MASK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_key_is_masked_and_nothing_else() {
        for text in [
            "use sk-proj-0123456789abcdefghij now",
            "use ghp_0123456789abcdefghij now",
            "use AKIA0123456789ABCDEF now",
            "use eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl now",
            "use Bearer abcdefghijklmnop== now",
            "use api_key=hunter2hunter2 now",
            "use \"password\": \"hunter2\" now",
            "use https://ana:word@quay.test/x now",
            "use -----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY----- now",
        ] {
            let masked = without_secrets(text);
            assert!(masked.contains(MASK) && masked.starts_with("use "), "{text}: {masked}");
            for part in ["0123456789", "eyJ", "abcdefgh", "hunter2", "ana:word", "MIIE"] {
                assert!(!masked.contains(part), "{masked}");
            }
        }
        for text in ["sk-learn", "the password is unknown", "mcp__tickets__get", "https://quay.test/a:b"] {
            assert_eq!(without_secrets(text), text);
        }
    }
}
