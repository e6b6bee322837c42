//! placeholder
use std::path::Path;

use crate::{Places, SUITE_FORMAT, Suite, SuiteError, read_yaml_file};

impl Suite {
    /// Reads a suite file and checks all that can be checked without a catalog.
    ///
    /// # Errors
    /// The file cannot be read, or all the mistakes in it.
    pub fn load(path: &Path) -> Result<(Self, Places), SuiteError> {
        read_yaml_file(path, SUITE_FORMAT, &[])
    }
}
