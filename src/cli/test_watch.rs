//! `referee test --watch`: runs the tests affected by a change again.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::Exit;
use super::disk::Disk;
use super::output::{print, print_error};
use super::test_arguments::TestArguments;
use super::test_run::once;
use super::wanted::Wanted;
use referee_diagnostic::one_line;
use referee_game::SearchPath;
use referee_scenario::Suite;

/// The time without a further change after which the tests are run: an editor changes a file in several steps.
const QUIET: Duration = Duration::from_millis(20);

/// The extensions of the files of a game.
const GAME_FILES: [&str; 6] = ["game", "house", "rhai", "yaml", "yml", "md"];

/// Clears the terminal and its scrollback.
const CLEAR: &str = "\u{1b}[2J\u{1b}[3J\u{1b}[H";

/// The files and games of the last run, for the next change.
#[derive(Default)]
struct Known {
    /// The scenario files, each with its real path and the folders of the games that its tests play; `None` if a test
    /// has errors, so that it may play any.
    files: Vec<(PathBuf, PathBuf, Option<BTreeSet<PathBuf>>)>,
}

/// Runs the tests, and again after each change. Returns only if the folders cannot be watched.
pub(super) fn run(arguments: &TestArguments) -> Exit {
    let (send, changes) = channel();
    let watcher = notify::recommended_watcher(move |event| drop(send.send(event)));
    let mut watcher = match watcher {
        Ok(watcher) => watcher,
        Err(error) => return unwatched(&error),
    };
    let mut watched = BTreeSet::new();
    // Watched before the first run, so that no change is missed during it.
    if let Err(error) = watch(&mut watcher, &mut watched, places(arguments)) {
        return unwatched(&error);
    }
    let mut known = Known::default();
    let mut only = None;
    loop {
        let (exit, suites) = once(arguments, only.as_ref());
        if exit == Exit::Usage && known.files.is_empty() {
            return exit;
        }
        known.add(&suites, only.is_none());
        let games = known.files.iter().filter_map(|(_, _, games)| games.as_ref()).flatten().cloned();
        if let Err(error) = watch(&mut watcher, &mut watched, games.collect()) {
            return unwatched(&error);
        }
        print("watching for changes; Ctrl-C ends\n");
        let Some(touched) = next_change(arguments, &changes, &known) else { return Exit::Usage };
        if std::io::stdout().is_terminal() {
            print(CLEAR);
        }
        let names: Vec<String> = touched.changed.iter().map(|path| one_line(&path.to_string_lossy())).collect();
        print(&format!("changed: {}\n", names.join(", ")));
        only = Some(touched.files);
    }
}

fn unwatched(error: &notify::Error) -> Exit {
    print_error(&format!("cannot watch for changes: {error}"));
    Exit::Usage
}

/// Returns the folders in which the scenarios are, and those of the games beside them.
fn places(arguments: &TestArguments) -> BTreeSet<PathBuf> {
    let own = arguments.paths.iter().map(|path| {
        let written = path.to_string_lossy();
        let file = written.rsplit_once(':').map_or(path.clone(), |(file, _)| PathBuf::from(file));
        let file = if path.exists() { path.clone() } else { file };
        if file.is_dir() { file } else { file.parent().map(Path::to_path_buf).unwrap_or_default() }
    });
    let usual = ["scenarios", "games"].map(PathBuf::from);
    let all = own.chain(usual).chain(arguments.games.clone());
    let here = |folder: PathBuf| if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
    all.map(here).filter(|folder| folder.is_dir()).collect()
}

/// Watches folders that are not watched yet.
fn watch(
    watcher: &mut RecommendedWatcher,
    watched: &mut BTreeSet<PathBuf>,
    folders: BTreeSet<PathBuf>,
) -> Result<(), notify::Error> {
    for folder in folders {
        let real = real(&folder);
        if real.is_dir() && !watched.iter().any(|other| real.starts_with(other)) {
            watcher.watch(&real, RecursiveMode::Recursive)?;
            watched.insert(real);
        }
    }
    Ok(())
}

fn real(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}

/// The scenario files affected by a change.
struct Touched {
    changed: BTreeSet<PathBuf>,
    /// The scenario files to run.
    files: BTreeSet<PathBuf>,
}

/// Waits for changes that touch a scenario file; `None` if there can be no more.
fn next_change(arguments: &TestArguments, changes: &Receiver<notify::Result<Event>>, known: &Known) -> Option<Touched> {
    let folder = real(&std::env::current_dir().unwrap_or_default());
    loop {
        let mut paths: BTreeSet<PathBuf> = changed(changes.recv().ok()?);
        while let Ok(more) = changes.recv_timeout(QUIET) {
            paths.extend(changed(more));
        }
        let options = super::arguments::options(arguments.games.as_ref());
        let search_path = SearchPath::new(&Disk, options.games.clone(), options.working_folder);
        // A file may be new or gone.
        let now = Wanted::of(&arguments.paths, &search_path).map(|wanted| wanted.found.files).unwrap_or_default();
        let mut files = BTreeSet::new();
        let touching = |path: &&PathBuf| {
            let own = known.touched(path, &now);
            let touches = !own.is_empty();
            files.extend(own);
            touches
        };
        let short = |path: &PathBuf| path.strip_prefix(&folder).unwrap_or(path).to_path_buf();
        let changed: BTreeSet<PathBuf> = paths.iter().filter(touching).map(short).collect();
        if !files.is_empty() {
            return Some(Touched { changed, files });
        }
    }
}

/// Returns the files that an event changed; none for one that only read them.
fn changed(event: notify::Result<Event>) -> BTreeSet<PathBuf> {
    let event = event.ok().filter(|event| !matches!(event.kind, EventKind::Access(_)));
    event.into_iter().flat_map(|event| event.paths).collect()
}

impl Known {
    /// Notes the files of a run and the games that they play; forgets all others if the run was one of all files.
    fn add(&mut self, suites: &[Suite], all: bool) {
        if all {
            self.files.clear();
        }
        for suite in suites {
            let file = PathBuf::from(&*suite.file);
            let games = suite.tests.iter().map(|test| {
                let rules = test.start().is_some().then(|| test.rules())?;
                Some(rules.and_then(|rules| Some(real(Path::new(rules).parent()?))))
            });
            let games: Option<Vec<Option<PathBuf>>> = games.collect();
            let games = games.filter(|_| suite.problems.is_empty());
            self.files.retain(|(other, _, _)| *other != file);
            let real = real(&file);
            self.files.push((file, real, games.map(|games| games.into_iter().flatten().collect())));
        }
    }

    /// Returns which of the files `now` a changed file touches: itself, or all with a test of the game that it belongs
    /// to.
    fn touched(&self, path: &Path, now: &[PathBuf]) -> Vec<PathBuf> {
        let own: Vec<PathBuf> = now.iter().filter(|file| real(file) == path).cloned().collect();
        let is_game = path.extension().is_some_and(|own| GAME_FILES.iter().any(|extension| own == *extension));
        let of_game = self.files.iter().filter(|(file, _, games)| {
            let plays = games.as_ref().is_none_or(|games| games.iter().any(|game| path.starts_with(game)));
            is_game && plays && now.contains(file)
        });
        let mut all: BTreeSet<PathBuf> = of_game.map(|(file, _, _)| file.clone()).collect();
        all.extend(own);
        all.into_iter().collect()
    }
}
