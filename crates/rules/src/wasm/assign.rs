//! Assignments to variables, and to parts of lists and maps.

use wasm_encoder::{Instruction as I, ValType};

use super::body::{long, word};
use super::compiler::{Emit, Refused};
use super::elements::place_of;
use super::operators::operator;
use super::outline::changes;
use super::properties::Change;
use super::runtime::{Helper, SHARED, may_be_shared, set_at, slot_at};
use super::unit::Unit;
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
                if self.set_numbers(node, assign, of, name)? {
                    return Ok(());
                }
                if self.set_property(of, name, &assign.value, Change::Assigned(assign.sign))? {
                    return Ok(());
                }
                if assign.to.root().local().is_some() && !is_component(&of.kind) {
                    return self.assign_field(node, assign, of);
                }
                self.handed(node).map(|ty| self.drop(ty))
            }
            What::Field { maybe: false, .. } | What::Index { maybe: false, .. } => {
                let value = self.body.local(ValType::I64);
                self.kept(&assign.value, Ty::Any)?;
                self.body.set(value);
                match assign.sign {
                    None => self.set_part(&assign.to, value)?,
                    Some(sign) => self.change_part(node, assign, sign, value)?,
                }
                self.body.done(ValType::I64, value);
                Ok(())
            }
            _ => Err(Refused("a change of this")),
        }
    }

    /// Changes what is after the dot of a value of an unknown kind: a part of a map, or else a property.
    fn assign_field(&mut self, node: &Node, assign: &Assign, of: &Node) -> Emit {
        if !of.kind.may_be(Sort::Map) || !self.is_same_twice(of) {
            return Err(Refused("a change of a value of an unknown kind"));
        }
        let (whole, value) = (self.body.local(ValType::I64), self.body.local(ValType::I64));
        self.kept(&assign.value, Ty::Any)?;
        self.body.set(value);
        self.to(of, Ty::Any)?;
        self.body.set(whole);
        self.is_tagged(whole, Tag::Map);
        self.body.when(None);
        match assign.sign {
            None => self.set_part(&assign.to, value)?,
            Some(sign) => self.change_part(node, assign, sign, value)?,
        }
        self.body.otherwise();
        let site = self.with.changed_field(node, assign, self.function);
        self.body.word(site.cast_signed());
        self.body.get(whole);
        self.body.get(value);
        self.body.call(super::layout::out(2));
        self.body.add(I::Drop);
        self.body.end();
        self.body.done(ValType::I64, whole);
        self.body.done(ValType::I64, value);
        Ok(())
    }

    /// Returns whether a chain has the same value when it is evaluated twice in a row.
    pub(super) fn is_same_twice(&self, node: &Node) -> bool {
        match &node.what {
            What::Name(_) | What::Text(_) | What::Number(_) => true,
            What::Field { of, maybe: false, .. } => self.is_same_twice(of),
            What::Index { of, index, maybe: false } => self.is_same_twice(of) && self.is_same_twice(index),
            What::Call(call) => self.with.is_the_same(call) && call.args.iter().all(|arg| self.is_same_twice(arg)),
            _ => false,
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
        if matches!(ty, Ty::Any | Ty::Number)
            && matches!(known, Ty::Any | Ty::Number | Ty::Id { tag: Tag::List, .. })
            && !changes(&assign.value, local)
        {
            let (by, before) = (self.body.local(ValType::I64), self.body.local(ValType::I64));
            self.to(&assign.value, Ty::Any)?;
            self.body.set(by);
            self.body.get(number);
            self.convert(ty, Ty::Any);
            self.body.set(before);
            self.changed_by(sign, before, by, site);
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
        let (root, steps) = self.steps(to)?;
        let Some((last, before)) = steps.split_last() else { return Err(Refused("a change of a part of this")) };
        self.walked(root, before, last.tag());
        match last {
            Step::Item(_) => {
                self.slot(last);
                self.body.get(value);
                self.body.add(I::I64Store(long(0)));
            }
            Step::Field(key, Some(place)) => set_at(&mut self.body, (*place, *key), value),
            Step::Field(..) | Step::Key(_) => {
                self.key(last);
                self.body.get(value);
                self.body.call(Helper::SetField.number());
            }
        }
        self.forget(&steps);
        Ok(())
    }

    /// Changes a part of a list or a map in a variable by an operator with a wrapped value.
    fn change_part(&mut self, node: &Node, assign: &Assign, sign: &str, by: u32) -> Emit {
        let site = self.with.changed_part(node, assign, self.function);
        let (root, steps) = self.steps(&assign.to)?;
        let Some((last, before)) = steps.split_last() else { return Err(Refused("a change of a part of this")) };
        self.walked(root, before, last.tag());
        self.slot(last);
        let (slot, old) = (self.body.local(ValType::I32), self.body.local(ValType::I64));
        self.body.tee(slot);
        self.body.add(I::I64Load(long(0)));
        self.body.set(old);
        self.body.get(slot);
        self.changed_by(sign, old, by, site);
        self.body.add(I::I64Store(long(0)));
        self.body.done(ValType::I32, slot);
        self.body.done(ValType::I64, old);
        self.forget(&steps);
        Ok(())
    }

    /// Puts the wrapped result of an operator that changes a wrapped value in a variable by another one on the stack. What it
    /// cannot do itself the host does at a site.
    pub(super) fn changed_by(&mut self, sign: &str, before: u32, by: u32, site: u32) {
        let by_host = |unit: &mut Self| {
            unit.body.word(site.cast_signed());
            unit.body.get(by);
            unit.body.get(before);
            unit.body.call(super::layout::out(2));
        };
        let otherwise = |unit: &mut Self| {
            if sign != "+" {
                return by_host(unit);
            }
            const LIST: Ty = Ty::id(Tag::List);
            unit.are_tagged(before, by, Tag::List);
            unit.body.when(Some(ValType::I64));
            for list in [before, by] {
                unit.body.get(list);
                unit.convert(Ty::Any, LIST);
            }
            unit.body.call(Helper::Concat.number());
            unit.convert(LIST, Ty::Any);
            unit.body.otherwise();
            by_host(unit);
            unit.body.end();
        };
        if !self.if_numbers(sign, before, by, otherwise) {
            by_host(self);
        }
    }

    /// Puts the address of a list or a map on the stack that no other holder has. It is in a variable, or part of such a one.
    /// `before` writes what is evaluated after what is in the brackets of the chain, and before the chain is looked at.
    pub(super) fn owned(&mut self, of: &Node, tag: Tag, before: impl FnOnce(&mut Self) -> Emit) -> Emit {
        let (root, steps) = self.steps(of)?;
        before(self)?;
        self.walked(root, &steps, tag);
        self.forget(&steps);
        Ok(())
    }

    /// Returns the variable at which a chain of dots and brackets begins, and its steps. What is in brackets is evaluated before
    /// anything of the chain is looked at.
    fn steps(&mut self, node: &Node) -> Emit<(LocalId, Vec<Step>)> {
        let root = node.root().local().ok_or(Refused("a change of a part of this"))?;
        let mut steps = Vec::new();
        self.add_steps(node, root, &mut steps)?;
        Ok((root, steps))
    }

    fn add_steps(&mut self, node: &Node, root: LocalId, steps: &mut Vec<Step>) -> Emit {
        match &node.what {
            What::Name(_) => Ok(()),
            What::Field { of, name, maybe: false } if of.kind.may_be(Sort::Map) => {
                self.add_steps(of, root, steps)?;
                steps.push(Step::Field(self.with.strings.number(name), place_of(of, name)));
                Ok(())
            }
            What::Index { of, index, maybe: false } => {
                self.add_steps(of, root, steps)?;
                if changes(index, root) {
                    return Err(Refused("an index that changes what it is an index of"));
                }
                // A value of another sort than the index needs gives the rules up.
                if of.kind.may_be(Sort::List) && index.kind.is(Sort::Number) {
                    let at = self.body.local(ValType::I64);
                    self.to(index, Ty::Number)?;
                    self.body.set(at);
                    steps.push(Step::Item(at));
                } else if of.kind.may_be(Sort::Map) && index.kind.is(Sort::Text)
                    || of.kind.is(Sort::Map) && index.kind.may_be(Sort::Text)
                {
                    let key = self.body.local(ValType::I32);
                    self.to(index, Ty::id(Tag::Text))?;
                    self.body.set(key);
                    steps.push(Step::Key(key));
                } else {
                    return Err(Refused("a change of a part of a value of an unknown kind"));
                }
                Ok(())
            }
            _ => Err(Refused("a change of a part of this")),
        }
    }

    /// Puts the address of the list or the map on the stack that is a part of a variable, after these steps. All on the way get one
    /// holder.
    fn walked(&mut self, root: LocalId, steps: &[Step], tag: Tag) {
        let first = steps.first().map_or(tag, Step::tag);
        self.owned_variable(root, first);
        for (at, step) in steps.iter().enumerate() {
            let next = steps.get(at + 1).map_or(tag, Step::tag);
            self.slot(step);
            let (slot, value) = (self.body.local(ValType::I32), self.body.local(ValType::I64));
            self.body.tee(slot);
            self.body.add(I::I64Load(long(0)));
            self.body.set(value);
            // Mostly there is no other holder.
            may_be_shared(&mut self.body, value, next);
            self.body.when(None);
            self.body.get(value);
            self.body.call(Helper::Own.number());
            self.body.set(value);
            self.body.get(slot);
            self.body.get(value);
            self.body.add(I::I64Store(long(0)));
            self.body.end();
            self.body.get(value);
            self.convert(Ty::Any, Ty::id(next));
            self.body.done(ValType::I32, slot);
            self.body.done(ValType::I64, value);
        }
    }

    /// Puts the address of the list or the map in a variable on the stack, which has no other holder then.
    fn owned_variable(&mut self, local: LocalId, tag: Tag) {
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
        self.convert(ty, Ty::id(tag));
    }

    /// Puts the address of what is at a step on the stack, by that of the list or the map on the stack. It must be there.
    fn slot(&mut self, step: &Step) {
        if let Step::Item(at) = *step {
            self.body.get(at);
            super::runtime::placed(&mut self.body);
            return;
        }
        if let Step::Field(key, Some(place)) = *step {
            return slot_at(&mut self.body, (place, key));
        }
        self.key(step);
        self.body.call(Helper::Slot.number());
    }

    /// Puts the number of the key of a step on the stack.
    fn key(&mut self, step: &Step) {
        match *step {
            Step::Field(key, _) => self.body.word(key.cast_signed()),
            Step::Key(local) => self.body.get(local),
            Step::Item(_) => self.body.word(0),
        }
    }

    /// Frees the variables of steps.
    fn forget(&mut self, steps: &[Step]) {
        for step in steps {
            match *step {
                Step::Item(at) => self.body.done(ValType::I64, at),
                Step::Key(key) => self.body.done(ValType::I32, key),
                Step::Field(..) => {}
            }
        }
    }
}

/// A step from a list or a map to a part of it.
enum Step {
    /// To the item whose index is in a variable.
    Item(u32),
    /// To the value of the key with this number, which is mostly at this place.
    Field(u32, Option<u32>),
    /// To the value of the key whose number is in a variable.
    Key(u32),
}

impl Step {
    /// Returns the tag of the value that has the part.
    const fn tag(&self) -> Tag {
        match self {
            Self::Item(_) => Tag::List,
            Self::Field(..) | Self::Key(_) => Tag::Map,
        }
    }
}

/// Returns whether a value is certainly a player, a piece, a cell or the game, which do not change when a property does.
fn is_component(kind: &crate::values::Kind) -> bool {
    !kind.is_any() && !kind.is_never() && kind.sorts().all(|sort| Sort::OWNERS.contains(&sort))
}
