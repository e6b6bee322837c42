//! `toolmirage schema`: the JSON Schemas of the files.

use probes::{CatalogFile, ExpandLine, Lock, ProbeLine, Suite};
use schemars::schema_for;
use transcript::{ExecutorRow, RecordLine};

use crate::args::{SchemaArgs, SchemaFormat};
use crate::baseline::Baseline;
use crate::config::Config;
use crate::error::Failure;
use crate::exit::Exit;
use crate::output;

/// Prints a schema.
pub(crate) fn run(args: &SchemaArgs) -> Result<Exit, Failure> {
    let schema = match args.format {
        SchemaFormat::Suite => schema_for!(Suite).to_value(),
        SchemaFormat::Catalog => schema_for!(CatalogFile).to_value(),
        SchemaFormat::Config => schema_for!(Config).to_value(),
        SchemaFormat::Baseline => schema_for!(Baseline).to_value(),
        SchemaFormat::Quarantine => schema_for!(importer::Quarantine).to_value(),
        SchemaFormat::Audit => schema_for!(report::AuditLine).to_value(),
        SchemaFormat::Guard => schema_for!(guard::Rules).to_value(),
        SchemaFormat::Lock => schema_for!(Lock).to_value(),
        SchemaFormat::Run => schema_for!(RecordLine<ProbeLine>).to_value(),
        SchemaFormat::Expand => schema_for!(ExpandLine).to_value(),
        SchemaFormat::Executor => schema_for!(ExecutorRow).to_value(),
        SchemaFormat::Census => schema_for!(miner::Census).to_value(),
        SchemaFormat::Map => schema_for!(miner::LogMap).to_value(),
        SchemaFormat::Event => schema_for!(miner::Event).to_value(),
        SchemaFormat::Manifest => schema_for!(miner::Manifest).to_value(),
        SchemaFormat::Report => report::report_schema(),
    };
    output::print_json(&schema)?;
    Ok(Exit::Pass)
}
