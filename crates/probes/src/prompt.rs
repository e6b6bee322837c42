//! System prompts: a template's placeholders filled in for one suite.

use std::path::Path;

use indexmap::IndexMap;
use serde_json::Value;
use transcript::Fingerprint;

use crate::SuiteError;
use crate::document::Source;
use crate::error::all_clear;

/// A system prompt, as rendered for one suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// Its name.
    pub label: String,
    /// Its text.
    pub text: String,
    /// Hash of the text.
    pub hash: Fingerprint,
    /// Its file, as it was named.
    pub file: Option<String>,
}

impl Prompt {
    /// A prompt without placeholders.
    #[must_use]
    pub fn new(label: &str, text: &str) -> Self {
        Self {
            label: label.to_owned(),
            text: text.to_owned(),
            hash: Fingerprint::of(text.as_bytes()),
            file: None,
        }
    }

    /// Fills in a template's placeholders: `{{NAME}}` from `vars`, `{{principal.KEY}}`, `{{clock}}`. Braces
    /// around anything that is no name stay as they are. `file` is shown where a placeholder is wrong.
    ///
    /// # Errors
    /// Every placeholder that nothing fills.
    pub fn render(
        label: &str,
        file: &Path,
        template: &str,
        vars: &IndexMap<String, Value>,
        principal: &IndexMap<String, Value>,
        clock: Option<&str>,
    ) -> Result<Self, SuiteError> {
        let source = Source::new(file, template);
        let values = values(vars, principal, clock);
        let names: Vec<&str> = values.keys().map(String::as_str).collect();
        let mut text = String::with_capacity(template.len());
        let mut mistakes = Vec::new();
        let mut done = 0;
        for (range, name) in placeholders(&source.text) {
            text.push_str(&source.text[done..range.start]);
            match values.get(name) {
                Some(value) => text.push_str(value),
                None => mistakes.push(
                    source
                        .diagnostic(&range, format!("nothing fills the placeholder `{name}`"))
                        .nearest(name, &names),
                ),
            }
            done = range.end;
        }
        text.push_str(&source.text[done..]);
        all_clear(mistakes)?;
        Ok(Self::new(label, &text))
    }
}

fn values(
    vars: &IndexMap<String, Value>,
    principal: &IndexMap<String, Value>,
    clock: Option<&str>,
) -> IndexMap<String, String> {
    let own = vars.iter().map(|(name, value)| (name.clone(), as_text(value)));
    let caller = principal.iter().map(|(key, value)| (format!("principal.{key}"), as_text(value)));
    let clock = clock.iter().map(|clock| ("clock".to_owned(), (*clock).to_owned()));
    // A prompt's own variables come last: they win over a clock of the same name.
    clock.chain(caller).chain(own).collect()
}

/// A value as a prompt shows it: text as it is, everything else as JSON.
pub(crate) fn as_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The placeholders of a template, with their bytes.
fn placeholders(template: &str) -> Vec<(std::ops::Range<usize>, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = template[at..].find("{{").map(|open| at + open) {
        let Some(close) = template[open..].find("}}").map(|close| open + close) else { break };
        let name = template[open + 2..close].trim();
        if is_name(name) {
            found.push((open..close + 2, name));
            at = close + 2;
        } else {
            at = open + 1;
        }
    }
    found
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn render(template: &str) -> Result<Prompt, SuiteError> {
        let vars = IndexMap::from([("plan".to_owned(), json!("pro")), ("seats".to_owned(), json!(3))]);
        let principal = IndexMap::from([("user_id".to_owned(), json!("u_7"))]);
        Prompt::render("p", Path::new("p.md"), template, &vars, &principal, Some("2027-01-14T10:30:00Z"))
    }

    #[test]
    fn placeholders_are_filled_and_other_braces_stay() {
        let prompt =
            render("{{clock}}: {{ principal.user_id }} on {{plan}} ({{seats}}) {{}} {{ a b }} {{{plan}} é")
                .unwrap();
        assert_eq!(prompt.text, "2027-01-14T10:30:00Z: u_7 on pro (3) {{}} {{ a b }} {pro é");
        assert_eq!(prompt.hash, Fingerprint::of(prompt.text.as_bytes()));
    }

    #[test]
    fn an_unfilled_placeholder_says_where_and_what_is_near() {
        let error = render("Hello\n  {{principal.user}} and {{nothing_like_it}}").unwrap_err();
        let [first, second] = error.diagnostics() else { panic!("{error}") };
        assert_eq!((first.line, first.column), (2, 3));
        assert_eq!(first.help.as_deref(), Some("did you mean `principal.user_id`?"));
        assert_eq!(second.column, 26);
    }
}
