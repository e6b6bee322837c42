//! The mapping file (`map/1`): where in logs of any other shape calls, results, offers and texts stand.
//!
//! Pointers are those of RFC 6901. Those of the outermost keys begin at a record; those inside `calls`, `results`
//! and `texts` begin at what `each` names, or at the record where it names nothing.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The format's name and version, first in every mapping file.
pub const MAP_FORMAT: &str = "map/1";

/// A mapping file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogMap {
    /// `map/1`: the format and its version.
    pub toolmirage: String,
    /// Where the list of records stands in a line or document [default: a line or document is a record; a list is
    /// a list of records].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records: Option<String>,
    /// The session. Without it every file is a session, and where calls have no id either, every line or document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The message: the same call id in the same message of a session is the same act, written again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// When: RFC 3339, or milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The version of the program that wrote the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Where calls stand.
    pub calls: MapCalls,
    /// Where results stand, if not beside their calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results: Option<MapResults>,
    /// Where the tools that were offered stand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub catalog: Option<MapCatalog>,
    /// Where words stand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texts: Option<MapTexts>,
}

/// Where calls stand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MapCalls {
    /// The list of calls in a record [default: the record is the call].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<String>,
    /// What has to stand where for it to be a call: pointer and value.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub when: IndexMap<String, Value>,
    /// The name of the tool. What has no name there is no call.
    pub name: String,
    /// The call's id. Without it calls are told apart by their places in their line or document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The arguments: JSON, or a text that is JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<String>,
    /// What came back, where it stands beside the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// Where it says that the call failed. Its text is the result where there is no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The values there that mean an error [default: all but null, false, 0 and the empty text].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub error_is: Vec<Value>,
}

/// Where results stand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MapResults {
    /// The list of results in a record [default: the record is the result].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<String>,
    /// What has to stand where for it to be a result: pointer and value.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub when: IndexMap<String, Value>,
    /// The id of the call that it is of. What has none there is no result.
    pub call_id: String,
    /// What came back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// Where it says that the call failed. Its text is the result where there is no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The values there that mean an error [default: all but null, false, 0 and the empty text].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub error_is: Vec<Value>,
}

/// Where the tools that were offered stand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MapCatalog {
    /// The list of tools in a record.
    pub each: String,
    /// The name of one [default: the tool is its name].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Where words stand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MapTexts {
    /// The list of texts in a record [default: the record is one].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<String>,
    /// What has to stand where for it to be words of the model: pointer and value.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub when: IndexMap<String, Value>,
    /// What has to stand where for it to be words of a user: pointer and value [default: no words are a user's].
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub user: IndexMap<String, Value>,
    /// The words.
    pub text: String,
}

impl LogMap {
    /// What is wrong with it: the pointer to a key of the file, and why.
    #[must_use]
    pub fn mistakes(&self) -> Vec<(String, String)> {
        let mut mistakes = Vec::new();
        let mut hold = |key: &str, pointer: Option<&str>| {
            let Some(pointer) = pointer else { return };
            if let Err(why) = checked(pointer) {
                mistakes.push((key.to_owned(), format!("`{pointer}` is no JSON pointer: {why}")));
            }
        };
        hold("/records", self.records.as_deref());
        for (key, pointer) in [
            ("/session", &self.session),
            ("/message_id", &self.message_id),
            ("/time", &self.time),
            ("/model", &self.model),
            ("/project", &self.project),
            ("/version", &self.version),
            ("/calls/each", &self.calls.each),
            ("/calls/id", &self.calls.id),
            ("/calls/arguments", &self.calls.arguments),
            ("/calls/result", &self.calls.result),
            ("/calls/error", &self.calls.error),
        ] {
            hold(key, pointer.as_deref());
        }
        hold("/calls/name", Some(&self.calls.name));
        let mut conditions = vec![("/calls/when", &self.calls.when)];
        if let Some(results) = &self.results {
            hold("/results/each", results.each.as_deref());
            hold("/results/call_id", Some(&results.call_id));
            hold("/results/result", results.result.as_deref());
            hold("/results/error", results.error.as_deref());
            conditions.push(("/results/when", &results.when));
        }
        if let Some(catalog) = &self.catalog {
            hold("/catalog/each", Some(&catalog.each));
            hold("/catalog/name", catalog.name.as_deref());
        }
        if let Some(texts) = &self.texts {
            hold("/texts/each", texts.each.as_deref());
            hold("/texts/text", Some(&texts.text));
            conditions.push(("/texts/when", &texts.when));
            conditions.push(("/texts/user", &texts.user));
        }
        for (key, when) in conditions {
            for pointer in when.keys() {
                let escaped = pointer.replace('~', "~0").replace('/', "~1");
                hold(&format!("{key}/{escaped}"), Some(pointer));
            }
        }
        if self.results.is_some() && self.calls.id.is_none() {
            let why = "results find their calls by id, and `calls` has no `id`".to_owned();
            mistakes.push(("/results".to_owned(), why));
        }
        if self.results.is_some() && (self.calls.result.is_some() || self.calls.error.is_some()) {
            let why = "`calls` says already what came back; keep one of the two".to_owned();
            mistakes.push(("/results".to_owned(), why));
        }
        if self.results.is_none() && self.calls.result.is_none() && self.calls.error.is_none() {
            let why = "nothing says what came back: `calls.result`, `calls.error` or `results`".to_owned();
            mistakes.push(("/calls".to_owned(), why));
        }
        mistakes
    }
}

/// RFC 6901, section 3.
fn checked(pointer: &str) -> Result<(), &'static str> {
    if !pointer.is_empty() && !pointer.starts_with('/') {
        return Err("it begins with `/`, as in `/tool/name`");
    }
    let mut rest = pointer;
    while let Some(at) = rest.find('~') {
        rest = rest.get(at + 1..).unwrap_or_default();
        if !rest.starts_with(['0', '1']) {
            return Err("behind `~` stands 0 or 1");
        }
    }
    Ok(())
}
