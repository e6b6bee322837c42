//! Flags of `guard`.

use std::path::PathBuf;

use clap::Args;

/// `guard`.
#[derive(Debug, Args)]
pub(crate) struct GuardArgs {
    /// The body that came back; `-` or nothing reads standard input.
    #[arg(value_name = "BODY")]
    pub(crate) body: Option<PathBuf>,
    /// The status that it came with; 0 where there was no answer.
    #[arg(long, value_name = "CODE")]
    pub(crate) status: u16,
    /// Rules in YAML (`toolmirage schema guard`) [default: status 200, JSON, not empty, no error inside].
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Option<PathBuf>,
    /// The read's name in the rules and in the log: the tool that reads [default: the only one of the rules, else `read`].
    #[arg(long, value_name = "NAME")]
    pub(crate) read: Option<String>,
    /// Without rules: where the rows are, as a key, a JSON pointer, or `.` for the body itself.
    #[arg(long, value_name = "KEY", conflicts_with = "rules")]
    pub(crate) rows: Option<String>,
    /// Without rules: a key or JSON pointer that must be there.
    #[arg(long = "key", value_name = "KEY", conflicts_with = "rules")]
    pub(crate) keys: Vec<String>,
    /// Without rules: the fewest rows; 0 where an empty answer is normal [default: 1].
    #[arg(long, value_name = "N", conflicts_with = "rules")]
    pub(crate) expect_min: Option<u64>,
    /// The arguments of the request, as a JSON object: what the rules' filters are held against, and what tells one
    /// request's count of rows from another's.
    #[arg(long, value_name = "JSON")]
    pub(crate) arguments: Option<String>,
    /// Remembers how many rows each accepted answer had, and refuses a drop against it. The file is made where it is
    /// not there.
    #[arg(long, value_name = "FILE")]
    pub(crate) counts: Option<PathBuf>,
    /// Why there are fewer rows than the last time: accepts the drop, and remembers the new count.
    #[arg(long, value_name = "REASON", requires = "counts")]
    pub(crate) explained: Option<String>,
    /// Appends a refused read to an executor log (`toolmirage schema executor`), as a call with `ok: false`.
    #[arg(long, value_name = "FILE", requires = "run")]
    pub(crate) log: Option<PathBuf>,
    /// Appends accepted reads too, with `ok: true`: where nothing else logs the read.
    #[arg(long, requires = "log")]
    pub(crate) log_all: bool,
    /// The run that the log's rows belong to.
    #[arg(long, value_name = "NAME")]
    pub(crate) run: Option<String>,
    /// The trial within the run.
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true, requires = "run")]
    pub(crate) trial: String,
    /// The call's number within its run [default: the next one of the log].
    #[arg(long, value_name = "N", requires = "log")]
    pub(crate) seq: Option<u32>,
    /// The call's id, as the model gave it.
    #[arg(long, value_name = "ID", requires = "log")]
    pub(crate) call_id: Option<String>,
    /// Prints what was found as JSON, in place of the body.
    #[arg(long)]
    pub(crate) json: bool,
}
