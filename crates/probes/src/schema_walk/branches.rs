//! Values that may be of one of several sorts (`anyOf`, `oneOf`).

use serde_json::Value;

use crate::document::{Entry, Node};
use crate::error::Diagnostic;
use crate::schema_walk::shape::resolved;
use crate::schema_walk::{SchemaWalk, What, fits, wanted};

impl<'a> SchemaWalk<'a> {
    /// Takes the branch without mistakes. Without one, says what the branches of the value's sort say.
    pub(super) fn any_of(&mut self, node: &Node, branches: &[&'a Value], what: What<'_>) {
        let mut fitting: Vec<(&'a Value, Vec<Diagnostic>)> = Vec::new();
        let mut all_types: Vec<&str> = Vec::new();
        for branch in branches {
            let branch = resolved(branch, self.root);
            let shape = self.shape(branch);
            let types = &shape.types;
            if types.is_empty() || types.iter().any(|name| fits(node, name)) {
                let before = self.mistakes.len();
                self.check(node, branch, what);
                if self.mistakes.len() == before {
                    return;
                }
                fitting.push((branch, self.mistakes.split_off(before)));
            }
            all_types.extend(types.iter().copied());
        }
        match (node.entries(), fitting.len()) {
            (_, 0) => {
                let diagnostic = self.wrong(
                    node,
                    format!("{what} takes {}, and this is {}", wanted(&all_types), node.type_name()),
                );
                self.mistakes.push(diagnostic);
            }
            (Some(entries), several) if several > 1 => self.one_of_maps(node, entries, &fitting, what),
            _ if fitting.iter().all(|(branch, _)| branch.get("const").is_some()) => {
                let words: Vec<&str> =
                    fitting.iter().filter_map(|(branch, _)| branch.get("const")?.as_str()).collect();
                let written = node.text().unwrap_or_default();
                let diagnostic = self.wrong(node, format!("{what} cannot be `{written}`"));
                self.mistakes.push(diagnostic.nearest(written, &words));
            }
            _ => {
                let fewest = fitting.into_iter().map(|(_, mistakes)| mistakes).min_by_key(Vec::len);
                self.mistakes.extend(fewest.unwrap_or_default());
            }
        }
    }

    /// A map that could be one of several: its unknown keys against the keys of all of them, else the mistakes
    /// of the one whose keys it has.
    fn one_of_maps(
        &mut self,
        node: &Node,
        entries: &[Entry],
        branches: &[(&'a Value, Vec<Diagnostic>)],
        what: What<'_>,
    ) {
        let keys = |branch: &'a Value| {
            branch
                .get("properties")
                .and_then(Value::as_object)
                .into_iter()
                .flatten()
                .map(|(key, _)| key.as_str())
        };
        let known: Vec<&str> = branches.iter().flat_map(|(branch, _)| keys(branch)).collect();
        let unknown: Vec<&Entry> = entries.iter().filter(|entry| !known.contains(&&*entry.key)).collect();
        if !unknown.is_empty() {
            unknown.into_iter().for_each(|entry| self.unknown_key(entry, &known));
            return;
        }
        let own = branches.iter().find(|(branch, _)| {
            let keys: Vec<&str> = keys(branch).collect();
            !entries.is_empty() && entries.iter().all(|entry| keys.contains(&&*entry.key))
        });
        match own {
            Some((_, mistakes)) => self.mistakes.extend(mistakes.iter().cloned()),
            None => {
                let list = known.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
                self.mistakes
                    .push(self.wrong(node, format!("{what} takes a map with exactly one of {list}")));
            }
        }
    }
}
