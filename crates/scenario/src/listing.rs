//! Lists the house rules, options and variants of a game.

use std::path::Path;
use std::sync::Arc;

use crate::loader::Loader;
use referee_diagnostic::{Code, Diagnostic};
use referee_source::Source;
use referee_table::{GameOption, Schema};

/// A game that can be played.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The declarations of the game.
    pub schema: Arc<Schema>,
    /// The house rules of the game.
    pub houses: Vec<ListedHouse>,
    /// The text of its rules.
    pub rules: Arc<Source>,
    /// Whether the game is bundled with the program.
    pub bundled: bool,
}

/// A house rule of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedHouse {
    /// The name.
    pub name: String,
    /// The title of its line `house`, or the description at the top of the script; empty if it has none.
    pub title: String,
    /// The options that it declares.
    pub options: Vec<GameOption>,
}

/// Returns the game of this name, searched from the working folder. Compiles its rules and house rules.
///
/// # Errors
/// Returns all errors in the files of the game.
pub fn listed(loader: &mut Loader<'_>, id: &str) -> Result<Listed, Vec<Diagnostic>> {
    let asked = Diagnostic::general(Code::UnknownGame, format!("unknown game `{id}`"));
    let game = loader.game(Path::new(""), id, &asked)?;
    let mut houses = Vec::new();
    for house in loader.houses(&game).map_err(|wrong| vec![*wrong])? {
        let (name, title) = (house.name.clone(), house.title());
        let of_base = game.schema.options.len();
        let housed = loader.housed(&game, std::slice::from_ref(&house))?;
        let options = housed.schema.options.iter().skip(of_base).cloned().collect();
        loader.program(&game, &[house])?;
        houses.push(ListedHouse { name, title, options });
    }
    let (schema, rules) = (Arc::clone(&game.schema), Arc::clone(&game.rules));
    Ok(Listed { schema, houses, rules, bundled: game.is_built_in() })
}
