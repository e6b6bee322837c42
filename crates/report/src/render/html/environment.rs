//! The templates, and what every text that they print goes through.

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, Error, Output, State, UndefinedBehavior, Value, escape_formatter};

use crate::text_safe::{visible, visible_block, visible_name};

const TEMPLATES: &[(&str, &str)] = &[
    ("macros", include_str!("macros.html")),
    ("shown", include_str!("shown.html")),
    ("overview", include_str!("overview.html")),
    ("top", include_str!("top.html")),
    ("changed", include_str!("changed.html")),
    ("middle", include_str!("middle.html")),
    ("trial", include_str!("trial.html")),
    ("bottom", include_str!("bottom.html")),
    ("section", include_str!("section.html")),
];

/// Everything that the page is drawn with.
pub(super) fn environment() -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_formatter(write_visible);
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    // For names and other texts of one line: a line break in them is shown as one.
    environment.add_filter("line", |text: &str| visible(text).into_owned());
    environment.add_filter("name", |text: &str| visible_name(text));
    environment.add_filter("count", crate::number::count);
    environment.add_filter("counted", crate::number::counted);
    for (name, source) in TEMPLATES {
        environment.add_template(name, source)?;
    }
    Ok(environment)
}

/// Every text that any template prints goes through here: first what nobody sees is made visible, then markup
/// is escaped. Only our own style and script, and what templates have put together already, are passed on as
/// they are.
fn write_visible(out: &mut Output<'_>, state: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    match value.as_str() {
        Some(text) if !value.is_safe() => {
            escape_formatter(out, state, &Value::from(visible_block(text).into_owned()))
        }
        _ => escape_formatter(out, state, value),
    }
}
