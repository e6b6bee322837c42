//! The benchmarks that can be imported. An entry says which files it reads and makes cases of their records; names,
//! quarantine, checks, files and the account are made once for all of them.

mod acebench;
mod bfcl;
mod livemcpbench;
mod relytoolbench;
mod when2call;

use crate::case::{Opened, Read};

/// Every benchmark, in the order in which lists show them.
pub const BENCHMARKS: &[Benchmark] = &[
    bfcl::BENCHMARK,
    acebench::BENCHMARK,
    when2call::BENCHMARK,
    relytoolbench::BENCHMARK,
    livemcpbench::BENCHMARK,
];

/// A public benchmark.
#[derive(Debug, Clone, Copy)]
pub struct Benchmark {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its name in reports.
    pub title: &'static str,
    /// The licence of its data.
    pub licence: &'static str,
    /// What is read, and what it becomes, in one sentence a sort.
    pub summary: &'static [&'static str],
    /// Files that belong to a file of cases and are looked for beside it.
    pub beside: &'static [Beside],
    /// Its quarantine file, as it is shipped: ids and reasons, and none of the benchmark's words.
    pub quarantine: Option<&'static str>,
    /// From records to cases.
    pub(crate) read: fn(&[Opened<'_>]) -> Read,
}

/// A folder beside a file of cases.
#[derive(Debug, Clone, Copy)]
pub struct Beside {
    /// What the name of the file of cases holds.
    pub when: &'static str,
    /// The folder.
    pub folder: &'static str,
    /// Whether all its files belong to it; else the one of the same name.
    pub all: bool,
}

/// The benchmark of a name.
#[must_use]
pub fn benchmark(name: &str) -> Option<&'static Benchmark> {
    BENCHMARKS.iter().find(|benchmark| benchmark.name == name)
}
