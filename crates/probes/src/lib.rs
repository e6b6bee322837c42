//! What is asked and what should happen: catalogs, suites, questions and the probes they become. Nothing
//! here opens a connection or looks at a clock, and nothing judges.

mod catalog;
mod catalog_file;
mod expansion;
mod expectation;
mod probe;
mod script;
mod suite;

pub use catalog::{AddedTool, Catalog, CatalogEdits, Offered, Place, ToolPatch};
pub use catalog_file::{CATALOG_FORMAT, CatalogFile, CatalogSource, ToolEntry};
pub use expansion::ExpandLine;
pub use expectation::{ClaimLine, Expectation, RateName, RightBehaviour, Unlisted, ValueOracle};
pub use probe::{Arm, ArmSettings, CatalogUse, Probe, ProbeLine, Prompt, Question, Step};
pub use script::{Script, ScriptRule, StubAnswer};
pub use suite::{ArgumentRule, SUITE_FORMAT, Source, Suite, Task};
