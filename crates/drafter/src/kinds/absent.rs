//! Tasks for tools that never existed: the verb that a family of tools lacks, and what stands beside a tool of a
//! familiar family everywhere else.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;
use probes::{Catalog, FamiliarNeighbour, name_words, reads, similarity};
use transcript::Tool;

use super::family::{FAMILIES, Member};
use crate::draw::Draw;
use crate::hints::Hints;
use crate::schema::Schema;
use crate::suite::{Ids, slug};
use crate::task::{Draft, DraftSource, DraftedTask};
use crate::twins::runs_code;
use crate::words::{is_verb, label, singular};

/// How many verbs are asked for that a family lacks, one for each family.
const GAPS: usize = 16;

/// How many tools of familiar families are asked for.
const NEIGHBOURS: usize = 6;

/// Verbs that a family may lack, with what else says the same. None of them is made of others that a family has, as
/// a copy is of reading and creating, and none is work of the model's own, as putting what was read into another form.
const VERBS: &[(&str, &[&str])] = &[
    (
        "cancel",
        &[
            "cancel", "delete", "remove", "void", "revoke", "abort", "stop", "close", "trash", "status",
            "state",
        ],
    ),
    ("delete", &["delete", "remove", "trash", "erase", "drop", "destroy", "purge", "clear", "unlink"]),
    ("archive", &["archive", "close", "hide", "status", "state", "trash", "inactive", "hidden", "export"]),
    ("rename", &["rename", "update", "edit", "modify", "patch", "change", "move", "write", "title"]),
    (
        "restore",
        &[
            "restore",
            "recover",
            "undelete",
            "unarchive",
            "revert",
            "rollback",
            "reopen",
            "trash",
            "archive",
            "active",
        ],
    ),
];

/// Things that are cancelled rather than deleted.
const CANCELLED: &[&str] = &[
    "refund",
    "order",
    "booking",
    "reservation",
    "event",
    "meeting",
    "subscription",
    "job",
    "run",
    "payment",
    "transfer",
    "shipment",
];

/// Verbs that make or show a thing: a family that has one of them could be asked for more.
const SHOWN: &[&str] =
    &["create", "add", "get", "list", "read", "fetch", "retrieve", "search", "find", "insert", "show"];

/// Verbs that make a thing.
const MAKES: &[&str] = &["create", "add", "insert", "new"];

/// The tasks: gaps in families first, then familiar neighbours.
pub(crate) fn absent_tools(catalog: &Catalog, seed: u64, hints: &Hints, ids: &mut Ids) -> Vec<DraftedTask> {
    let known: Vec<Known<'_>> = catalog.tools().iter().map(|tool| Known::of(tool)).collect();
    let mut asked: HashSet<String> = HashSet::new();
    let mut tasks = Vec::new();
    for (object, family) in families(&known) {
        if tasks.len() >= GAPS {
            break;
        }
        let Some((name, words)) = gap(&object, &family, &known, catalog, (seed, hints)) else { continue };
        if !asked.insert(plain(&name)) {
            continue;
        }
        let mut task = DraftedTask::of(ids.of(&slug(&name)), words, DraftSource::Schema);
        task.read_only =
            family.iter().filter(|known| known.reads).take(3).map(|k| k.tool.name.to_string()).collect();
        task.absent_tool = Some(name);
        tasks.push(task);
    }
    let neighbours = neighbours(&known, catalog);
    for (member, neighbour) in
        neighbours.into_iter().filter(|(member, _)| !asked.contains(&plain(member.name))).take(NEIGHBOURS)
    {
        let mut task =
            DraftedTask::of(ids.of(&slug(member.name)), member.user.to_owned(), DraftSource::Written);
        task.absent_tool = Some(member.name.to_owned());
        task.kinds.familiar_neighbour = Some(FamiliarNeighbour { neighbour: Some(neighbour.into()) });
        tasks.push(task);
    }
    tasks
}

/// A name in one spelling: `restore-note` and `restore_note` ask for the same.
fn plain(name: &str) -> String {
    name_words(name).join("_")
}

/// A tool with what its name says and all that it says of itself, in lower case.
struct Known<'a> {
    tool: &'a Tool,
    words: Vec<String>,
    /// Words of name, description and schema.
    said: HashSet<String>,
    reads: bool,
}

impl<'a> Known<'a> {
    fn of(tool: &'a Tool) -> Self {
        let schema =
            tool.input_schema.as_ref().map(|schema| schema.as_str().to_lowercase()).unwrap_or_default();
        let text = format!(
            "{} {} {schema}",
            name_words(tool.name.as_str()).join(" "),
            tool.description_text().to_lowercase()
        );
        let said = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        Self {
            tool,
            words: name_words(tool.name.as_str()),
            said: said.map(singular).collect(),
            reads: reads(tool),
        }
    }

    /// The verb, and what the name is about without it.
    fn verb_and_object(&self) -> Option<(&str, String)> {
        let at = self.words.iter().position(|word| is_verb(word))?;
        let object: Vec<String> = self
            .words
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at)
            .map(|(_, word)| singular(word))
            .collect();
        Some((self.words[at].as_str(), object.join(" "))).filter(|(_, object)| !object.is_empty())
    }

    /// Whether it runs code, queries or commands that it is given: then it could do anything.
    fn runs_anything(&self) -> bool {
        runs_code(self.tool.name.as_str(), &Schema::of(self.tool).arguments())
    }

    /// Whether an argument says which one of the things is meant.
    fn names_one(&self, thing: &str) -> bool {
        Schema::of(self.tool).arguments().iter().filter(|argument| argument.required).any(|argument| {
            let words = name_words(&argument.name);
            let is_which =
                |word: &str| ["id", "number", "path", "name", "key", "uid", "uuid"].contains(&word);
            match &words[..] {
                [which] => {
                    is_which(which) || singular(which) == thing || (which == "repo" && thing == "repository")
                }
                [.., of, which] => is_which(which) && singular(of) == thing,
                [] => false,
            }
        })
    }
}

/// Words that name no thing of which there could be one.
const NO_THINGS: &[&str] = &[
    "or",
    "and",
    "many",
    "one",
    "all",
    "data",
    "content",
    "info",
    "information",
    "detail",
    "status",
    "self",
    "children",
    "batch",
    "up",
    "history",
    "list",
    "state",
    "log",
    "diff",
    "stat",
    "setting",
    "property",
    "type",
    "by",
    "to",
    "from",
    "in",
    "with",
    "of",
    "into",
    "for",
    "me",
    "current",
    "structure",
    "schema",
    "index",
    "permission",
];

/// The tools by what they work on, of which at least two make or show it, in the catalog's order.
fn families<'k, 'a>(known: &'k [Known<'a>]) -> Vec<(String, Vec<&'k Known<'a>>)> {
    if known.iter().any(Known::runs_anything) {
        return Vec::new();
    }
    let mut counts: HashMap<String, usize> = HashMap::new();
    for tool in known {
        let words: HashSet<String> = tool.words.iter().map(|word| singular(word)).collect();
        words.into_iter().for_each(|word| *counts.entry(word).or_default() += 1);
    }
    let is_servers =
        |word: &str| known.len() > 3 && counts.get(word).is_some_and(|count| count * 2 > known.len());
    let mut by_object: IndexMap<String, Vec<&Known<'_>>> = IndexMap::new();
    for tool in known {
        let Some((_, object)) = tool.verb_and_object() else { continue };
        let own: Vec<&str> = object.split(' ').filter(|word| !is_servers(word)).collect();
        if !own.is_empty() && !own.iter().any(|word| NO_THINGS.contains(word)) {
            by_object.entry(own.join(" ")).or_default().push(tool);
        }
    }
    let is_family = |family: &[&Known<'_>]| {
        let shown =
            |known: &&Known<'_>| known.verb_and_object().is_some_and(|(verb, _)| SHOWN.contains(&verb));
        family.len() >= 2 && family.iter().any(shown)
    };
    by_object.into_iter().filter(|(_, family)| is_family(family)).collect()
}

/// The name and the words of a verb that the family lacks and that no tool which speaks of the thing could replace.
fn gap(
    object: &str,
    family: &[&Known<'_>],
    known: &[Known<'_>],
    catalog: &Catalog,
    (seed, hints): (u64, &Hints),
) -> Option<(String, String)> {
    let thing = object.rsplit(' ').next().unwrap_or(object).to_owned();
    let about: Vec<&Known<'_>> = known.iter().filter(|tool| tool.said.contains(&thing)).collect();
    // A flag or a state does it too: `archived`, `trashed`, `cancelled`.
    let does = |tool: &Known<'_>, word: &str| {
        let forms = [word.to_owned(), format!("{word}d"), format!("{word}ed"), format!("{word}led")];
        forms.iter().any(|form| tool.said.contains(form))
    };
    let is_free = |says: &[&str]| !about.iter().any(|tool| says.iter().any(|word| does(tool, word)));
    let fits = |verb: &str| match verb {
        "cancel" => CANCELLED.contains(&thing.as_str()),
        "delete" => !CANCELLED.contains(&thing.as_str()),
        _ => true,
    };
    // The tool whose name is copied and whose arguments say which thing is meant.
    // One that makes a thing says what the new one is like, and not which of those that are there is meant.
    let makes = |tool: &Known<'_>| tool.verb_and_object().is_some_and(|(verb, _)| MAKES.contains(&verb));
    let like = *family.iter().find(|tool| tool.names_one(&thing) && !makes(tool))?;
    let (verb, _) = VERBS.iter().find(|(verb, says)| fits(verb) && is_free(says))?;
    let name = renamed(like.tool.name.as_str(), like.verb_and_object()?.0, verb)?;
    let words = words(verb, object, like.tool, (seed, hints))?;
    is_nobodys(&name, catalog).then_some((name, words))
}

/// A name with another verb in the place of its own, in the same letter case.
fn renamed(name: &str, verb: &str, other: &str) -> Option<String> {
    let lower = name.to_lowercase();
    // A word of the name, and no part of another (`get` in `widget`).
    let begins = |at: usize| {
        let before = name.get(..at).and_then(|before| before.chars().next_back());
        let first = name.get(at..).and_then(|rest| rest.chars().next());
        before.is_none_or(|c| !c.is_alphanumeric()) || first.is_some_and(char::is_uppercase)
    };
    let (at, _) = lower.match_indices(verb).find(|(at, _)| begins(*at))?;
    let own = name.get(at..at + verb.len())?;
    let is_upper = own.starts_with(char::is_uppercase);
    let mut letters = other.chars();
    let first = letters.next().filter(|_| is_upper).map(|c| c.to_uppercase().collect::<String>());
    let made = first.map_or_else(|| other.to_owned(), |first| first + letters.as_str());
    let rest = name.get(at + verb.len()..)?;
    Some(format!("{}{made}{}", name.get(..at)?, singular(rest)))
}

/// Whether no tool has the name or one that it could be a slip of.
fn is_nobodys(name: &str, catalog: &Catalog) -> bool {
    let differs = |other: &str| {
        #[expect(clippy::cast_precision_loss, reason = "lengths of names")]
        let longest = name.chars().count().max(other.chars().count()) as f64;
        (1.0 - similarity(name, other)) * longest > 2.5
    };
    catalog.tools().iter().all(|tool| differs(tool.name.as_str()))
}

/// The words: which thing is meant is said as for the tool that the name is like.
fn words(verb: &str, object: &str, like: &Tool, (seed, hints): (u64, &Hints)) -> Option<String> {
    let mut draft = Draft::of(like, seed, hints);
    // Another thing than the one that the tool's own task is about.
    draft.draw = Draw::new(seed, &["absent", like.name.as_str()]);
    let request = draft.request_about(&format!("{verb} the {}", label(object)))?;
    // Where no value says which one is meant, a careful answer asks, whatever tools there are.
    if request.parts.is_empty() {
        return None;
    }
    let mut words = request.words(None);
    if verb == "rename" {
        words.push_str(if words.ends_with(['.', '?', '!']) { " " } else { " - " });
        words.push_str("The new name is \"Lantern street\".");
    }
    Some(words)
}

/// Members of familiar families that the catalog lacks, with a tool that it has of the family. One family after
/// another gives its first, so that they mix.
fn neighbours<'k>(known: &'k [Known<'_>], catalog: &Catalog) -> Vec<(&'static Member, &'k str)> {
    let mut found: Vec<(usize, &'static Member, &str)> = Vec::new();
    for family in FAMILIES {
        let is_of = |tool: &&Known<'_>| {
            let is_called =
                |words: &str| words.split(' ').all(|word| tool.words.iter().any(|own| singular(own) == word));
            (family.says.is_empty() || tool.said.contains(family.says))
                && family.known_by.iter().any(|words| is_called(words))
        };
        let Some(neighbour) = known.iter().find(is_of) else { continue };
        let can = |member: &Member| {
            let does = |tool: &Known<'_>| {
                member.done_by.iter().any(|words| words.split(' ').all(|word| tool.said.contains(word)))
            };
            is_nobodys(member.name, catalog) && !known.iter().any(does)
        };
        let members = family.members.iter().filter(|member| can(member)).enumerate();
        found.extend(members.map(|(at, member)| (at, member, neighbour.tool.name.as_str())));
    }
    found.sort_by_key(|(at, ..)| *at);
    let mut names = HashSet::new();
    found.retain(|(_, member, _)| names.insert(member.name));
    found.into_iter().map(|(_, member, neighbour)| (member, neighbour)).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::Value;

    use super::*;

    fn absent(tools: &[(&str, &str)]) -> Vec<(String, String, bool)> {
        let tool = |(name, description): &(&str, &str)| {
            let argument = if name.starts_with("run_") { "code" } else { "refund_id" };
            serde_json::json!({"name": name, "description": description, "inputSchema": {
                "type": "object", "properties": {argument: {"type": "string"}}, "required": [argument]}})
        };
        let tools: Vec<Value> = tools.iter().map(tool).collect();
        let catalog =
            Catalog::from_text(Path::new("c.json"), &serde_json::json!({ "tools": tools }).to_string())
                .unwrap();
        let tasks = absent_tools(&catalog, 7, &Hints::of(&catalog), &mut Ids::default());
        let told = |task: DraftedTask| {
            (task.absent_tool.unwrap(), task.user, task.kinds.familiar_neighbour.is_some())
        };
        tasks.into_iter().map(told).collect()
    }

    #[test]
    fn a_family_lacks_a_verb_that_nothing_replaces() {
        let pair = [("get_refund", "Returns one refund."), ("list_refunds", "Lists refunds.")];
        let [(name, words, false)] = &absent(&pair)[..] else { panic!("{:?}", absent(&pair)) };
        assert_eq!(name, "cancel_refund");
        assert!(words.to_lowercase().contains("cancel refund rfn-"), "{words}");
        // One that edits refunds may set them to cancelled.
        let more = [pair[0], pair[1], ("manage_refund", "Deletes or changes a refund.")];
        assert_ne!(absent(&more).first().map(|gap| gap.0.as_str()), Some("cancel_refund"));
        let runs = [pair[0], pair[1], ("run_code", "Runs code.")];
        assert_eq!(absent(&runs), []);
        assert_eq!(absent(&pair[..1]), []);
    }

    #[test]
    fn a_familiar_family_has_more_tools_elsewhere() {
        let found = absent(&[("git_status", "Shows the working tree."), ("git_push", "Pushes commits.")]);
        assert!(found.iter().all(|(name, _, is_neighbour)| name.starts_with("git_") && *is_neighbour));
        assert!(!found.is_empty() && !found.iter().any(|(name, ..)| name == "git_push"), "{found:?}");
        // A search of the web tells what is so now.
        let map = ("map_route", "Maps a route.");
        let asks = |tools: &[(&str, &str)]| absent(tools).iter().any(|(name, ..)| name == "get_weather");
        assert!(asks(&[map]) && !asks(&[map, ("look_up", "Search the web.")]));
    }

    #[test]
    fn names_keep_their_form() {
        assert_eq!(renamed("desk__listTickets", "list", "delete").as_deref(), Some("desk__deleteTicket"));
        assert_eq!(renamed("widget__get_item", "get", "archive").as_deref(), Some("widget__archive_item"));
        assert_eq!(renamed("GetNote", "get", "delete").as_deref(), Some("DeleteNote"));
        assert_eq!(renamed("API-get-user", "get", "archive").as_deref(), Some("API-archive-user"));
    }
}
