//! A function of the rules while it is compiled: its variables, and values of all kinds.

use std::cell::RefCell;
use std::collections::HashMap;

use rhai::{Dynamic, ImmutableString};
use wasm_encoder::{Instruction as I, ValType};

use super::body::{Body, Label, word};
use super::compiler::{Compiler, Emit, Refused};
use super::fixed::{Fixed, Known};
use super::layout;
use super::outline::{Given, changes, is_literal, may_end_early};
use super::parts::Apart;
use super::receivers::{THIS, name_in_rules};
use super::runtime::{self, unwrap, wrap};
use super::value::{NO_ID, Tag, Ty};
use crate::script::{Function, LocalId, Name, Node, Target, What};
use crate::values::{GameItself, Kind};

/// A loop around the present place.
pub(super) struct Around {
    pub(super) end: Label,
    pub(super) next: Label,
    /// The variable for the value of `break`, if the loop has one.
    pub(super) value: Option<u32>,
}

/// The variables of a function of the script.
#[derive(Clone, Default)]
pub(super) struct Scope {
    /// Those whose values are fixed.
    pub(super) known: Known,
    /// Those whose values are apart: see [`super::parts`].
    pub(super) apart: HashMap<LocalId, Apart>,
    /// The others: each with its number in the function and its type.
    pub(super) locals: HashMap<LocalId, (u32, Ty)>,
}

/// A function while it is compiled.
pub(super) struct Unit<'c, 's> {
    pub(super) with: &'c mut Compiler<'s>,
    /// The function of the rules at the present place: another one where that is written in place.
    pub(super) function: &'s Function,
    pub(super) body: Body,
    pub(super) scope: Scope,
    /// Where the parameters are.
    given: Vec<u32>,
    pub(super) loops: Vec<Around>,
    result: Ty,
    recursive: bool,
    /// How deep functions are nested here that are written in place.
    pub(super) nested: usize,
    /// What is to be counted for parts whose results were found.
    pub(super) computed: RefCell<HashMap<*const Node, i64>>,
    /// Whether the present place is in a closure that is written as a loop: `return` gives its value.
    pub(super) closures: Vec<(Label, Ty, u32)>,
}

impl<'c, 's> Unit<'c, 's> {
    pub(super) fn of(with: &'c mut Compiler<'s>, function: &'s Function, result: Ty, recursive: bool) -> Self {
        Self {
            with,
            function,
            body: Body::new(0),
            scope: Scope::default(),
            given: Vec::new(),
            loops: Vec::new(),
            result,
            recursive,
            nested: 0,
            computed: RefCell::default(),
            closures: Vec::new(),
        }
    }

    /// Declares the parameters, of which some are fixed.
    pub(super) fn parameters(&mut self, types: &[Ty], fixed: &[Option<Fixed>]) {
        let mut next = 0;
        for (local, (ty, fixed)) in types.iter().zip(fixed).enumerate() {
            self.given.push(next);
            if let Some(fixed) = fixed {
                self.scope.known.insert(local, fixed.clone());
            } else if ty.wasm().is_some() {
                self.scope.locals.insert(local, (next, *ty));
                next += 1;
            } else {
                self.scope.locals.insert(local, (0, *ty));
            }
        }
        self.body = Body::new(next as usize);
    }

    /// Puts a parameter on the stack.
    pub(super) fn parameter(&mut self, at: usize, ty: Ty) {
        if ty.wasm().is_some() {
            let local = self.given.get(at).copied().unwrap_or_default();
            self.body.get(local);
        }
    }

    /// Returns whether the function changes a variable after it was declared.
    pub(super) fn is_changed(&self, local: LocalId) -> bool {
        self.with.changed.get(&self.function.key()).is_none_or(|changed| changed.contains(&local))
    }

    /// Puts the value of a variable of the script on the stack.
    pub(super) fn variable(&mut self, local: LocalId) -> Ty {
        if let Some(fixed) = self.scope.known.get(&local).cloned() {
            return self.put(&fixed);
        }
        if let Some(apart) = self.scope.apart.get(&local).cloned() {
            return self.joined(&apart);
        }
        let (number, ty) = self.local(local);
        if ty.wasm().is_some() {
            self.body.get(number);
        }
        ty
    }

    /// Returns the variable of the function for one of the script, and its type.
    pub(super) fn local(&mut self, local: LocalId) -> (u32, Ty) {
        if let Some(known) = self.scope.locals.get(&local) {
            return *known;
        }
        let kind = self.function.local(local).map_or(Kind::ANY, |local| local.kind.clone());
        let ty = self.with.ty(&kind);
        let number = ty.wasm().map_or(0, |wasm| self.body.local(wasm));
        self.scope.locals.insert(local, (number, ty));
        (number, ty)
    }

    /// Ends the function: its result is on the stack.
    pub(super) fn leave(&mut self) {
        if name_in_rules(self.function).is_some() {
            self.give_back();
        }
        if self.recursive {
            self.deepen(-1);
        }
    }

    /// Puts what the function was called on into the place from which the caller takes it.
    fn give_back(&mut self) {
        self.body.word(0);
        let ty = self.variable(THIS);
        self.convert(ty, Ty::Any);
        self.body.add(I::I64Store(super::body::long(layout::RECEIVER)));
    }

    /// Changes how deep functions that may call themselves are nested.
    fn deepen(&mut self, by: i32) {
        self.body.raise(layout::DEPTH, by);
    }

    /// Begins the function: gives up if those that may call themselves are nested too deep.
    pub(super) fn enter(&mut self, deepest: i32) {
        if self.recursive {
            self.deepen(1);
            self.body.load(layout::DEPTH);
            self.body.all([I::I32Const(deepest), I::I32GtS]);
            self.body.give_up_if();
        }
    }

    /// Puts the value of a type on the stack that stands for any other, where none is needed.
    fn default(&mut self, ty: Ty) {
        match ty.wasm() {
            Some(ValType::I64) => self.body.long(0),
            Some(_) => self.body.word(0),
            None => {}
        }
    }

    /// Leaves the function after a call that has ended the game.
    pub(super) fn after_end(&mut self, may_end: bool) {
        if !may_end {
            return;
        }
        self.body.load(layout::OVER);
        self.body.when(None);
        self.over();
        self.body.end();
    }

    /// Leaves the function, for the game is over.
    pub(super) fn over(&mut self) {
        self.default(self.result);
        self.body.add(I::Return);
    }

    /// Turns the value on the stack into one of another type; gives up if it has none.
    pub(super) fn convert(&mut self, from: Ty, to: Ty) {
        match (from, to) {
            (Ty::Never, _) => self.body.give_up(),
            (from, to) if from == to => {}
            (Ty::Any, to) => unwrap(&mut self.body, to),
            (from, Ty::Any) => wrap(&mut self.body, from),
            (Ty::Nothing, Ty::Id { maybe: true, .. }) => self.body.word(NO_ID),
            (Ty::Id { tag: one, maybe: false }, Ty::Id { tag: other, maybe: true }) if one == other => {}
            (Ty::Id { tag: one, maybe: true }, Ty::Id { tag: other, maybe: false }) if one == other => {
                let local = self.body.local(ValType::I32);
                self.body.tee(local);
                self.body.all([I::I32Const(NO_ID), I::I32Eq]);
                self.body.give_up_if();
                self.body.get(local);
                self.body.done(ValType::I32, local);
            }
            (from, to) => {
                wrap(&mut self.body, from);
                unwrap(&mut self.body, to);
            }
        }
    }

    /// Drops a value.
    pub(super) fn drop(&mut self, ty: Ty) {
        if ty.wasm().is_some() {
            self.body.add(I::Drop);
        }
    }

    /// Puts the value of a node on the stack, as one of a type.
    pub(super) fn to(&mut self, node: &Node, ty: Ty) -> Emit {
        if let Some(done) = self.controlled(node, Some(ty)) {
            self.count_computed();
            return done;
        }
        let from = self.value(node)?;
        self.convert(from, ty);
        Ok(())
    }

    /// Carries out a node, and drops its value.
    pub(super) fn effect(&mut self, node: &Node) -> Emit {
        if let Some(done) = self.controlled(node, None) {
            self.count_computed();
            return done;
        }
        let from = self.value(node)?;
        self.drop(from);
        Ok(())
    }

    /// Puts the value of a node on the stack that gets another holder.
    pub(super) fn kept(&mut self, node: &Node, ty: Ty) -> Emit {
        self.to(node, ty)?;
        if ty.may_be_owned() && self.ty_of(node).may_be_owned() && !is_new(node) {
            self.share(ty);
        }
        Ok(())
    }

    /// The same in the type that the value has. Returns this.
    pub(super) fn kept_as_it_is(&mut self, node: &Node) -> Emit<Ty> {
        let ty = self.value(node)?;
        if ty == Ty::Never {
            self.convert(ty, Ty::Any);
            return Ok(Ty::Any);
        }
        if ty.may_be_owned() && !is_new(node) {
            self.share(ty);
        }
        Ok(ty)
    }

    /// Marks the value on the stack as shared.
    pub(super) fn share(&mut self, ty: Ty) {
        let Some(wasm) = ty.wasm() else { return };
        let local = self.body.local(wasm);
        self.body.tee(local);
        self.body.get(local);
        match ty {
            Ty::Id { tag, maybe: false } if tag.is_owned() => {
                self.body.all([I::I32Const(1), I::I32Store(word(runtime::SHARED))]);
            }
            _ => {
                self.convert(ty, Ty::Any);
                runtime::shared(&mut self.body);
            }
        }
        self.body.done(wasm, local);
    }

    /// Puts a boolean on the stack.
    pub(super) fn truth(&mut self, node: &Node) -> Emit {
        self.to(node, Ty::Truth)
    }

    /// Puts the value of a node on the stack, in the type that it has.
    pub(super) fn value(&mut self, node: &Node) -> Emit<Ty> {
        let ty = self.put_value(node)?;
        self.count_computed();
        Ok(ty)
    }

    fn put_value(&mut self, node: &Node) -> Emit<Ty> {
        if matches!(
            node.what,
            What::Block(_) | What::If(_) | What::Switch(_) | What::And(_) | What::Or(_) | What::Coalesce(_)
        ) {
            let ty = match &node.what {
                What::And(_) | What::Or(_) => Ty::Truth,
                _ => self.with.ty(&node.kind),
            };
            self.controlled(node, Some(ty)).unwrap_or(Ok(()))?;
            return Ok(ty);
        }
        let may_be_fixed = matches!(
            node.what,
            What::Call(_)
                | What::Operator(..)
                | What::List(_)
                | What::Index { .. }
                | What::Field { .. }
                | What::Name(Name::Constant(_) | Name::Component(_))
        );
        if may_be_fixed && let Some(fixed) = self.fixed(node) {
            return Ok(self.put(&fixed));
        }
        if matches!(node.what, What::Call(_) | What::Operator(..))
            && let Some(apart) = self.in_parts(node)
        {
            return Ok(self.joined(&apart));
        }
        Ok(match &node.what {
            What::Nothing => Ty::Nothing,
            What::Number(number) => {
                if super::value::number(*number).is_none() {
                    return Err(Refused("a number with more than 60 bits"));
                }
                self.body.long(*number);
                Ty::Number
            }
            What::Truth(truth) => {
                self.body.word(i32::from(*truth));
                Ty::Truth
            }
            What::Text(text) => self.text(text),
            What::Name(Name::Local(local)) => self.variable(*local),
            What::Name(Name::Component(name)) => self.component(node, name)?,
            What::Name(Name::Constant(_)) => self.remembered(node)?,
            What::This => return Err(Refused("`this`")),
            What::List(items) => self.list(items)?,
            What::Map(pairs) => self.map(pairs)?,
            What::Operator(sign, parts) => self.operation(node, sign, parts)?,
            What::Call(call) => self.call(node, call)?,
            What::Field { .. } | What::Index { .. } if may_end_early(node) => self.handed(node)?,
            What::Field { of, name, .. } => self.field(node, of, name)?,
            What::Index { of, index, .. } => self.element(node, of, index)?,
            What::Closure(closure) => {
                let is_fixed = |local: LocalId| !changes(&self.function.body, local);
                let fixed = closure.captured.iter().all(|captured| match captured.name {
                    Name::Local(local) => is_fixed(local),
                    _ => true,
                });
                if !fixed {
                    return Err(Refused("a closure shares a variable that changes"));
                }
                self.handed(node)?
            }
            What::Let { .. }
            | What::Assign(_)
            | What::While { .. }
            | What::Do { .. }
            | What::For(_)
            | What::Break(_)
            | What::Continue
            | What::Return(_)
            | What::Throw(_) => self.statement(node)?,
            What::Letter(_) | What::Constant(_) | What::Interpolated(_) | What::Name(_) => self.handed(node)?,
            What::Run(point) => {
                self.ran(*point);
                Ty::Nothing
            }
            What::Outcome(point, of) => self.outcome(*point, of)?,
            What::Try(_) => return Err(Refused("`try`")),
            What::Strange(_) => return Err(Refused("what rules cannot use")),
            What::Block(_) | What::If(_) | What::Switch(_) | What::And(_) | What::Or(_) | What::Coalesce(_) => {
                Ty::Never
            }
        })
    }

    pub(super) fn text(&mut self, text: &ImmutableString) -> Ty {
        let number = self.with.strings.number(text);
        self.body.word(number.cast_signed());
        Ty::id(Tag::Text)
    }

    /// Puts a component on the stack that is no fixed value.
    fn component(&mut self, node: &Node, name: &str) -> Emit<Ty> {
        let value = self.with.with.components.get_var_value::<Dynamic>(name);
        if !value.is_some_and(|value| value.is::<GameItself>()) {
            return self.remembered(node);
        }
        self.body.word(super::host::GAME.cast_signed());
        Ok(Ty::id(Tag::Other))
    }

    /// Puts the value of a node without parameters on the stack. The host computes it once for a table.
    pub(super) fn remembered(&mut self, node: &Node) -> Emit<Ty> {
        let (site, given) = self.with.out(node, self.function, false)?;
        if !given.is_empty() {
            return Err(Refused("a constant with parts that change"));
        }
        if let Some(out) = self.with.outs.last_mut() {
            out.keeps = true;
        }
        let memo = self.with.memo();
        self.body.word(memo.cast_signed());
        self.body.add(I::I32Load(word(8)));
        self.body.add(I::I32Eqz);
        self.body.when(None);
        self.body.word(memo.cast_signed());
        self.body.word(site.cast_signed());
        self.body.call(layout::out(0));
        self.body.add(I::I64Store(super::body::long(0)));
        self.body.word(memo.cast_signed());
        self.body.word(0);
        self.body.add(I::I32Load(word(layout::IS_KEPT)));
        self.body.add(I::I32Store(word(8)));
        self.body.end();
        self.body.word(memo.cast_signed());
        self.body.add(I::I64Load(super::body::long(0)));
        Ok(self.narrowed(node))
    }

    /// Gives the wrapped value of a node on the stack the type of its kind.
    pub(super) fn narrowed(&mut self, node: &Node) -> Ty {
        let ty = self.with.ty(&node.kind);
        self.convert(Ty::Any, ty);
        ty
    }

    /// Lets the host evaluate a node, with the values of its parts.
    pub(super) fn handed(&mut self, node: &Node) -> Emit<Ty> {
        if self.is_the_same(node) {
            return self.remembered(node);
        }
        let (site, given) = self.with.out(node, self.function, false)?;
        self.call_host(site, &given)?;
        let ends = node.call().is_some_and(|call| super::callee::ends(&call.name, call.args.len()));
        self.after_end(ends);
        Ok(self.narrowed(node))
    }

    /// Returns whether a node is the same wherever it is evaluated in games of one table.
    pub(super) fn is_the_same(&self, node: &Node) -> bool {
        match &node.what {
            What::Call(call) => call.args.iter().all(is_literal) && self.with.is_the_same(call),
            What::Operator(..) | What::Constant(_) | What::Letter(_) => is_literal(node),
            _ => false,
        }
    }

    /// Calls the host with the values of these parts.
    pub(super) fn call_host(&mut self, site: u32, given: &[Given<'_>]) -> Emit {
        self.body.word(site.cast_signed());
        for part in given {
            match part {
                Given::Node(node) => self.to(node, Ty::Any)?,
                Given::Local(local) => {
                    let ty = self.variable(*local);
                    self.convert(ty, Ty::Any);
                }
            }
        }
        self.body.call(layout::out(given.len()));
        Ok(())
    }

    /// Puts the default of the function's result on the stack and returns.
    pub(super) fn returns(&mut self, value: Option<&Node>) -> Emit {
        if let Some((label, ty, local)) = self.closures.last().copied() {
            match value {
                Some(value) => self.to(value, ty)?,
                None => self.convert(Ty::Nothing, ty),
            }
            if ty.wasm().is_some() {
                self.body.set(local);
            }
            self.body.jump(label);
            return Ok(());
        }
        match value {
            Some(value) => self.to(value, self.result)?,
            None => self.convert(Ty::Nothing, self.result),
        }
        self.leave();
        self.body.add(I::Return);
        Ok(())
    }
}

/// Returns whether the value of a node has no other holder.
fn is_new(node: &Node) -> bool {
    match &node.what {
        What::List(_) | What::Map(_) | What::Operator(..) | What::Interpolated(_) => true,
        // A function of the rules may return a part of what it was given.
        What::Call(call) => call.target == Target::Native && !call.natives.may_change(call.args.len()),
        _ => false,
    }
}
