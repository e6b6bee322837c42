//! What words imply without saying it: an optional argument that a careful reader may fill from a value that stands
//! there, and that is no invention then.

use std::collections::HashSet;

use probes::ArgumentRule;
use serde_json::Value;

use crate::default::default_of;
use crate::schema::{Argument, type_of};
use crate::value::options;
use crate::words::{Part, content_words, name_words, scalars};

/// Media types by the ending of a file's name.
const MEDIA_TYPES: &[(&str, &str)] = &[
    ("csv", "text/csv"),
    ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("html", "text/html"),
    ("jpg", "image/jpeg"),
    ("json", "application/json"),
    ("md", "text/markdown"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    ("txt", "text/plain"),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("yaml", "application/yaml"),
    ("zip", "application/zip"),
];

/// What an ending is called beside itself.
const ALSO: &[(&str, &str)] = &[("md", "markdown"), ("txt", "text"), ("jpg", "jpeg"), ("xlsx", "excel")];

/// The rule for an optional argument that no words give: absent, or absent or what they imply or what it comes to
/// where it is left out.
pub(crate) fn left_out(argument: &Argument, parts: &[Part], request: &str) -> ArgumentRule {
    let mut implied = match type_of(&argument.schema).as_str() {
        "boolean" if is_reused(argument, request) => vec![true.into()],
        "string" if argument.schema.contains_key("enum") => {
            let mut implied = of_files(argument, parts);
            implied.extend(named_members(argument, request));
            implied
        }
        "string" => {
            let mut implied = of_files(argument, parts);
            implied.extend(named_options(argument, request));
            implied
        }
        _ => Vec::new(),
    };
    // Of a flag that the words imply, the other state is not what was asked for.
    let is_implied_flag = implied.iter().any(Value::is_boolean);
    implied.extend(default_of(argument).filter(|value| !is_implied_flag && !implied.contains(value)));
    let mut seen = HashSet::new();
    implied.retain(|value| seen.insert(value.to_string()));
    if implied.is_empty() { ArgumentRule::Absent } else { ArgumentRule::AbsentOr(implied) }
}

/// What the files that are given imply for an argument of a format or a name.
fn of_files(argument: &Argument, parts: &[Part]) -> Vec<Value> {
    let words = name_words(&argument.name);
    let last = words.last().map_or("", String::as_str);
    let is_media = words.iter().any(|word| word == "mime" || word == "mimetype" || word == "media")
        || (last == "type" && words.iter().any(|word| word == "content"));
    let is_format = ["format", "extension", "type", "filetype"].contains(&last);
    let is_name = ["filename", "name", "title"].contains(&last)
        && words.iter().all(|word| ["file", "filename", "name", "title", "output"].contains(&word.as_str()));
    // What the schema narrows, an implied text need not fit.
    let is_narrow =
        ["pattern", "maxLength", "const", "format"].iter().any(|key| argument.schema.contains_key(*key));
    if is_narrow || !(is_media || is_format || is_name) {
        return Vec::new();
    }
    let mut implied: Vec<String> = Vec::new();
    let texts = parts.iter().flat_map(|part| {
        let own = name_words(&part.name);
        // A file's name is the end of its path.
        let is_name = !is_name && own.iter().any(|word| word == "file" || word == "filename");
        let whole =
            move |text: String| if is_name && !text.contains('/') { format!("/{text}") } else { text };
        scalars(&part.value).into_iter().map(whole).collect::<Vec<_>>()
    });
    for (stem, ending) in texts.filter_map(|text| file(&text)) {
        if is_name {
            implied.extend([format!("{stem}.{ending}"), stem]);
            // `README.md.gz` as the default for another file: what is packed keeps its own name.
            let default = argument.schema.get("default").and_then(Value::as_str).unwrap_or_default();
            let packed = default.rsplit_once('.').filter(|(name, _)| name.contains('.'));
            if let (Some((_, outer)), Some(own)) = (packed, implied.first().cloned()) {
                implied.push(format!("{own}.{outer}"));
            }
            continue;
        }
        let media = MEDIA_TYPES.iter().find(|(own, _)| *own == ending).map(|(_, media)| (*media).to_owned());
        if is_media {
            implied.extend(media);
            continue;
        }
        implied.extend(ALSO.iter().filter(|(own, _)| *own == ending).map(|(_, also)| (*also).to_owned()));
        implied.extend(media);
        implied.extend([format!(".{ending}"), ending]);
    }
    let members = argument.schema.get("enum").and_then(Value::as_array);
    if let Some(members) = members {
        let is_implied = |member: &&Value| {
            member.as_str().is_some_and(|member| implied.iter().any(|own| own.eq_ignore_ascii_case(member)))
        };
        return members.iter().filter(is_implied).cloned().collect();
    }
    // The plainest form first: what a person would read in the suite.
    implied.reverse();
    let mut seen = HashSet::new();
    implied.into_iter().filter(|text| seen.insert(text.clone())).map(Value::from).collect()
}

/// The stem and the ending of the file that a path or an address ends with.
pub(crate) fn file(text: &str) -> Option<(String, String)> {
    let is_path = text.contains('/') && !text.contains(char::is_whitespace);
    let (before, name) = text.rsplit_once('/').filter(|_| is_path)?;
    // The host of an address is no file.
    if before.ends_with(":/") || before.ends_with(':') {
        return None;
    }
    let (stem, ending) = name.rsplit_once('.')?;
    let is_ending = (2..=5).contains(&ending.len()) && ending.chars().all(|c| c.is_ascii_alphanumeric());
    (is_ending && !stem.is_empty()).then(|| (stem.to_owned(), ending.to_lowercase()))
}

/// The members of a list that stand in the request as words: `full` in `the full text of a note`.
fn named_members(argument: &Argument, request: &str) -> Vec<Value> {
    let request = request.to_lowercase();
    let words: Vec<&str> = request.split(|c: char| !c.is_alphanumeric()).collect();
    let members = argument.schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    members.filter(|member| member.as_str().is_some_and(|member| is_named(member, &words))).cloned().collect()
}

/// The same of choices that a description lists.
fn named_options(argument: &Argument, request: &str) -> Vec<Value> {
    let Some(options) = options(&argument.name, argument.description()) else { return Vec::new() };
    let request = request.to_lowercase();
    let words: Vec<&str> = request.split(|c: char| !c.is_alphanumeric()).collect();
    options.into_iter().filter(|option| is_named(option, &words)).map(Value::from).collect()
}

/// Words for who somebody is, and the members of lists that say the same.
const WHO: &[(&[&str], &[&str])] = &[
    (
        &["person", "people", "colleague", "colleagues", "somebody", "someone", "friend"],
        &["user", "person", "individual"],
    ),
    (&["team", "group", "department"], &["group", "team"]),
    (&["company", "organisation", "organization"], &["domain", "organization", "organisation", "company"]),
    (&["everyone", "everybody", "anybody", "anyone", "public"], &["anyone", "everyone", "public"]),
];

/// Whether words name a member: by itself, or by what somebody of it is called.
fn is_named(member: &str, words: &[&str]) -> bool {
    let member = member.to_lowercase();
    let is_who = WHO.iter().any(|(said, members)| {
        members.contains(&member.as_str()) && said.iter().any(|word| words.contains(word))
    });
    is_who || (member.len() > 3 && words.contains(&member.as_str()))
}

/// Whether a request reuses the words by which a flag that is off is known.
fn is_reused(argument: &Argument, request: &str) -> bool {
    // The first word of a text is left out where it only says that somebody looks.
    let asked = content_words(&format!("please {request}"));
    let words = name_words(&argument.name);
    let name = content_words(&words.join(" "));
    // What a flag would take away beside it is not asked for by a request that takes something away.
    if words.first().is_some_and(|first| ["delete", "remove"].contains(&first.as_str())) {
        return false;
    }
    let is_word = |word: &String| request.split(|c: char| !c.is_alphanumeric()).any(|own| own == word);
    if let [word] = &words[..]
        && is_word(word)
    {
        return argument.schema.get("default") != Some(&Value::Bool(true));
    }
    let described = argument.description().split(['.', '(', '\n', ';']).next().unwrap_or_default();
    let mut described = content_words(described);
    for word in ["whether", "if", "true", "when", "also", "default", "boolean", "flag", "optional"] {
        described.remove(word);
    }
    let all = |words: &HashSet<String>, least: usize| {
        words.len() >= least && words.iter().all(|word| asked.contains(word))
    };
    argument.schema.get("default") != Some(&Value::Bool(true)) && (all(&name, 2) || all(&described, 2))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use transcript::{RawJson, Tool};

    use super::*;
    use crate::schema::Schema;

    fn rule(name: &str, schema: &Value, value: &str, request: &str) -> ArgumentRule {
        let mut tool = Tool::named("t");
        tool.input_schema = Some(RawJson::from_value(&json!({"properties": {name: schema}})));
        let part = Part {
            name: "from".into(),
            value: value.into(),
            description: String::new(),
            is_verb: false,
            is_pasted: false,
            is_looked_up: false,
            plain: None,
        };
        left_out(&Schema::of(&tool).arguments()[0], &[part], request)
    }

    #[test]
    fn what_words_imply_is_no_invention() {
        let text = json!({"type": "string"});
        let flag = |description: &str| json!({"type": "boolean", "description": description});
        let or = |values: Value| ArgumentRule::AbsentOr(values.as_array().unwrap().clone());
        let crates = "https://weir.example/crates.xlsx";
        for (name, schema, value, request, expected) in [
            ("sheet_format", json!({"enum": ["csv", "xlsx"]}), crates, "", or(json!(["xlsx"]))),
            ("mimeType", text.clone(), "/srv/weir/crates.csv", "", or(json!(["text/csv"]))),
            ("file_name", text.clone(), crates, "", or(json!(["crates", "crates.xlsx"]))),
            (
                "name",
                json!({"type": "string", "default": "A.md.gz"}),
                "https://weir.example/b.md",
                "",
                or(json!(["b.md.gz", "b", "b.md", "A.md.gz"])),
            ),
            ("sheet_format", json!({"enum": ["csv"]}), crates, "", ArgumentRule::Absent),
            ("format", text.clone(), "https://weir.example", "", ArgumentRule::Absent),
            ("folder", text, crates, "", ArgumentRule::Absent),
            ("tell_guests", flag(""), "", "cancel the tasting and tell its guests", or(json!([true]))),
            (
                "deep",
                flag("Whether to list subfolders"),
                "",
                "list subfolders of a folder",
                or(json!([true])),
            ),
            ("full", flag("All of it"), "", "read the full text of a note", or(json!([true]))),
            (
                "share_type",
                json!({"enum": ["user", "group", "anyone"]}),
                "",
                "share a note with a colleague",
                or(json!(["user"])),
            ),
            (
                "share_type",
                json!({"type": "string", "description": "One of 'user', 'group', or 'anyone'."}),
                "",
                "share a note with my team",
                or(json!(["group"])),
            ),
            ("share_type", json!({"enum": ["user", "group"]}), "", "share a note", ArgumentRule::Absent),
            ("rows", json!({"type": "integer", "default": 40}), "", "list notes", or(json!([40]))),
            ("delete_guests", flag(""), "", "delete a guest list", ArgumentRule::Absent),
            (
                "depth",
                json!({"enum": ["full", "brief"], "default": "full"}),
                "",
                "read the full text of a note",
                or(json!(["full"])),
            ),
            (
                "dry_run",
                flag("Whether to only count"),
                "",
                "list subfolders of a folder",
                ArgumentRule::Absent,
            ),
        ] {
            assert_eq!(rule(name, &schema, value, request), expected, "{name}");
        }
    }
}
