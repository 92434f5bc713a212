//! Turns the tree of a script into one for the machine: with registers for variables, and constants in the arena.
//!
//! The order of evaluation is Rhai's: the arguments and indices of a chain before its root, an assigned value before
//! its target, a variable that is the first argument of a call last.

use std::collections::BTreeMap;

use rhai::{Dynamic, ImmutableString, Module, Position};

use super::constants;
use super::tree::{Assign, AssignTarget, Captured, For, Node, Root, Slot};
use crate::layers::Layers;
use crate::script::{self, Closure, Declared, Function, Local, LocalId, Name, What};
use crate::values::{Arena, Callable, Span, VARIABLES, Val};
use crate::vm::{Fault, Operator, Places, Variables};
use referee_table::Schema;

/// An unsupported part of a script and its position.
pub(crate) struct Refused {
    pub(crate) what: String,
    pub(crate) at: Position,
}

/// A function as a tree.
pub(crate) struct Lowered {
    pub(crate) body: Node,
    /// The number of registers for variables. The parameters are the first, after `this` if it is used.
    pub(crate) slots: usize,
    pub(crate) this: bool,
    /// The parameters that closures share. The function boxes them at its start.
    pub(crate) boxed: Vec<Slot>,
    /// The variables at each call that may pause.
    pub(crate) variables: Vec<(Position, Variables)>,
}

/// A function of the machine: a function of the script, or a closure in one.
pub(crate) struct Unit<'t> {
    pub(crate) name: &'t ImmutableString,
    /// The parameters: first, for a closure, the names that it captures; `None` for one that is no variable.
    pub(crate) params: Vec<Option<LocalId>>,
    /// How many of them are captured.
    pub(crate) captured: usize,
    /// The variables of the whole function.
    locals: &'t [Local],
    pub(crate) body: &'t script::Node,
    pub(crate) this: bool,
    is_for_one_type: bool,
}

impl<'t> Unit<'t> {
    /// Returns the functions of the machine for a function of the script.
    pub(crate) fn all_of(function: &'t Function) -> Vec<Self> {
        let mut all = vec![Unit {
            name: &function.name,
            params: (0..function.parameters).map(Some).collect(),
            captured: 0,
            locals: &function.locals,
            body: &function.body,
            this: function.this,
            is_for_one_type: function.is_for_one_type,
        }];
        function.body.walk(&mut |node| {
            if let What::Closure(closure) = &node.what {
                all.push(Unit::of_closure(closure, &function.locals));
            }
        });
        all
    }

    fn of_closure(closure: &'t Closure, locals: &'t [Local]) -> Self {
        let captured = closure.captured.iter().map(|one| match one.name {
            Name::Local(local) => Some(local),
            _ => None,
        });
        Self {
            name: &closure.name,
            params: captured.chain(closure.params.iter().copied().map(Some)).collect(),
            captured: closure.captured.len(),
            locals,
            body: &closure.body,
            this: closure.this,
            is_for_one_type: false,
        }
    }
}

/// The inputs and the state of lowering.
pub(crate) struct Lowering<'l> {
    pub(crate) layers: &'l Layers,
    pub(crate) components: &'l Module,
    pub(crate) schema: &'l Schema,
    pub(crate) places: &'l Places,
    pub(crate) arena: &'l mut Arena,
    /// The strings that are already stored.
    pub(crate) texts: BTreeMap<ImmutableString, Val>,
    /// Whether the present function belongs to the prelude.
    pub(crate) prelude: bool,
}

/// Where a variable is kept.
#[derive(Clone, Copy)]
struct Variable {
    slot: Slot,
    boxed: bool,
    constant: bool,
}

/// The state of lowering for one function.
pub(crate) struct Body<'b, 'l> {
    pub(crate) with: &'b mut Lowering<'l>,
    locals: &'b [Local],
    /// The places of the variables that are declared so far.
    variables: Vec<Option<Variable>>,
    slots: usize,
    most: usize,
    this: bool,
    /// The variables at each call that may pause.
    noted: Vec<(Position, Variables)>,
    /// The number of lowered nodes that change a variable.
    pub(crate) changes: usize,
}

pub(crate) type Lower = Result<Node, Refused>;

impl Lowering<'_> {
    /// Lowers a function.
    pub(crate) fn function(&mut self, unit: &Unit<'_>) -> Result<Lowered, Refused> {
        let at = unit.body.at;
        if unit.is_for_one_type {
            return Err(Refused { what: "a function for only one type of `this`".to_owned(), at });
        }
        self.body(unit)
    }

    /// Lowers the body of a function.
    pub(crate) fn body(&mut self, unit: &Unit<'_>) -> Result<Lowered, Refused> {
        let this = unit.this;
        let mut body = Body {
            with: self,
            locals: unit.locals,
            variables: vec![None; unit.locals.len()],
            slots: usize::from(this),
            most: 0,
            this,
            noted: Vec::new(),
            changes: 0,
        };
        let mut boxed = Vec::new();
        for (number, param) in unit.params.iter().enumerate() {
            let slot = body.reserve(unit.body.at)?;
            let Some(local) = *param else { continue };
            let is_shared = body.place(local, slot);
            if number < unit.captured {
                // The enclosing function has already boxed it.
                if let Some(Some(variable)) = body.variables.get_mut(local) {
                    variable.boxed = true;
                }
            } else if is_shared {
                boxed.push(slot);
            }
        }
        let node = body.block(unit.body.statements())?;
        Ok(Lowered { body: node, slots: body.most.max(body.slots), this, boxed, variables: body.noted })
    }

    pub(crate) fn text(&mut self, text: &ImmutableString) -> Val {
        constants::text(text, self.arena, &mut self.texts)
    }

    /// Returns the first string with this name. Equal names then share one string, for which maps search by pointer.
    pub(crate) fn name(&mut self, name: &ImmutableString) -> ImmutableString {
        let value = self.text(name);
        self.arena.text_of(value).unwrap_or(name).clone()
    }

    /// Stores a constant of the script.
    pub(crate) fn constant(&mut self, value: &Dynamic) -> Val {
        let value = self.arena.of_dynamic(value.clone());
        self.share(value);
        value
    }

    /// Marks a constant as shared, so it is copied before a change.
    fn share(&mut self, value: Val) {
        self.arena.share(value);
    }

    /// Returns a function as a value.
    fn pointer(&mut self, name: &ImmutableString) -> Val {
        self.arena.functions(Callable { name: name.clone(), curry: Vec::new() })
    }
}

impl Body<'_, '_> {
    /// Returns a slot that no other variable in scope has.
    ///
    /// # Errors
    /// Returns an error if there are too many variables.
    fn reserve(&mut self, at: Position) -> Result<Slot, Refused> {
        let slot = u8::try_from(self.slots).ok().filter(|slot| usize::from(*slot) < VARIABLES);
        let Some(slot) = slot else {
            return Err(Refused { what: format!("a function with more than {VARIABLES} variables"), at });
        };
        self.slots += 1;
        self.most = self.most.max(self.slots);
        Ok(slot)
    }

    /// Gives a variable its slot. Returns whether closures share it.
    fn place(&mut self, local: LocalId, slot: Slot) -> bool {
        let declared = self.locals.get(local);
        let boxed = declared.is_some_and(|local| local.captured);
        let constant = declared.is_some_and(|local| local.how == Declared::Const);
        if let Some(place) = self.variables.get_mut(local) {
            *place = Some(Variable { slot, boxed, constant });
        }
        boxed
    }

    /// Notes which variables there are at a call that may pause.
    pub(crate) fn note_variables(&mut self, at: Position) {
        let mut all = vec![None; self.slots];
        // A slot that had other variables before has the one that was declared last.
        for (local, variable) in self.variables.iter().enumerate() {
            if let Some(variable) = variable
                && let Some(place) = all.get_mut(usize::from(variable.slot))
            {
                *place = (!variable.boxed).then_some(local);
            }
        }
        self.noted.push((at, all));
    }

    fn variable(&self, local: LocalId) -> Option<Variable> {
        self.variables.get(local).copied().flatten()
    }

    /// Runs `work` in a new scope.
    fn scoped<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, Refused>) -> Result<T, Refused> {
        let slots = self.slots;
        let done = work(self);
        self.slots = slots;
        done
    }

    pub(crate) fn block(&mut self, statements: &[script::Node]) -> Lower {
        self.scoped(|body| {
            let mut nodes = Vec::with_capacity(statements.len());
            for statement in statements {
                nodes.push(body.expression(statement)?);
            }
            // A block around a variable yields a value that later changes of the variable do not affect.
            if matches!(nodes.as_slice(), [node] if !matches!(node, Node::Local(_) | Node::This(_) | Node::Boxed(_))) {
                return Ok(nodes.pop().unwrap_or(Node::Constant(Val::Nothing)));
            }
            Ok(Node::Block(nodes))
        })
    }

    fn boxed(&mut self, value: Option<&script::Node>) -> Result<Option<Box<Node>>, Refused> {
        value.map(|value| self.expression(value).map(Box::new)).transpose()
    }

    pub(crate) fn expression(&mut self, node: &script::Node) -> Lower {
        let at = node.at;
        Ok(match &node.what {
            What::Nothing => Node::Constant(Val::Nothing),
            What::Number(number) => Node::Constant(Val::Number(*number)),
            What::Truth(truth) => Node::Constant(Val::Truth(*truth)),
            What::Letter(letter) => Node::Constant(Val::Letter(*letter)),
            What::Text(text) => Node::Constant(self.with.text(text)),
            What::Constant(value) => match Span::of(value) {
                Some(span) => Node::Constant(self.with.arena.ranges(span)),
                None => Node::Constant(self.with.constant(value)),
            },
            What::Name(name) => self.name(name, at),
            What::This if !self.this => Node::Fault(Fault::NoThis, at),
            What::This => Node::This(at),
            What::Interpolated(parts) => {
                let nodes: Result<Vec<_>, Refused> =
                    parts.iter().map(|part| Ok((self.expression(part)?, part.at))).collect();
                Node::Text(nodes?, at)
            }
            What::List(parts) => Node::List(self.all(parts, false)?, at),
            What::Map(pairs) => {
                let nodes = self.all(pairs.iter().map(|(_, value)| value), false)?;
                let names = pairs.iter().map(|(key, _)| self.with.name(&key.name));
                Node::Map(names.zip(nodes).collect(), at)
            }
            What::And(parts) => Node::Logic { all: true, parts: self.truths(parts)? },
            What::Or(parts) => Node::Logic { all: false, parts: self.truths(parts)? },
            What::Coalesce(parts) => {
                let nodes: Result<Vec<Node>, Refused> = parts.iter().map(|part| self.expression(part)).collect();
                Node::Coalesce(nodes?)
            }
            What::Operator(sign, parts) => self.operation(sign, parts, at)?,
            What::Call(call) if !call.method => self.call(call, at)?,
            What::Call(_) | What::Field { .. } | What::Index { .. } => self.chain(node)?,
            What::Closure(closure) => self.closure(closure),
            What::Block(statements) => self.block(statements)?,
            What::Let { local, value } => {
                // The slot is reserved first, so variables in the value's expression get other slots.
                let slot = self.reserve(at)?;
                let value = Box::new(self.expression(value)?);
                let boxed = self.place(*local, slot);
                Node::Let { slot, boxed, value }
            }
            What::Assign(assign) => self.assignment(assign, at)?,
            What::If(parts) => {
                let [condition, then, other] = &**parts;
                let condition = self.condition(condition)?;
                Node::If(Box::new([condition, self.block(then.statements())?, self.block(other.statements())?]))
            }
            What::Switch(switch) => self.switch(switch, at)?,
            What::While { condition, body } => {
                let condition = condition.as_ref().filter(|condition| !matches!(condition.what, What::Truth(true)));
                let condition = condition.map(|condition| self.condition(condition)).transpose()?;
                let body = Box::new(self.block(body.statements())?);
                Node::Loop { condition: condition.map(|node| (Box::new(node), true)), first: true, body, at }
            }
            What::Do { body, condition, until } => {
                let body = Box::new(self.block(body.statements())?);
                let condition = Box::new(self.condition(condition)?);
                Node::Loop { condition: Some((condition, !until)), first: false, body, at }
            }
            What::For(parts) => self.for_loop(parts, at)?,
            What::Break(value) => Node::Break(self.boxed(value.as_deref())?),
            What::Continue => Node::Continue,
            What::Return(value) => Node::Return(self.boxed(value.as_deref())?),
            What::Throw(value) => Node::Throw(self.boxed(value.as_deref())?, at),
            What::Try(parts) => {
                let body = Box::new(self.block(parts.body.statements())?);
                self.scoped(|within| {
                    let slot = parts.caught.map(|caught| within.begun(caught, at)).transpose()?;
                    let caught = Box::new(within.block(parts.handler.statements())?);
                    Ok(Node::Try { body, slot, caught })
                })?
            }
            What::Run(point) => Node::Cover(*point),
            What::Outcome(point, of) => Node::Outcome(*point, Box::new(self.expression(of)?)),
            What::Strange(what) => return Err(Refused { what: (*what).to_owned(), at }),
        })
    }

    fn for_loop(&mut self, parts: &script::For, at: Position) -> Lower {
        let over = self.expression(&parts.over)?;
        let at_list = parts.over.place();
        self.scoped(|body| {
            let counter = parts.counter.map(|counter| body.begun(counter, at)).transpose()?;
            let (slot, boxed) = body.begun(parts.local, at)?;
            let ends = parts.ends;
            let body = body.block(parts.body.statements())?;
            Ok(Node::For(Box::new(For { slot, boxed, counter, over, body, at: at_list, ends })))
        })
    }

    /// Declares a variable that a loop or a `catch` sets.
    fn begun(&mut self, local: LocalId, at: Position) -> Result<(Slot, bool), Refused> {
        let slot = self.reserve(at)?;
        Ok((slot, self.place(local, slot)))
    }

    fn condition(&mut self, condition: &script::Node) -> Lower {
        Ok(Node::Logic { all: true, parts: vec![(self.expression(condition)?, condition.at)] })
    }

    fn assignment(&mut self, assign: &script::Assign, at: Position) -> Lower {
        let operator = match assign.sign {
            None => None,
            Some(sign) => match Operator::of(sign, 2) {
                Some(operator) => Some(operator),
                None => return Err(Refused { what: format!("`{sign}=`"), at }),
            },
        };
        let value = self.expression(&assign.value)?;
        let place = assign.to.place();
        let to = match &assign.to.what {
            What::Name(Name::Local(local)) => match self.variable(*local) {
                Some(Variable { constant: true, .. }) => AssignTarget::Fault(Fault::Constant(self.written(*local))),
                Some(Variable { slot, boxed: true, .. }) => AssignTarget::Boxed(slot),
                Some(Variable { slot, .. }) => AssignTarget::Local(slot),
                None => AssignTarget::Fault(Fault::Unknown(self.written(*local))),
            },
            What::Name(Name::Constant(name) | Name::Component(name)) => {
                AssignTarget::Fault(Fault::Constant(name.clone()))
            }
            What::Name(Name::Function(name) | Name::Unknown(name)) => AssignTarget::Fault(Fault::Unknown(name.clone())),
            What::This if self.this => AssignTarget::This(assign.to.at),
            What::This => AssignTarget::Fault(Fault::NoThis),
            What::Field { .. } | What::Index { .. } | What::Call(script::Call { method: true, .. }) => {
                let Node::Chain(chain) = self.chain(&assign.to)? else {
                    return Err(Refused { what: "an assignment to this".to_owned(), at });
                };
                match &chain.root {
                    Root::Constant(Val::List(_) | Val::Map(_) | Val::Text(_), name) => {
                        AssignTarget::Fault(Fault::Constant(name.clone()))
                    }
                    _ => AssignTarget::Chain(*chain),
                }
            }
            _ => return Err(Refused { what: "an assignment to this".to_owned(), at }),
        };
        let at = if matches!(to, AssignTarget::Fault(_)) { place } else { at };
        self.changes += 1;
        Ok(Node::Assign(Box::new(Assign { value, operator, at, to })))
    }

    /// Returns the name of a variable.
    fn written(&self, local: LocalId) -> ImmutableString {
        self.locals.get(local).map(|local| local.name.clone()).unwrap_or_default()
    }

    /// Returns a constant of the rules, or a component of the game.
    fn outside(&mut self, name: &str) -> Option<Val> {
        let value = self.with.layers.constants.get(name).map(|constant| constant.value.clone());
        let value = value.or_else(|| self.with.components.get_var(name))?;
        Some(self.with.constant(&value))
    }

    fn truths(&mut self, parts: &[script::Node]) -> Result<Vec<(Node, Position)>, Refused> {
        parts.iter().map(|part| Ok((self.expression(part)?, part.at))).collect()
    }

    fn name(&mut self, name: &Name, at: Position) -> Node {
        match name {
            Name::Local(local) => match self.variable(*local) {
                Some(Variable { slot, boxed: true, .. }) => Node::Boxed(slot),
                Some(Variable { slot, .. }) => Node::Local(slot),
                None => Node::Fault(Fault::Unknown(self.written(*local)), at),
            },
            Name::Constant(name) | Name::Component(name) => match self.outside(name) {
                Some(value) => Node::Constant(value),
                None => Node::Fault(Fault::Unknown(name.clone()), at),
            },
            Name::Function(name) => {
                let function = self.with.pointer(name);
                self.with.share(function);
                Node::Constant(function)
            }
            // It may be a function of the prelude.
            Name::Unknown(name) if self.with.places.has(name) => Node::Constant(self.with.pointer(name)),
            Name::Unknown(name) => Node::Fault(Fault::Unknown(name.clone()), at),
        }
    }

    /// Lowers the root of a chain: a variable, a constant or another value.
    pub(crate) fn root(&mut self, node: &script::Node) -> Result<Root, Refused> {
        Ok(match &node.what {
            What::Name(Name::Local(local)) => match self.variable(*local) {
                Some(Variable { constant: true, .. }) | None => Root::Value(self.expression(node)?),
                Some(Variable { slot, boxed: true, .. }) => Root::Boxed(slot),
                Some(Variable { slot, .. }) => Root::Local(slot),
            },
            What::Name(Name::Constant(name) | Name::Component(name)) => match self.outside(name) {
                Some(value) => Root::Constant(value, name.clone()),
                None => Root::Value(self.expression(node)?),
            },
            What::This if self.this => Root::This(node.at),
            _ => Root::Value(self.expression(node)?),
        })
    }

    /// Lowers consecutive values. A change by one of them does not affect those before it, except a variable that is
    /// the first argument of a call, which is read last.
    pub(crate) fn all<'n>(
        &mut self,
        parts: impl IntoIterator<Item = &'n script::Node>,
        call: bool,
    ) -> Result<Vec<Node>, Refused> {
        let mut nodes = Vec::new();
        let mut changes = Vec::new();
        for part in parts {
            nodes.push(self.expression(part)?);
            changes.push(self.changes);
        }
        for (number, (node, changed)) in nodes.iter_mut().zip(changes).enumerate() {
            let late = call && number == 0 && !matches!(node, Node::Chain(_));
            if matches!(node, Node::Local(_) | Node::This(_) | Node::Chain(_)) && changed != self.changes && !late {
                let value = std::mem::replace(node, Node::Constant(Val::Nothing));
                *node = Node::Block(vec![value]);
            }
        }
        Ok(nodes)
    }

    /// Lowers a closure with the variables that it shares.
    fn closure(&mut self, closure: &Closure) -> Node {
        let function = self.with.pointer(&closure.name);
        if closure.captured.is_empty() {
            self.with.share(function);
            return Node::Constant(function);
        }
        let mut shared = Vec::new();
        for captured in &closure.captured {
            let known = match &captured.name {
                Name::Local(local) => self.variable(*local).map(|variable| Captured::Variable(variable.slot)),
                Name::Constant(name) | Name::Component(name) => self.outside(name).map(Captured::Constant),
                Name::Function(_) | Name::Unknown(_) => None,
            };
            match known {
                Some(known) => shared.push(known),
                None => return Node::Fault(Fault::Unknown(captured.written.clone()), captured.at),
            }
        }
        Node::Closure { function, shared }
    }
}
