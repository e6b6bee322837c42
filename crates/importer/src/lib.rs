//! From the files of public benchmarks to suites, catalogs and an account in which every case has its line. Pure: the
//! same files give the same text. Nothing here reads a file, asks a server or judges an answer, and no case of a
//! benchmark is shipped.

mod account;
mod benchmark;
mod case;
mod check;
mod function;
mod import;
mod names;
mod oracle;
mod python;
mod quarantine;
mod records;
mod schema;
mod words;
mod written;
mod yaml;

pub use account::{Account, CaseLine, FileLine, LeftOutTool, Outcome, RenamedTool, SuiteLine, Unreadable};
pub use benchmark::{BENCHMARKS, Benchmark, Beside, benchmark};
pub use import::{Around, Imported, Options, WrittenFile, import};
pub use quarantine::{QUARANTINE_FORMAT, Quarantine};
pub use records::SourceFile;
