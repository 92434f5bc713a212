//! Counts the work of rules by function and line while they run, for profiles. Marks among the operations say where
//! the rules are.

use std::cell::RefCell;

use rhai::Position;

/// A clock, in nanoseconds since any moment: the layers have none of their own.
pub type Clock = fn() -> u64;

/// A function of the rules, or what runs besides them.
#[derive(Clone, Debug)]
pub(crate) struct Profiled {
    pub(crate) name: String,
    pub(crate) parameters: usize,
    /// Where its body begins; none for what is not in the rules.
    pub(crate) at: Position,
}

/// What runs besides the functions of the rules, by the indices of [`BESIDES`].
pub(crate) const BETWEEN: u32 = 1;
const TURN: u32 = 2;
const LISTING: u32 = 3;
const DEALING: u32 = 4;
const DEFERRED: u32 = 5;
const EXPRESSION: u32 = 6;
/// What the state costs where phases begin, and whatever else is counted while no function runs.
pub(crate) const BETWEEN_PHASES: &str = "(between phases)";
/// The turn of rules that list moves.
pub(crate) const BUILT_IN_TURN: &str = "(built-in turn)";
const BESIDES: [&str; 7] = [
    "(all)",
    BETWEEN_PHASES,
    BUILT_IN_TURN,
    "(moves for a search)",
    "(dealing)",
    "(deferred choice)",
    "(conditions and policies)",
];

/// The most places in the tree of calls. Beyond it, a call is listed without those that led to it.
const NODES: usize = 1 << 16;

/// What an operation with this mark says: where the rules are from here on.
#[derive(Clone, Debug)]
pub(crate) enum Mark {
    /// A function goes on where it was before a call.
    Back,
    /// A function begins that is not of the rules: its work is that of the call.
    Through,
    /// An expression of a scenario or of the command line begins.
    Expression,
    /// A line of a function of the rules.
    Line(LineMark),
}

/// A line of a function of the rules.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LineMark {
    /// Whether the function begins here.
    pub(crate) begins: bool,
    /// The function whose operations these are. If they are those of a closure: the one in which it is written.
    pub(crate) function: u32,
    /// The closure, as a function of its own, if they are those of a closure.
    pub(crate) closure: Option<u32>,
    /// The inlined functions around this place, outer before inner, each with the number of the part of operations.
    pub(crate) inlined: Vec<(u32, u32)>,
    pub(crate) line: u32,
}

/// A place in the tree of calls: a function, as it was called.
#[derive(Clone, Debug, Default)]
pub(crate) struct CallNode {
    pub(crate) parent: usize,
    pub(crate) function: u32,
    pub(crate) calls: u64,
    /// How many of the calls had a remembered result, and the operations that these count.
    pub(crate) remembered: u64,
    pub(crate) recalled: u64,
    /// The time in nanoseconds.
    pub(crate) time: u64,
    pub(crate) lines: Vec<LineCount>,
    children: Vec<usize>,
}

/// A line in a place of the tree of calls. What is counted twice may be taken back later, so the work has a sign.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineCount {
    pub(crate) line: u32,
    pub(crate) times: u64,
    pub(crate) work: i64,
}

/// The place that counts at present: a node, and a line of it.
#[derive(Clone, Copy, Debug, Default)]
struct Here {
    node: usize,
    line: usize,
}

/// A running function: its place, and those in the inlined functions around the present one, outer before inner. Each is
/// with the part of the operations that is the inlined function.
#[derive(Clone, Debug)]
struct Running {
    places: Vec<(Option<u32>, Here)>,
}

impl Running {
    fn at(here: Here) -> Self {
        Self { places: vec![(None, here)] }
    }

    fn here(&self) -> Here {
        self.places.last().map(|(_, here)| *here).unwrap_or_default()
    }
}

/// What the recorder had at hand before a run within a run.
pub(crate) struct Outer {
    stack: Vec<Running>,
    here: Here,
    is_timed: bool,
}

/// Counts while rules run.
#[derive(Debug)]
pub(crate) struct Recorder {
    clock: Clock,
    functions: RefCell<Vec<Profiled>>,
    /// The function of each function of the machine, by its index.
    of_code: RefCell<Vec<Option<u32>>>,
    marks: RefCell<Vec<Mark>>,
    counts: RefCell<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    nodes: Vec<CallNode>,
    stack: Vec<Running>,
    here: Here,
    /// The operations that are counted already, and the time.
    seen: u64,
    since: u64,
    is_timed: bool,
}

impl Recorder {
    pub(crate) const BACK: u32 = 0;
    pub(crate) const THROUGH: u32 = 1;
    pub(crate) const EXPRESSION: u32 = 2;

    pub(crate) fn new(clock: Clock, spent: u64) -> Self {
        let besides = |name: &&str| Profiled { name: (*name).to_owned(), parameters: 0, at: Position::NONE };
        let counts = Counts { seen: spent, ..Counts::default() };
        let recorder = Self {
            clock,
            functions: RefCell::new(BESIDES.iter().map(besides).collect()),
            of_code: RefCell::default(),
            marks: RefCell::new(vec![Mark::Back, Mark::Through, Mark::Expression]),
            counts: RefCell::new(counts),
        };
        recorder.counts.borrow_mut().clear();
        recorder
    }

    /// Adds a function and returns its number.
    pub(crate) fn add(&self, function: Profiled) -> u32 {
        number(&mut self.functions.borrow_mut(), function)
    }

    /// Notes which function the function of the machine with this index is.
    pub(crate) fn is_of(&self, index: usize, function: Option<u32>) {
        let mut of_code = self.of_code.borrow_mut();
        of_code.truncate(index);
        of_code.resize(index, None);
        of_code.push(function);
    }

    /// Adds a mark and returns its number.
    pub(crate) fn add_mark(&self, mark: LineMark) -> u32 {
        number(&mut self.marks.borrow_mut(), Mark::Line(mark))
    }

    /// Returns all functions.
    pub(crate) fn functions(&self) -> Vec<Profiled> {
        self.functions.borrow().clone()
    }

    /// Begins a run. `total` are the operations so far.
    pub(crate) fn begin(&self, total: u64) -> Outer {
        let mut counts = self.counts.borrow_mut();
        counts.count(total);
        counts.time(self.clock);
        let outer = Outer { stack: std::mem::take(&mut counts.stack), here: counts.here, is_timed: counts.is_timed };
        counts.is_timed = true;
        counts.here = counts.between();
        outer
    }

    /// Ends a run.
    pub(crate) fn end(&self, total: u64, outer: Outer) {
        let mut counts = self.counts.borrow_mut();
        counts.count(total);
        counts.time(self.clock);
        counts.stack = outer.stack;
        counts.here = outer.here;
        counts.is_timed = outer.is_timed;
    }

    /// Counts the work so far for the present place, and goes to that of a mark. So many functions are running; the first
    /// of them has this name.
    pub(crate) fn at_mark(&self, mark: u32, depth: usize, first: &str, total: u64) {
        let mut counts = self.counts.borrow_mut();
        counts.count(total);
        let before = counts.here.node;
        if let Some(mark) = self.marks.borrow().get(mark as usize) {
            let to = counts.go_to(mark, depth, first, true);
            if to.node != before {
                counts.time(self.clock);
            }
            counts.here = to;
        }
    }

    /// Goes to the place of a mark after a pause, without counting that it was reached.
    pub(crate) fn again_at(&self, mark: u32, depth: usize, first: &str) {
        let mut counts = self.counts.borrow_mut();
        if let Some(mark) = self.marks.borrow().get(mark as usize) {
            counts.here = counts.go_to(mark, depth, first, false);
        }
    }

    /// Notes that a function was not run, because its result is remembered, and how many operations that counts.
    pub(crate) fn recalled(&self, index: u32, operations: u64) {
        let Some(function) = self.of_code.borrow().get(index as usize).copied().flatten() else { return };
        let mut counts = self.counts.borrow_mut();
        let caller = counts.here.node;
        let node = counts.child(caller, function);
        counts.seen = counts.seen.wrapping_add(operations);
        if let Some(node) = counts.nodes.get_mut(node) {
            node.calls += 1;
            node.remembered += 1;
            node.recalled = node.recalled.saturating_add(operations);
        }
    }

    /// Removes and returns all that was counted, parents before their children. `total` are the operations so far.
    pub(crate) fn take(&self, total: u64) -> Vec<CallNode> {
        let mut counts = self.counts.borrow_mut();
        counts.count(total);
        let nodes = std::mem::take(&mut counts.nodes);
        counts.clear();
        nodes
    }
}

/// Adds a value to a list and returns its index.
fn number<T>(all: &mut Vec<T>, value: T) -> u32 {
    all.push(value);
    u32::try_from(all.len() - 1).unwrap_or(u32::MAX)
}

impl Counts {
    /// Forgets what was counted. Nothing runs.
    fn clear(&mut self) {
        self.nodes = vec![CallNode::default()];
        self.stack.clear();
        self.here = self.between();
    }

    /// Counts the operations since the last time for the present place.
    fn count(&mut self, total: u64) {
        let work = total.wrapping_sub(self.seen).cast_signed();
        self.seen = total;
        let Here { node, line } = self.here;
        if work != 0
            && let Some(line) = self.nodes.get_mut(node).and_then(|node| node.lines.get_mut(line))
        {
            line.work = line.work.wrapping_add(work);
        }
    }

    /// Counts the time since the last time for the present place.
    fn time(&mut self, clock: Clock) {
        let now = clock();
        let took = now.saturating_sub(self.since);
        self.since = now;
        if self.is_timed
            && let Some(node) = self.nodes.get_mut(self.here.node)
        {
            node.time = node.time.saturating_add(took);
        }
    }

    /// Returns the place of all work outside of functions.
    fn between(&mut self) -> Here {
        let node = self.child(0, BETWEEN);
        Here { node, line: self.line(node, 0) }
    }

    /// Returns the node of a function that is called at a node.
    fn child(&mut self, parent: usize, function: u32) -> usize {
        let known = |all: &[CallNode], parent: usize| {
            let children = all.get(parent).map(|node| node.children.as_slice()).unwrap_or_default();
            children.iter().copied().find(|at| all.get(*at).is_some_and(|node| node.function == function))
        };
        if let Some(known) = known(&self.nodes, parent) {
            return known;
        }
        let parent = if self.nodes.len() < NODES { parent } else { 0 };
        if let Some(known) = known(&self.nodes, parent) {
            return known;
        }
        let new = self.nodes.len();
        self.nodes.push(CallNode { parent, function, ..CallNode::default() });
        if let Some(parent) = self.nodes.get_mut(parent) {
            parent.children.push(new);
        }
        new
    }

    /// Returns the index of a line of a node.
    fn line(&mut self, node: usize, line: u32) -> usize {
        let Some(node) = self.nodes.get_mut(node) else { return 0 };
        match node.lines.iter().position(|known| known.line == line) {
            Some(known) => known,
            None => {
                node.lines.push(LineCount { line, ..LineCount::default() });
                node.lines.len() - 1
            }
        }
    }

    /// Returns the place of a mark. Unless `counts`, it was reached before a pause already.
    fn go_to(&mut self, mark: &Mark, depth: usize, first: &str, counts: bool) -> Here {
        let below = depth.saturating_sub(1);
        match mark {
            Mark::Back => self.stack.truncate(depth),
            Mark::Through | Mark::Expression => {
                self.stack.truncate(below);
                let running = match self.stack.last() {
                    Some(caller) => caller.clone(),
                    None => {
                        let function = if matches!(mark, Mark::Expression) { EXPRESSION } else { besides(first) };
                        let node = self.called(0, function, counts);
                        Running::at(Here { node, line: self.line(node, 0) })
                    }
                };
                self.stack.push(running);
            }
            Mark::Line(mark) => {
                self.stack.truncate(if mark.begins { below } else { depth });
                let known = if mark.begins { None } else { self.stack.pop() };
                let running = self.running_at(mark, known, counts);
                self.stack.push(running);
            }
        }
        self.stack.last().map_or(self.here, Running::here)
    }

    /// Returns a running function at a mark. `known` is where it was before; without it, it begins.
    fn running_at(&mut self, mark: &LineMark, known: Option<Running>, counts: bool) -> Running {
        let begins = known.is_none();
        let mut running = known.unwrap_or_else(|| {
            let caller = self.stack.last().map_or(0, |caller| caller.here().node);
            let is_own = self.nodes.get(caller).is_some_and(|node| node.function == mark.function);
            let node = match mark.closure {
                // What a function does with its own closure, it does itself.
                Some(_) if is_own => caller,
                closure => self.called(caller, closure.unwrap_or(mark.function), counts),
            };
            Running::at(Here { node, line: 0 })
        });
        let parts = mark.inlined.iter().map(|(part, _)| Some(*part));
        let same = running.places.iter().skip(1).zip(parts).take_while(|((part, _), other)| part == other).count();
        running.places.truncate(same + 1);
        let mut is_new = begins;
        for (part, function) in mark.inlined.iter().skip(same) {
            let node = self.called(running.here().node, *function, counts);
            running.places.push((Some(*part), Here { node, line: 0 }));
            is_new = true;
        }
        let Some((_, here)) = running.places.last_mut() else { return running };
        let line = self.line(here.node, mark.line);
        is_new = is_new || here.line != line;
        here.line = line;
        if is_new
            && counts
            && let Some(line) = self.nodes.get_mut(here.node).and_then(|node| node.lines.get_mut(line))
        {
            line.times += 1;
        }
        running
    }

    /// Returns the node of a function that is called at a node, and counts the call.
    fn called(&mut self, caller: usize, function: u32, counts: bool) -> usize {
        let called = self.child(caller, function);
        if counts && let Some(node) = self.nodes.get_mut(called) {
            node.calls += 1;
        }
        called
    }
}

/// Returns what a function of the prelude is that the program itself runs.
fn besides(name: &str) -> u32 {
    match name {
        "_vm_list" => LISTING,
        "_vm_deferred" => DEFERRED,
        _ if name.starts_with("_vm_turn") || name == "_vm_made" => TURN,
        _ => DEALING,
    }
}
