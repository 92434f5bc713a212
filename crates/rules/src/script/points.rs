//! The places of scripts whose runs are counted, for coverage. What counts them stands in a tree of its own, from which the machine
//! and compiled rules are made where runs are counted.

use rhai::Position;

use super::Script;
use super::tree::{Function, Node, Switch, Way, What};
use crate::layers::author_name;
use crate::values::Kind;

/// The kinds of points.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PointKind {
    /// Calls of the function with this name.
    Function(String),
    /// Runs of a statement.
    Statement,
    /// How often a condition has this value.
    Condition(bool),
    /// How often a case of a `switch` is chosen.
    Case,
    /// How often no case of a `switch` without a default is chosen.
    NoCase,
    /// How often a loop begins a round.
    Round,
    /// How often a loop comes to the end of its values.
    LoopEnd,
}

/// A script that counts its runs, and the points at which it does, by their numbers.
pub(crate) struct Instrumented {
    pub(crate) script: Script,
    pub(crate) points: Vec<(PointKind, Position)>,
}

impl Instrumented {
    /// Returns a script that does the same as another one, and counts. The built-in turn is not counted.
    pub(crate) fn of(script: &Script) -> Self {
        let mut points = Points(Vec::new());
        let mut functions = script.functions.clone();
        functions.iter_mut().filter(|function| !function.is_built_in()).for_each(|function| points.function(function));
        Self { script: script.with_functions(functions), points: points.0 }
    }

    /// Returns the script as it runs, and the number of its points, if its runs are counted.
    pub(crate) fn or<'s>(counted: Option<&'s Self>, script: &'s Script) -> (&'s Script, Option<usize>) {
        counted.map_or((script, None), |counted| (&counted.script, Some(counted.points.len())))
    }
}

/// The points so far.
struct Points(Vec<(PointKind, Position)>);

impl Points {
    /// Adds a point, and returns its number.
    fn add(&mut self, kind: PointKind, at: Position) -> u32 {
        self.0.push((kind, at));
        u32::try_from(self.0.len() - 1).unwrap_or(u32::MAX)
    }

    /// Returns a statement that counts a new point.
    fn run(&mut self, kind: PointKind, at: Position) -> Node {
        Node { what: What::Run(self.add(kind, at)), at, kind: Kind::NOTHING }
    }

    fn function(&mut self, function: &mut Function) {
        let name = author_name(&function.name);
        // A redefined function keeps the name that it has in its script.
        let own = name.strip_prefix("base_").filter(|_| function.name.starts_with("_base"));
        let called = PointKind::Function(own.unwrap_or(&name).to_owned());
        let is_closure = super::is_closure(&function.name);
        let first = (!is_closure).then(|| self.run(called, function.body.at));
        self.block(&mut function.body, first);
    }

    /// Counts each statement of a block, or of a node that stands for one. `first` is what runs before.
    fn block(&mut self, block: &mut Node, first: Option<Node>) {
        let statements = match std::mem::replace(&mut block.what, What::Nothing) {
            What::Block(statements) => statements,
            what => vec![Node { what, at: block.at, kind: block.kind.clone() }],
        };
        let mut nodes: Vec<Node> = first.into_iter().collect();
        let mut is_over = false;
        for mut statement in statements {
            // What follows the end of the game never runs: the check says so, and there is nothing to count.
            if !is_over {
                is_over = statement.ends_the_game().is_some();
                // The statements of a block have points of their own.
                let is_block = matches!(statement.what, What::Block(_));
                nodes.extend((!is_block).then(|| self.run(PointKind::Statement, statement.start())));
                self.node(&mut statement);
            }
            nodes.push(statement);
        }
        block.what = What::Block(nodes);
    }

    fn node(&mut self, node: &mut Node) {
        let at = node.at;
        match &mut node.what {
            What::Block(_) => self.block(node, None),
            What::If(parts) => {
                let [condition, then, other] = &mut **parts;
                self.condition(condition);
                self.block(then, None);
                self.block(other, None);
            }
            What::And(parts) | What::Or(parts) => parts.iter_mut().for_each(|part| self.outcome(part)),
            What::While { condition, body } => {
                let condition = condition.as_mut().filter(|condition| !matches!(condition.what, What::Truth(true)));
                condition.into_iter().for_each(|condition| self.condition(condition));
                self.block(body, None);
            }
            What::Do { body, condition, .. } => {
                self.block(body, None);
                self.condition(condition);
            }
            What::For(parts) => {
                self.node(&mut parts.over);
                let round = self.run(PointKind::Round, at);
                parts.ends = Some(self.add(PointKind::LoopEnd, at));
                self.block(&mut parts.body, Some(round));
            }
            What::Switch(switch) => self.switch(switch, at),
            What::Closure(closure) => self.block(&mut closure.body, None),
            What::Try(parts) => {
                self.block(&mut parts.body, None);
                self.block(&mut parts.handler, None);
            }
            _ => node.for_each_part_mut(&mut |part| self.node(part)),
        }
    }

    /// Counts the results of a condition. The parts of `&&` and `||` are counted each.
    fn condition(&mut self, condition: &mut Node) {
        match &condition.what {
            What::And(_) | What::Or(_) => self.node(condition),
            _ => self.outcome(condition),
        }
    }

    /// Counts the results of a boolean.
    fn outcome(&mut self, node: &mut Node) {
        let (start, at) = (node.start(), node.at);
        self.node(node);
        let point = self.add(PointKind::Condition(true), start);
        self.add(PointKind::Condition(false), start);
        let counted = std::mem::replace(node, Node::new(What::Nothing, at));
        *node = Node { what: What::Outcome(point, Box::new(counted)), at, kind: Kind::TRUTH };
    }

    fn switch(&mut self, switch: &mut Switch, at: Position) {
        self.node(&mut switch.value);
        for way in &mut switch.ways {
            way.condition.iter_mut().for_each(|condition| self.outcome(condition));
            let place = way.body.at;
            let chosen = self.run(PointKind::Case, way.body.start());
            self.node(&mut way.body);
            let body = std::mem::replace(&mut way.body, Node::new(What::Nothing, place));
            let kind = body.kind.clone();
            way.body = Node { what: What::Block(vec![chosen, body]), at: place, kind };
        }
        if switch.otherwise.is_none() {
            let none = self.run(PointKind::NoCase, at);
            switch.ways.push(Way { condition: None, body: none });
            switch.otherwise = Some(switch.ways.len() - 1);
        }
    }
}
