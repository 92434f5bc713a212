//! Functions of a module that move cards: out of zones and into them, and draws.

use wasm_encoder::{Instruction as I, ValType};

use super::asks;
use super::body::{Body, at, long, word};
use super::layout;
use super::of_zones::{OfZones, TO_HOST};
use super::runtime::Helper;
use super::zone_places::{ORDERED, PLACE};
use super::zones::{AWAY, BAG, KNOWN, Written};

/// Variables for the copies of a card in the bag of a zone: the address of their word, their bits, and the word.
struct InBag {
    place: u32,
    bits: u32,
    bag: u32,
}

impl InBag {
    fn done(self, b: &mut Body) {
        b.done(ValType::I32, self.place);
        b.done(ValType::I64, self.bits);
        b.done(ValType::I64, self.bag);
    }
}

impl Written<'_> {
    fn in_bag(&self, b: &mut Body, base: u32, card: u32) -> InBag {
        let (place, bits) = self.bits(b, base, card);
        let bag = b.local(ValType::I64);
        b.get(place);
        b.add(I::I64Load(long(self.place(BAG))));
        b.set(bag);
        InBag { place, bits, bag }
    }

    /// Takes a copy of a card out of the bag of a zone: the address of its word, and the bits of its copies are in variables.
    fn take_unknown(&self, b: &mut Body, base: u32, card: u32) {
        let InBag { place, bits, bag } = self.in_bag(b, base, card);
        b.get(bag);
        b.get(bits);
        b.all([I::I64And, I::I64Eqz]);
        b.give_up_if();
        b.get(place);
        b.get(bag);
        b.get(bits);
        b.all([I::I64Const(-1), I::I64Xor, I::I64And]);
        // The lowest bits of a card are set: the highest of these goes.
        b.get(bag);
        b.get(bits);
        b.all([I::I64And, I::I64Const(1), I::I64ShrU]);
        b.get(bits);
        b.all([I::I64And, I::I64Or, I::I64Store(long(self.place(BAG)))]);
        self.changed(b, base);
        InBag { place, bits, bag }.done(b);
    }

    /// Takes the card in the variable 0 out of the zone in the variable 1: a known one first.
    pub(super) fn take(&self, b: &mut Body) {
        let [known, number, last] = std::array::from_fn(|_| b.local(ValType::I32));
        let base = self.base(b, 1);
        self.part(b, base, 0);
        b.tee(known);
        b.set(number);
        Self::looked(b, known);
        b.rounds(number, |b| {
            let other = b.block(None);
            b.get(number);
            b.all([I::I32Const(1), I::I32Sub]);
            b.set(last);
            self.known(b, base, last);
            b.get(0);
            b.add(I::I32Ne);
            b.jump_if(other);
            // Those above it move down.
            b.get(known);
            b.all([I::I32Const(1), I::I32Sub]);
            b.set(known);
            let moved = b.block(None);
            let again = b.again();
            b.get(last);
            b.get(known);
            b.add(I::I32GeU);
            b.jump_if(moved);
            b.get(last);
            b.all([I::I32Const(1), I::I32Shl]);
            b.get(base);
            b.add(I::I32Add);
            self.known(b, base, number);
            b.add(I::I32Store16(at(self.place(KNOWN), 1)));
            b.step(last, 1);
            b.step(number, 1);
            b.jump(again);
            b.end();
            b.end();
            b.get(base);
            b.get(known);
            b.add(I::I32Store(word(self.place(0))));
            self.changed(b, base);
            b.add(I::Return);
            b.end();
        });
        self.spread(b, base);
        self.take_unknown(b, base, 0);
    }

    /// Forgets the order of the zone in the variable 0.
    pub(super) fn shuffle(&self, b: &mut Body) {
        let [known, card] = std::array::from_fn(|_| b.local(ValType::I32));
        let base = self.base(b, 0);
        // The machine counts all cards of the zone again.
        b.spend(|b| b.long(i64::try_from(self.zones.bytes.most() / 16).unwrap_or(i64::MAX)));
        self.part(b, base, 0);
        b.tee(known);
        b.add(I::I32Eqz);
        b.when(None);
        b.add(I::Return);
        b.end();
        self.spread(b, base);
        Self::looked(b, known);
        b.rounds(known, |b| {
            let number = b.local(ValType::I32);
            b.get(known);
            b.all([I::I32Const(1), I::I32Sub]);
            b.set(number);
            self.known(b, base, number);
            b.set(card);
            self.put_unknown(b, base, card);
            b.done(ValType::I32, number);
        });
        b.get(base);
        b.all([I::I32Const(0), I::I32Store(word(self.place(0)))]);
        self.changed(b, base);
    }

    /// Puts a copy of the card in a variable into the bag of a zone, which has fewer than there are.
    fn put_unknown(&self, b: &mut Body, base: u32, card: u32) {
        let InBag { place, bits, bag } = self.in_bag(b, base, card);
        b.get(bag);
        b.get(bits);
        b.add(I::I64And);
        b.get(bits);
        b.add(I::I64Eq);
        b.give_up_if();
        b.get(place);
        b.get(bag);
        // One more of its bits: those that are set move up, and the first one is set.
        b.get(bag);
        b.get(bits);
        b.all([I::I64And, I::I64Const(1), I::I64Shl, I::I64Or]);
        b.get(card);
        b.all([I::I32Const(PLACE), I::I32Mul, I::I64Load(long(self.zones.places))]);
        b.all([I::I64Or, I::I64Store(long(self.place(BAG)))]);
        InBag { place, bits, bag }.done(b);
    }

    /// Puts the card in the variable 0 into the zone in the variable 1, as the first one or without an order.
    pub(super) fn arrive(&self, b: &mut Body) {
        let known = b.local(ValType::I32);
        let base = self.base(b, 1);
        b.raise(layout::WEIGHT, 1);
        self.changed(b, base);
        // Only a card has copies.
        b.get(0);
        b.all([I::I32Const(PLACE), I::I32Mul, I::I64Load(long(self.zones.places + 8)), I::I64Eqz]);
        b.give_up_if();
        self.sees(b, 1, ORDERED);
        b.when(None);
        self.part(b, base, 0);
        b.tee(known);
        b.all([I::I32Const(i32::try_from(self.zones.bytes.most()).unwrap_or(i32::MAX)), I::I32GeU]);
        b.give_up_if();
        b.get(known);
        b.all([I::I32Const(1), I::I32Shl]);
        b.get(base);
        b.add(I::I32Add);
        b.get(0);
        b.add(I::I32Store16(at(self.place(KNOWN), 1)));
        b.get(base);
        b.get(known);
        b.all([I::I32Const(1), I::I32Add, I::I32Store(word(self.place(0)))]);
        b.otherwise();
        self.put_unknown(b, base, 0);
        b.end();
    }

    /// Counts the work of looking for a card in all places: about that of the size of the position.
    pub(super) fn searched(&self, b: &mut Body) {
        let state = self.with.state;
        let cards = self.zones.bytes.most() + state.schema().zones.len() + state.board().size();
        b.spend(|b| b.long(i64::try_from((state.weight() + cards as u64) / 8).unwrap_or(i64::MAX)));
    }

    /// Puts how many copies of the card in a variable all zones have on the stack.
    pub(super) fn in_zones(&self, b: &mut Body, card: u32) {
        let [sum, left, base] = std::array::from_fn(|_| b.local(ValType::I32));
        b.word(0);
        b.set(sum);
        b.word(0);
        b.set(base);
        b.word(i32::try_from(self.with.state.schema().zones.len()).unwrap_or(i32::MAX));
        b.set(left);
        b.rounds(left, |b| {
            self.copies_in(b, base, card);
            b.get(sum);
            b.add(I::I32Add);
            b.set(sum);
            b.step(base, i32::try_from(self.zones.bytes.zone()).unwrap_or(i32::MAX));
        });
        b.get(sum);
        for local in [sum, left, base] {
            b.done(ValType::I32, local);
        }
    }

    /// Returns that the host is to do it if the condition on the stack holds.
    pub(super) fn to_host(b: &mut Body) {
        b.when(None);
        b.all([I::I32Const(TO_HOST), I::Return]);
        b.end();
    }

    /// Lets the host do it if it knows face-down cards: it may be one of them.
    pub(super) fn if_known(&self, b: &mut Body) {
        b.load(self.zones.address(self.zones.bytes.down()));
        Self::to_host(b);
    }

    /// Lets the host do it if the card in the variable 0 has copies, which may be on the board.
    pub(super) fn if_copies(&self, b: &mut Body) {
        if self.zones.copies && self.with.layout.cells > 0 {
            b.get(0);
            b.all([I::I32Const(PLACE), I::I32Mul, I::I64Load(long(self.zones.places + 8))]);
            b.all([I::I64Popcnt, I::I64Const(1), I::I64GtU]);
            Self::to_host(b);
        }
    }

    pub(super) fn put(&self, b: &mut Body) {
        let copies = b.local(ValType::I64);
        self.if_known(b);
        self.if_copies(b);
        self.searched(b);
        self.in_zones(b, 0);
        if self.with.layout.cells > 0 {
            b.get(0);
            b.all([I::I32Const(1), I::I32Shl]);
            b.add(I::I32Load16U(at(self.with.layout.places().unwrap_or_default(), 1)));
            b.add(I::I32Add);
        }
        b.get(0);
        b.all([I::I32Const(PLACE), I::I32Mul, I::I64Load(long(self.zones.places + 8))]);
        b.tee(copies);
        b.all([I::I64Popcnt, I::I32WrapI64, I::I32GeU]);
        b.give_up_if();
        b.get(0);
        b.get(1);
        self.call(b, OfZones::Arrive);
        b.word(0);
    }

    /// Takes the next card out of the zone in the variable 0.
    pub(super) fn draw(&self, b: &mut Body) {
        let known = b.local(ValType::I32);
        let base = self.base(b, 0);
        self.part(b, base, 0);
        b.tee(known);
        b.when(None);
        b.get(known);
        b.all([I::I32Const(1), I::I32Sub]);
        b.set(known);
        b.get(base);
        b.get(known);
        b.add(I::I32Store(word(self.place(0))));
        self.changed(b, base);
        self.known(b, base, known);
        b.add(I::Return);
        b.end();
        self.unknown(b, base);
        self.part(b, base, AWAY);
        b.all([I::I32LeU]);
        b.give_up_if();
        b.load(layout::ANSWERS);
        b.add(I::I32Eqz);
        Self::to_host(b);
        b.get(0);
        self.call(b, OfZones::Chance);
    }

    /// Asks chance for one of the unknown cards of the zone in the variable 0, and takes it out of the bag.
    pub(super) fn chance(&self, b: &mut Body) {
        let [card, left, more] = std::array::from_fn(|_| b.local(ValType::I32));
        let (bits, bit) = (b.local(ValType::I64), b.local(ValType::I64));
        let base = self.base(b, 0);
        asks::answered(b, 1);
        self.unknown(b, base);
        b.add(I::I64ExtendI32U);
        b.call(Helper::Below.number());
        b.add(I::I32WrapI64);
        b.set(left);
        let found = b.block(None);
        self.each_word(b, base, |b, place, first| {
            let next = b.block(None);
            b.get(place);
            b.add(I::I64Load(long(self.place(BAG))));
            b.tee(bits);
            b.all([I::I64Popcnt, I::I32WrapI64]);
            b.tee(more);
            b.get(left);
            b.add(I::I32LeU);
            b.when(None);
            b.get(left);
            b.get(more);
            b.add(I::I32Sub);
            b.set(left);
            b.jump(next);
            b.end();
            b.bit_after(bits, left);
            b.set(bit);
            self.card(b, bit, first);
            b.set(card);
            b.jump(found);
            b.end();
        });
        b.give_up();
        b.end();
        self.take_unknown(b, base, card);
        b.get(card);
    }
}
