//! Turns Rhai's syntax tree into one with every name resolved.
//!
//! The order of evaluation is Rhai's: the arguments and indices of a chain before its root, an assigned value before
//! its target, a variable that is the first argument of a call last.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{AST, ASTFlags, ASTNode, Dynamic, Expr, FlowControl, FnPtr, ImmutableString, Module, Position, Stmt};

use super::constants;
use super::points::{Counting, after, ends_the_game};
use super::tree::{Assign, AssignTarget, Captured, For, Node, Root, Slot};
use crate::rules::layers::{Definition, Layers, closure_call, function_value, walk, walk_all};
use crate::rules::values::{Arena, Callable, Span, VARIABLES, Val};
use crate::rules::vm::{Fault, Operator, Places, PointKind};
use crate::table::Schema;

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
}

/// The inputs and the state of lowering.
pub(crate) struct Lowering<'l> {
    pub(crate) layers: &'l Layers,
    pub(crate) components: &'l Module,
    pub(crate) schema: &'l Schema,
    pub(crate) places: &'l Places,
    pub(crate) arena: &'l mut Arena,
    /// The number of variables that each closure shares, by its name.
    pub(crate) captured: BTreeMap<String, usize>,
    /// The strings that are already stored.
    pub(crate) texts: BTreeMap<ImmutableString, Val>,
    /// Whether the present function belongs to the prelude.
    pub(crate) prelude: bool,
    pub(crate) points: Counting,
}

/// A variable in scope.
struct Variable {
    name: String,
    slot: Slot,
    boxed: bool,
    constant: bool,
}

/// The state of lowering for one function.
pub(crate) struct Body<'b, 'l> {
    pub(crate) with: &'b mut Lowering<'l>,
    variables: Vec<Variable>,
    slots: usize,
    most: usize,
    /// The names of the variables that closures share.
    shared: BTreeSet<String>,
    this: bool,
    /// The number of lowered nodes that change a variable.
    pub(crate) changes: usize,
}

pub(crate) type Lower = Result<Node, Refused>;

/// Facts about a function's body that are needed before it is lowered.
#[derive(Default)]
pub(crate) struct Survey {
    /// The number of variables that each closure in it shares.
    pub(crate) captured: BTreeMap<String, usize>,
    shared: BTreeSet<String>,
    this: bool,
}

impl Survey {
    pub(crate) fn of(ast: &AST) -> Self {
        let mut survey = Self::default();
        walk_all(ast, &mut |node| survey.look(node));
        survey
    }

    pub(crate) fn of_function(def: &Definition) -> Self {
        let mut survey = Self::default();
        walk(def, |node| survey.look(node));
        survey
    }

    fn look(&mut self, node: &ASTNode<'_>) {
        match node {
            ASTNode::Stmt(Stmt::Share(names)) => {
                self.shared.extend(names.iter().map(|(name, _)| name.name.to_string()));
            }
            ASTNode::Expr(Expr::ThisPtr(_)) => self.this = true,
            ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)) => {
                if let Some((Expr::DynamicConstant(value, _), rest)) = call.args.split_first()
                    && call.name == "curry"
                    && let Some(function) = value.read_lock::<FnPtr>()
                {
                    self.captured.insert(function.fn_name().to_owned(), rest.len());
                }
            }
            _ => {}
        }
    }

    pub(crate) const fn uses_this(&self) -> bool {
        self.this
    }
}

impl<'l> Lowering<'l> {
    /// Lowers a function.
    pub(crate) fn function(&mut self, def: &Definition, survey: Survey) -> Result<Lowered, Refused> {
        if def.this_type.is_some() {
            let at = def.body.start_position();
            return Err(Refused { what: "a function for only one type of `this`".to_owned(), at });
        }
        let shares = self.captured.get(def.name.as_str()).copied().unwrap_or(0);
        let at = def.body.start_position();
        let call = self.points.call_point(def);
        let lowered = self.body(survey, &def.params, shares, def.statements(), at)?;
        Ok(Lowered { body: after(call, lowered.body), ..lowered })
    }

    /// Lowers statements as a function with these parameters.
    pub(crate) fn body(
        &mut self,
        survey: Survey,
        params: &[ImmutableString],
        shares: usize,
        statements: &[Stmt],
        at: Position,
    ) -> Result<Lowered, Refused> {
        let this = survey.this;
        let mut body = Body {
            with: self,
            variables: Vec::new(),
            slots: usize::from(this),
            most: 0,
            shared: survey.shared,
            this,
            changes: 0,
        };
        let mut boxed = Vec::new();
        for (number, param) in params.iter().enumerate() {
            let slot = body.declare(param, false, at)?;
            if number < shares {
                // The enclosing function has already boxed it.
                body.variables.last_mut().into_iter().for_each(|variable| variable.boxed = true);
            } else if body.variables.last().is_some_and(|variable| variable.boxed) {
                boxed.push(slot);
            }
        }
        let node = body.block(statements)?;
        Ok(Lowered { body: node, slots: body.most.max(body.slots), this, boxed })
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
    pub(crate) fn constant(&mut self, value: &rhai::Dynamic) -> Val {
        let value = self.arena.of_dynamic(value.clone());
        self.share(value);
        value
    }

    /// Marks a constant as shared, so it is copied before a change.
    fn share(&mut self, value: Val) {
        self.arena.share(value);
    }
}

impl Body<'_, '_> {
    fn declare(&mut self, name: &str, constant: bool, at: Position) -> Result<Slot, Refused> {
        let slot = self.reserve(at)?;
        self.name_slot(slot, name, constant);
        Ok(slot)
    }

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

    /// Adds a variable with this name to the scope. Returns whether closures share it.
    fn name_slot(&mut self, slot: Slot, name: &str, constant: bool) -> bool {
        let boxed = self.shared.contains(name);
        self.variables.push(Variable { name: name.to_owned(), slot, boxed, constant });
        boxed
    }

    fn variable(&self, name: &str) -> Option<&Variable> {
        self.variables.iter().rev().find(|variable| variable.name == name)
    }

    /// Runs `work` in a new scope.
    fn scoped<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, Refused>) -> Result<T, Refused> {
        let (outside, slots) = (self.variables.len(), self.slots);
        let done = work(self);
        self.variables.truncate(outside);
        self.slots = slots;
        done
    }

    pub(crate) fn block(&mut self, statements: &[Stmt]) -> Lower {
        self.scoped(|body| {
            let mut nodes = Vec::with_capacity(statements.len());
            let end = statements.iter().position(ends_the_game).map_or(statements.len(), |at| at + 1);
            let (run, never) = statements.split_at_checked(end).unwrap_or((statements, &[]));
            for statement in run {
                nodes.extend(body.with.points.statement_point(statement).map(Node::Cover));
                nodes.push(body.statement(statement)?);
            }
            // What follows the end of the game never runs: the check says so, and there is nothing to count.
            let points = body.with.points.0.take_if(|_| !never.is_empty());
            let lowered = never.iter().map(|statement| body.statement(statement)).collect::<Result<Vec<_>, _>>();
            if !never.is_empty() {
                body.with.points.0 = points;
            }
            nodes.extend(lowered?);
            // A block around a variable yields a value that later changes of the variable do not affect.
            if matches!(nodes.as_slice(), [node] if !matches!(node, Node::Local(_) | Node::This(_) | Node::Boxed(_))) {
                return Ok(nodes.pop().unwrap_or(Node::Constant(Val::Nothing)));
            }
            Ok(Node::Block(nodes))
        })
    }

    fn statement(&mut self, statement: &Stmt) -> Lower {
        match statement {
            Stmt::Noop(_) | Stmt::Share(_) => Ok(Node::Constant(Val::Nothing)),
            Stmt::Expr(expr) => self.expression(expr),
            Stmt::FnCall(call, position) => self.call(call, *position),
            Stmt::Block(block) => self.block(block.statements()),
            Stmt::If(flow, _) => {
                let condition = self.condition(&flow.expr)?;
                let (then, other) = (self.block(flow.body.statements())?, self.block(flow.branch.statements())?);
                Ok(Node::If(Box::new([condition, then, other])))
            }
            Stmt::Var(var, flags, at) => {
                // The slot is reserved first, so variables in the value's expression get other slots.
                let slot = self.reserve(*at)?;
                let value = Box::new(self.expression(&var.1)?);
                let boxed = self.name_slot(slot, &var.0.name, flags.intersects(ASTFlags::CONSTANT));
                Ok(Node::Let { slot, boxed, value })
            }
            Stmt::Return(value, flags, at) => {
                let value = value.as_ref().map(|value| self.expression(value).map(Box::new)).transpose()?;
                match flags.intersects(ASTFlags::BREAK) {
                    true => Ok(Node::Throw(value, *at)),
                    false => Ok(Node::Return(value)),
                }
            }
            Stmt::BreakLoop(value, flags, _) => {
                let value = value.as_ref().map(|value| self.expression(value).map(Box::new)).transpose()?;
                Ok(if flags.intersects(ASTFlags::BREAK) { Node::Break(value) } else { Node::Continue })
            }
            Stmt::Assignment(parts) => {
                let sign = parts.0.get_op_assignment_info().map(|(.., sign)| sign);
                self.assignment(sign, &parts.1.lhs, &parts.1.rhs, parts.0.position())
            }
            Stmt::For(parts, at) => {
                let (variable, counter, flow) = &**parts;
                self.for_loop(&variable.name, counter.as_ref().map(|counter| counter.name.as_str()), flow, *at)
            }
            Stmt::While(flow, at) => {
                let forever = matches!(flow.expr, Expr::Unit(_) | Expr::BoolConstant(true, _));
                let condition = if forever { None } else { Some((Box::new(self.condition(&flow.expr)?), true)) };
                let body = Box::new(self.block(flow.body.statements())?);
                Ok(Node::Loop { condition, first: true, body, at: *at })
            }
            Stmt::Do(flow, flags, at) => {
                let body = Box::new(self.block(flow.body.statements())?);
                let condition = Box::new(self.condition(&flow.expr)?);
                let wanted = !flags.intersects(ASTFlags::NEGATED);
                Ok(Node::Loop { condition: Some((condition, wanted)), first: false, body, at: *at })
            }
            Stmt::Switch(parts, at) => self.switch(&parts.0, &parts.1, *at),
            Stmt::TryCatch(flow, at) => self.catching(flow, *at),
            other => Err(Refused { what: "this statement".to_owned(), at: other.position() }),
        }
    }

    fn for_loop(&mut self, variable: &str, counter: Option<&str>, flow: &FlowControl, at: Position) -> Lower {
        let over = self.expression(&flow.expr)?;
        let at_list = flow.expr.start_position();
        self.scoped(|body| {
            let counter = counter.map(|counter| body.begun(counter, at)).transpose()?;
            let (slot, boxed) = body.begun(variable, at)?;
            let round = body.with.points.point(PointKind::Round, at);
            let ends = body.with.points.point(PointKind::LoopEnd, at);
            let rounds = body.block(flow.body.statements())?;
            let body = after(round, rounds);
            Ok(Node::For(Box::new(For { slot, boxed, counter, over, body, at: at_list, ends })))
        })
    }

    fn catching(&mut self, flow: &FlowControl, at: Position) -> Lower {
        let body = Box::new(self.block(flow.body.statements())?);
        self.scoped(|within| {
            let slot = match &flow.expr {
                Expr::Variable(name, ..) => Some(within.begun(&name.1, at)?),
                _ => None,
            };
            let caught = Box::new(within.block(flow.branch.statements())?);
            Ok(Node::Try { body, slot, caught })
        })
    }

    /// Declares a variable that a loop or a `catch` sets.
    fn begun(&mut self, name: &str, at: Position) -> Result<(Slot, bool), Refused> {
        let slot = self.declare(name, false, at)?;
        Ok((slot, self.variables.last().is_some_and(|variable| variable.boxed)))
    }

    fn condition(&mut self, expr: &Expr) -> Lower {
        let node = self.expression(expr)?;
        // The parts of `&&` and `||` are counted each.
        let counted = match node {
            Node::Logic { .. } => node,
            node => self.with.points.counted(node, expr),
        };
        Ok(Node::Logic { all: true, parts: vec![(counted, expr.position())] })
    }

    fn assignment(&mut self, sign: Option<&str>, to: &Expr, value: &Expr, at: Position) -> Lower {
        let operator = match sign {
            None => None,
            Some(sign) => match Operator::of(sign, 2) {
                Some(operator) => Some(operator),
                None => return Err(Refused { what: format!("`{sign}=`"), at }),
            },
        };
        let value = self.expression(value)?;
        let place = to.start_position();
        let to = match to {
            Expr::Variable(name, ..) => {
                match self.variable(&name.1).map(|found| (found.slot, found.boxed, found.constant)) {
                    Some((.., true)) => AssignTarget::Fault(Fault::Constant(name.1.clone())),
                    Some((slot, true, _)) => AssignTarget::Boxed(slot),
                    Some((slot, ..)) => AssignTarget::Local(slot),
                    None if self.outside(&name.1).is_some() => AssignTarget::Fault(Fault::Constant(name.1.clone())),
                    None => AssignTarget::Fault(Fault::Unknown(name.1.clone())),
                }
            }
            Expr::ThisPtr(at) if self.this => AssignTarget::This(*at),
            Expr::ThisPtr(_) => AssignTarget::Fault(Fault::NoThis),
            Expr::Dot(..) | Expr::Index(..) => {
                let Node::Chain(chain) = self.chain(to)? else {
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

    /// Returns a constant of the rules, or a component of the game.
    fn outside(&mut self, name: &str) -> Option<Val> {
        let value = self.with.layers.constants.get(name).map(|constant| constant.value.clone());
        let value = value.or_else(|| self.with.components.get_var(name))?;
        Some(self.with.constant(&value))
    }

    pub(crate) fn expression(&mut self, expr: &Expr) -> Lower {
        Ok(match expr {
            Expr::DynamicConstant(value, _) => match Span::of(value) {
                Some(span) => Node::Constant(self.with.arena.ranges(span)),
                None => Node::Constant(self.with.constant(value)),
            },
            Expr::BoolConstant(truth, _) => Node::Constant(Val::Truth(*truth)),
            Expr::IntegerConstant(number, _) => Node::Constant(Val::Number(*number)),
            Expr::CharConstant(letter, _) => Node::Constant(Val::Letter(*letter)),
            Expr::StringConstant(text, _) => Node::Constant(self.with.text(text)),
            Expr::Unit(_) => Node::Constant(Val::Nothing),
            Expr::InterpolatedString(parts, at) => {
                let nodes: Result<Vec<_>, Refused> =
                    parts.iter().map(|part| Ok((self.expression(part)?, part.position()))).collect();
                Node::Text(nodes?, *at)
            }
            Expr::Variable(name, _, at) => self.name(&name.1, *at),
            Expr::ThisPtr(at) if !self.this => Node::Fault(Fault::NoThis, *at),
            Expr::ThisPtr(at) => Node::This(*at),
            Expr::Stmt(block) => self.closure_or_block(block.statements())?,
            Expr::FnCall(call, position) => match function_value(expr).and_then(|name| FnPtr::new(name).ok()) {
                Some(function) => Node::Constant(self.with.constant(&Dynamic::from(function))),
                None => self.call(call, *position)?,
            },
            Expr::Dot(..) | Expr::Index(..) => self.chain(expr)?,
            Expr::Array(parts, at) => Node::List(self.all(parts, false)?, *at),
            Expr::Map(parts, at) => {
                let values: Vec<Expr> = parts.0.iter().map(|(_, value)| value.clone()).collect();
                let nodes = self.all(&values, false)?;
                let names = parts.0.iter().map(|(name, _)| self.with.name(&name.name.as_str().into()));
                Node::Map(names.zip(nodes).collect(), *at)
            }
            Expr::And(parts, _) => Node::Logic { all: true, parts: self.truths(parts)? },
            Expr::Or(parts, _) => Node::Logic { all: false, parts: self.truths(parts)? },
            Expr::Coalesce(parts, _) => {
                let nodes: Result<Vec<Node>, Refused> = parts.iter().map(|part| self.expression(part)).collect();
                Node::Coalesce(nodes?)
            }
            other => return Err(Refused { what: "this expression".to_owned(), at: other.position() }),
        })
    }

    fn truths(&mut self, parts: &[Expr]) -> Result<Vec<(Node, Position)>, Refused> {
        let counted = |part| {
            let node = self.expression(part)?;
            Ok((self.with.points.counted(node, part), part.position()))
        };
        parts.iter().map(counted).collect()
    }

    fn name(&mut self, name: &ImmutableString, at: Position) -> Node {
        match self.variable(name) {
            Some(Variable { slot, boxed: true, .. }) => return Node::Boxed(*slot),
            Some(Variable { slot, .. }) => return Node::Local(*slot),
            None => {}
        }
        if let Some(value) = self.outside(name) {
            return Node::Constant(value);
        }
        if self.with.places.has(name) {
            return Node::Constant(self.pointer(name));
        }
        Node::Fault(Fault::Unknown(name.clone()), at)
    }

    /// Returns a function as a value.
    fn pointer(&mut self, name: &ImmutableString) -> Val {
        self.with.arena.functions(Callable { name: name.clone(), curry: Vec::new() })
    }

    /// Lowers the root of a chain: a variable, a constant or another value.
    pub(crate) fn root(&mut self, expr: &Expr) -> Result<Root, Refused> {
        Ok(match expr {
            Expr::Variable(name, ..) => match self.variable(&name.1) {
                Some(Variable { slot, constant: true, boxed, .. }) => {
                    let node = if *boxed { Node::Boxed(*slot) } else { Node::Local(*slot) };
                    Root::Value(node)
                }
                Some(Variable { slot, boxed: true, .. }) => Root::Boxed(*slot),
                Some(Variable { slot, .. }) => Root::Local(*slot),
                None => match self.outside(&name.1) {
                    Some(value) => Root::Constant(value, name.1.clone()),
                    None => Root::Value(self.expression(expr)?),
                },
            },
            Expr::ThisPtr(at) if self.this => Root::This(*at),
            _ => Root::Value(self.expression(expr)?),
        })
    }

    /// Lowers consecutive values. A change by one of them does not affect those before it, except a variable that is
    /// the first argument of a call, which is read last.
    pub(crate) fn all(&mut self, parts: &[Expr], call: bool) -> Result<Vec<Node>, Refused> {
        let mut nodes = Vec::with_capacity(parts.len());
        let mut changes = Vec::with_capacity(parts.len());
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

    /// Lowers a block, or a closure that shares variables, for which Rhai makes a special block.
    fn closure_or_block(&mut self, statements: &[Stmt]) -> Lower {
        if let Some(call) = closure_call(statements)
            && let Some((Expr::DynamicConstant(value, _), rest)) = call.args.split_first()
        {
            let function = self.with.arena.of_dynamic((**value).clone());
            let mut shared = Vec::new();
            for captured in rest {
                shared.push(match captured {
                    Expr::Variable(name, _, at) => match self.variable(&name.1).map(|variable| variable.slot) {
                        Some(slot) => Captured::Variable(slot),
                        None => match self.outside(&name.1) {
                            Some(value) => Captured::Constant(value),
                            None => return Ok(Node::Fault(Fault::Unknown(name.1.clone()), *at)),
                        },
                    },
                    constant => match self.expression(constant)? {
                        Node::Constant(value) => Captured::Constant(value),
                        _ => {
                            let what = "a closure that captures this".to_owned();
                            return Err(Refused { what, at: constant.position() });
                        }
                    },
                });
            }
            return Ok(Node::Closure { function, shared });
        }
        self.block(statements)
    }
}
