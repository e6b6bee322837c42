//! Names: whether a call's name is offered, and why it misses where it is not (DESIGN.md 3.1).
//!
//! The catalog of the turn decides, byte for byte. Everything else in this module is a view beside that
//! decision: it never turns a miss into a hit.

mod similarity;
mod spelling;
mod wrapper;

use std::cell::LazyCell;
use std::sync::Arc;

use probes::Offered;
use transcript::{Tool, ToolName};

use crate::verdict::NameForm;

use similarity::Neighbours;

pub(crate) use similarity::same_purpose;
pub(crate) use wrapper::{Inner, inner_calls, is_wrapper_name};

/// A name that is not in the catalog of its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Miss {
    /// Why it misses.
    pub(crate) form: NameForm,
    /// The tool that one declared normalisation makes of it.
    pub(crate) intended: Option<ToolName>,
    /// The offered name that is nearest.
    pub(crate) nearest: Option<ToolName>,
    /// The family that it falls into.
    pub(crate) family: Option<String>,
}

/// What a name is looked up in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Names<'a> {
    /// The tools of the turn.
    pub(crate) offered: &'a Offered,
    /// Namespaces that the request declared.
    pub(crate) namespaces: &'a [String],
}

impl<'a> Names<'a> {
    /// The offered tool of exactly this identity: (namespace, name).
    pub(crate) fn find(&self, namespace: Option<&str>, name: &str) -> Option<&'a Tool> {
        let tool = self.offered.get(name).map(|tool| &**tool)?;
        match namespace {
            None => Some(tool),
            Some(space) => self.holds(space, tool).then_some(tool),
        }
    }

    /// Whether a tool is offered in this namespace. A catalog may not say where a tool stands; what the request
    /// declares then does.
    fn holds(&self, space: &str, tool: &Tool) -> bool {
        match tool.namespace() {
            Some(own) => own == space,
            None => self.namespaces.iter().any(|declared| declared == space),
        }
    }

    /// Every namespace of the turn.
    fn all_namespaces(&self) -> Vec<String> {
        let own = self.offered.tools().iter().filter_map(|tool| tool.namespace());
        self.namespaces.iter().cloned().chain(own).collect()
    }

    /// Why a name misses. `arguments` is the text of the call's arguments: a wrapper shows in it.
    pub(crate) fn miss(&self, namespace: Option<&str>, name: &str, arguments: &str) -> Miss {
        let neighbours = LazyCell::new(|| Neighbours::of(name, self.offered));
        let (form, intended) = self.form(namespace, name, arguments, &neighbours);
        let empty = form == NameForm::Empty;
        let nearest = match &intended {
            Some(tool) => Some(tool.clone()),
            None if empty => None,
            None => neighbours.nearest(),
        };
        let family = (!empty).then(|| family(name, self.offered));
        Miss { form, intended, nearest, family }
    }

    fn form<'n>(
        &self,
        namespace: Option<&str>,
        name: &str,
        arguments: &str,
        neighbours: &LazyCell<Neighbours<'n>, impl FnOnce() -> Neighbours<'n>>,
    ) -> (NameForm, Option<ToolName>) {
        if name.chars().all(spelling::is_blank) {
            return (NameForm::Empty, None);
        }
        let namespaces = self.all_namespaces();
        let is_declared = |space: &str| namespaces.iter().any(|declared| declared == space);
        let bare = self.offered.get(name).map(|tool| tool.name.clone());
        if namespace.is_some_and(|space| bare.is_some() || !is_declared(space)) {
            return (NameForm::NamespaceAdded, bare);
        }
        if let Some(found) = spelling::by_spelling(name, self.offered, &namespaces) {
            return found;
        }
        let inner = wrapper::inner_calls(arguments);
        if wrapper::is_wrapper_name(name) || inner.iter().any(|call| self.resolve(&call.name).is_some()) {
            return (NameForm::Wrapper, self.single_target(&inner));
        }
        if let Some(found) = spelling::by_affix(name, self.offered) {
            return found;
        }
        if let Some(tool) = neighbours.near_miss() {
            return (NameForm::NearMiss, Some(tool));
        }
        (NameForm::Novel, neighbours.only_synonym())
    }

    /// The offered tool that a nested name stands for, with a dialect's prefix dropped.
    fn resolve(&self, name: &str) -> Option<ToolName> {
        let bare = spelling::without_dialect(name);
        self.offered.get(name).or_else(|| self.offered.get(bare)).map(|tool| tool.name.clone())
    }

    /// The tool that all nested calls name, where they name one.
    fn single_target(&self, inner: &[Inner]) -> Option<ToolName> {
        let mut targets = inner.iter().map(|call| self.resolve(&call.name));
        let first = targets.next()??;
        targets.all(|target| target.as_ref() == Some(&first)).then_some(first)
    }
}

/// Why a name that is not among `known` misses, held against names alone: for logs, whose catalogs are not known.
#[must_use]
pub fn name_form(name: &str, known: &[&str]) -> NameForm {
    let offered = Offered::new(known.iter().map(|name| Arc::new(Tool::named(name))).collect());
    Names { offered: &offered, namespaces: &[] }.miss(None, name, "").form
}

/// The tools that a router is told to run in its arguments; none where the name is no router's.
#[must_use]
pub fn routed_tools(name: &str, arguments: &str) -> Vec<String> {
    if !is_wrapper_name(name) {
        return Vec::new();
    }
    inner_calls(arguments).into_iter().map(|call| call.name).collect()
}

/// The family of an unknown name: that of offered tools which start with the same word, else that word.
fn family(name: &str, offered: &Offered) -> String {
    let stranger = Tool::named(name);
    let word = stranger.family();
    let same = offered.tools().iter().find(|tool| {
        tool.family() == word || similarity::first_word(tool.name.as_str()).eq_ignore_ascii_case(word)
    });
    same.map_or(word, |tool| tool.family()).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered(names: &[&str]) -> Offered {
        Offered::new(names.iter().map(|name| Arc::new(Tool::named(name))).collect())
    }

    /// Name, catalog, form, intended tool.
    type Line = (&'static str, &'static [&'static str], NameForm, Option<&'static str>);

    const LINES: &[Line] = &[
        ("", &["ping"], NameForm::Empty, None),
        (" \n", &["ping"], NameForm::Empty, None),
        ("Ping", &["ping"], NameForm::Case, Some("ping")),
        ("ping ", &["ping"], NameForm::Whitespace, Some("ping")),
        ("send fax", &["send_fax"], NameForm::Whitespace, Some("send_fax")),
        ("send_fax\u{200b}", &["send_fax"], NameForm::Whitespace, Some("send_fax")),
        ("send_faxsend_fax", &["send_fax"], NameForm::Doubled, Some("send_fax")),
        ("send_fax.send_fax", &["send_fax"], NameForm::Doubled, Some("send_fax")),
        ("send_fax<|channel|>analysis", &["send_fax"], NameForm::SpecialToken, Some("send_fax")),
        ("<|call|>functions.send_fax", &["send_fax"], NameForm::SpecialToken, Some("send_fax")),
        ("send_faxcommentary", &["send_fax"], NameForm::SpecialToken, Some("send_fax")),
        ("weigh</tool_call>", &["send_fax"], NameForm::SpecialToken, None),
        ("functions.send_fax", &["send_fax"], NameForm::NamespacePrefix, Some("send_fax")),
        ("default_api:send_fax", &["send_fax"], NameForm::NamespacePrefix, Some("send_fax")),
        ("functions.send_fax:3", &["send_fax"], NameForm::NamespacePrefix, Some("send_fax")),
        ("mcp__office__send_fax", &["send_fax"], NameForm::NamespacePrefix, Some("send_fax")),
        ("tools_send_fax", &["send_fax"], NameForm::NamespacePrefix, Some("send_fax")),
        ("send_fax", &["office__send_fax"], NameForm::PrefixDropped, Some("office__send_fax")),
        ("send_fax", &["a__send_fax", "b__send_fax"], NameForm::PrefixDropped, None),
        ("multi_tool_use.parallel", &["send_fax"], NameForm::Wrapper, None),
        ("call_tool", &["send_fax"], NameForm::Wrapper, None),
        ("send_faxes", &["send_fax"], NameForm::NearMiss, Some("send_fax")),
        ("sendFax", &["send_fax"], NameForm::NearMiss, Some("send_fax")),
        ("fax_send", &["send_fax"], NameForm::NearMiss, Some("send_fax")),
        ("serach_letters", &["search_letters"], NameForm::NearMiss, Some("search_letters")),
        ("send_fax_tool", &["send_fax"], NameForm::NearMiss, Some("send_fax")),
        ("delete_letter", &["create_letter"], NameForm::Novel, None),
        ("deactivate_line", &["activate_line"], NameForm::Novel, None),
        ("remove_letter", &["delete_letter", "get_letter"], NameForm::Novel, Some("delete_letter")),
        ("weigh_parcel", &["send_fax"], NameForm::Novel, None),
    ];

    #[test]
    fn every_form_by_name_alone() {
        for &(name, catalog, form, intended) in LINES {
            let offered = offered(catalog);
            let names = Names { offered: &offered, namespaces: &[] };
            assert!(names.find(None, name).is_none(), "{name}");
            let miss = names.miss(None, name, "");
            assert_eq!(miss.form, form, "{name:?} against {catalog:?}");
            assert_eq!(
                miss.intended.as_ref().map(ToolName::as_str),
                intended,
                "{name:?} against {catalog:?}"
            );
        }
    }

    #[test]
    fn namespaces_are_part_of_the_name() {
        let offered = offered(&["press"]);
        let declared = ["panel".to_owned()];
        let names = Names { offered: &offered, namespaces: &declared };
        assert!(names.find(Some("panel"), "press").is_some());
        assert!(names.find(Some("press"), "press").is_none());
        assert_eq!(names.miss(Some("press"), "press", "").form, NameForm::NamespaceAdded);
        assert_eq!(names.miss(None, "panel__press", "").form, NameForm::NamespaceFlattened);
    }

    #[test]
    fn a_catalog_s_own_namespaces_hold_their_own_tools() {
        let entry = r#"{"type":"namespace","name":"panel","tools":[{"type":"function","name":"press"}]}"#;
        let json = transcript::RawJson::parse(entry).unwrap();
        let original = transcript::ToolOriginal { form: transcript::ToolForm::OpenaiFlat, json };
        let press = Tool { original: Some(original), ..Tool::named("press") };
        let offered = Offered::new(vec![Arc::new(press), Arc::new(Tool::named("clock"))]);
        let names = Names { offered: &offered, namespaces: &[] };
        assert!(names.find(Some("panel"), "press").is_some() && names.find(None, "press").is_some());
        assert!(names.find(Some("panel"), "clock").is_none() && names.find(Some("clock"), "clock").is_none());
        let misplaced = names.miss(Some("panel"), "clock", "");
        assert_eq!((misplaced.form, misplaced.intended), (NameForm::NamespaceAdded, Some("clock".into())));
        assert_eq!(names.miss(Some("panel"), "hoist", "").form, NameForm::Novel);
        assert_eq!(names.miss(None, "panel__press", "").form, NameForm::NamespaceFlattened);
    }

    #[test]
    fn a_wrapper_means_the_tool_that_all_its_calls_name() {
        let offered = offered(&["weigh", "stamp"]);
        let names = Names { offered: &offered, namespaces: &[] };
        let one = r#"{"calls":[{"tool":"functions.weigh","args":{"kg":1}},{"tool":"weigh","args":{}}]}"#;
        let miss = names.miss(None, "do_several", one);
        assert_eq!((miss.form, miss.intended), (NameForm::Wrapper, Some("weigh".into())));
        let two = r#"{"calls":[{"tool":"weigh","args":{}},{"tool":"stamp","args":{}}]}"#;
        assert_eq!(names.miss(None, "do_several", two).intended, None);
    }

    #[test]
    fn nearest_and_family_are_told_for_novel_names() {
        let offered = offered(&["letters_get", "letters_send", "clock"]);
        let names = Names { offered: &offered, namespaces: &[] };
        let miss = names.miss(None, "letters_shred", "");
        assert_eq!(miss.family.as_deref(), Some("letters"));
        assert!(miss.nearest.is_some_and(|tool| tool.as_str().starts_with("letters_")));
    }
}
