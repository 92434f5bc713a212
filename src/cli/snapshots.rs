//! Stores the snapshots of a run next to the scenario file.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::disk::Disk;
use referee_diagnostic::{Diagnostic, Renderer, one_line};
use referee_scenario::{ACCEPT, Snapshots, Suite, accepted_path, is_of_snapshots, owner, pending_path};
use referee_source::Host;
use referee_trace::{FailureKind, Status, TestResult};

/// The treatment of new and changed snapshots in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// Write nothing.
    Nothing,
    /// Store them next to the accepted ones, for a review.
    Pending,
    /// Accept them.
    Accept,
}

/// Stores the snapshots of a suite's results; `whole` if all its tests ran. Returns notes for the user.
///
/// # Errors
/// Returns an error message if a file cannot be read or written.
pub(super) fn keep(suite: &Suite, results: &[TestResult], whole: bool, keep: Keep) -> Result<String, String> {
    let file = Path::new(&*suite.file);
    let whole = whole && came_to_their_ends(results);
    let found = || results.iter().flat_map(|result| &result.snapshots);
    let stale: Vec<&str> = if whole {
        let seen: BTreeSet<&str> = found().map(|(name, _)| name.as_str()).collect();
        suite.snapshots.names().filter(|name| !seen.contains(name)).collect()
    } else {
        Vec::new()
    };
    // A file with errors was not run.
    if keep == Keep::Nothing || !suite.problems.is_empty() {
        return Ok(report(suite, &stale));
    }
    // Lock and read the file again: another run may have written it since.
    let _lock = lock(file)?;
    let accepted = load(&accepted_path(file))?;
    if keep == Keep::Pending {
        wait(file, &accepted, found(), whole)?;
        return Ok(report(suite, &stale));
    }
    let mut kept = accepted.clone();
    found().for_each(|(name, text)| kept.set(name, text));
    stale.iter().for_each(|name| kept.remove(name));
    if kept != accepted {
        save(&accepted_path(file), &kept)?;
    }
    wait(file, &kept, found(), whole)?;
    Ok(String::new())
}

/// Returns the files of snapshots that belong to no scenario: those `found` without a scenario file, and those of `empty`
/// files, which have no scenario.
pub(super) fn lost<'s>(found: &[PathBuf], empty: impl IntoIterator<Item = &'s str>) -> Vec<PathBuf> {
    let beside = empty.into_iter().flat_map(|file| [accepted_path, pending_path].map(|path| path(Path::new(file))));
    let beside = beside.filter(|path| Disk.read(path).is_ok_and(|text| is_of_snapshots(&text)));
    let mut lost: Vec<PathBuf> = found.iter().cloned().chain(beside).collect();
    lost.sort();
    lost
}

/// Returns a line for each file of snapshots that belongs to none of the scenario files any more; with `accept`, removes
/// these files and says so.
///
/// # Errors
/// Returns an error message if a file cannot be removed.
pub(super) fn orphans(lost: &[PathBuf], accept: bool) -> Result<String, String> {
    let mut text = String::new();
    for path in lost {
        if accept {
            Disk.remove(path).map_err(|error| format!("cannot remove {}: {error}", path.display()))?;
        }
        text.push_str(&orphan(path, accept));
    }
    Ok(text)
}

/// Returns the line for a file of snapshots without its scenario file.
pub(super) fn orphan(path: &Path, is_removed: bool) -> String {
    let shown = |path: &Path| one_line(&path.to_string_lossy());
    let what = if is_removed { "removed snapshots" } else { "stale snapshots" };
    let help = if is_removed { String::new() } else { format!("; `{ACCEPT}` removes them") };
    let file = owner(path).unwrap_or_default();
    let why = if file.is_file() { "has no scenario" } else { "is not there" };
    format!("{what}: {}: {} {why} any more{help}\n", shown(path), shown(&file))
}

/// Locks a scenario file against other runs that store its snapshots, until the returned file is dropped.
pub(super) fn lock(file: &Path) -> Result<Option<std::fs::File>, String> {
    let locked = std::fs::File::open(file).and_then(|open| open.lock().map(|()| open));
    match locked {
        Ok(open) => Ok(Some(open)),
        // Continue without a lock if the system has none, or if the file is missing, which is reported elsewhere.
        Err(error) if matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::NotFound) => Ok(None),
        Err(error) => Err(format!("cannot lock {}: {error}", file.display())),
    }
}

fn report(suite: &Suite, stale: &[&str]) -> String {
    let line = |name: &&str| {
        let (file, name) = (one_line(&suite.file), one_line(name));
        format!("stale snapshot: {file} has no test \"{name}\" any more\n")
    };
    stale.iter().map(line).collect()
}

/// Stores the snapshots that are not accepted for a review. Keeps snapshots stored earlier unless all tests ran: they
/// may belong to tests that did not run.
fn wait<'r>(
    file: &Path,
    accepted: &Snapshots,
    found: impl Iterator<Item = &'r (String, String)>,
    whole: bool,
) -> Result<(), String> {
    let path = pending_path(file);
    let before = load(&path)?;
    let mut waiting = if whole { Snapshots::default() } else { before.clone() };
    for (name, text) in found {
        if accepted.get(name) == Some(text.as_str()) {
            waiting.remove(name);
        } else {
            waiting.set(name, text);
        }
    }
    if waiting == before { Ok(()) } else { save(&path, &waiting) }
}

pub(super) fn load(path: &Path) -> Result<Snapshots, String> {
    let renderer = Renderer { colour: false };
    let rendered = |wrong: Vec<Diagnostic>| wrong.iter().map(|one| renderer.render(one)).collect::<Vec<_>>().join("\n");
    Snapshots::load(&Disk, path).map_err(|wrong| rendered(wrong).trim_end().to_owned())
}

/// Writes snapshots; removes the file if there are none.
pub(super) fn save(path: &Path, snapshots: &Snapshots) -> Result<(), String> {
    let done = if snapshots.is_empty() { Disk.remove(path) } else { Disk.write(path, &snapshots.text()) };
    done.map_err(|error| format!("cannot write {}: {error}", path.display()))
}

fn came_to_their_ends(results: &[TestResult]) -> bool {
    // A test that failed earlier may not have reached its snapshots.
    let came_to_its_end = |result: &TestResult| {
        let only_snapshots = result.failures.iter().all(|failure| failure.kind == FailureKind::Snapshot);
        matches!(result.status, Status::Passed | Status::Failed) && only_snapshots
    };
    results.iter().all(came_to_its_end)
}
