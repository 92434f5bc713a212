//! Choices among ranges of numbers, and operators on values that may be numbers.

use wasm_encoder::{Instruction as I, ValType};

use super::asks;
use super::body::word;
use super::compiler::{Emit, Refused};
use super::layout;
use super::outline::is_literal;
use super::runtime::{self, Helper};
use super::unit::Unit;
use super::value::{TAG_BITS, Tag, Ty};
use crate::script::{Closure, Node, What};
use crate::values::{Sort, Span};

/// The number of options up to which a choice among numbers is made here.
const MOST_NUMBERS: i64 = 256;

impl Unit<'_, '_> {
    /// Returns the ends of a range of numbers, and whether the last one belongs to it.
    pub(super) fn range(&self, node: &Node) -> Option<(Node, Node, bool)> {
        let (from, to, inclusive) = match &node.what {
            What::Operator(sign, ends) if matches!(sign.as_str(), ".." | "..=") => match ends.as_slice() {
                [from, to] => (from.clone(), to.clone(), sign == "..="),
                _ => return None,
            },
            What::Constant(range) => {
                let span = Span::of(range)?;
                let number =
                    |number| Node { kind: crate::values::Kind::NUMBER, ..Node::new(What::Number(number), node.at) };
                (number(span.from), number(span.to), span.inclusive)
            }
            _ => return None,
        };
        (self.is_simple(&from) && self.is_simple(&to)).then_some((from, to, inclusive))
    }

    /// Leaves the first number of a range in a variable, and how many numbers there are in another one.
    fn numbers(&mut self, (from, to, inclusive): &(Node, Node, bool), first: u32, count: u32) -> Emit {
        self.to(from, Ty::Number)?;
        self.body.set(first);
        self.to(to, Ty::Number)?;
        self.body.get(first);
        self.body.add(I::I64Sub);
        if *inclusive {
            self.body.all([I::I64Const(1), I::I64Add]);
        }
        self.body.set(count);
        Ok(())
    }

    /// Lets a player choose one of the numbers of a range. Returns `None`, with nothing done, for other options.
    pub(super) fn ask_for_number(
        &mut self,
        node: &Node,
        verb: &str,
        player: &Node,
        options: &Node,
    ) -> Emit<Option<Ty>> {
        if self.tag_of_values(verb) != Some(Tag::Number) || !self.is_simple(player) {
            return Ok(None);
        }
        let Some(range) = self.range(options) else { return Ok(None) };
        let [first, all, result] = std::array::from_fn(|_| self.body.local(ValType::I64));
        let count = self.body.local(ValType::I32);
        self.to(player, Ty::id(Tag::Player))?;
        self.body.add(I::Drop);
        self.numbers(&range, first, all)?;
        self.to(player, Ty::id(Tag::Player))?;
        self.body.set(count);
        self.pausing(node.at, &[(0, count, Ty::id(Tag::Player))])?;
        asks::asked(&mut self.body, |b| b.get(count));
        self.body.load(layout::ANSWERS);
        self.body.get(all);
        self.body.all([I::I64Const(1), I::I64Sub, I::I64Const(MOST_NUMBERS), I::I64LtU, I::I32And]);
        self.body.when(None);
        self.body.get(all);
        self.body.add(I::I32WrapI64);
        self.body.set(count);
        asks::below(&mut self.body, count, all);
        self.body.get(first);
        self.body.get(all);
        self.body.add(I::I64Add);
        self.convert(Ty::Number, Ty::Any);
        self.body.set(result);
        [first, all].into_iter().for_each(|local| self.body.done(ValType::I64, local));
        self.body.done(ValType::I32, count);
        self.or_by_host(node, result).map(Some)
    }

    /// Lets several players choose numbers of ranges at once. Returns `None`, with nothing done, for other options.
    pub(super) fn ask_all_for_numbers(&mut self, node: &Node, args: &[Node]) -> Emit<Option<Ty>> {
        let [players, verb, function] = args else { return Ok(None) };
        let (Some(verb), What::Closure(closure)) = (verb.text(), &function.what) else { return Ok(None) };
        let Some((player, range)) = self.offered(closure) else { return Ok(None) };
        let is_list = matches!(&players.what, What::Call(_)) && self.is_the_same(players) || players.local().is_some();
        if self.tag_of_values(verb) != Some(Tag::Number) || !players.kind.is(Sort::List) || !is_list {
            return Ok(None);
        }
        let list = Ty::id(Tag::List);
        let (chosen, count) = (self.body.local(ValType::I32), self.body.local(ValType::I32));
        let (first, all) = (self.body.local(ValType::I64), self.body.local(ValType::I64));
        self.body.load(layout::ANSWERS);
        self.to(players, list)?;
        // One player decides alone.
        self.body.all([I::I32Load(word(runtime::LENGTH)), I::I32Const(1), I::I32GtU, I::I32And]);
        self.body.when(None);
        self.body.word(0);
        self.body.call(Helper::List.number());
        self.body.set(chosen);
        asks::answered(&mut self.body, 1);
        self.body.store(layout::ASKED, layout::NOBODY_KNOWN);
        let around = std::mem::take(&mut self.loops);
        let done = self.for_each(players, (Some(player), None), &closure.body, None, |unit| {
            // It must be a player.
            let (local, ty) = unit.local(player);
            unit.body.get(local);
            unit.convert(ty, Ty::id(Tag::Player));
            unit.body.add(I::Drop);
            unit.numbers(&range, first, all)?;
            unit.body.get(all);
            unit.body.all([I::I64Const(1), I::I64Sub, I::I64Const(MOST_NUMBERS), I::I64GeU]);
            unit.body.give_up_if();
            unit.body.get(all);
            unit.body.add(I::I32WrapI64);
            unit.body.set(count);
            asks::decided(&mut unit.body, count, all);
            unit.body.raise(layout::WEIGHT, 1);
            unit.body.get(chosen);
            unit.body.get(first);
            unit.body.get(all);
            unit.body.add(I::I64Add);
            unit.convert(Ty::Number, Ty::Any);
            unit.body.call(Helper::Push.number());
            Ok(())
        });
        self.loops = around;
        done?;
        self.body.otherwise();
        let (site, given) = self.with.out(node, self.function, false)?;
        self.call_host(site, &given)?;
        self.convert(Ty::Any, list);
        self.body.set(chosen);
        self.body.end();
        self.body.get(chosen);
        [chosen, count].into_iter().for_each(|local| self.body.done(ValType::I32, local));
        [first, all].into_iter().for_each(|local| self.body.done(ValType::I64, local));
        Ok(Some(list))
    }

    /// Returns the parameter of a closure, and the range that is all it returns.
    fn offered(&self, closure: &Closure) -> Option<(crate::script::LocalId, (Node, Node, bool))> {
        let [player] = closure.params[..] else { return None };
        let body = match &closure.body.what {
            What::Block(nodes) => match nodes.as_slice() {
                [one] => one,
                _ => return None,
            },
            _ => &closure.body,
        };
        let range = self.range(body).filter(|_| !closure.this)?;
        Some((player, range))
    }

    /// Carries out an operator on two values of which one or both may be no numbers: then the host does it. Returns `None`,
    /// with nothing done, for other values or operators.
    pub(super) fn mixed(&mut self, node: &Node, sign: &str, one: &Node, other: &Node) -> Emit<Option<Ty>> {
        let types = [self.with.ty(&one.kind), self.with.ty(&other.kind)];
        let are_mixed = types.contains(&Ty::Any) && types.iter().all(|ty| matches!(ty, Ty::Any | Ty::Number));
        if !are_mixed || !is_of_numbers(sign) {
            return Ok(None);
        }
        let [first, second] = std::array::from_fn(|_| self.body.local(ValType::I64));
        for (part, local) in [(one, first), (other, second)] {
            self.to(part, Ty::Any)?;
            self.body.set(local);
        }
        let (site, given) = self.with.out(node, self.function, false)?;
        let handed: Vec<u32> = [(one, first), (other, second)]
            .into_iter()
            .filter(|(part, _)| !is_literal(part))
            .map(|(_, at)| at)
            .collect();
        if handed.len() != given.len() {
            return Err(Refused("an operator on parts of values"));
        }
        self.if_numbers(sign, first, second, |unit| {
            unit.body.word(site.cast_signed());
            handed.iter().for_each(|local| unit.body.get(*local));
            unit.body.call(layout::out(handed.len()));
        });
        [first, second].into_iter().for_each(|local| self.body.done(ValType::I64, local));
        Ok(Some(self.narrowed(node)))
    }

    /// Puts the wrapped result of an operator on the stack, for two wrapped values in variables: if they are numbers it is
    /// computed here, and else by `other`. Returns `false`, with nothing done, for other operators.
    pub(super) fn if_numbers(&mut self, sign: &str, first: u32, second: u32, other: impl FnOnce(&mut Self)) -> bool {
        if !is_of_numbers(sign) {
            return false;
        }
        self.are_tagged(first, second, Tag::Number);
        self.body.when(Some(ValType::I64));
        for local in [first, second] {
            self.body.get(local);
            self.body.all([I::I64Const(TAG_BITS), I::I64ShrS]);
        }
        match (compared(sign), super::operators::operator(sign, Ty::Number)) {
            (Some(instruction), _) => {
                self.body.add(instruction);
                self.convert(Ty::Truth, Ty::Any);
            }
            (None, Some(operator)) => {
                self.operate(operator, Ty::Number);
                self.convert(Ty::Number, Ty::Any);
            }
            (None, None) => self.body.give_up(),
        }
        self.body.otherwise();
        other(self);
        self.body.end();
        true
    }
}

/// Returns whether an operator compares, adds, subtracts or multiplies numbers.
fn is_of_numbers(sign: &str) -> bool {
    matches!(sign, "+" | "-" | "*") || compared(sign).is_some()
}

fn compared(sign: &str) -> Option<I<'static>> {
    Some(match sign {
        "<" => I::I64LtS,
        "<=" => I::I64LeS,
        ">" => I::I64GtS,
        ">=" => I::I64GeS,
        _ => return None,
    })
}
