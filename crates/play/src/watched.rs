//! Random games in which an expression is judged at every point of play, by compiled rules.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use super::misses::Misses;
use super::playout::Playouts;
use super::quicker::WORTH;
use super::random::Random;
use super::stepped::Way;
use super::stepped_games::Answering;
use referee_rules::{Engine, Expression, Program, Reached, Steps};
use referee_source::{Source, Span};
use referee_table::{PlayerId, State};

/// What is known of looking at the games of a series.
#[derive(Debug)]
pub struct Watched {
    engine: Option<Engine>,
    /// From how many operations of the machine it looks.
    after: u64,
    /// What the machine has done to look at games.
    spent: Cell<u64>,
    /// How often a game was looked at for an expression, and how often that was left to the machine.
    misses: Cell<Misses>,
    /// How often compiled rules have found out whether an expression is true in a game.
    looked_at: Cell<u64>,
    judges: RefCell<Vec<Judge>>,
}

/// An expression, and the rules that were compiled with it, if they could be.
#[derive(Debug)]
struct Judge {
    expression: (Arc<Source>, Span),
    steps: Option<Steps>,
}

impl Judge {
    fn is_for(&self, expression: Expression<'_>) -> bool {
        let (source, span) = &self.expression;
        Arc::ptr_eq(source, expression.source) && *span == expression.span
    }
}

impl Default for Watched {
    fn default() -> Self {
        Self::by(Engine::of_machine_code(), WORTH)
    }
}

impl Watched {
    /// Returns one for games that this engine may play once the machine has done so much; without one the machine looks at all.
    #[must_use]
    pub const fn by(engine: Option<Engine>, after: u64) -> Self {
        Self {
            engine,
            after,
            spent: Cell::new(0),
            misses: Cell::new(Misses::NONE),
            looked_at: Cell::new(0),
            judges: RefCell::new(Vec::new()),
        }
    }

    /// Returns whether an expression is true at every point of game `number` of a seed; `None` if the machine is to find out.
    /// `judge` says whether it is true in the state at the start or at the end of a game.
    pub fn holds(
        &self,
        playouts: &Playouts<'_>,
        expression: Expression<'_>,
        (seed, number): (u64, u64),
        judge: &dyn Fn(&State) -> bool,
    ) -> Option<bool> {
        let is_wanted = self.spent.get() >= self.after && !self.misses.get().are_too_many();
        let engine = self.engine.filter(|_| is_wanted)?;
        let mut judges = self.judges.borrow_mut();
        let at = judges.iter().position(|judge| judge.is_for(expression)).unwrap_or(judges.len());
        if at == judges.len() {
            let steps = playouts.program.steps_beside(engine, &playouts.start.for_compiled(), expression);
            judges.push(Judge { expression: (Arc::clone(expression.source), expression.span), steps });
        }
        // Where the machine has to look for one expression, it looks for all.
        if judges.iter().any(|judge| judge.steps.is_none()) {
            return None;
        }
        let mut onlooker = Onlooker { steps: judges.get_mut(at)?.steps.as_mut()?, judge, holds: true };
        let played = playouts.watched(&mut onlooker, Random::of_game(seed, number));
        let holds = onlooker.holds;
        let mut misses = self.misses.get();
        misses.count(played.is_none() && holds);
        self.misses.set(misses);
        let found = if holds { played.map(|()| true) } else { Some(false) };
        self.looked_at.set(self.looked_at.get() + u64::from(found.is_some()));
        found
    }

    /// Returns how often compiled rules have found out whether an expression is true in a game.
    #[must_use]
    pub const fn looked_at(&self) -> u64 {
        self.looked_at.get()
    }

    /// Counts what the machine does where it looks at a game.
    pub fn by_machine<T>(&self, program: &Program, look: impl FnOnce() -> T) -> T {
        let before = program.spent();
        let found = look();
        self.spent.set(self.spent.get().saturating_add(program.spent().saturating_sub(before)));
        found
    }
}

/// Who looks on in a game in which all decide at random.
struct Onlooker<'o> {
    steps: &'o mut Steps,
    judge: &'o dyn Fn(&State) -> bool,
    holds: bool,
}

impl Onlooker<'_> {
    /// Notes whether the expression is true; `None` if it is not, or if that is not known.
    fn note(&mut self, holds: Option<bool>) -> Option<()> {
        self.holds &= holds?;
        self.holds.then_some(())
    }
}

impl Answering for Onlooker<'_> {
    const COUNT: bool = false;

    fn main(&mut self) -> Option<&mut Steps> {
        Some(self.steps)
    }

    fn choice(&mut self, _: (&[u8], &Way), (_, of): (PlayerId, u32), random: &mut Random) -> Option<usize> {
        usize::try_from(of).ok().map(|options| random.place(options))
    }

    fn begin(&mut self, start: &State) -> Option<()> {
        let holds = (self.judge)(start);
        self.note(Some(holds))
    }

    fn look(&mut self, reached: Reached) -> Option<()> {
        let holds = match reached {
            // Only a state says that the game is over.
            Reached::Over => Some((self.judge)(&self.steps.state()?)),
            Reached::Ask(..) | Reached::End => self.steps.holds(None),
        };
        self.note(holds)
    }
}
