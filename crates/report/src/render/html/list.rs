//! The two lists of the page, written entry by entry: whole as long as there is room, then as a line each.

use std::collections::HashMap;
use std::io::Write;

use minijinja::value::Serde;
use minijinja::{Environment, Error, Template, Value, context};

use super::room::{Room, Shown};
use super::view::Lists;
use super::{changed, filter, group};
use crate::number::counted;
use crate::{Report, ReportError, ShownTrial};

/// How an entry is drawn.
#[derive(Clone, Copy)]
struct Look {
    /// Whether it is the first of its group.
    opens: bool,
    /// Whether it is the last.
    closes: bool,
    whole: bool,
}

/// Draws one entry: its group, its place in it.
type Markup<'a> = dyn Fn(usize, usize, Look) -> Result<String, Error> + 'a;

/// A list of groups, and what the lines of its entries take up, as far as there is room for them.
struct List {
    sizes: Vec<usize>,
    lines: Vec<usize>,
}

impl List {
    /// Measures the lines and sets their room aside.
    fn measured(sizes: Vec<usize>, room: &mut Room, markup: &Markup<'_>) -> Result<Self, ReportError> {
        let mut list = Self { sizes, lines: Vec::new() };
        for (group, at) in list.places() {
            let look = Look { opens: at == 0, closes: at + 1 == list.sizes[group], whole: false };
            let line = markup(group, at, look)?.len();
            if !room.set_aside(line) {
                break;
            }
            list.lines.push(line);
        }
        Ok(list)
    }

    fn places(&self) -> Vec<(usize, usize)> {
        let groups = self.sizes.iter().enumerate();
        groups.flat_map(|(group, &size)| (0..size).map(move |at| (group, at))).collect()
    }

    /// All entries whole, where there is room for all of them: most pages have it, and then no line is measured.
    fn whole(sizes: &[usize], room: &Room, markup: &Markup<'_>) -> Result<Option<String>, Error> {
        let mut out = String::new();
        for (group, &size) in sizes.iter().enumerate() {
            for at in 0..size {
                out.push_str(&markup(
                    group,
                    at,
                    Look { opens: at == 0, closes: at + 1 == size, whole: true },
                )?);
                if out.len() > room.left() {
                    return Ok(None);
                }
            }
        }
        Ok(Some(out))
    }

    /// Writes the entries. `elsewhere` says of one that it stands whole in another list, so that its line is all
    /// that is wanted here; `wrote` hears of each that is shown whole.
    fn write(
        &self,
        room: &mut Room,
        out: &mut dyn Write,
        markup: &Markup<'_>,
        elsewhere: &dyn Fn(usize, usize) -> bool,
        wrote: &mut dyn FnMut(usize, usize),
    ) -> Result<Shown, ReportError> {
        let places = self.places();
        let kept = self.lines.len();
        let mut shown = Shown { left_out: (places.len() - kept) as u64, ..Shown::default() };
        for (number, (&(group, at), line)) in places.iter().zip(&self.lines).enumerate() {
            let closes = number + 1 == kept || at + 1 == self.sizes[group];
            let look = Look { opens: at == 0, closes, whole: false };
            if !elsewhere(group, at) {
                if !room.is_closed() {
                    let whole = markup(group, at, Look { whole: true, ..look })?;
                    if room.has(whole.len().saturating_sub(*line)) {
                        wrote(group, at);
                        out.write_all(whole.as_bytes())?;
                        continue;
                    }
                }
                shown.lines += 1;
            }
            out.write_all(markup(group, at, look)?.as_bytes())?;
        }
        Ok(shown)
    }
}

/// Where what the page has no room for is found.
const IN_FILE: &str = "report.json has every one of them";

/// Says what of a list is not whole.
fn note(
    shown: Shown,
    noun: &str,
    (also, elsewhere): (u64, &str),
    out: &mut dyn Write,
) -> Result<(), ReportError> {
    let mut parts = Vec::new();
    if shown.lines > 0 {
        parts.push(format!("{} shown as one line, so that the page stays small", are(shown.lines, noun)));
    }
    let left_out = shown.left_out + also;
    if left_out > 0 {
        parts.push(format!("{} not on this page", are(left_out, &format!("more {noun}"))));
    }
    if !parts.is_empty() {
        let words = parts.join("; ");
        writeln!(out, "<p class=\"note\">{words}. {elsewhere}.</p>")?;
    }
    Ok(())
}

/// `1 trial is`, `3 trials are`.
fn are(number: u64, noun: &str) -> String {
    format!("{} {}", counted(number, noun), if number == 1 { "is" } else { "are" })
}

/// Writes both lists, and what stands between them. The lines of both have their room before anything is shown
/// whole; changed probes come before failing trials.
pub(super) fn write(
    environment: &Environment<'_>,
    report: &Report,
    lists: &Lists,
    mut room: Room,
    between: &str,
    out: &mut dyn Write,
) -> Result<(), ReportError> {
    let changed = ChangedProbes::of(environment, report, &lists.changed)?;
    let failing = FailingTrials::of(environment, report, &lists.failing)?;
    let sizes: Vec<usize> = lists.failing.iter().map(|group| group.entries.len()).collect();
    let unlisted = report.failing_trials() - sizes.iter().sum::<usize>() as u64;
    let found = if report.more_failing == 0 { IN_FILE } else { "toolmirage explain shows any of them" };
    if lists.changed.is_empty()
        && let Some(whole) =
            List::whole(&sizes, &room, &|group, at, look| failing.markup(group, at, look, |_| None))?
    {
        out.write_all(between.as_bytes())?;
        out.write_all(whole.as_bytes())?;
        return note(Shown::default(), "failing trial", (unlisted, found), out);
    }
    let sizes = lists.changed.iter().map(|group| group.entries.len()).collect();
    let changed_list = List::measured(sizes, &mut room, &|group, at, look| changed.markup(group, at, look))?;
    let sizes = lists.failing.iter().map(|group| group.entries.len()).collect();
    // Each might turn out to stand beside its other side.
    let longest = |group, at, look| failing.markup(group, at, look, |_| Some(usize::MAX));
    let failing_list = List::measured(sizes, &mut room, &longest)?;

    let mut beside: HashMap<&str, usize> = HashMap::new();
    let mut wrote = |group: usize, at: usize| {
        for trial in changed.trials(group, at) {
            beside.insert(&trial.trial, changed.number(group, at));
        }
    };
    let markup = |group, at, look| changed.markup(group, at, look);
    let shown = changed_list.write(&mut room, out, &markup, &|_, _| false, &mut wrote)?;
    note(shown, "changed probe", (0, IN_FILE), out)?;
    if !lists.changed.is_empty() {
        writeln!(out, "</section>")?;
    }
    out.write_all(between.as_bytes())?;
    let other = |trial: &str| beside.get(trial).copied();
    let markup = |group, at, look| failing.markup(group, at, look, other);
    let elsewhere = |group, at| failing.trial(group, at).is_some_and(|trial| other(&trial.trial).is_some());
    let shown = failing_list.write(&mut room, out, &markup, &elsewhere, &mut |_, _| {})?;
    note(shown, "failing trial", (unlisted, found), out)
}

/// The changed probes as markup.
struct ChangedProbes<'a> {
    report: &'a Report,
    groups: &'a [changed::Group],
    heads: Vec<Value>,
    template: Template<'a, 'a>,
}

impl<'a> ChangedProbes<'a> {
    fn of(
        environment: &'a Environment<'_>,
        report: &'a Report,
        groups: &'a [changed::Group],
    ) -> Result<Self, Error> {
        let heads = groups.iter().map(|group| Value::from(Serde(group))).collect();
        Ok(Self { report, groups, heads, template: environment.get_template("changed")? })
    }

    /// An entry's number over all groups.
    fn number(&self, group: usize, at: usize) -> usize {
        self.groups[..group].iter().map(|group| group.entries.len()).sum::<usize>() + at
    }

    fn trials(&self, group: usize, at: usize) -> impl Iterator<Item = &'a ShownTrial> {
        let entry = &self.groups[group].entries[at];
        self.report.comparison.iter().flat_map(|comparison| changed::trials(comparison, entry))
    }

    fn markup(&self, group: usize, at: usize, look: Look) -> Result<String, Error> {
        let entry = &self.groups[group].entries[at];
        let comparison = self.report.comparison.as_ref();
        let changed = comparison
            .and_then(|comparison| changed::changed(self.report, comparison, entry, self.number(group, at)));
        let Some(changed) = changed else { return Ok(String::new()) };
        self.template.render(context! {
            group => self.heads[group].clone(),
            opens => look.opens,
            closes => look.closes,
            whole => look.whole,
            c => Serde(changed),
        })
    }
}

/// The failing trials as markup.
struct FailingTrials<'a> {
    report: &'a Report,
    groups: &'a [group::Group],
    heads: Vec<Value>,
    template: Template<'a, 'a>,
}

impl<'a> FailingTrials<'a> {
    fn of(
        environment: &'a Environment<'_>,
        report: &'a Report,
        groups: &'a [group::Group],
    ) -> Result<Self, Error> {
        let heads = groups.iter().map(|group| Value::from(Serde(group))).collect();
        Ok(Self { report, groups, heads, template: environment.get_template("trial")? })
    }

    fn trial(&self, group: usize, at: usize) -> Option<&'a ShownTrial> {
        self.report.failing.get(self.groups[group].entries[at].at)
    }

    /// One that stands beside its other side already is a line that leads there.
    fn markup(
        &self,
        group: usize,
        at: usize,
        look: Look,
        beside: impl Fn(&str) -> Option<usize>,
    ) -> Result<String, Error> {
        let failing = &self.groups[group].entries[at];
        let Some(trial) = self.trial(group, at) else { return Ok(String::new()) };
        let beside = beside(&trial.trial);
        self.template.render(context! {
            group => self.heads[group].clone(),
            opens => look.opens,
            closes => look.closes,
            whole => look.whole && beside.is_none(),
            beside,
            at => failing.at,
            attributes => filter::attributes(&failing.values),
            prompt => group::prompt_label(self.report, trial),
            culprit => group::culprit(trial),
            t => Serde(trial),
        })
    }
}
