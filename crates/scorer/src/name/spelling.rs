//! Misses that one declared normalisation explains: white space, case, doubling, leaked tokens, prefixes.

use probes::Offered;
use transcript::ToolName;

use crate::verdict::NameForm;

/// Words that dialects put before a function's name.
const DIALECT_WORDS: &[&str] =
    &["functions", "function", "tools", "tool", "default_api", "api", "namespace", "mcp", "assistant"];

/// Separators between a prefix and a name that no plain identifier has in that place.
const STRONG_SEPARATORS: &[&str] = &["::", "__", "--", ".", ":", "/"];

/// Words of a chat template's channels that leak into names without their tokens.
const CHANNEL_WORDS: &[&str] = &["commentary", "analysis", "final", "json"];

type Found = (NameForm, Option<ToolName>);

/// White space as people see it: also characters without width.
pub(super) fn is_blank(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

/// Leaked tokens, doubling, white space, case, and declared namespaces joined to the name.
pub(super) fn by_spelling(name: &str, offered: &Offered, namespaces: &[String]) -> Option<Found> {
    if let Some(pieces) = without_tokens(name) {
        return Some((NameForm::SpecialToken, pieces.iter().find_map(|piece| normalised(piece, offered))));
    }
    if let Some(tool) = flattened(name, offered, namespaces) {
        return Some((NameForm::NamespaceFlattened, Some(tool)));
    }
    let tools = offered.tools();
    let named = |test: &dyn Fn(&str) -> bool| {
        tools.iter().find(|tool| test(tool.name.as_str())).map(|tool| tool.name.clone())
    };
    if let Some(tool) = named(&|offer| is_repetition(name, offer)) {
        return Some((NameForm::Doubled, Some(tool)));
    }
    if name.contains(is_blank) {
        let bare: String = name.chars().filter(|c| !is_blank(*c)).collect();
        let joined = name.trim_matches(is_blank).replace(is_blank, "_");
        let tool = named(&|offer| offer == bare || offer == joined).or_else(|| {
            named(&|offer| offer.eq_ignore_ascii_case(&bare) || offer.eq_ignore_ascii_case(&joined))
        });
        if tool.is_some() {
            return Some((NameForm::Whitespace, tool));
        }
    }
    if let Some(tool) = named(&|offer| is_same_but_for_case(offer, name)) {
        return Some((NameForm::Case, Some(tool)));
    }
    let channel = CHANNEL_WORDS.iter().filter_map(|word| name.strip_suffix(word));
    channel
        .filter_map(|rest| offered.get(rest.trim_end_matches(['_', '-', ' '])))
        .map(|tool| (NameForm::SpecialToken, Some(tool.name.clone())))
        .next()
}

/// Prefixes added to an offered name, and offered names without their own.
pub(super) fn by_affix(name: &str, offered: &Offered) -> Option<Found> {
    if let Some(tool) = with_prefix(name, offered) {
        return Some((NameForm::NamespacePrefix, Some(tool)));
    }
    let mut matches = offered.tools().iter().filter(|tool| lost_its_prefix(tool.name.as_str(), name));
    let first = matches.next()?;
    let alone = matches.next().is_none();
    Some((NameForm::PrefixDropped, alone.then(|| first.name.clone())))
}

/// A name without a dialect's prefix and without the running number that some dialects append.
pub(super) fn without_dialect(name: &str) -> &str {
    let name = name.strip_prefix("to=").unwrap_or(name);
    let name = match name.rsplit_once(':') {
        Some((head, tail)) if !tail.is_empty() && tail.bytes().all(|b| b.is_ascii_digit()) => head,
        _ => name,
    };
    for separator in STRONG_SEPARATORS {
        if let Some((prefix, rest)) = name.split_once(separator)
            && DIALECT_WORDS.contains(&prefix)
        {
            return rest;
        }
    }
    name
}

fn is_same_but_for_case(a: &str, b: &str) -> bool {
    if a.is_ascii() || b.is_ascii() {
        return a.eq_ignore_ascii_case(b);
    }
    a.to_lowercase() == b.to_lowercase()
}

/// The pieces of a name between tokens of a chat template; none where there is no token.
fn without_tokens(name: &str) -> Option<Vec<&str>> {
    const OPENERS: &[&str] = &["<|", "<｜", "</", "<", "[TOOL_", "[/", "[INST", "[ARGS", "[CALL_"];
    let mut pieces = Vec::new();
    let mut rest = name;
    let mut found = false;
    while let Some(at) = OPENERS.iter().filter_map(|opener| rest.find(opener)).min() {
        found = true;
        pieces.push(&rest[..at]);
        let tail = &rest[at..];
        let close = if tail.starts_with('[') { ']' } else { '>' };
        rest = tail.find(close).map_or("", |end| &tail[end + 1..]);
    }
    if name.contains("|>") && !found {
        found = true;
        pieces.extend(name.split("|>"));
        rest = "";
    }
    pieces.push(rest);
    found.then_some(pieces)
}

fn normalised(piece: &str, offered: &Offered) -> Option<ToolName> {
    let bare = piece.trim_matches(|c: char| is_blank(c) || matches!(c, '"' | '\'' | '`' | '='));
    let target = bare.rsplit(is_blank).next().unwrap_or(bare);
    [bare, target, without_dialect(target)]
        .iter()
        .find_map(|name| offered.get(name))
        .map(|tool| tool.name.clone())
}

/// Two or more copies of an offered name, joined by nothing or by one separator.
fn is_repetition(name: &str, offer: &str) -> bool {
    let Some(mut rest) = name.strip_prefix(offer) else { return false };
    if offer.is_empty() || rest.is_empty() {
        return false;
    }
    while !rest.is_empty() {
        let body = rest.trim_start_matches(['_', '-', '.', ':', '/', ' ']);
        match body.strip_prefix(offer) {
            Some(tail) => rest = tail,
            None => return false,
        }
    }
    true
}

fn flattened(name: &str, offered: &Offered, namespaces: &[String]) -> Option<ToolName> {
    namespaces.iter().filter(|space| !space.is_empty()).find_map(|space| {
        let rest = name.strip_prefix(space.as_str())?;
        let bare = rest.trim_start_matches(['_', '-', '.', ':', '/']);
        offered.get(bare).map(|tool| tool.name.clone())
    })
}

/// `functions.NAME`, `server__NAME`, `tools_NAME`: a prefix before an offered name.
fn with_prefix(name: &str, offered: &Offered) -> Option<ToolName> {
    let found = |bare: &str| offered.get(bare).map(|tool| tool.name.clone());
    if let Some(tool) = found(without_dialect(name)) {
        return Some(tool);
    }
    let name = without_dialect(name);
    for separator in STRONG_SEPARATORS {
        for (at, _) in name.match_indices(separator) {
            if at > 0
                && let Some(tool) = found(&name[at + separator.len()..])
            {
                return Some(tool);
            }
        }
    }
    // One underscore or hyphen is part of plain names: only a dialect's word or an offered family counts.
    name.match_indices(['_', '-']).find_map(|(at, _)| {
        let tool = found(&name[at + 1..])?;
        let prefix = &name[..at];
        let known = DIALECT_WORDS.contains(&prefix)
            || prefix.starts_with("mcp_")
            || offered.tools().iter().any(|tool| tool.family() == prefix);
        known.then_some(tool)
    })
}

/// Whether `name` is what remains of `offer` when its first words are dropped.
fn lost_its_prefix(offer: &str, name: &str) -> bool {
    let Some(prefix) = offer.strip_suffix(name) else { return false };
    prefix.len() > 1 && prefix.ends_with(['_', '-', '.', ':', '/'])
}
