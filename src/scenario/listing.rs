//! What a game offers to those who choose what to play.

use std::path::Path;
use std::sync::Arc;

use crate::scenario::judge::Judge;
use crate::diagnostic::Diagnostic;
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

impl Judge<'_> {
    /// Returns the game of this name, found from the working folder, its rules and house rules compiled.
    ///
    /// # Errors
    /// Returns everything that is wrong with its files.
    pub fn listed(&mut self, id: &str) -> Result<Listed, Vec<Diagnostic>> {
        let asked = Diagnostic::general("unknown_game", format!("there is no game `{id}`"));
        let game = self.game(Path::new(""), id, &asked)?;
        let mut houses = Vec::new();
        for name in game.house_names(&self.shelf).map_err(|wrong| vec![*wrong])? {
            let asked = Diagnostic::general("unknown_house", format!("cannot read the house rule `{name}`"));
            let house = game.house(&self.shelf, &name, &asked).map_err(|wrong| vec![*wrong])?;
            let first = house.source.text().lines().next().and_then(|line| line.strip_prefix("///"));
            let title = first.unwrap_or_default().trim().to_owned();
            self.program(&game, &[house])?;
            houses.push(ListedHouse { name, title });
        }
        Ok(Listed { schema: Arc::clone(&game.schema), houses, bundled: game.is_built_in() })
    }
}
