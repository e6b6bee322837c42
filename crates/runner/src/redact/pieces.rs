//! Event streams: what is to be taken out may lie in pieces, some in this event and some in the next.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher as _};

use serde::de::IgnoredAny;

use super::line::{Cleaner, Leaf, Open, clean_json, clean_text, walk};

/// What a line of a record, or a kept response, with a stream in it is not without.
pub(super) const SIGNS: &[&str] =
    &["\"response_text\":", "\"body\":\"data:", "\"body\":\"event:", "\"body\":\"{\\\"model"];

/// The events of a text that is a stream, each by its place: a JSON object a line, behind `data:` or by itself.
fn events(text: &str) -> Vec<(usize, usize)> {
    let mut events = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let inner = line.strip_prefix("data:").unwrap_or(line).trim();
        if inner.starts_with('{') && serde_json::from_str::<IgnoredAny>(inner).is_ok() {
            let start = at + line.find('{').unwrap_or_default();
            events.push((start, start + inner.len()));
        }
        at += line.len();
    }
    events
}

/// A stream without what is to be taken out of it; the outer none where the text is no stream, the inner one where
/// nothing is to be taken out. A value that lies in pieces is taken out as a whole: what its pieces come to then stands
/// in the first of them, so that the stream still says the same.
pub(super) fn clean(cleaner: &Cleaner<'_>, text: &str, depth: usize) -> Option<Option<String>> {
    let events = events(text);
    if events.len() < 2 {
        return None;
    }
    let mut strings = Strings::default();
    for (number, (start, end)) in events.iter().enumerate() {
        strings.take_in(number, text.get(*start..*end).unwrap_or_default());
    }
    let replaced = strings.replaced(|whole| clean_text(cleaner, whole, depth + 1));
    if replaced.is_empty() && !(cleaner.may_hold)(text) {
        return Some(None);
    }
    let (mut out, mut copied) = (String::new(), 0);
    for (number, (start, end)) in events.into_iter().enumerate() {
        let between = text.get(copied..start).unwrap_or_default();
        out.push_str(&(cleaner.text)(between).unwrap_or_else(|| between.to_owned()));
        let event = text.get(start..end).unwrap_or_default();
        let mut leaf = 0;
        let put = walk(event, &mut |kind, _, said| match kind {
            Leaf::Text => {
                leaf += 1;
                replaced.get(&(number, leaf)).filter(|known| known.as_str() != said).cloned()
            }
            Leaf::Name | Leaf::Number => None,
        });
        let event = put.as_deref().unwrap_or(event);
        out.push_str(&clean_json(cleaner, event, depth + 1).unwrap_or_else(|| event.to_owned()));
        copied = end;
    }
    let rest = text.get(copied..).unwrap_or_default();
    out.push_str(&(cleaner.text)(rest).unwrap_or_else(|| rest.to_owned()));
    Some((out != text).then_some(out))
}

/// A string of a stream: its event, its number among the strings of that, and what it says.
type Piece = (usize, usize, String);

/// The strings of a stream, those together that continue one another.
#[derive(Default)]
struct Strings {
    /// By a hash of where they stand, each run in order.
    runs: HashMap<u64, Vec<Piece>>,
}

/// An object or a list of an event.
#[derive(Default, Clone, Copy)]
struct Node {
    parent: usize,
    /// The member of the parent that it is, hashed.
    name: u64,
    /// Which choice, call or block it is, as it says itself.
    index: u64,
}

impl Strings {
    fn take_in(&mut self, event: usize, text: &str) {
        // An index may stand behind what it is the index of.
        let mut nodes = vec![Node::default()];
        let mut top = 0;
        let mut found: Vec<(usize, u64, Piece)> = Vec::new();
        let mut leaf = 0;
        walk(text, &mut |kind, open: &[Open<'_>], said| {
            let last = open.last()?;
            let known = nodes.len();
            nodes.resize(known.max(last.serial + 1), Node::default());
            let outer = std::iter::once(None).chain(open.iter().map(Some));
            for (inner, outer) in open.iter().zip(outer).filter(|(inner, _)| inner.serial >= known) {
                if let Some((node, outer)) = nodes.get_mut(inner.serial).zip(outer) {
                    (node.parent, node.name) = (outer.serial, hash(&outer.name));
                }
            }
            match kind {
                Leaf::Number if last.is_object && last.name.ends_with("index") => {
                    if let Some(node) = nodes.get_mut(last.serial) {
                        node.index ^= hash(&(&last.name, said));
                    }
                }
                Leaf::Text => {
                    leaf += 1;
                    if open.len() == 1 && matches!(last.name.as_ref(), "type" | "item_id") {
                        top ^= hash(&(&last.name, said));
                    }
                    found.push((last.serial, hash(&last.name), (event, leaf, said.to_owned())));
                }
                Leaf::Name | Leaf::Number => {}
            }
            None
        });
        for (serial, name, piece) in found {
            let (mut place, mut at) = (hash(&(top, name)), serial);
            while let Some(node) = nodes.get(at).filter(|_| at > 0) {
                place = hash(&(place, node.index, node.name));
                at = node.parent;
            }
            self.runs.entry(place).or_default().push(piece);
        }
    }

    /// What strings become, by event and number. Those that say the same in every event are no pieces.
    fn replaced(self, clean: impl Fn(&str) -> Option<String>) -> HashMap<(usize, usize), String> {
        let mut replaced = HashMap::new();
        let mut runs: Vec<Vec<Piece>> = self.runs.into_values().collect();
        runs.sort_by_key(|pieces| pieces.first().map(|(event, leaf, _)| (*event, *leaf)));
        for pieces in runs {
            let first = pieces.first().map(|(_, _, text)| text);
            if pieces.iter().all(|(_, _, text)| Some(text) == first) {
                continue;
            }
            let whole: String = pieces.iter().map(|(_, _, text)| text.as_str()).collect();
            let Some(clean) = clean(&whole) else { continue };
            let texts = std::iter::once(clean).chain(std::iter::repeat(String::new()));
            let places = pieces.into_iter().map(|(event, leaf, _)| (event, leaf));
            replaced.extend(places.zip(texts));
        }
        replaced
    }
}

fn hash<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use crate::{Redactor, Secret};

    fn cleaned(redactor: &Redactor, stream: &str) -> String {
        let line = serde_json::json!({ "trial": { "turns": [{ "response_text": stream }] } }).to_string();
        let clean: serde_json::Value = serde_json::from_str(&redactor.clean_line(&line)).unwrap();
        clean["trial"]["turns"][0]["response_text"].as_str().unwrap().to_owned()
    }

    fn emails() -> Redactor {
        Redactor::default().with_patterns(&["email".to_owned()]).unwrap()
    }

    #[test]
    fn a_secret_in_pieces_is_taken_out_and_the_stream_says_the_same_else() {
        let redactor = Redactor::new([&Secret::new("sk-moss-7781".into())]);
        let stream = concat!(
            "data: {\"id\":\"r1\",\"choices\":[{\"delta\":{\"content\":\"It is sk-m\"},\"index\":0}]}\n\n",
            "data: {\"id\":\"r1\",\"choices\":[{\"delta\":{\"content\":\"oss-\"},\"index\":0}]}\n\n",
            ": a comment\n\n",
            "data: {\"id\":\"r1\",\"choices\":[{\"delta\":{\"content\":\"7781.\"},\"index\":0}]}\n\n",
            "data: [DONE]\n\n",
        );
        let wanted = concat!(
            "data: {\"id\":\"r1\",\"choices\":[{\"delta\":{\"content\":\"It is [redacted].\"},\"index\":0}]}\n\n",
            "data: {\"id\":\"r1\",\"choices\":[{\"delta\":{\"content\":\"\"},\"index\":0}]}\n\n",
            ": a comment\n\n",
            "data: {\"id\":\"r1\",\"choices\":[{\"delta\":{\"content\":\"\"},\"index\":0}]}\n\n",
            "data: [DONE]\n\n",
        );
        assert_eq!(cleaned(&redactor, stream), wanted);
        let other = stream.replace("7781", "7782");
        assert_eq!(cleaned(&redactor, &other), other, "nothing is taken out of it");
    }

    #[test]
    fn calls_beside_one_another_are_not_mixed() {
        let stream = concat!(
            "{\"calls\":[{\"index\":0,\"arguments\":\"{\\\"to\\\": \\\"mara@qu\"},{\"index\":1,\"arguments\":\"{\\\"to\\\": \\\"jo@\"}]}\n",
            "{\"calls\":[{\"arguments\":\"x.example\\\"}\",\"index\":1},{\"arguments\":\"ay.example\\\"}\",\"index\":0}]}\n",
        );
        let wanted = concat!(
            "{\"calls\":[{\"index\":0,\"arguments\":\"{\\\"to\\\": \\\"<email:1>\\\"}\"},{\"index\":1,\"arguments\":\"{\\\"to\\\": \\\"<email:2>\\\"}\"}]}\n",
            "{\"calls\":[{\"arguments\":\"\",\"index\":1},{\"arguments\":\"\",\"index\":0}]}\n",
        );
        assert_eq!(cleaned(&emails(), stream), wanted);
    }

    #[test]
    fn what_stands_in_every_event_is_no_piece() {
        let stream = "data: {\"type\":\"a\",\"id\":\"x@y\",\"said\":\"1\"}\n\ndata: {\"type\":\"a\",\"id\":\"x@y\",\"said\":\"2\"}\n\n";
        assert_eq!(cleaned(&emails(), stream), stream);
        let broken = "data: {\"said\":\"mara@qu\ndata: ay\n\n";
        assert_eq!(cleaned(&emails(), broken), broken);
        assert_eq!(cleaned(&emails(), "data: mara@quay.example {"), "data: <email:1> {");
    }
}
