//! Games that are only counted: each begins from the same bytes, and what comes of it is read where compiled rules have left it.
//! The state of the session is not touched, so the host carries out nothing for them: what calls it is given up.

use std::rc::Rc;

use rhai::Position;

use super::engine::Running;
use super::given::Draws;
use super::host::Host;
use super::layout;
use super::words::{GaveUp, set_word, word};
use referee_table::{ClauseId, Outcome, PlayerId, Value};

/// How much a game may keep, so that the machine need not tell whether it is too much.
const MOST_WEIGHT: u32 = 100_000;

/// The memory before games that all begin alike.
pub(crate) struct Beginning {
    /// The number of the function that plays them.
    function: usize,
    /// The parts of the memory, each with its address.
    parts: Vec<(usize, Vec<u8>)>,
    draws: Draws,
}

/// What a game has counted.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) turns: u32,
    pub(crate) decisions: u32,
    pub(crate) options: u32,
    pub(crate) captures: u32,
    /// How often each face of each die was thrown, and how often each clause was applied.
    pub(crate) faces: Vec<u32>,
    pub(crate) clauses: Vec<u32>,
    pub(crate) last_clause: Option<ClauseId>,
    /// How and where the rules have ended the game; `None` if it was stopped after the last turn.
    pub(crate) ended: Option<(Outcome, Position)>,
}

impl Beginning {
    /// Returns the memory before a phase with these arguments, in the session of the host's link.
    pub(crate) fn of(running: &mut Running, function: usize, args: &[Value], draws: Draws) -> Result<Self, GaveUp> {
        let (bytes, host) = running.memory();
        host.begin(bytes, args)?;
        let mut ranges = vec![
            (0, layout::NUMBERS as usize),
            (layout::STATE as usize, layout::STATE as usize + host.layout.state.size()),
            (host.layout.faces as usize, host.layout.verbs as usize),
        ];
        ranges.extend(host.layout.columns.map(|columns| (columns.start as usize, columns.end() as usize)));
        ranges.extend(host.layout.zones.as_ref().map(super::zone_places::Zones::range));
        let part = |(from, to): (usize, usize)| Some((from, bytes.get(from..to)?.to_vec()));
        let parts = ranges.into_iter().map(part).collect::<Option<_>>().ok_or(GaveUp)?;
        Ok(Self { function, parts, draws })
    }

    /// Plays a game of this beginning among these players, and counts it. The random numbers are those that the source draws now.
    pub(crate) fn play(&self, running: &mut Running, players: &[PlayerId], counts: &mut Counts) -> Result<(), GaveUp> {
        let ran = running.step(self.function, |host, bytes| {
            for (from, part) in &self.parts {
                let place = bytes.get_mut(*from..).and_then(|rest| rest.get_mut(..part.len()));
                place.ok_or(GaveUp)?.copy_from_slice(part);
            }
            host.counting = Some(Rc::clone(&self.draws));
            host.begin_numbers(bytes)
        });
        let (bytes, host) = running.memory();
        host.counting = None;
        // The next game of a session begins with a state of its own.
        host.forget_state();
        ran?;
        host.counted(bytes, players, counts)
    }
}

impl Running {
    /// Returns the part of the state with fixed places, as the last game has left it, and the columns of its stacks.
    pub(crate) fn state_part(&mut self) -> Option<(&[u8], Option<&[u8]>)> {
        let (bytes, host) = self.memory();
        let part = bytes.get(layout::STATE as usize..)?.get(..host.layout.state.size())?;
        Some((part, host.layout.columns.and_then(|columns| columns.part(bytes))))
    }
}

impl Host {
    /// Puts the next random numbers of a counted game into the memory. Returns `false` if the game is no such game.
    pub(super) fn fetch_for_counting(&mut self, bytes: &mut [u8]) -> Result<bool, GaveUp> {
        let Some(draws) = self.counting.clone() else { return Ok(false) };
        let mut numbers = [0; layout::MOST_NUMBERS];
        let numbers = numbers.get_mut(..self.numbers).ok_or(GaveUp)?;
        let mut draw = draws.try_borrow_mut().map_err(|_| GaveUp)?;
        (*draw)(numbers);
        self.put_fetched(bytes, numbers)?;
        Ok(true)
    }

    /// Reads what a game has counted.
    fn counted(&self, bytes: &[u8], players: &[PlayerId], counts: &mut Counts) -> Result<(), GaveUp> {
        let read = |at| word(bytes, at).ok_or(GaveUp);
        counts.ended = self.ended(bytes, players)?;
        // Otherwise the session is to go on.
        let is_stopped = read(layout::TURNS_LEFT)? == 0 && read(layout::ADDED)? == 0 && read(layout::TO_COME)? == 0;
        if counts.ended.is_none() && !is_stopped || read(layout::WEIGHT)? > MOST_WEIGHT {
            return Err(GaveUp);
        }
        counts.turns = read(layout::TURNS)?;
        self.counted_in_run(bytes, counts)
    }

    /// Reads what the function that ran last has counted, besides turns and how the game has ended.
    pub(super) fn counted_in_run(&self, bytes: &[u8], counts: &mut Counts) -> Result<(), GaveUp> {
        let read = |at| word(bytes, at).ok_or(GaveUp);
        counts.decisions = read(layout::DECISIONS)?;
        counts.options = read(layout::OPTIONS)?;
        counts.captures = read(layout::CAPTURED)?;
        counts.last_clause = read(layout::LAST_CLAUSE)?.checked_sub(1).map(|last| ClauseId::at(last as usize));
        for (counted, from, count) in [
            (&mut counts.faces, self.layout.faces, self.layout.face_count),
            (&mut counts.clauses, self.layout.clauses, self.layout.clause_count),
        ] {
            counted.clear();
            for at in 0..count {
                counted.push(read(from + 4 * at)?);
            }
        }
        Ok(())
    }

    /// Makes the counts of faces and clauses 0.
    pub(super) fn clear_counts(&self, bytes: &mut [u8]) -> Result<(), GaveUp> {
        let counts = bytes.get_mut(self.layout.faces as usize..self.layout.verbs as usize);
        counts.ok_or(GaveUp)?.fill(0);
        Ok(())
    }

    /// Prepares the numbers for another game.
    pub(super) fn begin_numbers(&mut self, bytes: &mut [u8]) -> Result<(), GaveUp> {
        // Games of one kind need about as many.
        self.usual = (3 * self.usual + std::mem::take(&mut self.taken)) / 4;
        self.numbers = self.usual.clamp(layout::FEW_NUMBERS, layout::MOST_NUMBERS);
        set_word(bytes, layout::NEXT, layout::NUMBERS_END).ok_or(GaveUp)
    }
}
