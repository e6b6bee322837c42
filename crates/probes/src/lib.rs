//! What is asked and what should happen: catalogs, suites, questions and the probes they become. Nothing
//! here opens a connection or looks at a clock, and nothing judges.

mod arm;
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
mod whole_words;
mod yaml;
mod yaml_text;

pub use arm::{ARMS, ArmKind, arms_mistake, neutral_name};
pub use catalog::{
    AddedTool, Catalog, CatalogDifference, CatalogEdits, ChangedTool, Ladder, NeighbourPlace, Neutral,
    Offered, OrderChange, Place, PlacedCatalog, PlacedTool, Renamed, ToolPatch, check_filler,
};
pub use catalog_file::{CATALOG_FORMAT, CatalogFile, CatalogSource, ToolEntry};
pub use derive::{Derived, Skipped, derive_questions};
pub use document::{Places, TextFile, step as pointer_step};
pub use error::{Diagnostic, Heading, SuiteError};
pub use expand::{Expansion, expand};
pub use expansion::ExpandLine;
pub use expectation::{
    AnswerOracle, ClaimLine, Expectation, RateName, RightBehaviour, Unlisted, ValueOracle, WantedCall,
};
pub use kind::{AllowedReads, KINDS, Kind, StubDefault, kind};
pub use lock::{LOCK_FORMAT, Lock, LockDifference};
pub use near_name::{
    Purpose, name_words, nearest, nearest_name, reads, similarity, singular_of, thing_of, verb_of,
};
pub use open::{OpenedProbe, OpenedStep, RecordCatalogs};
pub use probe::{Arm, ArmSettings, CatalogUse, Probe, ProbeLine, Question, Step, Thinking, ToolChoice};
pub use prompt::Prompt;
pub use script::{Script, ScriptRule, StubAnswer};
pub use stale::Need;
pub use suite::{
    ArgumentRule, BrokenRead, Canary, EarlierWords, Failure, FamiliarNeighbour, KindsTold, MissingArguments,
    NoSettings, Phantom, PhantomStep, PrincipalWords, RemovedParameter, RequiredCall, SUITE_FORMAT,
    SizeLadder, Source, StaleOrder, StaleTool, Suite, Task, TaskKinds, Upstream, WithheldTool, WrongValue,
};
pub use whole_words::{names_in, stands_in};
pub use yaml::{read_yaml, read_yaml_file};
pub use yaml_text::{yaml_flow, yaml_scalar};
