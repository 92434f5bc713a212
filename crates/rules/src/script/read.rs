//! Reads Rhai's syntax trees, and resolves their names.

use rhai::{ASTFlags, Expr, FlowControl, FnCallExpr, FnPtr, ImmutableString, Position, Stmt, SwitchCasesCollection};

use super::tree::{
    Assign, Call, Captured, Case, Closure, Declared, For, Function, Key, Local, LocalId, Name, Node, Switch, Target,
    Try, Way, What,
};
use crate::layers::{Definition, closure_call};
use crate::natives::Named;
use crate::values::Kind;

/// What names outside of functions stand for.
pub(crate) trait Outside {
    /// Returns what a name stands for that no variable has.
    fn name(&self, name: &ImmutableString) -> Name;
    /// Returns what a call with this name, which natives have, and number of arguments in its brackets calls.
    fn target(&self, named: (&str, Named), in_brackets: usize, method: bool) -> Target;
    /// Returns the function that Rhai made of a closure.
    fn closure(&self, name: &str) -> Option<Definition>;
    /// Returns the places of the parameters of the function with the body at a place, or of the closure there. Rhai has
    /// none.
    fn parameters(&self, at: Position) -> Vec<Position>;
}

/// Reads one function.
struct Reader<'r> {
    outside: &'r dyn Outside,
    locals: Vec<Local>,
    /// The variables that are visible, the innermost last.
    scope: Vec<LocalId>,
    this: bool,
}

/// Reads a function of a layer.
pub(crate) fn function(outside: &dyn Outside, def: &Definition, layer: usize) -> Function {
    let at = def.body.start_position();
    let mut reader = Reader { outside, locals: Vec::new(), scope: Vec::new(), this: false };
    let places = outside.parameters(at);
    for (number, name) in def.params.iter().enumerate() {
        reader.declare(name, places.get(number).copied().unwrap_or(at), Declared::Parameter);
    }
    let body = reader.block(def.statements(), at);
    let function = reader.done(def.name.clone(), def.params.len(), body, layer);
    Function { is_for_one_type: def.this_type.is_some(), ..function }
}

/// Reads an expression that may use these names from outside of scripts, with values of these kinds.
pub(crate) fn expression(outside: &dyn Outside, statements: &[Stmt], names: &[(ImmutableString, Kind)]) -> Function {
    let at = statements.first().map_or(Position::NONE, Stmt::position);
    let mut reader = Reader { outside, locals: Vec::new(), scope: Vec::new(), this: false };
    names.iter().for_each(|(name, _)| reader.declare(name, at, Declared::Given));
    reader.locals.iter_mut().zip(names).for_each(|(local, (_, kind))| local.kind = kind.clone());
    let body = reader.block(statements, at);
    reader.done(ImmutableString::new(), names.len(), body, 0)
}

/// Reads a single value in the same way.
pub(crate) fn value(outside: &dyn Outside, value: &Expr) -> Function {
    let mut reader = Reader { outside, locals: Vec::new(), scope: Vec::new(), this: false };
    let body = reader.expression(value);
    reader.done(ImmutableString::new(), 0, body, 0)
}

impl Reader<'_> {
    fn done(self, name: ImmutableString, parameters: usize, body: Node, layer: usize) -> Function {
        Function {
            name,
            parameters,
            locals: self.locals,
            body,
            result: Kind::ANY,
            layer,
            this: self.this,
            receiver: Kind::ANY,
            is_for_one_type: false,
        }
    }

    fn declare(&mut self, name: &ImmutableString, at: Position, how: Declared) {
        let local = self.add(name, at, how);
        self.scope.push(local);
    }

    fn add(&mut self, name: &ImmutableString, at: Position, how: Declared) -> LocalId {
        self.locals.push(Local { name: name.clone(), at, how, captured: false, kind: Kind::ANY, from: None });
        self.locals.len() - 1
    }

    fn scoped<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.scope.len();
        let done = work(self);
        self.scope.truncate(outside);
        done
    }

    fn name(&self, name: &ImmutableString) -> Name {
        let is_named = |local: &&LocalId| self.locals.get(**local).is_some_and(|local| local.name == *name);
        match self.scope.iter().rev().find(is_named) {
            Some(local) => Name::Local(*local),
            None => self.outside.name(name),
        }
    }

    fn block(&mut self, statements: &[Stmt], at: Position) -> Node {
        self.scoped(|reader| {
            let real = statements.iter().filter(|one| !matches!(one, Stmt::Share(_)));
            Node::new(What::Block(real.map(|one| reader.statement(one)).collect()), at)
        })
    }

    fn boxed(&mut self, value: Option<&Expr>) -> Option<Box<Node>> {
        value.map(|value| Box::new(self.expression(value)))
    }

    fn statement(&mut self, statement: &Stmt) -> Node {
        let at = statement.position();
        let what = match statement {
            Stmt::Noop(_) | Stmt::Share(_) => What::Block(Vec::new()),
            Stmt::Expr(expr) => return self.expression(expr),
            Stmt::FnCall(call, at) => return self.call(call, *at),
            Stmt::Block(block) => return self.block(block.statements(), at),
            Stmt::If(flow, _) => {
                let condition = self.expression(&flow.expr);
                let then = self.block(flow.body.statements(), flow.body.position());
                let other = self.block(flow.branch.statements(), flow.branch.position());
                What::If(Box::new([condition, then, other]))
            }
            Stmt::Var(var, flags, _) => {
                let constant = flags.intersects(ASTFlags::CONSTANT);
                let value = Box::new(self.expression(&var.1));
                let place = if var.0.pos.is_none() { at } else { var.0.pos };
                let how = if constant { Declared::Const } else { Declared::Let };
                let local = self.add(&var.0.name, place, how);
                self.scope.push(local);
                What::Let { local, value }
            }
            Stmt::Return(value, flags, _) => {
                let value = self.boxed(value.as_deref());
                if flags.intersects(ASTFlags::BREAK) { What::Throw(value) } else { What::Return(value) }
            }
            Stmt::BreakLoop(value, flags, _) => {
                let value = self.boxed(value.as_deref());
                if flags.intersects(ASTFlags::BREAK) { What::Break(value) } else { What::Continue }
            }
            Stmt::Assignment(parts) => {
                let sign = parts.0.get_op_assignment_info().map(|(.., sign)| sign);
                let value = self.expression(&parts.1.rhs);
                let to = self.expression(&parts.1.lhs);
                let assign = What::Assign(Box::new(Assign { to, sign, value }));
                return Node::new(assign, parts.0.position());
            }
            Stmt::For(parts, _) => self.for_loop(&parts.0, parts.1.as_ref(), &parts.2, at),
            Stmt::While(flow, _) => {
                let forever = matches!(flow.expr, Expr::Unit(_));
                let condition = if forever { None } else { self.boxed(Some(&flow.expr)) };
                What::While { condition, body: Box::new(self.block(flow.body.statements(), flow.body.position())) }
            }
            Stmt::Do(flow, flags, _) => What::Do {
                body: Box::new(self.block(flow.body.statements(), flow.body.position())),
                condition: Box::new(self.expression(&flow.expr)),
                until: flags.intersects(ASTFlags::NEGATED),
            },
            Stmt::Switch(parts, _) => self.switch(&parts.0, &parts.1),
            Stmt::TryCatch(flow, _) => {
                let body = self.block(flow.body.statements(), flow.body.position());
                self.scoped(|within| {
                    let caught = match &flow.expr {
                        Expr::Variable(name, _, place) => {
                            let place = if place.is_none() { at } else { *place };
                            within.declare(&name.1, place, Declared::Caught);
                            within.scope.last().copied()
                        }
                        _ => None,
                    };
                    let handler = within.block(flow.branch.statements(), flow.branch.position());
                    What::Try(Box::new(Try { body, caught, handler }))
                })
            }
            _ => What::Strange("this statement"),
        };
        Node::new(what, at)
    }

    fn for_loop(
        &mut self,
        variable: &rhai::Ident,
        counter: Option<&rhai::Ident>,
        flow: &FlowControl,
        at: Position,
    ) -> What {
        let over = self.expression(&flow.expr);
        self.scoped(|within| {
            let mut begun = |name: &rhai::Ident, how| {
                let place = if name.pos.is_none() { at } else { name.pos };
                within.declare(&name.name, place, how);
                within.scope.last().copied().unwrap_or_default()
            };
            let counter = counter.map(|counter| begun(counter, Declared::Counter));
            let local = begun(variable, Declared::Loop);
            let body = within.block(flow.body.statements(), flow.body.position());
            What::For(Box::new(For { local, counter, over, body, ends: None }))
        })
    }

    fn switch(&mut self, value: &Expr, ways: &SwitchCasesCollection) -> What {
        let value = self.expression(value);
        let read = |way: &rhai::BinaryExpr, reader: &mut Self| Way {
            condition: match &way.lhs {
                Expr::BoolConstant(true, _) => None,
                condition => Some(reader.expression(condition)),
            },
            body: reader.expression(&way.rhs),
        };
        let read: Vec<Way> = ways.expressions.iter().map(|way| read(way, self)).collect();
        let mut known: Vec<_> = ways.cases.values().collect();
        known.sort_by_key(|case| case.blocks.first().copied());
        let mut cases: Vec<Case> = Vec::new();
        for case in known {
            let case_of = |way: &usize| Case { on: case.value.clone(), is_range: false, way: *way };
            cases.extend(case.blocks.iter().map(case_of));
        }
        cases.sort_by_key(|case| case.way);
        cases.extend(ways.ranges.iter().map(|range| Case {
            on: match range {
                rhai::RangeCase::ExclusiveInt(range, _) => rhai::Dynamic::from(range.clone()),
                rhai::RangeCase::InclusiveInt(range, _) => rhai::Dynamic::from(range.clone()),
            },
            is_range: true,
            way: range.index(),
        }));
        What::Switch(Box::new(Switch { value, cases, ways: read, otherwise: ways.def_case }))
    }

    fn all(&mut self, parts: &[Expr]) -> Vec<Node> {
        parts.iter().map(|part| self.expression(part)).collect()
    }

    fn expression(&mut self, expr: &Expr) -> Node {
        let what = match expr {
            Expr::DynamicConstant(value, at) => match value.read_lock::<FnPtr>() {
                Some(function) => return self.function_value(function.fn_name(), &[], *at),
                None => What::Constant((**value).clone()),
            },
            Expr::BoolConstant(truth, _) => What::Truth(*truth),
            Expr::IntegerConstant(number, _) => What::Number(*number),
            Expr::CharConstant(letter, _) => What::Letter(*letter),
            Expr::StringConstant(text, _) => What::Text(text.clone()),
            Expr::Unit(_) => What::Nothing,
            Expr::InterpolatedString(parts, _) => What::Interpolated(self.all(parts)),
            Expr::Array(parts, _) => What::List(self.all(parts)),
            Expr::Map(parts, _) => {
                let key = |name: &rhai::Ident| Key { name: name.name.clone(), at: name.pos };
                What::Map(parts.0.iter().map(|(name, value)| (key(name), self.expression(value))).collect())
            }
            Expr::Variable(name, ..) => What::Name(self.name(&name.1)),
            Expr::ThisPtr(_) => {
                self.this = true;
                What::This
            }
            Expr::Stmt(block) => {
                if let Some(call) = closure_call(block.statements())
                    && let Some((Expr::DynamicConstant(value, at), captured)) = call.args.split_first()
                    && let Some(function) = value.read_lock::<FnPtr>()
                {
                    return self.function_value(function.fn_name(), captured, *at);
                }
                return self.block(block.statements(), expr.position());
            }
            Expr::FnCall(call, at) => return self.call(call, *at),
            Expr::Dot(pair, flags, at) => return self.chain(&pair.lhs, &pair.rhs, *flags, true, *at),
            Expr::Index(pair, flags, at) => return self.chain(&pair.lhs, &pair.rhs, *flags, false, *at),
            Expr::And(parts, _) => What::And(self.all(parts)),
            Expr::Or(parts, _) => What::Or(self.all(parts)),
            Expr::Coalesce(parts, _) => What::Coalesce(self.all(parts)),
            _ => What::Strange("this expression"),
        };
        Node::new(what, expr.position())
    }

    /// Reads a function that is a value: a closure, or a function of the scripts.
    fn function_value(&mut self, name: &str, captured: &[Expr], at: Position) -> Node {
        let Some(def) = self.outside.closure(name) else {
            return Node::new(What::Name(Name::Function(name.into())), at);
        };
        let captured: Vec<Captured> = captured
            .iter()
            .filter_map(|one| match one {
                Expr::Variable(var, _, at) => {
                    Some(Captured { written: var.1.clone(), name: self.name(&var.1), at: *at })
                }
                _ => None,
            })
            .collect();
        for one in &captured {
            if let Name::Local(local) = one.name
                && let Some(local) = self.locals.get_mut(local)
            {
                local.captured = true;
            }
        }
        let begins = def.body.start_position();
        let this = std::mem::take(&mut self.this);
        let closure = self.scoped(|within| {
            // The first parameters are the captured variables: inside they are those outside.
            let own = def.params.get(captured.len()..).unwrap_or_default();
            let places = within.outside.parameters(at);
            let params = own.iter().enumerate().map(|(number, param)| {
                within.declare(param, places.get(number).copied().unwrap_or(begins), Declared::OfClosure);
                within.locals.len() - 1
            });
            let params = params.collect();
            let body = within.block(def.statements(), begins);
            Closure { name: name.into(), params, captured, body, result: Kind::ANY, this: within.this }
        });
        // `this` in a closure is its own.
        self.this = this;
        Node::new(What::Closure(Box::new(closure)), at)
    }

    fn call(&mut self, call: &FnCallExpr, at: Position) -> Node {
        let name = call.name.as_str();
        if let ("Fn", [Expr::StringConstant(function, _)]) = (name, call.args.as_slice())
            && !matches!(self.outside.target((name, Named::of(name)), 1, false), Target::Script)
            && FnPtr::new(function.as_str()).is_ok()
        {
            return Node::new(What::Name(Name::Function(function.clone())), at);
        }
        let args = self.all(&call.args);
        let is_word = name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
        if call.op_token.is_some() || !is_word {
            return Node::new(What::Operator(call.name.clone(), args), at);
        }
        let natives = Named::of(name);
        let target = self.outside.target((name, natives), args.len(), false);
        let with_scope = call.capture_parent_scope;
        let call = Call { name: call.name.clone(), args, method: false, maybe: false, target, with_scope, natives };
        Node::new(What::Call(call), at)
    }

    /// Reads what follows a value: dots and brackets, which Rhai nests to the right.
    fn chain(&mut self, lhs: &Expr, rhs: &Expr, flags: ASTFlags, dot: bool, at: Position) -> Node {
        let of = self.expression(lhs);
        // A chain in brackets of its own is a value: `(a?.b).c`.
        let of = match lhs {
            Expr::Dot(..) | Expr::Index(..) => Node::new(What::Block(vec![of]), lhs.position()),
            _ => of,
        };
        self.steps(of, rhs, flags, dot, at)
    }

    fn steps(&mut self, of: Node, rhs: &Expr, flags: ASTFlags, dot: bool, at: Position) -> Node {
        let inner = match rhs {
            Expr::Dot(pair, inner, at) => Some((pair, *inner, true, *at)),
            Expr::Index(pair, inner, at) => Some((pair, *inner, false, *at)),
            _ => None,
        };
        // In brackets, a chain of its own ends the one outside.
        let inner = inner.filter(|_| dot || !flags.intersects(ASTFlags::BREAK));
        let first = inner.map_or(rhs, |(pair, ..)| &pair.lhs);
        let maybe = flags.intersects(ASTFlags::NEGATED);
        let node = if dot { self.after_dot(of, first, maybe) } else { self.index(of, first, maybe, at) };
        match inner {
            Some((pair, flags, dot, at)) => self.steps(node, &pair.rhs, flags, dot, at),
            None => node,
        }
    }

    fn index(&mut self, of: Node, index: &Expr, maybe: bool, at: Position) -> Node {
        let index = self.expression(index);
        Node::new(What::Index { of: Box::new(of), index: Box::new(index), maybe }, at)
    }

    fn after_dot(&mut self, of: Node, expr: &Expr, maybe: bool) -> Node {
        let of = Box::new(of);
        let (what, at) = match expr {
            Expr::Property(names, at) => (What::Field { of, name: names.2.clone(), maybe }, *at),
            Expr::MethodCall(call, at) => {
                let natives = Named::of(&call.name);
                let target = self.outside.target((&call.name, natives), call.args.len(), true);
                let mut args = vec![*of];
                args.extend(self.all(&call.args));
                let with_scope = call.capture_parent_scope;
                let name = call.name.clone();
                (What::Call(Call { name, args, method: true, maybe, target, with_scope, natives }), *at)
            }
            other => (What::Strange("this after a dot"), other.position()),
        };
        Node::new(what, at)
    }
}
