//! Functions of a module for zones: their cards are looked at, drawn and moved in the memory.

use wasm_encoder::{Instruction as I, ValType};

use super::asks;
use super::body::{Body, at, long, word};
use super::face_down;
use super::layout;
use super::of_board::{OfBoard, OnBoard};
use super::of_zones::{HIDDEN, ORDERED, OfZones, PLACE, TO_HOST, Zones};
use super::runtime::{self, Helper};
use super::value::{TAG_BITS, Tag};

/// The number of words of a bag up to which they are written out.
const MOST_WORDS: usize = 4;

impl OfZones {
    /// Writes the function.
    pub(super) fn write(self, b: &mut Body, with: &OnBoard<'_>) {
        let Some(zones) = &with.layout.zones else { return b.give_up() };
        let of = Written { zones, with };
        match self {
            Self::IsEmpty => of.is_empty(b),
            Self::Count => of.count(b),
            Self::Copies => of.copies(b),
            Self::Cards => of.cards(b),
            Self::Take => of.take(b),
            Self::Arrive => of.arrive(b),
            Self::Put => of.put(b),
            Self::Draw => of.draw(b),
            Self::Chance => of.chance(b),
            Self::Place => face_down::place(b, &of),
            Self::Down => face_down::down(b, &of),
            Self::PickUp => face_down::pick_up(b, &of),
        }
    }
}

/// What the functions are written from.
pub(super) struct Written<'w> {
    pub(super) zones: &'w Zones,
    pub(super) with: &'w OnBoard<'w>,
}

impl Written<'_> {
    pub(super) fn call(&self, b: &mut Body, function: OfZones) {
        self.with.call(b, OfBoard::Zones(function));
    }

    /// Leaves how far the parts of a zone are behind those of the first one in a new variable.
    pub(super) fn base(&self, b: &mut Body, zone: u32) -> u32 {
        let base = b.local(ValType::I32);
        b.get(zone);
        b.all([I::I32Const(i32::try_from(self.zones.bytes.zone()).unwrap_or(i32::MAX)), I::I32Mul]);
        b.set(base);
        base
    }

    /// Puts a word of a zone on the stack: a part of [`Zones::parts`].
    pub(super) fn part(&self, b: &mut Body, base: u32, part: usize) {
        b.get(base);
        b.add(I::I32Load(word(self.place(part))));
    }

    fn place(&self, part: usize) -> u32 {
        self.zones.parts().get(part).copied().unwrap_or_default()
    }

    /// Notes that a zone was changed.
    pub(super) fn changed(&self, b: &mut Body, base: u32) {
        b.get(base);
        b.all([I::I32Const(1), I::I32Store(word(self.place(CHANGED)))]);
        b.store(layout::ZONES, 1);
        b.raise(layout::CHANGES, 1);
    }

    /// Puts on the stack whether a zone is one of these sights.
    pub(super) fn sees(&self, b: &mut Body, zone: u32, sight: i32) {
        b.get(zone);
        b.all([I::I32Load8U(at(self.zones.sights, 0)), I::I32Const(sight), I::I32And]);
    }

    /// Calls `each` for the address of each word of a bag, less where the first bag begins, and the number of its first bit.
    fn each_word(&self, b: &mut Body, base: u32, mut each: impl FnMut(&mut Body, u32, u32)) {
        let (place, first) = (b.local(ValType::I32), b.local(ValType::I32));
        let words = self.zones.bytes.words();
        b.get(base);
        b.set(place);
        b.word(0);
        b.set(first);
        let step = |b: &mut Body| {
            b.step(place, 8);
            b.step(first, u64::BITS.cast_signed());
        };
        if words <= MOST_WORDS {
            for number in 0..words {
                each(b, place, first);
                if number + 1 < words {
                    step(b);
                }
            }
        } else {
            let left = b.local(ValType::I32);
            b.word(i32::try_from(words).unwrap_or(i32::MAX));
            b.set(left);
            b.rounds(left, |b| {
                each(b, place, first);
                step(b);
            });
            b.done(ValType::I32, left);
        }
        b.done(ValType::I32, place);
        b.done(ValType::I32, first);
    }

    /// Puts how many cards without an order a zone has on the stack, with those that are elsewhere.
    pub(super) fn unknown(&self, b: &mut Body, base: u32) {
        let sum = b.local(ValType::I64);
        b.long(0);
        b.set(sum);
        self.each_word(b, base, |b, place, _| {
            b.get(sum);
            b.get(place);
            b.all([I::I64Load(long(self.place(BAG))), I::I64Popcnt, I::I64Add]);
            b.set(sum);
        });
        b.get(sum);
        b.add(I::I32WrapI64);
        b.done(ValType::I64, sum);
    }

    /// Puts how many cards a zone has on the stack.
    fn all(&self, b: &mut Body, base: u32) {
        self.unknown(b, base);
        self.part(b, base, AWAY);
        b.add(I::I32Sub);
        self.part(b, base, 0);
        b.add(I::I32Add);
    }

    fn is_empty(&self, b: &mut Body) {
        let base = self.base(b, 0);
        self.all(b, base);
        b.add(I::I32Eqz);
    }

    fn count(&self, b: &mut Body) {
        let base = self.base(b, 0);
        self.all(b, base);
        b.add(I::I64ExtendI32U);
    }

    /// Where the copies of the card in a variable are: leaves the address of its word in a zone, less where the first bag
    /// begins, and the bits of its copies in new variables.
    fn bits(&self, b: &mut Body, base: u32, card: u32) -> (u32, u32) {
        let (place, bits) = (b.local(ValType::I32), b.local(ValType::I64));
        b.get(card);
        b.all([I::I32Const(PLACE), I::I32Mul]);
        b.tee(place);
        b.add(I::I64Load(long(self.zones.places + 8)));
        b.set(bits);
        b.get(place);
        b.add(I::I32Load(word(self.zones.places + 16)));
        b.get(base);
        b.add(I::I32Add);
        b.set(place);
        (place, bits)
    }

    /// Counts the work of looking through the known cards of a zone: how many there are is in a variable.
    fn looked(b: &mut Body, known: u32) {
        b.spend(|b| {
            b.get(known);
            b.all([I::I32Const(3), I::I32ShrU, I::I64ExtendI32U]);
        });
    }

    /// Puts the known card with a number, counted from the last one, on the stack.
    fn known(&self, b: &mut Body, base: u32, number: u32) {
        b.get(number);
        b.all([I::I32Const(1), I::I32Shl]);
        b.get(base);
        b.all([I::I32Add, I::I32Load16U(at(self.place(KNOWN), 1))]);
    }

    /// Puts how many copies of the card in a variable a zone has on the stack, of 32 bits.
    pub(super) fn copies_in(&self, b: &mut Body, base: u32, card: u32) {
        let (sum, left) = (b.local(ValType::I32), b.local(ValType::I32));
        let (place, bits) = self.bits(b, base, card);
        b.get(place);
        b.add(I::I64Load(long(self.place(BAG))));
        b.get(bits);
        b.all([I::I64And, I::I64Popcnt, I::I32WrapI64]);
        b.set(sum);
        self.part(b, base, 0);
        b.set(left);
        Self::looked(b, left);
        b.rounds(left, |b| {
            let number = b.local(ValType::I32);
            b.get(left);
            b.all([I::I32Const(1), I::I32Sub]);
            b.set(number);
            b.get(sum);
            self.known(b, base, number);
            b.get(card);
            b.all([I::I32Eq, I::I32Add]);
            b.set(sum);
            b.done(ValType::I32, number);
        });
        b.get(sum);
        for local in [sum, left, place] {
            b.done(ValType::I32, local);
        }
        b.done(ValType::I64, bits);
    }

    /// Gives up if some unknown cards of a zone are elsewhere.
    fn spread(&self, b: &mut Body, base: u32) {
        self.part(b, base, AWAY);
        b.give_up_if();
    }

    fn copies(&self, b: &mut Body) {
        let base = self.base(b, 0);
        self.spread(b, base);
        self.copies_in(b, base, 1);
        b.add(I::I64ExtendI32U);
    }

    fn cards(&self, b: &mut Body) {
        let [list, items, left, number] = std::array::from_fn(|_| b.local(ValType::I32));
        let bits = b.local(ValType::I64);
        let base = self.base(b, 0);
        self.spread(b, base);
        self.sees(b, 0, HIDDEN);
        b.give_up_if();
        self.all(b, base);
        b.tee(left);
        b.call(Helper::List.number());
        b.tee(list);
        b.get(left);
        b.add(I::I32Store(word(runtime::LENGTH)));
        b.get(list);
        b.add(I::I32Load(word(runtime::ITEMS)));
        b.set(items);
        let add = |b: &mut Body| {
            // The card is on the stack, above the address.
            b.all([I::I64ExtendI32U, I::I64Const(TAG_BITS), I::I64Shl, I::I64Const(Tag::Piece as i64), I::I64Or]);
            b.add(I::I64Store(long(0)));
            b.step(items, runtime::ITEM);
        };
        self.part(b, base, 0);
        b.set(left);
        // What is drawn first is the last one.
        b.rounds(left, |b| {
            b.get(left);
            b.all([I::I32Const(1), I::I32Sub]);
            b.set(number);
            b.get(items);
            self.known(b, base, number);
            add(b);
        });
        self.each_word(b, base, |b, place, first| {
            b.get(place);
            b.add(I::I64Load(long(self.place(BAG))));
            b.set(bits);
            b.cells(bits, |b, bit| {
                b.get(items);
                self.card(b, bit, first);
                add(b);
            });
        });
        b.get(list);
    }

    /// Puts the card of a bit on the stack, which is so many bits behind that with a number.
    fn card(&self, b: &mut Body, bit: u32, first: u32) {
        b.get(bit);
        b.add(I::I32WrapI64);
        b.get(first);
        b.all([I::I32Add, I::I32Const(1), I::I32Shl, I::I32Load16U(at(self.zones.cards, 1))]);
    }

    /// Takes a copy of a card out of the bag of a zone: the address of its word, and the bits of its copies are in variables.
    fn take_unknown(&self, b: &mut Body, base: u32, card: u32) {
        let (place, bits) = self.bits(b, base, card);
        let bag = b.local(ValType::I64);
        b.get(place);
        b.add(I::I64Load(long(self.place(BAG))));
        b.tee(bag);
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
        b.done(ValType::I32, place);
        b.done(ValType::I64, bits);
        b.done(ValType::I64, bag);
    }

    /// Takes the card in the variable 0 out of the zone in the variable 1: a known one first.
    fn take(&self, b: &mut Body) {
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

    /// Puts the card in the variable 0 into the zone in the variable 1, as the first one or without an order.
    fn arrive(&self, b: &mut Body) {
        let known = b.local(ValType::I32);
        let base = self.base(b, 1);
        b.raise(layout::WEIGHT, 1);
        self.changed(b, base);
        let (place, bits) = self.bits(b, base, 0);
        b.get(bits);
        b.add(I::I64Eqz);
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
        let bag = b.local(ValType::I64);
        b.get(place);
        b.add(I::I64Load(long(self.place(BAG))));
        b.tee(bag);
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
        b.get(0);
        b.all([I::I32Const(PLACE), I::I32Mul, I::I64Load(long(self.zones.places))]);
        b.all([I::I64Or, I::I64Store(long(self.place(BAG)))]);
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

    fn put(&self, b: &mut Body) {
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
    fn draw(&self, b: &mut Body) {
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
    fn chance(&self, b: &mut Body) {
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
            b.rounds(left, |b| b.without_first(bits));
            b.get(bits);
            b.add(I::I64Ctz);
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

/// The parts of a zone, by their places in [`Zones::parts`].
pub(super) const AWAY: usize = 1;
const CHANGED: usize = 2;
const BAG: usize = 3;
const KNOWN: usize = 4;
