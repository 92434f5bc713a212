//! Play one phase at a time by compiled rules, from positions that are bytes.

use std::sync::Arc;

use rhai::ImmutableString;

use super::Program;
use crate::script::Function;
use crate::values::Kind;
use crate::wasm::{self, Engine, Numbers, Phases, Reached, Stepper};
use referee_source::{Source, Span};
use referee_table::{Outcome, PlayerId, State};

/// Compiled rules that run one phase at a time. Whatever they cannot do as the machine does, they give up: then everything is
/// to be done by the machine.
pub struct Steps {
    stepper: Stepper,
    /// The state at first, for those that are made from positions.
    first: State,
    spent: u64,
    /// How often phases were run.
    runs: u64,
}

/// The number of runs after which it is known whether the host is called often.
const SAMPLE: u64 = 500;

/// The name of the function that rates a position. No script can give such a name to one.
const RATING: &str = "(rating)";

impl Program {
    /// Returns the rules compiled for the games of a state's table, to be followed one phase at a time by an engine. `rating`
    /// is an expression that rates positions for the player `me`. Returns `None` if positions of the game are more than bytes,
    /// or if the rules are not compiled as a whole.
    #[must_use]
    pub fn steps(&self, engine: Engine, state: &State, rating: Option<(&Arc<Source>, Span)>) -> Option<Steps> {
        let schema = state.schema();
        let are_bytes = schema.zones.is_empty() && !schema.properties.iter().any(referee_table::Property::is_record);
        if !are_bytes {
            return None;
        }
        let rating = match rating {
            Some((source, span)) => Some(self.rating(source, span)?),
            None => None,
        };
        let mut compiled = self.compiled_with(engine, state, true, rating.as_ref())?;
        let (names, room) = compiled.phases.take()?;
        if compiled.reads_history {
            return None;
        }
        let mut phases = Phases { turn: names.len(), names, functions: Vec::new(), whole: Vec::new(), room };
        match phases.names.iter().position(|(name, count)| name == wasm::TURN && *count == 1) {
            Some(turn) => phases.turn = turn,
            None => phases.names.push((wasm::TURN.to_owned(), 1)),
        }
        let running = &mut compiled.running;
        let function = |(name, count): &(String, usize)| running.function(&wasm::step_name(name, *count));
        phases.functions = phases.names.iter().map(function).collect();
        let whole = |(name, count): &(String, usize)| running.function(&wasm::exported_name(name, *count));
        phases.whole = phases.names.iter().map(whole).collect();
        let rating = rating.as_ref().and_then(|_| compiled.running.function(wasm::RATING));
        let mut first = state.clone();
        first.forget_history();
        compiled.running.host().begin_stepping(first.clone());
        let stepper = Stepper {
            running: compiled.running,
            phases,
            rating,
            table: Arc::clone(&state.table),
            part: state.part_in_bytes().len(),
        };
        Some(Steps { stepper, first, spent: 0, runs: 0 })
    }

    /// Returns a function of the player `me` for an expression.
    fn rating(&self, source: &Arc<Source>, span: Span) -> Option<Function> {
        let names = [ImmutableString::from("me")];
        let mut function = self.read_expression(source, span, &self.expression_texts(source, span), &names).ok()?;
        function.name = RATING.into();
        let given = function.locals.first_mut()?;
        given.kind = Kind::PLAYER;
        Some(function)
    }
}

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
        let (reached, spent) = self.stepper.run(position, numbers).ok()?;
        // As for the machine, a phase of a large state costs more.
        self.spent += spent + self.first.weight() / 8 + 1;
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

    /// Returns how the phase that ran last has ended the game.
    pub fn outcome(&mut self) -> Option<Outcome> {
        self.stepper.outcome().ok().flatten()
    }

    /// Rates what the phase that ran last has come to, for a player.
    pub fn rate(&mut self, player: PlayerId) -> Option<i64> {
        let (rated, spent) = self.stepper.rate(player).ok()?;
        self.spent += spent;
        Some(rated)
    }

    /// Returns what the phase that ran last has kept, in the weight of its values, and how many bytes all its values take.
    pub fn kept(&mut self) -> (u64, u64) {
        self.stepper.kept()
    }

    /// Returns whether the host is called so often that the machine is as quick.
    pub fn calls_host_often(&mut self) -> bool {
        self.runs > SAMPLE && self.stepper.calls() > self.runs / 2
    }

    /// Returns what has been done so far: at least half of the operations that the machine would have counted.
    #[must_use]
    pub const fn spent(&self) -> u64 {
        self.spent
    }
}
