//! Built-in games with set-up tables, ready to play.

use std::path::Path;
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_game::{Game, SearchPath};
use referee_rules::Program;
use referee_source::{MemoryHost, Source};
use referee_table::{PieceDef, State, Table};

/// A built-in game.
pub(crate) fn game(id: &str) -> Game {
    let host = MemoryHost::default();
    let asked = Diagnostic::general(Code::UnknownGame, "no such game");
    let found = Game::find(&SearchPath::new(&host, None, "/".into()), Path::new("/bench"), id, &asked);
    let Ok(game) = found else { unreachable!("the built-in games can be loaded") };
    game
}

/// Compiles a script for it: its own rules or others.
pub(crate) fn program(game: &Game, rules: &Arc<Source>) -> Program {
    let Ok(program) = Program::load(&game.schema, &[Arc::clone(rules)]) else {
        unreachable!("the script can be compiled")
    };
    program
}

/// Returns an empty table for this number of players.
pub(crate) fn empty(game: &Game, players: usize) -> State {
    let schema = &game.schema;
    let size = |piece: &PieceDef| schema.kinds.get(piece.kind.index()).map_or((1, 1), |kind| kind.size);
    let Ok(board) = schema.build_board(&schema.board) else { unreachable!("the game was checked") };
    State::new(Arc::new(Table {
        schema: Arc::clone(schema),
        board: Arc::new(board),
        variant: 0,
        arrows: Vec::new(),
        turns: referee_table::TurnRules::default(),
        places: referee_table::Places::default(),
        sizes: schema.pieces.iter().map(size).collect(),
        players: (0..players).map(referee_table::PlayerId::at).collect(),
        options: schema.options.iter().map(|option| option.choice.default()).collect(),
    }))
}

/// Returns the set-up of a variant, or of the game itself if it has none.
pub(crate) fn set_up(game: &Game, variant: Option<&str>, players: usize) -> State {
    let mut state = empty(game, players);
    let variant = game.schema.variants.iter().find(|known| variant.is_none_or(|name| known.name == name));
    for placement in variant.iter().flat_map(|variant| &variant.places) {
        let placed = state.board().cell(&placement.cell).map(|cell| state.put(placement.piece, cell));
        assert!(matches!(placed, Some(Ok(()))));
    }
    state
}
