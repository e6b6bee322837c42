//! `toolmirage selftest`: shows that the checks can fail and can pass, before anybody relies on them.

use crate::args::{SelftestArgs, SuiteArgs};
use crate::error::Failure;
use crate::exit::Exit;
use crate::inputs::{Configured, Inputs};
use crate::output;
use crate::selftest::{Effort, Outcomes, Ready, SelfTest};

/// Tests the instrument, or measures the classifier of outcomes.
pub(crate) fn run(args: &SelftestArgs, configured: Option<&Configured>) -> Result<Exit, Failure> {
    if let Some(path) = &args.outcomes {
        return outcomes(path, args.json);
    }
    let ready = match &args.suite {
        None => Ready::embedded()?,
        Some(suite) => Ready::of(&Inputs::load(&named(suite), configured, None)?)?,
    };
    let effort = if args.quick { Effort::QUICK } else { Effort::FULL };
    let result = SelfTest::run(&ready, effort, args.seed)?;
    if args.json {
        output::print_json(&result)?;
    } else {
        output::print(&result.text())?;
    }
    Ok(if result.passed { Exit::Pass } else { Exit::Failed })
}

fn named(suite: &std::path::Path) -> SuiteArgs {
    SuiteArgs {
        suite: Some(suite.to_owned()),
        filler: None,
        kinds: Vec::new(),
        arms: Vec::new(),
        only: Vec::new(),
        limit: None,
    }
}

fn outcomes(path: &std::path::Path, json: bool) -> Result<Exit, Failure> {
    let outcomes = Outcomes::of_file(path)?;
    if json {
        output::print_json(&outcomes)?;
    } else {
        output::print(&outcomes.text())?;
    }
    if outcomes.judged == 0 {
        return Err(Failure::invalid(format!("`{}` has no text to judge", path.display())));
    }
    Ok(Exit::Pass)
}
