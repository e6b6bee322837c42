//! Every environment variable that the program reads, and its meaning. No other place reads them.

/// The value of a variable that a configuration or flag names for a secret; none where it is unset or empty.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
pub(crate) fn secret(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// `TOOLMIRAGE_LOG`: what to log to standard error, as a `tracing` filter (`runner=debug`). Off by default.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
pub(crate) fn log_filter() -> Option<String> {
    std::env::var("TOOLMIRAGE_LOG").ok().filter(|value| !value.is_empty())
}

/// `CI`: whether the program runs where everybody may read what it writes. Set by every service that runs pipelines.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
pub(crate) fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false"))
}

/// `VISUAL`, else `EDITOR`: the command that edits a file.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
pub(crate) fn editor() -> Option<String> {
    ["VISUAL", "EDITOR"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.trim().is_empty()))
}

/// A setting of a test: how much of a long check to do.
#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
pub(crate) fn test_setting(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
