//! Lists in variables whose order changes in place: reversed, or sorted by a closure.

use wasm_encoder::{Instruction as I, ValType};

use super::body::{Body, long, word};
use super::compiler::{Emit, Refused};
use super::pausing::may_ask;
use super::runtime::{Helper, ITEMS, LENGTH};
use super::unit::Unit;
use super::value::{Tag, Ty};
use crate::script::{Call, Closure, LocalId, Node, What};
use crate::values::Sort;

/// What a pass of a sort counts for each item besides its comparisons.
const MOVED: i64 = 8;

/// Puts the address of an item on the stack, from that of the first one and an index.
fn item(b: &mut Body, items: u32, index: u32) {
    b.get(items);
    b.get(index);
    b.all([I::I32Const(3), I::I32Shl, I::I32Add]);
}

/// Copies an item to an address, and raises its index and that address.
fn moved(b: &mut Body, items: u32, index: u32, to: u32) {
    b.get(to);
    item(b, items, index);
    b.all([I::I64Load(long(0)), I::I64Store(long(0))]);
    b.step(index, 1);
    b.step(to, 8);
}

/// Leaves the sum of two variables in another one, but at most a third.
fn sum_up_to(b: &mut Body, [one, other]: [u32; 2], most: u32, sum: u32) {
    b.get(one);
    b.get(other);
    b.add(I::I32Add);
    b.tee(sum);
    b.get(most);
    b.get(sum);
    b.get(most);
    b.all([I::I32LtU, I::Select]);
    b.set(sum);
}

impl Unit<'_, '_> {
    /// Changes the order of a list in a variable. Returns `None`, with nothing done, if the host does it.
    pub(super) fn ordered(&mut self, call: &Call, list: &Node) -> Emit<Option<Ty>> {
        let Some(local) = list.local() else { return Ok(None) };
        match call.args.as_slice() {
            [_] if call.name == "reverse" => self.reversed(list)?,
            [_, function] => {
                let What::Closure(closure) = &function.what else { return Ok(None) };
                // The list stays as it is as long as it is sorted.
                let mut sees_list = false;
                closure.body.walk(&mut |node| sees_list |= node.local() == Some(local));
                let is_plain = !closure.this && closure.params.len() == 2 && closure.result.is(Sort::Number);
                // What a pause within it would keep is not known.
                if sees_list || !is_plain || may_ask(&closure.body, &self.with.asking) {
                    return Ok(None);
                }
                self.sorted_by(list, closure)?;
            }
            _ => return Ok(None),
        }
        Ok(Some(Ty::Nothing))
    }

    fn reversed(&mut self, list: &Node) -> Emit {
        self.owned(list, Tag::List, |_| Ok(()))?;
        let b = &mut self.body;
        let [of, first, last] = std::array::from_fn(|_| b.local(ValType::I32));
        let kept = b.local(ValType::I64);
        b.tee(of);
        b.add(I::I32Load(word(ITEMS)));
        b.tee(first);
        b.get(of);
        b.all([I::I32Load(word(LENGTH)), I::I32Const(3), I::I32Shl, I::I32Add, I::I32Const(8), I::I32Sub]);
        b.set(last);
        b.spend(|b| {
            b.get(of);
            b.add(I::I64Load32U(word(LENGTH)));
        });
        b.while_below(first, last, |b| {
            b.get(first);
            b.add(I::I64Load(long(0)));
            b.set(kept);
            b.get(first);
            b.get(last);
            b.all([I::I64Load(long(0)), I::I64Store(long(0))]);
            b.get(last);
            b.get(kept);
            b.add(I::I64Store(long(0)));
            b.step(first, 8);
            b.step(last, -8);
        });
        for local in [of, first, last] {
            b.done(ValType::I32, local);
        }
        b.done(ValType::I64, kept);
        Ok(())
    }

    /// Merges runs that are twice as long in each pass, as the function of the prelude does, so that the same items are compared.
    fn sorted_by(&mut self, list: &Node, closure: &Closure) -> Emit {
        let [later, earlier] = closure.params.as_slice() else { return Err(Refused("an order by one value")) };
        self.owned(list, Tag::List, |_| Ok(()))?;
        let all: [u32; 11] = std::array::from_fn(|_| self.body.local(ValType::I32));
        let [of, count, width, start, one, middle, other, end, from, to, into] = all;
        let b = &mut self.body;
        b.tee(of);
        b.add(I::I32Load(word(LENGTH)));
        b.tee(count);
        b.all([I::I32Const(1), I::I32GtU]);
        b.when(None);
        b.get(of);
        b.add(I::I32Load(word(ITEMS)));
        b.set(from);
        b.get(count);
        b.all([I::I32Const(3), I::I32Shl]);
        b.call(Helper::Allocate.number());
        b.set(into);
        b.word(1);
        b.set(width);
        let pass = b.again();
        b.spend(|b| {
            b.get(count);
            b.all([I::I64ExtendI32U, I::I64Const(MOVED), I::I64Mul]);
        });
        b.word(0);
        b.set(start);
        b.get(into);
        b.set(to);
        let pair = b.again();
        b.get(start);
        b.set(one);
        sum_up_to(b, [start, width], count, middle);
        b.get(middle);
        b.set(other);
        sum_up_to(b, [middle, width], count, end);
        self.merge(closure, (*later, *earlier), [(one, middle), (other, end)], (from, to))?;
        let b = &mut self.body;
        b.get(end);
        b.tee(start);
        b.get(count);
        b.add(I::I32LtU);
        b.jump_if(pair);
        b.end();
        // What was merged is merged again, into where it was before.
        b.get(from);
        b.get(into);
        b.set(from);
        b.set(into);
        b.get(width);
        b.all([I::I32Const(1), I::I32Shl]);
        b.tee(width);
        b.get(count);
        b.add(I::I32LtU);
        b.jump_if(pass);
        b.end();
        b.get(of);
        b.add(I::I32Load(word(ITEMS)));
        b.tee(to);
        b.get(from);
        b.add(I::I32Ne);
        b.when(None);
        b.word(0);
        b.set(one);
        b.while_below(one, count, |b| moved(b, from, one, to));
        b.end();
        b.end();
        all.into_iter().for_each(|local| self.body.done(ValType::I32, local));
        Ok(())
    }

    /// Merges two runs of items, each from one variable up to another one, to an address in a variable. An item of the second run
    /// comes first only if the closure says so.
    fn merge(
        &mut self,
        closure: &Closure,
        (later, earlier): (LocalId, LocalId),
        runs: [(u32, u32); 2],
        (from, to): (u32, u32),
    ) -> Emit {
        let [(one, _), (other, _)] = runs;
        let b = &mut self.body;
        let merged = b.block(None);
        let compare = b.again();
        for (index, bound) in runs {
            b.get(index);
            b.get(bound);
            b.add(I::I32GeU);
            b.jump_if(merged);
        }
        self.count([&closure.body]);
        for (index, parameter) in [(other, later), (one, earlier)] {
            item(&mut self.body, from, index);
            self.body.add(I::I64Load(long(0)));
            let (_, ty) = self.local(parameter);
            if ty.may_be_owned() {
                self.share(Ty::Any);
            }
            self.store(parameter, Ty::Any);
        }
        let around = std::mem::take(&mut self.loops);
        let compared = self.closure(closure, Ty::Number);
        self.loops = around;
        compared?;
        let b = &mut self.body;
        b.all([I::I64Const(0), I::I64LtS]);
        b.when(None);
        moved(b, from, other, to);
        b.otherwise();
        moved(b, from, one, to);
        b.end();
        b.jump(compare);
        b.end();
        b.end();
        for (index, bound) in runs {
            b.while_below(index, bound, |b| moved(b, from, index, to));
        }
        Ok(())
    }
}
