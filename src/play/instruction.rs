//! What a player does wherever that means one option only, maybe on a condition.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::diagnostic::Diagnostic;
use crate::rules::{Holes, Program};
use crate::source::{Source, Span};
use crate::table::{PlayerId, State, Value};
use crate::trace::{Action, Decision};

/// `ann hold`, or `ann hold if { game.pot >= 20 }`.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// Who does it.
    pub player: PlayerId,
    /// What they do.
    pub action: Action,
    /// When; `None` for always.
    pub condition: Option<Condition>,
    /// The same in the words in which it was written.
    pub words: String,
    /// Whether it has decided something; clones share it.
    pub(super) followed: Arc<AtomicBool>,
}

/// An expression that is judged on what a player knows, who is called `me` there.
#[derive(Clone, Debug)]
pub struct Condition {
    /// Where it is written.
    pub source: Arc<Source>,
    /// The expression, braces included.
    pub span: Span,
    /// The values of a table's row.
    pub holes: Holes,
}

impl Instruction {
    /// Returns an instruction that has decided nothing so far.
    #[must_use]
    pub fn new(player: PlayerId, action: Action, condition: Option<Condition>, words: String) -> Self {
        Self { player, action, condition, words, followed: Arc::default() }
    }

    /// Returns an instruction without a condition.
    #[must_use]
    pub fn always(player: PlayerId, action: Action) -> Self {
        Self::new(player, action, None, String::new())
    }

    /// Notes that it has decided something.
    pub(super) fn follow(&self) {
        self.followed.store(true, Ordering::Relaxed);
    }

    /// Returns whether it, or a clone of it, has decided something in a playout.
    #[must_use]
    pub fn is_followed(&self) -> bool {
        self.followed.load(Ordering::Relaxed)
    }

    /// Returns the place of the option that it means: the one that equals it or, otherwise, the only one that fits.
    pub(super) fn option(&self, decision: &Decision) -> Option<usize> {
        if self.player != decision.player {
            return None;
        }
        let exact = decision.options.iter().position(|option| *option == self.action);
        let mut fitting = decision.options.iter().enumerate().filter(|(_, option)| self.action.fits(option));
        let only = match (fitting.next(), fitting.next()) {
            (Some((only, _)), None) => Some(only),
            _ => None,
        };
        exact.or(only)
    }

    /// Returns whether its condition holds, if it has one.
    ///
    /// # Errors
    /// Returns an error if the condition goes wrong.
    pub(super) fn holds(&self, program: &Program, state: &State) -> Result<bool, Box<Diagnostic>> {
        self.condition.as_ref().map_or(Ok(true), |condition| condition.holds(program, self.player, state))
    }
}

impl Condition {
    /// What is wrong with the expression, if anything.
    ///
    /// # Errors
    /// Returns everything that is wrong with it.
    pub fn check(&self, program: &Program) -> Result<(), Vec<Diagnostic>> {
        program.compile_island(&self.source, self.span, &self.holes_of(PlayerId(0)))
    }

    fn holes_of(&self, player: PlayerId) -> Holes {
        self.holes.iter().cloned().chain([("me".to_owned(), Value::Player(player))]).collect()
    }

    fn holds(&self, program: &Program, player: PlayerId, state: &State) -> Result<bool, Box<Diagnostic>> {
        let judge = |state: &State| program.judge_island(&self.source, self.span, &self.holes_of(player), state);
        // What the player may not see is not there for the condition.
        if state.hides_cards() { judge(&state.view(player).state) } else { judge(state) }
    }
}
