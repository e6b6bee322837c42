//! One file per subcommand.

pub(crate) mod audit;
pub(crate) mod baseline;
pub(crate) mod catalog;
pub(crate) mod check_endpoint;
pub(crate) mod compare;
pub(crate) mod expand;
pub(crate) mod explain;
pub(crate) mod explain_key;
pub(crate) mod guard;
pub(crate) mod import;
pub(crate) mod init;
pub(crate) mod lint;
pub(crate) mod mine;
pub(crate) mod plan;
pub(crate) mod report;
pub(crate) mod review;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod score;
pub(crate) mod selftest;
pub(crate) mod show;
pub(crate) mod sim;
