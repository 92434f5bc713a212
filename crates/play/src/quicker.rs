//! Whether compiled rules play the games of a series, follow play in searches, and rate options: it is decided by counts of
//! what the machine has done. The games are the same either way.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell, RefMut};
use std::sync::Arc;

use referee_rules::{Engine, Expression, Program, Steps};
use referee_source::{Source, Span};
use referee_table::{State, Table};

use super::misses::Misses;
use super::series::Series;

/// The number of games that are counted, by the machine first and then by compiled rules.
const SAMPLE: u64 = 4;

/// From how many operations of the machine in the games that are left compiling is worth it: about twice what it takes.
pub(super) const WORTH: u64 = 2_000_000;

/// Which part of the machine's steps compiled rules must save, in percent, so that they go on: what they do themselves
/// takes time, too.
const SAVED: u64 = 20;

/// Whether compiling is worth it for the games to come.
pub(super) enum WorthIt {
    NotYet,
    No,
    Yes,
}

impl WorthIt {
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
    /// The same with an expression that rates options, for each of those asked for last.
    raters: RefCell<Vec<Rater>>,
    /// How many operations the machine has spent on rating.
    rated: Cell<u64>,
    /// How often compiled rules have rated the options of a decision.
    rated_by_compiled: Cell<u64>,
    /// The games with greedy players that the machine has had to play.
    rated_games: Cell<Misses>,
    /// Whether searches and ratings use them at once.
    always: bool,
    /// The games that are only counted, once it is known whether compiled rules play them alone.
    series: OnceCell<Option<RefCell<Series>>>,
}

/// From how many operations spent on rating options on rules are compiled for that. It is less than [`WORTH`], because rating
/// also copies a machine for each option, which no operation counts.
const RATED_WORTH: u64 = 400_000;

/// The number of expressions for which compiled rules are kept.
const MOST_RATERS: usize = 8;

/// Compiled rules with an expression that rates options, for games of a table; `None` if the machine rates them.
#[derive(Debug)]
struct Rater {
    table: Arc<Table>,
    expression: (Arc<Source>, Span),
    steps: Option<Steps>,
}

/// Compiled rules for the expressions by which players rate options.
pub(super) struct Raters<'q> {
    raters: RefMut<'q, Vec<Rater>>,
    /// For each expression where its rules are.
    at: Vec<usize>,
}

impl Raters<'_> {
    /// Returns the rules for the expression with a number.
    pub(super) fn steps(&mut self, expression: usize) -> Option<&mut Steps> {
        self.raters.get_mut(*self.at.get(expression)?)?.steps.as_mut()
    }
}

impl Rater {
    fn is_for(&self, state: &State, expression: Expression<'_>) -> bool {
        let (source, span) = &self.expression;
        let is_same = || source.slice(*span) == expression.source.slice(expression.span);
        Arc::ptr_eq(&self.table, &state.table) && is_same()
    }
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
        Self {
            engine,
            trial,
            steps: RefCell::new(None),
            raters: RefCell::new(Vec::new()),
            rated: Cell::new(0),
            rated_by_compiled: Cell::new(0),
            rated_games: Cell::new(Misses::NONE),
            always: false,
            series: OnceCell::new(),
        }
    }

    /// Returns one with which compiled rules follow play in searches and rate options from the beginning on, for comparisons.
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

    /// Counts what the machine has done to rate options.
    pub(super) fn has_rated(&self, operations: u64) {
        self.rated.set(self.rated.get().saturating_add(operations));
    }

    /// Returns whether compiled rules are to rate options: the machine has done much to rate them.
    pub(super) const fn rates(&self) -> bool {
        self.engine.is_some() && (self.always || self.rated.get() >= RATED_WORTH)
    }

    /// Returns compiled rules that rate options by an expression in games of a state's table, if they are to.
    pub(super) fn rating(
        &self,
        program: &Program,
        state: &State,
        expression: Expression<'_>,
    ) -> Option<RefMut<'_, Steps>> {
        let Raters { raters, at } = self.raters(program, state, &[expression])?;
        RefMut::filter_map(raters, |raters| raters.get_mut(*at.first()?)?.steps.as_mut()).ok()
    }

    /// Returns them for several expressions; `None` if the machine is to rate options by one of them.
    pub(super) fn raters(
        &self,
        program: &Program,
        state: &State,
        expressions: &[Expression<'_>],
    ) -> Option<Raters<'_>> {
        let engine = self.engine.filter(|_| self.rates() && expressions.len() <= MOST_RATERS)?;
        let mut raters = self.raters.borrow_mut();
        let place = |raters: &[Rater], expression: &Expression<'_>| {
            raters.iter().position(|rater| rater.is_for(state, *expression))
        };
        for expression in expressions {
            if place(&raters, expression).is_none() {
                if raters.len() == MOST_RATERS {
                    raters.remove(0);
                }
                let steps = program.steps(engine, state, Some(*expression));
                let expression = (Arc::clone(expression.source), expression.span);
                raters.push(Rater { table: Arc::clone(&state.table), expression, steps });
            }
        }
        let at: Vec<usize> = expressions.iter().map(|expression| place(&raters, expression)).collect::<Option<_>>()?;
        for at in &at {
            let steps = &mut raters.get_mut(*at)?.steps;
            steps.take_if(|steps| !self.always && steps.calls_host_often());
            steps.as_ref()?;
        }
        Some(Raters { raters, at })
    }

    /// Plays a game whose players rate options by compiled rules, unless the machine has had to play too many. `play` returns
    /// `None` if there are no such rules, and `None` within if the machine is to play the game.
    pub(super) fn rated_game<T>(&self, play: impl FnOnce() -> Option<Option<T>>) -> Option<T> {
        let mut misses = self.rated_games.get();
        if !self.rates() || misses.are_too_many() {
            return None;
        }
        let played = play()?;
        misses.count(played.is_none());
        self.rated_games.set(misses);
        played
    }

    /// Returns how often compiled rules have rated the options of a decision.
    #[must_use]
    pub const fn rated_by_compiled_rules(&self) -> u64 {
        self.rated_by_compiled.get()
    }

    /// Notes whether compiled rules have rated options by an expression. If they have not, the machine rates them from now on.
    pub(super) fn compiled_rated(&self, state: &State, expression: Expression<'_>, rated: bool) {
        if rated {
            return self.rated_by_compiled.set(self.rated_by_compiled.get().saturating_add(1));
        }
        let mut raters = self.raters.borrow_mut();
        if let Some(rater) = raters.iter_mut().find(|rater| rater.is_for(state, expression)) {
            rater.steps = None;
        }
    }

    /// Plays a game, and counts what it takes as long as that is not known. `state` is that in which games begin. `is_worth`
    /// tells, from the number of games of the machine and their operations, whether compiling is. `game` also returns whether
    /// compiled rules have played it.
    pub(super) fn run<'s, T>(
        &self,
        program: &Program,
        state: impl FnOnce() -> Cow<'s, State>,
        is_worth: impl Fn(u64, u64) -> WorthIt,
        game: impl FnOnce() -> (T, bool),
    ) -> T {
        match (self.trial.get(), self.engine) {
            (Trial::Machine { games, operations, steps }, Some(engine)) => {
                let before = [program.spent(), program.stepped()];
                let (played, _) = game();
                let operations = operations + program.spent().saturating_sub(before[0]);
                let (games, steps) = (games + 1, steps + program.stepped().saturating_sub(before[1]));
                let worth = if games < SAMPLE { WorthIt::NotYet } else { is_worth(games, operations) };
                self.trial.set(match worth {
                    WorthIt::NotYet => Trial::Machine { games, operations, steps },
                    WorthIt::Yes if program.compile(engine, &state()) => {
                        Trial::Compiled { games: 0, by_host: 0, steps: steps / games }
                    }
                    WorthIt::Yes | WorthIt::No => Trial::Settled,
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
