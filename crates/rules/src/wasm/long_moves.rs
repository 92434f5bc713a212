//! Moves of several steps, or that capture elsewhere than on their last cell: records in the memory that never change.
//!
//! The id of such a move is the address of its record with the highest bit, which no packed move has. A move that can be packed
//! is packed, so different ids may still be equal moves, but a packed move is equal to no other.

use wasm_encoder::{Instruction as I, ValType};

use super::asks::refuse;
use super::body::{Body, long, word};
use super::of_board::{OfBoard, OnBoard};
use super::runtime::{self, Helper};
use super::value::{self, Tag};
use referee_table::MAX_STEPS;

/// The bit that tells records from packed moves.
pub(super) const LONG: i32 = i32::MIN;
/// The bits of the address of a record.
pub(super) const ADDRESS: i32 = i32::MAX;

/// The move as if it were a packed one: its first and last cell, and whether it captures.
pub(super) const HEAD: u32 = 0;
/// The number of its steps.
pub(super) const STEPS: u32 = 4;
/// What it weighs, in plain values: see [`referee_table::Move::weight`].
pub(super) const WEIGHT: u32 = 8;
/// The set of the cells on which it captures.
pub(super) const CAPTURED: u32 = 16;
/// Where its steps begin: for each a word as in a packed move, without the first cell, then the set on which it captures.
pub(super) const FIRST: u32 = 24;
pub(super) const STEP: u32 = 16;
pub(super) const STEP_CAPTURED: u32 = 8;

/// The bytes before sorted moves, for their number.
pub(super) const BEFORE_SORTED: u32 = 8;

/// The bits of a packed move that are its only step.
const ONLY_STEP: i32 = (1 << value::FROM) - 1;

/// Puts the first or the last cell of the packed move on the stack in its place.
pub(super) fn cell(b: &mut Body, first: bool) {
    if first {
        b.all([I::I32Const(value::FROM), I::I32ShrU]);
    } else {
        b.all([I::I32Const(value::TO), I::I32ShrU, I::I32Const(value::CELL), I::I32And]);
    }
}

/// Puts on the stack whether the move in a variable has a record.
pub(super) fn is_long(b: &mut Body, made: u32) {
    b.get(made);
    b.all([I::I32Const(0), I::I32LtS]);
}

/// Puts the address of the record of the move in a variable on the stack.
fn record(b: &mut Body, made: u32) {
    b.get(made);
    b.all([I::I32Const(ADDRESS), I::I32And]);
}

/// Puts a word of the record of the long move in a variable on the stack.
fn of_record(b: &mut Body, made: u32, place: u32) {
    record(b, made);
    b.add(I::I32Load(word(place)));
}

/// Puts what the move in a variable has on the stack: a word of its record, or what a packed one has.
fn of_any(b: &mut Body, made: u32, place: u32, packed: impl FnOnce(&mut Body)) {
    is_long(b, made);
    b.when(Some(ValType::I32));
    of_record(b, made, place);
    b.otherwise();
    packed(b);
    b.end();
}

/// Turns the move on the stack into a packed one with the same first and last cell, that captures if it does.
pub(super) fn as_packed(b: &mut Body) {
    let made = b.local(ValType::I32);
    b.set(made);
    of_any(b, made, HEAD, |b| b.get(made));
    b.done(ValType::I32, made);
}

/// Puts on the stack how many values the move in a variable weighs more than one.
pub(super) fn more_weight(b: &mut Body, made: u32) {
    of_any(b, made, WEIGHT, |b| b.word(1));
    b.all([I::I32Const(1), I::I32Sub]);
}

/// Puts the number of cells on the stack on which the steps of the move in a variable capture.
pub(super) fn count_captured(b: &mut Body, made: u32) {
    is_long(b, made);
    b.when(Some(ValType::I32));
    of_record(b, made, WEIGHT);
    of_record(b, made, STEPS);
    b.all([I::I32Sub, I::I32Const(1), I::I32Sub]);
    b.otherwise();
    b.get(made);
    b.all([I::I32Const(1), I::I32And]);
    b.end();
}

/// Puts the set on the stack in which a packed move captures, which is in a variable.
fn packed_captured(b: &mut Body, made: u32) {
    b.get(made);
    b.all([I::I32Const(1), I::I32And, I::I64ExtendI32U]);
    b.get(made);
    cell(b, false);
    b.all([I::I64ExtendI32U, I::I64Shl]);
}

/// Puts the set on the stack in which the move on the stack captures.
pub(super) fn captured(b: &mut Body, plain: bool) {
    let made = b.local(ValType::I32);
    b.set(made);
    if plain {
        packed_captured(b, made);
    } else {
        is_long(b, made);
        b.when(Some(ValType::I64));
        record(b, made);
        b.add(I::I64Load(long(CAPTURED)));
        b.otherwise();
        packed_captured(b, made);
        b.end();
    }
    b.done(ValType::I32, made);
}

/// A move while it is looked at or copied: where its steps are, and how many. That of a packed move is written to the memory.
struct Looked {
    made: u32,
    steps: u32,
    first: u32,
}

impl Looked {
    /// Looks at the move in a variable.
    fn at(b: &mut Body, made: u32) -> Self {
        let (steps, first) = (b.local(ValType::I32), b.local(ValType::I32));
        is_long(b, made);
        b.when(None);
        of_record(b, made, STEPS);
        b.set(steps);
        record(b, made);
        b.all([I::I32Const(FIRST.cast_signed()), I::I32Add]);
        b.set(first);
        b.otherwise();
        b.word(1);
        b.set(steps);
        runtime::allocated(b, STEP);
        b.tee(first);
        b.get(made);
        b.all([I::I32Const(ONLY_STEP), I::I32And, I::I32Store(word(0))]);
        b.get(first);
        packed_captured(b, made);
        b.add(I::I64Store(long(STEP_CAPTURED)));
        b.end();
        Self { made, steps, first }
    }

    /// Leaves the address of a new record in a variable, with these steps and room for so many more. Its weight and captures
    /// are those of these steps.
    fn copied(&self, b: &mut Body, more: i32, new: u32) {
        let [left, from, to] = std::array::from_fn(|_| b.local(ValType::I32));
        b.get(self.steps);
        b.all([I::I32Const(more), I::I32Add, I::I32Const(STEP.cast_signed()), I::I32Mul]);
        b.all([I::I32Const(FIRST.cast_signed()), I::I32Add]);
        b.call(Helper::Allocate.number());
        b.set(new);
        b.get(new);
        of_any(b, self.made, HEAD, |b| b.get(self.made));
        b.add(I::I32Store(word(HEAD)));
        b.get(new);
        b.get(self.steps);
        b.all([I::I32Const(more), I::I32Add, I::I32Store(word(STEPS))]);
        b.get(new);
        of_any(b, self.made, WEIGHT, |b| {
            // Those of its step, besides its own.
            b.get(self.made);
            b.all([I::I32Const(1), I::I32And, I::I32Const(2), I::I32Add]);
        });
        b.all([I::I32Const(more), I::I32Add, I::I32Store(word(WEIGHT))]);
        b.get(new);
        b.get(self.made);
        captured(b, false);
        b.add(I::I64Store(long(CAPTURED)));
        b.get(self.first);
        b.set(from);
        b.get(new);
        b.set(to);
        b.get(self.steps);
        b.set(left);
        b.rounds(left, |b| {
            for at in (0..STEP).step_by(8) {
                b.get(to);
                b.get(from);
                b.all([I::I64Load(long(at)), I::I64Store(long(FIRST + at))]);
            }
            b.step(from, STEP.cast_signed());
            b.step(to, STEP.cast_signed());
        });
        for local in [left, from, to] {
            b.done(ValType::I32, local);
        }
    }

    /// Puts the address on the stack that is before that of the last step by [`FIRST`], in a record.
    fn last(&self, b: &mut Body, new: u32) {
        b.get(new);
        b.get(self.steps);
        b.all([I::I32Const(1), I::I32Sub, I::I32Const(STEP.cast_signed()), I::I32Mul, I::I32Add]);
    }
}

/// Changes a word behind the address in a variable: `how` turns what is on the stack into the new one.
fn changed(b: &mut Body, address: u32, place: u32, how: impl FnOnce(&mut Body)) {
    b.get(address);
    b.get(address);
    b.add(I::I32Load(word(place)));
    how(b);
    b.add(I::I32Store(word(place)));
}

/// Returns from the function that a condition does not hold, if that on the stack does.
fn no_if(b: &mut Body) {
    b.when(None);
    b.all([I::I32Const(0), I::Return]);
    b.end();
}

/// Puts on the stack whether each of the moves in the variables 0 and 1 is packed.
fn are_packed(b: &mut Body) {
    for made in [0, 1] {
        is_long(b, made);
        b.add(I::I32Eqz);
    }
}

/// Writes `(move, cell) -> move`: one more step.
pub(super) fn onward(b: &mut Body) {
    let (new, at) = (b.local(ValType::I32), b.local(ValType::I32));
    let looked = Looked::at(b, 0);
    b.get(looked.steps);
    b.all([I::I32Const(i32::try_from(MAX_STEPS).unwrap_or(i32::MAX)), I::I32GeU]);
    b.give_up_if();
    looked.copied(b, 1, new);
    // The new one is behind the last of those that were there.
    looked.last(b, new);
    b.set(at);
    b.get(at);
    b.get(1);
    b.all([I::I32Const(value::TO), I::I32Shl, I::I32Store(word(FIRST + STEP))]);
    b.get(at);
    b.all([I::I64Const(0), I::I64Store(long(FIRST + STEP + STEP_CAPTURED))]);
    changed(b, new, HEAD, |b| {
        b.all([I::I32Const(!(value::CELL << value::TO)), I::I32And]);
        b.get(1);
        b.all([I::I32Const(value::TO), I::I32Shl, I::I32Or]);
    });
    b.get(new);
    b.all([I::I32Const(LONG), I::I32Or]);
}

/// Writes `(move, set) -> move`: its last step captures there, too.
pub(super) fn capturing(b: &mut Body) {
    let (new, at) = (b.local(ValType::I32), b.local(ValType::I32));
    let (set, before) = (b.local(ValType::I64), b.local(ValType::I64));
    // Without a cell nothing changes.
    b.get(1);
    b.add(I::I64Eqz);
    b.when(None);
    b.get(0);
    b.add(I::Return);
    b.end();
    let looked = Looked::at(b, 0);
    looked.last(b, looked.first);
    b.tee(at);
    b.add(I::I64Load(long(STEP_CAPTURED)));
    b.tee(before);
    b.get(1);
    b.add(I::I64Or);
    b.set(set);
    // A single step that captures on its last cell alone is packed.
    b.get(looked.steps);
    b.all([I::I32Const(1), I::I32Eq]);
    b.get(set);
    b.long(1);
    as_head(b);
    cell(b, false);
    b.all([I::I64ExtendI32U, I::I64Shl, I::I64Eq, I::I32And]);
    b.when(None);
    as_head(b);
    b.all([I::I32Const(1), I::I32Or, I::Return]);
    b.end();
    looked.copied(b, 0, new);
    looked.last(b, new);
    b.set(at);
    changed(b, at, FIRST, |b| b.all([I::I32Const(1), I::I32Or]));
    b.get(at);
    b.get(set);
    b.add(I::I64Store(long(FIRST + STEP_CAPTURED)));
    changed(b, new, HEAD, |b| b.all([I::I32Const(1), I::I32Or]));
    changed(b, new, WEIGHT, |b| {
        b.get(set);
        b.add(I::I64Popcnt);
        b.get(before);
        b.all([I::I64Popcnt, I::I64Sub, I::I32WrapI64, I::I32Add]);
    });
    b.get(new);
    b.get(new);
    b.add(I::I64Load(long(CAPTURED)));
    b.get(1);
    b.all([I::I64Or, I::I64Store(long(CAPTURED))]);
    b.get(new);
    b.all([I::I32Const(LONG), I::I32Or]);
}

/// Puts the move in the variable 0 on the stack as if it were packed.
fn as_head(b: &mut Body) {
    b.get(0);
    as_packed(b);
}

/// Writes `(move) -> list`: the cells of its path.
pub(super) fn stops(b: &mut Body) {
    let [list, left, at] = std::array::from_fn(|_| b.local(ValType::I32));
    let looked = Looked::at(b, 0);
    b.get(looked.steps);
    b.all([I::I32Const(1), I::I32Add]);
    b.call(Helper::List.number());
    b.set(list);
    b.get(list);
    as_head(b);
    cell(b, true);
    pushed_cell(b);
    b.get(looked.first);
    b.set(at);
    b.get(looked.steps);
    b.set(left);
    b.rounds(left, |b| {
        b.get(list);
        b.get(at);
        b.all([I::I32Load(word(0)), I::I32Const(value::TO), I::I32ShrU]);
        pushed_cell(b);
        b.step(at, STEP.cast_signed());
    });
    b.get(list);
}

/// Adds the cell on the stack to the list below it.
fn pushed_cell(b: &mut Body) {
    runtime::wrap(b, value::Ty::id(Tag::Cell));
    b.call(Helper::Push.number());
}

/// Writes `(move, move) -> boolean`: whether the first one comes after the other in the order of moves. Two moves of which none
/// does are equal.
pub(super) fn follows(b: &mut Body) {
    let heads = [b.local(ValType::I32), b.local(ValType::I32)];
    for (made, head) in [0, 1].into_iter().zip(heads) {
        b.get(made);
        as_packed(b);
        b.set(head);
    }
    let [one, other] = heads;
    // The first and the last cell come first, then packed moves before others.
    for head in heads {
        b.get(head);
        b.all([I::I32Const(1), I::I32ShrU]);
    }
    b.add(I::I32Ne);
    b.when(None);
    b.get(one);
    b.get(other);
    b.all([I::I32GtU, I::Return]);
    b.end();
    are_packed(b);
    b.add(I::I32Or);
    b.when(None);
    // A record is more than what is packed if it is compared without a sign.
    b.get(0);
    b.get(1);
    b.all([I::I32GtU, I::Return]);
    b.end();
    steps_follow(b);
}

/// Puts on the stack whether the steps of the first of two long moves come after those of the other.
fn steps_follow(b: &mut Body) {
    let [first, second, left] = std::array::from_fn(|_| b.local(ValType::I32));
    let words = [b.local(ValType::I32), b.local(ValType::I32)];
    let sets = [b.local(ValType::I64), b.local(ValType::I64)];
    let which = b.local(ValType::I64);
    for (made, at) in [(0, first), (1, second)] {
        record(b, made);
        b.set(at);
    }
    least_steps(b, left);
    b.rounds(left, |b| {
        for (at, (step, set)) in [first, second].into_iter().zip(words.into_iter().zip(sets)) {
            b.get(at);
            b.add(I::I32Load(word(FIRST)));
            b.set(step);
            b.get(at);
            b.add(I::I64Load(long(FIRST + STEP_CAPTURED)));
            b.set(set);
        }
        let [one, other] = words;
        b.get(one);
        b.get(other);
        b.add(I::I32Ne);
        b.when(None);
        b.get(one);
        b.get(other);
        b.all([I::I32GtU, I::Return]);
        b.end();
        let [one, other] = sets;
        b.get(one);
        b.get(other);
        b.add(I::I64Xor);
        b.tee(which);
        b.add(I::I64Eqz);
        b.add(I::I32Eqz);
        b.when(None);
        // The lowest cell that is in one of them alone. If the first one has it, it is less, unless the other has ended.
        b.get(which);
        b.long(0);
        b.get(which);
        b.all([I::I64Sub, I::I64And]);
        b.set(which);
        has_bit(b, one, which);
        b.when(Some(ValType::I32));
        has_more(b, other, which);
        b.add(I::I32Eqz);
        b.otherwise();
        has_more(b, one, which);
        b.end();
        b.add(I::Return);
        b.end();
        b.step(first, STEP.cast_signed());
        b.step(second, STEP.cast_signed());
    });
    of_record(b, 0, STEPS);
    of_record(b, 1, STEPS);
    b.add(I::I32GtU);
}

/// Leaves the smaller number of steps of the two long moves in a variable.
fn least_steps(b: &mut Body, left: u32) {
    of_record(b, 1, STEPS);
    b.set(left);
    of_record(b, 0, STEPS);
    b.get(left);
    of_record(b, 0, STEPS);
    b.get(left);
    b.all([I::I32LtU, I::Select]);
    b.set(left);
}

/// Puts on the stack whether a set has the cell of a bit.
fn has_bit(b: &mut Body, set: u32, bit: u32) {
    b.get(set);
    b.get(bit);
    b.all([I::I64And, I::I64Eqz, I::I32Eqz]);
}

/// Puts on the stack whether a set has a cell after that of a bit.
fn has_more(b: &mut Body, set: u32, bit: u32) {
    b.get(set);
    b.long(0);
    b.get(bit);
    b.all([I::I64Sub, I::I64And, I::I64Eqz, I::I32Eqz]);
}

/// Writes `(move, move) -> boolean`: whether two different moves are written in the same way.
pub(super) fn alike(b: &mut Body, with: &OnBoard<'_>) {
    for made in [0, 1] {
        b.get(made);
        as_packed(b);
    }
    b.add(I::I32Ne);
    no_if(b);
    are_packed(b);
    b.add(I::I32And);
    no_if(b);
    let [one, other] = [0, 1].map(|made| Looked::at(b, made));
    b.get(one.steps);
    b.get(other.steps);
    b.add(I::I32Ne);
    no_if(b);
    let left = b.local(ValType::I32);
    b.get(one.steps);
    b.set(left);
    b.spend(|b| {
        b.get(left);
        b.add(I::I64ExtendI32U);
    });
    b.rounds(left, |b| {
        for looked in [&one, &other] {
            b.get(looked.first);
            b.add(I::I32Load(word(0)));
        }
        b.add(I::I32Ne);
        no_if(b);
        for looked in [&one, &other] {
            b.step(looked.first, STEP.cast_signed());
        }
    });
    for pair in [[0, 1], [1, 0]] {
        for made in pair {
            b.get(made);
        }
        with.call(b, OfBoard::Follows);
    }
    b.add(I::I32Or);
}

/// Refuses the moves before a place among sorted ones if one of them is another one than that in a variable, but written in the
/// same way: the host tells what is wrong.
pub(super) fn refuse_alike(b: &mut Body, with: &OnBoard<'_>, (sorted, count): (u32, u32), one: u32) {
    let [left, at, head, other] = std::array::from_fn(|_| b.local(ValType::I32));
    b.get(sorted);
    b.set(at);
    b.get(count);
    b.set(left);
    of_any(b, one, HEAD, |b| b.get(one));
    b.set(head);
    b.spend(|b| {
        b.get(count);
        b.add(I::I64ExtendI32U);
    });
    b.rounds(left, |b| {
        b.get(at);
        b.add(I::I32Load(word(BEFORE_SORTED)));
        b.set(other);
        // Most moves begin or end elsewhere.
        of_any(b, other, HEAD, |b| b.get(other));
        b.get(head);
        b.add(I::I32Eq);
        b.when(None);
        b.get(other);
        b.get(one);
        with.call(b, OfBoard::Alike);
        refuse(b);
        b.end();
        b.step(at, 4);
    });
    for local in [left, at, head, other] {
        b.done(ValType::I32, local);
    }
}

/// Takes the pieces off the board that the long move in the variable 0 captures, and puts its piece on its last cell.
pub(super) fn make(b: &mut Body, with: &OnBoard<'_>) {
    let left = b.local(ValType::I64);
    let ends = [b.local(ValType::I32), b.local(ValType::I32)];
    for (first, end) in [true, false].into_iter().zip(ends) {
        as_head(b);
        cell(b, first);
        b.set(end);
    }
    let [from, to] = ends;
    record(b, 0);
    b.add(I::I64Load(long(CAPTURED)));
    b.set(left);
    b.cells(left, |b, cell| {
        b.get(cell);
        b.add(I::I32WrapI64);
        with.call(b, OfBoard::Remove);
        b.add(I::Drop);
    });
    b.get(from);
    with.call(b, OfBoard::Remove);
    b.get(to);
    with.call(b, OfBoard::Place);
}
