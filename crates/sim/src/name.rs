//! Names of tools that are not offered.

use crate::draw::Key;
use crate::request::Request;

/// How an unknown name comes about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trick {
    /// The tool that the words want, where it is not offered.
    Wanted,
    /// A verb and an object of its own.
    Novel,
    /// A letter or a word too much or too little.
    NearMiss,
    /// A dialect's prefix before the name.
    Prefix,
    /// The name without its first word.
    PrefixDropped,
    /// Another letter case.
    Case,
    /// The name twice.
    Doubled,
    /// White space around the name.
    Whitespace,
    /// A template's token behind the name.
    SpecialToken,
    /// A wrapper around other calls.
    Wrapper,
}

/// Tricks and their weights. Novel names and the missing tool itself are what models invent most.
const TRICKS: [(Trick, usize); 10] = [
    (Trick::Wanted, 6),
    (Trick::Novel, 5),
    (Trick::NearMiss, 3),
    (Trick::Prefix, 1),
    (Trick::PrefixDropped, 1),
    (Trick::Case, 1),
    (Trick::Doubled, 1),
    (Trick::Whitespace, 1),
    (Trick::SpecialToken, 1),
    (Trick::Wrapper, 1),
];

const VERBS: [&str; 8] =
    ["cancel", "merge", "escalate", "archive", "approve", "export", "restore", "bulk_update"];
const OBJECTS: [&str; 6] = ["account", "ledger", "workflow", "approval", "audit_trail", "schedule"];

/// A name that the request does not offer, byte for byte.
pub(crate) fn unknown(request: &Request<'_>, wanted: Option<&str>, key: Key) -> String {
    let offered: Vec<&str> = request.offered().collect();
    let base = wanted.or_else(|| key.pick("base", &offered).copied()).unwrap_or("lookup_record");
    let mut name = slipped(base, trick(key), key);
    // A trick can end at a name that is offered (`create_refund` of `billing_create_refund`), or change
    // nothing (the wanted tool is there).
    if name.is_empty() || request.offers(&name) {
        name = novel(base, key);
    }
    while request.offers(&name) {
        name.push_str("_direct");
    }
    name
}

/// Whether providers take the name back in a conversation's history. A conversation ends at a name that they
/// do not (DESIGN.md 3.7).
pub(crate) fn is_echoable(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

fn trick(key: Key) -> Trick {
    let total: usize = TRICKS.iter().map(|(_, weight)| weight).sum();
    let mut at = key.below("trick", total);
    for (trick, weight) in TRICKS {
        if at < weight {
            return trick;
        }
        at -= weight;
    }
    Trick::Novel
}

fn slipped(base: &str, trick: Trick, key: Key) -> String {
    let of = |words: &[&'static str]| key.pick("variant", words).copied().unwrap_or_default();
    match trick {
        Trick::Wanted => base.to_owned(),
        Trick::Novel => novel(base, key),
        Trick::NearMiss => near_miss(base, key),
        Trick::Prefix => format!("{}{base}", of(&["functions.", "default_api:", "tools."])),
        Trick::PrefixDropped => base.split_once('_').map(|(_, rest)| rest.to_owned()).unwrap_or_default(),
        Trick::Case => changed_case(base, key),
        Trick::Doubled => format!("{base}{base}"),
        Trick::Whitespace => of(&[" {}", "{} ", "{}\n"]).replace("{}", base),
        Trick::SpecialToken => {
            format!("{base}{}", of(&["<|channel|>commentary", "<|constrain|>json", "<|end|>"]))
        }
        Trick::Wrapper => of(&["multi_tool_use.parallel", "tool_call", "parallel_tool_calls"]).to_owned(),
    }
}

fn novel(base: &str, key: Key) -> String {
    let verb = key.pick("verb", &VERBS).copied().unwrap_or_default();
    let own = key.pick("object", &OBJECTS).copied().unwrap_or_default();
    let object = base.rsplit('_').next().filter(|word| word.len() > 2 && key.below("own", 3) > 0);
    format!("{verb}_{}", object.unwrap_or(own))
}

fn near_miss(base: &str, key: Key) -> String {
    match key.below("near", 3) {
        0 => base.strip_suffix('s').map_or_else(|| format!("{base}s"), str::to_owned),
        1 => format!("{base}_v2"),
        _ => match base.split_once('_') {
            Some((first, rest)) => format!("{rest}_{first}"),
            None => format!("{base}_now"),
        },
    }
}

fn changed_case(base: &str, key: Key) -> String {
    if key.below("case", 2) == 0 {
        return base.to_uppercase();
    }
    let mut camel = String::with_capacity(base.len());
    for word in base.split('_') {
        let mut letters = word.chars();
        camel.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        camel.push_str(letters.as_str());
    }
    camel
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_of_many_forms_and_never_offered() {
        let body = r#"{"messages":[{"role":"user","content":"x"}],"tools":[{"name":"garden_water_plant"},{"name":"water_plant"},{"name":"cancel_plant"},{"name":"cancel_plant_direct"}]}"#;
        let request = Request::parse(body.as_bytes()).unwrap();
        let names: BTreeSet<String> = (0_u64..2_000)
            .map(|n| unknown(&request, Some("garden_water_plant"), Key::new(1).with(&n.to_le_bytes())))
            .collect();
        assert!(names.iter().all(|name| !name.is_empty() && !request.offers(name)));
        for name in ["GARDEN_WATER_PLANT", "GardenWaterPlant", "functions.garden_water_plant", "merge_plant"]
        {
            assert!(names.contains(name), "{name} is not in {names:?}");
        }
        assert!(names.len() > 30);
    }

    #[test]
    fn only_plain_names_are_taken_back() {
        assert!(is_echoable("water_plant-2"));
        for name in ["", "functions.x", "x ", "x<|end|>", &"x".repeat(65)] {
            assert!(!is_echoable(name), "{name}");
        }
    }
}
