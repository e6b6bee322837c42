//! When a call in text is a quotation: asked for, given as an example, or weighed.

use std::borrow::Cow;
use std::sync::LazyLock;

use probes::Offered;
use regex::Regex;

use super::TextCall;

/// Most bytes before a call that are read for words which make an example of it.
const LOOK_BACK: usize = 160;

/// Requests that want to see a call and not its effect: a word for the call beside a word for its writing, in
/// either order, or a ban on running anything.
static ASKED_FOR: LazyLock<Regex> = LazyLock::new(|| {
    const CALL: &str =
        r"(tool|function)s?[ _-]?(call|use|invocation)\w*|call\w*( \w+){0,3} (tool|function)s?";
    const WRITING: &str = concat!(
        r"examples?|samples?|syntax|formats?|formatted|templates?|literal(ly)?|verbatim|quot(e|ed|ation)|raw|markup",
        r"|notation|snippet|looks?( like)?|explain (what|how|the)|describe|document(ation)?|illustrate|written",
        r"|show (me )?(what|how|an|the (json|xml|markup|syntax|format))",
    );
    Regex::new(&format!(
        concat!(
            r"(?is)\b({writing})\b.{{0,60}}\b({call})\b|\b({call})\b.{{0,60}}\b({writing})\b",
            r"|<tool_call|\[TOOL_CALLS\]|<function=",
            r"|\b(do not|don't|without) (actually )?(run|call|execut|invok|mak)\w* (it|them|anything|(any|a|the) (tool|function|call)s?)\b",
            r"|\bhow (would|do|does|should|can) (you|i|one|a model) (call|invoke|write)\b",
        ),
        writing = WRITING,
        call = CALL,
    ))
    .expect("a fixed pattern")
});

static EXAMPLE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)\b(for example|for instance|e\.g\.|such as|an example|looks? like|would be|would look",
        r"|would need|would call|could call|could use|might call|if i had|if there were|hypothetical",
        r"|syntax|the format|of the form|not offered|not available|no such|no tool)\b",
    ))
    .expect("a fixed pattern")
});

static WEIGHING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(could|would|might|maybe|perhaps|should i|alternatively|what if|for example|e\.g\.)")
        .expect("a fixed pattern")
});

/// The same of a call that the user names by its tool.
static ASKED_BY_NAME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(examples?|sample|syntax|template|literal(ly)?|verbatim|quote|raw|markup|notation|snippet|looks? like|json)\b")
        .expect("a fixed pattern")
});

/// Whether the user asked to see a call as text.
pub(super) fn is_asked_for(user: &str, offered: &Offered) -> bool {
    let words = without_addresses(user);
    // Ahead of a colon stands data that the user hands over: `filter as JSON: {…}`.
    let names_a_writing = || {
        let mut found = ASKED_BY_NAME.find_iter(&words);
        found.any(|word| !words[word.end()..].trim_start().starts_with(':'))
    };
    ASKED_FOR.is_match(&words) || (names_a_writing() && names_a_tool(user, offered))
}

/// A text without its addresses and file names: `mira@lake.example` is no example.
fn without_addresses(text: &str) -> Cow<'_, str> {
    let is_address = |word: &str| {
        let dotted = || word.split('.').skip(1).any(|part| part.starts_with(char::is_alphanumeric));
        word.contains('@') || word.contains("://") || dotted()
    };
    if !text.split_whitespace().any(is_address) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.split_inclusive(char::is_whitespace).filter(|word| !is_address(word)).collect())
}

/// Whether the name of an offered tool stands there as a whole word.
fn names_a_tool(user: &str, offered: &Offered) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    offered.tools().iter().map(|tool| tool.name.as_str()).filter(|name| !name.is_empty()).any(|name| {
        user.match_indices(name)
            .any(|(at, _)| !user[..at].ends_with(is_part) && !user[at + name.len()..].starts_with(is_part))
    })
}

/// Whether a call is an example, inline code in a sentence, or the user's own text repeated.
pub(super) fn is_quoted(text: &str, call: &TextCall, user: &str) -> bool {
    let written = &text[call.span.clone()];
    if !written.is_empty() && user.contains(written) {
        return true;
    }
    let line = line_before(text, call.span.start);
    // An odd number of backticks before it on its line: inside inline code. Three open a fence.
    let ticks = line.matches('`').count();
    if ticks % 2 == 1 && !line.trim_start().starts_with("```") && !line.trim_matches('`').trim().is_empty() {
        return true;
    }
    EXAMPLE.is_match(sentence_before(text, call.span.start))
}

/// Whether reasoning weighs a call in the sentence that leads to it.
pub(super) fn is_weighed(text: &str, call: &TextCall) -> bool {
    WEIGHING.is_match(sentence_before(text, call.span.start))
}

fn line_before(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |found| found + 1);
    &text[start..at]
}

/// What leads to a place: its sentence, which may end in a colon lines before.
fn sentence_before(text: &str, at: usize) -> &str {
    let head = text[..at].trim_end_matches(|c: char| c.is_whitespace() || c == '`');
    // The name of a fence's language is no part of the sentence.
    let head = match head.rfind("```") {
        Some(fence) if !head[fence..].contains('\n') => head[..fence].trim_end(),
        _ => head,
    };
    let mut start = head.len().saturating_sub(LOOK_BACK);
    while !head.is_char_boundary(start) {
        start += 1;
    }
    let window = &head[start..];
    let body = window.trim_end_matches([':', '.', '!', '?']);
    let cut = body.rfind(['\n', '!', '?']).into_iter().chain(body.rfind(". ").map(|dot| dot + 1)).max();
    &window[cut.map_or(0, |cut| cut + 1)..]
}
