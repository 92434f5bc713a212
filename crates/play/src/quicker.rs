//! Whether compiled rules play the games of a series: it is decided by counts, after a few games both ways. The games are the
//! same either way.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell, RefMut};
use std::sync::Arc;

use referee_rules::{Engine, Program, Steps};
use referee_table::{State, Table};

use super::series::Series;

/// The number of games that are counted, by the machine first and then by compiled rules.
const SAMPLE: u64 = 4;

/// From how many operations of the machine in the games that are left compiling is worth it: about twice what it takes.
const WORTH: u64 = 2_000_000;

/// Which part of the machine's steps compiled rules must save, in percent, so that they go on: what they do themselves
/// takes time, too.
const SAVED: u64 = 20;

/// Whether compiling is worth it for the games to come.
pub(super) enum Worth {
    NotYet,
    No,
    Yes,
}

impl Worth {
    /// Returns it for so many more games, of which some had so many operations.
    pub(super) const fn of_series(left: u64, games: u64, operations: u64) -> Self {
        if (operations / games).saturating_mul(left) < WORTH { Self::No } else { Self::Yes }
    }

    /// Returns it for nobody knows how many: once they have cost as much.
    pub(super) const fn of_some(operations: u64) -> Self {
        if operations < WORTH { Self::NotYet } else { Self::Yes }
    }
}

/// What is known of the games of a series from one start, and with one program; searches may begin at other tables of it.
#[derive(Debug)]
pub struct Quicker {
    engine: Option<Engine>,
    trial: Cell<Trial>,
    /// Compiled rules that run one phase at a time, for searches, if they are to and can, for games of this table.
    steps: RefCell<Option<(Arc<Table>, Option<Steps>)>>,
    /// Whether searches use them at once.
    always: bool,
    /// The games that are only counted, once it is known whether compiled rules play them alone.
    series: OnceCell<Option<RefCell<Series>>>,
}

#[derive(Clone, Copy, Debug)]
enum Trial {
    /// The machine has played so many games with so many operations, and so many steps: those without what native functions do.
    Machine {
        games: u64,
        operations: u64,
        steps: u64,
    },
    /// So many games were tried with compiled rules, for which the host has done so much, where the machine takes so many
    /// steps for a game.
    Compiled {
        games: u64,
        by_host: u64,
        steps: u64,
    },
    Settled,
}

impl Default for Quicker {
    fn default() -> Self {
        Self::by(Engine::of_machine_code())
    }
}

impl Quicker {
    /// Returns one for games that this engine may play; without one the machine plays all.
    #[must_use]
    pub const fn by(engine: Option<Engine>) -> Self {
        let trial = Cell::new(Trial::Machine { games: 0, operations: 0, steps: 0 });
        Self { engine, trial, steps: RefCell::new(None), always: false, series: OnceCell::new() }
    }

    /// Returns one with which compiled rules follow play in searches from the beginning on, for comparisons.
    #[must_use]
    pub fn always(engine: Engine) -> Self {
        Self { always: true, ..Self::by(Some(engine)) }
    }

    /// Returns the games that are only counted, if it is settled that compiled rules play them, and if they do so alone. `begin`
    /// begins them.
    pub(super) fn series(&self, max_plies: u64, begin: impl FnOnce() -> Option<Series>) -> Option<RefMut<'_, Series>> {
        if !matches!(self.trial.get(), Trial::Settled) {
            return None;
        }
        let series = self.series.get_or_init(|| begin().map(RefCell::new)).as_ref()?.borrow_mut();
        series.is_for(max_plies).then_some(series)
    }

    /// Lets the machine search from now on in games of the same table.
    pub(super) fn give_up_steps(&self) {
        if let Some((_, steps)) = self.steps.borrow_mut().as_mut() {
            *steps = None;
        }
    }

    /// Returns compiled rules that run one phase at a time, if compiled rules play the games of a state's table.
    pub(super) fn steps(&self, program: &Program, state: &State) -> Option<RefMut<'_, Steps>> {
        let engine = self.engine.filter(|_| self.always || program.is_compiled_for(state))?;
        let mut known = self.steps.borrow_mut();
        if !known.as_ref().is_some_and(|(table, _)| Arc::ptr_eq(table, &state.table)) {
            *known = Some((Arc::clone(&state.table), program.steps(engine, state, None)));
        }
        if let Some((_, steps)) = known.as_mut() {
            steps.take_if(|steps| !self.always && steps.calls_host_often());
        }
        RefMut::filter_map(known, |known| known.as_mut()?.1.as_mut()).ok()
    }

    /// Plays a game, and counts what it takes as long as that is not known. `state` is that in which games begin. `is_worth`
    /// tells, from the number of games of the machine and their operations, whether compiling is. `game` also returns whether
    /// compiled rules have played it.
    pub(super) fn run<'s, T>(
        &self,
        program: &Program,
        state: impl FnOnce() -> Cow<'s, State>,
        is_worth: impl Fn(u64, u64) -> Worth,
        game: impl FnOnce() -> (T, bool),
    ) -> T {
        match (self.trial.get(), self.engine) {
            (Trial::Machine { games, operations, steps }, Some(engine)) => {
                let before = [program.spent(), program.stepped()];
                let (played, _) = game();
                let operations = operations + program.spent().saturating_sub(before[0]);
                let (games, steps) = (games + 1, steps + program.stepped().saturating_sub(before[1]));
                let worth = if games < SAMPLE { Worth::NotYet } else { is_worth(games, operations) };
                self.trial.set(match worth {
                    Worth::NotYet => Trial::Machine { games, operations, steps },
                    Worth::Yes if program.compile(engine, &state()) => {
                        Trial::Compiled { games: 0, by_host: 0, steps: steps / games }
                    }
                    Worth::Yes | Worth::No => Trial::Settled,
                });
                played
            }
            (Trial::Compiled { games, by_host, steps }, _) => {
                let before = program.spent_by_host();
                let (played, compiled) = game();
                let (games, by_host) = (games + 1, by_host + program.spent_by_host().saturating_sub(before));
                let is_slower = games == SAMPLE && by_host / games * 100 > steps * (100 - SAVED);
                if !compiled || is_slower {
                    program.forget_compiled();
                }
                let settled = !compiled || games == SAMPLE;
                self.trial.set(if settled { Trial::Settled } else { Trial::Compiled { games, by_host, steps } });
                played
            }
            _ => game().0,
        }
    }
}
