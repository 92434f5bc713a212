//! Where a piece stands, and where a step leads; what is noted when pieces were moved.

use wasm_encoder::{Instruction as I, ValType};

use super::body::{Body, at};
use super::layout::{self, Layout};
use super::runtime;

/// Puts the cell of the single piece on the stack in its place.
pub(super) fn place(body: &mut Body, layout: &Layout) {
    body.all([I::I32Const(1), I::I32Shl]);
    body.add(I::I32Load16U(at(layout.places().unwrap_or_default(), 1)));
    body.all([I::I32Const(1), I::I32Sub]);
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

/// Turns the cell and the number of a direction on the stack into the next cell, or `()`.
pub(super) fn stepped(b: &mut Body, layout: &Layout) {
    let (number, ways) = (b.local(ValType::I64), layout.directions);
    b.all([I::I64Const(1), I::I64Sub]);
    b.tee(number);
    b.all([I::I64Const(i64::from(ways)), I::I64GeU]);
    b.give_up_if();
    b.all([I::I32Const(ways.cast_signed()), I::I32Mul]);
    b.get(number);
    b.all([I::I32WrapI64, I::I32Add, I::I32Const(1), I::I32Shl]);
    b.add(I::I32Load16U(at(layout.steps, 1)));
    b.all([I::I32Const(1), I::I32Sub]);
    b.done(ValType::I64, number);
}

/// Notes that pieces were moved.
pub(super) fn moved(body: &mut Body) {
    body.raise(layout::CHANGES, 1);
    body.store(layout::MOVED, 1);
    runtime::forget_board(body);
}
