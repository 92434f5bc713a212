//! Runs the tests of open files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::desk::Desk;
use referee_ide::{Project, game_notes, game_problems, problems, run};
use referee_scenario::LoaderOptions;

/// Files to check and run.
#[derive(Debug, Default)]
pub struct Batch {
    /// For each file, whether its errors are to be found again, because another file has changed.
    files: BTreeMap<PathBuf, bool>,
}

impl Batch {
    /// Adds a file; its errors are found again if `check` says so once.
    pub(super) fn add(&mut self, path: &Path, check: bool) {
        *self.files.entry(path.to_path_buf()).or_default() |= check;
    }

    /// Returns whether there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns the files.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.keys().map(PathBuf::as_path)
    }

    /// Takes one file out of the batch: this one if it is in it, else the first. For a runner without a thread, which
    /// looks for messages between two files.
    #[must_use]
    pub fn take_one(&mut self, wanted: Option<&Path>) -> Self {
        let path =
            wanted.filter(|path| self.files.contains_key(*path)).or(self.files.keys().next().map(PathBuf::as_path));
        let one = path.map(Path::to_path_buf).and_then(|path| self.files.remove_entry(&path));
        Self { files: one.into_iter().collect() }
    }

    /// Adds the files of another batch.
    pub fn append(&mut self, other: Self) {
        other.files.iter().for_each(|(path, check)| self.add(path, *check));
    }
}

/// Checks and runs files, with a loader of its own.
pub struct Runner<'h> {
    desk: &'h Desk<'h>,
    project: Project<'h>,
}

impl<'h> Runner<'h> {
    /// Returns a runner for the files of a desk.
    #[must_use]
    pub fn new(desk: &'h Desk<'h>, options: LoaderOptions) -> Self {
        Self { desk, project: Project::new(desk.documents().overlay, options) }
    }

    /// Checks and runs files, and reports to the client. A file that changes meanwhile is left.
    pub fn run(&mut self, batch: Batch) {
        let documents = self.desk.documents();
        for (path, check) in batch.files {
            let version = documents.version(&path);
            if version.is_none() {
                continue;
            }
            if check {
                documents.checked(&path, version, &problems(&mut self.project, &path));
            }
            let problems = game_problems(&mut self.project, &path);
            let notes = if problems.is_empty() { game_notes(&mut self.project, &path) } else { Vec::new() };
            documents.game_checked(&path, version, &problems, &notes);
            let same = || documents.version(&path) == version;
            let runs = run(&mut self.project, &path, &|_, _| true, &same);
            documents.ran(&path, version, runs);
        }
    }
}
