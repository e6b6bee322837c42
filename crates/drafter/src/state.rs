//! What has to be so before a tool can act: a person who asks for it sees that it is so, and says it.

use transcript::Tool;

use crate::schema::Argument;
use crate::words::{CALLED, first_sentence, name_words};

const DIALOG: &str = "A dialog is open on the page.";
const CHOOSER: &str = "The page's file chooser is open.";
const STAGED: &str = "What I changed is staged already.";
const PAGE: &str = "The page is already open in the browser.";

/// Whether a request begins with what has to be so.
pub(crate) fn says_state(request: &str) -> bool {
    [DIALOG, CHOOSER, PAGE, STAGED].iter().any(|state| request.starts_with(state))
        || request.split(". ").next().is_some_and(|first| first.ends_with(CALLED))
}

/// Things on a page that a tool works on.
const ON_PAGE: &[&str] = &["page", "element", "elements", "form", "dropdown", "option", "keyboard"];

/// The sentence; none where nothing has to be open.
pub(crate) fn state_of(tool: &Tool, arguments: &[Argument]) -> Option<&'static str> {
    let name = name_words(tool.name.as_str());
    let about = first_sentence(&tool.description_text()).to_lowercase();
    let about: Vec<&str> = about.split(|c: char| !c.is_alphanumeric()).collect();
    let is_of_browser = name.iter().any(|word| word == "browser");
    let says = |word: &str| name.iter().any(|own| own == word) || about.contains(&word);
    let takes = |word: &str| {
        arguments.iter().any(|argument| name_words(&argument.name).iter().any(|own| own == word))
    };
    let waits = name.iter().any(|word| word == "wait");
    let opens = takes("url") || says("navigate") || says("tab");
    let is_commit = name.last().is_some_and(|last| last == "commit") && arguments.len() < 4;
    match () {
        () if is_commit
            && about.contains(&"changes")
            && !arguments
                .iter()
                .any(|argument| ["path", "files", "sha"].contains(&argument.name.as_str())) =>
        {
            Some(STAGED)
        }
        () if says("dialog") && ["handle", "accept", "dismiss", "answer", "close"].into_iter().any(says) => {
            Some(DIALOG)
        }
        () if says("chooser") => Some(CHOOSER),
        () if is_of_browser && says("upload") && !takes("target") && !takes("selector") => Some(CHOOSER),
        () if is_of_browser && !opens && (waits || ON_PAGE.iter().any(|word| says(word))) => Some(PAGE),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use transcript::RawJson;

    use super::*;
    use crate::schema::Schema;

    #[test]
    fn what_is_open_is_said() {
        for (name, description, argument, expected) in [
            ("browser_answer_dialog", "Accept a dialog", "text", Some(DIALOG)),
            ("depot_commit", "Records changes of a store", "message", Some(STAGED)),
            ("get_commit", "Gets the changes of a commit", "sha", None),
            ("browser_upload", "Uploads files", "paths", Some(CHOOSER)),
            ("browser_press", "Press an element", "target", Some(PAGE)),
            ("browser_wait_for", "Wait for a moment", "seconds", Some(PAGE)),
            ("browser_open", "Opens a page", "url", None),
            ("upload_file", "Uploads a file", "path", None),
            ("edit_page", "Edits a page", "page_id", None),
        ] {
            let mut tool = Tool::named(name);
            tool.description = Some(RawJson::from_text(description));
            let schema = serde_json::json!({"properties": {argument: {"type": "string"}}});
            tool.input_schema = Some(RawJson::from_value(&schema));
            assert_eq!(state_of(&tool, &Schema::of(&tool).arguments()), expected, "{name}");
        }
    }
}
