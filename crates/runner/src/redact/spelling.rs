//! What else a secret is written as: in Base64, in hexadecimal digits, and behind the escapes of JSON, URLs and HTML.

use std::fmt::Write as _;

use regex::{Regex, RegexBuilder};

use super::pieces;

/// The compiled form of an expression is at most so large, in bytes. Keys of a few kilobytes fit in.
const LARGEST: usize = 64 << 20;

/// So many characters of a form tell that it may be there.
const SIGN: usize = 12;

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_SAFE: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The secret, and what it is turned into on its way through headers and logs. None that is shorter than `shortest`.
pub(super) fn forms(secret: &str, shortest: usize) -> Vec<String> {
    let secret = secret.trim();
    let mut plain = vec![secret.to_owned()];
    // `Bearer KEY`, `Basic BASE64(user:password)`: what follows the scheme is the secret.
    if let Some((_, rest)) = secret.split_once(' ') {
        plain.push(rest.trim_start().to_owned());
        if let Some(credentials) = decoded(rest.trim_start()) {
            plain.extend(credentials.split_once(':').map(|(_, password)| password.to_owned()));
            plain.push(credentials);
        }
    }
    plain.retain(|form| form.len() >= shortest);
    let mut all = Vec::new();
    for form in plain {
        for alphabet in [STANDARD, URL_SAFE] {
            all.extend((0..3).map(|offset| encoded(form.as_bytes(), offset, alphabet)));
        }
        let hex: String = form.bytes().fold(String::new(), |mut out, byte| {
            let _ = write!(out, "{byte:02x}");
            out
        });
        all.extend([hex.to_uppercase(), hex, form]);
    }
    all
}

/// One expression for every spelling of these forms, the first of them first; none where there are no forms, or too
/// large ones.
pub(super) fn any_of(forms: &[String]) -> Option<Regex> {
    if forms.is_empty() {
        return None;
    }
    let all: Vec<String> = forms.iter().map(|form| form.chars().map(spelt).collect()).collect();
    RegexBuilder::new(&all.join("|")).size_limit(LARGEST).build().ok()
}

/// One expression for what no text with any of these forms is without: the end of the longest part that is the same in
/// every spelling, or what may hide that: an escape of JSON, which can stand for any character, or a stream, which comes
/// in pieces. None where there are no forms.
pub(super) fn signs(forms: &[String]) -> Option<Regex> {
    if forms.is_empty() {
        return None;
    }
    let trace = |form: &String| {
        let parts = form.split(|c| !is_plain(c));
        let longest = parts.max_by_key(|part| part.len()).unwrap_or_default();
        regex::escape(longest.get(longest.len().saturating_sub(SIGN)..).unwrap_or_default())
    };
    let hidden = pieces::SIGNS.iter().chain(&[r"\u00"]).map(|sign| regex::escape(sign));
    Regex::new(&forms.iter().map(trace).chain(hidden).collect::<Vec<_>>().join("|")).ok()
}

/// Characters that nothing escapes.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')
}

/// A character in every spelling: as it is, behind backslashes, by its number in JSON, URLs (once more escaped, too) and
/// HTML, and by its name there.
fn spelt(c: char) -> String {
    let literal = regex::escape(c.encode_utf8(&mut [0; 4]));
    if is_plain(c) {
        return literal;
    }
    let in_json: String =
        c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!(r"\\+u(?i:{unit:04x})")).collect();
    let in_url: String =
        c.encode_utf8(&mut [0; 4]).bytes().map(|byte| format!("%(?:25)*(?i:{byte:02x})")).collect();
    let number = u32::from(c);
    let name = match c {
        '&' => "|&amp;",
        '<' => "|&lt;",
        '>' => "|&gt;",
        '"' => "|&quot;",
        '\'' => "|&apos;",
        ' ' => r"|\+",
        _ => "",
    };
    format!(r"(?:\\*{literal}|{in_json}|{in_url}|&#0*{number};|&#[xX]0*(?i:{number:x});{name})")
}

/// The characters of Base64 that depend on these bytes alone, where `offset` bytes of a group of three stand before them.
fn encoded(bytes: &[u8], offset: usize, alphabet: &[u8; 64]) -> String {
    let mut padded = vec![0; offset];
    padded.extend_from_slice(bytes);
    let first = (offset * 8).div_ceil(6);
    let last = padded.len() * 8 / 6;
    let sextet = |at: usize| {
        let bit = at * 6;
        let byte = |at: usize| u16::from(padded.get(at).copied().unwrap_or_default());
        let pair = byte(bit / 8) << 8 | byte(bit / 8 + 1);
        usize::from(pair >> (10 - bit % 8) & 63)
    };
    (first..last).map(|at| char::from(alphabet[sextet(at)])).collect()
}

/// What Base64 says, where it is text.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let (mut held, mut bits) = (0_u32, 0);
    for byte in text.trim_end_matches('=').bytes() {
        let of = |alphabet: &[u8; 64]| alphabet.iter().position(|known| *known == byte);
        held = held << 6 | u32::try_from(of(STANDARD).or_else(|| of(URL_SAFE))?).ok()?;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from(held >> bits & 0xff).ok()?);
            held &= (1 << bits) - 1;
        }
    }
    String::from_utf8(bytes).ok().filter(|text| !text.is_empty() && !text.contains(char::is_control))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_a_part_is_part_of_the_base64() {
        // Worked out with coreutils: printf 'user:moss-7781' | base64, and with one and two letters less.
        for (whole, secret) in [
            ("dXNlcjptb3NzLTc3ODE=", "moss-7781"),
            ("c2VyOm1vc3MtNzc4MQ==", "moss-7781"),
            ("ZXI6bW9zcy03Nzgx", "moss-7781"),
        ] {
            let forms = forms(secret, 8);
            assert!(
                forms.iter().any(|form| form.len() > 8 && whole.contains(form.as_str())),
                "{whole}: {forms:?}"
            );
        }
        assert_eq!(decoded("dXNlcjptb3NzLTc3ODE=").as_deref(), Some("user:moss-7781"));
        assert_eq!(decoded("not base64!"), None);
    }

    #[test]
    fn credentials_behind_a_scheme_are_known_by_themselves() {
        let forms = forms("Basic dXNlcjptb3NzLTc3ODE=", 8);
        for form in ["dXNlcjptb3NzLTc3ODE=", "user:moss-7781", "moss-7781"] {
            assert!(forms.iter().any(|known| known == form), "{form}");
        }
    }

    #[test]
    fn every_spelling_is_found_whole() {
        let regex = any_of(&["a/b \"ü&c".to_owned()]).unwrap();
        for text in [
            "a/b \"ü&c",
            r#"a\/b \"ü&c"#,
            r#"a\\\/b \\\"\\u00fc\\u0026c"#,
            "a%2Fb%20%22%C3%BC%26c",
            "a%2fb+%22%c3%bc%26c",
            "a%252Fb%2520%2522%25C3%25BC%2526c",
            "a&#47;b &quot;&#xFC;&amp;c",
        ] {
            assert_eq!(regex.replace_all(text, "-"), "-", "{text}");
        }
        assert!(!regex.is_match("a/b \"u&c"));
    }
}
