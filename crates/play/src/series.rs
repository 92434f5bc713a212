//! Games at random that begin alike and of which only counts are wanted, as compiled rules play them in the quickest way.

use std::cell::RefCell;
use std::rc::Rc;

use referee_rules::{Counted, Playing, Program};
use referee_table::{Outcome, Phase};

use crate::misses::Misses;
use crate::random::Random;
use crate::tally::Tally;

/// Games of one start that are only counted.
pub struct Series {
    games: Counted,
    /// The random generator of the present game.
    random: Rc<RefCell<Random>>,
    /// What is counted before a game begins.
    before: Tally,
    /// The number of turns after which a game is stopped.
    max_plies: u64,
    /// The games that were to be played in another way.
    misses: Misses,
}

impl Series {
    /// Returns the games that begin with a phase; `None` if the rules that are compiled do not play them alone. `before` is what is
    /// counted before.
    pub(super) fn of(
        program: &Program,
        (playing, phase): (Playing, Phase),
        before: Tally,
        max_plies: u64,
    ) -> Option<Self> {
        let random = Rc::new(RefCell::new(Random::of_game(0, 0)));
        let source = Rc::clone(&random);
        let draws = move |numbers: &mut [u64]| source.borrow_mut().fill(numbers);
        let games = program.counted(playing, phase, Rc::new(RefCell::new(draws)))?;
        Some(Self { games, random, before, max_plies, misses: Misses::NONE })
    }

    /// Returns whether these are games that stop after so many turns, and worth trying.
    pub(super) const fn is_for(&self, max_plies: u64) -> bool {
        self.max_plies == max_plies && !self.misses.are_too_many()
    }

    /// Plays game `number` of the series for `seed`. Returns its outcome, none if it was stopped, and its counts; `None` if it is
    /// to be played in another way.
    pub(super) fn play(&mut self, program: &Program, seed: u64, number: u64) -> Option<(Option<Outcome>, Tally)> {
        self.random.replace(Random::of_game(seed, number));
        let game = program.count(&mut self.games);
        self.misses.count(game.is_none());
        let game = game?;
        let mut tally = self.before.clone();
        if game.turns > 0 {
            tally.plies += game.turns;
            tally.last_clause = None;
        }
        tally.add(&game.counts);
        tally.ended(game.state);
        Some((game.outcome, tally))
    }
}

impl std::fmt::Debug for Series {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Series").field("misses", &self.misses).finish_non_exhaustive()
    }
}
