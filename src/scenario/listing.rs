//! What a game offers to those who choose what to play.

use std::path::Path;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::scenario::loader::Loader;
use crate::table::Schema;

/// A game that can be played.
#[derive(Clone, Debug)]
pub struct Listed {
    /// What it declares.
    pub schema: Arc<Schema>,
    /// Its house rules.
    pub houses: Vec<ListedHouse>,
    /// Whether it is bundled with the program.
    pub bundled: bool,
}

/// A house rule of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedHouse {
    /// Its name.
    pub name: String,
    /// The description at the top of its script; empty if it has none.
    pub title: String,
}

/// Returns the game of this name, found from the working folder, its rules and house rules compiled.
///
/// # Errors
/// Returns everything that is wrong with its files.
pub fn listed(loader: &mut Loader<'_>, id: &str) -> Result<Listed, Vec<Diagnostic>> {
    let asked = Diagnostic::general("unknown_game", format!("there is no game `{id}`"));
    let game = loader.game(Path::new(""), id, &asked)?;
    let mut houses = Vec::new();
    for name in game.house_names(&loader.shelf).map_err(|wrong| vec![*wrong])? {
        let asked = Diagnostic::general("unknown_house", format!("cannot read the house rule `{name}`"));
        let house = game.house(&loader.shelf, &name, &asked).map_err(|wrong| vec![*wrong])?;
        let first = house.source.text().lines().next().and_then(|line| line.strip_prefix("///"));
        let title = first.unwrap_or_default().trim().to_owned();
        loader.program(&game, &[house])?;
        houses.push(ListedHouse { name, title });
    }
    Ok(Listed { schema: Arc::clone(&game.schema), houses, bundled: game.is_built_in() })
}
