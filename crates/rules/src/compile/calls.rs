//! Emits calls, and chains of dots and brackets.

use rhai::{ImmutableString, Position};
use smallvec::SmallVec;

use super::emit::{Emit, Emitter, Jumps, TooLarge, is_new};
use super::tree::{Callee, Chain, Invoke, Method, Node, Root, Step, What};
use crate::host::plain;
use crate::natives::{self, Named, READ, WRITE};
use crate::values::Val;
use crate::vm::{Fault, Known, Op, Operator, Overloads, Quick, Register, Site, Target};

/// The registers of arguments, and whether each value is new.
type Arguments = SmallVec<[(Register, bool); 4]>;

/// The origin of a value in a chain, to which it is written back after a change.
enum From {
    Index { of: Register, at: Register, value: Register },
    Field { of: Register, value: Register, site: u16, at: Position },
    Box { at: Register, value: Register },
}

impl Emitter<'_> {
    fn named(&self, (name, natives): (&str, Named), count: usize) -> Overloads {
        Overloads {
            chooses: natives.are_choices(count),
            changes: natives.may_change(count),
            ..Overloads::new(self.natives.named(name, count), natives.library_function(name, count))
        }
    }

    /// Emits the arguments of a call and returns their registers. A shared variable as the first argument is read last.
    fn values<'n>(&mut self, nodes: impl Iterator<Item = &'n Node>) -> Emit<Arguments> {
        self.values_unless(nodes, |_| false).map(|(args, _)| args)
    }

    /// Emits arguments like [`Self::values`], but does not load those constants that are not read. Returns these too.
    fn values_unless<'n>(
        &mut self,
        nodes: impl Iterator<Item = &'n Node>,
        unread: impl Fn(usize) -> bool,
    ) -> Emit<(Arguments, Vec<(Register, Val)>)> {
        let mut args: Arguments = SmallVec::new();
        let mut unloaded = Vec::new();
        let mut late = None;
        for (number, node) in nodes.enumerate() {
            if let Node::Constant(value) = node
                && unread(number)
            {
                unloaded.push((number, *value));
                args.push((0, is_new(node)));
                continue;
            }
            if number == 0 && matches!(node, Node::Boxed(_)) {
                late = Some((node, self.temporary()?));
                args.push((0, false));
                continue;
            }
            args.push((self.operand(node)?, is_new(node)));
        }
        if let Some((node, to)) = late {
            self.value(node, to)?;
            args.first_mut().into_iter().for_each(|first| *first = (to, false));
        }
        // Their registers are the last, so that a pause in another argument does not keep what is left in them.
        let mut constants = Vec::with_capacity(unloaded.len());
        for (number, value) in unloaded {
            let to = self.temporary()?;
            args.get_mut(number).into_iter().for_each(|(register, _)| *register = to);
            constants.push((to, value));
        }
        Ok((args, constants))
    }

    pub(crate) fn called<'n>(
        &mut self,
        name: &str,
        nodes: impl Iterator<Item = &'n Node>,
        at: Position,
        callee: Target,
    ) -> Emit<u16> {
        let args = self.values(nodes)?;
        self.at = at;
        self.placed(name.into(), args, callee, false)
    }

    fn placed(&mut self, name: ImmutableString, args: Arguments, callee: Target, method: bool) -> Emit<u16> {
        let top = u8::try_from(self.top).map_err(|_| TooLarge)?;
        let unread = Vec::new();
        let position = self.at;
        self.site(Site { name, args, unread, callee, method, top, position, fixed: None, quick: None, forms: None })
    }

    pub(crate) fn call(&mut self, function: usize, args: &[Node], at: Position, to: Register) -> Emit {
        let function = u32::try_from(function).map_err(|_| TooLarge)?;
        let callee = Target::Function { function, changes: false, prelude: false };
        let site = self.called("", args.iter(), at, callee)?;
        self.push(Op::Call { to, site });
        Ok(())
    }

    /// Emits the arguments of a call of a native function. With `known`, the machine knows what the first one says.
    pub(crate) fn invoke(&mut self, invoke: &Invoke, known: bool) -> Emit<u16> {
        let count = invoke.args.len();
        let called = (invoke.name.as_str(), invoke.natives);
        let natives = self.named(called, count);
        let text = |at: usize| match invoke.args.get(at) {
            Some(Node::Constant(text)) => self.arena.text_of(*text).map(ImmutableString::as_str),
            _ => None,
        };
        let options = match invoke.args.get(2) {
            Some(Node::Constant(Val::List(list))) => Some(*list),
            _ => None,
        };
        let quick = Quick::of(called, count, text, options, self.schema, &natives.all);
        let fixed = invoke.natives.are_fixed(count);
        let unread = |at| fixed || known && at == 0 || quick.as_ref().is_some_and(|quick| quick.ignores(at));
        let (mut args, unread) = self.values_unless(invoke.args.iter(), unread)?;
        // A value that is not in a variable must not be changed in place.
        if let (Some(Node::Chain(_) | Node::Boxed(_) | Node::Constant(Val::List(_) | Val::Map(_))), Some((first, _))) =
            (invoke.args.first(), args.first_mut())
            && invoke.changes_first()
        {
            self.push(Op::Share { at: *first });
        }
        self.at = invoke.at;
        let chooses = natives.chooses && quick.is_none();
        let natives = Overloads { chooses, ..natives };
        let site = self.placed(invoke.name.clone(), args, Target::Native(natives), false)?;
        if let Some(site) = self.function.sites.last_mut() {
            site.quick = quick;
            site.unread = unread;
            site.fixed = fixed.then(|| Known::of(site.given()));
        }
        Ok(site)
    }

    /// Returns the number of a fault of the function.
    pub(crate) fn numbered(&mut self, fault: &Fault) -> Emit<u16> {
        self.function.faults.push(fault.clone());
        u16::try_from(self.function.faults.len() - 1).map_err(|_| TooLarge)
    }

    /// Emits the call of a native function by its name.
    pub(crate) fn native_call(&mut self, invoke: &Invoke, to: Register) -> Emit {
        let site = self.invoke(invoke, false)?;
        self.at = invoke.at;
        let called = self.function.sites.last();
        let (quick, first) = called.map_or((false, None), |site| (site.quick.is_some(), site.args.first()));
        let kept = match (invoke.args.first(), first) {
            (Some(Node::Boxed(slot)), Some((from, _))) if invoke.changes_first() => {
                Some(Op::KeepBox { at: self.register(*slot), from: *from })
            }
            _ => None,
        };
        self.push(if quick { Op::Quick { to, site } } else { Op::Native { to, site } });
        kept.into_iter().for_each(|op| _ = self.push(op));
        Ok(())
    }

    /// Emits the call of the native function at a call site, which the machine may carry out itself.
    fn native(&mut self, quick: Option<Quick>, to: Register, site: u16) {
        self.push(if quick.is_some() { Op::Quick { to, site } } else { Op::Native { to, site } });
        if let Some(site) = self.function.sites.last_mut() {
            site.quick = quick;
        }
    }

    fn field(&mut self, name: &ImmutableString, at: Position) -> Emit<u16> {
        let getter = format!("get${name}");
        let callee = Target::Field {
            own: Overloads::new(self.natives.named(&getter, 1), natives::library_property(name)),
            named: Overloads::new(self.natives.named(READ, 2), None),
            set: Overloads::new(self.natives.named(WRITE, 3), None),
            getter: getter.into(),
            property: plain(self.schema, name),
            printed: self.schema.printed(name),
        };
        self.at = at;
        self.placed(name.clone(), SmallVec::new(), callee, false)
    }

    /// Emits the arguments and indices of a chain and returns their registers. They are computed before the chain.
    fn arguments(&mut self, steps: &[Step]) -> Emit<Vec<Arguments>> {
        steps
            .iter()
            .map(|step| match &step.what {
                What::Field(_) => Ok(SmallVec::new()),
                What::Index(node) => Ok(SmallVec::from_slice(&[(self.operand(node)?, false)])),
                What::Method(method) => {
                    method.args.iter().map(|node| Ok((self.operand(node)?, is_new(node)))).collect()
                }
            })
            .collect()
    }

    /// Emits the root of a chain and returns its register.
    fn root(&mut self, root: &Root, changes: bool, back: &mut Vec<From>) -> Emit<Register> {
        Ok(match root {
            Root::Local(slot) => self.register(*slot),
            Root::This(at) => {
                self.this(*at);
                0
            }
            Root::Boxed(slot) => {
                let value = self.temporary()?;
                let at = self.register(*slot);
                self.push(Op::Unbox { to: value, from: at });
                back.push(From::Box { at, value });
                value
            }
            Root::Constant(value, _) => self.operand(&Node::Constant(*value))?,
            Root::Value(node) if changes => {
                let value = self.temporary()?;
                self.owned(node, value)?;
                value
            }
            Root::Value(node) => self.operand(node)?,
        })
    }

    /// Emits the value of a chain. The chain never reads `to`: the variable that gets the value has another register.
    pub(crate) fn chain(&mut self, chain: &Chain, to: Register) -> Emit {
        let args = self.arguments(&chain.steps)?;
        let mut back = Vec::new();
        let mut ends = Jumps::new();
        let changing = |step: &Step| matches!(&step.what, What::Method(method) if method.changes());
        let changes = chain.steps.iter().any(changing);
        let mut of = self.root(&chain.root, changes, &mut back)?;
        let constant = matches!(chain.root, Root::Value(Node::Local(_) | Node::Boxed(_)));
        let last_change = chain.steps.iter().rposition(changing).unwrap_or(0);
        for (number, (step, args)) in chain.steps.iter().zip(args).enumerate() {
            if step.maybe {
                ends.push(self.push(Op::JumpIfNothing { at: of, is: true, to: 0 }));
            }
            let last = number + 1 == chain.steps.len();
            let value = if last { to } else { self.temporary()? };
            match &step.what {
                What::Field(name) => {
                    let site = self.field(name, step.at)?;
                    self.push(match number < last_change {
                        true => Op::FieldOwn { to: value, of, site, add: false },
                        false => Op::Field { to: value, of, site },
                    });
                    back.push(From::Field { of, value, site, at: step.at });
                }
                What::Index(_) => {
                    let at = args.first().map_or(0, |(at, _)| *at);
                    self.at = step.at;
                    self.push(match number < last_change {
                        true => Op::IndexOwn { to: value, of, at, add: false },
                        false => Op::Index { to: value, of, at },
                    });
                    back.push(From::Index { of, at, value });
                }
                What::Method(method) => {
                    self.at = step.at;
                    if constant && number == 0 && !self.can_be_called(method, of)? {
                        break;
                    }
                    self.method(method, of, args, value)?;
                    self.put_back_after(method, &mut back);
                }
            }
            of = value;
        }
        if of != to {
            self.push(Op::Move { to, from: of });
        }
        if ends.is_empty() {
            return Ok(());
        }
        let end = self.push(Op::Jump { to: 0 });
        self.land(ends);
        self.push(Op::Nothing { to });
        self.land(vec![end]);
        Ok(())
    }

    fn method(&mut self, method: &Method, of: Register, args: Arguments, to: Register) -> Emit {
        let mut all = SmallVec::new();
        all.push((of, false));
        all.extend(args);
        match method.callee {
            Callee::Script { function, changes } | Callee::Prelude { function, changes } => {
                let prelude = matches!(method.callee, Callee::Prelude { .. });
                let function = u32::try_from(function).map_err(|_| TooLarge)?;
                let callee = Target::Function { function, changes, prelude };
                let site = self.placed(method.name.clone(), all, callee, true)?;
                self.push(Op::Method { to, site });
            }
            Callee::Plain { function } => {
                let function = u32::try_from(function).map_err(|_| TooLarge)?;
                let site = self.placed(method.name.clone(), all, Target::Plain(function), true)?;
                self.push(Op::Method { to, site });
            }
            Callee::Native { .. } => {
                let natives = self.named((&method.name, method.natives), all.len());
                let quick = Quick::of_method(method.natives, all.len(), &natives.all);
                let site = self.placed(method.name.clone(), all, Target::Native(natives), true)?;
                self.native(quick, to, site);
            }
            Callee::Call => {
                let site = self.placed(method.name.clone(), all, Target::Value, true)?;
                self.push(Op::CallValue { to, site });
            }
            Callee::Curry => {
                let site = self.placed(method.name.clone(), all, Target::Value, true)?;
                self.push(Op::Curry { to, site });
            }
        }
        Ok(())
    }

    /// Emits what refuses a method of a constant that would change it. Returns `false` if it always does.
    fn can_be_called(&mut self, method: &Method, of: Register) -> Emit<bool> {
        if !method.changes() || method.callee == Callee::Call {
            return Ok(true);
        }
        let fault = self.numbered(&Fault::Method(method.name.clone()))?;
        let is_native = matches!(method.callee, Callee::Native { .. });
        let kinds = method.natives.changed_kinds();
        self.push(if is_native { Op::Frozen { of, kinds, fault } } else { Op::Fault { fault } });
        Ok(is_native)
    }

    /// Emits the write-back of what a method has changed to its origins, which end here.
    fn put_back_after(&mut self, method: &Method, back: &mut Vec<From>) {
        if method.changes() {
            // As in Rhai, a function of the rules and a function value do not change a property as `this`.
            let on_copy = matches!(method.callee, Callee::Script { .. } | Callee::Call);
            self.put_back(back, back.len(), on_copy);
        }
        back.clear();
    }

    /// Emits the write-back of changed values to their origins.
    fn put_back(&mut self, back: &[From], quiet: usize, on_copy: bool) {
        let is_set = quiet < back.len();
        for (number, from) in back.iter().enumerate().rev() {
            let quiet = number < quiet;
            if let From::Field { at, .. } = from {
                self.at = *at;
            }
            self.push(match *from {
                From::Index { of, at, value } if quiet => Op::PutIndex { of, at, value, is_set, on_copy },
                From::Field { of, value, site, .. } if quiet => Op::PutField { of, value, is_set, site, on_copy },
                From::Index { of, at, value } => Op::SetIndex { of, at, value },
                From::Field { of, value, site, .. } => Op::SetField { of, value, site },
                From::Box { at, value } => Op::SetBox { at, from: value },
            });
        }
    }

    /// Emits an assignment to the target of a chain.
    pub(crate) fn set(&mut self, chain: &Chain, value: Register, operator: Option<Operator>, at: Position) -> Emit {
        let args = self.arguments(&chain.steps)?;
        let mut back = Vec::new();
        let mut ends = Jumps::new();
        let mut of = self.root(&chain.root, true, &mut back)?;
        for (number, (step, args)) in chain.steps.iter().zip(args).enumerate() {
            if step.maybe {
                ends.push(self.push(Op::JumpIfNothing { at: of, is: true, to: 0 }));
            }
            let last = number + 1 == chain.steps.len();
            let place = match &step.what {
                What::Field(name) => {
                    let site = self.field(name, step.at)?;
                    From::Field { of, value, site, at: step.at }
                }
                What::Index(_) => {
                    self.at = step.at;
                    From::Index { of, at: args.first().map_or(0, |(at, _)| *at), value }
                }
                What::Method(method) => {
                    let to = self.temporary()?;
                    self.at = step.at;
                    self.method(method, of, args, to)?;
                    self.put_back_after(method, &mut back);
                    of = to;
                    continue;
                }
            };
            let to = if last && operator.is_none() { value } else { self.temporary()? };
            if to != value {
                self.push(match place {
                    From::Field { of, site, .. } => Op::FieldOwn { to, of, site, add: last },
                    From::Index { of, at, .. } => Op::IndexOwn { to, of, at, add: last },
                    From::Box { .. } => Op::Nothing { to },
                });
            }
            if let Some(operator) = operator.filter(|_| last) {
                self.at = at;
                self.push(Op::Change { operator, at: to, by: value });
                self.at = step.at;
            }
            back.push(match place {
                From::Field { of, site, at, .. } => From::Field { of, value: to, site, at },
                From::Index { of, at, .. } => From::Index { of, at, value: to },
                place @ From::Box { .. } => place,
            });
            of = to;
        }
        self.put_back(&back, back.len().saturating_sub(1), false);
        self.land(ends);
        Ok(())
    }
}
