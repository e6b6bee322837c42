//! Calls written in the markup of chat templates that a server should have parsed.

use std::ops::Range;
use std::sync::LazyLock;

use probes::Offered;
use regex::Regex;

use super::{TextCall, is_taken, json, notation};

/// What opens and closes a block of calls. Outer blocks come before what may stand in them.
const BLOCKS: &[(&str, &str)] = &[
    ("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"),
    ("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"),
    ("<function_calls>", "</function_calls>"),
    ("<tool_calls>", "</tool_calls>"),
    ("<minimax:tool_call>", "</minimax:tool_call>"),
    ("<tool_call>", "</tool_call>"),
    ("<toolcall>", "</toolcall>"),
    ("<function_call>", "</function_call>"),
    ("<functioncall>", "</functioncall>"),
    ("<start_function_call>", "<end_function_call>"),
    ("<tool_use>", "</tool_use>"),
    ("<tool_code>", "</tool_code>"),
    ("<|tool_call_start|>", "<|tool_call_end|>"),
    ("<|tool_call_begin|>", "<|tool_call_end|>"),
    ("<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"),
    ("<|tool_call|>", "<|/tool_call|>"),
    ("<|tool_call>", "<tool_call|>"),
    ("<|python_tag|>", "<|eom_id|>"),
    ("[TOOL_CALLS]", "</s>"),
    ("[TOOL_CALL]", "[/TOOL_CALL]"),
    ("[TOOL_REQUEST]", "[END_TOOL_REQUEST]"),
    ("```tool_code", "```"),
    ("```tool_call", "```"),
];

/// Blocks that templates close with a stop token, which servers take away: open is how they end.
const UNCLOSED: &[&str] = &["[TOOL_CALLS]", "<|python_tag|>", "<|tool_call|>"];

/// Most blocks of one text that are read.
const MOST_BLOCKS: usize = 64;

/// A name inside a block, or in markup that needs no block.
static TAGGED_NAME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r#"<function\s*=\s*["']?([^>"'\s<]+)["']?\s*>"#,
        r#"|<function\s+name\s*=\s*["']([^"'>]+)["']"#,
        r#"|<(?:[a-z]+:)?invoke\s+name\s*=\s*["']([^"'>]+)["']"#,
    ))
    .expect("a fixed pattern")
});

/// A recipient of the harmony dialect, with or without its tokens, and what leads to the arguments.
static RECIPIENT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\bto=(?:functions\.)?([A-Za-z0-9_.:-]+)[^{\n]{0,80}\{").expect("a fixed pattern")
});

static SEPARATED_NAME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"<｜tool▁sep｜>\s*([A-Za-z0-9_.-]+)",
        r"|(?:functions\.)?([A-Za-z0-9_.-]+?)(?::\d+)?\s*<\|tool_call_argument_begin\|>",
    ))
    .expect("a fixed pattern")
});

static LEADING_NAME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:call:)?([A-Za-z_][A-Za-z0-9_.-]*)\s*(?:\[ARGS\]|\[CALL_ID\]|\{|<arg_key>|$)")
        .expect("a fixed pattern")
});

/// The calls that stand in the text as markup.
pub(super) fn find(text: &str, offered: &Offered) -> Vec<TextCall> {
    let mut calls = Vec::new();
    for block in blocks(text) {
        calls.extend(calls_of(text, &block, offered));
    }
    if text.contains('<') {
        for found in TAGGED_NAME.captures_iter(text).take(MOST_BLOCKS) {
            push_tagged(text, &found, &mut calls);
        }
        element_calls(text, offered, &mut calls);
    }
    if text.contains("to=") {
        for found in RECIPIENT.captures_iter(text).take(MOST_BLOCKS) {
            let (Some(all), Some(name)) = (found.get(0), found.get(1)) else { continue };
            if !is_taken(&calls, all.start()) {
                let end = json_end(text, all.end() - 1);
                calls.push(marked(
                    name.as_str(),
                    all.start()..end,
                    end == text.len() && !text.ends_with('}'),
                ));
            }
        }
    }
    if let Some(call) = action_call(text) {
        calls.push(call);
    }
    calls
}

struct Block {
    span: Range<usize>,
    body: Range<usize>,
    closed: bool,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    for (open, close) in BLOCKS {
        let mut from = 0;
        while let Some(at) = text[from..].find(open).map(|at| at + from) {
            let start = at + open.len();
            from = start;
            if found.len() >= MOST_BLOCKS {
                return found;
            }
            if found.iter().any(|block| block.span.contains(&at)) {
                continue;
            }
            // A block that is opened again before it closes ends there.
            let again = text[start..].find(open).map_or(text.len(), |next| start + next);
            let closing = text[start..again].find(close).map(|end| start + end);
            let end = closing.unwrap_or(again);
            let span_end = closing.map_or(end, |end| end + close.len());
            let closed = closing.is_some() || UNCLOSED.contains(open);
            found.push(Block { span: at..span_end, body: start..end, closed });
            from = span_end;
        }
    }
    found.sort_by_key(|block| block.span.start);
    found
}

fn calls_of(text: &str, block: &Block, offered: &Offered) -> Vec<TextCall> {
    let body = &text[block.body.clone()];
    let (names, broken) = names_in(body, offered);
    if names.is_empty() && !body.contains(['{', '(', '<', '[']) {
        // Markup that is only named, as in a sentence about it.
        return Vec::new();
    }
    if names.is_empty() {
        return vec![marked("", block.span.clone(), true)];
    }
    let broken = broken || !block.closed;
    names.iter().map(|name| marked(name, block.span.clone(), broken)).collect()
}

/// The names of the calls in a block, and whether their syntax is broken.
fn names_in(body: &str, offered: &Offered) -> (Vec<String>, bool) {
    let pick = |regex: &Regex| -> Vec<String> {
        let hits = regex.captures_iter(body).take(MOST_BLOCKS);
        hits.filter_map(|hit| hit.iter().skip(1).flatten().next().map(|name| name.as_str().to_owned()))
            .collect()
    };
    for regex in [&TAGGED_NAME, &SEPARATED_NAME, &RECIPIENT] {
        let names = pick(regex);
        if !names.is_empty() {
            return (names, false);
        }
    }
    let starts_with_json = body.trim_start().starts_with(['{', '[', '`']);
    if !starts_with_json && let Some(name) = LEADING_NAME.captures(body).and_then(|hit| hit.get(1)) {
        return (vec![name.as_str().to_owned()], false);
    }
    let calls = notation::in_markup(body);
    if !calls.is_empty() {
        return (calls, false);
    }
    json::in_markup(body, offered).unwrap_or_default()
}

fn push_tagged(text: &str, found: &regex::Captures<'_>, calls: &mut Vec<TextCall>) {
    let Some(all) = found.get(0) else { return };
    let Some(name) = found.iter().skip(1).flatten().next() else { return };
    if is_taken(calls, all.start()) {
        return;
    }
    let close = if all.as_str().starts_with("<function") { "</function>" } else { "invoke>" };
    let end = text[all.end()..].find(close).map(|end| all.end() + end + close.len());
    calls.push(marked(name.as_str(), all.start()..end.unwrap_or(text.len()), end.is_none()));
}

/// `<NAME>...</NAME>` with the name of an offered tool.
fn element_calls(text: &str, offered: &Offered, calls: &mut Vec<TextCall>) {
    for (at, _) in text.match_indices('<').take(MOST_BLOCKS * 4) {
        let rest = &text[at + 1..];
        let Some(end) = rest.find('>').filter(|end| *end <= 128) else { continue };
        let name = &rest[..end];
        if offered.get(name).is_none() || is_taken(calls, at) {
            continue;
        }
        let close = format!("</{name}>");
        if let Some(length) = rest.find(&close) {
            calls.push(marked(name, at..at + 1 + length + close.len(), false));
        }
    }
}

/// `Action: NAME` and `Action Input: {...}` on lines of their own.
fn action_call(text: &str) -> Option<TextCall> {
    static ACTION: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)^Action:[ \t]*`?([A-Za-z0-9_.-]+)`?[ \t]*\r?\n+Action Input:")
            .expect("a fixed pattern")
    });
    if !text.contains("Action Input:") {
        return None;
    }
    let found = ACTION.captures(text)?;
    let (all, name) = (found.get(0)?, found.get(1)?);
    Some(marked(name.as_str(), all.start()..text.len(), false))
}

/// The end of the JSON value that starts at a place, else the end of the text.
fn json_end(text: &str, at: usize) -> usize {
    let mut stream = serde_json::Deserializer::from_str(&text[at..]).into_iter::<serde::de::IgnoredAny>();
    match stream.next() {
        Some(Ok(_)) => at + stream.byte_offset(),
        _ => text.len(),
    }
}

fn marked(name: &str, span: Range<usize>, broken: bool) -> TextCall {
    TextCall { name: name.trim().to_owned(), span, broken, marked: true }
}
