//! Every environment variable that the program reads, and its meaning. No other place reads them.

/// The value of a variable that a configuration or flag names for a secret; none where it is unset or empty.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
pub(crate) fn secret(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// `AWS_BEARER_TOKEN_BEDROCK`: the key of Amazon Bedrock, where a target names no other.
pub(crate) const BEDROCK_KEY: &str = "AWS_BEARER_TOKEN_BEDROCK";

/// `AWS_ACCESS_KEY_ID`: names the key that requests to Amazon Bedrock are signed with, where there is no bearer key.
pub(crate) const AWS_ACCESS_KEY_ID: &str = "AWS_ACCESS_KEY_ID";

/// `AWS_SECRET_ACCESS_KEY`: that key.
pub(crate) const AWS_SECRET_ACCESS_KEY: &str = "AWS_SECRET_ACCESS_KEY";

/// `AWS_SESSION_TOKEN`: what comes with a key that is good for a while only.
pub(crate) const AWS_SESSION_TOKEN: &str = "AWS_SESSION_TOKEN";

/// `AWS_REGION`: the region to sign for, where neither target nor base URL says one.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
pub(crate) fn aws_region() -> Option<String> {
    std::env::var("AWS_REGION").ok().filter(|value| !value.is_empty())
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
