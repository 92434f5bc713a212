//! Random numbers: those of the game's generator, which the host hands out.

use wasm_encoder::{Instruction as I, ValType};

use super::body::{Body, long, word};
use super::layout;

/// Writes `(bound) -> number`: a random number below a bound, which has at most 32 bits. As in [Lemire, "Fast Random Integer
/// Generation in an Interval"](https://arxiv.org/abs/1805.10941), with a product of 96 bits in two halves.
pub(super) fn below(b: &mut Body) {
    let [number, low, high] = std::array::from_fn(|_| b.local(ValType::I64));
    let again = b.again();
    for place in [layout::NEXT, layout::LIMIT] {
        b.load(place);
    }
    b.add(I::I32GeU);
    b.when(None);
    b.word(0);
    b.get(0);
    b.all([I::I32WrapI64, I::I32Store(word(layout::BOUND))]);
    b.call(layout::FETCH);
    b.end();
    b.load(layout::NEXT);
    b.all([I::I64Load(long(0))]);
    b.set(number);
    b.raise(layout::NEXT, 8);
    b.raise(layout::USED, 1);
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
