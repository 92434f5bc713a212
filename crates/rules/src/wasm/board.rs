//! Functions of a module that look at the board of its game: each is written if something calls it.

use wasm_encoder::{Function, Instruction as I, ValType};

use super::body::{Body, at, long};
use super::layout::{self, Layout};
use super::value::{Tag, Ty};
use referee_table::{Direction, PieceId, PlayerId, State};

/// A function that looks at the board. Sets are those of a small board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfBoard {
    /// `(player) -> set`: the cells with pieces of a player.
    Cells,
    /// `() -> set`: the cells with pieces.
    Occupied,
    /// `(piece) -> set`: the cells of a piece.
    CellsOf,
    /// `(set, direction) -> set`: the cells one step further.
    Shift,
    /// `(set) -> set`: the cells one step away, without those of the set.
    Around,
    /// `(piece, cell)`: puts a piece on a cell.
    Place,
    /// `(cell) -> piece`: takes the piece on a cell off the board.
    Remove,
    /// `(list of actions) -> map or ()`: a choice; `()` if the host is to ask.
    Choose,
}

impl OfBoard {
    /// Returns its parameters and its result.
    pub(super) const fn signature(self) -> (&'static [Ty], Ty) {
        const PLAYER: &[Ty] = &[Ty::id(Tag::Player)];
        const PIECE: &[Ty] = &[Ty::id(Tag::Piece)];
        const CELL: &[Ty] = &[Ty::id(Tag::Cell)];
        const PIECE_AND_CELL: &[Ty] = &[Ty::id(Tag::Piece), Ty::id(Tag::Cell)];
        const LIST: &[Ty] = &[Ty::id(Tag::List)];
        let parameters: &[Ty] = match self {
            Self::Cells => PLAYER,
            Self::Occupied => &[],
            Self::CellsOf => PIECE,
            Self::Shift => &[Ty::Set, Ty::Number],
            Self::Around => &[Ty::Set],
            Self::Choose => LIST,
            Self::Place => PIECE_AND_CELL,
            Self::Remove => CELL,
        };
        let result = match self {
            Self::Choose => Ty::maybe(Tag::Map),
            Self::Place => Ty::Nothing,
            Self::Remove => Ty::id(Tag::Piece),
            _ => Ty::Set,
        };
        (parameters, result)
    }

    /// Returns whether it can be written for the games of a table.
    pub(super) fn is_possible(self, state: &State, layout: &Layout) -> bool {
        let single = || state.table.sizes.iter().all(|size| *size == (1, 1));
        let few = || state.schema().pieces.len() <= MOST_PIECES;
        let small = layout.has_small_sets();
        match self {
            Self::Choose => true,
            // Cards may be elsewhere, and open boards have limits of their own.
            Self::Place | Self::Remove => {
                single()
                    && state.schema().zones.is_empty()
                    && state.schema().back().is_none()
                    && !state.board().is_open()
            }
            _ if !small => false,
            Self::Cells | Self::Occupied => single() && few(),
            Self::CellsOf => single(),
            Self::Shift | Self::Around => true,
        }
    }

    /// Returns the finished function.
    pub(super) fn write(self, state: &State, layout: &Layout) -> Function {
        let mut body = Body::new(self.signature().0.len());
        match self {
            Self::Cells => {
                // A branch for each player, because each has other pieces.
                for player in (0..state.schema().players.len()).map(PlayerId::at) {
                    body.get(0);
                    body.all([I::I32Const(player.0.into()), I::I32Eq]);
                    body.when(None);
                    all_cells(&mut body, state, layout, |piece| piece.owner == Some(player));
                    body.add(I::Return);
                    body.end();
                }
                body.give_up();
            }
            Self::Occupied => all_cells(&mut body, state, layout, |_| true),
            Self::CellsOf => cells_of(&mut body, state, layout),
            Self::Shift => {
                for number in 1..=layout.directions {
                    body.get(1);
                    body.all([I::I64Const(number.into()), I::I64Eq]);
                    body.when(None);
                    shifted(&mut body, state, number);
                    body.add(I::Return);
                    body.end();
                }
                body.give_up();
            }
            Self::Choose => super::asks::choose(&mut body, layout),
            Self::Place => put(&mut body, state, layout),
            Self::Remove => remove(&mut body, state, layout),
            Self::Around => {
                body.long(0);
                for number in 1..=layout.directions {
                    shifted(&mut body, state, number);
                    body.add(I::I64Or);
                }
                body.get(0);
                body.all([I::I64Const(-1), I::I64Xor, I::I64And]);
            }
        }
        body.finish()
    }
}

/// The number of pieces up to which their cells are put together one by one.
const MOST_PIECES: usize = 64;

/// Puts the cells of pieces of a kind on the stack.
fn all_cells(body: &mut Body, state: &State, layout: &Layout, wanted: impl Fn(&referee_table::PieceDef) -> bool) {
    body.long(0);
    for (number, piece) in state.schema().pieces.iter().enumerate().filter(|(_, piece)| wanted(piece)) {
        let id = PieceId::at(number);
        match layout.many(id) {
            Some(place) if piece.many => body.all([I::I32Const(0), I::I64Load(long(place))]),
            _ => {
                let place = layout.places().unwrap_or_default() + 2 * u32::try_from(number).unwrap_or_default();
                body.all([I::I32Const(0), I::I64Load16U(at(place, 1))]);
                one_cell(body);
            }
        }
        body.add(I::I64Or);
    }
}

/// Turns one more than the number of a cell on the stack into the set of it; 0 into the empty set.
fn one_cell(body: &mut Body) {
    let cell = body.local(ValType::I64);
    body.set(cell);
    body.get(cell);
    body.all([I::I64Eqz, I::I32Eqz, I::I64ExtendI32U]);
    body.get(cell);
    body.all([I::I64Const(1), I::I64Sub, I::I64Shl]);
    body.done(ValType::I64, cell);
}

/// Puts the cells of the piece in the variable 0 on the stack.
fn cells_of(body: &mut Body, state: &State, layout: &Layout) {
    let pieces = state.schema().pieces.iter().enumerate().filter(|(_, piece)| piece.many);
    for (number, _) in pieces {
        let Some(place) = layout.many(PieceId::at(number)) else { continue };
        body.get(0);
        body.all([I::I32Const(i32::try_from(number).unwrap_or(i32::MAX)), I::I32Eq]);
        body.when(None);
        body.all([I::I32Const(0), I::I64Load(long(place)), I::Return]);
        body.end();
    }
    body.get(0);
    body.all([I::I32Const(1), I::I32Shl]);
    body.add(I::I64Load16U(at(layout.places().unwrap_or_default(), 1)));
    one_cell(body);
}

/// Puts the set in the variable 0, one step further, on the stack.
fn shifted(body: &mut Body, state: &State, direction: u32) {
    let step = u8::try_from(direction).ok().and_then(|number| state.board().step_of_all(Direction(number)));
    let Some((by, onto)) = step else {
        body.long(0);
        return;
    };
    let onto = onto.words().next().unwrap_or_default().cast_signed();
    body.get(0);
    let shift = if by < 0 { I::I64ShrU } else { I::I64Shl };
    if by.unsigned_abs() >= u64::BITS {
        body.all([I::Drop, I::I64Const(0)]);
    } else {
        body.all([I::I64Const(i64::from(by.unsigned_abs())), shift]);
    }
    body.all([I::I64Const(onto), I::I64And]);
}

/// Notes that pieces were moved.
fn moved(body: &mut Body) {
    body.raise(layout::CHANGES, 1);
    body.store(layout::MOVED, 1);
}

/// Adds the cell in a variable to those of the piece in another one, if it is one with `many`, or removes it; runs `single`
/// for any other piece.
fn of_many(body: &mut Body, (piece, cell): (u32, u32), state: &State, layout: &Layout, single: impl FnOnce(&mut Body)) {
    let many: Vec<(i32, u32)> = (0..)
        .zip(&state.schema().pieces)
        .filter(|(_, piece)| piece.many)
        .filter_map(|(number, _)| Some((number, layout.many(PieceId::at(usize::try_from(number).ok()?))?)))
        .collect();
    let end = body.block(None);
    for (number, place) in many {
        body.get(piece);
        body.all([I::I32Const(number), I::I32Eq]);
        body.when(None);
        // The word of the set, and the bit in it, which is there or not.
        body.get(cell);
        body.all([I::I32Const(6), I::I32ShrU, I::I32Const(3), I::I32Shl]);
        body.get(cell);
        body.all([I::I32Const(6), I::I32ShrU, I::I32Const(3), I::I32Shl]);
        body.add(I::I64Load(long(place)));
        body.long(1);
        body.get(cell);
        body.all([I::I64ExtendI32U, I::I64Shl, I::I64Xor]);
        body.add(I::I64Store(long(place)));
        body.jump(end);
        body.end();
    }
    single(body);
    body.end();
}

/// Puts the piece in the variable 0 on the cell in the variable 1.
fn put(body: &mut Body, state: &State, layout: &Layout) {
    let (there, old) = (body.local(ValType::I32), body.local(ValType::I32));
    let two = |body: &mut Body, local: u32| {
        body.get(local);
        body.all([I::I32Const(1), I::I32Shl]);
    };
    two(body, 1);
    body.add(I::I32Load16U(at(layout.board(), 1)));
    body.set(there);
    let places = layout.places().unwrap_or_default();
    // Only a single piece may be there already.
    body.get(there);
    body.when(None);
    body.get(there);
    body.get(0);
    body.all([I::I32Const(1), I::I32Add, I::I32Ne]);
    body.give_up_if();
    body.get(0);
    body.add(I::I32Load8U(at(layout.many, 0)));
    body.give_up_if();
    body.end();
    of_many(body, (0, 1), state, layout, |body| {
        two(body, 0);
        body.add(I::I32Load16U(at(places, 1)));
        body.tee(old);
        body.when(None);
        body.get(old);
        body.all([I::I32Const(1), I::I32Sub, I::I32Const(1), I::I32Shl, I::I32Const(0)]);
        body.add(I::I32Store16(at(layout.board(), 1)));
        body.end();
        two(body, 0);
        body.get(1);
        body.all([I::I32Const(1), I::I32Add, I::I32Store16(at(places, 1))]);
    });
    two(body, 1);
    body.get(0);
    body.all([I::I32Const(1), I::I32Add, I::I32Store16(at(layout.board(), 1))]);
    moved(body);
}

/// Takes the piece on the cell in the variable 0 off the board, and leaves it on the stack.
fn remove(body: &mut Body, state: &State, layout: &Layout) {
    let piece = body.local(ValType::I32);
    body.get(0);
    body.all([I::I32Const(1), I::I32Shl, I::I32Load16U(at(layout.board(), 1)), I::I32Const(1), I::I32Sub]);
    body.tee(piece);
    body.all([I::I32Const(0), I::I32LtS]);
    body.give_up_if();
    let places = layout.places().unwrap_or_default();
    of_many(body, (piece, 0), state, layout, |body| {
        body.get(piece);
        body.all([I::I32Const(1), I::I32Shl, I::I32Const(0), I::I32Store16(at(places, 1))]);
    });
    body.get(0);
    body.all([I::I32Const(1), I::I32Shl, I::I32Const(0), I::I32Store16(at(layout.board(), 1))]);
    moved(body);
    body.get(piece);
}

/// Gives up if the piece on the stack is one with `many`; leaves it there.
pub(super) fn alone(body: &mut Body, layout: &Layout) {
    let piece = body.local(ValType::I32);
    body.tee(piece);
    body.add(I::I32Load8U(at(layout.many, 0)));
    body.give_up_if();
    body.get(piece);
    body.done(ValType::I32, piece);
}

/// Puts the cell of the single piece on the stack in its place.
pub(super) fn place(body: &mut Body, layout: &Layout) {
    body.all([I::I32Const(1), I::I32Shl]);
    body.add(I::I32Load16U(at(layout.places().unwrap_or_default(), 1)));
    body.all([I::I32Const(1), I::I32Sub]);
}
