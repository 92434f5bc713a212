//! Functions of a module that put cards on the board, and take unknown face-down ones from there.

use wasm_encoder::{Instruction as I, ValType};

use super::board;
use super::body::{Body, at, long, word};
use super::layout;
use super::of_zones::{OfZones, TO_HOST};
use super::standing::moved;
use super::zone_places::{HIDDEN, ORDERED};
use super::zones::{AWAY, Written};
use referee_table::KNOWN;

/// Puts twice the number in a variable on the stack: how far what has two bytes is behind the first.
fn twice(b: &mut Body, local: u32) {
    b.get(local);
    b.all([I::I32Const(1), I::I32Shl]);
}

impl Written<'_> {
    fn faces(&self) -> u32 {
        self.zones.address(self.zones.bytes.faces())
    }

    /// Puts a face-down card on the cell in a variable, or takes it away from there: what is on the stack is on the cell then.
    fn set_cell(&self, b: &mut Body, cell: u32, piece: i32) {
        let layout = self.with.layout;
        let set = self.with.state.schema().back().and_then(|back| layout.many(back)).unwrap_or_default();
        twice(b, cell);
        b.all([I::I32Const(piece), I::I32Store16(at(layout.board(), 1))]);
        let place = b.local(ValType::I32);
        b.get(cell);
        b.all([I::I32Const(6), I::I32ShrU, I::I32Const(3), I::I32Shl]);
        b.tee(place);
        b.get(place);
        b.add(I::I64Load(long(set)));
        b.long(1);
        b.get(cell);
        b.all([I::I64ExtendI32U, I::I64Shl, I::I64Xor, I::I64Store(long(set))]);
        b.done(ValType::I32, place);
        moved(b);
        b.store(layout::ZONES, 1);
    }

    /// Adds a number to those of the unknown cards of a zone that are elsewhere.
    fn count_away(&self, b: &mut Body, base: u32, more: i32) {
        b.get(base);
        self.part(b, base, AWAY);
        b.all([
            I::I32Const(more),
            I::I32Add,
            I::I32Store(word(self.zones.parts().get(AWAY).copied().unwrap_or_default())),
        ]);
        self.changed(b, base);
    }

    /// Deals an unknown card of the zone in the variable 0 face down to the cell in the variable 1.
    pub(super) fn down(&self, b: &mut Body) {
        let back = self.with.state.schema().back().map_or(0, |back| i32::from(back.0) + 1);
        let base = self.base(b, 0);
        self.sees(b, 0, ORDERED);
        b.add(I::I32Eqz);
        b.give_up_if();
        self.part(b, base, 0);
        Self::to_host(b);
        self.unknown(b, base);
        self.part(b, base, AWAY);
        b.add(I::I32LeU);
        b.give_up_if();
        twice(b, 1);
        b.add(I::I32Load16U(at(self.with.layout.board(), 1)));
        b.give_up_if();
        b.raise(layout::WEIGHT, 1);
        self.set_cell(b, 1, back);
        twice(b, 1);
        b.get(0);
        b.all([I::I32Const(1), I::I32Add, I::I32Store16(at(self.faces(), 1))]);
        self.count_away(b, base, 1);
        b.word(0);
    }

    /// Deals as many unknown cards as the variable 0 says from the zone in the variable 1 to the empty cells inside the board.
    pub(super) fn all_down(&self, b: &mut Body) {
        let board = self.with.board();
        let base = self.base(b, 1);
        self.part(b, base, 0);
        Self::to_host(b);
        b.get(0);
        b.all([I::I64Const(0), I::I64LtS]);
        b.give_up_if();
        for cell in board.reading_order(board.inside()) {
            b.get(0);
            b.add(I::I64Eqz);
            b.when(None);
            b.all([I::I32Const(0), I::Return]);
            b.end();
            b.all([I::I32Const(0), I::I32Load16U(at(self.with.layout.board() + 2 * cell.0, 1)), I::I32Eqz]);
            b.when(None);
            b.get(1);
            b.word(cell.0.cast_signed());
            self.call(b, OfZones::Down);
            b.give_up_if();
            b.get(0);
            b.all([I::I64Const(1), I::I64Sub]);
            b.set(0);
            b.end();
        }
        b.get(0);
        b.all([I::I64Const(0), I::I64Ne]);
        b.give_up_if();
        b.word(0);
    }

    /// Moves the unknown face-down card on the cell in the variable 0 into the zone in the variable 1.
    pub(super) fn pick_up(&self, b: &mut Body) {
        let [face, card] = std::array::from_fn(|_| b.local(ValType::I32));
        twice(b, 0);
        b.add(I::I32Load16U(at(self.faces(), 1)));
        b.tee(face);
        b.add(I::I32Eqz);
        b.give_up_if();
        b.get(face);
        b.all([I::I32Const(KNOWN.into()), I::I32Eq]);
        Self::to_host(b);
        // It may stay unknown.
        self.sees(b, 1, HIDDEN);
        Self::to_host(b);
        b.load(layout::ANSWERS);
        b.add(I::I32Eqz);
        Self::to_host(b);
        b.get(face);
        b.all([I::I32Const(1), I::I32Sub]);
        b.tee(face);
        self.call(b, OfZones::Chance);
        b.set(card);
        let base = self.base(b, face);
        self.count_away(b, base, -1);
        self.set_cell(b, 0, 0);
        twice(b, 0);
        b.all([I::I32Const(0), I::I32Store16(at(self.faces(), 1))]);
        b.get(card);
        b.get(1);
        self.call(b, OfZones::Arrive);
        b.get(card);
    }

    /// Puts the piece in the variable 0 on the cell in the variable 1. A card must be in no zone.
    pub(super) fn place_piece(&self, b: &mut Body) {
        let schema = self.with.state.schema();
        let back = schema.back().map_or(TO_HOST, |back| back.0.into());
        b.get(0);
        b.all([I::I32Const(back), I::I32Eq]);
        b.give_up_if();
        self.if_copies(b);
        self.searched(b);
        let is_there = b.block(None);
        twice(b, 0);
        b.add(I::I32Load16U(at(self.with.layout.places().unwrap_or_default(), 1)));
        b.jump_if(is_there);
        self.if_known(b);
        self.in_zones(b, 0);
        b.give_up_if();
        b.end();
        board::put(b, self.with.state, self.with.layout);
        b.word(0);
    }
}
