//! Stores the snapshots of a run next to the scenario file, and reviews them.

use std::collections::BTreeSet;
use std::io::{BufRead, ErrorKind, IsTerminal};
use std::path::{Path, PathBuf};

use clap::Args;

use super::disk::Disk;
use super::output::{print, print_error};
use super::{Exit, discover};
use crate::diagnostic::{Diagnostic, Renderer, printable};
use crate::scenario::{Snapshots, Suite, accepted_path, difference, pending_path};
use crate::source::Host;
use crate::trace::{FailureKind, Status, TestResult};

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
    let file = Path::new(&suite.file);
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

/// Locks a scenario file against other runs that store its snapshots, until the returned file is dropped.
fn lock(file: &Path) -> Result<Option<std::fs::File>, String> {
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
        let (file, name) = (printable(&suite.file), printable(name));
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

fn load(path: &Path) -> Result<Snapshots, String> {
    let renderer = Renderer { colour: false };
    let rendered = |wrong: Vec<Diagnostic>| wrong.iter().map(|one| renderer.render(one)).collect::<Vec<_>>().join("\n");
    Snapshots::load(&Disk, path).map_err(|wrong| rendered(wrong).trim_end().to_owned())
}

/// Writes snapshots; removes the file if there are none.
fn save(path: &Path, snapshots: &Snapshots) -> Result<(), String> {
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

#[derive(Debug, Args)]
pub(super) struct ReviewArguments {
    /// Files or folders
    #[arg(default_value = "scenarios")]
    paths: Vec<PathBuf>,
}

/// Asks for each stored snapshot whether to accept, reject or skip it.
pub(super) fn review(arguments: &ReviewArguments) -> Exit {
    if !std::io::stdin().is_terminal() && std::env::var_os("REFEREE_REVIEW").is_none() {
        print_error("`review` needs a terminal; use `referee test --accept` to accept everything");
        return Exit::Usage;
    }
    let found = match discover::files(&Disk, &arguments.paths, &["scenario", "md"]) {
        Ok(found) => found,
        Err(message) => {
            print_error(&message);
            return Exit::Usage;
        }
    };
    if let [(path, error), ..] = found.unread.as_slice() {
        print_error(&format!("cannot read {}: {error}", path.display()));
        return Exit::Invalid;
    }
    let waiting: Vec<PathBuf> = found.files.into_iter().filter(|file| pending_path(file).exists()).collect();
    if waiting.is_empty() {
        print("no snapshots to review\n");
        return Exit::Nothing;
    }
    for file in waiting {
        if let Err(message) = review_file(&file) {
            print_error(&message);
            return Exit::Invalid;
        }
    }
    Exit::Passed
}

fn review_file(file: &Path) -> Result<(), String> {
    let accepted = load(&accepted_path(file))?;
    let pending = load(&pending_path(file))?;
    let mut decided: Vec<(&str, &str, bool)> = Vec::new();
    let mut lines = std::io::stdin().lock().lines();
    for name in pending.names() {
        let (new, old) = (pending.get(name).unwrap_or_default(), accepted.get(name));
        if old == Some(new) {
            decided.push((name, new, false));
            continue;
        }
        let shown = difference(old.unwrap_or_default(), new);
        print(&format!("{}: {}\n{}\n", printable(&file.to_string_lossy()), printable(name), printable(&shown)));
        loop {
            print("accept, reject or skip? [a/r/s] ");
            let answer = match lines.next() {
                Some(Ok(answer)) => answer,
                Some(Err(error)) => return Err(format!("cannot read the answer: {error}")),
                None => "s".to_owned(),
            };
            match answer.trim() {
                "a" => decided.push((name, new, true)),
                "r" => decided.push((name, new, false)),
                // A skipped snapshot stays stored.
                "s" => {}
                _ => continue,
            }
            break;
        }
    }
    settle(file, &decided)
}

/// Removes the decided snapshots from those for review, and adds the accepted ones to the accepted file. Reads both
/// files again, because another run may have written them since.
fn settle(file: &Path, decided: &[(&str, &str, bool)]) -> Result<(), String> {
    let _lock = lock(file)?;
    let (accepted_file, pending_file) = (accepted_path(file), pending_path(file));
    let (before, mut pending) = (load(&accepted_file)?, load(&pending_file)?);
    let mut accepted = before.clone();
    for (name, text, accept) in decided {
        if *accept {
            accepted.set(name, text);
        }
        if pending.get(name) == Some(*text) {
            pending.remove(name);
        }
    }
    if accepted != before {
        save(&accepted_file, &accepted)?;
    }
    save(&pending_file, &pending)
}
