//! Texts by the words of an argument's name.

use probes::stands_in;

use crate::draw::Draw;
use crate::value::by_format::{date, date_time, time};
use crate::value::vocabulary as words;
use crate::words::name_words;

/// A text for an argument; `tool` are the words of the tool, which tell a branch of a repository from one of a bank.
/// `beside` are the names of what is given with it.
pub(super) fn text(
    name: &[String],
    description: &str,
    tool: &str,
    beside: &[String],
    draw: &mut Draw,
) -> String {
    let described = description.to_lowercase();
    let asks = Asks { name, described: &described, tool, beside };
    ALL.iter()
        .find_map(|make| make(&asks, draw))
        .unwrap_or_else(|| format!("{} {}", draw.pick(words::PLACES), draw.pick(words::THINGS)))
}

struct Asks<'a> {
    name: &'a [String],
    described: &'a str,
    tool: &'a str,
    beside: &'a [String],
}

impl Asks<'_> {
    fn has(&self, among: &[&str]) -> bool {
        self.name.iter().any(|word| among.contains(&word.as_str()))
    }

    fn last(&self) -> &str {
        self.name.last().map_or("", String::as_str)
    }

    /// Whether the last word that is not `name` is one of these.
    fn is_last_of(&self, among: &[&str]) -> bool {
        let last = self.name.iter().rev().find(|word| *word != "name");
        last.is_some_and(|word| among.contains(&word.as_str()))
    }

    fn says(&self, among: &[&str]) -> bool {
        among.iter().any(|word| self.described.contains(word))
    }

    /// Whether the tool's own name has one of these words.
    fn is_called(&self, among: &[&str]) -> bool {
        self.tool.split('|').next().unwrap_or_default().split(' ').any(|word| among.contains(&word))
    }

    fn is_of(&self, among: &[&str]) -> bool {
        self.tool.split(|c: char| !c.is_alphanumeric()).any(|word| among.contains(&word))
    }
}

/// What a text has to be because of what is given beside it: words of the format that is named with them, and a text
/// that replaces another.
pub(super) fn of_siblings(
    name: &str,
    description: &str,
    beside: &[String],
    draw: &mut Draw,
) -> Option<String> {
    let words = name_words(name);
    let has = |among: &[&str]| words.iter().any(|word| among.contains(&word.as_str()));
    let beside_has = |among: &[&str]| {
        beside.iter().flat_map(|other| name_words(other)).any(|word| among.contains(&word.as_str()))
    };
    let is_text = has(&["text", "string", "str", "with", "content"]);
    let is_pair =
        beside_has(&["old", "find", "search", "original"]) && beside_has(&["new", "replace", "replacement"]);
    if is_pair
        && has(&["find", "search", "old", "new", "replace", "replacement", "original"])
        && (is_text || words.len() == 1)
    {
        return Some(draw.pick(words::SUBJECTS).to_owned());
    }
    // Prose is not of any format that a machine reads.
    let is_format = has(&["format"]) && (has(&["source", "content", "body", "text"]) || words.len() == 1);
    if is_format && beside_has(&["content", "text", "body"]) {
        let plain = ["markdown", "md", "text", "txt", "plain", "html"];
        let lower = description.to_lowercase();
        return plain.iter().find(|format| stands_in(format, &lower)).map(|format| (*format).to_owned());
    }
    None
}

/// The rules, in order: the first that makes something decides.
const ALL: &[fn(&Asks<'_>, &mut Draw) -> Option<String>] =
    &[contact, moment, code, git, file, id, place, written, small, named];

fn contact(asks: &Asks<'_>, draw: &mut Draw) -> Option<String> {
    if asks.has(&["email", "mail", "emails"]) && !asks.has(&["id", "subject", "body", "message"]) {
        return Some(email(draw));
    }
    if asks.says(&["email address", "e-mail address"])
        && !asks.has(&["id", "subject", "body", "message", "name"])
    {
        return Some(email(draw));
    }
    let to = asks.name.len() == 1
        && asks.has(&["to", "cc", "bcc", "recipient", "recipients", "attendee", "attendees"]);
    if to && (asks.says(&["email", "recipient"]) || asks.is_of(&["email", "mail", "gmail"])) {
        return Some(email(draw));
    }
    if asks.has(&["phone", "telephone", "mobile", "fax"]) {
        return Some(format!("+1 202 555 01{}", draw.number(10, 99)));
    }
    let is_link = asks.has(&["url", "uri", "href", "website", "webhook", "urls", "endpoint"])
        || asks.last() == "link"
        || (asks.last() == "source" && asks.has(&["image", "photo", "video"]));
    // A file that is brought in is of the first sort that the tool takes.
    let sort = SORTS.iter().find(|sort| asks.has(&["file"]) && asks.is_of(&[sort]));
    let ending = sort.map_or(String::new(), |sort| format!(".{sort}"));
    (is_link && !asks.has(&["id"])).then(|| format!("{}{ending}", url(asks.name, draw)))
}

/// Sorts of files, the most telling first.
const SORTS: &[&str] = &["pptx", "xlsx", "docx", "pdf", "csv", "png"];

fn moment(asks: &Asks<'_>, draw: &mut Draw) -> Option<String> {
    if asks.has(&["timezone", "tz"]) || (asks.has(&["zone"]) && asks.has(&["time"])) {
        return Some(draw.pick(words::ZONES).to_owned());
    }
    if asks.has(&["date", "deadline", "birthday", "since", "until", "day"]) && !asks.has(&["id", "format"]) {
        return Some(date(asks.name, draw));
    }
    if asks.last() == "time" && asks.says(&["hh:mm", "hour"]) {
        return Some(time(draw));
    }
    let is_moment = asks.has(&["time", "timestamp", "datetime", "at", "start", "end"])
        && asks.says(&["time", "date", "rfc", "iso"]);
    (is_moment && !asks.has(&["id", "index"])).then(|| date_time(asks.name, draw))
}

fn code(asks: &Asks<'_>, draw: &mut Draw) -> Option<String> {
    if asks.has(&["code", "script", "snippet"]) && asks.is_of(&["playwright"]) {
        return Some(format!(
            "async (page) => {{ return await page.{}(); }}",
            draw.pick(&["title", "content", "url"])
        ));
    }
    if asks.says(&["=>", "javascript"]) || asks.has(&["javascript"]) {
        return Some(format!(
            "() => {}.length",
            draw.pick(&["document.title", "document.body.innerText", "location.pathname"])
        ));
    }
    if asks.has(&["sql"]) {
        return Some(format!(
            "SELECT count(*) FROM {}_{}",
            draw.pick(words::PLACES),
            draw.pick(words::THINGS)
        ));
    }
    if asks.has(&["function", "method", "handler", "macro"]) {
        return Some(draw.pick(words::FUNCTIONS).to_owned());
    }
    if asks.has(&["regex", "regexp"]) {
        return Some(format!("crate-[0-9]{{{}}}", draw.number(2, 6)));
    }
    if asks.has(&["glob", "pattern", "patterns"]) {
        return Some(format!("*.{}", draw.pick(&["csv", "md", "yaml", "ini", "log"])));
    }
    let is_element = asks.has(&["selector", "element"])
        || (asks.has(&["target"]) && asks.says(&["element", "selector"]))
        || (asks.has(&["ref"]) && asks.says(&["element"]));
    if is_element {
        let kind = words::ELEMENTS.iter().find(|(uses, _)| uses.is_empty() || asks.is_called(uses));
        let elements = kind.map_or(&[][..], |(_, elements)| elements);
        // A card is dragged to a lane, and no lane to a card.
        let end = if asks.has(&["start", "from", "source"]) { "#card" } else { "#lane" };
        let of_end: Vec<&str> = elements.iter().copied().filter(|element| element.starts_with(end)).collect();
        return Some(draw.pick(if of_end.is_empty() { elements } else { &of_end[..] }).to_owned());
    }
    let is_choice = asks.has(&["value", "values", "option", "options"]);
    if is_choice && (asks.says(&["dropdown"]) || asks.is_called(&["select", "option", "dropdown"])) {
        return Some(draw.pick(words::DAYS).to_owned());
    }
    if asks.has(&["service"]) && !asks.has(&["id", "url"]) {
        return Some(draw.pick(&["calendar", "mail", "contacts"]).to_owned());
    }
    if asks.has(&["code", "script", "snippet"])
        && (asks.says(&["source code", "snippet", "script", "python", "execute", "evaluate", "to run"])
            || asks.is_called(&["run", "execute", "eval", "evaluate"]))
        && !asks.has(&["id", "name", "country"])
    {
        return Some(format!("return {} * {};", draw.number(3, 9), draw.number(11, 30)));
    }
    (asks.has(&["range"])
        && !asks.has(&["id"])
        && asks.is_of(&["sheet", "spreadsheet", "sheets", "cell", "cells", "excel"]))
    .then(|| range(asks, draw))
}

/// Cells of a sheet; as many as the two rows that are written into them.
fn range(asks: &Asks<'_>, draw: &mut Draw) -> String {
    let from = draw.number(2, 9);
    if asks.beside.iter().any(|other| ["values", "data", "rows"].contains(&other.as_str())) {
        return format!("B{from}:C{}", from + 1);
    }
    format!("B{from}:D{}", draw.number(12, 40))
}

fn git(asks: &Asks<'_>, draw: &mut Draw) -> Option<String> {
    let in_repository =
        asks.beside.iter().any(|other| ["repo", "repository", "repo_path"].contains(&other.as_str()));
    let is_git = in_repository
        || asks.is_of(&[
            "git",
            "github",
            "gitlab",
            "repository",
            "branch",
            "branches",
            "commit",
            "commits",
            "repo",
            "bitbucket",
        ]);
    if is_git && asks.last() == "tag" {
        return Some(format!("v{}.{}.{}", draw.number(1, 9), draw.number(0, 9), draw.number(0, 9)));
    }
    if asks.has(&["sha", "commit", "revision", "checksum"]) && !asks.has(&["message", "title"]) {
        return Some(draw.hex(12));
    }
    if is_git
        && asks.has(&["branch", "ref", "head", "base", "target", "source"])
        && !asks.has(&["path", "project", "type"])
    {
        return Some(format!("{}-{}", draw.pick(words::PLACES), draw.pick(words::THINGS)));
    }
    if asks.has(&["message"]) && (asks.has(&["commit"]) || is_git) {
        return Some(draw.pick(words::NOTES).to_owned());
    }
    let is_slug =
        asks.name == ["name"] && asks.is_called(&["repository", "repo", "branch", "package", "project"]);
    if is_slug && is_git {
        return Some(format!("{}-{}", draw.pick(words::PLACES), draw.pick(words::THINGS)));
    }
    if asks.has(&["repo", "repository", "project"])
        && !asks.has(&["path", "id", "url", "title", "description"])
    {
        return Some(format!("{}-{}", draw.pick(words::PLACES), draw.pick(words::THINGS)));
    }
    let is_owner =
        asks.has(&["owner", "organization", "organisation", "org", "namespace", "workspace", "tenant"]);
    (is_owner && !asks.has(&["id"])).then(|| format!("{}-labs", draw.pick(words::PLACES)))
}

fn file(asks: &Asks<'_>, draw: &mut Draw) -> Option<String> {
    let in_files = asks.is_of(&["file", "files", "directory", "directories", "folder"]);
    let is_end = in_files && asks.has(&["source", "destination"]) && !asks.says(&["url", "upload from"]);
    // What a file becomes in another form has a title rather than a file's name.
    let becomes = asks.says(&["name for the new", "name of the new"]) && !asks.says(&["new file"]);
    let is_name = matches!(asks.name, [first, last] if first == "file" && last == "name") && !becomes;
    let is_path = asks.has(&["path", "paths", "filepath", "filename", "dir", "directory", "folder"])
        || (asks.last() == "file" || asks.last() == "files")
        || is_name;
    if !(is_path || is_end) || asks.has(&["id", "query"]) {
        return None;
    }
    let (place, thing) = (draw.pick(words::PLACES), draw.pick(words::THINGS));
    if asks.has(&["repo", "repository", "clone", "checkout", "worktree"]) {
        return Some(format!("/srv/repos/{place}-{thing}"));
    }
    let is_folder = asks.has(&["dir", "directory", "folder"])
        || asks.is_called(&["directory", "directories", "folder", "search"]);
    if is_folder {
        return Some(if asks.has(&["name"]) {
            format!("{place}-{thing}")
        } else {
            format!("/srv/{place}/{thing}")
        });
    }
    let is_image = asks.says(&["image"]) || asks.is_called(&["media", "image", "photo", "picture"]);
    // What is written into it is prose, and what it is moved to keeps its ending.
    let is_prose = asks.is_called(&[
        "write", "create", "edit", "append", "push", "update", "move", "rename", "copy", "import",
    ]) || asks
        .beside
        .iter()
        .any(|other| ["content", "text", "edits", "body", "old_text", "new_text"].contains(&other.as_str()));
    let ending = match () {
        () if is_image => "png",
        () if is_prose => "md",
        () => draw.pick(&["md", "txt", "csv"]),
    };
    if is_name || asks.has(&["filename"]) || asks.last() == "files" {
        return Some(format!("{place}-{thing}.{ending}"));
    }
    let root = if asks.says(&["absolute"])
        || !asks.beside.iter().any(|other| ["repo", "repository"].contains(&other.as_str()))
            && !asks.is_of(&["repository", "project", "git", "commit", "staging"])
    {
        "/srv/"
    } else {
        ""
    };
    Some(format!("{root}{place}/{thing}.{ending}"))
}

fn id(asks: &Asks<'_>, draw: &mut Draw) -> Option<String> {
    let is_id = matches!(
        asks.last(),
        "id" | "ids"
            | "identifier"
            | "uuid"
            | "guid"
            | "number"
            | "no"
            | "key"
            | "token"
            | "cursor"
            | "reference"
            | "sku"
    );
    // `from_depot: Depot id (where it is now)`.
    let first = asks.described.split(['.', ';', '(']).next().unwrap_or_default();
    let is_told = first.trim_end().ends_with(" id") && first.split_whitespace().count() <= 4;
    if is_told && !is_id {
        return Some(format!("{}-{}", short(asks.last()), draw.digits(5)));
    }
    if !is_id {
        return None;
    }
    if asks.last() == "key"
        && (asks.is_of(&["press", "keyboard"]) || asks.says(&["keyboard", "key to press"]))
    {
        return Some(draw.pick(words::KEYS).to_owned());
    }
    let stem = asks.name.iter().rev().nth(1).map_or("ref", String::as_str);
    Some(format!("{}-{}", short(stem), draw.digits(5)))
}

/// Up to three capitals of a word: `INV` of `invoice`, `MSG` of `message`.
fn short(word: &str) -> String {
    let vowel = |c: char| "aeiou".contains(c);
    let head = word.chars().next().into_iter();
    let mut letters: Vec<char> =
        head.chain(word.chars().skip(1).filter(|c| c.is_ascii_alphabetic() && !vowel(*c))).collect();
    letters.dedup();
    if letters.len() < 3 {
        letters = word.chars().filter(char::is_ascii_alphabetic).collect();
    }
    letters.iter().take(3).collect::<String>().to_uppercase()
}

fn place(asks: &Asks<'_>, draw: &mut Draw) -> Option<String> {
    if asks.has(&["country"]) {
        return Some(
            if asks.says(&["code", "iso"]) {
                draw.pick(&["NO", "PT", "UY", "EE", "GH", "SI"])
            } else {
                draw.pick(words::COUNTRIES)
            }
            .to_owned(),
        );
    }
    if asks.has(&["city", "town", "region", "state", "province"]) {
        return Some(draw.pick(words::TOWNS).to_owned());
    }
    if asks.has(&["zip", "postcode", "postal"]) {
        return Some(draw.digits(5));
    }
    let is_address = asks.is_last_of(&[
        "address",
        "street",
        "origin",
        "destination",
        "location",
        "place",
        "venue",
        "pickup",
        "dropoff",
    ]);
    (is_address && !asks.has(&["ip"]))
        .then(|| format!("{} {}, {}", draw.number(2, 88), draw.pick(words::STREETS), draw.pick(words::TOWNS)))
}

fn written(asks: &Asks<'_>, draw: &mut Draw) -> Option<String> {
    let is_query = asks.has(&["query", "q", "search", "keyword", "keywords", "term", "terms", "find"]);
    if is_query && asks.is_called(PEOPLE) {
        return Some(person(draw).to_owned());
    }
    // Where a search has a syntax, two words may stand with quotation marks around them or without: one has one form.
    let has_syntax = asks.says(&["operator", "syntax"]) || asks.is_of(&["github", "gitlab", "gmail"]);
    if is_query && has_syntax {
        return Some(draw.pick(words::THINGS).to_owned());
    }
    if is_query && asks.is_called(&["place", "places", "venue", "venues", "shop", "shops"]) {
        return Some(draw.pick(words::SHOPS).to_owned());
    }
    // What is looked for in a text is short.
    let is_sought = asks.last() == "text"
        && (asks.is_called(&["find", "search", "wait", "grep"])
            || asks.says(&["to wait for", "search for", "to find"]));
    if is_sought {
        return Some(draw.pick(words::SUBJECTS).to_owned());
    }
    if asks.has(&[
        "query", "q", "search", "keyword", "keywords", "term", "terms", "topic", "question", "find",
        "prompt", "input",
    ]) {
        return Some(draw.pick(words::SUBJECTS).to_owned());
    }
    if asks.has(&["title", "subject", "summary", "headline", "caption"]) {
        return Some(draw.pick(words::TITLES).to_owned());
    }
    let is_text = asks.has(&[
        "text",
        "content",
        "contents",
        "body",
        "message",
        "comment",
        "description",
        "note",
        "notes",
        "reason",
        "reply",
        "observation",
        "observations",
        "instructions",
        "details",
        "markdown",
        "memo",
        "feedback",
        "data",
    ]);
    is_text.then(|| draw.pick(words::SENTENCES).to_owned())
}

fn small(asks: &Asks<'_>, draw: &mut Draw) -> Option<String> {
    if asks.has(&["color", "colour"]) && asks.says(&["hex", "#"]) {
        return Some(draw.pick(&["#2e7d32", "#8c4a1f", "#1f4e8c", "#5c3d99"]).to_owned());
    }
    let (_, pick): (_, &[&str]) = [
        (&["timezone"][..], words::ZONES),
        (&["language", "locale", "lang"], words::LANGUAGES),
        (&["currency"], words::CURRENCIES),
        (&["color", "colour"], words::COLOURS),
        (&["emoji"], words::EMOJI),
        (&["reaction"], words::REACTIONS),
        (&["label", "labels", "tag", "tags", "category"], words::LABELS),
        (&["version"], &["2.4.1", "3.0.2", "1.9.7", "5.1.0"]),
        (&["status", "state"], words::STATES),
    ]
    .into_iter()
    .find(|(names, _)| asks.has(names))?;
    Some(draw.pick(pick).to_owned())
}

fn named(asks: &Asks<'_>, draw: &mut Draw) -> Option<String> {
    if asks.has(&["ip"]) {
        return Some(format!("203.0.113.{}", draw.number(2, 250)));
    }
    if asks.has(&["host", "hostname", "domain", "server", "domains"]) {
        return Some(host(draw));
    }
    if asks.has(&["connection", "dsn"]) && asks.has(&["string", "dsn", "uri"]) {
        let scheme = if asks.says(&["mongodb"]) || asks.is_of(&["mongodb"]) { "mongodb" } else { "postgres" };
        return Some(format!(
            "{scheme}://{}:27{}/{}",
            host(draw),
            draw.number(100, 999),
            draw.pick(words::THINGS)
        ));
    }
    if asks.has(&["username", "login", "user", "assignee", "assignees", "handle", "reviewer", "reviewers"]) {
        return Some(person(draw).to_lowercase().replace(' ', "."));
    }
    let of_person = asks.has(&[
        "person", "contact", "customer", "employee", "guest", "author", "first", "last", "given", "family",
        "full",
    ]);
    if of_person && asks.has(&["name"]) {
        let whole = person(draw);
        let mut parts = whole.split(' ');
        let (first, last) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        return Some(match () {
            () if asks.has(&["first", "given"]) => first.to_owned(),
            () if asks.has(&["last", "family"]) => last.to_owned(),
            () => whole.to_owned(),
        });
    }
    let stored = asks.is_last_of(&[
        "database",
        "collection",
        "table",
        "index",
        "column",
        "field",
        "property",
        "bucket",
        "schema",
        "db",
    ]);
    if stored {
        return Some(format!("{}_{}", draw.pick(words::PLACES), draw.pick(words::THINGS)));
    }
    if asks.has(&["type", "kind", "role"]) {
        return Some(draw.pick(words::KINDS).to_owned());
    }
    if asks.has(&["library", "package", "module", "product"]) {
        return Some(format!("{}-{}", draw.pick(words::PLACES), draw.pick(words::THINGS)));
    }
    if asks.has(&["name"]) && asks.is_called(&["collection", "database", "table", "index", "column"]) {
        return Some(format!("{}_{}", draw.pick(words::PLACES), draw.pick(words::THINGS)));
    }
    // What formulas name has no space in it.
    if asks.has(&["name"]) && asks.is_called(&["range", "ranges", "variable", "constant", "macro"]) {
        return Some(draw.pick(words::TITLES).replace(' ', "_"));
    }
    asks.has(&["name"]).then(|| draw.pick(words::TITLES).to_owned())
}

/// Words of tools that look for people.
const PEOPLE: &[&str] = &[
    "user",
    "users",
    "contact",
    "contacts",
    "person",
    "people",
    "member",
    "members",
    "employee",
    "employees",
    "customer",
    "customers",
    "attendee",
    "attendees",
    "author",
    "authors",
    "guest",
    "guests",
    "patient",
    "patients",
];

fn person(draw: &mut Draw) -> &'static str {
    draw.pick(words::PEOPLE)
}

/// A name for a file of this ending.
pub(crate) fn file_name(ending: &str, draw: &mut Draw) -> String {
    format!("{}-{}.{ending}", draw.pick(words::PLACES), draw.pick(words::THINGS))
}

pub(crate) fn email(draw: &mut Draw) -> String {
    format!("{}@{}", person(draw).to_lowercase().replace(' ', "."), host(draw))
}

pub(super) fn host(draw: &mut Draw) -> String {
    format!("{}.example", draw.pick(words::PLACES))
}

pub(super) fn url(name: &[String], draw: &mut Draw) -> String {
    let page = draw.pick(words::THINGS);
    let ending = if name.iter().any(|word| word == "image" || word == "photo") { ".png" } else { "" };
    format!("https://{}/{page}{ending}", host(draw))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_decide() {
        let made = |name: &str, description: &str, tool: &str| {
            text(&name_words(name), description, tool, &[], &mut Draw::new(5, &[name]))
        };
        assert!(made("invoice_id", "", "get invoice").starts_with("INV-"));
        assert!(made("messageId", "", "").starts_with("MSG-"));
        assert!(made("user_email", "", "").contains("@"));
        assert!(made("path", "", "read a file").starts_with("/srv/"));
        assert!(made("time_zone", "", "").contains('/'));
        assert!(made("due_date", "", "").starts_with("2027-"));
        assert!(words::PEOPLE.contains(&made("q", "", "search users").as_str()));
        assert!(words::SHOPS.contains(&made("query", "", "search places").as_str()));
        assert!(words::THINGS.contains(&made("query", "Takes search operators", "search notes").as_str()));
        assert!(made("file_name", "", "create file").ends_with(".md"));
        assert!(made("cover_colour", "Hex colour of the cover", "").starts_with('#'));
        assert!(!made("name", "Name to look for to get a compatible depot ID", "").contains('-'));
        assert!(made("from_depot", "Depot id (where it is now).", "").starts_with("DPT-"));
        assert!(made("clone_path", "", "show differences").starts_with("/srv/repos/"));
        assert!(made("reviewer", "", "set reviewer").contains('.'));
        assert!(made("code", "", "run a playwright snippet").starts_with("async (page)"));
        assert!(!made("name", "", "create repository | of a git server").contains(' '));
        assert!(made("target", "An element of the page", "select option").starts_with('#'));
        assert!(made("file_url", "", "import slides | imports a pptx").ends_with(".pptx"));
        assert!(!made("name", "", "manage named range").contains(' '));
        assert!(!made("something_else", "", "").is_empty());
    }
}
