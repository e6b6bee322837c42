//! What is asked and what should happen: catalogs, suites, questions and the probes they become. Nothing
//! here opens a connection or looks at a clock, and nothing judges.

mod catalog;
mod catalog_file;
mod derive;
mod document;
mod error;
mod expand;
mod expansion;
mod expectation;
mod format_check;
mod kind;
mod lock;
mod near_name;
mod offer;
mod open;
mod probe;
mod prompt;
mod schema_walk;
mod script;
mod stale;
mod suite;
mod tool_schema;
mod yaml;

pub use catalog::{
    AddedTool, Catalog, CatalogDifference, CatalogEdits, ChangedTool, Offered, OrderChange, Place, Renamed,
    ToolPatch, check_filler,
};
pub use catalog_file::{CATALOG_FORMAT, CatalogFile, CatalogSource, ToolEntry};
pub use derive::{Derived, Skipped, derive_questions};
pub use document::Places;
pub use error::{Diagnostic, SuiteError};
pub use expand::{Expansion, expand};
pub use expansion::ExpandLine;
pub use expectation::{ClaimLine, Expectation, RateName, RightBehaviour, Unlisted, ValueOracle};
pub use kind::{KINDS, Kind, kind};
pub use lock::{LOCK_FORMAT, Lock, LockDifference};
pub use near_name::{Purpose, nearest, nearest_name, reads, similarity};
pub use open::{OpenedProbe, OpenedStep, RecordCatalogs};
pub use probe::{Arm, ArmSettings, CatalogUse, Probe, ProbeLine, Question, Step, ToolChoice};
pub use prompt::Prompt;
pub use script::{Script, ScriptRule, StubAnswer};
pub use suite::{ArgumentRule, SUITE_FORMAT, Source, Suite, Task};
pub use yaml::{read_yaml, read_yaml_file};
