//! Lowers chains of dots and brackets, `switch`, and calls into the prelude.

use rhai::Position;

use super::lower::{Body, Lower, Lowering, Refused};
use super::tree::{Callee, Case, Chain, Method, Node, On, Root, Step, Switch, What};
use crate::layers::OFFERED;
use crate::natives::{OFFERING, Special};
use crate::script::{self, Call};
use crate::values::Span;

impl Body<'_, '_> {
    /// Lowers dots and brackets after a value.
    pub(crate) fn chain(&mut self, node: &script::Node) -> Lower {
        let mut links = Vec::new();
        let mut root = node;
        while let Some(of) = before(root) {
            links.push(root);
            root = of;
        }
        let before = self.changes;
        let mut steps = Vec::with_capacity(links.len());
        for link in links.into_iter().rev() {
            steps.push(self.step(link)?);
        }
        let methods = self.changes;
        let root = self.root(root)?;
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

    /// Lowers one step of a chain: what is after a dot, or in brackets.
    fn step(&mut self, link: &script::Node) -> Result<Step, Refused> {
        Ok(match &link.what {
            script::What::Field { name, maybe, .. } => {
                Step { maybe: *maybe, at: link.at, what: What::Field(self.with.name(name)) }
            }
            script::What::Index { index, maybe, .. } => {
                let start = index.place();
                let at = if start.is_none() { link.at } else { start };
                Step { maybe: *maybe, at, what: What::Index(self.expression(index)?) }
            }
            script::What::Call(call) => {
                let args = self.all(call.in_brackets(), false)?;
                let callee = self.callee(call, args.len());
                let what = What::Method(Method { name: call.name.clone(), natives: call.natives, args, callee });
                Step { maybe: call.maybe, at: link.at, what }
            }
            _ => return Err(Refused { what: "this after a dot".to_owned(), at: link.at }),
        })
    }

    fn callee(&self, call: &Call, count: usize) -> Callee {
        let (name, places) = (call.name.as_str(), self.with.places);
        if let Some(function) = self.with.function_of_rules(name, count) {
            return Callee::Script { function, changes: places.changes_this(function) };
        }
        match call.natives.special() {
            Some(Special::Call) => return Callee::Call,
            Some(Special::Curry) if count > 0 => return Callee::Curry,
            _ => {}
        }
        if let Some(function) = self.with.offering(name, count + 1) {
            return Callee::Plain { function };
        }
        if let Some(function) = places.prelude(name, count) {
            return Callee::Prelude { function, changes: places.changes_this(function) };
        }
        if let Some(function) = places.plain(name, count + 1) {
            return Callee::Plain { function };
        }
        Callee::Native { changes: call.natives.may_change(count + 1) }
    }

    /// Lowers a method of the prelude in the form of a function: `map(list, |value| …)`.
    pub(crate) fn prelude(
        &mut self,
        call: &Call,
        function: usize,
        first: &script::Node,
        rest: &[script::Node],
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
        let what = What::Method(Method { name: call.name.clone(), natives: call.natives, args, callee });
        Ok(Node::Chain(Box::new(Chain { root, steps: vec![Step { maybe: false, at, what }] })))
    }

    pub(crate) fn switch(&mut self, switch: &script::Switch, at: Position) -> Lower {
        let value = self.expression(&switch.value)?;
        let mut nodes = Vec::with_capacity(switch.ways.len());
        for way in &switch.ways {
            let condition = match &way.condition {
                None => None,
                Some(condition) => Some((self.expression(condition)?, condition.at)),
            };
            nodes.push((condition, self.expression(&way.body)?));
        }
        let cases = switch.cases.iter().map(|case| {
            let on = match Span::of(&case.on) {
                Some(span) => self.with.arena.ranges(span),
                None => self.with.constant(&case.on),
            };
            Case { on: if case.is_range { On::Range(on) } else { On::Value(on) }, way: case.way }
        });
        let cases = cases.collect();
        Ok(Node::Switch(Box::new(Switch { value, cases, ways: nodes, otherwise: switch.otherwise, at })))
    }
}

/// Returns what is before the last dot or bracket of a chain; `None` for what is no chain.
fn before(node: &script::Node) -> Option<&script::Node> {
    match &node.what {
        script::What::Field { of, .. } | script::What::Index { of, .. } => Some(of),
        script::What::Call(call) => call.before_dot(),
        _ => None,
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
const HOOKS: [&str; 5] = ["moves", "apply", "ended", "stuck", OFFERED.0];

impl Lowering<'_> {
    /// Returns the function of the prelude that lets the options of a choice pass through a function of the rules, if they have it.
    /// Those of the prelude have passed through it already.
    pub(crate) fn offering(&self, name: &str, count: usize) -> Option<usize> {
        let is_rules = !self.prelude && self.places.function(OFFERED.0, OFFERED.1).is_some();
        let (.., offering) =
            OFFERING.iter().find(|(choice, arity, _)| is_rules && (*choice, *arity) == (name, count))?;
        self.places.plain(offering, count)
    }

    /// Returns the function of the rules with this name and number of parameters. The prelude calls only hooks, because
    /// rules may have other functions with the names that it uses.
    pub(crate) fn function_of_rules(&self, name: &str, count: usize) -> Option<usize> {
        if self.prelude && !HOOKS.contains(&name) { None } else { self.places.function(name, count) }
    }
}
