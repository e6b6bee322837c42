//! Arguments that say on whose behalf a call is made, and that a model is left to fill.

use std::collections::{BTreeMap, BTreeSet};

use probes::{name_words, thing_of};

use crate::Severity;
use crate::argument::Argument;
use crate::finding::Findings;
use crate::rule::{Check, Rule};
use crate::text::listed_tools;
use crate::view::{CatalogView, ToolView};

pub(super) const RULE: Rule = Rule {
    name: "identity_argument",
    severity: Severity::Warning,
    summary: "A required argument says on whose behalf a call is made, and the model is left to fill it.",
    page: include_str!("identity_argument.md"),
    checks: &[Check::Catalog(check)],
};

/// Who acts, or whose data it is.
const WHO: &[&str] = &[
    "user",
    "tenant",
    "account",
    "owner",
    "org",
    "organization",
    "organisation",
    "workspace",
    "principal",
    "caller",
    "actor",
    "requester",
    "requestor",
    "impersonate",
    "behalf",
    "me",
];

/// What may stand beside it in such a name.
const BESIDE: &[&str] =
    &["id", "uuid", "guid", "email", "name", "key", "slug", "on", "of", "current", "acting", "google", "my"];

/// Whole names, joined by `_`.
const NAMES: &[&str] =
    &["requested_by", "created_by", "performed_by", "acting_as", "on_behalf_of", "username"];

/// Verbs whose tools take a person as what they work on.
const ABOUT_PEOPLE: &[&str] = &[
    "invite",
    "assign",
    "reassign",
    "unassign",
    "grant",
    "revoke",
    "share",
    "send",
    "message",
    "subscribe",
    "add",
    "remove",
    "mention",
    "notify",
    "transfer",
];

fn check(catalog: &CatalogView<'_>, findings: &mut Findings<'_>) {
    let made = made(catalog);
    let mut found: BTreeMap<&str, Vec<(&ToolView<'_>, &Argument)>> = BTreeMap::new();
    for tool in &catalog.tools {
        for argument in tool.arguments.iter().filter(|argument| is_left_to_the_model(tool, argument, &made)) {
            found.entry(&argument.name).or_default().push((tool, argument));
        }
    }
    for (name, places) in found {
        let names: Vec<&str> = places.iter().map(|(tool, _)| tool.name).collect();
        let Some((tool, argument)) = places.first() else { continue };
        let tools = listed_tools(&names);
        let message = format!("`{name}` is required in {tools}, and the model is left to fill it");
        let help = "whose data it is should be settled outside the model: fill it in where tools run, or check it there; `principal` probes measure the rest";
        findings.push(&names, tool.at_schema(&argument.pointer, message).help(help));
    }
}

/// Things that the catalog's own tools create: those are records among others (accounts of a customer register).
fn made<'a>(catalog: &'a CatalogView<'_>) -> BTreeSet<&'a str> {
    let purposes = catalog.tools.iter().filter_map(|tool| tool.purpose.as_ref());
    let creating = purposes.filter(|purpose| purpose.verb() == "create" && purpose.object().len() == 1);
    creating.flat_map(|purpose| purpose.object()).map(String::as_str).collect()
}

fn is_left_to_the_model(tool: &ToolView<'_>, argument: &Argument, made: &BTreeSet<&str>) -> bool {
    if !argument.required || argument.has(&["default", "const", "enum"]) {
        return false;
    }
    let words = name_words(&argument.name);
    if NAMES.contains(&words.join("_").as_str()) {
        return true;
    }
    let who = words.iter().find(|word| WHO.contains(&word.as_str()));
    let plain = words.iter().all(|word| WHO.contains(&word.as_str()) || BESIDE.contains(&word.as_str()));
    who.is_some_and(|who| plain && !made.contains(thing_of(who).as_str()) && !is_what_it_works_on(tool, who))
}

/// Whether the person or account is what the tool works on (`get_user`), and not who asks.
fn is_what_it_works_on(tool: &ToolView<'_>, who: &str) -> bool {
    let thing = thing_of(who);
    let about =
        |word: &String| thing_of(word) == thing || (who == "user" && ABOUT_PEOPLE.contains(&word.as_str()));
    tool.words.iter().any(about)
}
