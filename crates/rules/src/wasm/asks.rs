//! Asks that compiled rules answer themselves, at random: dice, and choices among actions. They use the numbers of the host,
//! and count what they decide, exactly as the host would.

use wasm_encoder::{Instruction as I, ValType};

use super::body::{Body, long, word};
use super::layout::{self, Layout};
use super::random::add_to;
use super::runtime::{self, Helper};
use super::value::{TAG_BITS, Tag};

/// The numbers of the strings `value`, `values` and `verb`: what a chosen action has.
pub(super) const CHOSEN: [&str; 3] = ["value", "values", "verb"];

/// The number of options up to which duplicates are looked for here.
const MOST_OPTIONS: i32 = 24;

/// How much may be answered in a turn before the rules are given up: less than the limit of a playout.
const MOST_ANSWERS: i32 = 50_000;

/// Counts an answered ask of a weight: work is counted anew.
pub(super) fn answered(b: &mut Body, weight: i32) {
    add_to(b, layout::ANSWERED, 1);
    b.all([I::I32Const(0), I::I32Const(0), I::I32Store(word(layout::SILENT))]);
    add_to(b, layout::REPORTED, 1);
    add_to(b, layout::WEIGHT, weight);
    b.all([I::I64Const(layout::WORK), I::GlobalSet(layout::LEFT)]);
    b.all([I::I32Const(0), I::I32Load(word(layout::ANSWERED)), I::I32Const(MOST_ANSWERS), I::I32GtU]);
    b.give_up_if();
}

/// Writes `(list) -> map or ()`: a choice among the actions of a list, as the rules get it; `()` if the host is to ask.
pub(super) fn choose(b: &mut Body, layout: &Layout) {
    let [at, other, known, count, item, before] = std::array::from_fn(|_| b.local(ValType::I32));
    let [left, weight] = std::array::from_fn(|_| b.local(ValType::I32));
    let chosen = b.local(ValType::I64);
    let refuse = |b: &mut Body| {
        b.when(None);
        b.all([I::I32Const(-1), I::Return]);
        b.end();
    };
    b.all([I::I32Const(0), I::I32Load(word(layout::ANSWERS)), I::I32Eqz]);
    refuse(b);
    b.get(0);
    b.all([I::I32Load(word(runtime::LENGTH)), I::I32Const(1), I::I32Sub, I::I32Const(MOST_OPTIONS), I::I32GeU]);
    refuse(b);
    // The different options, by their addresses.
    b.all([I::I32Const(4 * MOST_OPTIONS)]);
    b.call(Helper::Allocate.number());
    b.set(known);
    b.word(0);
    b.set(count);
    b.word(0);
    b.set(at);
    let options = b.block(None);
    let next = b.again();
    b.get(at);
    b.get(0);
    b.all([I::I32Load(word(runtime::LENGTH)), I::I32GeU]);
    b.jump_if(options);
    b.get(0);
    b.add(I::I32Load(word(runtime::ITEMS)));
    b.get(at);
    b.all([I::I32Const(3), I::I32Shl, I::I32Add, I::I64Load(long(0))]);
    b.tee(chosen);
    b.all([I::I64Const(15), I::I64And, I::I64Const(Tag::Action as i64), I::I64Ne]);
    refuse(b);
    b.get(chosen);
    b.all([I::I64Const(TAG_BITS), I::I64ShrU, I::I32WrapI64]);
    b.set(item);
    // Values that are more than ids are compared by the host.
    b.get(item);
    b.add(I::I32Load(word(4)));
    b.set(left);
    b.get(weight);
    b.get(left);
    b.all([I::I32Add, I::I32Const(1), I::I32Add]);
    b.set(weight);
    let values = b.block(None);
    let value = b.again();
    b.get(left);
    b.add(I::I32Eqz);
    b.jump_if(values);
    b.get(item);
    b.get(left);
    b.all([I::I32Const(3), I::I32Shl, I::I32Add, I::I64Load(long(0)), I::I64Const(15), I::I64And]);
    b.all([I::I64Const(Tag::Cell as i64), I::I64GtU]);
    refuse(b);
    b.step(left, -1);
    b.jump(value);
    b.end();
    b.end();
    // Whether it is one of those before.
    b.word(0);
    b.set(other);
    let new = b.block(None);
    let same = b.block(None);
    let compare = b.again();
    b.get(other);
    b.get(count);
    b.add(I::I32GeU);
    b.jump_if(new);
    b.get(known);
    b.get(other);
    b.all([I::I32Const(2), I::I32Shl, I::I32Add, I::I32Load(word(0))]);
    b.set(before);
    b.step(other, 1);
    b.get(before);
    b.add(I::I64Load(long(0)));
    b.get(item);
    b.all([I::I64Load(long(0)), I::I64Ne]);
    b.jump_if(compare);
    b.get(item);
    b.add(I::I32Load(word(4)));
    b.set(left);
    let equal = b.block(None);
    let value = b.again();
    b.get(left);
    b.add(I::I32Eqz);
    b.jump_if(equal);
    b.get(item);
    b.get(left);
    b.all([I::I32Const(3), I::I32Shl, I::I32Add, I::I64Load(long(0))]);
    b.get(before);
    b.get(left);
    b.all([I::I32Const(3), I::I32Shl, I::I32Add, I::I64Load(long(0)), I::I64Ne]);
    b.jump_if(compare);
    b.step(left, -1);
    b.jump(value);
    b.end();
    b.end();
    b.jump(same);
    b.end();
    b.end();
    // It is there already.
    b.step(at, 1);
    b.jump(next);
    b.end();
    b.get(known);
    b.get(count);
    b.all([I::I32Const(2), I::I32Shl, I::I32Add]);
    b.get(item);
    b.add(I::I32Store(word(0)));
    b.step(count, 1);
    b.step(at, 1);
    b.jump(next);
    b.end();
    b.end();
    answered(b, 1);
    b.all([I::I32Const(0), I::I32Const(0), I::I32Load(word(layout::WEIGHT))]);
    b.get(weight);
    b.all([I::I32Add, I::I32Store(word(layout::WEIGHT))]);
    add_to(b, layout::DECISIONS, 1);
    b.all([I::I32Const(0), I::I32Const(0), I::I32Load(word(layout::OPTIONS))]);
    b.get(count);
    b.all([I::I32Add, I::I32Store(word(layout::OPTIONS))]);
    b.get(known);
    b.get(count);
    b.add(I::I64ExtendI32U);
    b.call(Helper::Below.number());
    b.all([I::I32WrapI64, I::I32Const(2), I::I32Shl, I::I32Add, I::I32Load(word(0))]);
    b.set(item);
    chosen_map(b, item, layout);
}

/// Puts the map on the stack that the rules get for a chosen action: the first value, a list of all values, and the verb.
fn chosen_map(b: &mut Body, item: u32, layout: &Layout) {
    let [at, left, list, map] = std::array::from_fn(|_| b.local(ValType::I32));
    b.get(item);
    b.add(I::I32Load(word(4)));
    b.tee(left);
    b.call(Helper::List.number());
    b.set(list);
    b.word(0);
    b.set(at);
    let values = b.block(None);
    let value = b.again();
    b.get(at);
    b.get(left);
    b.add(I::I32GeU);
    b.jump_if(values);
    b.get(list);
    b.get(item);
    b.get(at);
    b.all([I::I32Const(3), I::I32Shl, I::I32Add, I::I64Load(long(8))]);
    b.call(Helper::Push.number());
    b.step(at, 1);
    b.jump(value);
    b.end();
    b.end();
    b.word(3);
    b.call(Helper::Map.number());
    b.set(map);
    b.get(map);
    b.word(0);
    b.get(left);
    b.when(Some(ValType::I64));
    b.get(item);
    b.add(I::I64Load(long(8)));
    b.otherwise();
    b.long(super::value::NOTHING);
    b.end();
    b.call(Helper::SetField.number());
    b.get(map);
    b.word(1);
    b.get(list);
    b.all([I::I64ExtendI32U, I::I64Const(TAG_BITS), I::I64Shl, I::I64Const(Tag::List as i64), I::I64Or]);
    b.call(Helper::SetField.number());
    b.get(map);
    b.word(2);
    b.get(item);
    b.all([I::I32Load(word(0)), I::I32Const(3), I::I32Shl]);
    b.add(I::I64Load(long(layout.verbs)));
    b.call(Helper::SetField.number());
    b.get(map);
}
