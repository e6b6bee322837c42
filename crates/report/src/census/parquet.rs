//! Event rows as Parquet: the rows of the JSON Lines, a column a member.

use std::io::Write;
use std::sync::Arc;

use miner::{Census, Event, moment};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;

use crate::ReportError;
use crate::render::word;

/// What a column holds of an event.
enum Column {
    Text(fn(&Event) -> String),
    TextOrNone(fn(&Event) -> Option<String>),
    Line(fn(&Event) -> u64),
    Time(fn(&Event) -> Option<&str>),
}

/// The columns, in their order. What the JSON has as an object, `call`, is two of them.
const COLUMNS: &[(&str, Column)] = &[
    ("file", Column::Text(|event| event.file.clone())),
    ("line", Column::Line(|event| event.line)),
    ("tool", Column::Text(|event| event.tool.clone())),
    ("state", Column::Text(|event| word(&event.state))),
    ("clause", Column::Text(|event| event.clause.clone())),
    ("clause_class", Column::Text(|event| event.clause_class.clone())),
    ("name_form", Column::Text(|event| event.name_form.clone())),
    ("framework", Column::Text(|event| event.framework.clone())),
    ("call_file", Column::Text(|event| event.call.file.clone())),
    ("call_line", Column::Line(|event| event.call.line)),
    ("model", Column::TextOrNone(|event| event.model.clone())),
    ("version", Column::TextOrNone(|event| event.version.clone())),
    ("project", Column::TextOrNone(|event| event.project.clone())),
    ("time", Column::Time(|event| event.time.as_deref())),
    ("inner_tool", Column::TextOrNone(|event| event.inner_tool.clone())),
];

/// Writes every absent-tool event as a row of Parquet: the members are those of `absent.events` in the census.
///
/// # Errors
/// Writing failed.
pub fn census_parquet(census: &Census, out: &mut dyn Write) -> Result<(), ReportError> {
    out.write_all(&file(&census.absent.events)?)?;
    Ok(())
}

fn file(events: &[Event]) -> Result<Vec<u8>, ParquetError> {
    let schema = Arc::new(parse_message_type(&schema())?);
    let properties = WriterProperties::builder().set_created_by("toolmirage".to_owned()).build();
    let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties))?;
    let mut rows = file.next_row_group()?;
    for (_, column) in COLUMNS {
        if let Some(mut writer) = rows.next_column()? {
            write(column, events, &mut writer)?;
            writer.close()?;
        }
    }
    rows.close()?;
    file.into_inner()
}

fn schema() -> String {
    let columns = COLUMNS.iter().map(|(name, column)| match column {
        Column::Text(_) => format!("required binary {name} (UTF8);"),
        Column::TextOrNone(_) => format!("optional binary {name} (UTF8);"),
        Column::Line(_) => format!("required int64 {name} (INTEGER(64,false));"),
        Column::Time(_) => format!("optional int64 {name} (TIMESTAMP(MILLIS,true));"),
    });
    format!("message event {{ {} }}", columns.collect::<Vec<_>>().join(" "))
}

fn write(
    column: &Column,
    events: &[Event],
    writer: &mut SerializedColumnWriter<'_>,
) -> Result<(), ParquetError> {
    let bytes = |text: String| ByteArray::from(text.into_bytes());
    match column {
        Column::Text(of) => {
            let values: Vec<ByteArray> = events.iter().map(|event| bytes(of(event))).collect();
            writer.typed::<ByteArrayType>().write_batch(&values, None, None)?;
        }
        Column::TextOrNone(of) => {
            let (values, levels) = present(events.iter().map(|event| of(event).map(bytes)));
            writer.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
        }
        Column::Line(of) => {
            let values: Vec<i64> = events.iter().map(|event| of(event).cast_signed()).collect();
            writer.typed::<Int64Type>().write_batch(&values, None, None)?;
        }
        Column::Time(of) => {
            let (values, levels) = present(events.iter().map(|event| of(event).and_then(moment)));
            writer.typed::<Int64Type>().write_batch(&values, Some(&levels), None)?;
        }
    }
    Ok(())
}

/// The values that there are, and for every row whether it has one.
fn present<T>(values: impl Iterator<Item = Option<T>>) -> (Vec<T>, Vec<i16>) {
    let mut levels = Vec::new();
    let values = values.inspect(|value| levels.push(i16::from(value.is_some()))).flatten().collect();
    (values, levels)
}
