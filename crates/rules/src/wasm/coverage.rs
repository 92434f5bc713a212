//! Runs are counted, for coverage: a word of the memory for each point of the rules.

use wasm_encoder::{Instruction as I, ValType};

use super::body::word;
use super::compiler::Emit;
use super::unit::Unit;
use super::value::Ty;
use crate::script::{Node, What};

impl Unit<'_, '_> {
    /// Counts a run of a point.
    pub(super) fn ran(&mut self, point: u32) {
        let place = self.place_of(point);
        self.body.raise(place, 1);
    }

    /// Puts a boolean on the stack, and counts what it is: at a point if it is true, at the next one otherwise.
    pub(super) fn outcome(&mut self, point: u32, of: &Node) -> Emit<Ty> {
        let (truth, place) = (self.body.local(ValType::I32), self.body.local(ValType::I32));
        self.truth(of)?;
        self.body.tee(truth);
        let first = word(self.place_of(point));
        self.body.all([I::I32Eqz, I::I32Const(2), I::I32Shl]);
        self.body.tee(place);
        self.body.get(place);
        self.body.all([I::I32Load(first), I::I32Const(1), I::I32Add, I::I32Store(first)]);
        self.body.get(truth);
        [truth, place].into_iter().for_each(|local| self.body.done(ValType::I32, local));
        Ok(Ty::Truth)
    }

    /// Returns whether a condition that is evaluated here holds, if that is fixed, and counts it then.
    pub(super) fn is_decided(&mut self, condition: &Node) -> Option<bool> {
        let What::Outcome(point, of) = &condition.what else { return self.is_fixed(condition) };
        let holds = self.is_fixed(of)?;
        self.ran(point + u32::from(!holds));
        Some(holds)
    }

    fn place_of(&self, point: u32) -> u32 {
        self.with.runs + 4 * point
    }
}
