//! Moves: made, joined, looked at and offered.

use rhai::{Array, Dynamic, NativeCallContext};

use super::Api;
use super::board::count;
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
        "Carry a move out: the piece on its first cell goes to its last, and what lies on the cells that it captures is taken \
         off the board. An error if nothing lies there, or if the piece would land on one that is not captured.",
        move |made: &mut Move| {
            link.with(|session| session.state.make(made).map_err(|error| impossible(&session.state, made, error)))
        },
    );
    api.add("count(moves: moves) -> number", "How many moves there are.", |moves: &mut Moves| count(moves.all().len()));
    api.add("is_empty(moves: moves) -> bool", "Whether there is no move.", |moves: &mut Moves| moves.all().is_empty());
    let link = api.link();
    api.add(
        "can_move(player: player) -> bool",
        "Whether the rules' function `moves` lists any move for a player. What it lists here is not listed again when the \
         player's turn comes, so this costs nothing where nothing changes in between.",
        move |ctx: NativeCallContext<'_>, player: PlayerId| host::can_move(&link, &ctx, player),
    );
    let link = api.link();
    api.native("_vm_known", move |player: PlayerId| host::is_known(&link, player));
    let link = api.link();
    api.native("_vm_listed", move |player: PlayerId, options: Dynamic| host::found_out(&link, player, options));
    let link = api.link();
    api.native("_vm_remembered", move |player: PlayerId| host::remembered(&link, player));
    let link = api.link();
    api.native("_vm_noted", move |player: PlayerId, options: Dynamic| host::listed_now(&link, player, options));
    let link = api.link();
    api.native("_vm_no_move", move |player: PlayerId| host::no_move(&link, player));
    api.native("_vm_none", |options: Dynamic| any(&options).map(|any| !any));
    api.add("no_moves() -> moves", "No move: what moves are added to with `+`, a single one or several.", || {
        Moves::new(Default::default())
    });
    api.native("+", |one: &mut Moves, other: Moves| Moves::new([one.all().as_slice(), other.all()].concat()));
    api.native("+", |moves: &mut Moves, one: Move| Moves::new([moves.all().as_slice(), &[one]].concat()));
}

/// Paths, and what can be asked of them.
fn paths(api: &mut Api<'_>) {
    api.add(
        "path(from: cell, to: cell) -> move",
        "A move of one step that captures nothing. `onward` adds steps, `capturing` says what is captured: \
         `path(c3, e5).capturing(d4).onward(g7).capturing(f6)` is written `c3xe5xg7`.",
        |from: Cell, to: Cell| Move::step(from, to, false),
    );
    api.add(
        "onward(move: move, to: cell) -> move",
        "The same move with one more step, to this cell.",
        |made: &mut Move, to: Cell| {
            made.onward(to).ok_or_else(|| failure(format!("a move has at most {MAX_STEPS} steps")))
        },
    );
    api.add(
        "capturing(move: move, cells: cell or cells) -> move",
        "The same move, whose last step captures what lies on a cell, or on the cells of a set. It is written with `x` there.",
        |made: &mut Move, cell: Cell| made.capturing([cell]),
    );
    api.also(|made: &mut Move, cells: Cells| made.capturing(cells.iter()));
    let link = api.link();
    api.add(
        "captured(move: move) -> cells",
        "The cells on which a move captures; none in `why_not`, for nobody can know what a move that is refused would capture.",
        move |made: &mut Move| link.with(|session| Ok(Cells::of(session.state.board().size(), made.captured()))),
    );
    api.add(
        "stops(move: move) -> list",
        "The cells of a move's path in their order, the first and the last among them.",
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

/// What one move has is asked of several.
fn of_several<T: rhai::Variant + Clone + Kept>(api: &mut Api<'_>, name: &'static str) {
    let refuse = move || -> Native<T> {
        Err(failure(format!(
            "`{name}` belongs to one move, and these are several: choose one first, or loop over them"
        )))
    };
    api.native(&format!("get${name}"), move |_: &mut Moves| refuse());
    api.native(&format!("get${name}"), move |_: &mut Array| refuse());
}

/// Returns why a move cannot be carried out.
fn impossible(state: &State, made: &Move, error: MoveError) -> Box<rhai::EvalAltResult> {
    let names = Names { schema: state.schema(), board: state.board() };
    let said = names.write(None, &Value::Move(made.clone()));
    let name = |cell| names.board.name(cell);
    failure(match error {
        MoveError::NothingMoves(cell) => format!("{said} cannot be made: nothing lies on {}", name(cell)),
        MoveError::NothingCaptured(cell) => {
            format!("{said} cannot be made: it captures on {}, and nothing lies there", name(cell))
        }
        MoveError::CapturesItself(cell) => {
            format!("{said} cannot be made: on {} it would capture the piece that moves", name(cell))
        }
        MoveError::Occupied(cell, other) => {
            let piece = names.schema.piece_name(other);
            format!("{said} cannot be made: {piece} lies on {}, and the move does not capture it", name(cell))
        }
        MoveError::DoesNotFit(cell) => {
            format!("{said} cannot be made: the piece does not fit on the board at {}", name(cell))
        }
    })
}
