//! Turns in which somebody's agent called a tool that was not there, as drafted tasks: what the user had said wants a
//! tool that is left out of the catalog, or that it never had.

use std::collections::HashSet;

use probes::Catalog;

use super::redact::Redactor;
use super::{LONGEST, PER_TOOL, catalog_words, names};
use crate::suite::{Ids, slug};
use crate::task::{DraftSource, DraftedTask};

/// What came of such turns.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AbsentDrafts {
    /// The tasks, in the order of the turns.
    pub tasks: Vec<DraftedTask>,
    /// Tasks with capitalised words that may be names, and those words.
    pub doubtful: Vec<(String, Vec<String>)>,
    /// Turns whose words were asked before, of the same tool.
    pub repeated: usize,
    /// Turns beyond the three that a tool may have.
    pub beyond: usize,
    /// Turns whose words are too long to be a request that stands alone.
    pub long: usize,
}

/// Drafts a task a turn: the tool that was called and the user's words. A tool of the catalog is wanted and left out
/// by the decoy; one that the catalog does not have is asked for as one that never existed. `name` is what the suite
/// calls the logs.
#[must_use]
pub fn draft_absent_turns(catalog: &Catalog, name: &str, turns: &[(&str, &str)]) -> AbsentDrafts {
    let of_catalog = catalog_words(catalog);
    let mut ids = Ids::default();
    let mut asked: HashSet<(&str, String)> = HashSet::new();
    let mut drafts = AbsentDrafts::default();
    for (tool, words) in turns {
        let mut redactor = Redactor::default();
        redactor.meet(words);
        let user = redactor.clean(words.trim());
        if user.is_empty() || user.chars().count() > LONGEST {
            drafts.long += 1;
            continue;
        }
        if !asked.insert((tool, user.clone())) {
            drafts.repeated += 1;
            continue;
        }
        if asked.iter().filter(|(other, _)| other == tool).count() > PER_TOOL {
            drafts.beyond += 1;
            continue;
        }
        let id = ids.of(&format!("mined-{}", slug(tool)));
        let doubtful = names::doubtful(&user, &of_catalog, &redactor.made_names());
        let source = DraftSource::Traces { name: name.to_owned(), redacted: doubtful.is_empty() };
        let mut task = DraftedTask::of(id.clone(), user, source);
        match catalog.get(tool) {
            Some(_) => task.tool = Some((*tool).to_owned()),
            None => task.absent_tool = Some((*tool).to_owned()),
        }
        if !doubtful.is_empty() {
            drafts.doubtful.push((id, doubtful));
        }
        drafts.tasks.push(task);
    }
    drafts
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_turn_is_a_decoy_of_a_known_or_a_never_known_tool_without_people() {
        let text = r#"{"tools":[{"name":"hoist","inputSchema":{"type":"object"}}]}"#;
        let catalog = Catalog::from_text(Path::new("c.json"), text).unwrap();
        let drafts = draft_absent_turns(
            &catalog,
            "may",
            &[
                ("stow", "stow it for bo.real@corp.test"),
                ("stow", "stow it for bo.real@corp.test"),
                ("hoist", "hoist the crate"),
                ("stow", &"x".repeat(5_000)),
            ],
        );
        let [stow, hoist] = &drafts.tasks[..] else { panic!("{drafts:?}") };
        assert_eq!((stow.absent_tool.as_deref(), hoist.tool.as_deref()), (Some("stow"), Some("hoist")));
        assert!(!stow.user.contains("corp.test"), "{}", stow.user);
        assert_eq!((stow.id.as_str(), drafts.repeated, drafts.long), ("mined-stow", 1, 1));
    }
}
