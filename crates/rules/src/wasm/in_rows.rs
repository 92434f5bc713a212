//! Loops through the cells of a set in reading order, row by row from the top, without a list of them.

use wasm_encoder::{Instruction as I, ValType};

use super::body::{Body, Label, long, word};
use super::layout::Layout;

/// A set of a board that is not very large.
#[derive(Clone, Copy)]
pub(super) enum Parts {
    /// The variable with the only word.
    Word(u32),
    /// The variable with the address of so many words.
    At(u32, u32),
}

impl Parts {
    /// Returns that of the set in a variable.
    pub(super) fn of(layout: &Layout, variable: u32) -> Self {
        match layout.shapes.small {
            true => Self::Word(variable),
            false => Self::At(variable, u32::try_from(layout.words()).unwrap_or(u32::MAX)),
        }
    }

    /// Puts the number of its cells on the stack, as 64 bits.
    pub(super) fn count(self, b: &mut Body) {
        match self {
            Self::Word(set) => {
                b.get(set);
                b.add(I::I64Popcnt);
            }
            Self::At(set, words) => {
                b.long(0);
                for number in 0..words {
                    b.get(set);
                    b.all([I::I64Load(long(8 * number)), I::I64Popcnt, I::I64Add]);
                }
            }
        }
    }
}

/// A loop while it is written: between its beginning and its end stands what is done with a cell.
pub(super) struct InRows {
    /// The variable with the cell.
    pub(super) cell: u32,
    /// Where the loop ends.
    pub(super) end: Label,
    next: Label,
    row: u32,
    first: u32,
    left: u32,
}

impl InRows {
    /// How many bytes a row takes in the table.
    const ROW: i32 = 16;

    /// Begins the loop. The set must stay as it is.
    pub(super) fn begin(b: &mut Body, layout: &Layout, set: Parts) -> Self {
        let [cell, row, first] = std::array::from_fn(|_| b.local(ValType::I32));
        let left = b.local(ValType::I64);
        b.word(layout.rows.start.cast_signed());
        b.set(row);
        b.long(0);
        b.set(left);
        let end = b.block(None);
        let next = b.again();
        let found = b.block(None);
        b.get(left);
        b.all([I::I64Eqz, I::I32Eqz]);
        b.jump_if(found);
        let search = b.again();
        b.get(row);
        b.all([I::I32Const(layout.rows.end.cast_signed()), I::I32Eq]);
        b.jump_if(end);
        match set {
            Parts::Word(set) => b.get(set),
            Parts::At(set, _) => {
                let further = b.local(ValType::I64);
                b.get(set);
                b.get(row);
                b.all([I::I32Load(word(0)), I::I32Add, I::I64Load(long(0))]);
                b.tee(further);
                b.add(I::I64Eqz);
                b.when(None);
                b.get(row);
                b.get(row);
                b.all([I::I32Load(word(4)), I::I32Add]);
                b.set(row);
                b.jump(search);
                b.end();
                b.get(further);
                b.done(ValType::I64, further);
            }
        }
        b.get(row);
        b.all([I::I64Load(long(8)), I::I64And]);
        b.set(left);
        b.get(row);
        b.all([I::I32Load(word(0)), I::I32Const(3), I::I32Shl]);
        b.set(first);
        b.step(row, Self::ROW);
        b.get(left);
        b.add(I::I64Eqz);
        b.jump_if(search);
        b.end();
        b.end();
        b.get(left);
        b.all([I::I64Ctz, I::I32WrapI64]);
        b.get(first);
        b.add(I::I32Add);
        b.set(cell);
        b.without_first(left);
        Self { cell, end, next, row, first, left }
    }

    /// Ends the loop.
    pub(super) fn end(self, b: &mut Body) {
        b.jump(self.next);
        b.end();
        b.end();
        for local in [self.cell, self.row, self.first] {
            b.done(ValType::I32, local);
        }
        b.done(ValType::I64, self.left);
    }
}
