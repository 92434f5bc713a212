//! Asks in play that compiled rules have come to: positions that are bytes, with the random numbers of the answers since.

use std::collections::BTreeMap;
use std::rc::Rc;

use smallvec::SmallVec;

use super::machine::Machine;
use super::random::Random;
use referee_rules::{Asked, Reached, Steps, number_for};
use referee_table::{DieId, Outcome, Phase, State, Table, Throw};

/// The number of phases without an ask from which the rules are given up, and how much they may do and keep together: less
/// than the machine allows.
const MOST_SILENT: usize = 1_000;
const MOST_DONE: u64 = 1_000_000;
const MOST_KEPT: u64 = 200_000;

/// The random numbers of the answers in a phase.
pub(super) type Way = SmallVec<[u64; 8]>;

/// Phases that follow each other without an ask.
pub(super) struct Silence {
    phases: usize,
    begun: u64,
    kept: u64,
}

impl Silence {
    /// Begins with an answer.
    pub(super) const fn begin(steps: &Steps) -> Self {
        Self { phases: 0, begun: steps.spent(), kept: 0 }
    }

    /// Counts a phase that has ended; `None` if the machine has to find out whether the next one may begin.
    pub(super) fn goes_on(&mut self, steps: &mut Steps) -> Option<()> {
        self.phases += 1;
        self.kept += steps.kept().0;
        let done = steps.spent() - self.begun;
        (self.phases < MOST_SILENT && done < MOST_DONE && self.kept < MOST_KEPT).then_some(())
    }
}

/// An ask.
#[derive(Clone)]
pub(super) struct AskedAt {
    /// The position at the beginning of its phase.
    position: Rc<[u8]>,
    way: Way,
    pub(super) asked: Asked,
    /// The number of answers: faces of a die, or options of a player.
    pub(super) of: u32,
}

/// Where play has come to.
#[derive(Clone)]
pub(super) enum Came {
    Ask(AskedAt),
    Over(Outcome),
}

impl AskedAt {
    /// Returns the ask at which a machine has paused, if it is the first one of a phase that has done nothing before.
    pub(super) fn of(steps: &mut Steps, machine: &Machine<'_>) -> Option<Self> {
        let paused = machine.paused()?;
        if !paused.is_first(machine.state()) || machine.is_alone() {
            return None;
        }
        Self::after(steps, (machine.state().clone(), paused.phase().clone()), Way::new())
    }

    /// Returns the ask to which the phase of a position has come after a way.
    pub(super) const fn at(position: Rc<[u8]>, way: Way, asked: Asked, of: u32) -> Self {
        Self { position, way, asked, of }
    }

    /// Returns the ask to which a phase comes that begins in a state, after these answers.
    pub(super) fn after(steps: &mut Steps, (mut state, phase): (State, Phase), way: Way) -> Option<Self> {
        state.agenda.push(phase);
        let position = steps.position(&state)?;
        match steps.run(&position, &way)? {
            Reached::Ask(asked, of) => Some(Self { position: position.into(), way, asked, of }),
            Reached::End | Reached::Over => None,
        }
    }

    /// Returns where play comes to with an answer, by the random numbers that it takes; `None` if it is given up.
    pub(super) fn go_on(&self, steps: &mut Steps, answer: &[u64]) -> Option<Came> {
        let mut way = self.way.clone();
        way.extend_from_slice(answer);
        let mut position = Rc::clone(&self.position);
        let mut silence = Silence::begin(steps);
        loop {
            match steps.run(&position, &way)? {
                Reached::Ask(asked, of) => return Some(Came::Ask(Self { position, way, asked, of })),
                Reached::Over => return steps.outcome().map(Came::Over),
                Reached::End => {
                    let mut next = Vec::with_capacity(position.len());
                    steps.after(&position, &mut next)?;
                    silence.goes_on(steps)?;
                    position = next.into();
                    way.clear();
                }
            }
        }
    }

    /// Plays on at random, and at most so many turns. Returns the outcome; `Some(None)` if the game has not ended, and `None`
    /// if it is given up.
    pub(super) fn play_on(&self, steps: &mut Steps, turns: u64, mut random: Random) -> Option<Option<Outcome>> {
        steps.run_on(&self.position, &self.way, turns, Box::new(move |numbers| random.fill(numbers)))
    }

    /// Returns the memory that it takes, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        (self.position.len() + self.way.len() * size_of::<u64>() + size_of::<Self>()) as u64
    }
}

/// The random numbers that an answer takes.
pub(super) type Numbers = SmallVec<[u64; 4]>;

/// The answers to an ask: the numbers that they take, and their weights.
pub(super) type Answers = Rc<[(Numbers, u64)]>;

/// All answers of a die, or of a player, to asks that have so many, once they were looked for.
#[derive(Default)]
pub(super) struct KnownAnswers(BTreeMap<(Option<DieId>, u32), Answers>);

impl KnownAnswers {
    /// Returns all answers to an ask, as [`answers`] does.
    pub(super) fn all(&mut self, table: &Table, asked: Asked, of: u32) -> Option<Answers> {
        let die = match asked {
            Asked::Die(die) => Some(die),
            Asked::Player(_) => None,
        };
        if let Some(known) = self.0.get(&(die, of)) {
            return Some(Rc::clone(known));
        }
        let all: Answers = answers(table, asked, of)?.into();
        self.0.insert((die, of), Rc::clone(&all));
        Some(all)
    }
}

/// Returns all answers to an ask that has so many, each with its weight; `None` if the die has not so many faces.
pub(super) fn answers(table: &Table, asked: Asked, of: u32) -> Option<Vec<(Numbers, u64)>> {
    match asked {
        Asked::Player(_) => Some((0..of).map(|at| (SmallVec::from_slice(&[number_for(at, of)]), 1)).collect()),
        Asked::Die(die) => {
            let throws = table.schema.dice.get(die.index())?.throws();
            throws.iter().map(|(thrown, ways)| Some((throw(table, die, thrown, of)?, *ways))).collect()
        }
    }
}

/// Returns the random number for an option of so many.
pub(super) fn option(at: usize, of: u32) -> Option<[u64; 1]> {
    u32::try_from(at).ok().map(|at| [number_for(at, of)])
}

/// Returns the random numbers for a throw; `None` if the die has not so many faces.
pub(super) fn throw(table: &Table, die: DieId, throw: &Throw, faces: u32) -> Option<Numbers> {
    let die = table.schema.dice.get(die.index())?;
    if u32::try_from(die.faces.len()) != Ok(faces) {
        return None;
    }
    throw.faces().map(|face| u32::try_from(face).ok().map(|face| number_for(face, faces))).collect()
}
