//! Follows play by compiled rules, from positions that are bytes.
//!
//! A phase is run again for each of its answers: a way through it is the random numbers that its asks take. Pauses are not
//! compared with others, so a phase with very many ways is left to the machine, and so is everything else that the machine
//! does in another way or tells with words: errors, limits that may be exceeded, play without an end.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use ahash::RandomState;
use smallvec::smallvec;

use super::course::Stuck;
use super::explore::{EDGE, Explorer, NODE};
use super::fold::{Part, mixed};
use super::graph::Node;
use super::place::fixed_bytes;
use crate::Machine;
use crate::points::{Turns, turns_left};
use crate::policy::{Policy, Worth, best, worth_of};
use crate::stepped::{Numbers, Silence, Way, answers};
use crate::strategy::StrategyProfile;
use referee_rules::{Asked, Engine, Reached, Steps, number_for};
use referee_source::{Source, Span};
use referee_table::{DieId, PlayerId, State, Table};
use referee_trace::{Action, Answer};

/// The number of asks in a row, and of runs of one phase, from which the rules are given up.
const DEEPEST: usize = 60;
const MOST_RUNS: usize = 5_000;
/// How many bytes of rated positions are kept, about.
const MOST_RATED: usize = 64 << 20;
/// What a pause takes for the machine besides its state, in bytes, at most: for itself, for each answer, and for each byte of
/// the values that compiled rules have made in its phase.
const PAUSE: u64 = 1 << 13;
const ANSWER: u64 = (size_of::<Action>() + size_of::<(Answer, u64)>()) as u64;
const VALUE: u64 = 8;

/// Values of positions: a hash table that has the same order nowhere matters.
type ByPosition<T> = HashMap<Rc<[u8]>, T, RandomState>;

/// Compiled rules, and what they have found.
pub(super) struct Stepwise {
    steps: Steps,
    table: Arc<Table>,
    strategy: StrategyProfile,
    /// The nodes of positions, by the turns left there.
    ids: BTreeMap<Turns, ByPosition<usize>>,
    /// What positions between two phases are worth to each player, and what rating them has taken.
    worths: BTreeMap<PlayerId, ByPosition<(Worth, u64)>>,
    /// What these positions take, about.
    rated: usize,
    /// The sizes of a state and of its key, as the machine counts them.
    state_bytes: u64,
    key_bytes: u64,
    /// How often the present phase was run.
    runs: usize,
    /// All answers of a die, or of a player, to asks that have so many.
    known: BTreeMap<(Option<DieId>, u32), Answers>,
    /// Room for a position.
    room: Vec<u8>,
}

/// The answers to an ask: the numbers that they take, and their weights.
type Answers = Rc<[(Numbers, u64)]>;

/// Where a way through a phase has come to.
enum Met {
    /// A node between phases, or an end.
    Node(usize),
    /// An ask with several answers.
    Fork(Asks),
}

/// An ask with several answers.
struct Asks {
    way: Way,
    answers: Answers,
    /// What it takes for the machine as long as it waits.
    bytes: u64,
}

/// Returns the expression by which options are rated, if players are greedy: `Err` if it is not the same for all, or if a
/// player neither rates nor decides at random.
fn rating(strategy: &StrategyProfile) -> Result<Option<(&Arc<Source>, Span)>, ()> {
    let mut found: Option<(&Arc<Source>, Span)> = None;
    for (_, policy) in &strategy.policies {
        match policy {
            Policy::Random => {}
            Policy::Greedy(source, span) => {
                if found.is_some_and(|(other, at)| other.slice(at) != source.slice(*span)) {
                    return Err(());
                }
                found = found.or(Some((source, *span)));
            }
            Policy::Search(_) | Policy::Best | Policy::Worst => return Err(()),
        }
    }
    Ok(found)
}

/// What an answer leads to: a node, or a further ask of the phase.
enum Leads {
    Node(usize),
    Fork(usize),
}

impl Stepwise {
    /// Returns compiled rules that follow play after the pause of a machine; `None` if it is to be followed by the machine.
    pub(super) fn of(engine: Engine, machine: &Machine<'_>, strategy: &StrategyProfile) -> Option<Self> {
        if machine.is_alone() || !strategy.actions.is_empty() {
            return None;
        }
        let state = machine.state();
        let steps = machine.program().steps(engine, state, rating(strategy).ok()?)?;
        Some(Self {
            steps,
            table: Arc::clone(&state.table),
            strategy: strategy.clone(),
            ids: BTreeMap::new(),
            worths: BTreeMap::new(),
            rated: 0,
            state_bytes: state.bytes(),
            key_bytes: fixed_bytes(state),
            runs: 0,
            known: BTreeMap::new(),
            room: Vec::new(),
        })
    }

    /// Returns the position of a state between two phases.
    pub(super) fn position(&self, state: &State) -> Option<Vec<u8>> {
        self.steps.position(state)
    }

    /// Returns the node of a position.
    pub(super) fn id(&self, position: &[u8], turns: Turns) -> Option<usize> {
        self.ids.get(&turns)?.get(position).copied()
    }

    pub(super) fn insert(&mut self, position: Rc<[u8]>, turns: Turns, id: usize) {
        self.ids.entry(turns).or_insert_with(new_table).insert(position, id);
    }

    /// Returns what a position takes while it waits.
    pub(super) const fn waiting_bytes(&self, position: &[u8]) -> u64 {
        self.state_bytes + position.len() as u64
    }

    /// Returns what its key takes.
    pub(super) const fn key_bytes(&self) -> u64 {
        self.key_bytes
    }

    /// Runs the phase of a position once more.
    fn run(&mut self, position: &[u8], way: &[u64]) -> Option<Reached> {
        self.runs += 1;
        if self.runs > MOST_RUNS { None } else { self.steps.run(position, way) }
    }

    /// Returns all answers to an ask that has so many.
    fn all(&mut self, asked: Asked, of: u32) -> Option<Answers> {
        let die = match asked {
            Asked::Die(die) => Some(die),
            Asked::Player(_) => None,
        };
        if let Some(known) = self.known.get(&(die, of)) {
            return Some(Rc::clone(known));
        }
        let all: Answers = answers(&self.table, asked, of)?.into();
        self.known.insert((die, of), Rc::clone(&all));
        Some(all)
    }

    /// Returns the best of so many options of a player.
    fn rated(&mut self, position: &[u8], way: &Way, player: PlayerId, of: u32) -> Option<(Vec<usize>, u64)> {
        let mut worths = Vec::new();
        let mut spent = 0;
        for option in 0..of {
            let mut way = way.clone();
            way.push(number_for(option, of));
            let begun = self.steps.spent();
            let (worth, before) = self.worth(position, &way, player)?;
            worths.push(worth);
            spent += self.steps.spent() - begun + before;
        }
        Some((best(&worths), spent))
    }

    /// Returns what a position is worth to a player where the next ask after a way through its phase is, and what was done
    /// for that before.
    fn worth(&mut self, position: &[u8], way: &[u64], player: PlayerId) -> Option<(Worth, u64)> {
        if let Some(worth) = self.worth_here(position, way, player)? {
            return Some((worth, 0));
        }
        self.room.clear();
        self.steps.after(position, &mut self.room)?;
        if let Some((worth, spent)) = self.worths.get(&player).and_then(|known| known.get(self.room.as_slice())) {
            return Some((*worth, *spent));
        }
        let next: Rc<[u8]> = self.room.as_slice().into();
        let begun = self.steps.spent();
        let mut now = Rc::clone(&next);
        let mut silence = Silence::begin(&self.steps);
        loop {
            if let Some(worth) = self.worth_here(&now, &[], player)? {
                let bytes = next.len() + size_of::<(Rc<[u8]>, (Worth, u64))>();
                if self.rated + bytes <= MOST_RATED {
                    self.rated += bytes;
                    let known = self.worths.entry(player).or_insert_with(new_table);
                    known.insert(next, (worth, self.steps.spent() - begun));
                }
                return Some((worth, 0));
            }
            self.room.clear();
            self.steps.after(&now, &mut self.room)?;
            silence.goes_on(&mut self.steps)?;
            now = self.room.as_slice().into();
        }
    }

    /// Returns what the next ask after a way through a phase is worth; `Some(None)` if the phase ends before it.
    fn worth_here(&mut self, position: &[u8], way: &[u64], player: PlayerId) -> Option<Option<Worth>> {
        let reached = self.run(position, way)?;
        let decided = match reached {
            Reached::End => return Some(None),
            Reached::Ask(..) => None,
            Reached::Over => worth_of(&self.steps.outcome()?, player),
        };
        Some(Some(match decided {
            Some(worth) => worth,
            None => (0, self.steps.rate(player)?),
        }))
    }
}

fn new_table<T>() -> ByPosition<T> {
    HashMap::with_hasher(RandomState::with_seeds(1, 2, 3, 4))
}

/// Returns the chance of what the first ask of a phase leads to, as [`super::fold`] makes it of the nodes of its asks; `None`
/// if weights are too large.
fn folded(forks: Vec<Vec<(Leads, u64)>>) -> Option<Node> {
    let mut mixes: Vec<Option<Node>> = forks.iter().map(|_| None).collect();
    for (at, leads) in forks.iter().enumerate().rev() {
        let part = |(to, weight): &(Leads, u64)| match to {
            Leads::Node(id) => Some(Part { weight: *weight, to: smallvec![(*id, 1)], total: 1 }),
            Leads::Fork(fork) => match mixes.get_mut(*fork)?.take()? {
                Node::Mix { to, total } => Some(Part { weight: *weight, to: to.into(), total }),
                Node::Most(_) | Node::Least(_) | Node::End(_) => None,
            },
        };
        let mixed = mixed(&leads.iter().map(part).collect::<Option<Vec<_>>>()?)?;
        *mixes.get_mut(at)? = Some(mixed);
    }
    mixes.into_iter().next()?
}

impl Explorer<'_, '_> {
    fn steps(&mut self) -> Result<&mut Stepwise, Stuck> {
        self.steps.as_deref_mut().ok_or(Stuck::GaveUp)
    }

    /// Counts a run in which compiled rules have done so much, at least as high as the machine would.
    fn charge(&mut self, spent: u64) -> Result<(), Stuck> {
        self.course.budget.work(2 * spent).map_err(|_| Stuck::GaveUp)
    }

    /// Fills in the node of a position, and those within its phase.
    pub(super) fn expand_position(&mut self, id: usize, position: &[u8], turns: Turns) -> Result<(), Stuck> {
        let steps = self.steps()?;
        let waited = steps.waiting_bytes(position);
        steps.runs = 0;
        self.course.budget.free(waited);
        let first = match self.follow(position, Way::new(), turns)? {
            Met::Node(target) => return self.fill(id, Node::Mix { to: vec![(target, 1)], total: 1 }),
            Met::Fork(asks) => asks,
        };
        // The asks of the phase, each after the one that leads to it.
        let mut forks: Vec<Vec<(Leads, u64)>> = vec![Vec::new()];
        self.course.budget.keep(first.bytes).map_err(|_| Stuck::GaveUp)?;
        let mut within = vec![(0, first)];
        while let Some((fork, Asks { way, answers, bytes })) = within.pop() {
            self.course.budget.free(bytes);
            self.course.budget.keep(answers.len() as u64 * EDGE).map_err(|_| Stuck::GaveUp)?;
            let mut leads = Vec::with_capacity(answers.len());
            let begun = within.len();
            for (numbers, weight) in answers.iter() {
                let mut longer = way.clone();
                longer.extend_from_slice(numbers);
                let to = match self.follow(position, longer, turns)? {
                    Met::Node(target) => Leads::Node(target),
                    Met::Fork(asks) => {
                        self.course.budget.keep(asks.bytes).map_err(|_| Stuck::GaveUp)?;
                        within.push((forks.len(), asks));
                        forks.push(Vec::new());
                        Leads::Fork(forks.len() - 1)
                    }
                };
                leads.push((to, *weight));
            }
            // The first one is next.
            within.get_mut(begun..).into_iter().for_each(<[_]>::reverse);
            forks.get_mut(fork).into_iter().for_each(|place| *place = std::mem::take(&mut leads));
        }
        let node = folded(forks).ok_or(Stuck::GaveUp)?;
        self.fill(id, node)
    }

    /// Follows a way through the phase of a position, and then asks with a single answer.
    fn follow(&mut self, position: &[u8], mut way: Way, turns: Turns) -> Result<Met, Stuck> {
        for _ in 0..DEEPEST {
            let steps = self.steps()?;
            let before = steps.steps.spent();
            let reached = steps.run(position, &way).ok_or(Stuck::GaveUp)?;
            let spent = steps.steps.spent() - before;
            self.charge(spent)?;
            let (asked, of) = match reached {
                Reached::Over => {
                    let state = self.steps()?.steps.state().ok_or(Stuck::GaveUp)?;
                    return self.end(&state).map(Met::Node);
                }
                Reached::End => {
                    let Stepwise { steps, room, .. } = self.steps()?;
                    let mut next = std::mem::take(room);
                    next.clear();
                    let ends_turn = steps.after(position, &mut next).ok_or(Stuck::GaveUp)?;
                    let turns = turns_left(ends_turn, turns);
                    if turns == Some(0) {
                        let state = steps.state().ok_or(Stuck::GaveUp)?;
                        return self.end(&state).map(Met::Node);
                    }
                    let node = self.between(&next, turns)?;
                    self.steps()?.room = next;
                    return Ok(Met::Node(node));
                }
                Reached::Ask(asked, of) => (asked, of),
            };
            let steps = self.steps()?;
            let bytes = steps.state_bytes + PAUSE + u64::from(of) * ANSWER + steps.steps.kept().1 * VALUE;
            let key = steps.key_bytes;
            self.course.budget.keep(key + NODE).map_err(|_| Stuck::GaveUp)?;
            let answers = self.answers(position, &way, (asked, of))?;
            match &*answers {
                [] => return Err(Stuck::GaveUp),
                [(numbers, _)] => way.extend_from_slice(numbers),
                _ => return Ok(Met::Fork(Asks { way, answers, bytes })),
            }
        }
        Err(Stuck::GaveUp)
    }

    /// Returns the answers to follow at an ask with so many.
    fn answers(&mut self, position: &[u8], way: &Way, (asked, of): (Asked, u32)) -> Result<Answers, Stuck> {
        let player = match asked {
            Asked::Die(_) => {
                self.charge(0)?;
                return self.steps()?.all(asked, of).ok_or(Stuck::GaveUp);
            }
            Asked::Player(player) => player,
        };
        let steps = self.steps.as_mut().ok_or(Stuck::GaveUp)?;
        let (at, policy) = steps.strategy.policy(player).ok_or(Stuck::GaveUp)?;
        let rates = matches!(policy, Policy::Greedy(..)) && of > 1;
        self.course.met.policies.insert(at);
        if !rates {
            self.charge(0)?;
            return self.steps()?.all(asked, of).ok_or(Stuck::GaveUp);
        }
        let (best, spent) = steps.rated(position, way, player, of).ok_or(Stuck::GaveUp)?;
        let all = steps.all(asked, of).ok_or(Stuck::GaveUp)?;
        self.charge(spent)?;
        Ok(best.into_iter().filter_map(|option| all.get(option).cloned()).collect())
    }
}
