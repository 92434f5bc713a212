//! Instructions: an action that a player takes whenever it matches exactly one option, and an optional condition.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use referee_diagnostic::Diagnostic;
use referee_rules::{Placeholders, Program};
use referee_source::{Source, Span};
use referee_table::{PlayerId, State, Value};
use referee_trace::{Action, Decision};

/// An instruction, such as `ann hold` or `ann hold if { game.pot >= 20 }`.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// The player.
    pub player: PlayerId,
    /// The action.
    pub action: Action,
    /// The condition; `None` for always.
    pub condition: Option<Condition>,
    /// The instruction as written.
    pub words: String,
    /// Whether the instruction has decided anything; shared by clones.
    pub(super) followed: Arc<AtomicBool>,
}

/// An expression that is evaluated on the state as the player sees it, with the player as `me`.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The source that contains the expression.
    pub source: Arc<Source>,
    /// The expression, braces included.
    pub span: Span,
    /// The values of placeholders.
    pub placeholders: Placeholders,
}

impl Instruction {
    /// Returns an instruction.
    #[must_use]
    pub fn new(player: PlayerId, action: Action, condition: Option<Condition>, words: String) -> Self {
        Self { player, action, condition, words, followed: Arc::default() }
    }

    /// Returns an instruction without a condition.
    #[must_use]
    pub fn always(player: PlayerId, action: Action) -> Self {
        Self::new(player, action, None, String::new())
    }

    /// Returns the same instruction for another player. It counts as followed if either decides anything.
    #[must_use]
    pub fn of_player(&self, player: PlayerId) -> Self {
        Self { player, ..self.clone() }
    }

    /// Records that the instruction has decided something.
    pub(super) fn follow(&self) {
        self.followed.store(true, Ordering::Relaxed);
    }

    /// Returns whether the instruction or a clone has decided anything in a playout.
    #[must_use]
    pub fn is_followed(&self) -> bool {
        self.followed.load(Ordering::Relaxed)
    }

    /// Returns the index of the option that equals the action or, otherwise, of the only option that it matches.
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

    /// Returns whether the condition holds; `true` without a condition.
    ///
    /// # Errors
    /// Returns an error if the evaluation of the condition fails.
    pub(super) fn holds(&self, program: &Program, state: &State) -> Result<bool, Box<Diagnostic>> {
        self.condition.as_ref().map_or(Ok(true), |condition| condition.holds(program, self.player, state))
    }
}

impl Condition {
    /// Checks the expression.
    ///
    /// # Errors
    /// Returns all errors in the expression.
    pub fn check(&self, program: &Program) -> Result<(), Vec<Diagnostic>> {
        program.compile_expression(&self.source, self.span, &self.placeholders_of(PlayerId(0)))
    }

    fn placeholders_of(&self, player: PlayerId) -> Placeholders {
        self.placeholders.iter().cloned().chain([("me".to_owned(), Value::Player(player))]).collect()
    }

    fn holds(&self, program: &Program, player: PlayerId, state: &State) -> Result<bool, Box<Diagnostic>> {
        let judge =
            |state: &State| program.judge_expression(&self.source, self.span, &self.placeholders_of(player), state);
        // The condition must not use what the player cannot see.
        if state.hides_any() { judge(&state.view(player).state) } else { judge(state) }
    }
}
