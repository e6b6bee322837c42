//! A value that a tool did return, with the wrong one of several things: the request names one item of a list, and
//! the value is another item's.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::conversation::Conversation;
use super::fold::{fold, stem, words};
use super::word;

/// Longer results are not looked into.
const MAX_RESULT_BYTES: usize = 256 * 1024;
/// Longer lists are not compared item by item.
const MAX_ITEMS: usize = 200;

/// Whether the request tells one item of a returned list by its words, and a folded value stands in another item.
/// A request that sorts things out ("the other one") is not read.
pub(super) fn is_anothers(conversation: &Conversation<'_>, folded: &str) -> bool {
    let request: HashSet<&str> = words(conversation.request()).collect();
    if word::SORTING_OUT.iter().any(|word| request.contains(word)) {
        return false;
    }
    let asked: HashSet<&str> = request.into_iter().map(stem).collect();
    conversation
        .result_texts()
        .filter(|text| text.len() <= MAX_RESULT_BYTES && text.contains('['))
        .filter_map(|text| serde_json::from_str::<Value>(text).ok())
        .any(|result| in_lists(&result, &mut |items| tells_another(items, folded, &asked)))
}

fn in_lists(value: &Value, judge: &mut impl FnMut(&[Value]) -> bool) -> bool {
    match value {
        Value::Array(items) => {
            (items.len() <= MAX_ITEMS && judge(items)) || items.iter().any(|item| in_lists(item, judge))
        }
        Value::Object(members) => members.values().any(|member| in_lists(member, judge)),
        _ => false,
    }
}

fn tells_another(items: &[Value], folded: &str, asked: &HashSet<&str>) -> bool {
    let texts: Vec<Vec<String>> = items.iter().map(texts_of).collect();
    let Some(own) = texts.iter().position(|texts| texts.iter().any(|text| text == folded)) else {
        return false;
    };
    let stems: Vec<HashSet<&str>> =
        texts.iter().map(|texts| texts.iter().flat_map(|text| words(text)).map(stem).collect()).collect();
    let mut holders: HashMap<&str, usize> = HashMap::new();
    stems.iter().flatten().for_each(|word| *holders.entry(word).or_default() += 1);
    let told = |at: usize| {
        stems[at]
            .iter()
            .any(|word| holders[word] == 1 && asked.contains(word) && !word::COMMON.contains(word))
    };
    !told(own) && (0..items.len()).filter(|&at| told(at)).count() == 1
}

/// The strings and numbers of an object, folded.
fn texts_of(item: &Value) -> Vec<String> {
    let Value::Object(members) = item else { return Vec::new() };
    let plain = members.values().filter_map(|member| match member {
        Value::String(text) => Some(fold(text)),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    });
    plain.collect()
}
