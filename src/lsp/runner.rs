//! The thread that runs the tests of open files.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use super::documents::Documents;
use crate::ide::{Project, game_problems, problems, run};
use crate::scenario::LoaderOptions;

/// The time without a change after which the tests are run.
const QUIET: Duration = Duration::from_millis(120);

/// A file to check and run.
pub(super) struct Job {
    pub(super) path: PathBuf,
    /// Whether its errors are to be found again, because another file has changed.
    pub(super) check: bool,
}

/// Checks and runs files until the sender is gone.
pub(super) fn work(documents: &Documents<'_>, options: LoaderOptions, jobs: &Receiver<Job>) {
    let mut project = Project::new(documents.overlay, options);
    while let Ok(first) = jobs.recv() {
        let mut check: BTreeSet<PathBuf> = BTreeSet::new();
        let mut all: BTreeSet<PathBuf> = BTreeSet::new();
        let mut next = Some(first);
        while let Some(job) = next {
            check.extend(job.check.then(|| job.path.clone()));
            all.insert(job.path);
            next = jobs.recv_timeout(QUIET).ok();
        }
        for path in all {
            let version = documents.version(&path);
            if version.is_none() {
                continue;
            }
            if check.contains(&path) {
                documents.checked(&path, version, &problems(&mut project, &path));
            }
            documents.game_checked(&path, version, &game_problems(&mut project, &path));
            let same = || documents.version(&path) == version;
            let runs = run(&mut project, &path, &|_, _| true, &same);
            documents.ran(&path, version, runs);
        }
    }
}
