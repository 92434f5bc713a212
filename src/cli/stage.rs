//! The flags for the start of random games, shared by the commands that play them.

use std::path::{Path, PathBuf};

use clap::Args;

use super::Exit;
use super::output::print_errors;
use super::set_up::{SetUpArguments, file_of, game_at};
use referee_diagnostic::Diagnostic;
use referee_scenario::{LoaderOptions, NoStage, Origin};

/// The maximum number of games in a run.
pub(super) const MAX_GAMES: u64 = 1_000_000_000_000;
/// The maximum number of turns in a game.
pub(super) const MAX_TURNS: u64 = 1_000_000_000;

#[derive(Debug, Args)]
pub(super) struct StageArguments {
    /// Name of a game, or its file or folder
    game: String,
    #[command(flatten)]
    set_up: SetUpArguments,
    /// Begin at the end of a scenario of this file instead of the set-up
    #[arg(long, value_name = "FILE", conflicts_with_all = ["variant", "houses", "options", "players"])]
    from: Option<PathBuf>,
    /// With `--from`: use the scenario whose title contains this text [default: the first]
    #[arg(long, value_name = "TEXT", requires = "from")]
    scenario: Option<String>,
    #[command(flatten)]
    games: GamesArguments,
}

/// The flag `--games`.
#[derive(Debug, Args)]
pub(super) struct GamesArguments {
    /// Look for games in this folder first, as in other commands; a number N instead is how many games to play
    #[arg(long, value_name = "N|DIR", value_parser = games)]
    games: Vec<Games>,
}

/// The value of `--games`: a folder, as in other commands, or a number, because users expect that here.
#[derive(Clone, Debug)]
enum Games {
    Count(u64),
    Folder(PathBuf),
}

fn games(text: &str) -> Result<Games, String> {
    match text.parse() {
        Ok(count) if (1..=MAX_GAMES).contains(&count) => Ok(Games::Count(count)),
        Ok(_) => Err(format!("expected a number of games from 1 to {MAX_GAMES}")),
        Err(_) => super::arguments::folder(text).map(Games::Folder),
    }
}

impl GamesArguments {
    /// Returns the number of games to play, if `--games` says it.
    pub(super) fn count(&self) -> Option<u64> {
        self.games.iter().rev().find_map(|games| match games {
            Games::Count(count) => Some(*count),
            Games::Folder(_) => None,
        })
    }

    /// Returns an error message if one of its two meanings is given twice.
    pub(super) fn twice(&self) -> Option<&'static str> {
        let folders = self.games.iter().filter(|games| matches!(games, Games::Folder(_))).count();
        match (self.games.len() - folders, folders) {
            (2.., _) => Some("`--games` is given two numbers of games; give one"),
            (_, 2..) => Some("`--games` is given two folders; give one"),
            _ => None,
        }
    }

    /// Returns the folder to search first for games.
    pub(super) fn folder(&self) -> Option<&PathBuf> {
        self.games.iter().rev().find_map(|games| match games {
            Games::Folder(folder) => Some(folder),
            Games::Count(_) => None,
        })
    }
}

impl StageArguments {
    /// Returns an error message for flags that contradict each other.
    pub(super) fn twice(&self) -> Option<&'static str> {
        self.games.twice()
    }

    /// Returns the number of games to play, if `--games` says it.
    pub(super) fn games(&self) -> Option<u64> {
        self.games.count()
    }

    /// Returns whether the user chose the players.
    pub(super) const fn names_players(&self) -> bool {
        self.set_up.names_players() || self.from.is_some()
    }

    /// Returns whether the user asks for each number of players.
    pub(super) fn names_all_players(&self) -> bool {
        self.set_up.names_all_players() && self.from.is_none()
    }

    /// Returns the start of the games, and where they are searched for.
    pub(super) fn origin(&self) -> (Origin, LoaderOptions) {
        let file = file_of(Path::new(&self.game));
        let beside = game_at(&file).filter(|_| file.exists());
        let (game, folder) = match beside {
            Some((game, folder)) => (game, Some(folder)),
            None => (self.game.clone(), self.games.folder().cloned()),
        };
        let origin = match &self.from {
            Some(file) => Origin::Scenario { file: file.clone(), title: self.scenario.clone(), game },
            None => Origin::SetUp(self.set_up.of(&game)),
        };
        (origin, super::arguments::options(folder.as_ref()))
    }

    /// Returns the arguments that lead to the same start.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words = vec![self.game.clone()];
        words.extend(self.set_up.words());
        let pairs = [("--from", self.from.as_ref().map(|file| file.to_string_lossy().into_owned()))];
        let pairs = pairs.into_iter().chain([
            ("--scenario", self.scenario.clone()),
            ("--games", self.games.folder().map(|folder| folder.to_string_lossy().into_owned())),
        ]);
        for (flag, value) in pairs {
            words.extend(value.into_iter().flat_map(|value| [flag.to_owned(), value]));
        }
        words
    }

    /// Returns whether games begin at the set-up, so that flags may change its options.
    pub(super) const fn is_set_up(&self) -> bool {
        self.from.is_none()
    }

    /// Returns the file of the scenario with which games begin; an empty path for a set-up.
    pub(super) fn file(&self) -> PathBuf {
        self.from.clone().unwrap_or_default()
    }
}

/// Prints why games cannot begin; returns the exit code.
pub(super) fn not_begun(why: &NoStage) -> Exit {
    print_errors(why.problems());
    match why {
        NoStage::NoScenario(_) => Exit::Nothing,
        NoStage::Over(_) | NoStage::Wrong(_) => exit_of(why.problems()),
    }
}

/// Returns the exit code of a run that cannot begin. An error in an argument is a usage error.
pub(super) fn exit_of(problems: &[Diagnostic]) -> Exit {
    let in_text = |problem: &Diagnostic| problem.labels.first().is_some_and(|label| !label.source.is_file());
    if problems.iter().all(in_text) { Exit::Usage } else { Exit::Invalid }
}
