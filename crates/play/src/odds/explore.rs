//! Explores play as a graph: nodes are states between phases and at pauses; edges are random outcomes and decisions.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::rc::Rc;

use super::budget::{Budget, Limit};
use super::course::{Course, DEEPEST, Fork, Kind, Open, Stuck};
use super::decisions::DecisionsSeen;
use super::fold::{Marks, fold};
use super::graph::{Graph, Node, successors};
use super::place::{Place, key_bytes, place_between, place_of_pause};
use super::stepwise::{Number, Stepwise};
use super::trap;
use crate::Machine;
use crate::machine::Stop;
use crate::points::{Pause, Stand, Turns, put_next, turns_after};
use crate::progress::stepped;
use crate::segment::Segment;
use crate::strategy::StrategyProfile;
use referee_diagnostic::{Diagnostic, MustBe as _};
use referee_rules::Engine;
use referee_table::State;
use referee_trace::RulesPlace;

/// The default limit on the number of states.
pub const DEFAULT_STATES: usize = 250_000;
/// The highest limit on the number of states.
pub const MAX_STATES: usize = 10_000_000;
/// The memory for an edge in bytes: in the graph, and during the search for components.
pub(super) const EDGE: u64 = 24;
/// The memory for a node in bytes, in all steps together.
pub(super) const NODE: u64 = 256;

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
    /// What runs the rules.
    pub by: Follower,
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

/// How a state at an end is classified.
pub type Classify<'c> = dyn FnMut(&State) -> Result<usize, Box<Diagnostic>> + 'c;

/// What runs the rules while play is followed. What is found is the same for all.
#[derive(Clone, Copy, Debug)]
pub enum Follower {
    /// The machine up to so many states, then compiled rules, where there is machine code.
    After(usize),
    /// Rules compiled for an engine, where that is possible.
    Compiled(Engine),
    /// The machine.
    Machine,
}

/// The number of states up to which compiling takes longer than the machine.
const FEW: usize = 1_500;

impl Follower {
    /// Returns after how many states compiled rules follow play, and the engine that runs them, if there is one.
    pub(crate) fn after(self) -> (usize, Option<Engine>) {
        match self {
            Self::Compiled(engine) => (0, Some(engine)),
            Self::After(few) => (few, Engine::of_machine_code()),
            Self::Machine => (0, None),
        }
    }
}

impl Default for Follower {
    fn default() -> Self {
        Self::After(FEW)
    }
}

/// Explores play from the pause of a machine; `class` classifies the states at the ends.
///
/// # Errors
/// Returns an error if a decision is undecided, a limit is exceeded, or the rules cause an error.
pub fn explore(machine: &Machine<'_>, inquiry: &Inquiry, class: &mut Classify<'_>) -> Result<Graph, OddsError> {
    let (few, engine) = inquiry.by.after();
    // Compiled rules do not know of unknown cards.
    let engine = engine.filter(|_| !machine.state().lends_any());
    let mut tried = |means| match explore_with(machine, inquiry, class, means) {
        Ok(graph) => Some(Ok(graph)),
        Err(Unfinished::Error(error)) => Some(Err(*error)),
        Err(Unfinished::GaveUp) => None,
    };
    // The first way that does not give up finds the answer. The last one never does.
    let few = engine.filter(|_| few > 0).and_then(|_| tried(Means::Machine(few)));
    let compiled = || Some(Means::Compiled(Box::new(Stepwise::of(engine?, machine, &inquiry.strategy)?)));
    few.or_else(|| compiled().and_then(&mut tried))
        .or_else(|| tried(Means::Machine(usize::MAX)))
        .unwrap_or_else(|| Err(OddsError::Fault(Box::new(Diagnostic::internal("the machine has given up")))))
}

/// What follows play.
enum Means {
    /// The machine, up to so many states.
    Machine(usize),
    /// Compiled rules, from the end of the first phase on.
    Compiled(Box<Stepwise>),
}

/// Why there is no graph.
enum Unfinished {
    Error(Box<OddsError>),
    /// Another way is to be tried.
    GaveUp,
}

impl From<OddsError> for Unfinished {
    fn from(error: OddsError) -> Self {
        Self::Error(Box::new(error))
    }
}

fn explore_with(
    machine: &Machine<'_>,
    inquiry: &Inquiry,
    class: &mut Classify<'_>,
    means: Means,
) -> Result<Graph, Unfinished> {
    let (few, steps) = match means {
        Means::Machine(few) => (few, None),
        Means::Compiled(steps) => (usize::MAX, Some(steps)),
    };
    let course = Course {
        program: machine.program(),
        strategy: inquiry.strategy.clone(),
        alone: machine.is_alone(),
        budget: Budget::of(inquiry.states, inquiry.bytes),
        met: DecisionsSeen::default(),
    };
    let mut explorer = Explorer {
        most: inquiry.states.min(MAX_STATES),
        few,
        steps,
        class,
        course,
        ids: HashMap::new(),
        ends: BTreeMap::new(),
        nodes: Vec::new(),
        unseen: BTreeMap::new(),
        passing: Marks::default(),
        expanded: Marks::default(),
        waiting: VecDeque::new(),
        within: Vec::new(),
        states: 0,
    };
    let turns = match inquiry.horizon {
        Horizon::Turns(turns) => Some(turns.max(1)),
        Horizon::Game => None,
    };
    let mut first = match (machine.stop(), Pause::of(machine)) {
        (_, Some(pause)) => pause,
        (Stop::Fault(wrong), None) => return Err(OddsError::Fault(wrong.clone()).into()),
        (_, None) => {
            let start = explorer.end(machine.state()).map_err(|stuck| explorer.unfinished(stuck))?;
            return Ok(Graph::new(explorer.nodes, start, explorer.states));
        }
    };
    // Equal states are one node, so their history must not matter.
    first.state.forget_history();
    first.segment = first.segment.filter(|_| explorer.course.keeps_segments());
    let rates = explorer.course.strategy.rates();
    first.segment.iter_mut().filter(|_| rates).for_each(|segment| segment.matter());
    let start = explorer.lay_out(&first, turns).map_err(|stuck| explorer.unfinished(stuck))?;
    explorer.graph(start, first, turns, inquiry)
}

pub(super) fn bytes(segment: Option<&Segment>) -> u64 {
    segment.map_or(0, Segment::bytes)
}

/// A node whose successors are not known yet.
struct Waiting {
    id: usize,
    at: At,
    turns: Turns,
}

/// The point in play at a node between two phases.
enum At {
    State(Box<State>, Option<Box<Segment>>),
    /// As compiled rules have it.
    Position(Rc<[u8]>),
}

/// A pause whose successors are not known yet.
struct Within {
    id: usize,
    pause: Box<Pause>,
    fork: Fork,
    turns: Turns,
}

pub(super) struct Explorer<'e, 'p> {
    /// The maximum number of states.
    most: usize,
    /// From how many states on another way is tried.
    few: usize,
    /// Compiled rules, if they follow play.
    pub(super) steps: Option<Box<Stepwise>>,
    class: &'e mut Classify<'e>,
    pub(super) course: Course<'p>,
    ids: HashMap<Place, usize>,
    ends: BTreeMap<usize, usize>,
    nodes: Vec<Node>,
    /// The error to report for a node unless all its answers lead to the same node.
    unseen: BTreeMap<usize, Box<Open>>,
    /// The nodes at pauses.
    passing: Marks,
    /// Those of them whose successors are known, or are looked for.
    expanded: Marks,
    waiting: VecDeque<Waiting>,
    /// The pauses to expand before any other node; the next one is last.
    within: Vec<Within>,
    states: usize,
}

impl Explorer<'_, '_> {
    /// Explores play from a pause, and returns its node.
    fn lay_out(&mut self, first: &Pause, turns: Turns) -> Result<usize, Stuck> {
        let start = self.reserve(true)?;
        self.expand(start, Stand::Asks(Box::new(first.clone())), turns)?;
        self.expand_within()?;
        while let Some(Waiting { id, at, turns }) = self.waiting.pop_front() {
            match at {
                At::State(state, segment) => {
                    self.course.budget.free(state.bytes() + bytes(segment.as_deref()));
                    let stand = self.course.begin(*state, segment)?;
                    self.expand(id, stand, turns)?;
                    self.expand_within()?;
                }
                At::Position(position) => self.expand_position(id, &position, turns)?,
            }
        }
        Ok(start)
    }

    /// Fills in the nodes within a phase, so that only few pauses wait. They are met in the order of a walk that knows nothing
    /// of pauses that are the same.
    fn expand_within(&mut self) -> Result<(), Stuck> {
        while let Some(Within { id, pause, fork, turns }) = self.within.pop() {
            self.course.budget.free(pause.bytes() + fork.bytes());
            if self.expanded.insert(id) {
                self.fork(id, &pause, fork, turns)?;
            }
        }
        Ok(())
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

    pub(super) fn fill(&mut self, id: usize, node: Node) -> Result<(), Stuck> {
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
                if let Some(steps) = &self.steps {
                    let position = steps.position(&state).ok_or(Stuck::GaveUp)?;
                    return self.between(&position, turns);
                }
                let place = place_between(&state, segment.as_deref(), turns);
                if let Some(id) = self.ids.get(&place) {
                    return Ok(*id);
                }
                let id = self.reserve(true)?;
                // Its key, and the state until it is expanded.
                let key = key_bytes(&state, &place);
                self.course.budget.keep(state.bytes() + bytes(segment.as_deref()) + key + NODE)?;
                self.ids.insert(place, id);
                self.waiting.push_back(Waiting { id, at: At::State(state, segment), turns });
                Ok(id)
            }
            Stand::Asks(pause) => self.paused(pause, turns),
        }
    }

    /// Returns the node for a position between two phases.
    pub(super) fn between(&mut self, position: &[u8], turns: Turns) -> Result<usize, Stuck> {
        let number = self.steps.as_mut().and_then(|steps| steps.number(position));
        self.between_phases(number.ok_or(Stuck::GaveUp)?, turns)
    }

    /// Returns the node for the position between two phases with a number.
    pub(super) fn between_phases(&mut self, number: Number, turns: Turns) -> Result<usize, Stuck> {
        let Some(steps) = &self.steps else { return Err(Stuck::GaveUp) };
        if let Some(id) = steps.id(number, turns) {
            return Ok(id);
        }
        let position = steps.numbered(number).ok_or(Stuck::GaveUp)?;
        let bytes = steps.waiting_bytes(&position) + steps.key_bytes() + NODE;
        let id = self.reserve(true)?;
        self.course.budget.keep(bytes).map_err(|_| Stuck::GaveUp)?;
        if let Some(steps) = &mut self.steps {
            steps.insert(number, turns, id);
        }
        self.waiting.push_back(Waiting { id, at: At::Position(position), turns });
        Ok(id)
    }

    /// Returns the node for a pause: that of the next ask with several answers, or of the end of the phase.
    fn paused(&mut self, mut pause: Box<Pause>, turns: Turns) -> Result<usize, Stuck> {
        let mut passed = Vec::new();
        let mut known = None;
        let id = loop {
            let place = place_of_pause(&pause, turns);
            known = known.or_else(|| self.ids.get(&place).copied());
            // A pause that waits is expanded where it is met last.
            if let Some(id) = known.filter(|id| !self.passing.has(*id) || self.expanded.has(*id)) {
                break id;
            }
            if passed.len() >= DEEPEST {
                return Err(Stuck::TooMany(Limit::Phase));
            }
            if known.is_none() {
                self.course.budget.keep(key_bytes(&pause.state, &place) + NODE)?;
            }
            passed.push(place);
            let fork = self.course.fork(&pause)?;
            let [(answer, _)] = fork.answers.as_slice() else {
                let id = match known {
                    Some(id) => id,
                    None => self.reserve(false)?,
                };
                self.passing.insert(id);
                self.course.budget.keep(pause.bytes() + fork.bytes())?;
                self.within.push(Within { id, pause, fork, turns });
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
            if self.states > self.few {
                return Err(Stuck::GaveUp);
            }
        }
        self.nodes.push(Node::End(usize::MAX));
        Ok(self.nodes.len() - 1)
    }

    pub(super) fn end(&mut self, state: &State) -> Result<usize, Stuck> {
        let class = match (self.class)(state) {
            Ok(class) => class,
            // It may look at unknown cards. What else is wrong is wrong as well if they are known.
            Err(_) if state.lends_any() => return self.dealt_end(state),
            Err(wrong) => return Err(Stuck::Fault(wrong)),
        };
        let nodes = &mut self.nodes;
        Ok(*self.ends.entry(class).or_insert_with(|| {
            nodes.push(Node::End(class));
            nodes.len() - 1
        }))
    }

    /// Returns the node of an end at which it matters which the unknown cards are: chance decides one of them.
    fn dealt_end(&mut self, state: &State) -> Result<usize, Stuck> {
        let place = place_between(state, None, None);
        if let Some(id) = self.ids.get(&place) {
            return Ok(*id);
        }
        let Some((zone, lent)) = state.lent_zones().next().noted("unknown cards") else { return Err(Stuck::GaveUp) };
        let id = self.reserve(true)?;
        self.course.budget.keep(key_bytes(state, &place) + NODE)?;
        self.ids.insert(place, id);
        let (mut to, mut total): (BTreeMap<usize, u64>, u64) = (BTreeMap::new(), 0);
        let bag = state.zone(lent.from).map(|from| from.bag().clone()).unwrap_or_default();
        for (card, count) in bag {
            let mut dealt = state.clone();
            dealt.settle_lent(zone, card);
            let target = self.end(&dealt)?;
            *to.entry(target).or_default() += u64::from(count);
            total += u64::from(count);
        }
        self.fill(id, Node::Mix { to: to.into_iter().collect(), total })?;
        Ok(id)
    }

    /// Returns why there is no graph. Compiled rules only know that there are too many states; the machine finds everything
    /// else, as it does alone.
    fn unfinished(&self, stuck: Stuck) -> Unfinished {
        let by_machine = self.steps.is_none();
        Unfinished::from(match stuck {
            Stuck::TooMany(Limit::States) => OddsError::TooMany(self.most, Limit::States),
            Stuck::Open(open) if by_machine => OddsError::Open(open),
            Stuck::History(place) if by_machine => OddsError::History(place),
            Stuck::TooMany(limit) if by_machine => OddsError::TooMany(self.states, limit),
            Stuck::Fault(wrong) if by_machine => OddsError::Fault(wrong),
            _ => return Unfinished::GaveUp,
        })
    }

    /// Returns the graph after exploration.
    fn graph(mut self, start: usize, first: Pause, turns: Turns, inquiry: &Inquiry) -> Result<Graph, Unfinished> {
        // Search for positions without a path to an end before pauses are folded away.
        let nodes = std::mem::take(&mut self.nodes);
        let whole = Graph::new(nodes, start, self.states);
        let closed: BTreeSet<usize> = whole.closed().flatten().copied().collect();
        if !closed.is_empty() && self.steps.is_some() {
            // The machine finds an example.
            return Err(Unfinished::GaveUp);
        }
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
            return Err(OddsError::Open(open).into());
        }
        let graph = Graph::new(folded.nodes, folded.start, self.states);
        let compiled = self.steps.is_some();
        Ok(Graph { trap, endless, met: self.course.met, compiled, ..graph })
    }
}
