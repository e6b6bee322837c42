//! One file per subcommand.

pub(crate) mod explain;
