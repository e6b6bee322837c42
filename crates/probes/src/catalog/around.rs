//! A second catalog placed around a cell's own, to see how a model does among many tools.

use std::sync::Arc;

use indexmap::IndexMap;
use transcript::Tool;

use crate::error::{Diagnostic, all_clear};
use crate::near_name::Purpose;
use crate::{Catalog, SuiteError, Task};

/// How many tasks a message names.
const SHOWN: usize = 3;

impl Catalog {
    /// This catalog with half of another before it and half behind it, in order.
    ///
    /// # Errors
    /// Names that both have.
    pub fn around(&self, filler: &Self) -> Result<Self, SuiteError> {
        let clashes = filler.tools().iter().filter(|tool| self.get(tool.name.as_str()).is_some());
        let clash = |tool: &Arc<Tool>| {
            Diagnostic::without_place(format!(
                "filler {} and catalog {} both have a tool `{}`",
                filler.label(),
                self.label(),
                tool.name
            ))
            .help("rename the filler's tools with a source's `name` template")
        };
        all_clear(clashes.map(clash).collect())?;
        let half = filler.tools().len().div_ceil(2);
        let filling: Vec<Arc<Tool>> = filler.tools().iter().map(|tool| of_filler(tool, filler)).collect();
        let (before, behind) = filling.split_at(half);
        let tools = [before, self.tools(), behind].concat();
        Self::new(&format!("{}+{}", self.label(), filler.label()), tools)
            .map_err(|name| Diagnostic::without_place(format!("two tools are named `{name}`")).into())
    }
}

/// A filler's tool belongs to none of the catalog's own families.
fn of_filler(tool: &Arc<Tool>, filler: &Catalog) -> Arc<Tool> {
    let mut tool = Tool::clone(tool);
    tool.family = Some(format!("{}:{}", filler.label(), tool.family()));
    Arc::new(tool)
}

/// Whether a filler leaves every task what it is: none of its tools may be able to do what a task wants.
///
/// # Errors
/// Each filler tool that has a wanted tool's name, is a listed substitute, or shares its verb and object.
pub fn check_filler(tasks: &[Task], filler: &Catalog) -> Result<(), SuiteError> {
    let purposes: Vec<Option<Purpose>> =
        filler.tools().iter().map(|tool| Purpose::of(tool.name.as_str())).collect();
    let mut found: IndexMap<String, Vec<&str>> = IndexMap::new();
    for task in tasks {
        let Some(wanted) = task.asked() else { continue };
        let purpose = Purpose::of(wanted);
        for (tool, other) in filler.tools().iter().zip(&purposes) {
            if let Some(why) = conflict(task, wanted, purpose.as_ref(), tool, other.as_ref()) {
                found.entry(why).or_default().push(&task.id);
            }
        }
    }
    let diagnostic = |(why, tasks): (String, Vec<&str>)| {
        let named = tasks.iter().take(SHOWN).map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ");
        let more = tasks.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        Diagnostic::without_place(format!("filler {}: {why} (task {named}{more})", filler.label()))
            .help("take this tool out of the filler, or use another filler")
    };
    all_clear(found.into_iter().map(diagnostic).collect())
}

fn conflict(
    task: &Task,
    wanted: &str,
    purpose: Option<&Purpose>,
    tool: &Tool,
    other: Option<&Purpose>,
) -> Option<String> {
    let name = &tool.name;
    if name.as_str() == wanted {
        return Some(format!("`{name}` has the name of the wanted tool"));
    }
    if task.substitutes.contains(name) {
        return Some(format!("`{name}` is listed as a substitute of `{wanted}`"));
    }
    match (purpose, other) {
        (Some(purpose), Some(other)) if purpose.covers(other) => {
            Some(format!("`{name}` shares verb and object with the wanted tool `{wanted}`"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalog(label: &str, names: &[&str]) -> Catalog {
        Catalog::new(label, names.iter().map(|name| Arc::new(Tool::named(name))).collect()).unwrap()
    }

    fn task() -> Task {
        serde_yaml::from_str("{id: t, user: u, tool: send_note, substitutes: [fax_note]}").unwrap()
    }

    #[test]
    fn half_stands_before_and_half_behind() {
        let own = catalog("own/1", &["a", "b"]);
        let names =
            |catalog: &Catalog| catalog.tools().iter().map(|tool| tool.name.to_string()).collect::<Vec<_>>();
        let around = own.around(&catalog("fill", &["v", "w", "x"])).unwrap();
        assert_eq!(names(&around), ["v", "w", "a", "b", "x"]);
        assert_eq!(around.label(), "own/1+fill");
        assert_ne!(around.tools()[0].family(), own.tools()[0].family());
        let error = own.around(&catalog("fill", &["b"])).unwrap_err().to_string();
        assert!(error.contains("both have a tool `b`"), "{error}");
    }

    #[test]
    fn a_filler_that_could_do_a_task_is_refused() {
        assert!(
            check_filler(&[task()], &catalog("f", &["send_parcel", "get_note", "send_note_template"]))
                .is_ok()
        );
        for (name, why) in [
            ("send_note", "has the name"),
            ("fax_note", "is listed as a substitute"),
            ("mail__postNotes", "shares verb and object"),
            ("send_urgent_note", "shares verb and object"),
        ] {
            let error = check_filler(&[task()], &catalog("f", &["get_note", name])).unwrap_err();
            let message = &error.diagnostics()[0].message;
            assert!(message.contains(why) && message.contains(name) && message.contains("`t`"), "{message}");
        }
    }
}
