//! The set-up flags, shared by all commands that can begin with a game's set-up.

use std::path::{Path, PathBuf};

use clap::Args;

use super::flags::SET_UP;
use referee_scenario::{Players, SetUp};

/// The word for each number of players, one after the other.
pub(super) const ALL: &str = "all";

#[derive(Clone, Debug, Args)]
pub(super) struct SetUpArguments {
    /// Variant of a game's set-up [default: the first]
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,
    /// House rule of a game's set-up; may be given several times
    #[arg(long = "house", value_name = "NAME")]
    houses: Vec<String>,
    /// Option of a game's set-up; may be given several times
    #[arg(long = "with", value_name = "OPTION=VALUE", value_parser = option)]
    options: Vec<(String, String)>,
    /// Players of a game's set-up: names, as in "red blue", or a number [default: the fewest possible]
    #[arg(long, value_name = "WHO", value_parser = players)]
    players: Option<Players>,
}

impl SetUpArguments {
    /// Returns whether no set-up flag was used.
    pub(super) fn is_empty(&self) -> bool {
        self.variant.is_none() && self.houses.is_empty() && self.options.is_empty() && self.players.is_none()
    }

    /// Returns whether the user chose the players.
    pub(super) const fn names_players(&self) -> bool {
        self.players.is_some()
    }

    /// Returns whether the user asks for each number of players.
    pub(super) fn names_all_players(&self) -> bool {
        matches!(&self.players, Some(Players::Named(names)) if names.len() == 1 && names.iter().any(|name| name == ALL))
    }

    /// Returns the flags with their values.
    pub(super) fn words(&self) -> Vec<String> {
        let players = match &self.players {
            None | Some(Players::Fewest) => None,
            Some(Players::First(count)) => Some(count.to_string()),
            Some(Players::Named(names)) => Some(names.join(" ")),
        };
        let variant = self.variant.iter().map(|variant| (SET_UP.variant, variant.clone()));
        let houses = self.houses.iter().map(|house| (SET_UP.house, house.clone()));
        let options = self.options.iter().map(|option| (SET_UP.option, written(option)));
        let players = players.into_iter().map(|players| (SET_UP.players, players));
        let pairs = variant.chain(houses).chain(options).chain(players);
        pairs.flat_map(|(flag, value)| [flag.to_owned(), value]).collect()
    }

    /// Returns this set-up of a game.
    pub(super) fn of(&self, game: &str) -> SetUp {
        SetUp {
            game: game.to_owned(),
            variant: self.variant.clone(),
            players: self.players.clone().unwrap_or_default(),
            houses: self.houses.clone(),
            options: self.options.clone(),
            flags: SET_UP,
        }
    }
}

/// Returns an option and its value as the command line has them.
pub(super) fn written((option, value): &(String, String)) -> String {
    format!("{option}={value}")
}

/// Parses `goal=1` or `goal = 1`.
pub(super) fn option(text: &str) -> Result<(String, String), String> {
    let word = |word: &str| !word.is_empty() && !word.contains(|letter: char| letter.is_whitespace() || letter == '"');
    let pair = text.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
    let pair = pair.filter(|(name, value)| word(name) && word(value));
    pair.map(|(name, value)| (name.to_owned(), value.to_owned()))
        .ok_or_else(|| "expected an option and its value, such as `goal=1`".into())
}

pub(super) fn players(text: &str) -> Result<Players, String> {
    if let Ok(count) = text.trim().parse() {
        return Ok(Players::First(count));
    }
    let names: Vec<String> = text.split([' ', ',']).filter(|name| !name.is_empty()).map(str::to_owned).collect();
    if names.is_empty() {
        Err("expected names of players or their number".to_owned())
    } else {
        Ok(Players::Named(names))
    }
}

/// Returns the file of the game in a folder that has the name of a game, `games/pig` for `games/pig/pig.game`; any other
/// path as it is.
pub(super) fn file_of(path: &Path) -> PathBuf {
    let named = |name: &std::ffi::OsStr| path.join(format!("{}.game", name.to_string_lossy()));
    let inside = path.file_name().filter(|_| path.is_dir()).map(named);
    inside.filter(|file| file.is_file()).unwrap_or_else(|| path.to_path_buf())
}

/// Returns the game whose file is at this path, and the folder to search for it by name.
pub(super) fn game_at(file: &Path) -> Option<(String, PathBuf)> {
    let is_game = file.extension().is_some_and(|extension| extension == "game");
    let name = file.file_stem().filter(|_| is_game)?.to_string_lossy().into_owned();
    let folder = match file.parent() {
        Some(folder) if folder.as_os_str().is_empty() => PathBuf::from(".."),
        Some(folder) if folder.parent().is_some() && folder.file_name().is_some() => match folder.parent() {
            Some(above) if above.as_os_str().is_empty() => PathBuf::from("."),
            Some(above) => above.to_path_buf(),
            None => PathBuf::from(".."),
        },
        Some(folder) => folder.join(".."),
        None => return None,
    };
    Some((name, folder))
}
