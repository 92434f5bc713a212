//! Functions of a module for pieces that stand on each other: the columns of all cells are in the memory, behind the bytes of the
//! state, as [`referee_table::State::write_columns`] writes them.

use wasm_encoder::{Instruction as I, MemArg, ValType};

use super::body::{Body, at, long, word};
use super::columns::Columns;
use super::layout::Layout;
use super::of_board::{OfBoard, OnBoard};
use super::standing::{alone, moved};
use referee_table::COLUMN;

/// The number of bits that the number of a cell is moved to the left for its column, and the number of pieces that fit into one.
const COLUMN_BITS: i32 = COLUMN.trailing_zeros().cast_signed();
const HIGHEST: i32 = COLUMN as i32 - 1;

impl Columns {
    /// The number of pieces of the column at an offset.
    const fn height(self) -> MemArg {
        at(self.start, 0)
    }

    /// The piece with a number of the column at an offset, to which this number is added.
    const fn piece(self) -> MemArg {
        at(self.start + 1, 0)
    }
}

/// Writes a function of the module for pieces that stand on each other. Returns `false`, with nothing done, for any other one, and
/// if the columns are not in the memory.
pub(super) fn write(function: OfBoard, b: &mut Body, with: &OnBoard<'_>) -> bool {
    let Some(columns) = with.layout().columns else { return false };
    match function {
        OfBoard::Place => put(b, with, columns),
        OfBoard::Remove => remove(b, with),
        OfBoard::Lift => lift(b, with),
        OfBoard::LiftFrom => take_off(b, with, columns),
        OfBoard::Height => height(b, columns),
        OfBoard::CountThere => count(b, columns),
        _ => return false,
    }
    true
}

/// Leaves the offset of the column of the cell in a variable in another one.
fn column(b: &mut Body, cell: u32) -> u32 {
    let column = b.local(ValType::I32);
    b.get(cell);
    b.all([I::I32Const(COLUMN_BITS), I::I32Shl]);
    b.set(column);
    column
}

/// Sets or clears the bit for the cell in a variable among those of the piece in another one, which is one with `many`; for any
/// other piece, notes that it stands there, or nowhere.
fn noted(b: &mut Body, layout: &Layout, (piece, cell): (u32, u32), there: bool) {
    let place = b.local(ValType::I32);
    b.get(piece);
    b.add(I::I32Load8U(at(layout.many, 0)));
    b.when(None);
    b.get(piece);
    b.all([I::I32Const(2), I::I32Shl, I::I32Load(word(layout.held_at + 4))]);
    b.get(cell);
    b.all([I::I32Const(6), I::I32ShrU, I::I32Const(3), I::I32Shl, I::I32Add]);
    b.tee(place);
    b.get(place);
    b.add(I::I64Load(long(0)));
    b.long(1);
    b.get(cell);
    b.all([I::I64ExtendI32U, I::I64Shl]);
    match there {
        true => b.add(I::I64Or),
        false => b.all([I::I64Const(-1), I::I64Xor, I::I64And]),
    }
    b.add(I::I64Store(long(0)));
    b.otherwise();
    b.get(piece);
    b.all([I::I32Const(1), I::I32Shl]);
    match there {
        true => {
            b.get(cell);
            b.all([I::I32Const(1), I::I32Add]);
        }
        false => b.word(0),
    }
    b.add(I::I32Store16(at(layout.places().unwrap_or_default(), 1)));
    b.end();
    b.done(ValType::I32, place);
}

/// Notes what is on top of the cell in a variable: the number on the stack that `top` leaves, one more than that of the piece.
fn topped(b: &mut Body, layout: &Layout, cell: u32, top: impl FnOnce(&mut Body)) {
    b.get(cell);
    b.all([I::I32Const(1), I::I32Shl]);
    top(b);
    b.add(I::I32Store16(at(layout.board(), 1)));
}

/// Puts the piece in the variable 0 on what is on the cell in the variable 1. What is an error gives the rules up.
fn put(b: &mut Body, with: &OnBoard<'_>, columns: Columns) {
    let layout = with.layout();
    let (top, height) = (b.local(ValType::I32), b.local(ValType::I32));
    b.get(1);
    b.all([I::I32Const(1), I::I32Shl, I::I32Load16U(at(layout.board(), 1))]);
    b.tee(top);
    b.when(None);
    // A single piece may be there already.
    b.get(top);
    b.get(0);
    b.all([I::I32Const(1), I::I32Add, I::I32Ne]);
    b.get(0);
    b.all([I::I32Load8U(at(layout.many, 0)), I::I32Or]);
    b.when(None);
    stacks(b, with);
    b.add(I::I32Eqz);
    b.give_up_if();
    b.end();
    b.end();
    b.get(0);
    b.add(I::I32Load8U(at(layout.many, 0)));
    b.add(I::I32Eqz);
    b.when(None);
    b.get(0);
    with.call(b, OfBoard::Lift);
    b.end();
    let column = column(b, 1);
    b.get(column);
    b.add(I::I32Load8U(columns.height()));
    b.tee(height);
    b.all([I::I32Const(HIGHEST), I::I32GeU]);
    b.give_up_if();
    b.get(column);
    b.get(height);
    b.add(I::I32Add);
    b.get(0);
    b.add(I::I32Store8(columns.piece()));
    b.get(column);
    b.get(height);
    b.all([I::I32Const(1), I::I32Add, I::I32Store8(columns.height())]);
    noted(b, layout, (0, 1), true);
    topped(b, layout, 1, |b| {
        b.get(0);
        b.all([I::I32Const(1), I::I32Add]);
    });
    moved(b);
}

/// Puts on the stack whether pieces stand on each other on the cell in the variable 1.
fn stacks(b: &mut Body, with: &OnBoard<'_>) {
    let board = with.board();
    if board.cells().all(|cell| board.stacks(cell)) {
        return b.word(1);
    }
    b.word(0);
    for cell in board.cells().filter(|cell| board.stacks(*cell)) {
        b.get(1);
        b.all([I::I32Const(cell.0.cast_signed()), I::I32Eq, I::I32Or]);
    }
}

/// Takes the topmost piece with the name of that in the variable 0 off the cell in the variable 1, on which it must be.
fn take_off(b: &mut Body, with: &OnBoard<'_>, columns: Columns) {
    let layout = with.layout();
    let [height, level, place] = std::array::from_fn(|_| b.local(ValType::I32));
    let column = column(b, 1);
    b.get(column);
    b.add(I::I32Load8U(columns.height()));
    b.tee(height);
    b.set(level);
    below(b, columns, (column, level));
    // It is not there.
    b.get(level);
    b.add(I::I32Eqz);
    b.give_up_if();
    // Those on it come down.
    b.get(level);
    b.set(place);
    b.while_below(place, height, |b| {
        b.get(column);
        b.get(place);
        b.add(I::I32Add);
        b.get(column);
        b.get(place);
        b.all([I::I32Add, I::I32Load8U(columns.piece()), I::I32Store8(at(columns.start, 0))]);
        b.step(place, 1);
    });
    b.get(column);
    b.get(height);
    b.all([I::I32Const(1), I::I32Sub]);
    b.tee(height);
    b.add(I::I32Store8(columns.height()));
    // Another one may be below.
    b.step(level, -1);
    below(b, columns, (column, level));
    b.get(level);
    b.add(I::I32Eqz);
    b.when(None);
    noted(b, layout, (0, 1), false);
    b.end();
    topped(b, layout, 1, |b| {
        b.get(height);
        b.when(Some(ValType::I32));
        b.get(column);
        b.get(height);
        b.all([I::I32Add, I::I32Load8U(at(columns.start, 0)), I::I32Const(1), I::I32Add]);
        b.otherwise();
        b.word(0);
        b.end();
    });
    moved(b);
}

/// Lowers the number of pieces in a variable until the last of so many at the bottom of a column is the piece in the variable 0: 0
/// if none is.
fn below(b: &mut Body, columns: Columns, (column, level): (u32, u32)) {
    let end = b.block(None);
    let next = b.again();
    b.get(level);
    b.add(I::I32Eqz);
    b.jump_if(end);
    b.get(column);
    b.get(level);
    b.all([I::I32Add, I::I32Load8U(at(columns.start, 0))]);
    b.get(0);
    b.add(I::I32Eq);
    b.jump_if(end);
    b.step(level, -1);
    b.jump(next);
    b.end();
    b.end();
}

/// Takes the top piece off the cell in the variable 0, and leaves it on the stack.
fn remove(b: &mut Body, with: &OnBoard<'_>) {
    let piece = b.local(ValType::I32);
    b.get(0);
    b.all([I::I32Const(1), I::I32Shl, I::I32Load16U(at(with.layout().board(), 1)), I::I32Const(1), I::I32Sub]);
    b.tee(piece);
    b.all([I::I32Const(0), I::I32LtS]);
    b.give_up_if();
    b.get(piece);
    b.get(0);
    with.call(b, OfBoard::LiftFrom);
    b.get(piece);
}

/// Takes the single piece in the variable 0 off the board, if it is there.
fn lift(b: &mut Body, with: &OnBoard<'_>) {
    let there = b.local(ValType::I32);
    b.get(0);
    alone(b, with.layout());
    b.all([I::I32Const(1), I::I32Shl, I::I32Load16U(at(with.layout().places().unwrap_or_default(), 1))]);
    b.tee(there);
    b.when(None);
    b.get(0);
    b.get(there);
    b.all([I::I32Const(1), I::I32Sub]);
    with.call(b, OfBoard::LiftFrom);
    b.end();
    moved(b);
}

/// Puts the number of pieces on the cell in the variable 0 on the stack.
fn height(b: &mut Body, columns: Columns) {
    b.get(0);
    b.all([I::I32Const(COLUMN_BITS), I::I32Shl, I::I64Load8U(columns.height())]);
}

/// Puts on the stack how many of the pieces on the cell in the variable 0 are that in the variable 1.
fn count(b: &mut Body, columns: Columns) {
    let (left, count) = (b.local(ValType::I32), b.local(ValType::I64));
    let column = column(b, 0);
    b.get(column);
    b.add(I::I32Load8U(columns.height()));
    b.set(left);
    b.rounds(left, |b| {
        b.get(column);
        b.get(left);
        b.all([I::I32Add, I::I32Load8U(at(columns.start, 0))]);
        b.get(1);
        b.all([I::I32Eq, I::I64ExtendI32U]);
        b.get(count);
        b.add(I::I64Add);
        b.set(count);
    });
    b.get(count);
}
