//! `report.html`: one file that needs neither scripts nor a network, and stays readable on paper. The page is
//! drawn in three parts, so that of many failing trials only one at a time is held as markup.

mod group;
mod identity;
mod outcome_bar;
mod panel;
mod view;

use std::io::Write;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{
    AutoEscape, Environment, Error, Output, State, UndefinedBehavior, Value, context, escape_formatter,
};

use crate::text_safe::{visible, visible_block, visible_name};
use crate::{Report, ReportError};

/// Failing trials that the page shows; the others are in `report.json` and counted here.
const TRIALS: usize = 3_000;

const STYLE: &str = include_str!("html/style.css");
const TEMPLATES: &[(&str, &str)] = &[
    ("macros", include_str!("html/macros.html")),
    ("top", include_str!("html/top.html")),
    ("trial", include_str!("html/trial.html")),
    ("bottom", include_str!("html/bottom.html")),
];

/// Writes the page.
pub(super) fn draw(report: &Report, out: &mut dyn Write) -> Result<(), ReportError> {
    let environment = environment()?;
    let groups = group::groups(report, TRIALS);
    let page = view::Page::of(report, &groups);
    let page = Value::from(Serde(page));
    let style = Value::from_safe_string(STYLE.to_owned());
    environment
        .get_template("top")?
        .render_captured_to(context! { page => page.clone(), style }, &mut *out)?;
    let trial = environment.get_template("trial")?;
    for group in &groups {
        let head = Value::from(Serde(group));
        for (number, &at) in group.trials.iter().enumerate() {
            let Some(failing) = report.failing.get(at) else { continue };
            trial.render_captured_to(
                context! {
                    group => head.clone(),
                    opens => number == 0,
                    closes => number + 1 == group.trials.len(),
                    at,
                    prompt => group::prompt_label(report, failing),
                    culprit => group::culprit(failing),
                    t => Serde(failing),
                },
                &mut *out,
            )?;
        }
    }
    environment.get_template("bottom")?.render_captured_to(context! { page }, &mut *out)?;
    Ok(())
}

fn environment() -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_formatter(write_visible);
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    // For names and other texts of one line: a line break in them is shown as one.
    environment.add_filter("line", |text: &str| visible(text).into_owned());
    environment.add_filter("name", |text: &str| visible_name(text));
    environment.add_filter("count", crate::number::count);
    for (name, source) in TEMPLATES {
        environment.add_template(name, source)?;
    }
    Ok(environment)
}

/// Every text that any template prints goes through here: first what nobody sees is made visible, then markup
/// is escaped. Only our own style and what templates have put together already are passed on as they are.
fn write_visible(out: &mut Output<'_>, state: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    match value.as_str() {
        Some(text) if !value.is_safe() => {
            escape_formatter(out, state, &Value::from(visible_block(text).into_owned()))
        }
        _ => escape_formatter(out, state, value),
    }
}
