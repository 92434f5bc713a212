//! Which branches and which parts of conditions can never be true where they stand, because of what is tested before them.

use std::collections::BTreeSet;

use super::endings::is_left;
use super::facts::{Fact, How, contradiction, facts};
use super::pure::{is_pure, only_reports};
use crate::script::{Case, Function, LocalId, Node, Target, What};

/// Something that never comes true.
pub(super) enum Found<'n> {
    /// A branch of an `if`, with the part of its condition that is never true, and what says so.
    Branch(&'n Node, Fact<'n>),
    /// The first statement of what runs otherwise, and the condition that is always true.
    Otherwise(&'n Node, Fact<'n>),
    /// A part of `&&` that is never true beside another part.
    Never(&'n Node, Fact<'n>),
    /// A part of `||` that is true where another part is not.
    Always(&'n Node, Fact<'n>),
}

/// How much is known at one place. Whatever comes after that is not looked at.
const MOST: usize = 64;

/// Tells what is known of the numbers that a value can be.
pub(super) type Given<'g> = &'g dyn Fn(&Node) -> Option<Vec<(i64, i64)>>;

/// Goes through a function in the order in which it runs, and knows at each place what was tested on the way.
pub(super) struct Reached<'r, 'n> {
    function: &'n Function,
    given: Given<'r>,
    /// The variables that closures share, and that something may change.
    shared: BTreeSet<LocalId>,
    known: Vec<Fact<'n>>,
    found: Vec<Found<'n>>,
}

impl<'r, 'n> Reached<'r, 'n> {
    /// Returns what never comes true in a function.
    pub(super) fn find(function: &'n Function, given: Given<'r>) -> Vec<Found<'n>> {
        let is_shared = |local: &LocalId| function.local(*local).is_some_and(|local| local.captured);
        let shared = changed_in(&function.body).into_iter().filter(is_shared).collect();
        let mut reached = Self { function, given, shared, known: Vec::new(), found: Vec::new() };
        reached.node(&function.body);
        reached.found
    }

    fn node(&mut self, node: &'n Node) {
        match &node.what {
            What::If(parts) => self.branches(parts),
            What::Block(statements) => self.with(Vec::new(), |this| {
                for statement in statements {
                    this.node(statement);
                    this.after(statement);
                }
            }),
            What::And(parts) | What::Or(parts) => self.joined(parts, matches!(node.what, What::And(_))),
            What::While { condition, body } => {
                self.forgetting(node, |this| {
                    condition.iter().for_each(|condition| this.node(condition));
                    let inside = condition.iter().filter(|condition| is_pure(condition));
                    let inside = inside.flat_map(|condition| facts(condition, true, How::Inside)).collect();
                    this.with(inside, |this| this.node(body));
                });
            }
            What::Do { .. } | What::For(_) | What::Try(_) => {
                self.forgetting(node, |this| node.for_each_part(&mut |part| this.node(part)));
            }
            What::Closure(closure) => {
                let function = &self.function.body;
                self.forgetting(function, |this| this.node(&closure.body));
            }
            What::Switch(switch) => {
                self.node(&switch.value);
                let values = std::iter::once(&switch.value);
                let asked = values.chain(switch.ways.iter().filter_map(|way| way.condition.as_ref()));
                let asked: Vec<&Node> = asked.collect();
                self.with(Vec::new(), |this| {
                    asked.iter().for_each(|asked| this.forget(asked));
                    for (number, way) in switch.ways.iter().enumerate() {
                        way.condition.iter().for_each(|condition| this.node(condition));
                        let is_its = |case: &&Case| case.way == number;
                        let (own, others): (Vec<&Case>, Vec<&Case>) = switch.cases.iter().partition(is_its);
                        let known = match switch.otherwise == Some(number) {
                            // A case with a condition may leave its value to this branch.
                            true if switch.ways.iter().any(|way| way.condition.is_some()) => None,
                            is_other => Fact::of_cases(&switch.value, if is_other { &others } else { &own }, !is_other),
                        };
                        this.with(known.into_iter().collect(), |this| this.node(&way.body));
                    }
                });
            }
            _ => self.with(Vec::new(), |this| {
                node.for_each_part(&mut |part| {
                    this.node(part);
                    this.forget(part);
                });
            }),
        }
    }

    /// Does something where more is known.
    fn with(&mut self, more: Vec<Fact<'n>>, work: impl FnOnce(&mut Self)) {
        let before = self.known.clone();
        self.learn(more);
        work(self);
        self.known = before;
    }

    /// Does something where what a node changes is not known.
    fn forgetting(&mut self, node: &'n Node, work: impl FnOnce(&mut Self)) {
        self.with(Vec::new(), |this| {
            this.forget(node);
            work(this);
        });
    }

    fn learn(&mut self, more: Vec<Fact<'n>>) {
        let room = MOST.saturating_sub(self.known.len());
        self.known.extend(more.into_iter().take(room));
    }

    /// Forgets what a node may change.
    fn forget(&mut self, node: &'n Node) {
        if self.known.is_empty() || is_quiet(node) {
            return;
        }
        let changed = self.changed(node);
        self.known.retain(|fact| fact.stays(&changed));
    }

    /// Returns the variables that a node may change.
    fn changed(&self, node: &Node) -> BTreeSet<LocalId> {
        &changed_in(node) | &self.shared
    }

    /// Notes what is known after a statement.
    fn after(&mut self, statement: &'n Node) {
        match &statement.what {
            What::If(parts) => self.after_branches(statement, parts),
            What::Let { local, value } => {
                self.forget(value);
                let numbers = (self.given)(value);
                self.learn(numbers.into_iter().map(|numbers| Fact::given(*local, numbers, value)).collect());
            }
            _ => self.forget(statement),
        }
    }

    fn after_branches(&mut self, statement: &'n Node, [condition, then, other]: &'n [Node; 3]) {
        let is_left = (is_left(then), is_left(other));
        let (goes_on, is_true) = match is_left {
            (true, false) => (other, false),
            (false, true) => (then, true),
            _ => return self.forget(statement),
        };
        self.forget(condition);
        let known = facts(condition, is_true, How::Left);
        self.learn(known);
        self.forget_after(condition);
        match goes_on.statements() {
            [next] if matches!(next.what, What::If(_)) => self.after(next),
            _ => self.forget(goes_on),
        }
    }

    /// Forgets what a condition may have changed after one of its parts was looked at.
    fn forget_after(&mut self, condition: &'n Node) {
        if !is_pure(condition) {
            self.forget(condition);
        }
    }

    fn branches(&mut self, [condition, then, other]: &'n [Node; 3]) {
        self.node(condition);
        self.with(Vec::new(), |this| {
            this.forget(condition);
            let (yes, no) = (facts(condition, true, How::Inside), facts(condition, false, How::Earlier));
            if is_pure(condition) {
                if let Some((fact, before)) = contradiction(&this.known, &yes) {
                    this.found.push(Found::Branch(fact.tested, before.clone()));
                    return this.with(no, |this| this.node(other));
                }
                if let (Some((_, before)), [first, ..]) = (contradiction(&this.known, &no), other.statements()) {
                    let before = before.tested_at(condition);
                    this.found.push(Found::Otherwise(first, before));
                    return this.with(yes, |this| this.node(then));
                }
            }
            for (more, branch) in [(yes, then), (no, other)] {
                this.with(more, |this| {
                    this.forget_after(condition);
                    this.node(branch);
                });
            }
        });
    }

    /// Looks at the parts of `&&`, or of `||`: each is tested only if those before it are true, or not true.
    fn joined(&mut self, parts: &'n [Node], all: bool) {
        if let Some((part, before)) = contrary(parts, all) {
            self.found.push(if all { Found::Never(part, before) } else { Found::Always(part, before) });
        }
        self.with(Vec::new(), |this| {
            for part in parts {
                this.node(part);
                this.learn(facts(part, all, How::Beside));
                this.forget_after(part);
            }
        });
    }
}

/// Returns the first part of `&&` that is never true where those before it are, or the first part of `||` that is always true
/// where those before it are not; and the part that says so.
pub(super) fn contrary(parts: &[Node], all: bool) -> Option<(&Node, Fact<'_>)> {
    let mut known: Vec<Fact<'_>> = Vec::new();
    for part in parts {
        let new = facts(part, all, How::Beside);
        // What is asked between the parts may change what they ask for.
        if !is_pure(part) {
            known.clear();
        } else if let Some((_, before)) = contradiction(&known, &new) {
            return Some((part, before.clone()));
        }
        known.extend(new.into_iter().filter(|_| is_pure(part)).take(MOST));
    }
    None
}

/// Returns the variables that a node gives other values, or calls functions on that may do so.
fn changed_in(node: &Node) -> BTreeSet<LocalId> {
    let mut changed = BTreeSet::new();
    node.walk(&mut |part| match &part.what {
        What::Assign(assign) => changed.extend(assign.to.root().local()),
        What::Let { local, .. } => _ = changed.insert(*local),
        What::For(parts) => {
            changed.insert(parts.local);
            changed.extend(parts.counter);
        }
        _ => changed.extend(may_change(part)),
    });
    changed
}

/// Returns the variable that a call may change: the one before the dot, or the first argument of a native function.
pub(super) fn may_change(node: &Node) -> Option<LocalId> {
    let call = node.call()?;
    let is_of_rules = call.method && call.target != Target::Native;
    let changes = is_of_rules || call.natives.may_change(call.args.len());
    call.args.first().and_then(|first| first.root().local()).filter(|_| changes)
}

/// Returns whether a node changes nothing that conditions can ask for.
fn is_quiet(node: &Node) -> bool {
    let mut is_quiet = true;
    node.walk(&mut |part| {
        is_quiet &= match &part.what {
            What::Assign(_)
            | What::Closure(_)
            | What::While { .. }
            | What::Do { .. }
            | What::For(_)
            | What::Try(_)
            | What::Strange(_) => false,
            What::Call(call) => call.target == Target::Native && only_reports(&call.name),
            _ => true,
        };
    });
    is_quiet
}
