//! Pieces that cover several cells: which these are is in a table for each size.

use wasm_encoder::{Instruction as I, ValType};

use super::body::{Body, at, long, word};
use super::layout::Layout;
use referee_table::{PieceId, State};

/// Returns whether a piece is on one cell at most.
pub(super) fn is_single(state: &State, piece: PieceId) -> bool {
    state.table.size(piece) == (1, 1)
}

/// Turns the piece on the stack into whether it takes more than one cell.
pub(super) fn is_large(body: &mut Body, layout: &Layout) {
    body.all([I::I32Const(2), I::I32Shl]);
    body.add(I::I32Load(word(layout.footprints.unwrap_or_default())));
}

/// Writes what is done if the piece in the variable 0 takes more than one cell; the function ends with that.
pub(super) fn if_large(body: &mut Body, layout: &Layout, large: impl FnOnce(&mut Body)) {
    if layout.footprints.is_some() {
        body.get(0);
        is_large(body, layout);
        body.when(None);
        large(body);
        body.add(I::Return);
        body.end();
    }
}

/// Turns one more than the number of a cell, and the large piece that is there, on the stack, into the set that it covers; 0 into
/// the empty set.
pub(super) fn covered(body: &mut Body, layout: &Layout) {
    let (cell, begin) = (body.local(ValType::I32), body.local(ValType::I32));
    is_large(body, layout);
    body.set(begin);
    body.tee(cell);
    body.when(Some(ValType::I64));
    body.get(begin);
    body.get(cell);
    body.all([I::I32Const(3), I::I32Shl, I::I32Add, I::I32Const(8), I::I32Sub, I::I64Load(long(0))]);
    body.otherwise();
    body.long(0);
    body.end();
    body.done(ValType::I32, cell);
    body.done(ValType::I32, begin);
}

/// Gives up if the piece in a variable takes more than one cell.
pub(super) fn only_single(body: &mut Body, layout: &Layout, piece: u32) {
    if layout.footprints.is_some() {
        body.get(piece);
        is_large(body, layout);
        body.give_up_if();
    }
}

/// Puts the large piece in the variable 0 on the cells from that in the variable 1 on. Gives up if they are not all free.
pub(super) fn put_large(body: &mut Body, layout: &Layout) {
    lift_large(body, layout);
    let any = body.local(ValType::I32);
    body.word(0);
    body.set(any);
    each_covered(body, layout, 1, |b, cell| {
        b.get(cell);
        b.add(I::I32Load16U(at(layout.board(), 1)));
        b.give_up_if();
        b.get(cell);
        b.get(0);
        b.all([I::I32Const(1), I::I32Add, I::I32Store16(at(layout.board(), 1))]);
        b.word(1);
        b.set(any);
    });
    // It would leave the board.
    body.get(any);
    body.add(I::I32Eqz);
    body.give_up_if();
    body.done(ValType::I32, any);
    body.get(0);
    body.all([I::I32Const(1), I::I32Shl]);
    body.get(1);
    body.all([I::I32Const(1), I::I32Add, I::I32Store16(at(layout.places().unwrap_or_default(), 1))]);
}

/// Takes the large piece in the variable 0 off the board, if it is there.
pub(super) fn lift_large(body: &mut Body, layout: &Layout) {
    let cell = body.local(ValType::I32);
    let places = layout.places().unwrap_or_default();
    body.get(0);
    body.all([I::I32Const(1), I::I32Shl, I::I32Load16U(at(places, 1))]);
    body.tee(cell);
    body.when(None);
    body.step(cell, -1);
    each_covered(body, layout, cell, |b, there| {
        b.get(there);
        b.all([I::I32Const(0), I::I32Store16(at(layout.board(), 1))]);
    });
    body.get(0);
    body.all([I::I32Const(1), I::I32Shl, I::I32Const(0), I::I32Store16(at(places, 1))]);
    body.end();
    body.done(ValType::I32, cell);
}

/// Writes what is done for each cell that the large piece in the variable 0 covers from the cell in a variable on. `round` gets a
/// variable with the place of what is on it.
fn each_covered(body: &mut Body, layout: &Layout, cell: u32, round: impl FnOnce(&mut Body, u32)) {
    let [words, set, first, there] = std::array::from_fn(|_| body.local(ValType::I32));
    let bits = body.local(ValType::I64);
    body.get(0);
    is_large(body, layout);
    body.get(cell);
    body.all([I::I32Const(8 * i32::try_from(layout.words()).unwrap_or_default()), I::I32Mul, I::I32Add]);
    body.set(set);
    body.word(0);
    body.set(first);
    body.word(i32::try_from(layout.words()).unwrap_or_default());
    body.set(words);
    body.rounds(words, |body| {
        body.get(set);
        body.add(I::I64Load(long(0)));
        body.set(bits);
        body.cells(bits, |body, cell| {
            body.get(cell);
            body.add(I::I32WrapI64);
            body.get(first);
            body.all([I::I32Add, I::I32Const(1), I::I32Shl]);
            body.set(there);
            round(body, there);
        });
        body.step(set, 8);
        body.step(first, u64::BITS.cast_signed());
    });
    for local in [words, set, first, there] {
        body.done(ValType::I32, local);
    }
    body.done(ValType::I64, bits);
}
