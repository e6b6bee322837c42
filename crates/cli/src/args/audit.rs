//! Flags of `audit`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// `audit`.
#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// Executor logs, final messages, transcripts and traces, in any mixture: each line is told by its shape. `-` is
    /// standard input.
    #[arg(value_name = "FILE", required_unless_present_any = ["executor", "said"])]
    pub(crate) files: Vec<PathBuf>,
    /// An executor log, also where it has no row: then nothing ran.
    #[arg(long, value_name = "FILE")]
    pub(crate) executor: Vec<PathBuf>,
    /// A final message as plain text, of the run that --run names or of the only one.
    #[arg(long = "final", value_name = "FILE")]
    pub(crate) said: Option<PathBuf>,
    /// The run of --final.
    #[arg(long, value_name = "NAME", requires = "said")]
    pub(crate) run: Option<String>,
    /// The tools that were offered, in any shape that catalogs have, where the logs do not say it.
    #[arg(long, value_name = "FILE")]
    pub(crate) catalog: Option<PathBuf>,
    /// Reports the tools of a catalog that never leave a row in an executor log, and exits 1 where there are any.
    #[arg(long, value_name = "CATALOG")]
    pub(crate) require_wrapped: Option<PathBuf>,
    /// The agent wrote the tool results of its transcripts itself: what rests on them is not tested.
    #[arg(long)]
    pub(crate) results_by_agent: bool,
    /// The attribute of spans, or of their resource, that names the run [default: the trace's id].
    #[arg(long, value_name = "KEY")]
    pub(crate) run_attribute: Option<String>,
    /// How many findings are shown; --json has all of them.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) show: usize,
    /// What is printed.
    #[arg(long, value_enum, default_value_t = AuditFormat::Text)]
    pub(crate) format: AuditFormat,
    /// The same as `--format json`: a line a finding, and the summary last.
    #[arg(long, conflicts_with_all = ["format", "junit"])]
    pub(crate) json: bool,
    /// The same as `--format junit`.
    #[arg(long, conflicts_with = "format")]
    pub(crate) junit: bool,
    /// How much of the runs is held in memory, in MiB; beyond that they go to temporary files.
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    pub(crate) memory: usize,
}

/// Forms of an audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AuditFormat {
    /// For a terminal.
    Text,
    /// For a pull request or the summary of a step.
    Md,
    /// A line a finding, and the summary last.
    Json,
    /// A case a rate, for programs that read test results.
    Junit,
}

impl AuditArgs {
    /// The form that is meant.
    pub(crate) fn form(&self) -> AuditFormat {
        match (self.json, self.junit) {
            (true, _) => AuditFormat::Json,
            (_, true) => AuditFormat::Junit,
            _ => self.format,
        }
    }
}
