//! Functions that make, join and examine moves.

use rhai::{Array, Dynamic, NativeCallContext};

use super::arguments::count;
use super::pieces::changed;
use super::registry::Api;
use crate::rules::host;
use crate::rules::host::any;
use crate::rules::values::{Moves, Native, failure};
use crate::rules::vm::Kept;
use crate::table::{Cell, Cells, MAX_STEPS, Move, MoveError, Names, PlayerId, State, Value};

pub(super) fn register(api: &mut Api<'_>) {
    paths(api);
    let link = api.link();
    api.add(
        "make(move: move)",
        "Makes a move: takes the pieces on the captured cells off the board and moves the piece on the first cell to \
         the last. It is an error if one of these cells is empty, or if the piece would land on one that is not \
         captured.",
        move |made: &mut Move| {
            link.with(|session| {
                link.meter.work(changed(&session.state));
                session.state.make(made).map_err(|error| impossible(&session.state, made, error))
            })
        },
    );
    api.add("count(moves: moves) -> number", "Returns the number of moves.", |moves: &mut Moves| {
        count(moves.all().len())
    });
    api.add("is_empty(moves: moves) -> bool", "Returns whether there are no moves.", |moves: &mut Moves| {
        moves.all().is_empty()
    });
    let link = api.link();
    api.add(
        "can_move(player: player) -> bool",
        "Returns whether the rules' function `moves` lists any move for a player. The list is kept for the player's \
         turn, so this costs nothing if nothing changes before it.",
        move |ctx: NativeCallContext<'_>, player: PlayerId| host::can_move(&link, &ctx, player),
    );
    let link = api.link();
    api.native("_vm_known", move |player: PlayerId| host::is_known(&link, player));
    let link = api.link();
    api.native("_vm_listed", move |player: PlayerId, options: Dynamic| host::found_out(&link, player, options));
    let link = api.link();
    api.native("_vm_listed", move |player: PlayerId, moves: Moves| host::found_moves(&link, player, &moves));
    let link = api.link();
    api.native("_vm_remembered", move |player: PlayerId| host::remembered(&link, player));
    let link = api.link();
    api.native("_vm_noted", move |player: PlayerId, options: Dynamic| host::listed_now(&link, player, options));
    let link = api.link();
    api.native("_vm_noted", move |player: PlayerId, moves: Moves| host::moves_now(&link, player, moves));
    let link = api.link();
    api.native("_vm_no_move", move |player: PlayerId| host::no_move(&link, player));
    api.native("_vm_none", |options: Dynamic| any(&options).map(|any| !any));
    api.native("_vm_none", |moves: &mut Moves| moves.all().is_empty());
    api.add("no_moves() -> moves", "Returns an empty value of moves. Add a move or moves to it with `+`.", || {
        Moves::new(Default::default())
    });
    api.native("+", |one: &mut Moves, other: Moves| Moves::new([one.all().as_slice(), other.all()].concat()));
    api.native("+", |moves: &mut Moves, one: Move| Moves::new([moves.all().as_slice(), &[one]].concat()));
}

/// Registers paths and their properties.
fn paths(api: &mut Api<'_>) {
    api.add(
        "path(from: cell, to: cell) -> move",
        "Returns a move of one step without a capture. `onward` adds steps, `capturing` adds captures: \
         `path(c3, e5).capturing(d4).onward(g7).capturing(f6)` is written `c3xe5xg7`.",
        |from: Cell, to: Cell| Move::step(from, to, false),
    );
    api.add(
        "onward(move: move, to: cell) -> move",
        "Returns the move with one more step, to this cell.",
        |made: &mut Move, to: Cell| {
            made.onward(to).ok_or_else(|| failure(format!("a move has at most {MAX_STEPS} steps")))
        },
    );
    api.add(
        "capturing(move: move, cells: cell or cells) -> move",
        "Returns the move with a capture on a cell, or on the cells of a set, in its last step. This step is written \
         with `x`.",
        |made: &mut Move, cell: Cell| made.capturing([cell]),
    );
    api.also(|made: &mut Move, cells: Cells| made.capturing(cells.iter()));
    let link = api.link();
    api.add(
        "captured(move: move) -> cells",
        "Returns the cells on which a move captures. In `why_not` the set is empty: the captures of a refused move are \
         unknown.",
        move |made: &mut Move| link.with(|session| Ok(Cells::of(session.state.board().size(), made.captured()))),
    );
    api.add(
        "stops(move: move) -> list",
        "Returns the cells of a move's path in order, including the first and the last.",
        |made: &mut Move| made.cells().map(Dynamic::from).collect::<Array>(),
    );
    api.getter("from", |made: &mut Move| made.from());
    api.getter("to", |made: &mut Move| made.to());
    api.getter("captures", |made: &mut Move| made.captures());
    of_several::<Cell>(api, "from");
    of_several::<Cell>(api, "to");
    of_several::<bool>(api, "captures");
    api.native("==", |one: &mut Move, other: Move| one.is_written_as(&other));
    api.native("!=", |one: &mut Move, other: Move| !one.is_written_as(&other));
}

/// Registers the error for several moves whose property is read as if they were one.
fn of_several<T: rhai::Variant + Clone + Kept>(api: &mut Api<'_>, name: &'static str) {
    let refuse = move || -> Native<T> {
        Err(failure(format!("`{name}` belongs to one move, but these are several: choose one, or loop over them")))
    };
    api.native(&format!("get${name}"), move |_: &mut Moves| refuse());
    api.native(&format!("get${name}"), move |_: &mut Array| refuse());
}

/// Returns why a move cannot be carried out.
fn impossible(state: &State, made: &Move, error: MoveError) -> Box<rhai::EvalAltResult> {
    let names = Names { schema: state.schema(), board: state.board() };
    let written = names.write(None, &Value::Move(made.clone()));
    let name = |cell| names.board.name(cell);
    failure(match error {
        MoveError::NothingMoves(cell) => format!("{written} cannot be made: there is no piece on {}", name(cell)),
        MoveError::NothingCaptured(cell) => {
            format!("{written} cannot be made: it captures on {}, where there is no piece", name(cell))
        }
        MoveError::CapturesItself(cell) => {
            format!("{written} cannot be made: on {} it would capture the moving piece", name(cell))
        }
        MoveError::Occupied(cell, other) => {
            let piece = names.schema.piece_name(other);
            format!("{written} cannot be made: {piece} is on {}, and the move does not capture it", name(cell))
        }
        MoveError::DoesNotFit(cell) => {
            format!("{written} cannot be made: the piece does not fit on the board at {}", name(cell))
        }
    })
}
