//! `toolmirage lint`: what in catalogs, prompts and suites invites hallucination, without a model.

mod chosen;
mod load;
mod new_since;
mod played;
mod sarif;
mod show;
mod traces;

use std::path::Path;

use linter::{Finding, RULES, Severity};
use probes::nearest;

use crate::args::LintArgs;
use crate::error::Failure;
use crate::exit::Exit;
use crate::git::AtRef;
use crate::inputs::{Configured, Origin};
use crate::{output, progress};

use chosen::Chosen;

/// Looks at what was named, and says what was found.
pub(crate) fn run(args: &LintArgs, configured: Option<Configured>, quiet: bool) -> Result<Exit, Failure> {
    if let Some(name) = &args.explain {
        return explain(name);
    }
    if args.list_rules {
        output::print(&show::rules())?;
        return Ok(Exit::Pass);
    }
    let chosen = Chosen::of(&args.paths, configured)?;
    let traces = traces::read(&args.traces)?;
    if !quiet && chosen.has_prompts_alone() {
        progress::print("note: no catalog is named, so what the prompts say of tools is not judged");
    }
    let looking = Looking { chosen: &chosen, traces: &traces, play: args.play };
    let (mut found, not_played) = looking.at(Origin::WorkTree)?;
    if !quiet && not_played > 0 && args.play > 0 {
        progress::print(&format!("note: {not_played} more probes were not played; --play says how many are"));
    }
    if let Some(name) = &args.new_since {
        let at = AtRef::open(name, Path::new("."))?;
        let (before, _) = looking.at(Origin::Ref(&at))?;
        found = new_since::only_new(found, &before, &at);
    }
    output::print(&match (args.json, args.sarif) {
        (true, _) => show::json(&found)?,
        (_, true) => sarif::text(&found)?,
        _ => show::text(&found, &chosen, args.all),
    })?;
    let denied = |least: Severity| found.iter().any(|finding| finding.severity >= least);
    Ok(if args.deny.is_some_and(|least| denied(least.into())) { Exit::Failed } else { Exit::Pass })
}

/// What is looked at, and how far.
struct Looking<'a> {
    chosen: &'a Chosen,
    traces: &'a [linter::UserMessage],
    play: usize,
}

impl Looking<'_> {
    /// All findings, of reading and of playing, worst first; and how many probes were not played.
    fn at(&self, origin: Origin<'_>) -> Result<(Vec<Finding>, usize), Failure> {
        let mut subject = load::subject(self.chosen, origin)?;
        subject.traces = self.traces.to_vec();
        let mut found = linter::lint(&subject);
        let mut not_played = 0;
        for suite in &subject.suites {
            let played = played::findings(suite, self.play)?;
            found.extend(played.findings);
            not_played += played.left_out;
        }
        linter::sort(&mut found);
        Ok((found, not_played))
    }
}

fn explain(name: &str) -> Result<Exit, Failure> {
    let typed = name.replace('-', "_");
    if let Some(rule) = linter::rule(&typed) {
        output::print(&show::page(rule))?;
        return Ok(Exit::Pass);
    }
    let failure = Failure::usage(format!("`{name}` is no rule"));
    Err(match nearest(&typed, RULES.iter().map(|rule| rule.name)) {
        Some(near) => failure.with_help(format!("did you mean `{near}`?")),
        None => failure.with_help("`toolmirage lint --list-rules` lists them all"),
    })
}
