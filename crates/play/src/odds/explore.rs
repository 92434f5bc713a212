//! Explores play as a graph: nodes are states between phases and at pauses; edges are random outcomes and decisions.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use super::budget::{Budget, Limit};
use super::course::{Course, DEEPEST, Fork, Kind, Open, Stuck};
use super::decisions::DecisionsSeen;
use super::fold::{Marks, fold};
use super::graph::{Graph, Node, successors};
use super::place::{Place, place_between, place_of_pause};
use super::trap;
use crate::Machine;
use crate::machine::Stop;
use crate::points::{Pause, Stand, Turns, put_next, turns_after};
use crate::progress::stepped;
use crate::segment::Segment;
use crate::strategy::StrategyProfile;
use referee_diagnostic::{Diagnostic, MustBe as _};
use referee_table::State;
use referee_trace::RulesPlace;

/// The default limit on the number of states.
pub const DEFAULT_STATES: usize = 250_000;
/// The highest limit on the number of states.
pub const MAX_STATES: usize = 10_000_000;
/// The memory for an edge in bytes: in the graph, and during the search for components.
const EDGE: u64 = 24;
/// The memory for a node in bytes, in all steps together.
const NODE: u64 = 256;

/// The point up to which play is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Horizon {
    /// The end of this number of turns, including the present one.
    Turns(u32),
    /// The end of the game.
    Game,
}

/// A question, apart from its condition.
#[derive(Clone, Debug)]
pub struct Inquiry {
    /// The horizon.
    pub horizon: Horizon,
    /// How decisions are made.
    pub strategy: StrategyProfile,
    /// The maximum number of states.
    pub states: usize,
    /// The maximum memory in bytes. It is counted, not measured, so that every machine gives the same answer.
    pub bytes: u64,
}

/// The reason why there are no odds.
#[derive(Clone, Debug)]
pub enum OddsError {
    /// A decision before the horizon is undecided.
    Open(Box<Open>),
    /// A limit was exceeded after this number of states.
    TooMany(usize, Limit),
    /// The rules ask here about history, which is not part of a state.
    History(RulesPlace),
    /// The rules caused an error.
    Fault(Box<Diagnostic>),
}

/// Explores play from the pause of a machine; `class` classifies the states at the ends.
///
/// # Errors
/// Returns an error if a decision is undecided, a limit is exceeded, or the rules cause an error.
pub fn explore(
    machine: &Machine<'_>,
    inquiry: &Inquiry,
    class: &mut dyn FnMut(&State) -> Result<usize, Box<Diagnostic>>,
) -> Result<Graph, OddsError> {
    let course = Course {
        program: machine.program(),
        strategy: inquiry.strategy.clone(),
        alone: machine.is_alone(),
        budget: Budget::of(inquiry.states, inquiry.bytes),
        met: DecisionsSeen::default(),
    };
    let mut explorer = Explorer {
        most: inquiry.states.min(MAX_STATES),
        class,
        course,
        ids: HashMap::new(),
        ends: BTreeMap::new(),
        nodes: Vec::new(),
        unseen: BTreeMap::new(),
        passing: Marks::default(),
        waiting: VecDeque::new(),
        states: 0,
    };
    let turns = match inquiry.horizon {
        Horizon::Turns(turns) => Some(turns.max(1)),
        Horizon::Game => None,
    };
    let mut first = match (machine.stop(), Pause::of(machine)) {
        (_, Some(pause)) => pause,
        (Stop::Fault(wrong), None) => return Err(OddsError::Fault(wrong.clone())),
        (_, None) => {
            let start = explorer.end(machine.state()).map_err(|stuck| explorer.trouble(stuck))?;
            return Ok(Graph::new(explorer.nodes, start, explorer.states));
        }
    };
    // Equal states are one node, so their history must not matter.
    first.state.forget_history();
    first.segment = first.segment.filter(|_| explorer.course.keeps_segments());
    let rates = explorer.course.rates();
    first.segment.iter_mut().filter(|_| rates).for_each(|segment| segment.matter());
    let start = explorer.lay_out(&first, turns).map_err(|stuck| explorer.trouble(stuck))?;
    explorer.graph(start, first, turns, inquiry)
}

fn bytes(segment: Option<&Segment>) -> u64 {
    segment.map_or(0, Segment::bytes)
}

/// A node whose successors are not known yet.
struct Waiting {
    id: usize,
    at: At,
    turns: Turns,
}

/// The point in play at a node.
enum At {
    Between(Box<State>, Option<Box<Segment>>),
    Asks(Box<Pause>, Fork),
}

struct Explorer<'e, 'p> {
    /// The maximum number of states.
    most: usize,
    class: &'e mut dyn FnMut(&State) -> Result<usize, Box<Diagnostic>>,
    course: Course<'p>,
    ids: HashMap<Place, usize>,
    ends: BTreeMap<usize, usize>,
    nodes: Vec<Node>,
    /// The error to report for a node unless all its answers lead to the same node.
    unseen: BTreeMap<usize, Box<Open>>,
    /// The nodes at pauses.
    passing: Marks,
    waiting: VecDeque<Waiting>,
    states: usize,
}

impl Explorer<'_, '_> {
    /// Explores play from a pause, and returns its node.
    fn lay_out(&mut self, first: &Pause, turns: Turns) -> Result<usize, Stuck> {
        let start = self.reserve(true)?;
        self.expand(start, Stand::Asks(Box::new(first.clone())), turns)?;
        while let Some(Waiting { id, at, turns }) = self.waiting.pop_front() {
            match at {
                At::Between(state, segment) => {
                    self.course.budget.free(state.bytes() + bytes(segment.as_deref()));
                    let stand = self.course.begin(*state, segment)?;
                    self.expand(id, stand, turns)?;
                }
                At::Asks(pause, fork) => {
                    self.course.budget.free(pause.bytes() + fork.bytes());
                    self.fork(id, &pause, fork, turns)?;
                }
            }
        }
        Ok(start)
    }

    /// Fills in a node from its point in play.
    fn expand(&mut self, id: usize, stand: Stand, turns: Turns) -> Result<(), Stuck> {
        match self.course.follow(stand, &mut Vec::new())? {
            (Stand::Asks(pause), Some(fork)) => self.fork(id, &pause, fork, turns),
            (stand, _) => {
                let target = self.target(stand, turns)?;
                self.fill(id, Node::Mix { to: vec![(target, 1)], total: 1 })
            }
        }
    }

    /// Fills in a node from the answers to an ask.
    fn fork(&mut self, id: usize, pause: &Pause, fork: Fork, turns: Turns) -> Result<(), Stuck> {
        let mut to: BTreeMap<usize, u64> = BTreeMap::new();
        let (mut options, mut known) = (Vec::new(), BTreeSet::new());
        let mut total: u64 = 0;
        for (answer, weight) in &fork.answers {
            let stand = self.course.answer(pause, answer)?;
            let target = self.target(stand, turns)?;
            let slot = to.entry(target).or_default();
            *slot = slot.saturating_add(*weight);
            total = total.saturating_add(*weight);
            if known.insert(target) {
                options.push(target);
            }
        }
        if let Some(open) = fork.unseen.filter(|_| options.len() > 1) {
            // Whether answers that lead to pauses lead to the same node is known only after folding.
            if options.iter().filter(|option| !self.passing.has(**option)).count() > 1 {
                return Err(Stuck::Open(open));
            }
            self.unseen.insert(id, open);
        }
        match (fork.kind, options.as_slice()) {
            (Kind::Mix, _) | (_, [_]) => self.fill(id, Node::Mix { to: to.into_iter().collect(), total }),
            (Kind::Most, _) => self.fill(id, Node::Most(options)),
            (Kind::Least, _) => self.fill(id, Node::Least(options)),
        }
    }

    fn fill(&mut self, id: usize, node: Node) -> Result<(), Stuck> {
        self.course.budget.keep(successors(Some(&node)).count() as u64 * EDGE)?;
        if let Some(slot) = self.nodes.get_mut(id).noted("a node of play") {
            *slot = node;
        }
        Ok(())
    }

    /// Returns the node for a point in play. Queues a new node for expansion.
    fn target(&mut self, stand: Stand, turns: Turns) -> Result<usize, Stuck> {
        match stand {
            Stand::Over(state) => self.end(&state),
            Stand::Between(mut state, segment) => {
                let turns = turns_after(&state, turns);
                if self.course.alone || turns == Some(0) {
                    return self.end(&state);
                }
                put_next(&mut state);
                let place = place_between(&state, segment.as_deref(), turns);
                if let Some(id) = self.ids.get(&place) {
                    return Ok(*id);
                }
                let id = self.reserve(true)?;
                // Its key, and the state until it is expanded.
                self.course.budget.keep(state.bytes() + bytes(segment.as_deref()) + place.len() as u64 + NODE)?;
                self.ids.insert(place, id);
                self.waiting.push_back(Waiting { id, at: At::Between(state, segment), turns });
                Ok(id)
            }
            Stand::Asks(pause) => self.paused(pause, turns),
        }
    }

    /// Returns the node for a pause: that of the next ask with several answers, or of the end of the phase.
    fn paused(&mut self, mut pause: Box<Pause>, turns: Turns) -> Result<usize, Stuck> {
        let mut passed = Vec::new();
        let id = loop {
            let place = place_of_pause(&pause, turns);
            if let Some(id) = self.ids.get(&place) {
                break *id;
            }
            if passed.len() >= DEEPEST {
                return Err(Stuck::TooMany(Limit::Phase));
            }
            self.course.budget.keep(place.len() as u64 + NODE)?;
            passed.push(place);
            let fork = self.course.fork(&pause)?;
            let [(answer, _)] = fork.answers.as_slice() else {
                let id = self.reserve(false)?;
                self.passing.insert(id);
                self.course.budget.keep(pause.bytes() + fork.bytes())?;
                // Expand nodes within a phase first, so that few pauses are in the queue.
                self.waiting.push_front(Waiting { id, at: At::Asks(pause, fork), turns });
                break id;
            };
            match self.course.answer(&pause, answer)? {
                Stand::Asks(next) => pause = next,
                stand => break self.target(stand, turns)?,
            }
        };
        self.ids.extend(passed.into_iter().map(|place| (place, id)));
        Ok(id)
    }

    /// Adds a node to be filled in.
    fn reserve(&mut self, is_state: bool) -> Result<usize, Stuck> {
        if is_state {
            self.states += 1;
            stepped(1);
            if self.states > self.most {
                return Err(Stuck::TooMany(Limit::States));
            }
        }
        self.nodes.push(Node::End(usize::MAX));
        Ok(self.nodes.len() - 1)
    }

    fn end(&mut self, state: &State) -> Result<usize, Stuck> {
        let class = (self.class)(state).map_err(Stuck::Fault)?;
        let nodes = &mut self.nodes;
        Ok(*self.ends.entry(class).or_insert_with(|| {
            nodes.push(Node::End(class));
            nodes.len() - 1
        }))
    }

    fn trouble(&self, stuck: Stuck) -> OddsError {
        match stuck {
            Stuck::Open(open) => OddsError::Open(open),
            Stuck::History(place) => OddsError::History(place),
            Stuck::TooMany(Limit::States) => OddsError::TooMany(self.most, Limit::States),
            Stuck::TooMany(limit) => OddsError::TooMany(self.states, limit),
            Stuck::Fault(wrong) => OddsError::Fault(wrong),
        }
    }

    /// Returns the graph after exploration.
    fn graph(mut self, start: usize, first: Pause, turns: Turns, inquiry: &Inquiry) -> Result<Graph, OddsError> {
        // Search for positions without a path to an end before pauses are folded away.
        let nodes = std::mem::take(&mut self.nodes);
        let whole = Graph::new(nodes, start, self.states);
        let closed: BTreeSet<usize> = whole.closed().flatten().copied().collect();
        let between = closed.iter().filter(|id| !self.passing.has(**id)).count();
        // Count pauses only if none of these positions is between two phases.
        let endless = if between > 0 { between } else { closed.len() };
        // The search for a line of play to an example has its own budget.
        self.course.budget = Budget::of(inquiry.states, inquiry.bytes);
        let course = &mut self.course;
        let wanted = |id: &usize| closed.contains(id) && (between == 0 || !self.passing.has(*id));
        let trap =
            trap::find(&whole.nodes, wanted, start).and_then(|path| trap::walk(course, &self.ids, first, turns, &path));
        let folded = fold(whole.nodes, start, &self.passing);
        if let Some(open) = self.unseen.into_iter().find(|(id, _)| folded.is_open(*id)).map(|(_, open)| open) {
            return Err(OddsError::Open(open));
        }
        let graph = Graph::new(folded.nodes, folded.start, self.states);
        Ok(Graph { trap, endless, met: self.course.met, ..graph })
    }
}
