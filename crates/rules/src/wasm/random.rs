//! Random numbers: those of the game's generator, which the host hands out.

use wasm_encoder::{Instruction as I, ValType};

use super::body::{Body, long, word};
use super::layout;

/// Writes `(bound) -> number`: a random number below a bound, which has at most 32 bits. As in [Lemire, "Fast Random Integer
/// Generation in an Interval"](https://arxiv.org/abs/1805.10941), with a product of 96 bits in two halves.
pub(super) fn below(b: &mut Body) {
    let [number, low, high] = std::array::from_fn(|_| b.local(ValType::I64));
    let again = b.again();
    next(b, |b| {
        b.get(0);
        b.add(I::I32WrapI64);
    });
    b.set(number);
    b.get(number);
    b.all([I::I64Const(u32::MAX.into()), I::I64And]);
    b.get(0);
    b.add(I::I64Mul);
    b.set(low);
    b.get(number);
    b.all([I::I64Const(32), I::I64ShrU]);
    b.get(0);
    b.add(I::I64Mul);
    b.get(low);
    b.all([I::I64Const(32), I::I64ShrU, I::I64Add]);
    b.tee(high);
    b.all([I::I64Const(32), I::I64Shl]);
    b.get(low);
    b.all([I::I64Const(u32::MAX.into()), I::I64And, I::I64Or]);
    b.tee(low);
    b.get(0);
    b.add(I::I64LtU);
    b.when(None);
    b.get(low);
    b.long(0);
    b.get(0);
    b.add(I::I64Sub);
    b.get(0);
    b.all([I::I64RemU, I::I64LtU]);
    b.jump_if(again);
    b.end();
    b.end();
    b.get(high);
    b.all([I::I64Const(32), I::I64ShrU]);
}

/// Puts the next number of the generator on the stack. `bound` puts that below which one is wanted there.
pub(super) fn next(b: &mut Body, bound: impl FnOnce(&mut Body)) {
    let place = b.local(ValType::I32);
    for place in [layout::NEXT, layout::LIMIT] {
        b.load(place);
    }
    b.add(I::I32GeU);
    b.when(None);
    b.word(0);
    bound(b);
    b.add(I::I32Store(word(layout::BOUND)));
    b.call(layout::FETCH);
    b.end();
    b.load(layout::NEXT);
    b.set(place);
    b.word(0);
    b.get(place);
    b.all([I::I32Const(8), I::I32Add, I::I32Store(word(layout::NEXT))]);
    b.raise(layout::USED, 1);
    b.get(place);
    b.add(I::I64Load(long(0)));
    b.done(ValType::I32, place);
}
