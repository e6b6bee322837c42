//! The files that `init` writes: all of them or none. They are made in a folder of their own and moved once
//! everything that they say was read back.

use std::path::{Path, PathBuf};

use crate::error::Failure;
use crate::output::write_file;

/// Files on their way.
pub(crate) struct Files {
    stage: PathBuf,
    names: Vec<String>,
}

impl Files {
    pub(crate) fn new(stage: &Path) -> Self {
        Self { stage: stage.to_owned(), names: Vec::new() }
    }

    /// Makes a file, by its path below the folder.
    pub(crate) fn put(&mut self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        if self.names.iter().any(|other| other == name) {
            return Err(Failure::usage(format!("two sources would be kept in `{name}`"))
                .with_help("rename one of them"));
        }
        let path = self.stage.join(name);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(&path, bytes)?;
        self.names.push(name.to_owned());
        Ok(())
    }

    /// The files, in the order in which they were made.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Moves them to a folder. What lies there and differs stays, unless it may be written over.
    pub(crate) fn move_to(&self, folder: &Path, force: bool) -> Result<(), Failure> {
        let differs = |name: &&String| {
            std::fs::read(folder.join(name))
                .is_ok_and(|there| std::fs::read(self.stage.join(name)).is_ok_and(|made| made != there))
        };
        let there: Vec<&String> = self.names.iter().filter(differs).collect();
        if let (Some(first), false) = (there.first(), force) {
            let more =
                if there.len() > 1 { format!(" and {} more files", there.len() - 1) } else { String::new() };
            return Err(Failure::usage(format!(
                "`{}`{more} would be written over",
                folder.join(first).display()
            ))
            .with_help("choose another --dir or --name, or write over them with --force"));
        }
        for name in &self.names {
            let path = folder.join(name);
            let parent = path.parent().unwrap_or(folder);
            std::fs::create_dir_all(parent)
                .map_err(|error| Failure::usage(format!("cannot make `{}`: {error}", parent.display())))?;
            write_file(&path, &std::fs::read(self.stage.join(name))?)?;
        }
        Ok(())
    }
}
