//! Follows play by compiled rules, from positions that are bytes.
//!
//! A phase is run again for each of its answers: a way through it is the random numbers that its asks take. Pauses are not
//! compared with others, so a phase with very many ways is left to the machine, and so is everything else that the machine
//! does in another way or tells with words: errors, limits that may be exceeded, play without an end.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use ahash::RandomState;

use super::place::fixed_bytes;
use crate::Machine;
use crate::points::Turns;
use crate::policy::{Policy, Worth, best, worth_of};
use crate::stepped::{Numbers, Silence, Way, answers};
use crate::strategy::StrategyProfile;
use referee_rules::{Asked, Engine, Reached, Steps, number_for};
use referee_source::{Source, Span};
use referee_table::{DieId, PlayerId, State, Table};

/// The number of runs of one phase from which the rules are given up.
const MOST_RUNS: usize = 5_000;
/// How many bytes of rated positions are kept, about.
const MOST_RATED: usize = 64 << 20;
/// Values by position. Nothing depends on their order.
type ByPosition<T> = HashMap<Rc<[u8]>, T, RandomState>;

/// Compiled rules, and what they have found.
pub(super) struct Stepwise {
    pub(super) steps: Steps,
    table: Arc<Table>,
    pub(super) strategy: StrategyProfile,
    /// The nodes of positions, by the turns left there.
    ids: BTreeMap<Turns, ByPosition<usize>>,
    /// What positions between two phases are worth to each player, and what rating them has taken.
    worths: BTreeMap<PlayerId, ByPosition<(Worth, u64)>>,
    /// What these positions take, about.
    rated: usize,
    /// The sizes of a state and of its key, as the machine counts them.
    pub(super) state_bytes: u64,
    pub(super) key_bytes: u64,
    /// How often the present phase was run.
    pub(super) runs: usize,
    /// All answers of a die, or of a player, to asks that have so many.
    known: BTreeMap<(Option<DieId>, u32), Answers>,
    /// Room for a position.
    pub(super) room: Vec<u8>,
}

/// The answers to an ask: the numbers that they take, and their weights.
pub(super) type Answers = Rc<[(Numbers, u64)]>;

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
    pub(super) fn run(&mut self, position: &[u8], way: &[u64]) -> Option<Reached> {
        self.runs += 1;
        if self.runs > MOST_RUNS { None } else { self.steps.run(position, way) }
    }

    /// Returns all answers to an ask that has so many.
    pub(super) fn all(&mut self, asked: Asked, of: u32) -> Option<Answers> {
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
    pub(super) fn rated(&mut self, position: &[u8], way: &Way, player: PlayerId, of: u32) -> Option<(Vec<usize>, u64)> {
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
