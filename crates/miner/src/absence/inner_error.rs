//! Results that carry another result: an error inside an outer success, as routers of MCP tools return it.

use serde_json::Value;

/// What a result turned out to hold.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Unwrapped {
    /// The words of the innermost result, where it is wrapped at all.
    pub(super) text: Option<String>,
    /// The outermost wrapping says that it is an error.
    pub(super) outer_error: bool,
    /// A wrapping further in says so.
    pub(super) inner_error: bool,
}

/// How deep results are unwrapped.
const DEEPEST: usize = 4;

/// Unwraps MCP results written as JSON (`{"content": [...], "isError": true}`) or as the Python object that some
/// harnesses print (`meta=None content=[TextContent(type='text', text='...', ...)] isError=False`).
pub(super) fn unwrapped(text: &str) -> Unwrapped {
    let mut out = Unwrapped::default();
    for depth in 0..DEEPEST {
        let current = out.text.as_deref().unwrap_or(text);
        let Some((inner, is_error)) = printed(current).or_else(|| json(current)) else { break };
        match depth {
            // The first JSON layer of a plain result is inside what the harness itself called a success.
            0 if current.starts_with("meta=") => out.outer_error = is_error,
            _ => out.inner_error |= is_error,
        }
        out.text = Some(inner);
    }
    out
}

fn json(text: &str) -> Option<(String, bool)> {
    if !text.starts_with('{') || !text.contains("isError") {
        return None;
    }
    let value: Value = serde_json::from_str(text).ok()?;
    let is_error = value.get("isError")?.as_bool()?;
    let blocks = value.get("content").and_then(Value::as_array);
    let first = blocks.and_then(|blocks| blocks.iter().find_map(|block| block.get("text")?.as_str()));
    Some((first.unwrap_or_default().to_owned(), is_error))
}

/// The first text and the flag of a printed `CallToolResult`.
fn printed(text: &str) -> Option<(String, bool)> {
    let rest = text.strip_prefix("meta=")?;
    let (_, rest) = rest.split_once(" content=[")?;
    let is_error = rest.trim_end().ends_with("isError=True");
    let literal = rest.split_once("text=").map(|(_, literal)| literal);
    Some((literal.and_then(python_string).unwrap_or_default(), is_error))
}

/// The value of a Python string literal at the beginning of `text`.
fn python_string(text: &str) -> Option<String> {
    let mut characters = text.chars();
    let quote = characters.next().filter(|quote| matches!(quote, '\'' | '"'))?;
    let mut out = String::new();
    while let Some(character) = characters.next() {
        match character {
            _ if character == quote => return Some(out),
            '\\' => match characters.next()? {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                'r' => out.push('\r'),
                'x' => out.push(code(&mut characters, 2)?),
                'u' => out.push(code(&mut characters, 4)?),
                'U' => out.push(code(&mut characters, 8)?),
                other => out.push(other),
            },
            _ => out.push(character),
        }
    }
    None
}

fn code(characters: &mut std::str::Chars<'_>, digits: usize) -> Option<char> {
    let text: String = characters.take(digits).collect();
    char::from_u32(u32::from_str_radix(&text, 16).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_inside_a_printed_success() {
        let text = r#"meta=None content=[TextContent(type='text', text='{\n "content": [{"type": "text", "text": "It\'s \\"so\\" \xe9"}],\n "isError": true\n}', annotations=None)] isError=False"#;
        let found = unwrapped(text);
        assert_eq!((found.outer_error, found.inner_error), (false, true));
        assert_eq!(found.text.as_deref(), Some("It's \"so\" é"));
    }

    #[test]
    fn an_outer_error_is_no_inner_one() {
        let text = "meta=None content=[TextContent(type='text', text=\"no\", annotations=None)] isError=True";
        let found = unwrapped(text);
        assert_eq!((found.outer_error, found.inner_error), (true, false));
        assert_eq!(found.text.as_deref(), Some("no"));
    }

    #[test]
    fn plain_results_and_broken_wrappings_are_left() {
        assert_eq!(unwrapped("fine"), Unwrapped::default());
        assert_eq!(unwrapped("{\"isError\": tru"), Unwrapped::default());
        assert!(unwrapped("{\"content\":[],\"isError\":true}").inner_error);
        assert_eq!(unwrapped("meta=None content=[TextContent(text='cut").text.as_deref(), Some(""));
    }
}
