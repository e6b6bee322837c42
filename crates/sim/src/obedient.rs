//! What a simulated model does with a request that its script does not have: what it is told. It makes the calls that it
//! is told to make, whether their tools are offered or not, and reads out what it sees. That is how servers are told
//! apart whatever model they serve.

use serde_json::Value;

use crate::answer::{Answer, EmittedCall};
use crate::draw::Key;
use crate::serving::{fitting, name_of, tools};

/// A call that it was told to make.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Told {
    name: String,
    arguments: String,
}

/// The answer to a request that tells it what to do; none where it tells nothing that it knows.
pub(crate) fn obey(body: &[u8], id: Key) -> Option<Answer> {
    let request: Value = serde_json::from_slice(body).ok()?;
    let messages = request.get("messages")?.as_array()?;
    let words = messages.iter().rev().find(|message| message["role"] == "user")?["content"].as_str()?;
    let mut calls = told(words).or_else(|| as_before(words, messages));
    if let Some(calls) = &mut calls
        && request.get("parallel_tool_calls") == Some(&Value::Bool(false))
    {
        calls.truncate(1);
    }
    let calls = chosen(&request, calls.clone()).or(calls);
    let text = match &calls {
        Some(calls) if calls.is_empty() => Some("As you wish: no call.".to_owned()),
        Some(_) => None,
        None => Some(said(&request, words)?),
    };
    Some(answer(&request, body.len(), calls.unwrap_or_default(), text, id))
}

/// The calls that are left of those it was told to make under the request's tool choice; none where it says nothing.
fn chosen(request: &Value, calls: Option<Vec<Told>>) -> Option<Vec<Told>> {
    let choice = request.get("tool_choice")?;
    let made_of = |tool: &Value| Told { name: name_of(tool).to_owned(), arguments: fitting(tool, "{}") };
    if let Some(name) = choice.pointer("/function/name").and_then(Value::as_str) {
        let tool = tools(request).find(|tool| name_of(tool) == name)?;
        return Some(vec![made_of(tool)]);
    }
    match choice.as_str()? {
        "none" => calls.map(|_| Vec::new()),
        "required" if calls.is_none() => tools(request).next().map(|tool| vec![made_of(tool)]),
        _ => None,
    }
}

/// Calls that the words spell out: blocks to say again, or names with arguments.
fn told(words: &str) -> Option<Vec<Told>> {
    let mut calls = Vec::new();
    for block in words.split("<tool_call>").skip(1) {
        let text = block.split("</tool_call>").next().unwrap_or_default();
        let call: Value = serde_json::from_str(text.trim()).ok()?;
        calls
            .push(Told { name: call["name"].as_str()?.to_owned(), arguments: call["arguments"].to_string() });
    }
    if calls.is_empty() && (words.starts_with("Call the tool ") || words.starts_with("Make these calls")) {
        let mut pieces = words.split('`').skip(1);
        while let (Some(name), Some(rest)) = (pieces.next(), pieces.next()) {
            let start = rest.find('{')?;
            let mut values = serde_json::Deserializer::from_str(rest.get(start..)?).into_iter::<Value>();
            calls.push(Told { name: name.to_owned(), arguments: values.next()?.ok()?.to_string() });
        }
    }
    (!calls.is_empty()).then_some(calls)
}

/// The call of the history once more, where the words ask for that.
fn as_before(words: &str, messages: &[Value]) -> Option<Vec<Told>> {
    if !words.contains("by the same tool") {
        return None;
    }
    let call = messages.iter().rev().find_map(|message| message.pointer("/tool_calls/0/function"))?;
    let text = |key: &str| call.get(key).and_then(Value::as_str).map(str::to_owned);
    Some(vec![Told { name: text("name")?, arguments: text("arguments")? }])
}

/// What it says where it is not told to call anything, as far as its limit goes.
fn said(request: &Value, words: &str) -> Option<String> {
    if words.contains("harbour code") {
        let descriptions = tools(request).filter_map(|tool| tool.pointer("/function/description"));
        let mut seen = descriptions.filter_map(Value::as_str).chain([words]);
        let code = seen.find_map(code_in);
        return Some(code.unwrap_or("I see no such code.").to_owned());
    }
    if words.starts_with("Count from one") {
        let numbers = (1..200).map(|number| format!("number {number}"));
        return Some(numbers.collect::<Vec<_>>().join(", "));
    }
    None
}

/// The first word of capitals, a hyphen and digits.
fn code_in(text: &str) -> Option<&str> {
    text.split_whitespace().map(|word| word.trim_matches(['.', ','])).find(|word| {
        word.split_once('-').is_some_and(|(letters, digits)| {
            !letters.is_empty()
                && letters.bytes().all(|byte| byte.is_ascii_uppercase())
                && !digits.is_empty()
                && digits.bytes().all(|byte| byte.is_ascii_digit())
        })
    })
}

/// Bytes of a call beside its name and arguments.
const MARKUP: usize = 48;

fn answer(request: &Value, read: usize, calls: Vec<Told>, text: Option<String>, id: Key) -> Answer {
    let limit =
        request.get("max_tokens").and_then(Value::as_u64).and_then(|limit| usize::try_from(limit).ok());
    let limit = limit.unwrap_or(usize::MAX);
    let written: usize = text.as_ref().map_or(0, String::len)
        + calls.iter().map(|call| MARKUP + call.name.len() + call.arguments.len()).sum::<usize>();
    let wanted = written / 4 + 1;
    let tokens = wanted.min(limit);
    let emitted = calls.into_iter().enumerate().map(|(at, call)| EmittedCall {
        name: call.name,
        arguments: call.arguments,
        number: id.with(&at.to_le_bytes()).roll("call"),
    });
    Answer {
        model: request.get("model").and_then(Value::as_str).unwrap_or("sim").to_owned(),
        id,
        text: text.map(|text| text.chars().take(tokens.saturating_mul(4)).collect()),
        calls: emitted.collect(),
        says_stop: false,
        is_cut: wanted > limit,
        tokens: (read / 4 + 1, tokens),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn obeyed(request: Value) -> Option<Answer> {
        obey(request.to_string().as_bytes(), Key::new(1))
    }

    fn asked(words: &str) -> Value {
        json!({ "model": "m", "messages": [{ "role": "user", "content": words }], "tools": [{ "type": "function",
            "function": { "name": "moor", "description": "Moors. Code: TERN-12.", "parameters": { "properties": { "side": { "enum": ["port"] } } } } }] })
    }

    fn names(answer: &Answer) -> Vec<&str> {
        answer.calls.iter().map(|call| call.name.as_str()).collect()
    }

    #[test]
    fn calls_are_made_as_told_whether_their_tools_are_offered_or_not() {
        let echo = "Again:\n<tool_call>\n{\"name\": \"sail\", \"arguments\": {\"to\": 1}}\n</tool_call>";
        assert_eq!(names(&obeyed(asked(echo)).unwrap()), ["sail"]);
        let two = "Make these calls:\n- `moor` with the arguments {\"side\": \"port\"}\n- `sail` with the arguments {}";
        assert_eq!(names(&obeyed(asked(two)).unwrap()), ["moor", "sail"]);
        let mut one = asked(two);
        one["parallel_tool_calls"] = json!(false);
        assert_eq!(names(&obeyed(one).unwrap()), ["moor"]);
    }

    #[test]
    fn a_tool_choice_is_kept() {
        let words = "Call the tool `sail` with the arguments {}. Write nothing but the call.";
        let with = |words: &str, choice: Value| {
            let mut request = asked(words);
            request["tool_choice"] = choice;
            obeyed(request).map(|body| names(&body).join(","))
        };
        assert_eq!(with(words, json!("none")).unwrap(), "");
        assert_eq!(with(words, json!("required")).unwrap(), "sail");
        assert_eq!(with("Ahoy.", json!("required")).unwrap(), "moor");
        let named = json!({ "type": "function", "function": { "name": "moor" } });
        assert_eq!(with(words, named).unwrap(), "moor");
        assert_eq!(with("Ahoy.", json!("auto")), None);
    }

    #[test]
    fn what_it_sees_it_reads_out_and_a_limit_cuts_it_off() {
        let body = obeyed(asked("Which harbour code stands there?")).unwrap();
        assert_eq!(body.text.as_deref(), Some("TERN-12"));
        let mut count = asked("Count from one to two hundred.");
        count["max_tokens"] = json!(16);
        let body = obeyed(count).unwrap();
        assert_eq!((body.is_cut, body.tokens.1), (true, 16));
    }
}
