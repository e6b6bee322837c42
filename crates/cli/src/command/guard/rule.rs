//! Which rule a read is held against: that of its name in a file, or one made of flags.

use std::path::Path;

use guard::{GUARD_FORMAT, ReadRule, Rules};
use probes::{SuiteError, nearest, read_yaml_file};

use crate::args::GuardArgs;
use crate::error::Failure;

/// The read's name and its rule.
pub(super) fn of(args: &GuardArgs) -> Result<(String, ReadRule), Failure> {
    let Some(path) = &args.rules else {
        let rule = ReadRule {
            rows: args.rows.clone(),
            keys: args.keys.clone(),
            expect_min: args.expect_min,
            ..ReadRule::default()
        };
        return Ok((args.read.clone().unwrap_or_else(|| "read".to_owned()), rule));
    };
    let rules = load(path)?;
    match &args.read {
        Some(name) => match rules.reads.get(name) {
            Some(rule) => Ok((name.clone(), rule.clone())),
            None => Err(unknown(path, name, &rules)),
        },
        None => match rules.reads.first() {
            Some((name, rule)) if rules.reads.len() == 1 => Ok((name.clone(), rule.clone())),
            _ => {
                let message = format!("`{}` has rules for {} reads", path.display(), rules.reads.len());
                Err(Failure::usage(message).with_help("say which one this is: --read NAME"))
            }
        },
    }
}

fn load(path: &Path) -> Result<Rules, Failure> {
    let (rules, places) = read_yaml_file::<Rules>(path, GUARD_FORMAT, &[])?;
    let mistakes: Vec<_> =
        rules.mistakes().into_iter().map(|(pointer, message)| places.key(&pointer, message)).collect();
    if mistakes.is_empty() { Ok(rules) } else { Err(SuiteError::from(mistakes).into()) }
}

fn unknown(path: &Path, name: &str, rules: &Rules) -> Failure {
    let failure = Failure::usage(format!("`{}` has no rules for `{name}`", path.display()));
    match nearest(name, rules.reads.keys().map(String::as_str)) {
        Some(near) => failure.with_help(format!("did you mean `{near}`?")),
        None => {
            let known: Vec<&str> = rules.reads.keys().map(String::as_str).take(12).collect();
            failure.with_help(format!("it has {}", known.join(", ")))
        }
    }
}
