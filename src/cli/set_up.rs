//! What the command line says of a game's set-up: the same for every command that begins with one.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::scenario::{Players, SetUp};

#[derive(Clone, Debug, Args)]
pub(super) struct SetUpArguments {
    /// Of a game's set-up: the variant [default: its first]
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,
    /// Of a game's set-up: a house rule to lay over the rules; may be given several times
    #[arg(long = "house", value_name = "NAME")]
    houses: Vec<String>,
    /// Of a game's set-up: an option; may be given several times
    #[arg(long = "with", value_name = "OPTION=VALUE", value_parser = option)]
    options: Vec<String>,
    /// Of a game's set-up: who plays: names, as in "red blue", or how many [default: as few as the game needs]
    #[arg(long, value_name = "WHO", value_parser = players)]
    players: Option<Players>,
}

impl SetUpArguments {
    /// Returns whether nothing was said.
    pub(super) fn is_empty(&self) -> bool {
        self.variant.is_none() && self.houses.is_empty() && self.options.is_empty() && self.players.is_none()
    }

    /// Returns whether it says who plays.
    pub(super) const fn names_players(&self) -> bool {
        self.players.is_some()
    }

    /// This set-up of a game.
    pub(super) fn of(&self, game: &str) -> SetUp {
        SetUp {
            game: game.to_owned(),
            variant: self.variant.clone(),
            players: self.players.clone().unwrap_or_default(),
            houses: self.houses.clone(),
            options: self.options.clone(),
        }
    }
}

/// `goal=1` or `goal = 1`, as a scenario's line has it.
fn option(text: &str) -> Result<String, String> {
    let word = |word: &str| !word.is_empty() && !word.contains(|letter: char| letter.is_whitespace() || letter == '"');
    let pair = text.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
    let pair = pair.filter(|(name, value)| word(name) && word(value));
    pair.map(|(name, value)| format!("{name} = {value}"))
        .ok_or_else(|| "write an option and its value: `goal=1`".into())
}

fn players(text: &str) -> Result<Players, String> {
    if let Ok(count) = text.trim().parse() {
        return Ok(Players::First(count));
    }
    let names: Vec<String> = text.split([' ', ',']).filter(|name| !name.is_empty()).map(str::to_owned).collect();
    if names.is_empty() {
        Err("write names of players, or how many play".to_owned())
    } else {
        Ok(Players::Named(names))
    }
}

/// Returns the game whose file is at this path, and the folder in which it is found by its name.
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
