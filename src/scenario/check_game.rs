//! Finds all errors of a game and its house rules.

use std::path::Path;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, first_of};
use crate::game::Game;
use crate::scenario::loader::Loader;
use crate::scenario::plan::settings::house_board;

/// Returns all errors of a `.game` file and the files that belong to it, including house rules.
pub fn check_game(loader: &mut Loader<'_>, file: &Path) -> Vec<Diagnostic> {
    let mut wrong = wrong_with_game(loader, file);
    first_of(&mut wrong);
    wrong
}

fn wrong_with_game(loader: &mut Loader<'_>, file: &Path) -> Vec<Diagnostic> {
    let game = match Game::of_file(&loader.shelf, file) {
        Ok(game) => Arc::new(game),
        Err(wrong) => return wrong,
    };
    if let Err(wrong) = loader.program(&game, &[]) {
        return wrong;
    }
    let mut wrong = Vec::new();
    let names = match game.house_names(&loader.shelf) {
        Ok(names) => names,
        Err(unread) => return vec![*unread],
    };
    for name in names {
        let asked = Diagnostic::general("unknown_house", format!("cannot read the house rule `{name}`"));
        match game.house(&loader.shelf, &name, &asked) {
            Err(unread) => wrong.push(*unread),
            Ok(house) => match loader.program(&game, &[house]) {
                Err(more) => wrong.extend(more),
                Ok(program) => {
                    wrong.extend(program.settings().err().into_iter().flatten());
                    wrong.extend(house_board(&game, &program).err().map(|wrong| *wrong));
                }
            },
        }
    }
    wrong
}
