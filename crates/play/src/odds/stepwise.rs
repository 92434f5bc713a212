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
use crate::policy::{Policy, Worth, best};
use crate::rated::worth_here;
use crate::stepped::{Answers, KnownAnswers, Silence, Way};
use crate::strategy::StrategyProfile;
use referee_rules::{Asked, Engine, Expression, Reached, Steps, number_for};
use referee_table::{PlayerId, State};

/// The number of runs of one phase from which the rules are given up.
const MOST_RUNS: usize = 5_000;
/// How many bytes of rated positions are kept, about.
const MOST_RATED: usize = 64 << 20;
/// Values by a key. Nothing depends on their order.
type Table<K, T> = HashMap<K, T, RandomState>;

/// The number of a position between two phases.
pub(super) type Number = u32;

/// Positions between two phases, by their numbers.
struct Positions {
    numbers: Table<Rc<[u8]>, Number>,
    all: Vec<Rc<[u8]>>,
}

impl Positions {
    fn known(&self, position: &[u8]) -> Option<Number> {
        self.numbers.get(position).copied()
    }

    /// Returns the number of a position; `None` if there are too many.
    fn number(&mut self, position: &[u8]) -> Option<Number> {
        if let Some(known) = self.known(position) {
            return Some(known);
        }
        let number = Number::try_from(self.all.len()).ok()?;
        let position: Rc<[u8]> = position.into();
        self.all.push(Rc::clone(&position));
        self.numbers.insert(position, number);
        Some(number)
    }
}

/// Where an option of a player leads: a position between two phases.
#[derive(Clone, Copy)]
pub(super) struct Lead {
    pub(super) number: Number,
    pub(super) ends_turn: bool,
    /// What running it has taken.
    pub(super) spent: u64,
}

/// The number of an option, and where it leads, if that is known.
type OneOption = (usize, Option<Lead>);

/// The best options, and what was done to find them.
pub(super) type Decided = (Rc<[OneOption]>, u64);

/// What an option is worth, what was done for that before, and where it leads, if that is known.
struct Rated {
    worth: Worth,
    before: u64,
    lead: Option<Lead>,
}

/// Compiled rules, and what they have found.
pub(super) struct Stepwise {
    pub(super) steps: Steps,
    table: Arc<referee_table::Table>,
    pub(super) strategy: StrategyProfile,
    positions: Positions,
    /// The nodes of positions, by the turns left there.
    ids: BTreeMap<Turns, Table<Number, usize>>,
    /// What positions between two phases are worth to each player, and what rating them has taken.
    worths: BTreeMap<PlayerId, Table<Number, (Worth, u64)>>,
    /// The best options at asks of players who rate them, by the player and everything that decides how play goes on there.
    decided: Table<Box<[u8]>, Decided>,
    /// What these positions and asks take, about.
    rated: usize,
    /// The sizes of a state and of its key, as the machine counts them.
    pub(super) state_bytes: u64,
    pub(super) key_bytes: u64,
    /// How often the present phase was run.
    pub(super) runs: usize,
    known: KnownAnswers,
    /// Room for a position.
    pub(super) room: Vec<u8>,
}

/// Returns the expression by which options are rated, if players are greedy: `Err` if it is not the same for all, or if a
/// player neither rates nor decides at random.
fn rating(strategy: &StrategyProfile) -> Result<Option<Expression<'_>>, ()> {
    let mut found: Option<Expression<'_>> = None;
    for (_, policy) in &strategy.policies {
        match policy {
            Policy::Random => {}
            Policy::Greedy(source, span) => {
                if found.is_some_and(|other| other.source.slice(other.span) != source.slice(*span)) {
                    return Err(());
                }
                found = found.or(Some(Expression { source, span: *span, of_player: true }));
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
            positions: Positions { numbers: new_table(), all: Vec::new() },
            ids: BTreeMap::new(),
            worths: BTreeMap::new(),
            decided: new_table(),
            rated: 0,
            state_bytes: state.bytes(),
            key_bytes: fixed_bytes(state),
            runs: 0,
            known: KnownAnswers::default(),
            room: Vec::new(),
        })
    }

    /// Returns the position of a state between two phases.
    pub(super) fn position(&self, state: &State) -> Option<Vec<u8>> {
        self.steps.position(state)
    }

    /// Returns the number of a position; `None` if there are too many.
    pub(super) fn number(&mut self, position: &[u8]) -> Option<Number> {
        self.positions.number(position)
    }

    /// Returns the position with a number.
    pub(super) fn numbered(&self, number: Number) -> Option<Rc<[u8]>> {
        self.positions.all.get(number as usize).map(Rc::clone)
    }

    /// Returns the node of a position.
    pub(super) fn id(&self, position: Number, turns: Turns) -> Option<usize> {
        self.ids.get(&turns)?.get(&position).copied()
    }

    pub(super) fn insert(&mut self, position: Number, turns: Turns, id: usize) {
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
        self.known.all(&self.table, asked, of)
    }

    /// Returns the best of so many options of a player, at the ask to which the phase of a position has come after a way.
    pub(super) fn rated(&mut self, position: &[u8], way: &Way, player: PlayerId, of: u32) -> Option<Decided> {
        let mut ask = std::mem::take(&mut self.room);
        ask.clear();
        ask.push(player.0);
        let is_known = self.steps.append_ask(position, &mut ask).is_some();
        if let Some(known) = self.decided.get(ask.as_slice()).filter(|_| is_known) {
            let known = known.clone();
            self.room = ask;
            return Some(known);
        }
        let decided = self.rated_anew(position, way, player, of)?;
        let bytes = ask.len() + size_of::<(Box<[u8]>, Decided)>() + decided.0.len() * size_of::<OneOption>();
        if is_known && self.rated + bytes <= MOST_RATED {
            self.rated += bytes;
            self.decided.insert(ask.into(), decided.clone());
        }
        Some(decided)
    }

    fn rated_anew(&mut self, position: &[u8], way: &Way, player: PlayerId, of: u32) -> Option<Decided> {
        let (mut worths, mut leads) = (Vec::new(), Vec::new());
        let mut spent = 0;
        for option in 0..of {
            let mut way = way.clone();
            way.push(number_for(option, of));
            let begun = self.steps.spent();
            let Rated { worth, before, lead } = self.worth(position, &way, player)?;
            worths.push(worth);
            leads.push(lead);
            spent += self.steps.spent() - begun + before;
        }
        let best = best(&worths).into_iter();
        Some((best.map(|option| (option, leads.get(option).copied().flatten())).collect(), spent))
    }

    /// Returns what a position is worth to a player where the next ask after a way through its phase is.
    fn worth(&mut self, position: &[u8], way: &[u64], player: PlayerId) -> Option<Rated> {
        let begun = self.steps.spent();
        if let Some(worth) = self.worth_here(position, way, player)? {
            return Some(Rated { worth, before: 0, lead: None });
        }
        let spent = self.steps.spent() - begun;
        self.room.clear();
        let ends_turn = self.steps.after(position, &mut self.room)?;
        let known = self.positions.known(&self.room);
        let number = known.or_else(|| {
            let bytes = self.room.len() + size_of::<(Rc<[u8]>, (Worth, u64))>();
            if self.rated + bytes > MOST_RATED {
                return None;
            }
            self.rated += bytes;
            self.positions.number(&self.room)
        });
        let lead = number.map(|number| Lead { number, ends_turn, spent });
        let worths = self.worths.get(&player);
        if let Some((worth, before)) = number.and_then(|number| worths?.get(&number)) {
            return Some(Rated { worth: *worth, before: *before, lead });
        }
        let begun = self.steps.spent();
        let mut now = std::mem::take(&mut self.room);
        let mut silence = Silence::begin(&self.steps);
        loop {
            if let Some(worth) = self.worth_here(&now, &[], player)? {
                if let Some(number) = number {
                    let spent = self.steps.spent() - begun;
                    self.worths.entry(player).or_insert_with(new_table).insert(number, (worth, spent));
                }
                return Some(Rated { worth, before: 0, lead });
            }
            self.room.clear();
            self.steps.after(&now, &mut self.room)?;
            silence.goes_on(&mut self.steps)?;
            std::mem::swap(&mut now, &mut self.room);
        }
    }

    /// Returns what the next ask after a way through a phase is worth; `Some(None)` if the phase ends before it.
    fn worth_here(&mut self, position: &[u8], way: &[u64], player: PlayerId) -> Option<Option<Worth>> {
        let reached = self.run(position, way)?;
        let outcome = match reached {
            Reached::End => return Some(None),
            Reached::Ask(..) => None,
            Reached::Over => Some(self.steps.outcome()?),
        };
        worth_here(&mut self.steps, outcome.as_ref(), player).map(Some)
    }
}

fn new_table<K, T>() -> Table<K, T> {
    HashMap::with_hasher(RandomState::with_seeds(1, 2, 3, 4))
}
