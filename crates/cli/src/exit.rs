//! The exit statuses (DESIGN.md section 7) and what each means.

use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Pass, or nothing found.
    Pass,
    /// The gate failed: harm shown, a ceiling crossed, a must-pass probe failed.
    Failed,
    /// Usage or configuration error; nothing was sent.
    Usage,
    /// Inconclusive, where the profile says that this fails.
    Inconclusive,
    /// Invalid: unreachable or nothing scored, coverage too low, nothing matched.
    Invalid,
    /// Stopped early: authentication or quota; saved and resumable.
    Stopped,
    /// Interrupted; saved and resumable.
    Interrupted,
}

impl Exit {
    /// The number that the process ends with.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Pass => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Inconclusive => 3,
            Self::Invalid => 4,
            Self::Stopped => 5,
            Self::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// What `--help` says of the statuses.
pub(crate) const HELP: &str = "\
Exit status:
  0    pass, or done; for `run` without a gate: every headline rate that the suite asks for was measured
  1    gate failed: harm shown, a ceiling crossed, a must-pass probe failed
  2    usage or configuration error; nothing was sent
  3    inconclusive, where the profile says that this fails
  4    invalid: endpoint unreachable, nothing scored, coverage too low, nothing matched, mixed suites
  5    stopped early by authentication, quota or a cap; saved, and `--resume` goes on
  130  interrupted; saved, and `--resume` goes on";
