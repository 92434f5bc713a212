//! `referee review`: shows the new and changed snapshots one by one, and asks what to do with each.

use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};

use clap::Args;

use super::disk::Disk;
use super::output::{print, print_error};
use super::snapshots::{load, lock, orphan, save};
use super::{Exit, discover};
use referee_diagnostic::{counted, one_line, printable};
use referee_scenario::{accepted_path, pending_path};
use referee_source::all_changes;

/// What can be answered.
const HELP: &str = "\
a        accept it                r        reject it                s        skip it, so that it stays to review
a file   accept it and the rest   r file   reject it and the rest   s file   skip it and the rest of this file
a all    accept all that is left  r all    reject all that is left  s all    skip all that is left
q        quit: what was decided is kept, the rest stays to review
";

#[derive(Debug, Args)]
pub(super) struct ReviewArguments {
    /// Files or folders
    #[arg(default_value = "scenarios")]
    paths: Vec<PathBuf>,
}

/// What to do with a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    Accept,
    Reject,
    /// It stays to review.
    Skip,
}

/// How many snapshots an answer is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    One,
    File,
    All,
}

/// Returns the meaning of an answer; `None` if it has none.
fn meaning(answer: &str) -> Option<(Deed, Extent)> {
    let answer = answer.trim();
    if matches!(answer, "q" | "quit") {
        return Some((Deed::Skip, Extent::All));
    }
    let (deed, extent) = answer.split_once(' ').unwrap_or((answer, ""));
    let deed = match deed {
        "a" | "accept" => Deed::Accept,
        "r" | "reject" => Deed::Reject,
        "s" | "skip" => Deed::Skip,
        _ => return None,
    };
    let extent = match extent.trim() {
        "" => Extent::One,
        "file" => Extent::File,
        "all" => Extent::All,
        _ => return None,
    };
    Some((deed, extent))
}

/// A snapshot to review.
struct Pending {
    file: PathBuf,
    name: String,
    old: Option<String>,
    new: String,
}

/// Asks for each stored snapshot whether to accept, reject or skip it.
pub(super) fn run(arguments: &ReviewArguments) -> Exit {
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
    found.lost_snapshots.iter().for_each(|path| print(&orphan(path, false)));
    match pending(&found.files).and_then(|waiting| reviewed(&waiting)) {
        Ok(exit) => exit,
        Err(message) => {
            print_error(&message);
            Exit::Invalid
        }
    }
}

/// Returns the snapshots to review. Those that are accepted already are taken off the list.
fn pending(files: &[PathBuf]) -> Result<Vec<Pending>, String> {
    let mut all = Vec::new();
    for file in files.iter().filter(|file| pending_path(file).exists()) {
        let (accepted, pending) = (load(&accepted_path(file))?, load(&pending_path(file))?);
        let (mut open, mut settled) = (Vec::new(), Vec::new());
        for name in pending.names() {
            let (old, new) = (accepted.get(name).map(str::to_owned), pending.get(name).unwrap_or_default().to_owned());
            let list = if old.as_deref() == Some(&*new) { &mut settled } else { &mut open };
            list.push(Pending { file: file.clone(), name: name.to_owned(), old, new });
        }
        if !settled.is_empty() {
            settle(file, &settled, false)?;
        }
        all.append(&mut open);
    }
    Ok(all)
}

/// Asks about each snapshot. What is decided is written at once, so that it is kept however the review ends.
fn reviewed(waiting: &[Pending]) -> Result<Exit, String> {
    let all = waiting.len();
    let mut lines = std::io::stdin().lock().lines();
    let (mut accepted, mut rejected) = (0, 0);
    let mut rest = waiting;
    while let Some(next) = rest.first() {
        print(&shown(next, all - rest.len() + 1, all));
        let (deed, extent) = loop {
            print("accept, reject or skip? [a/r/s, q to quit, ? for help] ");
            match lines.next() {
                Some(Ok(answer)) => match meaning(&answer) {
                    Some(meaning) => break meaning,
                    None => print(HELP),
                },
                Some(Err(error)) => return Err(format!("cannot read the answer: {error}")),
                None => {
                    print("\n");
                    break (Deed::Skip, Extent::All);
                }
            }
        };
        let count = match extent {
            Extent::One => 1,
            Extent::File => rest.iter().take_while(|one| one.file == next.file).count(),
            Extent::All => rest.len(),
        };
        let (decided, left) = rest.split_at(count);
        if deed != Deed::Skip {
            for of_file in decided.chunk_by(|one, other| one.file == other.file) {
                let file = of_file.first().map_or(Path::new(""), |one| &one.file);
                settle(file, of_file, deed == Deed::Accept)?;
            }
        }
        match deed {
            Deed::Accept => accepted += count,
            Deed::Reject => rejected += count,
            Deed::Skip => {}
        }
        rest = left;
    }
    if all == 0 {
        print("no snapshots to review\n");
        return Ok(Exit::Nothing);
    }
    print(&format!("{accepted} accepted, {rejected} rejected, {} to review\n", all - accepted - rejected));
    Ok(Exit::Passed)
}

/// Returns a snapshot as it is shown: its name, its number, and how it differs from the accepted one.
fn shown(one: &Pending, number: usize, all: usize) -> String {
    let file = one_line(&one.file.to_string_lossy());
    let left = match all - number {
        0 => "the last".to_owned(),
        left => format!("{} left after it", counted(left, "snapshot")),
    };
    let differs = all_changes(one.old.as_deref().unwrap_or_default(), &one.new);
    format!("{file}: {} ({number} of {all}, {left})\n{}\n", one_line(&one.name), printable(&differs))
}

/// Removes snapshots of a file from those to review; with `accept`, adds them to the accepted ones. Reads both files
/// again, because another run may have written them since. Each is written whole or not at all, the accepted ones first.
fn settle(file: &Path, decided: &[Pending], accept: bool) -> Result<(), String> {
    let _lock = lock(file)?;
    let (accepted_file, pending_file) = (accepted_path(file), pending_path(file));
    let (before, mut pending) = (load(&accepted_file)?, load(&pending_file)?);
    let mut accepted = before.clone();
    for Pending { name, new, .. } in decided {
        if accept {
            accepted.set(name, new);
        }
        if pending.get(name) == Some(new) {
            pending.remove(name);
        }
    }
    if accepted != before {
        save(&accepted_file, &accepted)?;
    }
    save(&pending_file, &pending)
}
