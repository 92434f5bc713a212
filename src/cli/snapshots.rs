//! Keeping snapshots: what a run found is put beside the scenario, to be accepted or reviewed.

use std::collections::BTreeSet;
use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};

use clap::Args;

use super::disk::Disk;
use super::output::{complain, print};
use super::{Exit, discover};
use crate::diagnostic::printable;
use crate::scenario::{Snapshots, Suite, accepted_path, difference, pending_path};
use crate::source::{Host, HostError};
use crate::trace::{Status, TestResult};

/// What a run does with snapshots that are new or changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// Nothing is written.
    Nothing,
    /// They are put beside the accepted ones, for a review.
    Pending,
    /// They are accepted.
    Accept,
}

/// Put the snapshots of a suite's results away; `whole` if all its tests ran. Gives what people should know.
///
/// # Errors
/// A file that cannot be written.
pub(super) fn keep(suite: &Suite, results: &[TestResult], whole: bool, keep: Keep) -> Result<String, String> {
    let file = Path::new(&suite.file);
    let mut kept = suite.snapshots.clone();
    for (name, text) in results.iter().flat_map(|result| &result.snapshots) {
        kept.set(name, text);
    }
    let stale: Vec<&str> = if whole && ran(results) {
        let seen: BTreeSet<&str> =
            results.iter().flat_map(|result| &result.snapshots).map(|(name, _)| name.as_str()).collect();
        suite.snapshots.names().filter(|name| !seen.contains(name)).collect()
    } else {
        Vec::new()
    };
    let mut told = String::new();
    if keep == Keep::Accept {
        stale.iter().for_each(|name| kept.remove(name));
    } else {
        for name in &stale {
            told.push_str(&format!(
                "stale snapshot: {} has no test \"{}\" any more\n",
                printable(&suite.file),
                printable(name)
            ));
        }
    }
    let say = |path: &Path, error: HostError| format!("cannot write {}: {error}", path.display());
    let (accepted, pending) = (accepted_path(file), pending_path(file));
    match keep {
        Keep::Nothing => {}
        Keep::Accept if kept != suite.snapshots => {
            let done = if kept.is_empty() { Disk.remove(&accepted) } else { Disk.write(&accepted, &kept.text()) };
            done.map_err(|error| say(&accepted, error))?;
            Disk.remove(&pending).map_err(|error| say(&pending, error))?;
        }
        Keep::Pending if kept != suite.snapshots => {
            Disk.write(&pending, &kept.text()).map_err(|error| say(&pending, error))?
        }
        Keep::Accept | Keep::Pending if whole && ran(results) => {
            Disk.remove(&pending).map_err(|error| say(&pending, error))?
        }
        Keep::Accept | Keep::Pending => {}
    }
    Ok(told)
}

fn ran(results: &[TestResult]) -> bool {
    // A test that failed on the way may not have come to its snapshots.
    let came_to_its_end = |result: &TestResult| {
        let only_snapshots = result.failures.iter().all(|failure| failure.diagnostic.code == "snapshot");
        matches!(result.status, Status::Passed | Status::Failed) && only_snapshots
    };
    results.iter().all(came_to_its_end)
}

#[derive(Debug, Args)]
pub(super) struct ReviewArguments {
    /// Files or folders
    #[arg(default_value = "scenarios")]
    paths: Vec<PathBuf>,
}

/// Ask about every snapshot that waits: accept, reject, or skip.
pub(super) fn review(arguments: &ReviewArguments) -> Exit {
    if !std::io::stdin().is_terminal() && std::env::var_os("REFEREE_REVIEW").is_none() {
        complain("`review` asks at a terminal; `referee test --accept` accepts everything");
        return Exit::Usage;
    }
    let files = match discover::files(&Disk, &arguments.paths, &["scenario", "md"]) {
        Ok(files) => files,
        Err(message) => {
            complain(&message);
            return Exit::Usage;
        }
    };
    let waiting: Vec<PathBuf> = files.into_iter().filter(|file| pending_path(file).exists()).collect();
    if waiting.is_empty() {
        print("no snapshots wait for a review\n");
        return Exit::Nothing;
    }
    for file in waiting {
        if let Err(message) = review_file(&file) {
            complain(&message);
            return Exit::Invalid;
        }
    }
    Exit::Passed
}

fn review_file(file: &Path) -> Result<(), String> {
    let (accepted_file, pending_file) = (accepted_path(file), pending_path(file));
    let load =
        |path: &Path| Snapshots::load(&Disk, path).map_err(|error| format!("cannot read {}: {error}", path.display()));
    let mut accepted = load(&accepted_file)?;
    let pending = load(&pending_file)?;
    let mut left = false;
    let mut lines = std::io::stdin().lock().lines();
    for name in pending.names() {
        let (new, old) = (pending.get(name).unwrap_or_default(), accepted.get(name));
        if old == Some(new) {
            continue;
        }
        let shown = difference(old.unwrap_or_default(), new);
        print(&format!("{}: {}\n{}\n", printable(&file.to_string_lossy()), printable(name), printable(&shown)));
        loop {
            print("accept, reject or skip? [a/r/s] ");
            let answer = lines.next().and_then(Result::ok).unwrap_or_else(|| "s".to_owned());
            match answer.trim() {
                "a" => accepted.set(name, new),
                "r" => {}
                "s" => left = true,
                _ => continue,
            }
            break;
        }
    }
    let say = |path: &Path, error: HostError| format!("cannot write {}: {error}", path.display());
    if !accepted.is_empty() {
        Disk.write(&accepted_file, &accepted.text()).map_err(|error| say(&accepted_file, error))?;
    }
    if !left {
        Disk.remove(&pending_file).map_err(|error| say(&pending_file, error))?;
    }
    Ok(())
}
