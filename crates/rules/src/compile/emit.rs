//! Turns the tree into operations.

use std::collections::{BTreeSet, HashMap};
use std::mem::discriminant;

use rhai::{ImmutableString, Position};

use super::lower::Lowered;
use super::quicken::{forms, quicken};
use super::tree::{Captured, Inlined, Invoke, Node, Slot};
use crate::natives::Natives;
use crate::values::{Arena, Val};
use crate::vm::{Fault, Function, InlinedPart, Op, Operator, Register, Site, Target, WINDOW, work};
use referee_table::{EventId, Schema};

/// The innermost loop during emission.
pub(crate) struct Round {
    /// The jumps to the next round.
    pub(crate) next: Vec<usize>,
    pub(crate) breaks: Vec<usize>,
    pub(crate) result: Option<Register>,
    /// The number of `try` blocks around it.
    pub(crate) tries: usize,
}

/// The error for a function that is too large for the machine.
pub(crate) struct TooLarge;

pub(crate) type Emit<T = ()> = Result<T, TooLarge>;

/// The indices of jumps whose targets are not emitted yet.
pub(crate) type Jumps = Vec<usize>;

pub(crate) struct Emitter<'e> {
    pub(crate) natives: &'e Natives,
    pub(crate) schema: &'e Schema,
    /// The constants.
    pub(crate) arena: &'e Arena,
    pub(crate) function: Function,
    /// The indices of the function's constants.
    constants: HashMap<Val, u16>,
    /// The first free register.
    pub(crate) top: usize,
    pub(crate) rounds: Vec<Round>,
    pub(crate) tries: usize,
    pub(crate) at: Position,
    /// The registers of the variables of the function that is being inlined.
    registers: Option<Vec<Register>>,
    /// The variables of the function itself that are in boxes.
    pub(crate) boxed: BTreeSet<Slot>,
}

/// The native functions, the declarations and the constants.
type Known<'k> = (&'k Natives, &'k Schema, &'k Arena);

/// Emits a function.
pub(crate) fn emit(known: Known<'_>, name: &str, prelude: bool, lowered: &Lowered) -> Emit<Function> {
    let (natives, schema, arena) = known;
    let function =
        Function { name: name.to_owned(), this: lowered.this, slots: lowered.slots, prelude, ..Function::default() };
    let mut emitter = Emitter {
        natives,
        schema,
        arena,
        function,
        constants: HashMap::new(),
        top: lowered.slots,
        rounds: Vec::new(),
        tries: 0,
        at: Position::NONE,
        registers: None,
        boxed: BTreeSet::new(),
    };
    lowered.boxed.iter().for_each(|slot| emitter.put_in_box(*slot));
    emitter.returned(&lowered.body)?;
    let Function { ops, sites, .. } = &mut emitter.function;
    quicken(ops, sites, schema);
    emitter.function.work = work(&emitter.function.ops);
    emitter.function.variables.clone_from(&lowered.variables);
    Ok(emitter.function)
}

/// Returns whether a node's value has no other holder.
pub(crate) fn is_new(node: &Node) -> bool {
    match node {
        Node::Local(_)
        | Node::This(_)
        | Node::Boxed(_)
        | Node::Constant(Val::List(_) | Val::Map(_))
        | Node::Chain(_)
        | Node::Coalesce(_)
        | Node::Loop { .. }
        | Node::For(_)
        | Node::Try { .. } => false,
        Node::Block(nodes) => nodes.last().is_none_or(is_new),
        Node::If(parts) => {
            let [_, then, other] = &**parts;
            is_new(then) && is_new(other)
        }
        Node::Switch(switch) => switch.ways.iter().all(|(_, way)| is_new(way)),
        _ => true,
    }
}

/// Returns whether a node's value is marked as shared already, as constants are.
fn is_shared(node: &Node) -> bool {
    match node {
        Node::Constant(_) => true,
        Node::Block(nodes) => nodes.last().is_some_and(is_shared),
        Node::If(parts) => {
            let [_, then, other] = &**parts;
            is_shared(then) && is_shared(other)
        }
        _ => false,
    }
}

impl Emitter<'_> {
    pub(crate) fn push(&mut self, op: Op) -> usize {
        self.function.ops.push(op);
        self.function.positions.push(self.at);
        self.function.ops.len() - 1
    }

    pub(crate) fn here(&self) -> u32 {
        u32::try_from(self.function.ops.len()).unwrap_or(u32::MAX)
    }

    /// Sets the target of these jumps to the next operation.
    pub(crate) fn land(&mut self, jumps: Jumps) {
        let here = self.here();
        for at in jumps {
            if let Some(to) = self.function.ops.get_mut(at).and_then(Op::target_mut) {
                *to = here;
            }
        }
    }

    /// Returns the register of a variable.
    pub(crate) fn register(&self, slot: Slot) -> Register {
        let inlined = self.registers.as_ref().and_then(|registers| registers.get(usize::from(slot)));
        inlined.copied().unwrap_or(slot)
    }

    /// Emits an inlined function with its own registers. `work` emits the body.
    pub(crate) fn inlined<T>(&mut self, inlined: &Inlined, work: impl FnOnce(&mut Self, &Node) -> Emit<T>) -> Emit<T> {
        // A closure would have these variables from here on.
        if inlined.is_loop() && self.registers.is_none() {
            for arg in inlined.args.iter().skip(1) {
                if let Node::Local(slot) = arg
                    && self.boxed.contains(slot)
                {
                    self.push(Op::Capture { at: self.register(*slot) });
                }
            }
        }
        let mut registers = Vec::with_capacity(inlined.slots);
        for number in 0..inlined.slots {
            // A parameter that is only read can use the register of the argument.
            registers.push(match (inlined.args.get(number), inlined.read.get(number)) {
                (Some(Node::Local(slot)), Some(true)) => self.register(*slot),
                _ => self.temporary()?,
            });
        }
        // A variable as the first argument is read last.
        let (first, rest) = inlined.args.split_at(inlined.args.len().min(1));
        let late = matches!(first, [Node::Local(_) | Node::Boxed(_)]);
        let args = || first.iter().zip(&registers);
        let others = rest.iter().zip(registers.iter().skip(1));
        let in_order: Vec<_> = if late { others.chain(args()).collect() } else { args().chain(others).collect() };
        let is_known = |arg: &Node| {
            inlined.args.iter().zip(&inlined.known).any(|(other, known)| *known && std::ptr::eq(other, arg))
        };
        for (arg, register) in in_order {
            if !is_known(arg) && !matches!(arg, Node::Local(slot) if self.register(*slot) == *register) {
                self.owned(arg, *register)?;
            }
        }
        let outer = self.registers.replace(registers);
        let from = self.here();
        let done = work(self, &inlined.body);
        self.registers = outer;
        let to = self.here();
        let part = |name: &String| InlinedPart { from, to, name: name.clone(), at: inlined.at };
        self.function.inlined.extend(inlined.names.iter().map(part));
        done
    }

    pub(crate) fn temporary(&mut self) -> Emit<Register> {
        let register = u8::try_from(self.top).ok().filter(|at| usize::from(*at) < WINDOW - 4).ok_or(TooLarge)?;
        self.top += 1;
        Ok(register)
    }

    pub(crate) fn constant(&mut self, value: Val) -> Emit<u16> {
        if let Some(known) = self.constants.get(&value) {
            return Ok(*known);
        }
        let at = u16::try_from(self.function.constants.len()).map_err(|_| TooLarge)?;
        self.function.constants.push(value);
        self.constants.insert(value, at);
        Ok(at)
    }

    /// Returns the index of a constant node among the function's constants, if it is small.
    pub(crate) fn small_constant(&mut self, node: &Node) -> Emit<Option<u8>> {
        let Node::Constant(value) = node else { return Ok(None) };
        self.constant(*value).map(|at| u8::try_from(at).ok())
    }

    pub(crate) fn fault(&mut self, fault: &Fault) -> Emit {
        let fault = self.numbered(fault)?;
        self.push(Op::Fault { fault });
        Ok(())
    }

    pub(crate) fn site(&mut self, site: Site) -> Emit<u16> {
        self.function.sites.push(site);
        u16::try_from(self.function.sites.len() - 1).map_err(|_| TooLarge)
    }

    /// Runs `work` and frees its temporary registers.
    pub(crate) fn freeing<T>(&mut self, work: impl FnOnce(&mut Self) -> Emit<T>) -> Emit<T> {
        let top = self.top;
        let done = work(self);
        self.top = top;
        done
    }

    /// Emits a node and returns the register of its value. A variable keeps its own register.
    pub(crate) fn operand(&mut self, node: &Node) -> Emit<Register> {
        if let Node::Local(slot) = node {
            return Ok(self.register(*slot));
        }
        if let Node::This(at) = node {
            self.this(*at);
            return Ok(0);
        }
        let to = self.temporary()?;
        // The value of a chain is only read. If it could change meanwhile, lowering has wrapped it in a block.
        match node {
            Node::Chain(_) | Node::Constant(_) => self.value(node, to)?,
            node => self.owned(node, to)?,
        }
        Ok(to)
    }

    /// Emits the check that there is a `this`.
    pub(crate) fn this(&mut self, at: Position) {
        self.at = at;
        self.push(Op::This { at: 0 });
    }

    /// Emits a node's value to a register. The value is marked as shared if it has other holders.
    pub(crate) fn owned(&mut self, node: &Node, to: Register) -> Emit {
        if let Node::Local(slot) = node {
            self.push(Op::Copy { to, from: self.register(*slot) });
            return Ok(());
        }
        self.value(node, to)?;
        if !is_new(node) && !is_shared(node) {
            self.push(Op::Share { at: to });
        }
        Ok(())
    }

    /// Emits a node without its value.
    pub(crate) fn effect(&mut self, node: &Node) -> Emit {
        self.freeing(|emitter| match node {
            Node::Constant(_) | Node::Local(_) => Ok(()),
            Node::Block(nodes) => nodes.iter().try_for_each(|node| emitter.effect(node)),
            Node::If(parts) => {
                let [condition, then, other] = &**parts;
                let mut otherwise = Jumps::new();
                emitter.unless(condition, &mut otherwise)?;
                emitter.effect(then)?;
                if matches!(other, Node::Constant(_)) || matches!(other, Node::Block(nodes) if nodes.is_empty()) {
                    emitter.land(otherwise);
                    return Ok(());
                }
                let end = emitter.push(Op::Jump { to: 0 });
                emitter.land(otherwise);
                emitter.effect(other)?;
                emitter.land(vec![end]);
                Ok(())
            }
            Node::Loop { .. } | Node::For(_) => emitter.rounds(node, None),
            Node::Assign(assign) => emitter.assign(assign),
            Node::Let { slot, boxed, value } => emitter.begin_variable(*slot, *boxed, value),
            Node::Clause(clause) => {
                emitter.push(Op::Clause { clause: *clause });
                Ok(())
            }
            Node::Cover(point) => {
                emitter.push(Op::Cover { point: *point });
                Ok(())
            }
            Node::Event(event, invoke) => emitter.event(*event, invoke),
            Node::Inlined(inlined) => emitter.inlined(inlined, Self::effect),
            node => {
                let to = emitter.temporary()?;
                emitter.value(node, to)
            }
        })
    }

    /// Emits a node's value to a register.
    pub(crate) fn value(&mut self, node: &Node, to: Register) -> Emit {
        self.freeing(|emitter| emitter.lay_down(node, to))
    }

    fn lay_down(&mut self, node: &Node, to: Register) -> Emit {
        match node {
            Node::Constant(value) => self.known(*value, to),
            Node::Local(slot) => {
                let from = self.register(*slot);
                if from != to {
                    self.push(Op::Move { to, from });
                }
                Ok(())
            }
            Node::This(at) => {
                self.this(*at);
                self.push(Op::Move { to, from: 0 });
                Ok(())
            }
            Node::Boxed(slot) => {
                self.push(Op::Unbox { to, from: self.register(*slot) });
                Ok(())
            }
            Node::Cover(point) => {
                self.push(Op::Cover { point: *point });
                self.known(Val::Nothing, to)
            }
            Node::Outcome(point, node) => {
                self.value(node, to)?;
                self.push(Op::Outcome { at: to, point: *point });
                Ok(())
            }
            Node::Logic { all, parts } => self.truth(*all, parts, to),
            Node::Coalesce(parts) => self.coalesce(parts, to),
            Node::List(nodes, at) => self.list(nodes, *at, to),
            Node::Map(pairs, at) => self.map(pairs, *at, to),
            Node::Text(parts, at) => self.text(parts, *at, to),
            Node::Unary(operator, node, at) => {
                let of = self.operand(node)?;
                self.at = *at;
                self.push(Op::Unary { operator: *operator, to, of });
                Ok(())
            }
            Node::Binary(operator, nodes, at) => self.binary(*operator, nodes, *at, to),
            Node::Switch(switch) => self.switch(switch, to),
            Node::Chain(chain) => self.chain(chain, to),
            Node::IsList(_) => self.test(node, to),
            Node::Let { .. }
            | Node::Assign(_)
            | Node::Block(_)
            | Node::If(_)
            | Node::Loop { .. }
            | Node::For(_)
            | Node::Break(_)
            | Node::Continue
            | Node::Return(_)
            | Node::Throw(..)
            | Node::Try { .. } => self.statement(node, to),
            node => self.calling(node, to),
        }
    }

    /// Emits the first value that is not `()`, or the last.
    fn coalesce(&mut self, parts: &[Node], to: Register) -> Emit {
        let mut ends = Jumps::new();
        for (number, part) in parts.iter().enumerate() {
            self.value(part, to)?;
            if number + 1 < parts.len() {
                ends.push(self.push(Op::JumpIfNothing { at: to, is: false, to: 0 }));
            }
        }
        self.land(ends);
        Ok(())
    }

    fn map(&mut self, pairs: &[(ImmutableString, Node)], at: Position, to: Register) -> Emit {
        let from = self.row(pairs.iter().map(|(_, node)| node))?;
        let mut names: Vec<_> = (0..).zip(pairs).map(|(at, (name, _))| (name.clone(), at)).collect();
        names.sort();
        self.function.names.push(names);
        let names = u16::try_from(self.function.names.len() - 1).map_err(|_| TooLarge)?;
        self.at = at;
        self.push(Op::Map { to, from, names });
        Ok(())
    }

    /// Emits a function value with the variables and constants that it captures.
    fn closure(&mut self, function: Val, shared: &[Captured], to: Register) -> Emit {
        let mut args = smallvec::SmallVec::new();
        for captured in shared {
            let register = match captured {
                Captured::Variable(slot) => self.register(*slot),
                Captured::Constant(value) => self.operand(&Node::Constant(*value))?,
            };
            args.push((register, true));
        }
        let site = self.site(Site {
            name: "curry".into(),
            args,
            unread: Vec::new(),
            callee: Target::Closure(function),
            method: false,
            top: 0,
            position: self.at,
            fixed: None,
            quick: None,
            forms: None,
        })?;
        self.push(Op::Closure { to, site });
        Ok(())
    }

    /// Emits a call, or another node that refers to a function, an event or a clause.
    fn calling(&mut self, node: &Node, to: Register) -> Emit {
        match node {
            Node::Call { function, args, at } => self.call(*function, args, *at, to),
            Node::Inlined(inlined) => self.inlined(inlined, |emitter, body| emitter.owned(body, to)),
            Node::Native(invoke) => self.native_call(invoke, to),
            Node::Event(event, invoke) => {
                self.event(*event, invoke)?;
                self.push(Op::Nothing { to });
                Ok(())
            }
            Node::May(ask, invoke) => {
                let site = self.invoke(invoke, true)?;
                if let Some(called) = self.function.sites.last_mut() {
                    let forms = self.schema.asks.get(ask.index()).and_then(|form| forms(form, called));
                    // A move is more than a plain value.
                    let plain = |forms: &[_]| forms.iter().all(|(_, form)| *form != discriminant(&Val::Move(0)));
                    called.forms = forms.filter(|forms| plain(forms));
                }
                self.at = invoke.at;
                self.push(Op::May { to, ask: *ask, site });
                Ok(())
            }
            Node::Clause(clause) => {
                self.push(Op::Clause { clause: *clause });
                self.push(Op::Nothing { to });
                Ok(())
            }
            Node::CallValue { function, args, at } => {
                let site = self.called("call", std::iter::once(&**function).chain(args), *at, Target::Value)?;
                self.push(Op::CallValue { to, site });
                Ok(())
            }
            Node::Curry { function, args, at } => {
                let site = self.called("curry", std::iter::once(&**function).chain(args), *at, Target::Value)?;
                self.push(Op::Curry { to, site });
                Ok(())
            }
            Node::Callback(callback, args, at) => {
                let site = self.called("call", args.iter(), *at, Target::Callback(*callback))?;
                self.push(Op::Callback { to, site });
                Ok(())
            }
            Node::Closure { function, shared } => self.closure(*function, shared, to),
            Node::Pointer(text, at) => {
                let from = self.operand(text)?;
                self.at = *at;
                self.push(Op::Pointer { to, from });
                Ok(())
            }
            Node::Fault(fault, at) => {
                self.at = *at;
                self.fault(fault)
            }
            _ => Ok(()),
        }
    }

    fn event(&mut self, event: EventId, invoke: &Invoke) -> Emit {
        let site = self.invoke(invoke, true)?;
        if let Some(called) = self.function.sites.last_mut() {
            called.forms = self.schema.events.get(event.index()).and_then(|form| forms(form, called));
        }
        self.at = invoke.at;
        self.push(Op::Event { event, site });
        Ok(())
    }

    pub(crate) fn known(&mut self, value: Val, to: Register) -> Emit {
        match value {
            Val::Nothing => self.push(Op::Nothing { to }),
            Val::Truth(truth) => self.push(Op::Truth { to, truth }),
            Val::Number(number) if i32::try_from(number).is_ok() => {
                self.push(Op::Number { to, number: i32::try_from(number).unwrap_or_default() })
            }
            value => {
                let constant = self.constant(value)?;
                self.push(Op::Constant { to, constant })
            }
        };
        Ok(())
    }

    /// Emits values to consecutive registers and returns the first.
    fn row<'n>(&mut self, nodes: impl Iterator<Item = &'n Node>) -> Emit<Register> {
        let first = u8::try_from(self.top).map_err(|_| TooLarge)?;
        for node in nodes {
            let to = self.temporary()?;
            self.owned(node, to)?;
        }
        Ok(first)
    }

    fn list(&mut self, nodes: &[Node], at: Position, to: Register) -> Emit {
        const MOST: usize = 32;
        let whole = if nodes.len() > MOST { self.temporary()? } else { to };
        let mut begun = false;
        for part in nodes.chunks(MOST).chain(nodes.is_empty().then_some(nodes)) {
            self.freeing(|emitter| {
                let from = emitter.row(part.iter())?;
                let count = u8::try_from(part.len()).map_err(|_| TooLarge)?;
                emitter.at = at;
                emitter.push(match begun {
                    false => Op::List { to: whole, from, count },
                    true => Op::Append { to: whole, from, count },
                });
                begun = true;
                Ok(())
            })?;
        }
        if whole != to {
            self.push(Op::Move { to, from: whole });
        }
        Ok(())
    }

    fn text(&mut self, parts: &[(Node, Position)], at: Position, to: Register) -> Emit {
        const MOST: usize = 32;
        let whole = if parts.len() > MOST { Some(self.temporary()?) } else { None };
        for (number, part) in parts.chunks(MOST).chain(parts.is_empty().then_some(parts)).enumerate() {
            self.freeing(|emitter| {
                let first = u8::try_from(emitter.top).map_err(|_| TooLarge)?;
                if let Some(whole) = whole.filter(|_| number > 0) {
                    let before = emitter.temporary()?;
                    emitter.push(Op::Move { to: before, from: whole });
                }
                for (node, at) in part {
                    let to = emitter.temporary()?;
                    emitter.value(node, to)?;
                    emitter.at = *at;
                }
                let count = u8::try_from(emitter.top - usize::from(first)).map_err(|_| TooLarge)?;
                emitter.at = at;
                emitter.push(Op::Text { to: whole.unwrap_or(to), from: first, count });
                Ok(())
            })?;
        }
        if let Some(whole) = whole {
            self.push(Op::Move { to, from: whole });
        }
        Ok(())
    }

    /// Emits both operands. A shared variable as the first operand is read last.
    pub(crate) fn both(&mut self, nodes: &[Node; 2]) -> Emit<(Register, Register)> {
        let [one, other] = nodes;
        if matches!(one, Node::Boxed(_)) {
            let other = self.operand(other)?;
            return Ok((self.operand(one)?, other));
        }
        let one = self.operand(one)?;
        Ok((one, self.operand(other)?))
    }

    fn binary(&mut self, operator: Operator, nodes: &[Node; 2], at: Position, to: Register) -> Emit {
        if let [one, Node::Constant(Val::Number(number))] = nodes
            && let Ok(number) = i32::try_from(*number)
        {
            let one = self.operand(one)?;
            self.at = at;
            self.push(Op::BinaryNumber { operator, to, one, number });
            return Ok(());
        }
        let (one, other) = self.both(nodes)?;
        self.at = at;
        self.push(Op::Binary { operator, to, one, other });
        Ok(())
    }
}
