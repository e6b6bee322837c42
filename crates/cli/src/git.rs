//! Files as they are at a git ref. Nothing in the repository is touched: what is asked for is read object by
//! object and laid down in a temporary folder, under the paths that it has in the work tree.

use std::path::{Component, Path, PathBuf};
use std::process::{Command, Output};

use probes::nearest;
use tempfile::TempDir;
use transcript::GitRef;

use crate::error::Failure;

/// How git's listing of a symbolic link begins.
const LINK: &str = "120000 ";
/// Links that are followed one after the other.
const LINKS: u32 = 8;

/// The files of one commit.
pub(crate) struct AtRef {
    /// The ref, and the commit that it is.
    pub(crate) git_ref: GitRef,
    /// The work tree's root.
    root: PathBuf,
    copies: TempDir,
}

impl AtRef {
    /// Resolves a ref of the repository that `folder` lies in.
    pub(crate) fn open(name: &str, folder: &Path) -> Result<Self, Failure> {
        let root = git(folder, &["rev-parse", "--show-toplevel"])?;
        if !root.status.success() {
            return Err(Failure::usage(format!("`{}` is in no git repository", folder.display()))
                .with_help("a git ref is read in the repository of the files that it is compared with"));
        }
        let root = PathBuf::from(text(&root)).canonicalize()?;
        let wanted = format!("{name}^{{commit}}");
        // A ref that looks like an option is no option.
        let found = git(&root, &["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted])?;
        if !found.status.success() || name.is_empty() {
            return Err(no_such_ref(name, &root));
        }
        let git_ref = GitRef { name: name.to_owned(), commit: text(&found) };
        Ok(Self { git_ref, root, copies: tempfile::tempdir()? })
    }

    /// Where a file of the work tree, or a folder, has its copy; none where it lies outside the repository.
    pub(crate) fn copy_of(&self, path: &Path) -> Option<PathBuf> {
        Some(self.copies.path().join(self.relative(path)?))
    }

    /// The path from the root, which need not exist any more.
    pub(crate) fn relative(&self, path: &Path) -> Option<PathBuf> {
        let whole = std::path::absolute(path).ok()?;
        // Symbolic links above the file are followed as far as the folder exists.
        let parent = whole.parent()?;
        let parent = parent.canonicalize().unwrap_or_else(|_| plain(parent));
        let whole = plain(&parent.join(whole.file_name()?));
        whole.strip_prefix(&self.root).map(Path::to_owned).ok()
    }

    /// The path in the work tree, from where the program was started as a rule, that a copy stands for.
    pub(crate) fn original(&self, copy: &Path) -> Option<PathBuf> {
        copy.strip_prefix(self.copies.path()).ok().map(Path::to_owned)
    }

    /// Lays a file down; none where the commit does not have it.
    pub(crate) fn fetch(&self, path: &Path) -> Result<Option<PathBuf>, Failure> {
        let Some(relative) = self.relative(path) else {
            return Err(Failure::usage(format!(
                "`{}` lies outside the repository, so `{}` does not have it",
                path.display(),
                self.git_ref.name
            ))
            .with_help("only files under version control are at a git ref"));
        };
        let copy = self.copies.path().join(&relative);
        if copy.is_file() {
            return Ok(Some(copy));
        }
        let Some(bytes) = self.bytes(&relative, 0)? else { return Ok(None) };
        if let Some(folder) = copy.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(&copy, bytes)?;
        Ok(Some(copy))
    }

    /// A file's bytes as a checkout would write them: links followed, line endings and other filters applied.
    fn bytes(&self, relative: &Path, links: u32) -> Result<Option<Vec<u8>>, Failure> {
        let path = in_git(relative);
        let entry = git(&self.root, &["ls-tree", "-z", &self.git_ref.commit, "--", &path])?;
        let entry = String::from_utf8_lossy(&entry.stdout).into_owned();
        let object = format!("{}:{path}", self.git_ref.commit);
        if !entry.starts_with(LINK) {
            let blob = git(&self.root, &["cat-file", "--filters", &object])?;
            return Ok(blob.status.success().then_some(blob.stdout));
        }
        let link = git(&self.root, &["cat-file", "blob", &object])?;
        if !link.status.success() || links == LINKS {
            return Ok(None);
        }
        let target = PathBuf::from(String::from_utf8_lossy(&link.stdout).into_owned());
        let beside = relative.parent().unwrap_or(Path::new(""));
        // A link that leaves the repository leads to nothing that the commit has.
        match plain(&self.root.join(beside).join(target)).strip_prefix(&self.root) {
            Ok(target) => self.bytes(target, links + 1),
            Err(_) => Ok(None),
        }
    }

    /// A message about a copy, in which the copy is called what the commit calls it.
    pub(crate) fn named(&self, failure: Failure) -> Failure {
        let text = failure.text();
        let text = text.strip_prefix("error: ").unwrap_or(&text);
        let folder = format!("{}/", self.copies.path().display());
        let name = format!("{}:", self.git_ref.name);
        Failure { exit: failure.exit, error: anyhow::anyhow!("{}", text.replace(&folder, &name)), help: None }
    }
}

fn git(folder: &Path, arguments: &[&str]) -> Result<Output, Failure> {
    Command::new("git").arg("-C").arg(folder).args(arguments).output().map_err(|error| {
        Failure::usage(format!("cannot run `git`: {error}")).with_help("a git ref needs git on the path")
    })
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

/// Git's paths have slashes everywhere.
fn in_git(path: &Path) -> String {
    let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}

/// A path without `.` and `..`, by its words alone.
pub(crate) fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            // Behind a leading `..` nothing is known to step back from.
            Component::ParentDir
                if matches!(out.components().next_back(), None | Some(Component::ParentDir)) =>
            {
                out.push(part);
            }
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

fn no_such_ref(name: &str, root: &Path) -> Failure {
    let failure = Failure::usage(format!("`{name}` is no ref of this repository"));
    let Ok(all) = git(root, &["for-each-ref", "--format=%(refname:short)"]) else { return failure };
    let all = text(&all);
    let names: Vec<&str> = all.lines().collect();
    let remote = format!("origin/{name}");
    if names.contains(&remote.as_str()) {
        return failure.with_help(format!("did you mean `{remote}`?"));
    }
    if let Some(near) = nearest(name, names.iter().copied()) {
        return failure.with_help(format!("did you mean `{near}`?"));
    }
    let branch = name.strip_prefix("origin/").unwrap_or(name);
    let plain = |letter: char| letter.is_alphanumeric() || "/_.-".contains(letter);
    if !branch.is_empty() && !branch.starts_with('-') && branch.chars().all(plain) {
        let fetch = format!("git fetch origin {branch}:refs/remotes/origin/{branch}");
        return failure.with_help(format!("a shallow clone may lack it: `{fetch}`"));
    }
    match name.contains(['~', '^']) {
        true => failure.with_help("a shallow clone may lack it: `git fetch --unshallow`"),
        false => failure.with_help("it takes a branch, a tag or a commit"),
    }
}
