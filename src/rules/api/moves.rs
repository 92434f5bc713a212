//! Moves: made, joined, looked at and offered.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use rhai::{Array, Dynamic, NativeCallContext};

use super::Api;
use super::board::count;
use crate::rules::hooks;
use crate::rules::session::{Native, failure};
use crate::rules::vm::Kept;
use crate::table::{Cell, Cells, MAX_STEPS, Move, MoveError, Names, PlayerId, State, Value};

/// Moves; handed on without a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Moves(Arc<Vec<Move>>);

impl Moves {
    pub(crate) fn new(moves: Vec<Move>) -> Self {
        Self(Arc::new(moves))
    }

    pub(crate) const fn shared(moves: Arc<Vec<Move>>) -> Self {
        Self(moves)
    }

    /// The moves of a list that holds nothing else; `None` for any other list.
    pub(crate) fn listed(list: &[Dynamic]) -> Option<Self> {
        list.iter()
            .map(|value| value.read_lock::<Move>().map(|made| made.clone()))
            .collect::<Option<_>>()
            .map(Self::new)
    }

    /// The moves as they were made.
    pub(crate) const fn all(&self) -> &Arc<Vec<Move>> {
        &self.0
    }

    /// The moves in the order of their cells, each once.
    pub(crate) fn distinct(&self) -> Cow<'_, [Move]> {
        let next = |pair: &[Move]| matches!(pair, [one, other] if one < other);
        if self.0.windows(2).all(next) {
            return Cow::Borrowed(&self.0);
        }
        let mut moves = self.0.to_vec();
        moves.sort_unstable();
        moves.dedup();
        Cow::Owned(moves)
    }
}

impl IntoIterator for Moves {
    type Item = Move;
    type IntoIter = std::vec::IntoIter<Move>;

    fn into_iter(self) -> Self::IntoIter {
        Arc::unwrap_or_clone(self.0).into_iter()
    }
}

/// How a move is written: its first cell, and for each step the cell and whether it captures.
type Notation = (Cell, Vec<(Cell, bool)>);

/// Returns an error if two of these moves are written alike and capture different pieces, so that no line could tell which
/// is meant.
pub(crate) fn unambiguous<'m>(state: &State, moves: impl Iterator<Item = &'m Move> + Clone) -> Native<()> {
    if moves.clone().all(Move::is_plain) {
        return Ok(());
    }
    let mut known: BTreeMap<Notation, &Move> = BTreeMap::new();
    for made in moves {
        let notation = (made.from(), made.steps().collect());
        if let Some(other) = known.insert(notation, made).filter(|other| *other != made) {
            let names = Names { schema: state.schema(), board: state.board() };
            let cells =
                |made: &Move| made.captured().map(|cell| names.board.name(cell)).collect::<Vec<_>>().join(" and ");
            return Err(failure(format!(
                "two moves are written `{}`: one captures on {}, the other on {}; let `onward` name a cell between",
                names.write(None, &Value::Move(made.clone())),
                cells(other),
                cells(made)
            )));
        }
    }
    Ok(())
}

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
    api.add("count(moves: moves) -> number", "How many moves there are.", |moves: &mut Moves| count(moves.0.len()));
    api.add("is_empty(moves: moves) -> bool", "Whether there is no move.", |moves: &mut Moves| moves.0.is_empty());
    let link = api.link();
    api.add(
        "can_move(player: player) -> bool",
        "Whether the rules' function `moves` lists any move for a player. What it lists here is not listed again when the \
         player's turn comes, so this costs nothing where nothing changes in between.",
        move |ctx: NativeCallContext<'_>, player: PlayerId| hooks::can_move(&link, &ctx, player),
    );
    let link = api.link();
    api.native("_vm_known", move |player: PlayerId| hooks::is_known(&link, player));
    let link = api.link();
    api.native("_vm_listed", move |player: PlayerId, options: Dynamic| hooks::found_out(&link, player, options));
    let link = api.link();
    api.native("_vm_remembered", move |player: PlayerId| hooks::remembered(&link, player));
    let link = api.link();
    api.native("_vm_noted", move |player: PlayerId, options: Dynamic| hooks::listed_now(&link, player, options));
    let link = api.link();
    api.native("_vm_no_move", move |player: PlayerId| hooks::no_move(&link, player));
    api.native("_vm_none", |options: Dynamic| super::any(&options).map(|any| !any));
    api.add("no_moves() -> moves", "No move: what moves are added to with `+`, a single one or several.", || {
        Moves::new(Default::default())
    });
    api.native("+", |one: &mut Moves, other: Moves| Moves::new([one.0.as_slice(), &other.0].concat()));
    api.native("+", |moves: &mut Moves, one: Move| Moves::new([moves.0.as_slice(), &[one]].concat()));
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

/// Why a move cannot be carried out.
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
