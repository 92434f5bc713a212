//! Compiled rules that run one phase at a time, from positions that are bytes.

use super::counted::PhaseCounts;
use crate::values::rules_place;
use crate::wasm::{Counts, Listed, Numbers, Reached, Stepper};
use referee_table::{Outcome, PlayerId, State};
use referee_trace::RulesPlace;

/// Compiled rules that run one phase at a time. Whatever they cannot do as the machine does, they give up: then everything is
/// to be done by the machine.
pub struct Steps {
    pub(super) stepper: Stepper,
    /// The state at first, for those that are made from positions.
    pub(super) first: State,
    pub(super) spent: u64,
    /// What a phase costs besides: as for the machine, more for a large state.
    pub(super) share: u64,
    /// How often phases were run.
    pub(super) runs: u64,
    /// What it took to judge the expression last, and how often the host was called to judge it.
    pub(super) judging: u64,
    pub(super) for_conditions: u64,
    /// What a phase has counted.
    pub(super) counts: Counts,
    /// How often in a row sequences could not be counted at once.
    pub(super) uncounted: u32,
}

/// The number of runs after which it is known whether the host is called often.
const SAMPLE: u64 = 500;

/// About how many operations of the machine take as long as a call of the host.
const OF_A_CALL: u64 = 64;

/// How often in a row it is tried to count sequences at once.
const MOST_UNCOUNTED: u32 = 16;

impl std::fmt::Debug for Steps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Steps").field("spent", &self.spent).finish_non_exhaustive()
    }
}

impl Steps {
    /// Returns the position of a state between two phases, of which the next is on its agenda; `None` if it is more than
    /// bytes.
    #[must_use]
    pub fn position(&self, state: &State) -> Option<Vec<u8>> {
        self.stepper.position(state)
    }

    /// Runs the next phase of a position. Its asks take these random numbers, one after the other. Returns where it has come
    /// to; `None` if it is given up.
    pub fn run(&mut self, position: &[u8], numbers: &[u64]) -> Option<Reached> {
        self.run_from(position, numbers, false)
    }

    /// Runs like [`Steps::run`], and lets [`Steps::counts`] tell what the phase has counted.
    pub fn run_counting(&mut self, position: &[u8], numbers: &[u64]) -> Option<Reached> {
        self.run_from(position, numbers, true)
    }

    fn run_from(&mut self, position: &[u8], numbers: &[u64], counts: bool) -> Option<Reached> {
        let (reached, spent) = self.stepper.run(position, numbers, counts).ok()?;
        self.spent += spent + self.share;
        self.runs += 1;
        Some(reached)
    }

    /// Returns what the phase has counted that [`Steps::run_counting`] ran last; `None` if the host was called in it.
    pub fn counts(&mut self) -> Option<PhaseCounts<'_>> {
        self.stepper.counts(&mut self.counts).ok()?;
        Some(PhaseCounts::of(&self.counts))
    }

    /// Returns the moves among which the phase that ran last is to choose, if they are those of a built-in turn; `None` if it has
    /// come elsewhere, or if they are not all in the memory.
    pub fn listed(&mut self) -> Option<Listed> {
        self.stepper.listed()
    }

    /// Returns how many moves [`Steps::listed`] would return.
    pub fn count_listed(&mut self) -> Option<u64> {
        self.stepper.count_listed().map(u64::from)
    }

    /// Counts the sequences of so many moves that begin with those that were listed; `None` where anything else happens, or
    /// where that is not done at once for this depth, or was so too often.
    pub fn count_sequences(&mut self, listed: &Listed, depth: usize) -> Option<u64> {
        if self.uncounted > MOST_UNCOUNTED {
            return None;
        }
        let count = self.stepper.count_sequences(listed, depth).ok();
        self.uncounted = if count.is_none() { self.uncounted + 1 } else { 0 };
        count
    }

    /// Chooses one of the moves that were listed, and runs what follows. Returns where it has come to; `None` if it is given
    /// up. The moves stay where they are up to the next call of [`Steps::run`].
    pub fn go_on_from(&mut self, listed: &Listed, at: u32) -> Option<Reached> {
        let (reached, spent) = self.stepper.go_on_from(listed, at).ok()?;
        self.spent += spent + self.share;
        self.runs += 1;
        Some(reached)
    }

    /// Runs the next phase of a position, and then those that follow and at most so many turns, the present one included. Asks
    /// take these random numbers first, and then those of `more`, which fills a buffer with the next ones. Returns how the game
    /// has ended, `Some(None)` if it has not; `None` if it is given up.
    pub fn run_on(&mut self, position: &[u8], numbers: &[u64], turns: u64, more: Numbers) -> Option<Option<Outcome>> {
        self.runs += 1;
        let turns = turns.saturating_sub(u64::from(self.stepper.is_in_turn(position)));
        match self.stepper.run_on(position, numbers, turns, more) {
            Ok(true) => self.outcome().map(Some),
            Ok(false) => Some(None),
            Err(_) => None,
        }
    }

    /// Returns whether the next phase of a position is a turn.
    #[must_use]
    pub fn is_turn_next(&self, position: &[u8]) -> bool {
        self.stepper.is_turn_next(position)
    }

    /// Appends the position after the phase that ran last, from `before` to its end, with the next phase. Returns whether a
    /// turn has ended.
    pub fn after(&mut self, before: &[u8], position: &mut Vec<u8>) -> Option<bool> {
        self.stepper.append(before, position).ok()
    }

    /// Returns the state to which the phase that ran last has come, without the phases to come.
    pub fn state(&mut self) -> Option<State> {
        let mut state = self.first.clone();
        self.stepper.show(&mut state).ok().map(|()| state)
    }

    /// Returns a state like those of the positions, to be changed by [`Self::show_position`] and the like.
    #[must_use]
    pub fn first(&self) -> State {
        self.first.clone()
    }

    /// Makes a state that of a position between two phases.
    pub fn show_position(&self, position: &[u8], state: &mut State) -> Option<()> {
        self.stepper.show_position(position, state)
    }

    /// Makes a state that to which the phase that ran last has come, without the phases to come.
    pub fn show_end(&mut self, state: &mut State) -> Option<()> {
        self.stepper.show(state).ok()
    }

    /// Makes a state that of the ask to which the phase of a position has come.
    pub fn show_ask(&mut self, position: &[u8], state: &mut State) -> Option<()> {
        self.stepper.show_ask(position, state).ok()
    }

    /// Appends the encoded state of a position between two phases.
    pub fn encode_position(&self, position: &[u8], encoded: &mut Vec<u8>) -> Option<()> {
        self.stepper.encode_position(position, encoded)
    }

    /// Appends the encoded state of the ask to which the phase of a position has come.
    pub fn encode_ask(&mut self, position: &[u8], encoded: &mut Vec<u8>) -> Option<()> {
        self.stepper.encode_ask(position, encoded)
    }

    /// Returns whether the rules have come to the beginning of a turn that has listed moves and changed nothing since it began, so
    /// that [`Steps::listed`] returns all of them.
    pub fn is_listed(&mut self) -> bool {
        self.stepper.is_listed()
    }

    /// Appends the encoded state at the beginning of a turn that [`Steps::is_listed`].
    pub fn encode_listed(&mut self, encoded: &mut Vec<u8>) -> Option<()> {
        self.stepper.encode_listed(encoded)
    }

    /// Returns the position of an encoded state between two phases; `None` if it is more than bytes.
    #[must_use]
    pub fn decode(&self, encoded: &[u8]) -> Option<Vec<u8>> {
        self.stepper.decode(encoded)
    }

    /// Packs everything besides the state that determines how the phase of a position goes on from the ask to which it has
    /// come, as [`Paused::pack`](super::Paused::pack) does; `None` where only the machine knows that.
    pub fn pack_pause(&mut self, position: &[u8], packed: &mut Vec<u8>) -> Option<()> {
        self.stepper.pack_pause(position, packed).ok()
    }

    /// Appends everything that decides how play goes on from the ask to which the phase of a position has come: from asks with equal
    /// bytes it goes on alike. `None` where that is not known.
    pub fn append_ask(&mut self, position: &[u8], ask: &mut Vec<u8>) -> Option<()> {
        self.stepper.append_ask(position, ask).ok()
    }

    /// Makes a state that of the beginning of a turn that [`Steps::is_listed`].
    pub fn show_listed(&mut self, state: &mut State) -> Option<()> {
        self.stepper.show_listed(state)
    }

    /// Returns how and where in the rules the phase that ran last has ended the game.
    pub fn ended(&mut self) -> Option<(Outcome, RulesPlace)> {
        self.stepper.ended().ok().flatten().map(|(outcome, place)| (outcome, rules_place(place)))
    }

    /// Returns how the phase that ran last has ended the game.
    pub fn outcome(&mut self) -> Option<Outcome> {
        self.ended().map(|(outcome, _)| outcome)
    }

    /// Rates what the phase that ran last has come to, for a player.
    pub fn rate(&mut self, player: PlayerId) -> Option<i64> {
        let (rated, spent) = self.stepper.rate(player).ok()?;
        self.spent += spent;
        Some(rated)
    }

    /// Returns whether the expression is true in what the phase that ran last has come to, or in a position between two phases that
    /// begins there. What that phase has left besides is forgotten.
    pub fn holds(&mut self, position: Option<&[u8]>) -> Option<bool> {
        let before = self.stepper.calls();
        let judged = self.stepper.holds(position);
        self.for_conditions += self.stepper.calls() - before;
        let (holds, spent) = judged.ok()?;
        self.judging = spent;
        self.judged_again();
        Some(holds)
    }

    /// Counts once more what it took to find out whether the expression is true.
    pub const fn judged_again(&mut self) {
        self.spent += self.judging;
    }

    /// Returns whether the state that the phase that ran last has come to is that of a position between two phases.
    pub fn is_at(&mut self, position: &[u8]) -> bool {
        self.stepper.is_at(position)
    }

    /// Returns what the phase that ran last has kept, in the weight of its values, and how many bytes all its values take.
    pub fn kept(&mut self) -> (u64, u64) {
        self.stepper.kept()
    }

    /// Returns whether the host is called so often that the machine is as quick.
    pub fn calls_host_often(&mut self) -> bool {
        let calls = self.stepper.calls() - self.for_conditions;
        self.runs > SAMPLE && calls > self.runs / 2 && calls.saturating_mul(OF_A_CALL) > self.spent
    }

    /// Returns what has been done so far: at least half of the operations that the machine would have counted.
    #[must_use]
    pub const fn spent(&self) -> u64 {
        self.spent
    }
}
