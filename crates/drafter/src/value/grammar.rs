//! Objects whose members no schema names. Where a grammar is named for them (a filter, update operators, stages, a
//! patch), the value is valid in it; where they hold free data, it is a record; of everything else there is none.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value, json};

use crate::draw::Draw;
use crate::value::{by_name, record};
use crate::words::{name_words, singular};

/// What is known of an object without named members.
pub(super) struct Open<'a> {
    /// The argument's or member's name.
    pub(super) name: &'a str,
    pub(super) description: &'a str,
    /// The words of the tool's name and description, in lower case.
    pub(super) tool: &'a str,
}

impl Open<'_> {
    /// Whether it is a list of stages, which is made as a whole.
    pub(super) fn is_pipeline(&self) -> bool {
        self.is_called(&["pipeline"]) && self.says(&["stage"])
    }

    /// Whether it names things that are done or asked in a language of its own.
    pub(super) fn is_other_grammar(&self) -> bool {
        self.is_called(&[
            "filter",
            "query",
            "criterion",
            "criteria",
            "operation",
            "request",
            "action",
            "update",
            "change",
            "rule",
            "condition",
            "property",
            "definition",
            "config",
            "configuration",
            "option",
            "setting",
            "block",
            "node",
            "step",
            "command",
            "file",
            "parent",
            "sort",
            "expression",
        ])
    }

    fn is_called(&self, among: &[&str]) -> bool {
        name_words(self.name).iter().any(|word| among.contains(&singular(word).as_str()))
    }

    fn says(&self, among: &[&str]) -> bool {
        let description = self.description.to_lowercase();
        among.iter().any(|words| description.contains(words))
    }

    fn is_of(&self, among: &[&str]) -> bool {
        let has = |text: &str| text.split(|c: char| !c.is_alphanumeric()).any(|word| among.contains(&word));
        has(self.tool) || has(&self.description.to_lowercase())
    }
}

/// Makes an object, or a list of them; none where its grammar does not allow what is made.
type Make = fn(&Open<'_>, &mut Draw) -> Option<Value>;

/// Whether an object is of a grammar.
type Is = fn(&Open<'_>) -> bool;

/// The grammars, in order: the first that recognises itself decides, be it for nothing.
const GRAMMARS: &[(Is, Make)] = &[
    (
        |open| open.says(&["json patch", "rfc 6902"]),
        |_, draw| {
            let (name, value) = record::field(draw);
            Some(json!({ "op": "replace", "path": format!("/{name}"), "value": value }))
        },
    ),
    (
        |open| open.is_called(&["pipeline"]) || open.says(&["aggregation stage"]),
        |open, draw| {
            if open.says(&["first stage must be"]) {
                let first = json!([{ "$documents": [record::document(draw), record::document(draw)] }]);
                return open.says(&["$documents"]).then_some(first);
            }
            let (name, value) = record::field(draw);
            Some(json!([{ "$match": { name: value } }]))
        },
    ),
    (
        |open| open.says(&["update operator", "$set"]),
        |_, draw| {
            let (name, value) = record::field(draw);
            Some(json!({ "$set": { name: value } }))
        },
    ),
    (is_query_grammar, |_, draw| {
        let (name, value) = record::field(draw);
        Some(json!({ name: value }))
    }),
    (
        |open| open.is_called(&["projection", "sort"]) && open.is_of(DOCUMENT_STORES),
        |_, draw| {
            let (name, _) = record::field(draw);
            Some(json!({ name: 1 }))
        },
    ),
    (
        |open| open.is_called(&["key"]) && open.is_of(&["index", "indexes"]),
        |_, draw| {
            let (name, _) = record::field(draw);
            Some(json!({ name: 1 }))
        },
    ),
    (
        |open| open.is_called(&["schema"]) || open.says(&["json schema"]),
        |_, draw| {
            let (name, _) = record::field(draw);
            Some(json!({ "type": "object", "properties": { name: { "type": "string" } } }))
        },
    ),
    (
        |open| !listed_members(open.description).is_empty(),
        |open, draw| {
            let mut out = Map::new();
            for (name, _) in listed_members(open.description).into_iter().filter(|(_, needed)| *needed) {
                let words = name_words(&name);
                out.insert(name, by_name::text(&words, "", open.tool, &[], draw).into());
            }
            (!out.is_empty()).then(|| out.into())
        },
    ),
    (|open| open.is_other_grammar(), |_, _| None),
    (
        |open| {
            open.is_called(FREE)
                || open.says(&[
                    "documents to insert",
                    "arbitrary",
                    "any json",
                    "free-form data",
                    "key-value",
                    "key/value",
                ])
        },
        |open, draw| {
            if open.is_called(&["header"]) {
                return Some(json!({ "X-Request-Source": draw.pick(crate::value::vocabulary::PLACES) }));
            }
            Some(record::document(draw))
        },
    ),
];

/// Stores whose filters are objects of fields and values.
const DOCUMENT_STORES: &[&str] =
    &["mongodb", "db", "document", "documents", "collection", "couchdb", "firestore"];

/// Names of objects that hold whatever somebody keeps.
const FREE: &[&str] = &[
    "document",
    "record",
    "row",
    "metadata",
    "attribute",
    "data",
    "payload",
    "header",
    "variable",
    "context",
    "item",
    "object",
    "doc",
    "field",
    "extra",
    "tag",
    "label",
];

fn is_query_grammar(open: &Open<'_>) -> bool {
    open.is_called(&["filter", "query", "selector", "where", "match"]) && open.is_of(DOCUMENT_STORES)
}

/// Whether a text is asked for in a language that is named for it: what somebody says in words is not valid in it.
pub(super) fn is_language(name: &str, description: &str) -> bool {
    static NAMED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\b(?:GraphQL|[JWCK]QL|PromQL|LogQL|Cypher|SPARQL|XPath|JMESPath|JSONPath|(?i:query language))\b")
            .expect("a fixed pattern")
    });
    let is_query = name_words(name).iter().any(|word| {
        ["query", "jql", "cql", "kql", "expression", "filter", "statement", "path"].contains(&word.as_str())
    });
    is_query && NAMED.is_match(description)
}

/// Members that a description lists with their types: `email (str), role (str, optional)`. Each with whether every
/// object has it.
fn listed_members(description: &str) -> Vec<(String, bool)> {
    static MEMBER: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\b([a-z][a-z0-9_]{1,30}) \((?:str|string|text)(?:, ?(optional|required))?\)")
            .expect("a fixed pattern")
    });
    let member = |found: regex::Captures<'_>| {
        let is_optional = found.get(2).is_some_and(|word| word.as_str() == "optional");
        (found[1].to_owned(), !is_optional)
    };
    MEMBER.captures_iter(description).map(member).collect()
}

/// A value for an object without named members; none where nothing says what would be valid.
pub(super) fn value(open: &Open<'_>, draw: &mut Draw) -> Option<Value> {
    let (_, make) = GRAMMARS.iter().find(|(is_one, _)| is_one(open))?;
    make(open, draw)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_valid_in_their_grammar_or_there_is_none() {
        for (name, description, tool, expected) in [
            ("update", "using update operator expressions", "update many", Some("$set")),
            ("pipeline", "An array of aggregation stages.", "aggregate", Some("$match")),
            (
                "pipeline",
                "The first stage must be one of `$currentOp`, `$documents`.",
                "aggregate",
                Some("$documents"),
            ),
            ("pipeline", "The first stage must be `$currentOp`.", "aggregate", None),
            ("filter", "The filter.", "delete documents of a collection", Some("\":\"")),
            ("filter", "The filter.", "list mails", None),
            ("patch", "A JSON Patch (RFC 6902).", "t", Some("replace")),
            ("recipients", "Each should have: email (str), role (str, optional)", "share", Some("email")),
            ("requests", "List of update requests", "batch update", None),
            ("metadata", "", "create note", Some("item")),
            ("whatever", "", "t", None),
        ] {
            let made = value(&Open { name, description, tool }, &mut Draw::new(5, &[name]));
            match (made, expected) {
                (Some(made), Some(part)) => assert!(made.to_string().contains(part), "{name}: {made}"),
                (made, expected) => assert_eq!(made.is_some(), expected.is_some(), "{name}: {made:?}"),
            }
        }
    }
}
