//! Calls in the notation of a programming language: `name(key="value")` at the start of a line.

use std::sync::LazyLock;

use probes::Offered;
use regex::Regex;

use super::{TextCall, is_taken};

/// Most places of one text at which a call is tried.
const MOST_TRIES: usize = 64;

/// The head of a call. What a language puts before it is no part of the name, and neither is the recipient
/// that dialects write before a dot.
static HEAD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?m)^[ \t]*(?:>>>[ \t]*)?\[?[ \t]*(?:print\(|await[ \t]+|return[ \t]+|[a-z_][a-z0-9_]*[ \t]*=[ \t]*)*",
        r"(?:(?:functions|default_api|tools)\.)?([A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z_][A-Za-z0-9_-]*)*)\(",
    ))
    .expect("a fixed pattern")
});

/// A further call of a list.
static NEXT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^[ \t\r\n]*,[ \t\r\n]*(?:(?:functions|default_api|tools)\.)?([A-Za-z_][A-Za-z0-9_.-]*)\(")
        .expect("a fixed pattern")
});

static KEYWORD: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s*[A-Za-z_]\w*\s*=\s*[^=\s]").expect("a fixed pattern"));

/// Functions that code calls with keywords and that are no tools.
const LANGUAGE: &[&str] =
    &["print", "open", "dict", "sorted", "max", "min", "sum", "range", "input", "str", "list"];

/// Adds the calls that stand in the text in function notation, outside those that are found already.
pub(super) fn find(text: &str, offered: &Offered, calls: &mut Vec<TextCall>) {
    if !text.contains('(') {
        return;
    }
    for head in HEAD.captures_iter(text).take(MOST_TRIES) {
        let (Some(all), Some(name)) = (head.get(0), head.get(1)) else { continue };
        if is_taken(calls, name.start()) {
            continue;
        }
        let Some(end) = closing(text, all.end()) else { continue };
        if !is_call(text, name.as_str(), all.end()..end, offered) {
            continue;
        }
        calls.push(call(name.as_str(), name.start()..end + 1));
        let mut from = end + 1;
        while let Some(next) = NEXT.captures(&text[from..]) {
            let (Some(all), Some(name)) = (next.get(0), next.get(1)) else { break };
            let Some(end) = closing(text, from + all.end()) else { break };
            calls.push(call(name.as_str(), from + name.start()..end + 1));
            from = end + 1;
        }
    }
}

/// The names of calls in text that stands in call markup.
pub(super) fn in_markup(body: &str) -> Vec<String> {
    let mut names = Vec::new();
    for head in HEAD.captures_iter(body).take(MOST_TRIES) {
        let (Some(all), Some(name)) = (head.get(0), head.get(1)) else { continue };
        names.push(name.as_str().to_owned());
        let mut from = closing(body, all.end()).map_or(body.len(), |end| end + 1);
        while let Some(next) = NEXT.captures(&body[from..]) {
            let (Some(all), Some(name)) = (next.get(0), next.get(1)) else { break };
            names.push(name.as_str().to_owned());
            from = closing(body, from + all.end()).map_or(body.len(), |end| end + 1);
        }
    }
    names
}

fn call(name: &str, span: std::ops::Range<usize>) -> TextCall {
    TextCall { name: name.to_owned(), span, broken: false, marked: false }
}

/// The place of the bracket that closes the one before `from`; brackets in strings do not count.
fn closing(text: &str, from: usize) -> Option<usize> {
    let mut depth = 1_u32;
    let mut string: Option<u8> = None;
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(from) {
        match string {
            Some(_) if escaped => escaped = false,
            Some(_) if byte == b'\\' => escaped = true,
            Some(quote) if byte == quote => string = None,
            Some(_) => {}
            None => match byte {
                b'"' | b'\'' => string = Some(byte),
                b'(' => depth += 1,
                b')' if depth == 1 => return Some(at),
                b')' => depth -= 1,
                _ => {}
            },
        }
    }
    None
}

/// Whether `name(inside)` calls a tool: values are given, not the names of parameters; what is offered may
/// stand before more text, what is not must be the whole line.
fn is_call(text: &str, name: &str, inside: std::ops::Range<usize>, offered: &Offered) -> bool {
    let rest = text[inside.end + 1..].lines().next().unwrap_or_default();
    let alone =
        rest.trim_matches(|c: char| c.is_whitespace() || matches!(c, ')' | ']' | ';' | '`')).is_empty()
            || rest.trim_start().starts_with(',');
    let inside = text[inside].trim();
    let keywords = KEYWORD.is_match(inside);
    let object = inside.starts_with('{') && inside.ends_with('}');
    if offered.get(name).is_some() {
        let literal =
            inside.starts_with(['"', '\'', '-']) || inside.starts_with(|c: char| c.is_ascii_digit());
        return keywords || object || literal || (inside.is_empty() && alone && is_bare(text, name));
    }
    let tool_like = name.contains(['_', '.']) || name.chars().skip(1).any(char::is_uppercase);
    alone && (keywords || object) && tool_like && !LANGUAGE.contains(&name) && !in_code_fence(text, name)
}

/// Whether a call without arguments is all that the text says.
fn is_bare(text: &str, name: &str) -> bool {
    let around = text.replacen(name, "", 1);
    !around.chars().any(char::is_alphanumeric)
}

/// Whether a name stands in a fence of program text: an example of code, not a call.
fn in_code_fence(text: &str, name: &str) -> bool {
    const CODE: &[&str] =
        &["```python", "```py", "```js", "```javascript", "```ts", "```typescript", "```bash", "```sh"];
    let Some(at) = text.find(name) else { return false };
    let Some(fence) = text[..at].rfind("```") else { return false };
    CODE.iter().any(|open| text[fence..].starts_with(open))
}
