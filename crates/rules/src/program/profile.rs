//! What rules have done, by function and line: the counts of a profile with the places in the files.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Program;
use crate::layers::rules_place;
use crate::vm::{BETWEEN, BETWEEN_PHASES, BUILT_IN_TURN, CallNode, Profiled};
use referee_source::Source;

/// The work of rules by function and line: a tree of calls.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// The places in the tree, parents before their children. The first is the root, which is no function.
    pub nodes: Vec<ProfileNode>,
    /// The child of a node for each function, by its name.
    children: BTreeMap<(usize, CalledFunction), usize>,
}

/// A function of the rules, or what runs besides them: its name is in brackets then.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CalledFunction {
    /// The script; empty for what is not in the rules.
    pub file: String,
    /// The line where its body begins, from 1.
    pub line: usize,
    /// Its name, as in its script.
    pub name: String,
    /// The number of its parameters.
    pub parameters: usize,
}

/// A function, as it was called by those above it in the tree.
#[derive(Clone, Debug)]
pub struct ProfileNode {
    /// The function.
    pub function: CalledFunction,
    /// Its script, if it is of the rules.
    pub source: Option<Arc<Source>>,
    /// The node of its caller.
    pub parent: usize,
    /// How often it was called.
    pub calls: u64,
    /// How many of these calls had a remembered result, so that it did not run.
    pub remembered: u64,
    /// The operations that those results count.
    pub recalled: u64,
    /// The time that it has taken without what it calls, in nanoseconds.
    pub time: u64,
    /// What its lines have done, by their numbers from 1; 0 if it has none.
    pub lines: BTreeMap<usize, ProfiledLine>,
}

/// What a line has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProfiledLine {
    /// How often the rules came to it.
    pub times: u64,
    /// Its operations, with those of what it calls that is not of the rules.
    pub work: i64,
}

impl ProfileNode {
    /// Returns the operations of the function without those of the functions that it calls.
    #[must_use]
    pub fn work(&self) -> i64 {
        self.lines.values().map(|line| line.work).sum()
    }

    /// Returns whether it is what happens between phases, outside of functions: the state is counted where a phase begins.
    #[must_use]
    pub fn is_between(&self) -> bool {
        self.function.file.is_empty() && self.function.name == BETWEEN_PHASES
    }
}

impl Profile {
    fn new() -> Self {
        let function = CalledFunction { file: String::new(), line: 0, name: String::new(), parameters: 0 };
        let root = ProfileNode {
            function,
            source: None,
            parent: 0,
            calls: 0,
            remembered: 0,
            recalled: 0,
            time: 0,
            lines: BTreeMap::new(),
        };
        Self { nodes: vec![root], children: BTreeMap::new() }
    }

    /// Returns the operations that were done, those that count the state where phases begin, and those that remembered
    /// results count: together, what the limits count.
    #[must_use]
    pub fn operations(&self) -> (i64, i64, u64) {
        let recalled = self.nodes.iter().map(|node| node.recalled).sum();
        let (between, done): (Vec<&ProfileNode>, Vec<&ProfileNode>) =
            self.nodes.iter().partition(|node| node.is_between());
        let work = |nodes: Vec<&ProfileNode>| nodes.into_iter().map(ProfileNode::work).sum();
        (work(done), work(between), recalled)
    }

    /// Returns the number of turns that have begun.
    #[must_use]
    pub fn turns(&self) -> u64 {
        let is_turn = |node: &&ProfileNode| node.parent == 0 && is_turn(&node.function);
        self.nodes.iter().skip(1).filter(is_turn).map(|node| node.calls).sum()
    }

    /// Returns this and another profile together.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        let mut places = vec![0];
        for node in other.nodes.into_iter().skip(1) {
            let parent = places.get(node.parent).copied().unwrap_or(0);
            places.push(self.add(ProfileNode { parent, ..node }));
        }
        self
    }

    /// Adds what a node has counted to that of the same function and the same parent, and returns the index of this.
    fn add(&mut self, node: ProfileNode) -> usize {
        let known = self.children.get(&(node.parent, node.function.clone())).copied();
        let Some((at, known)) = known.and_then(|at| Some((at, self.nodes.get_mut(at)?))) else {
            let at = self.nodes.len();
            self.children.insert((node.parent, node.function.clone()), at);
            self.nodes.push(node);
            return at;
        };
        known.calls += node.calls;
        known.remembered += node.remembered;
        known.recalled = known.recalled.saturating_add(node.recalled);
        known.time = known.time.saturating_add(node.time);
        for (line, counted) in node.lines {
            let known = known.lines.entry(line).or_default();
            known.times += counted.times;
            known.work += counted.work;
        }
        at
    }
}

/// Returns whether a function is a turn when a phase begins with it.
fn is_turn(function: &CalledFunction) -> bool {
    match function.file.is_empty() {
        true => function.name == BUILT_IN_TURN,
        false => function.name == "turn",
    }
}

impl Program {
    /// Removes and returns what was counted so far by function and line; `None` unless the rules were loaded so.
    #[must_use]
    pub fn take_profile(&self) -> Option<Profile> {
        let code = self.code.borrow();
        let recorder = code.profile.as_ref()?;
        let counted = recorder.take(self.link.meter.spent());
        let functions: Vec<_> = recorder.functions().iter().map(|function| self.named(function)).collect();
        let mut profile = Profile::new();
        let mut places = Vec::with_capacity(counted.len());
        for (at, node) in counted.into_iter().enumerate() {
            let named = functions.get(node.function as usize).cloned();
            places.push(match named.filter(|_| at > 0 && is_seen(&node)) {
                Some(named) => profile.add(self.of_node(node, named, &places)),
                None => 0,
            });
        }
        Some(profile)
    }

    fn of_node(&self, node: CallNode, named: Named, places: &[usize]) -> ProfileNode {
        let (function, source) = named;
        let line = |line: u32| {
            // What has no line of its own is where the function begins.
            if line == 0 {
                return function.line;
            }
            let place = rules_place(rhai::Position::new(u16::try_from(line).unwrap_or(0), 1));
            self.layers.texts.label(place).map_or(0, |label| label.source.line(label.span.start))
        };
        let mut lines: BTreeMap<usize, ProfiledLine> = BTreeMap::new();
        for counted in node.lines {
            let known = lines.entry(line(counted.line)).or_default();
            known.times += counted.times;
            known.work += counted.work;
        }
        ProfileNode {
            function,
            source,
            parent: places.get(node.parent).copied().unwrap_or(0),
            calls: node.calls,
            remembered: node.remembered,
            recalled: node.recalled,
            time: node.time,
            lines,
        }
    }

    fn named(&self, function: &Profiled) -> Named {
        let label = if function.at.is_none() { None } else { self.label(rules_place(function.at)) };
        let (file, line) = label
            .as_ref()
            .map_or((String::new(), 0), |label| (label.source.name().to_owned(), label.source.line(label.span.start)));
        let (name, parameters) = (function.name.clone(), function.parameters);
        (CalledFunction { file, line, name, parameters }, label.map(|label| label.source))
    }
}

/// A function with its script.
type Named = (CalledFunction, Option<Arc<Source>>);

/// Returns whether anything was counted there. There is a place between phases in any case.
fn is_seen(node: &CallNode) -> bool {
    node.function != BETWEEN || node.lines.iter().any(|line| line.work != 0)
}
