//! A game named on the command line and its tests in the chosen files, for commands that plan them under other rules.

use std::path::{Path, PathBuf};

use super::Exit;
use super::disk::Disk;
use super::output::{print_error, print_errors};
use super::set_up::{file_of, game_at};
use super::wanted::Wanted;
use super::workers::spread;
use referee_diagnostic::{Diagnostic, did_you_mean};
use referee_game::{SearchPath, misplaced};
use referee_scenario::{Listed, Loader, LoaderOptions, Suite};

/// A game and the files that may have scenarios of it.
pub(super) struct AskedGame {
    pub(super) options: LoaderOptions,
    pub(super) wanted: Wanted,
    pub(super) listed: Listed,
    /// The errors of games that no name finds.
    misplaced: Vec<Diagnostic>,
}

/// The tests of a game in a file.
pub(super) struct OwnTests {
    pub(super) suite: Suite,
    /// Their indices in the suite.
    pub(super) tests: Vec<usize>,
    /// The errors of the file, if one of its scenarios may be of the game.
    problems: Vec<Diagnostic>,
    /// A scenario that plays another game of the same name: its line.
    other: Option<usize>,
    /// The indices of the arguments that selected a test.
    used: Vec<usize>,
}

impl AskedGame {
    /// Finds a game by its name or file, in `folder` first, and the files in `paths`; without any, all files that may have
    /// scenarios of the game.
    ///
    /// # Errors
    /// Prints an error and returns the exit code if there is no such game or file, or if the game has errors.
    pub(super) fn of(named: &Path, folder: Option<&PathBuf>, paths: &[PathBuf]) -> Result<Self, Exit> {
        let named = &file_of(named);
        let (game, beside) = match game_at(named).filter(|_| named.exists()) {
            Some((game, folder)) => (game, Some(folder)),
            None => (named.to_string_lossy().into_owned(), None),
        };
        let options = super::arguments::options(beside.as_ref().or(folder));
        let search_path = SearchPath::new(&Disk, options.games.clone(), options.working_folder.clone());
        let ids = search_path.games(Path::new(""));
        if !ids.contains(&game) {
            let near = did_you_mean(&game, ids.iter().map(String::as_str));
            let near = near.unwrap_or_else(|| "run `referee games` to list the games".to_owned());
            print_error(&format!("unknown game `{game}`\n{near}"));
            return Err(Exit::Usage);
        }
        let own = [named.to_path_buf()];
        let wanted = Wanted::of(if paths.is_empty() { &own } else { paths }, &search_path).map_err(|message| {
            print_error(&message);
            Exit::Usage
        })?;
        let listed =
            spread(1, 1, || Loader::new(&Disk, options.clone()), |loader, _| referee_scenario::listed(loader, &game));
        match listed.into_iter().next() {
            Some(Ok(listed)) => {
                let misplaced = wanted.found.games.iter().filter_map(|path| misplaced(&search_path, path)).collect();
                Ok(Self { options, wanted, listed, misplaced })
            }
            Some(Err(problems)) => {
                print_errors(&problems);
                Err(Exit::Invalid)
            }
            None => Err(Exit::Invalid),
        }
    }

    /// Returns the tests of the game in file `at`.
    pub(super) fn tests(&self, loader: &mut Loader<'_>, at: usize) -> Option<OwnTests> {
        let suite = referee_scenario::plan(loader, self.wanted.found.files.get(at)?);
        let (tests, used) = self.wanted.tests_of(&self.listed.schema.id, at, &suite);
        let problems = if tests.is_empty() && !suite.is_unread() { Vec::new() } else { suite.problems.clone() };
        let mut others = tests.iter().filter_map(|index| suite.tests.get(*index));
        let other = others.find(|test| problems.is_empty() && !test.plays(&self.listed)).map(|test| test.line);
        Some(OwnTests { tests, problems, other, used, suite })
    }

    /// Prints what prevents a report; returns the exit code if there is something. With `all`, every argument must select
    /// a test.
    pub(super) fn refused<'t>(&self, files: impl Iterator<Item = &'t OwnTests> + Clone, all: bool) -> Option<Exit> {
        let mut exit = None;
        for (path, why) in &self.wanted.found.unread {
            print_errors(&Suite::unreadable(path.to_string_lossy().into(), why).problems);
            exit = Some(Exit::Invalid);
        }
        print_errors(&self.misplaced);
        if !self.misplaced.is_empty() {
            exit = Some(Exit::Invalid);
        }
        for file in files.clone() {
            print_errors(&file.problems);
            if let Some(line) = file.other {
                let game = &self.listed.schema.id;
                print_error(&format!(
                    "{}:{line} plays another game named `{game}`\nname its folder of games with `--games DIR`",
                    file.suite.file
                ));
            }
            if !file.is_good() {
                exit = Some(Exit::Invalid);
            }
        }
        if exit.is_none() && all {
            let used: Vec<usize> = files.clone().flat_map(|file| &file.used).copied().collect();
            let suites: Vec<&Suite> = files.map(|file| &file.suite).collect();
            let missed = self.wanted.missed_of(&self.listed.schema.id, &used, &suites);
            missed.iter().for_each(|message| print_error(message));
            exit = (!missed.is_empty()).then_some(Exit::Nothing);
        }
        exit
    }

    /// Returns whether nothing prevents a report.
    pub(super) fn is_good<'t>(&self, mut files: impl Iterator<Item = &'t OwnTests>) -> bool {
        files.all(OwnTests::is_good) && self.wanted.found.unread.is_empty() && self.misplaced.is_empty()
    }
}

impl OwnTests {
    /// Returns whether the tests can be planned under other rules.
    pub(super) const fn is_good(&self) -> bool {
        self.problems.is_empty() && self.other.is_none()
    }
}
