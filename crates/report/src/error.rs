//! What can go wrong while a report is drawn.

use thiserror::Error;

/// A report could not be drawn.
#[derive(Debug, Error)]
pub enum ReportError {
    /// Writing to where the report goes failed.
    #[error("the report could not be written")]
    Write(#[from] std::io::Error),
    /// The report could not be put into JSON.
    #[error("the report could not be written as JSON")]
    Json(#[from] serde_json::Error),
    /// The report could not be put into XML.
    #[error("the report could not be written as JUnit XML")]
    Junit(#[from] quick_junit::SerializeError),
    /// The rows could not be put into Parquet.
    #[cfg(feature = "parquet")]
    #[error("the rows could not be written as Parquet")]
    Parquet(#[from] parquet::errors::ParquetError),
    /// One of the program's own templates is wrong: a defect of this program.
    #[error("the template of the report is broken")]
    Template(#[from] minijinja::Error),
}
