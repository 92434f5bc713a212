//! Lowers chains of dots and brackets, `switch`, and calls into the prelude.

use rhai::{ASTFlags, Expr, FnCallExpr, Position, SwitchCasesCollection};

use super::lower::{Body, Lower, Lowering, Refused};
use super::points::{after, start};
use super::tree::{Callee, Case, Chain, Method, Node, On, Root, Step, Switch, What};
use crate::rules::values::Span;
use crate::rules::vm::{PointKind, library};

impl Body<'_, '_> {
    /// Lowers dots and brackets after a value.
    pub(crate) fn chain(&mut self, expr: &Expr) -> Lower {
        let (pair, flags, dot, at) = match expr {
            Expr::Dot(pair, flags, at) => (pair, *flags, true, *at),
            Expr::Index(pair, flags, at) => (pair, *flags, false, *at),
            other => return self.expression(other),
        };
        let before = self.changes;
        let mut steps = Vec::new();
        self.steps(&pair.rhs, dot, flags, at, &mut steps)?;
        let methods = self.changes;
        let root = self.root(&pair.lhs)?;
        self.keep_arguments(&mut steps, before != methods);
        // A method may change the value of a variable.
        let changes = steps.iter().any(|step| matches!(&step.what, What::Method(method) if method.changes()));
        if changes && !matches!(root, Root::Value(_)) {
            self.changes += 1;
        }
        Ok(Node::Chain(Box::new(Chain { root, steps })))
    }

    /// Makes copies of arguments that a later step of the chain may change.
    fn keep_arguments(&self, steps: &mut [Step], changed: bool) {
        let changing = steps.iter().filter(|step| matches!(&step.what, What::Method(method) if method.changes()));
        if !changed && (steps.len() < 2 || changing.count() == 0) {
            return;
        }
        let keep = |node: &mut Node| {
            if matches!(node, Node::Local(_) | Node::This(_) | Node::Chain(_)) {
                let value = std::mem::replace(node, Node::Break(None));
                *node = Node::Block(vec![value]);
            }
        };
        for step in steps {
            match &mut step.what {
                What::Index(node) => keep(node),
                What::Method(method) => method.args.iter_mut().for_each(keep),
                What::Field(_) => {}
            }
        }
    }

    /// Lowers the steps of a chain. `rhs` follows a dot, or is in brackets.
    fn steps(
        &mut self,
        rhs: &Expr,
        dot: bool,
        flags: ASTFlags,
        at: Position,
        steps: &mut Vec<Step>,
    ) -> Result<(), Refused> {
        let maybe = flags.intersects(ASTFlags::NEGATED);
        let inner = match rhs {
            Expr::Dot(pair, inner, at) => Some((pair, *inner, true, *at)),
            Expr::Index(pair, inner, at) => Some((pair, *inner, false, *at)),
            _ => None,
        };
        let inner = inner.filter(|_| dot || !flags.intersects(ASTFlags::BREAK));
        let first = inner.map_or(rhs, |(pair, ..)| &pair.lhs);
        let what = if dot { self.behind_dot(first)? } else { (What::Index(self.expression(first)?), at) };
        let (what, at) = match what {
            (what @ What::Index(_), _) => {
                (what, if first.start_position().is_none() { at } else { first.start_position() })
            }
            other => other,
        };
        steps.push(Step { maybe, at, what });
        match inner {
            Some((pair, flags, dot, at)) => self.steps(&pair.rhs, dot, flags, at, steps),
            None => Ok(()),
        }
    }

    fn behind_dot(&mut self, expr: &Expr) -> Result<(What, Position), Refused> {
        match expr {
            Expr::Property(property, at) => Ok((What::Field(self.with.name(&property.2)), *at)),
            Expr::MethodCall(call, at) => {
                let args = self.all(&call.args, false)?;
                let callee = self.callee(&call.name, args.len());
                Ok((What::Method(Method { name: call.name.clone(), args, callee }), *at))
            }
            other => Err(Refused { what: "this after a dot".to_owned(), at: other.position() }),
        }
    }

    fn callee(&self, name: &str, count: usize) -> Callee {
        let places = self.with.places;
        if let Some(function) = self.with.function_of_rules(name, count) {
            return Callee::Script { function, changes: places.changes_this(function) };
        }
        match name {
            "call" => return Callee::Call,
            "curry" if count > 0 => return Callee::Curry,
            _ => {}
        }
        if let Some(function) = places.prelude(name, count) {
            return Callee::Prelude { function, changes: places.changes_this(function) };
        }
        if let Some(function) = places.plain(name, count + 1) {
            return Callee::Plain { function };
        }
        Callee::Native { changes: library::may_change(name, count + 1) }
    }

    /// Lowers a method of the prelude in the form of a function: `map(list, |value| …)`.
    pub(crate) fn prelude(
        &mut self,
        call: &FnCallExpr,
        function: usize,
        first: &Expr,
        rest: &[Expr],
        at: Position,
    ) -> Lower {
        let args = self.all(rest, false)?;
        let root = match self.root(first)? {
            // In the form of a function it changes a copy of a constant.
            Root::Constant(value, _) => Root::Value(Node::Constant(value)),
            root => root,
        };
        let changes = self.with.places.changes_this(function);
        self.changes += usize::from(changes);
        let callee = Callee::Prelude { function, changes };
        let what = What::Method(Method { name: call.name.clone(), args, callee });
        Ok(Node::Chain(Box::new(Chain { root, steps: vec![Step { maybe: false, at, what }] })))
    }

    pub(crate) fn switch(&mut self, value: &Expr, ways: &SwitchCasesCollection, at: Position) -> Lower {
        let value = self.expression(value)?;
        let mut nodes = Vec::with_capacity(ways.expressions.len());
        for way in &ways.expressions {
            let condition = match &way.lhs {
                Expr::BoolConstant(true, _) => None,
                condition => {
                    let node = self.expression(condition)?;
                    Some((self.with.points.counted(node, condition), condition.position()))
                }
            };
            let chosen = self.with.points.point(PointKind::Case, start(&way.rhs));
            nodes.push((condition, after(chosen, self.expression(&way.rhs)?)));
        }
        let otherwise = ways.def_case.or_else(|| {
            let none = self.with.points.point(PointKind::NoCase, at)?;
            nodes.push((None, Node::Cover(none)));
            Some(nodes.len() - 1)
        });
        let mut cases = Vec::new();
        let mut known: Vec<_> = Vec::new();
        known.extend(ways.cases.values());
        known.sort_by_key(|case| case.blocks.first().copied());
        for case in known {
            let on = match Span::of(&case.value) {
                Some(span) => self.with.arena.ranges(span),
                None => self.with.constant(&case.value),
            };
            cases.extend(case.blocks.iter().map(|way| Case { on: On::Value(on), way: *way }));
        }
        cases.sort_by_key(|case| case.way);
        for range in &ways.ranges {
            let span = match range {
                rhai::RangeCase::ExclusiveInt(range, _) => {
                    Span { from: range.start, to: range.end, inclusive: false, step: 1 }
                }
                rhai::RangeCase::InclusiveInt(range, _) => {
                    Span { from: *range.start(), to: *range.end(), inclusive: true, step: 1 }
                }
            };
            cases.push(Case { on: On::Range(self.with.arena.ranges(span)), way: range.index() });
        }
        Ok(Node::Switch(Box::new(Switch { value, cases, ways: nodes, otherwise, at })))
    }
}

impl Method {
    /// Returns whether it may change its object.
    pub(crate) const fn changes(&self) -> bool {
        match self.callee {
            Callee::Script { changes, .. } | Callee::Prelude { changes, .. } | Callee::Native { changes } => changes,
            Callee::Call => true,
            Callee::Plain { .. } | Callee::Curry => false,
        }
    }
}

/// The functions of the rules that the prelude may call.
const HOOKS: [&str; 4] = ["moves", "apply", "ended", "stuck"];

impl Lowering<'_> {
    /// Returns the function of the rules with this name and number of parameters. The prelude calls only hooks, because
    /// rules may have other functions with the names that it uses.
    pub(crate) fn function_of_rules(&self, name: &str, count: usize) -> Option<usize> {
        if self.prelude && !HOOKS.contains(&name) { None } else { self.places.function(name, count) }
    }
}
