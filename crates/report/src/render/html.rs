//! `report.html`: one file that needs neither scripts nor a network, and stays readable on paper. The page is
//! drawn in parts, so that of many trials only one at a time is held as markup, and it stays below a size that
//! anybody can open.

mod changed;
mod compared;
mod delta;
mod differs;
mod environment;
mod filter;
mod group;
mod identity;
mod list;
mod outcome_bar;
mod overview;
mod panel;
mod room;
mod section;
mod security;
mod verdict;
mod view;

use std::io::Write;

use minijinja::value::Serde;
use minijinja::{Value, context};

use crate::{Report, ReportError};
use room::Room;
pub(crate) use section::{Page, Section, section};
use view::Lists;

/// Failing trials that the page lists; the others are in `report.json` and counted here.
const TRIALS: usize = 3_000;

/// Bytes of the page of a run, and of a comparison, which is sent around and has to open anywhere.
const RUN_BYTES: usize = 6_900_000;
const COMPARISON_BYTES: usize = 2_900_000;

const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/filter.js");

/// Writes the page.
pub(super) fn draw(report: &Report, out: &mut dyn Write) -> Result<(), ReportError> {
    let environment = environment::environment()?;
    let lists = Lists {
        changed: report.comparison.as_ref().map(changed::groups).unwrap_or_default(),
        failing: group::groups(report, TRIALS),
    };
    let page = view::Page::of(report, &lists);
    let script = page.has_filters().then_some(SCRIPT);
    let policy = security::policy(STYLE, script);
    let page = Value::from(Serde(page));
    let part = |name: &str| {
        environment.get_template(name)?.render(context! {
            page => page.clone(),
            policy => Value::from_safe_string(policy.clone()),
            style => Value::from_safe_string(STYLE.to_owned()),
            script => script.map(|script| Value::from_safe_string(script.to_owned())),
        })
    };
    let (top, middle, bottom) = (part("top")?, part("middle")?, part("bottom")?);
    let bytes = if report.comparison.is_some() { COMPARISON_BYTES } else { RUN_BYTES };
    let room = Room::of(bytes.saturating_sub(top.len() + middle.len() + bottom.len()));

    out.write_all(top.as_bytes())?;
    list::write(&environment, report, &lists, room, &middle, out)?;
    out.write_all(bottom.as_bytes())?;
    Ok(())
}
