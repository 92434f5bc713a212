//! Resolves the arguments of `referee test`: files, folders, a line of a file, all scenarios of a game.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::discover::{self, Found};
use super::disk::Disk;
use super::set_up::game_at;
use referee_diagnostic::did_you_mean;
use referee_game::SearchPath;
use referee_scenario::Suite;

/// The folders that are searched without a path.
const FOLDERS: [&str; 2] = ["scenarios", "games"];
/// The extensions of files that may contain scenarios.
const EXTENSIONS: [&str; 2] = ["scenario", "md"];

/// The tests of a file that an argument selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pick {
    /// All.
    All,
    /// Those of this game.
    Game(String),
    /// Those of the scenario, branch or row on this line.
    Line(usize),
}

/// The files to process, and the tests selected in each.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    pub(super) found: Found,
    /// For each file the indices of the arguments that select it.
    picks: BTreeMap<PathBuf, Vec<usize>>,
    /// The arguments as written, each with its selection.
    pub(super) arguments: Vec<(String, Pick)>,
}

impl Wanted {
    /// Resolves these arguments; without any, selects everything in the folders `scenarios` and `games`.
    ///
    /// # Errors
    /// Returns an error message if an argument names nothing.
    pub(super) fn of(arguments: &[PathBuf], search_path: &SearchPath<'_>) -> Result<Self, String> {
        let mut wanted = Self::default();
        if arguments.is_empty() {
            wanted.add(String::new(), Pick::All, &standing(&[]))?;
        }
        for argument in arguments {
            let written = argument.to_string_lossy().into_owned();
            if let Some((game, folder)) = game_at(argument).filter(|_| argument.exists()) {
                wanted.add(written, Pick::Game(game), &standing(&[folder]))?;
            } else if argument.symlink_metadata().is_ok() {
                // A dangling link exists, and is reported when it is read.
                wanted.add(written, Pick::All, std::slice::from_ref(argument))?;
            } else if let Some((file, line)) = line_of(&written) {
                wanted.add(written.clone(), Pick::Line(line), &[file])?;
            } else if is_word(argument) && search_path.games(Path::new("")).contains(&written) {
                let own: Vec<PathBuf> = search_path.folder(&written).into_iter().collect();
                wanted.add(written.clone(), Pick::Game(written), &standing(&own))?;
            } else {
                return Err(unknown(argument, &written, search_path));
            }
        }
        Ok(wanted)
    }

    /// Returns whether every argument selects all tests of the files that it names.
    pub(super) fn is_whole(&self) -> bool {
        self.arguments.iter().all(|(_, pick)| *pick == Pick::All)
    }

    fn add(&mut self, written: String, pick: Pick, paths: &[PathBuf]) -> Result<(), String> {
        let found = discover::files(&Disk, paths, &EXTENSIONS)?;
        let at = self.arguments.len();
        self.arguments.push((written, pick));
        for file in found.files {
            let real = std::fs::canonicalize(&file).unwrap_or_else(|_| file.clone());
            if !self.picks.contains_key(&real) {
                self.found.files.push(file);
            }
            self.picks.entry(real).or_default().push(at);
        }
        for unread in found.unread {
            if !self.found.unread.iter().any(|(path, _)| *path == unread.0) {
                self.found.unread.push(unread);
            }
        }
        for lost in found.lost_snapshots {
            if !self.found.lost_snapshots.contains(&lost) {
                self.found.lost_snapshots.push(lost);
            }
        }
        for game in found.games {
            if !self.found.games.contains(&game) {
                self.found.games.push(game);
            }
        }
        Ok(())
    }

    /// Returns which tests of the suite of file `at` are selected, and the indices of the arguments that select any.
    pub(super) fn tests(&self, at: usize, suite: &Suite) -> (Vec<bool>, Vec<usize>) {
        let mut meant = vec![false; suite.tests.len()];
        let mut used = Vec::new();
        for (argument, own) in self.picked(at, suite) {
            let is_all = self.arguments.get(argument).is_some_and(|(_, pick)| *pick == Pick::All);
            if own.contains(&true) || is_all {
                used.push(argument);
            }
            meant.iter_mut().zip(own).for_each(|(meant, own)| *meant |= own);
        }
        (meant, used)
    }

    /// Returns the indices of the arguments that name file `at`, each with the tests of its suite that it selects.
    fn picked(&self, at: usize, suite: &Suite) -> Vec<(usize, Vec<bool>)> {
        let file = self.found.files.get(at);
        let real = file.map(|file| std::fs::canonicalize(file).unwrap_or_else(|_| file.clone()));
        let arguments = real.and_then(|real| self.picks.get(&real)).into_iter().flatten();
        let own = |pick: &Pick| match pick {
            Pick::All => vec![true; suite.tests.len()],
            Pick::Game(game) => suite.tests.iter().map(|test| test.may_be_of(game)).collect(),
            Pick::Line(line) => suite.tests_at(*line),
        };
        arguments.filter_map(|at| Some((*at, own(&self.arguments.get(*at)?.1)))).collect()
    }

    /// Returns a message for each argument that selects no test.
    pub(super) fn missed(&self, used: &[usize], suites: &[&Suite]) -> Vec<String> {
        let missed = self.arguments.iter().enumerate().filter(|(at, _)| !used.contains(at));
        missed
            .filter_map(|(at, (written, pick))| match pick {
                Pick::All => None,
                Pick::Game(game) => Some(format!(
                    "no scenario of the game `{game}` in the folders {} or in the folder of the game\nwrite one, with a line `use {game}`",
                    FOLDERS.map(|folder| format!("`{folder}`")).join(" and ")
                )),
                Pick::Line(line) => {
                    let place = |(place, _): &(usize, &&Suite)| {
                        let file = self.found.files.get(*place);
                        let real = file.map(|file| std::fs::canonicalize(file).unwrap_or_else(|_| file.clone()));
                        real.and_then(|real| self.picks.get(&real)).is_some_and(|picks| picks.contains(&at))
                    };
                    let suite = suites.iter().enumerate().find(place).map(|(_, suite)| *suite);
                    // A file that cannot be read is reported as such.
                    // One whose test is of another game is reported as such.
                    let suite = suite.filter(|suite| !suite.is_unread() && !suite.tests_at(*line).contains(&true))?;
                    let mut lines: Vec<String> = suite.tests.iter().map(|test| test.line.to_string()).collect();
                    lines.dedup();
                    let more = if lines.len() > 9 { " …" } else { "" };
                    lines.truncate(9);
                    let help = match lines.is_empty() {
                        true => "the file has no scenarios".to_owned(),
                        false => format!("name a line on which a test begins: {}{more}", lines.join(", ")),
                    };
                    Some(format!("no scenario at {written}\n{help}"))
                }
            })
            .collect()
    }

    /// Returns which tests of this game in the suite of file `at` are selected, and the indices of the arguments that
    /// select any of them.
    pub(super) fn tests_of(&self, game: &str, at: usize, suite: &Suite) -> (Vec<usize>, Vec<usize>) {
        let is_own = |test: &usize| suite.tests.get(*test).is_some_and(|test| test.may_be_of(game));
        let (mut tests, mut used) = (BTreeSet::new(), Vec::new());
        for (argument, meant) in self.picked(at, suite) {
            let own = meant.iter().enumerate().filter(|(_, meant)| **meant).map(|(test, _)| test).filter(is_own);
            let own: Vec<usize> = own.collect();
            used.extend((!own.is_empty()).then_some(argument));
            tests.extend(own);
        }
        (tests.into_iter().collect(), used)
    }

    /// Returns a message for each argument that selects no test of this game: those of [`Self::missed`], otherwise others.
    pub(super) fn missed_of(&self, game: &str, used: &[usize], suites: &[&Suite]) -> Vec<String> {
        let arguments = self.arguments.iter().enumerate();
        // That another game has no scenarios here is not what was asked.
        let others = arguments.clone().filter(|(_, (_, pick))| matches!(pick, Pick::Game(other) if other != game));
        let besides: Vec<usize> = used.iter().copied().chain(others.map(|(at, _)| at)).collect();
        let missed = self.missed(&besides, suites);
        if !missed.is_empty() {
            return missed;
        }
        let missed = arguments.filter(|(at, (_, pick))| !used.contains(at) && *pick != Pick::Game(game.to_owned()));
        missed.map(|(_, (written, _))| format!("no scenario of the game `{game}` in {written}")).collect()
    }

    /// Returns the message for a run without tests.
    pub(super) fn nothing(&self, title: Option<&str>) -> String {
        let pathless = matches!(self.arguments.as_slice(), [(written, _)] if written.is_empty());
        match title {
            Some(title) if !self.found.files.is_empty() => {
                format!("no scenarios found: no title contains `{title}`\nrun `referee test -v` to list the titles\n")
            }
            _ if pathless => "no scenarios found in the folders `scenarios` and `games`\n\
                 run `referee new NAME` to create a game with scenarios, or `referee games` to list the available games\n"
                .to_owned(),
            _ => "no scenarios found\n".to_owned(),
        }
    }
}

/// Returns the folders that are searched without a path, and these, as far as they exist.
pub(super) fn standing(besides: &[PathBuf]) -> Vec<PathBuf> {
    let folders = FOLDERS.iter().map(PathBuf::from).chain(besides.iter().cloned());
    folders.filter(|folder| folder.symlink_metadata().is_ok()).collect()
}

/// Splits `a.scenario:12` into the file and the line.
fn line_of(written: &str) -> Option<(PathBuf, usize)> {
    let (file, line) = written.rsplit_once(':')?;
    // Messages have a column too: `a.scenario:12:5`.
    let (file, line) = match file.rsplit_once(':') {
        Some((before, number)) if !Path::new(file).exists() && number.parse::<usize>().is_ok() => (before, number),
        _ => (file, line),
    };
    let path = PathBuf::from(file);
    Some((path, line.parse().ok()?)).filter(|(path, _)| path.is_file())
}

/// Returns whether an argument may be the name of a game.
fn is_word(argument: &Path) -> bool {
    argument.extension().is_none() && argument.components().count() == 1
}

/// Returns the message for an argument that names nothing.
fn unknown(argument: &Path, written: &str, search_path: &SearchPath<'_>) -> String {
    let (what, games) = match is_word(argument) {
        true => ("file, folder or game", search_path.games(Path::new(""))),
        false => ("file or folder", Vec::new()),
    };
    let near = discover::near(argument).or_else(|| did_you_mean(written, games.iter().map(String::as_str)));
    let help = near.unwrap_or_else(|| {
        "name scenario files, folders, a line as in `FILE:12`, or a game; without arguments, the folders `scenarios` and `games` are searched"
            .to_owned()
    });
    format!("no such {what}: `{written}`\n{help}")
}
