//! Texts by the words of an argument's name.

use crate::draw::Draw;
use crate::value::by_format::{date, date_time, time};
use crate::value::vocabulary as words;

/// A text for an argument; `tool` are the words of the tool, which tell a branch of a repository from one of a bank.
pub(super) fn text(name: &[String], description: &str, tool: &str, draw: &mut Draw) -> String {
    let described = description.to_lowercase();
    let asks = Asks { name, described: &described, tool };
    ALL.iter()
        .find_map(|make| make(&asks, draw))
        .unwrap_or_else(|| format!("{} {}", draw.pick(words::PLACES), draw.pick(words::THINGS)))
}

struct Asks<'a> {
    name: &'a [String],
    described: &'a str,
    tool: &'a str,
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

/// The rules, in order: the first that makes something decides.
const ALL: &[fn(&Asks<'_>, &mut Draw) -> Option<String>] =
    &[contact, moment, code, git, file, id, place, written, small, named];

fn contact(asks: &Asks<'_>, draw: &mut Draw) -> Option<String> {
    if asks.has(&["email", "mail", "emails"]) && !asks.has(&["id", "subject", "body", "message"]) {
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
    (is_link && !asks.has(&["id"])).then(|| url(asks.name, draw))
}

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
    if asks.has(&["selector", "element"]) || (asks.has(&["target"]) && asks.says(&["element", "selector"])) {
        return Some(draw.pick(words::ELEMENTS).to_owned());
    }
    if asks.has(&["code", "script", "snippet"])
        && asks.says(&["code", "script"])
        && !asks.has(&["id", "name", "country"])
    {
        return Some(format!("return {} * {};", draw.number(3, 9), draw.number(11, 30)));
    }
    (asks.has(&["range"]) && asks.is_of(&["sheet", "spreadsheet", "sheets", "cell", "cells", "excel"]))
        .then(|| format!("B{}:D{}", draw.number(2, 9), draw.number(12, 40)))
}

fn git(asks: &Asks<'_>, draw: &mut Draw) -> Option<String> {
    let is_git =
        asks.is_of(&["git", "github", "gitlab", "repository", "branch", "commit", "repo", "bitbucket"]);
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
    let is_path = asks.has(&["path", "paths", "filepath", "filename", "dir", "directory", "folder"])
        || (asks.last() == "file" || asks.last() == "files");
    if !(is_path || is_end) || asks.has(&["id", "query"]) {
        return None;
    }
    let (place, thing) = (draw.pick(words::PLACES), draw.pick(words::THINGS));
    if asks.has(&["repo", "repository"]) {
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
    let ending = if is_image { "png" } else { draw.pick(&["md", "txt", "csv"]) };
    if asks.has(&["filename"]) || asks.last() == "files" {
        return Some(format!("{place}-{thing}.{ending}"));
    }
    let root =
        if asks.says(&["absolute"]) || !asks.is_of(&["repository", "project", "git", "commit", "staging"]) {
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
    if asks.has(&["username", "login", "user", "assignee", "assignees", "handle"]) {
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
    asks.has(&["name"]).then(|| draw.pick(words::TITLES).to_owned())
}

fn person(draw: &mut Draw) -> &'static str {
    draw.pick(words::PEOPLE)
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
    use crate::words::name_words;

    #[test]
    fn names_decide() {
        let made = |name: &str, description: &str, tool: &str| {
            text(&name_words(name), description, tool, &mut Draw::new(5, &[name]))
        };
        assert!(made("invoice_id", "", "get invoice").starts_with("INV-"));
        assert!(made("messageId", "", "").starts_with("MSG-"));
        assert!(made("user_email", "", "").contains("@"));
        assert!(made("path", "", "read a file").starts_with("/srv/"));
        assert!(made("time_zone", "", "").contains('/'));
        assert!(made("due_date", "", "").starts_with("2027-"));
        assert!(!made("something_else", "", "").is_empty());
    }
}
