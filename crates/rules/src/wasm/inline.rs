//! Functions of the rules that are written in place of a call.

use wasm_encoder::ValType;

use super::compiler::{Emit, size};
use super::unit::{Scope, Unit};
use super::value::Ty;
use crate::script::{Function, Node};

/// The number of nodes up to which a function is written in place.
const MOST_NODES: usize = 60;
/// How deep they may be nested.
const DEEPEST: usize = 4;

impl<'s> Unit<'_, 's> {
    /// Returns the function with this name and number of parameters, if it may be written in place.
    pub(super) fn in_place(&self, key: (&str, usize)) -> Option<&'s Function> {
        let function = self.with.function(key).filter(|_| self.nested < DEEPEST)?;
        if self.with.disordered.contains(&function.key()) {
            return None;
        }
        let is_recursive = self.with.callee(key).is_none_or(|callee| callee.recursive);
        (!is_recursive && size(&function.body) <= MOST_NODES).then_some(function)
    }

    /// Writes a function in place of a call, and puts its result on the stack. Returns `None`, with nothing done, if it is
    /// refused.
    pub(super) fn written_in_place(&mut self, function: &'s Function, args: &[Node]) -> Emit<Option<Ty>> {
        let Some(callee) = self.with.callee(function.key()).cloned() else { return Ok(None) };
        if !self.with.writes_again(size(&function.body)) {
            return Ok(None);
        }
        let written = self.tried(|unit| {
            unit.with_scope(function, args, |unit, body| {
                let ty = callee.result;
                let mut returns = false;
                body.walk_own(&mut |node| returns |= matches!(node.what, crate::script::What::Return(_)));
                if !returns {
                    return unit.to(body, ty);
                }
                let value = unit.body.local(ty.wasm().unwrap_or(ValType::I32));
                let label = unit.body.block(None);
                unit.closures.push((label, ty, value));
                let done = unit.to(body, ty);
                unit.closures.pop();
                done?;
                if ty.wasm().is_some() {
                    unit.body.set(value);
                }
                unit.body.end();
                if ty.wasm().is_some() {
                    unit.body.get(value);
                }
                unit.body.done(ty.wasm().unwrap_or(ValType::I32), value);
                Ok(())
            })
        });
        Ok(written.map(|()| callee.result))
    }

    /// Writes something that may be refused. Returns `None` then, with nothing done.
    pub(super) fn tried<T>(&mut self, write: impl FnOnce(&mut Self) -> Emit<T>) -> Option<T> {
        let (body, scope) = (self.body.clone(), self.scope.clone());
        let counts = (self.with.outs.len(), self.with.wanted.len(), self.closures.len());
        let written = write(self).ok();
        if written.is_none() {
            (self.body, self.scope) = (body, scope);
            self.with.outs.truncate(counts.0);
            self.with.wanted.truncate(counts.1);
            self.closures.truncate(counts.2);
        }
        written
    }

    /// Does some work in the scope of a function that is called with these arguments. `work` gets its body.
    pub(super) fn with_scope<T>(
        &mut self,
        function: &'s Function,
        args: &[Node],
        work: impl FnOnce(&mut Self, &'s Node) -> Emit<T>,
    ) -> Emit<T> {
        let parameters = self.with.callee(function.key()).map(|callee| callee.parameters.clone()).unwrap_or_default();
        let mut scope = Scope::default();
        let changes =
            |unit: &Self, at: usize| unit.with.changed.get(&function.key()).is_none_or(|changed| changed.contains(&at));
        for (at, (arg, ty)) in args.iter().zip(parameters).enumerate() {
            let is_changed = changes(self, at);
            if let Some(fixed) = self.fixed(arg).filter(|_| !is_changed) {
                scope.known.insert(at, fixed);
                continue;
            }
            if let Some(apart) = Some(arg).filter(|_| !is_changed).and_then(|arg| self.in_parts(arg)) {
                scope.apart.insert(at, apart);
                continue;
            }
            let ty = if ty == Ty::Any && !is_changed {
                self.kept_as_it_is(arg)?
            } else {
                self.kept(arg, ty)?;
                ty
            };
            let local = ty.wasm().map(|wasm| {
                let local = self.body.local(wasm);
                self.body.set(local);
                local
            });
            scope.locals.insert(at, (local.unwrap_or_default(), ty));
        }
        let outer = (self.function, std::mem::take(&mut self.loops));
        let outer_scope = std::mem::replace(&mut self.scope, scope);
        self.function = function;
        self.nested += 1;
        if self.with.counts_itself(function) {
            self.count([&function.body]);
        }
        let done = work(self, &function.body);
        self.nested -= 1;
        (self.function, self.loops) = outer;
        let scope = std::mem::replace(&mut self.scope, outer_scope);
        for (local, ty) in scope.locals.into_values() {
            ty.wasm().into_iter().for_each(|wasm| self.body.done(wasm, local));
        }
        done
    }
}
