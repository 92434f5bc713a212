//! Builds a schema from the lines of a `.game` file: checks that names are unique, and kinds and values valid.

mod board;
mod cards;
mod declaring;
mod dice;
mod options;
mod pieces;
mod variants;
mod words;

use std::sync::Arc;

use crate::boards::Boards;
use referee_diagnostic::Diagnostic;
use referee_syntax::ast::{File, Line};
use referee_table::{Graph, Schema};

pub use board::{arrows, board_spec, game_board_spec};
pub(super) use cards::add_cards;
use declaring::Declaring;

/// Returns the declarations of a `.game` file, and all errors in them.
///
/// If lines could not be read (`unread`), leaves out errors that these lines may have caused. `graphs` are those whose files the
/// lines name.
pub(super) fn schema(
    file: &File,
    folder: &str,
    (unread, graphs): (bool, Vec<Arc<Graph>>),
    boards: &Boards,
) -> (Schema, Vec<Diagnostic>) {
    let mut declaring = Declaring::new(file, Schema { graphs, ..Schema::empty() }, unread);
    declaring.headline(folder);
    declaring.players();
    declaring.board();
    declaring.dice();
    pieces::declare(&mut declaring, boards);
    declaring.zones();
    declaring.cards();
    declaring.properties(boards);
    declaring.forms();
    declaring.options();
    declaring.symmetries();
    // Each subject was read by itself.
    declaring.schema.declarations.sort_by_key(|declaration| declaration.place.1);
    settle(&mut declaring.schema);
    let wrong = declaring.wrong.into_iter().map(Diagnostic::with_strange_character).collect();
    (declaring.schema, wrong)
}

/// Declares the variants of a game, after everything else including the cards. `over` are the lines of house rules about
/// the set-up, which apply to every variant, over its own lines.
pub(super) fn variants(file: &File, over: &[Line], schema: &mut Schema, boards: &Boards, wrong: &mut Vec<Diagnostic>) {
    let schema_so_far = std::mem::replace(schema, Schema::empty());
    let mut declaring = Declaring::new(file, schema_so_far, false);
    declaring.variants(over, boards);
    *schema = declaring.schema;
    settle(schema);
    wrong.extend(declaring.wrong.into_iter().map(Diagnostic::with_strange_character));
}

/// Gives each declaration of a file with house rules its location in the text that has it.
fn settle(schema: &mut Schema) {
    for declaration in &mut schema.declarations {
        let (joined, span) = &declaration.place;
        let place = joined.of_part(*span);
        declaration.line = joined.of_part(declaration.line).1;
        declaration.title = declaration.title.map(|title| joined.of_part(title).1);
        declaration.place = place;
    }
}
