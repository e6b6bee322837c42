//! `toolmirage review`: drafted tasks one by one. Accepting, editing and leaving out change the lines of that task
//! alone; comments and formatting of everything else stay.

mod block;
mod screen;

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use probes::{Places, Suite, Task};

use crate::args::ReviewArgs;
use crate::environment;
use crate::error::Failure;
use crate::exit::Exit;
use crate::inputs::Configured;
use crate::output;
use block::{accepted, block_of, replaced};

/// What a person decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    Accept,
    Edit,
    Skip,
    NoTask,
    Quit,
}

/// How often each was decided.
#[derive(Debug, Default, serde::Serialize)]
struct Decided {
    accepted: usize,
    edited: usize,
    left_out: usize,
    skipped: usize,
    /// Drafts that are left.
    left: usize,
}

/// A suite under review.
struct Review {
    path: PathBuf,
    text: String,
}

impl Review {
    fn read(&self) -> Result<(Suite, Places), Failure> {
        Ok(Suite::from_text(&self.path, &self.text)?)
    }

    /// Takes a changed text over and writes it, as long as it is a suite still.
    fn take(&mut self, text: String) -> Result<(), Failure> {
        Suite::from_text(&self.path, &text)?;
        output::write_file(&self.path, text.as_bytes())?;
        self.text = text;
        Ok(())
    }
}

/// Shows drafts one by one and does what is decided.
pub(crate) fn run(args: &ReviewArgs, configured: Option<&Configured>) -> Result<Exit, Failure> {
    let path = match (&args.suite, configured) {
        (Some(suite), _) => suite.clone(),
        (None, Some(configured)) => configured.suite()?.unwrap_or_default(),
        (None, None) => PathBuf::new(),
    };
    if path.as_os_str().is_empty() {
        return Err(Failure::usage("no suite is named").with_help("toolmirage review suites/agent.yaml"));
    }
    let text = std::fs::read_to_string(&path)
        .map_err(|error| Failure::usage(format!("cannot read `{}`: {error}", path.display())))?;
    let mut review = Review { path, text };
    let mut decided = Decided::default();
    let mut input = std::io::stdin().lock();
    let mut at = 0;
    let total = review.read()?.0.tasks.iter().filter(|task| is_asked(task, args)).count();
    let mut shown = 0;
    loop {
        let (suite, places) = review.read()?;
        let Some((index, task)) =
            suite.tasks.iter().enumerate().skip(at).find(|(_, task)| is_asked(task, args))
        else {
            break;
        };
        shown += 1;
        if !args.json {
            output::print(&screen::task(task, (shown, total), &review.path))?;
        }
        match choice(&mut input, args.json)? {
            Choice::Quit => break,
            Choice::Skip => {
                decided.skipped += 1;
                at = index + 1;
            }
            Choice::Accept => {
                review.take(accepted(&review.text, index, &places))?;
                decided.accepted += 1;
                at = index + 1;
            }
            Choice::NoTask => {
                let note = format!("  # no sensible task for {}\n", one_line(task.tool_word()));
                review.take(replaced(&review.text, index, &places, &note))?;
                decided.left_out += 1;
                at = index;
            }
            Choice::Edit => match edited(&review, index, &places) {
                Ok(text) => {
                    review.take(text)?;
                    decided.edited += 1;
                    at = index + usize::from(args.all);
                    shown -= 1;
                }
                Err(failure) => {
                    shown -= 1;
                    crate::progress::print(&failure.text());
                    at = index;
                }
            },
        }
    }
    decided.left = review.read()?.0.tasks.iter().filter(|task| task.draft).count();
    finish(&decided, args, &review.path)
}

fn finish(decided: &Decided, args: &ReviewArgs, path: &Path) -> Result<Exit, Failure> {
    if args.json {
        output::print_json(decided)?;
        return Ok(Exit::Pass);
    }
    output::print(&format!(
        "\naccepted {}, edited {}, left out {}, skipped {}; {} drafts are left\n",
        decided.accepted, decided.edited, decided.left_out, decided.skipped, decided.left
    ))?;
    if path.with_extension("lock").is_file() && decided.edited + decided.left_out > 0 {
        crate::progress::print(&format!(
            "note: `toolmirage expand {} --update` freezes what changed",
            path.display()
        ));
    }
    Ok(Exit::Pass)
}

fn is_asked(task: &Task, args: &ReviewArgs) -> bool {
    (task.draft || args.all) && (args.only.is_empty() || args.only.iter().any(|id| task.id.starts_with(id)))
}

/// Asks until there is an answer. The end of the input is a `quit`.
fn choice(input: &mut impl BufRead, is_quiet: bool) -> Result<Choice, Failure> {
    loop {
        if !is_quiet {
            output::print("[a]ccept  [e]dit  [s]kip  [n]o sensible task  [q]uit > ")?;
        }
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(Choice::Quit);
        }
        match line.trim().to_lowercase().as_str() {
            "a" | "accept" | "y" | "yes" => return Ok(Choice::Accept),
            "e" | "edit" => return Ok(Choice::Edit),
            "s" | "skip" | "" => return Ok(Choice::Skip),
            "n" | "no" | "no sensible task" => return Ok(Choice::NoTask),
            "q" | "quit" => return Ok(Choice::Quit),
            other => crate::progress::print(&format!("`{other}` is none of a, e, s, n, q")),
        }
    }
}

/// The suite with one task as an editor left it. The task is a draft still: its reader sees it again.
fn edited(review: &Review, index: usize, places: &Places) -> Result<String, Failure> {
    let editor = environment::editor().ok_or_else(|| {
        Failure::usage("no editor is named").with_help("set VISUAL or EDITOR, or change the file by hand")
    })?;
    let block = block_of(&review.text, index, places);
    let mut file = tempfile::Builder::new().prefix("task-").suffix(".yaml").tempfile()?;
    file.write_all(review.text.get(block.clone()).unwrap_or_default().as_bytes())?;
    file.flush()?;
    let words = runner::split_command(&editor)?;
    let (program, arguments) = words.split_first().ok_or_else(|| Failure::usage("no editor is named"))?;
    let status = Command::new(program)
        .args(arguments)
        .arg(file.path())
        .status()
        .map_err(|error| Failure::usage(format!("`{editor}` cannot be started: {error}")))?;
    if !status.success() {
        return Err(Failure::usage(format!("`{editor}` ended with {status}; the task stays as it was")));
    }
    let written = std::fs::read_to_string(file.path())?;
    let text = replaced(&review.text, index, places, &written);
    Suite::from_text(&review.path, &text)?;
    Ok(text)
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
