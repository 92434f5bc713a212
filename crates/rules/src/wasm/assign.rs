//! Assignments to variables, and to parts of lists and maps.

use wasm_encoder::{Instruction as I, ValType};

use super::body::{long, word};
use super::compiler::{Emit, Refused};
use super::outline::changes;
use super::properties::Change;
use super::runtime::{Helper, SHARED};
use super::unit::{Unit, operator};
use super::value::{Tag, Ty};
use crate::script::{Assign, LocalId, Node, What};
use crate::values::Sort;

impl Unit<'_, '_> {
    /// Carries out an assignment. The value is computed before the target.
    pub(super) fn assign(&mut self, node: &Node, assign: &Assign) -> Emit {
        if let Some(local) = assign.to.local() {
            return self.assign_local(node, assign, local);
        }
        let is_container = |node: &Node| node.kind.is(Sort::List) || node.kind.is(Sort::Map);
        match &assign.to.what {
            What::Field { of, name, maybe: false } if !is_container(of) => {
                if self.set_property(of, name, &assign.value, Change::Assigned(assign.sign))? {
                    return Ok(());
                }
                if assign.to.root().local().is_some() && !is_component(&of.kind) {
                    return Err(Refused("a change of a value of an unknown kind"));
                }
                self.handed(node).map(|ty| self.drop(ty))
            }
            What::Field { maybe: false, .. } | What::Index { maybe: false, .. } if assign.sign.is_none() => {
                let value = self.body.local(ValType::I64);
                self.kept(&assign.value, Ty::Any)?;
                self.body.set(value);
                self.set_part(&assign.to, value)?;
                self.body.done(ValType::I64, value);
                Ok(())
            }
            What::Field { maybe: false, .. } | What::Index { maybe: false, .. } => {
                let is_number = assign.to.kind.is(Sort::Number) && assign.value.kind.is(Sort::Number);
                let Some(operator) = assign.sign.and_then(|sign| operator(sign, Ty::Number)).filter(|_| is_number)
                else {
                    return Err(Refused("an operator that changes a part of a value"));
                };
                let (by, value) = (self.body.local(ValType::I64), self.body.local(ValType::I64));
                self.to(&assign.value, Ty::Number)?;
                self.body.set(by);
                self.to(&assign.to, Ty::Number)?;
                self.body.get(by);
                self.operate(operator, Ty::Number);
                self.convert(Ty::Number, Ty::Any);
                self.body.set(value);
                self.set_part(&assign.to, value)?;
                self.body.done(ValType::I64, by);
                self.body.done(ValType::I64, value);
                Ok(())
            }
            _ => Err(Refused("a change of this")),
        }
    }

    fn assign_local(&mut self, node: &Node, assign: &Assign, local: LocalId) -> Emit {
        let (number, ty) = self.local(local);
        let Some(sign) = assign.sign else {
            self.kept(&assign.value, ty)?;
            if ty.wasm().is_some() {
                self.body.set(number);
            }
            return Ok(());
        };
        let value = self.with.ty(&assign.value.kind);
        let operator = operator(sign, ty);
        if let Some(operator) = operator.filter(|_| value == ty)
            && let Some(wasm) = ty.wasm()
        {
            let by = self.body.local(wasm);
            self.to(&assign.value, ty)?;
            self.body.set(by);
            self.body.get(number);
            self.body.get(by);
            self.operate(operator, ty);
            self.body.set(number);
            self.body.done(wasm, by);
            return Ok(());
        }
        // The value comes first, and may change the variable.
        if !changes(&assign.value, local)
            && let Some(combined) = self.combined(sign, &assign.to, &assign.value)?
        {
            self.store(local, combined);
            return Ok(());
        }
        let are_moves = |kind: &crate::values::Kind| kind.is(Sort::Moves) || kind.is(Sort::Move);
        if self.function.local(local).is_some_and(|local| local.kind.is(Sort::Moves)) && are_moves(&assign.value.kind) {
            let kind = crate::values::Kind::of(Sort::Moves);
            let parts = vec![assign.to.clone(), assign.value.clone()];
            let sum = Node { what: What::Operator(sign.into(), parts), at: node.at, kind };
            let sum = self.handed(&sum)?;
            self.store(local, sum);
            return Ok(());
        }
        // The host changes it, and returns it.
        let (site, given) = self.with.changed(node, assign, self.function)?;
        let known = self.with.ty(&assign.value.kind);
        if matches!(ty, Ty::Any | Ty::Number) && matches!(known, Ty::Any | Ty::Number) && !changes(&assign.value, local)
        {
            let (by, before) = (self.body.local(ValType::I64), self.body.local(ValType::I64));
            self.to(&assign.value, Ty::Any)?;
            self.body.set(by);
            self.body.get(number);
            self.convert(ty, Ty::Any);
            self.body.set(before);
            let by_host = |unit: &mut Self| {
                unit.body.word(site.cast_signed());
                unit.body.get(by);
                unit.body.get(before);
                unit.body.call(super::layout::out(2));
            };
            if !self.if_numbers(sign, before, by, by_host) {
                by_host(self);
            }
            self.convert(Ty::Any, ty);
            self.body.set(number);
            self.body.done(ValType::I64, by);
            self.body.done(ValType::I64, before);
            return Ok(());
        }
        self.call_host(site, &given)?;
        self.convert(Ty::Any, ty);
        if ty.wasm().is_some() {
            self.body.set(number);
        }
        Ok(())
    }

    /// Puts a wrapped value into a part of a list or a map in a variable.
    pub(super) fn set_part(&mut self, to: &Node, value: u32) -> Emit {
        match &to.what {
            // A value of another sort than the index needs gives the rules up.
            What::Index { of, index, maybe: false } if of.kind.may_be(Sort::List) && index.kind.is(Sort::Number) => {
                self.owned(of, Tag::List)?;
                self.to(index, Ty::Number)?;
                super::runtime::placed(&mut self.body);
                self.body.get(value);
                self.body.add(I::I64Store(long(0)));
                Ok(())
            }
            What::Index { of, index, maybe: false } if of.kind.may_be(Sort::Map) && index.kind.is(Sort::Text) => {
                self.owned(of, Tag::Map)?;
                self.to(index, Ty::id(Tag::Text))?;
                self.body.get(value);
                self.body.call(Helper::SetField.number());
                Ok(())
            }
            What::Field { of, name, maybe: false } if of.kind.may_be(Sort::Map) => {
                self.owned(of, Tag::Map)?;
                let key = self.with.strings.number(name);
                self.body.word(key.cast_signed());
                self.body.get(value);
                self.body.call(Helper::SetField.number());
                Ok(())
            }
            _ => Err(Refused("a change of a part of this")),
        }
    }

    /// Puts the address of a list or a map on the stack that no other holder has. It is in a variable, or part of such a one.
    pub(super) fn owned(&mut self, of: &Node, tag: Tag) -> Emit {
        let value = self.body.local(ValType::I64);
        if let Some(local) = of.local() {
            let (number, ty) = self.local(local);
            let copy = |unit: &mut Self| {
                unit.body.get(number);
                unit.convert(ty, Ty::Any);
                unit.body.call(Helper::Own.number());
                unit.convert(Ty::Any, ty);
                unit.body.set(number);
            };
            if ty == Ty::id(tag) {
                // Mostly there is no other holder.
                self.body.get(number);
                self.body.add(I::I32Load(word(SHARED)));
                self.body.when(None);
                copy(self);
                self.body.end();
            } else {
                copy(self);
            }
            self.body.get(number);
            self.convert(ty, Ty::Any);
            self.body.set(value);
        } else {
            // The part is read, made unshared and put back.
            if !is_simple_chain(of) {
                return Err(Refused("a change of a part with calls before it"));
            }
            self.to(of, Ty::Any)?;
            self.body.call(Helper::Own.number());
            self.body.set(value);
            self.set_part(of, value)?;
        }
        self.body.get(value);
        self.convert(Ty::Any, Ty::id(tag));
        self.body.done(ValType::I64, value);
        Ok(())
    }
}

/// Returns whether a value is certainly a player, a piece or the game, which do not change when a property does.
fn is_component(kind: &crate::values::Kind) -> bool {
    !kind.is_any()
        && !kind.is_never()
        && kind.sorts().all(|sort| matches!(sort, Sort::Player | Sort::Piece | Sort::Men | Sort::Game))
}

/// Returns whether a chain has nothing in its brackets but numbers, strings and variables, so that it can be read twice.
fn is_simple_chain(node: &Node) -> bool {
    match &node.what {
        What::Field { of, .. } => is_simple_chain(of),
        What::Index { of, index, .. } => {
            is_simple_chain(of) && (super::outline::is_literal(index) || index.local().is_some())
        }
        _ => node.local().is_some(),
    }
}
