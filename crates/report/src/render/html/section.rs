//! A page of facts and tables, without trials: the design, the escaping and the policy of the report.

use std::io::Write;

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use super::{STYLE, environment, security};
use crate::ReportError;
use crate::table::Table;

/// The page.
#[derive(Serialize)]
pub(crate) struct Page {
    /// The name of what made it.
    pub(crate) product: &'static str,
    /// The question that it answers.
    pub(crate) question: &'static str,
    /// The answer.
    pub(crate) headline: String,
    /// What it rests on.
    pub(crate) facts: Vec<(&'static str, String)>,
    /// The sections.
    pub(crate) sections: Vec<Section>,
    /// What no figure of it can say.
    pub(crate) limits: &'static str,
}

/// One section.
#[derive(Serialize)]
pub(crate) struct Section {
    /// Its id in the page.
    pub(crate) id: &'static str,
    /// Its heading.
    pub(crate) title: &'static str,
    /// Sentences before its tables.
    pub(crate) notes: Vec<String>,
    /// Its tables.
    pub(crate) tables: Vec<Table>,
}

/// Writes the page.
pub(crate) fn section(page: &Page, out: &mut dyn Write) -> Result<(), ReportError> {
    let environment = environment::environment()?;
    let drawn = environment.get_template("section")?.render(context! {
        page => Value::from(Serde(page)),
        policy => Value::from_safe_string(security::policy(STYLE, None)),
        style => Value::from_safe_string(STYLE.to_owned()),
    })?;
    out.write_all(drawn.as_bytes())?;
    out.write_all(b"\n")?;
    Ok(())
}
