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
use referee_syntax::ast::File;
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
    declaring.properties();
    declaring.forms();
    declaring.options();
    declaring.symmetries();
    // Each subject was read by itself.
    declaring.schema.declarations.sort_by_key(|declaration| declaration.place.1);
    let wrong = declaring.wrong.into_iter().map(Diagnostic::with_strange_character).collect();
    (declaring.schema, wrong)
}

/// Declares the variants of a game, after everything else including the cards.
pub(super) fn variants(file: &File, schema: &mut Schema, boards: &Boards, wrong: &mut Vec<Diagnostic>) {
    let schema_so_far = std::mem::replace(schema, Schema::empty());
    let mut declaring = Declaring::new(file, schema_so_far, false);
    declaring.variants(boards);
    *schema = declaring.schema;
    wrong.extend(declaring.wrong.into_iter().map(Diagnostic::with_strange_character));
}
