//! The rules of `--require` and `--require-file`.

use miner::Rule;

use crate::args::MineArgs;
use crate::error::Failure;

const FORM: &str =
    "a rule reads `after user mentions WORDS, tool NAME`; both may have alternatives with `or`";

/// Every rule that is given.
pub(super) fn read(args: &MineArgs) -> Result<Vec<Rule>, Failure> {
    let mut rules = Vec::new();
    for text in &args.require {
        let rule = Rule::read(text);
        rules.push(rule.map_err(|why| Failure::usage(format!("--require: {why}")).with_help(FORM))?);
    }
    let Some(path) = &args.require_file else { return Ok(rules) };
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("cannot read `{}`: {error}", path.display())))?;
    match Rule::read_all(&text) {
        Ok(found) if found.is_empty() => {
            Err(Failure::usage(format!("`{}` holds no rule", path.display())).with_help(FORM))
        }
        Ok(found) => {
            rules.extend(found);
            Ok(rules)
        }
        Err(mistakes) => {
            let lines: Vec<String> =
                mistakes.into_iter().map(|(line, why)| format!("{}:{line}: {why}", path.display())).collect();
            Err(Failure::usage(lines.join("\n")).with_help(FORM))
        }
    }
}
