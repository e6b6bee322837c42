//! One read held against its rule. Reasons are looked for in the order of [`Reason`]; the first is given.

use serde_json::{Map, Value};

use crate::refusal::{Reason, Refusal};
use crate::rules::{BodyForm, InnerError, ReadRule};
use crate::{key, markup, show};

/// The drop that is put up with where a rule says nothing, in percent.
const MAX_DROP_PERCENT: u8 = 50;

/// What came back from a read.
#[derive(Debug, Clone, Copy)]
pub struct Read<'a> {
    /// The status of the answer; 0 where there was no answer.
    pub status: u16,
    /// The body, as it arrived.
    pub body: &'a [u8],
    /// The arguments of the request; what a filter is held against.
    pub arguments: &'a Map<String, Value>,
    /// The rows of the last accepted answer to the same request, where that is known.
    pub remembered: Option<u64>,
}

/// A read that can be defended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accepted {
    /// How many rows it has; none where the rule has no rows.
    pub rows: Option<u64>,
}

/// Judges a read.
///
/// # Errors
/// The refusal: the first reason that holds, and what was found instead.
pub fn judge(rule: &ReadRule, read: &Read<'_>) -> Result<Accepted, Refusal> {
    let body = outer(read)?;
    let body = unwrapped(rule, body)?;
    inner_error(rule, &body)?;
    for name in &rule.keys {
        if key::at(&body, name).is_none() {
            return Err(missing(&body, name));
        }
    }
    let Some(rows) = rows(rule, &body)? else {
        return not_blank(rule, &body).map(|()| Accepted { rows: None });
    };
    let count = u64::try_from(rows.len()).unwrap_or(u64::MAX);
    enough(rule, count)?;
    filtered(rule, rows, read.arguments)?;
    not_all(rule, count)?;
    whole(rule, &body, count)?;
    no_drop(rule, count, read.remembered)?;
    Ok(Accepted { rows: Some(count) })
}

/// The body as JSON, by status and outer form alone.
fn outer(read: &Read<'_>) -> Result<Value, Refusal> {
    let text = String::from_utf8_lossy(read.body);
    let text = text.trim_start_matches('\u{feff}').trim();
    if read.status != 200 {
        let found = if read.status == 0 { "no answer".to_owned() } else { format!("status {}", read.status) };
        let body = if text.is_empty() { String::new() } else { format!(", body {}", show::quote(text)) };
        return Err(Refusal::new(Reason::Status, "status 200", found + &body));
    }
    if text.is_empty() {
        let found = format!("a body of {} bytes with nothing in it", read.body.len());
        return Err(Refusal::new(Reason::Empty, "JSON", found));
    }
    if markup::is_markup(text) {
        return Err(Refusal::new(Reason::Markup, "JSON", format!("markup, {}", show::quote(text))));
    }
    if std::str::from_utf8(read.body).is_err() {
        let found = format!("bytes that are no UTF-8, {}", show::quote(text));
        return Err(Refusal::new(Reason::NotJson, "JSON", found));
    }
    serde_json::from_str(text).map_err(|error| {
        let found = format!("{} ({})", show::quote(text), error.to_string().replace('\n', " "));
        Refusal::new(Reason::NotJson, "JSON", found)
    })
}

/// The JSON that the rule is about; a page in one of its texts is found here.
fn unwrapped(rule: &ReadRule, body: Value) -> Result<Value, Refusal> {
    if let Some(page) = markup::page_in(&body) {
        let found = format!("a page in a text of the body, {}", show::quote(page));
        return Err(Refusal::new(Reason::Markup, "data", found));
    }
    match rule.body.unwrap_or_default() {
        BodyForm::Json => Ok(body),
        BodyForm::Mcp => mcp(rule, body),
    }
}

/// What an MCP tool's result holds (`CallToolResult` of the Model Context Protocol).
fn mcp(rule: &ReadRule, mut body: Value) -> Result<Value, Refusal> {
    inner_error(rule, &body)?;
    if let Some(structured) = body.get_mut("structuredContent").filter(|value| value.is_object()) {
        return Ok(structured.take());
    }
    let Some(content) = body.get("content") else { return Err(missing(&body, "content")) };
    let Some(blocks) = content.as_array() else {
        let found = format!("{} under `content`", show::what(content));
        return Err(Refusal::new(Reason::NotAList, "a list of content blocks", found));
    };
    let texts: Vec<&str> = blocks.iter().filter_map(|block| block.get("text")?.as_str()).collect();
    let text = match &texts[..] {
        [] if blocks.is_empty() => {
            return Err(Refusal::new(Reason::Empty, "a content block", "an empty `content` list"));
        }
        [text] => *text,
        _ => {
            let found = format!("{} blocks, {} of them text", blocks.len(), texts.len());
            return Err(Refusal::new(Reason::NotJson, "one content block of JSON text", found));
        }
    };
    if text.trim().is_empty() {
        return Err(Refusal::new(Reason::Empty, "JSON in the content block", "an empty text"));
    }
    if markup::is_markup(text) {
        return Err(Refusal::new(Reason::Markup, "JSON in the content block", show::quote(text)));
    }
    serde_json::from_str(text).map_err(|error| {
        let found = format!("{} ({error})", show::quote(text));
        Refusal::new(Reason::NotJson, "JSON in the content block", found)
    })
}

/// Keys that say that an answer is an error, and what they then hold.
fn inner_error(rule: &ReadRule, body: &Value) -> Result<(), Refusal> {
    if rule.inner_error == Some(InnerError::Allow) {
        return Ok(());
    }
    let Value::Object(members) = body else { return Ok(()) };
    for (name, value) in members {
        let says_error = match name.as_str() {
            "isError" | "is_error" => *value == Value::Bool(true),
            "ok" | "success" => *value == Value::Bool(false),
            "error" | "errors" => match value {
                Value::Null | Value::Bool(false) => false,
                Value::String(text) => !text.is_empty(),
                Value::Array(items) => !items.is_empty(),
                Value::Object(members) => !members.is_empty(),
                Value::Bool(true) => true,
                Value::Number(number) => number.as_f64() != Some(0.0),
            },
            _ => false,
        };
        if says_error {
            let found = format!("{}: {}", show::quote(name), show::quote(&value.to_string()));
            return Err(Refusal::new(Reason::InnerError, "an answer without an error in it", found));
        }
    }
    Ok(())
}

fn missing(body: &Value, name: &str) -> Refusal {
    let (nearest, place) = key::nearest(body, name);
    let found = format!("{} in {place}", show::keys(nearest));
    Refusal::new(Reason::MissingKey, format!("the key `{name}`"), found)
}

/// The rows; none where the answer is not about rows.
fn rows<'a>(rule: &ReadRule, body: &'a Value) -> Result<Option<&'a [Value]>, Refusal> {
    let Some(name) = &rule.rows else { return Ok(body.as_array().map(Vec::as_slice)) };
    let Some(value) = key::at(body, name) else { return Err(missing(body, name)) };
    let place = if name == "." { "the body".to_owned() } else { format!("`{name}`") };
    match value {
        Value::Array(items) => Ok(Some(items)),
        other => {
            let expected = format!("a list of rows in {place}");
            Err(Refusal::new(Reason::NotAList, expected, show::what(other)))
        }
    }
}

/// An answer without rows must at least hold something.
fn not_blank(rule: &ReadRule, body: &Value) -> Result<(), Refusal> {
    let is_blank = match body {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) => false,
    };
    if is_blank && rule.expect_min() > 0 {
        return Err(Refusal::new(Reason::Empty, "an answer with something in it", show::what(body)));
    }
    Ok(())
}

fn enough(rule: &ReadRule, count: u64) -> Result<(), Refusal> {
    let least = rule.expect_min();
    if count >= least {
        return Ok(());
    }
    Err(Refusal::new(Reason::TooFewRows, format!("at least {}", show::rows(least)), show::rows(count)))
}

/// Every row must be as the request's filter says.
fn filtered(rule: &ReadRule, rows: &[Value], arguments: &Map<String, Value>) -> Result<(), Refusal> {
    for (name, filter) in &rule.filter {
        let wanted = match (&filter.argument, &filter.equals) {
            (Some(argument), _) => arguments.get(argument),
            (None, equals) => equals.as_ref(),
        };
        let Some(wanted) = wanted.filter(|wanted| !wanted.is_null()) else { continue };
        let differs = |row: &Value| !key::at(row, name).is_some_and(|value| same(value, wanted));
        let Some(first) = rows.iter().position(differs) else { continue };
        let others = rows.iter().filter(|row| differs(row)).count();
        let held = rows.get(first).and_then(|row| key::at(row, name));
        let held = held.map_or_else(|| "nothing there".to_owned(), show::what);
        let found = format!("{others} of {} with another, row {} with {held}", rows.len(), first + 1);
        let expected = format!("{} as `{name}` of every row", show::quote(&plain(wanted)));
        return Err(Refusal::new(Reason::DroppedFilter, expected, found));
    }
    Ok(())
}

/// Whether a row's value is the one asked for: numbers by value, and a number equal to its text, since arguments
/// come from queries too. A list of wanted values takes any of them.
fn same(value: &Value, wanted: &Value) -> bool {
    match (value, wanted) {
        (_, Value::Array(any)) if !value.is_array() => any.iter().any(|one| same(value, one)),
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Number(_) | Value::Bool(_), Value::String(_))
        | (Value::String(_), Value::Number(_) | Value::Bool(_)) => plain(value) == plain(wanted),
        _ => value == wanted,
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn not_all(rule: &ReadRule, count: u64) -> Result<(), Refusal> {
    match rule.corpus {
        Some(corpus) if count >= corpus => {
            let expected = format!("fewer than the {corpus} rows that there are in all");
            Err(Refusal::new(Reason::WholeCorpus, expected, show::rows(count)))
        }
        _ => Ok(()),
    }
}

/// Whether the answer is all that there is for the request.
fn whole(rule: &ReadRule, body: &Value, count: u64) -> Result<(), Refusal> {
    let refuse = |found: String| Err(Refusal::new(Reason::PageCap, "all rows of the request", found));
    let said = rule.more.as_deref().map(|name| (name, key::at(body, name)));
    if let Some((name, Some(value))) = said
        && says_more(value)
    {
        return refuse(format!("{}, and `{name}` is {}", show::rows(count), show::what(value)));
    }
    if let Some(name) = rule.total.as_deref() {
        let Some(value) = key::at(body, name) else { return Err(missing(body, name)) };
        let Some(total) = value.as_u64() else {
            return refuse(format!("{} as `{name}`", show::what(value)));
        };
        if total > count {
            return refuse(format!("{}, and `{name}` says {total}", show::rows(count)));
        }
        return Ok(());
    }
    let Some(cap) = rule.page_cap.filter(|cap| count >= *cap) else { return Ok(()) };
    if matches!(said, Some((_, Some(_)))) {
        return Ok(());
    }
    refuse(format!("{}, where a page holds {cap}", show::rows(count)))
}

/// Whether a value says that there is more: a flag, a cursor, an address.
fn says_more(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(more) => *more,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
    }
}

fn no_drop(rule: &ReadRule, count: u64, remembered: Option<u64>) -> Result<(), Refusal> {
    let Some(before) = remembered else { return Ok(()) };
    let most = rule.max_drop_percent.unwrap_or(MAX_DROP_PERCENT).min(100);
    let kept = u128::from(before) * u128::from(100 - most);
    if u128::from(count) * 100 >= kept {
        return Ok(());
    }
    let expected = format!("no drop of more than {most} % from {}", show::rows(before));
    Err(Refusal::new(Reason::UnexplainedDrop, expected, show::rows(count)))
}
