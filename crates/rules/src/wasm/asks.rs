//! Asks that compiled rules answer themselves, at random: dice, and choices among actions. They use the numbers of the host,
//! and count what they decide, exactly as the host would.

use wasm_encoder::{Instruction as I, ValType};

use super::body::{Body, long, word};
use super::layout::{self, Layout};
use super::of_amounts::OfAmounts;
use super::of_board::{OfBoard, OnBoard};
use super::random;
use super::runtime::{self, Helper};
use super::value::{TAG_BITS, Tag};

/// The numbers of the strings `value`, `values` and `verb`: what a chosen action has.
pub(super) const CHOSEN: [&str; 3] = ["value", "values", "verb"];

/// The number of options up to which duplicates are looked for here.
const MOST_OPTIONS: i32 = 256;

/// The number of bits that say for which sketches of options there is one, and the bytes that they take.
const GROUPS: i32 = 256;
const GROUP_BYTES: i32 = GROUPS / 8;

/// How much may be answered in a turn before the rules are given up: less than the limit of a playout.
const MOST_ANSWERS: i32 = 50_000;

/// Notes which player, whom `player` puts on the stack, is asked next, and the work that is left before.
pub(super) fn asked(b: &mut Body, player: impl FnOnce(&mut Body)) {
    keep_left(b);
    b.word(0);
    player(b);
    b.add(I::I32Store(word(layout::ASKED)));
}

/// Writes the work that is left to the memory.
pub(super) fn keep_left(b: &mut Body) {
    b.all([I::I32Const(0), I::GlobalGet(layout::LEFT), I::I64Store(long(layout::LEFT_OVER))]);
}

/// Counts an answered ask of a weight: work is counted anew.
pub(super) fn answered(b: &mut Body, weight: i32) {
    b.raise(layout::ANSWERED, 1);
    b.store(layout::SILENT, 0);
    b.raise_both(layout::REPORTED, 1, weight);
    b.all([I::I64Const(layout::WORK), I::GlobalSet(layout::LEFT)]);
    b.load(layout::ANSWERED);
    b.all([I::I32Const(MOST_ANSWERS), I::I32GtU]);
    b.give_up_if();
}

/// Counts a choice among so many single values, and leaves the number of a random one in a variable.
pub(super) fn below(b: &mut Body, count: u32, number: u32) {
    answered(b, 1);
    decided(b, count, number);
}

/// Counts a decision among so many single values, and leaves the number of a random one in a variable.
pub(super) fn decided(b: &mut Body, count: u32, number: u32) {
    b.raise(layout::DECISIONS, 1);
    for (place, double) in [(layout::WEIGHT, 1), (layout::OPTIONS, 0)] {
        b.raise_by(place, |b| {
            b.get(count);
            b.all([I::I32Const(double), I::I32Shl]);
        });
    }
    b.get(count);
    b.add(I::I64ExtendI32U);
    b.call(Helper::Below.number());
    b.set(number);
}

/// Puts a random number below a constant on the stack. As [`random::below`] does; below a power of two these are the highest
/// bits of one number.
pub(super) fn below_constant(b: &mut Body, bound: u32) {
    if !bound.is_power_of_two() || bound == 1 {
        b.long(bound.into());
        return b.call(Helper::Below.number());
    }
    random::next(b, |b| b.word(bound.cast_signed()));
    b.all([I::I64Const((u64::BITS - bound.trailing_zeros()).into()), I::I64ShrU]);
}

/// Leaves the address of new bits for sketches in a variable: none is set.
fn new_groups(b: &mut Body, groups: u32) {
    runtime::allocated(b, GROUP_BYTES.cast_unsigned());
    b.set(groups);
    for at in (0..GROUP_BYTES).step_by(8) {
        b.get(groups);
        b.all([I::I64Const(0), I::I64Store(long(at.cast_unsigned()))]);
    }
}

/// Puts on the stack whether there was an option before whose sketch may be that in a variable; now there is one. Most options
/// are the first with their sketch, so they need not be compared with others.
fn is_met(b: &mut Body, groups: u32, sketch: u32) {
    let (place, bit) = (b.local(ValType::I32), b.local(ValType::I64));
    b.get(sketch);
    b.all([I::I32Const(0x9E37_79B1_u32.cast_signed()), I::I32Mul, I::I32Const(24), I::I32ShrU]);
    b.set(place);
    b.long(1);
    b.get(place);
    b.all([I::I64ExtendI32U, I::I64Shl]);
    b.set(bit);
    b.get(groups);
    b.get(place);
    b.all([I::I32Const(6), I::I32ShrU, I::I32Const(3), I::I32Shl, I::I32Add]);
    b.tee(place);
    b.add(I::I64Load(long(0)));
    b.get(bit);
    b.all([I::I64And, I::I64Eqz]);
    b.when(Some(ValType::I32));
    b.get(place);
    b.get(place);
    b.add(I::I64Load(long(0)));
    b.get(bit);
    b.all([I::I64Or, I::I64Store(long(0)), I::I32Const(0)]);
    b.otherwise();
    b.word(1);
    b.end();
    b.done(ValType::I32, place);
    b.done(ValType::I64, bit);
}

/// Writes `(list) -> wrapped`: a choice among the values of a list, all with a tag, as the rules get it; 0 if the host is to
/// ask.
pub(super) fn choose_value(b: &mut Body, tag: Tag, small: bool) {
    let [left, at, known, count, other, groups] = std::array::from_fn(|_| b.local(ValType::I32));
    let [item, seen, number] = std::array::from_fn(|_| b.local(ValType::I64));
    let refuse = |b: &mut Body| {
        b.when(None);
        b.all([I::I64Const(super::value::NOTHING), I::Return]);
        b.end();
    };
    let by_bits = tag == Tag::Cell && small;
    let most = if by_bits { u64::BITS.cast_signed() * 4 } else { MOST_OPTIONS };
    b.load(layout::ANSWERS);
    b.add(I::I32Eqz);
    refuse(b);
    b.get(0);
    b.all([I::I32Load(word(runtime::LENGTH)), I::I32Const(1), I::I32Sub, I::I32Const(most), I::I32GeU]);
    refuse(b);
    b.get(0);
    b.add(I::I32Load(word(runtime::LENGTH)));
    b.tee(left);
    b.all([I::I32Const(3), I::I32Shl]);
    b.call(Helper::Allocate.number());
    b.set(known);
    b.get(0);
    b.add(I::I32Load(word(runtime::ITEMS)));
    b.set(at);
    if !by_bits {
        new_groups(b, groups);
    }
    let place = |b: &mut Body, number: u32| {
        b.get(known);
        b.get(number);
        b.all([I::I32Const(3), I::I32Shl, I::I32Add]);
    };
    b.rounds(left, |b| {
        b.get(at);
        b.add(I::I64Load(long(0)));
        b.tee(item);
        b.all([I::I64Const(15), I::I64And, I::I64Const(tag as i64), I::I64Ne]);
        refuse(b);
        b.step(at, runtime::ITEM);
        let repeated = b.block(None);
        if by_bits {
            b.get(seen);
            b.get(item);
            b.all([I::I64Const(TAG_BITS), I::I64ShrU, I::I64ShrU, I::I32WrapI64, I::I32Const(1), I::I32And]);
            b.jump_if(repeated);
            b.get(seen);
            b.long(1);
            b.get(item);
            b.all([I::I64Const(TAG_BITS), I::I64ShrU, I::I64Shl, I::I64Or]);
            b.set(seen);
        } else {
            b.get(item);
            b.all([I::I64Const(TAG_BITS), I::I64ShrU, I::I32WrapI64]);
            b.set(other);
            is_met(b, groups, other);
            b.when(None);
            b.get(count);
            b.set(other);
            b.rounds(other, |b| {
                place(b, other);
                b.all([I::I32Const(8), I::I32Sub, I::I64Load(long(0))]);
                b.get(item);
                b.add(I::I64Eq);
                b.jump_if(repeated);
            });
            b.end();
        }
        place(b, count);
        b.get(item);
        b.add(I::I64Store(long(0)));
        b.step(count, 1);
        b.end();
    });
    below(b, count, number);
    b.get(number);
    b.add(I::I32WrapI64);
    b.set(at);
    place(b, at);
    b.add(I::I64Load(long(0)));
}

/// Writes `(set) -> cell or ()`: a choice among the cells of a small set; `()` if the host is to ask.
pub(super) fn choose_cell(b: &mut Body) {
    let count = b.local(ValType::I32);
    let number = b.local(ValType::I64);
    b.load(layout::ANSWERS);
    b.add(I::I32Eqz);
    refuse(b);
    b.get(0);
    b.add(I::I64Eqz);
    refuse(b);
    b.get(0);
    b.all([I::I64Popcnt, I::I32WrapI64]);
    b.set(count);
    below(b, count, number);
    // The first cells are taken away.
    b.get(number);
    b.add(I::I32WrapI64);
    b.set(count);
    b.rounds(count, |b| b.without_first(0));
    b.get(0);
    b.all([I::I64Ctz, I::I32WrapI64]);
}

/// Returns from the function if the condition on the stack holds: the host is to ask.
pub(super) fn refuse(b: &mut Body) {
    b.when(None);
    b.all([I::I32Const(-1), I::Return]);
    b.end();
}

/// Puts a value of an action on the stack, by the variable with its number, from 1 on.
fn value(b: &mut Body, action: u32, number: u32) {
    b.get(action);
    b.get(number);
    b.all([I::I32Const(3), I::I32Shl, I::I32Add, I::I64Load(long(0))]);
}

/// Leaves the number of values of an action in a variable.
fn values(b: &mut Body, action: u32, count: u32) {
    b.get(action);
    b.add(I::I32Load(word(4)));
    b.set(count);
}

/// Writes `(list) -> map or ()`: a choice among the actions of a list, as the rules get it; `()` if the host is to ask.
pub(super) fn choose(b: &mut Body, with: &OnBoard<'_>) {
    let [left, at, known, count, item, weight, groups, sketch] = std::array::from_fn(|_| b.local(ValType::I32));
    b.load(layout::ANSWERS);
    b.add(I::I32Eqz);
    refuse(b);
    b.get(0);
    b.all([I::I32Load(word(runtime::LENGTH)), I::I32Const(1), I::I32Sub, I::I32Const(MOST_OPTIONS), I::I32GeU]);
    refuse(b);
    // The different options, by their addresses.
    b.get(0);
    b.add(I::I32Load(word(runtime::LENGTH)));
    b.tee(left);
    b.all([I::I32Const(2), I::I32Shl]);
    b.call(Helper::Allocate.number());
    b.set(known);
    new_groups(b, groups);
    b.get(0);
    b.add(I::I32Load(word(runtime::ITEMS)));
    b.set(at);
    b.rounds(left, |b| {
        option(b, with, (at, item), (weight, sketch));
        is_met(b, groups, sketch);
        b.when(Some(ValType::I32));
        is_among(b, with, item, (known, count));
        b.otherwise();
        b.word(0);
        b.end();
        b.add(I::I32Eqz);
        b.when(None);
        place_of_option(b, known, count);
        b.get(item);
        b.add(I::I32Store(word(0)));
        b.step(count, 1);
        b.end();
        b.step(at, runtime::ITEM);
    });
    answered(b, 1);
    b.raise(layout::DECISIONS, 1);
    for (place, more) in [(layout::WEIGHT, weight), (layout::OPTIONS, count)] {
        b.raise_by(place, |b| b.get(more));
    }
    b.get(count);
    b.add(I::I64ExtendI32U);
    b.call(Helper::Below.number());
    b.add(I::I32WrapI64);
    b.set(at);
    place_of_option(b, known, at);
    b.add(I::I32Load(word(0)));
    b.set(item);
    chosen_map(b, item, with.layout());
}

/// Puts the address of the option with a number on the stack, of those that are different.
fn place_of_option(b: &mut Body, known: u32, number: u32) {
    b.get(known);
    b.get(number);
    b.all([I::I32Const(2), I::I32Shl, I::I32Add]);
}

/// Leaves the address of the action at a place of the list in a variable and its sketch in another one, and adds to the weight
/// of the options. Values that are more than ids are compared by the host.
fn option(b: &mut Body, with: &OnBoard<'_>, (at, item): (u32, u32), (weight, sketch): (u32, u32)) {
    let left = b.local(ValType::I32);
    let wrapped = b.local(ValType::I64);
    b.get(at);
    b.add(I::I64Load(long(0)));
    b.tee(wrapped);
    b.all([I::I64Const(15), I::I64And, I::I64Const(Tag::Action as i64), I::I64Ne]);
    refuse(b);
    b.get(wrapped);
    b.all([I::I64Const(TAG_BITS), I::I64ShrU, I::I32WrapI64]);
    b.set(item);
    values(b, item, left);
    b.get(weight);
    b.get(left);
    b.all([I::I32Add, I::I32Const(1), I::I32Add]);
    b.set(weight);
    b.get(item);
    b.add(I::I32Load(word(0)));
    b.set(sketch);
    b.rounds(left, |b| {
        value(b, item, left);
        b.set(wrapped);
        let of_value = b.block(None);
        if let Some(amounts) = &with.layout().amounts {
            is_tagged(b, wrapped, Tag::Map);
            b.when(None);
            // Who gets the chosen one may not change it.
            address(b, wrapped);
            b.all([I::I32Const(1), I::I32Store(word(runtime::SHARED))]);
            packed(b, with, wrapped);
            b.tee(wrapped);
            b.get(wrapped);
            b.all([I::I64Const(29), I::I64ShrU, I::I64Xor, I::I64Const(TAG_BITS), I::I64Shl]);
            b.get(weight);
            b.get(wrapped);
            amounts.more_weight(b);
            b.add(I::I32Add);
            b.set(weight);
            b.set(wrapped);
            b.jump(of_value);
            b.end();
        }
        is_tagged(b, wrapped, Tag::Text);
        b.when(Some(ValType::I32));
        address(b, wrapped);
        b.all([I::I32Const(with.layout().light_texts.cast_signed()), I::I32GeU]);
        b.otherwise();
        b.get(wrapped);
        b.all([I::I64Const(15), I::I64And, I::I64Const(Tag::Cell as i64), I::I64GtU]);
        b.end();
        refuse(b);
        b.end();
        b.get(sketch);
        b.all([I::I32Const(31), I::I32Mul]);
        address(b, wrapped);
        b.add(I::I32Add);
        b.set(sketch);
    });
    b.done(ValType::I32, left);
    b.done(ValType::I64, wrapped);
}

/// Puts on the stack whether a wrapped value has a tag.
fn is_tagged(b: &mut Body, wrapped: u32, tag: Tag) {
    b.get(wrapped);
    b.all([I::I64Const(15), I::I64And, I::I64Const(tag as i64), I::I64Eq]);
}

/// Puts the id or the address in a wrapped value on the stack.
fn address(b: &mut Body, wrapped: u32) {
    b.get(wrapped);
    b.all([I::I64Const(TAG_BITS), I::I64ShrU, I::I32WrapI64]);
}

/// Puts the amount in a wrapped map on the stack, packed.
fn packed(b: &mut Body, with: &OnBoard<'_>, wrapped: u32) {
    address(b, wrapped);
    with.call(b, OfBoard::Amounts(OfAmounts::Pack));
}

/// Puts on the stack whether an action is one of the options before it.
fn is_among(b: &mut Body, with: &OnBoard<'_>, item: u32, (known, count): (u32, u32)) {
    let [other, before, left, found] = std::array::from_fn(|_| b.local(ValType::I32));
    let [one, another] = std::array::from_fn(|_| b.local(ValType::I64));
    b.word(0);
    b.set(found);
    b.get(count);
    b.set(other);
    let done = b.block(None);
    b.rounds(other, |b| {
        let differs = b.block(None);
        b.get(known);
        b.get(other);
        // The number of the last one is one less.
        b.all([I::I32Const(1), I::I32Sub, I::I32Const(2), I::I32Shl, I::I32Add, I::I32Load(word(0))]);
        b.set(before);
        for action in [before, item] {
            b.get(action);
            b.add(I::I64Load(long(0)));
        }
        b.add(I::I64Ne);
        b.jump_if(differs);
        values(b, item, left);
        b.rounds(left, |b| {
            for (of, wrapped) in [(item, one), (before, another)] {
                value(b, of, left);
                b.set(wrapped);
            }
            if with.layout().amounts.is_some() {
                for wrapped in [one, another] {
                    is_tagged(b, wrapped, Tag::Map);
                }
                b.add(I::I32And);
                b.when(None);
                for wrapped in [one, another] {
                    packed(b, with, wrapped);
                    b.set(wrapped);
                }
                b.end();
            }
            b.get(one);
            b.get(another);
            b.add(I::I64Ne);
            b.jump_if(differs);
        });
        b.word(1);
        b.set(found);
        b.jump(done);
        b.end();
    });
    b.end();
    b.get(found);
    for local in [other, before, left, found] {
        b.done(ValType::I32, local);
    }
    for local in [one, another] {
        b.done(ValType::I64, local);
    }
}

/// Puts the map on the stack that the rules get for a chosen action: the first value, a list of all values, and the verb.
fn chosen_map(b: &mut Body, item: u32, layout: &Layout) {
    let [left, list, map] = std::array::from_fn(|_| b.local(ValType::I32));
    // The list is behind the map.
    let pairs = CHOSEN.len() as i32;
    let size = runtime::HEAD + (pairs * runtime::PAIR).cast_unsigned();
    b.get(item);
    b.add(I::I32Load(word(4)));
    b.tee(left);
    b.all([I::I32Const(runtime::ITEM), I::I32Mul, I::I32Const((size + runtime::HEAD).cast_signed()), I::I32Add]);
    b.call(Helper::Allocate.number());
    b.tee(map);
    b.all([I::I32Const(size.cast_signed()), I::I32Add]);
    b.set(list);
    runtime::put_head(b, list, |b| b.get(left), |b| b.get(left));
    runtime::put_head(b, map, |b| b.word(pairs), |b| b.word(pairs));
    let key = |at: u32| runtime::HEAD + at * runtime::PAIR.cast_unsigned();
    let value = |at: u32| long(key(at) + 8);
    for at in 0..CHOSEN.len() as u32 {
        b.get(map);
        b.long(Tag::Text.wrap(at));
        b.add(I::I64Store(long(key(at))));
    }
    b.get(map);
    b.get(left);
    b.when(Some(ValType::I64));
    b.get(item);
    b.add(I::I64Load(long(8)));
    b.otherwise();
    b.long(super::value::NOTHING);
    b.end();
    b.add(I::I64Store(value(0)));
    b.get(map);
    b.get(list);
    b.all([I::I64ExtendI32U, I::I64Const(TAG_BITS), I::I64Shl, I::I64Const(Tag::List as i64), I::I64Or]);
    b.add(I::I64Store(value(1)));
    b.get(map);
    b.get(item);
    b.all([I::I32Load(word(0)), I::I32Const(3), I::I32Shl]);
    b.add(I::I64Load(long(layout.verbs)));
    b.add(I::I64Store(value(2)));
    // The values of the action are copied from the last one on.
    b.rounds(left, |b| {
        for of in [list, item] {
            b.get(of);
            b.get(left);
            b.all([I::I32Const(3), I::I32Shl, I::I32Add]);
        }
        // The first one is behind the head of the action, which is as large as an item, and behind that of the list.
        b.add(I::I64Load(long(0)));
        b.add(I::I64Store(long(runtime::HEAD - runtime::ITEM.cast_unsigned())));
    });
    b.get(map);
}
