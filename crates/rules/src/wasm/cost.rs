//! How much the rules may do: what is counted, so that rules without an end are given up.
//!
//! What runs in a row is counted at once: where a phase begins, at each round of a loop, and where a function begins that may
//! call itself or does much. So nothing is counted at each call, and what is counted is the most that may run until the next such place.

use wasm_encoder::Instruction as I;

use super::compiler::Compiler;
use super::layout;
use super::pointers;
use super::receivers::key_of;
use super::unit::Unit;
use crate::natives::{self, Emitted};
use crate::script::{Call, Function, Node, What};
use crate::values::Kind;

/// How many operations a native counts that is carried out in place: about half of the most that the machine counts for what
/// it does on the board.
const IN_PLACE: i64 = 8;

/// From what cost on a function counts itself, so that functions that call each other often are counted, too.
const LARGE: i64 = 2_000;

impl<'s> Compiler<'s> {
    /// Returns the most that a node may do in a row, in operations of the machine.
    pub(super) fn cost(&mut self, node: &Node) -> i64 {
        let mut cost = match &node.what {
            What::If(parts) => {
                let [condition, then, other] = &**parts;
                return self.cost(condition) + self.cost(then).max(self.cost(other));
            }
            What::Switch(switch) => {
                let ways = switch.ways.iter().map(|way| way.condition.as_ref().map_or(0, |one| self.cost(one)));
                let conditions: i64 = ways.sum();
                let most = switch.ways.iter().map(|way| self.cost(&way.body)).max().unwrap_or_default();
                return self.cost(&switch.value) + conditions + most;
            }
            // Rounds count themselves, and closures what runs them.
            What::For(parts) => return self.cost(&parts.over),
            What::While { .. } | What::Do { .. } | What::Closure(_) => return 1,
            What::Call(call) => self.cost_of_call(call),
            What::Operator(..) | What::Field { .. } | What::Index { .. } | What::Interpolated(_) => 1,
            _ => 0,
        };
        node.for_each_part(&mut |part| cost += self.cost(part));
        cost
    }

    fn cost_of_call(&mut self, call: &Call) -> i64 {
        let (name, count) = key_of(call);
        let on_value = call.is_on_value();
        let of_others = on_value.then(|| (call.name.as_str(), count.saturating_sub(1)));
        let by_name = self.function((name.as_str(), count)).or_else(|| self.function(of_others?));
        let by_value = || {
            let (name, count) = pointers::called(call)?;
            self.function((&name, count))
        };
        if let Some(function) = by_name.filter(|_| !call.method || on_value).or_else(by_value) {
            return 1 + if self.counts_itself(function) { 0 } else { self.cost_of_function(function) };
        }
        // It lists the moves.
        if natives::lists_moves(&call.name)
            && let Some(function) = self.function((super::callee::MOVES, 1))
        {
            return 1 + IN_PLACE + if self.counts_itself(function) { 0 } else { self.cost_of_function(function) };
        }
        let kinds: Vec<&Kind> = call.args.iter().map(|arg| &arg.kind).collect();
        match natives::emitted(&call.name, &kinds) {
            Some(Emitted::Make) => 1 + 3 * IN_PLACE,
            Some(_) => 1 + IN_PLACE,
            None => 1,
        }
    }

    /// Returns whether a function counts what it does each time that it is called: it may call itself, or do much.
    pub(super) fn counts_itself(&mut self, function: &'s Function) -> bool {
        let is_recursive = self.callee(function.key()).is_none_or(|callee| callee.recursive);
        is_recursive || self.cost_of_function(function) >= LARGE
    }

    /// Returns the most that a function may do in a row, which does not call itself.
    fn cost_of_function(&mut self, function: &'s Function) -> i64 {
        if let Some(known) = self.costs.get(&function.key()) {
            return *known;
        }
        let cost = self.cost(&function.body);
        self.costs.insert(function.key(), cost);
        cost
    }
}

impl Unit<'_, '_> {
    /// Counts what nodes may do once, and gives up if it is too much.
    pub(super) fn count<'n>(&mut self, nodes: impl IntoIterator<Item = &'n Node>) {
        let cost: i64 = 1 + nodes.into_iter().map(|node| self.with.cost(node)).sum::<i64>();
        self.body.spend(|b| b.long(cost));
        self.is_too_much();
    }

    /// Counts as many rounds of a node as a variable of 64 bits says, and gives up if they are too many.
    pub(super) fn count_rounds(&mut self, node: &Node, rounds: u32) {
        let cost = 1 + self.with.cost(node);
        self.body.spend(|b| {
            b.get(rounds);
            b.all([I::I64Const(cost), I::I64Mul]);
        });
        self.is_too_much();
    }

    /// Counts this many rounds of a node, and gives up if they are too many.
    pub(super) fn count_times(&mut self, node: &Node, times: usize) {
        let cost = 1 + self.with.cost(node);
        let cost = cost.saturating_mul(i64::try_from(times).unwrap_or(i64::MAX));
        self.body.spend(|b| b.long(cost));
        self.is_too_much();
    }

    fn is_too_much(&mut self) {
        self.body.all([I::GlobalGet(layout::LEFT), I::I64Const(0), I::I64LtS]);
        self.body.give_up_if();
    }
}
