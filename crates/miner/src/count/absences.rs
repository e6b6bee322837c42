//! The absent-tool part of the census.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::absence::State;
use crate::census::{Absent, Event, Place, RawHitsByCause};
use crate::count::{Files, named, one_more, sorted};
use crate::dedup::{Absence, Act, Acts, Mark};
use crate::secret::without_secrets;
use crate::time::moment_text;

impl Acts {
    /// Names of tools that are there: offered by a log, or called and answered by something else than that they
    /// are absent.
    pub(crate) fn known_tools(&self) -> HashSet<&str> {
        let mut ran = HashSet::new();
        for act in &self.acts {
            if act.marks.has(Mark::Answered) && !act.marks.has(Mark::Absent) {
                ran.insert(act.name);
            }
        }
        ran.extend(&self.offered);
        ran.into_iter().filter_map(|label| self.labels.text(label)).collect()
    }
}

/// Counts the absent tools.
pub(crate) fn absent(acts: &Acts, raw_hits: u64, files: &Files<'_>) -> Absent {
    let known = acts.known_tools();
    let mut sorted_known: Vec<&str> = known.iter().copied().collect();
    sorted_known.sort_unstable();
    let mut found: Vec<(&Absence, &Act)> = acts
        .absences
        .iter()
        .filter_map(|absence| Some((absence, acts.acts.get(absence.act as usize)?)))
        .collect();
    found.sort_by_key(|(absence, _)| (absence.file, absence.line, absence.act));
    let mut out = Absent { raw_hits, raw_hits_by_cause: raw(acts), ..Absent::default() };
    out.by_state.insert(State::Unavailable, 0);
    out.by_state.insert(State::Withheld, 0);
    let mut by_tool = HashMap::new();
    let (mut by_clause, mut by_framework) = (BTreeMap::new(), BTreeMap::new());
    let names = found.iter().map(|(absence, act)| acts.labels.text(absence.inner.unwrap_or(act.name)));
    let forms: HashMap<&str, String> =
        names.flatten().map(|name| (name, form(name, &known, &sorted_known))).collect();
    let mut by_form = BTreeMap::new();
    for (absence, act) in found {
        let label = absence.inner.unwrap_or(act.name);
        let name = acts.labels.text(label).unwrap_or_default();
        let form = forms.get(name).map_or("", String::as_str);
        if absence.inner.is_none() {
            out.unique += 1;
            *by_tool.entry(act.name).or_default() += 1;
            *out.by_state.entry(absence.state).or_default() += 1;
            one_more(&mut by_clause, absence.class);
            one_more(&mut by_framework, absence.framework);
            one_more(&mut by_form, form);
        }
        out.events.push(event(acts, absence, act, form, files));
    }
    out.by_tool = named(acts, by_tool);
    out.by_clause = sorted(by_clause.into_iter().collect());
    out.by_framework = sorted(by_framework.into_iter().collect());
    out.by_name_form = sorted(by_form.into_iter().collect());
    out
}

fn event(acts: &Acts, absence: &Absence, act: &Act, form: &str, files: &Files<'_>) -> Event {
    let text = |label| acts.labels.text(label).map(str::to_owned);
    Event {
        file: files.name(absence.file),
        line: absence.line,
        tool: text(act.name).unwrap_or_default(),
        state: absence.state,
        clause: without_secrets(&absence.clause).into_owned(),
        clause_class: absence.class.to_owned(),
        name_form: form.to_owned(),
        framework: absence.framework.to_owned(),
        call: Place { file: files.name(act.file), line: act.line },
        model: text(act.model),
        version: text(act.version),
        project: text(act.project).map(|project| without_secrets(&project).into_owned()),
        time: moment_text(act.time),
        inner_tool: absence.inner.and_then(text),
    }
}

/// Why a name misses, held against the tools that are known to be there.
fn form(name: &str, known: &HashSet<&str>, sorted: &[&str]) -> String {
    if known.contains(name) {
        return "seen_elsewhere".to_owned();
    }
    let word = serde_json::to_value(scorer::name_form(name, sorted)).ok();
    word.as_ref().and_then(|word| word.as_str()).unwrap_or_default().to_owned()
}

fn raw(acts: &Acts) -> RawHitsByCause {
    let raw = acts.raw;
    RawHitsByCause {
        event: raw.event,
        field_copy: raw.other.field_copy,
        replay: raw.replay,
        quoted: raw.other.quoted,
        prose: raw.other.prose,
        unread: raw.other.unread,
        without_call: raw.without_call,
    }
}
