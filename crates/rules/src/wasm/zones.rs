//! Functions of a module for zones: their cards are looked at, drawn and moved in the memory.

use wasm_encoder::{Instruction as I, ValType};

use super::body::{Body, at, long, word};
use super::layout;
use super::of_board::{OfBoard, OnBoard};
use super::of_zones::OfZones;
use super::runtime;
use super::value::{TAG_BITS, Tag};
use super::zone_places::{HIDDEN, PLACE, Zones};

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
            Self::Place => of.place_piece(b),
            Self::Shuffle => of.shuffle(b),
            Self::Down => of.down(b),
            Self::AllDown => of.all_down(b),
            Self::PickUp => of.pick_up(b),
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

    pub(super) fn place(&self, part: usize) -> u32 {
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
    pub(super) fn each_word(&self, b: &mut Body, base: u32, mut each: impl FnMut(&mut Body, u32, u32)) {
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
    pub(super) fn bits(&self, b: &mut Body, base: u32, card: u32) -> (u32, u32) {
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
    pub(super) fn looked(b: &mut Body, known: u32) {
        b.spend(|b| {
            b.get(known);
            b.all([I::I32Const(3), I::I32ShrU, I::I64ExtendI32U]);
        });
    }

    /// Puts the known card with a number, counted from the last one, on the stack.
    pub(super) fn known(&self, b: &mut Body, base: u32, number: u32) {
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
    pub(super) fn spread(&self, b: &mut Body, base: u32) {
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
        runtime::full_list(b, list, items);
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
    pub(super) fn card(&self, b: &mut Body, bit: u32, first: u32) {
        b.get(bit);
        b.add(I::I32WrapI64);
        b.get(first);
        b.all([I::I32Add, I::I32Const(1), I::I32Shl, I::I32Load16U(at(self.zones.cards, 1))]);
    }
}

/// The parts of a zone, by their places in [`Zones::parts`].
pub(super) const AWAY: usize = 1;
pub(super) const CHANGED: usize = 2;
pub(super) const BAG: usize = 3;
pub(super) const KNOWN: usize = 4;
