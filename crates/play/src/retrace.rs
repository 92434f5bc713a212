//! Plays the answers of a game again, and returns the position at the beginning of each phase.

use std::rc::Rc;

use super::feed::{FromFeed, tape};
use super::playout::Start;
use referee_rules::{End, Keep, Program, SILENT_PHASES};
use referee_table::{Phase, State};
use referee_trace::{Answer, Ask};

/// A phase of a game that was played again.
#[derive(Clone, Debug)]
pub struct Leg {
    /// The state at its beginning; the phases after it are still on the agenda.
    pub state: State,
    /// The phase.
    pub phase: Phase,
    /// The asks in it, with their answers.
    pub answers: Vec<(Ask, Answer)>,
}

impl Leg {
    /// Returns whether the phase is a player's turn.
    #[must_use]
    pub fn is_turn(&self) -> bool {
        self.phase.is_turn()
    }
}

/// Returns the phases that begin while these answers are played from `start`. If the start is in the middle of a phase,
/// the rest of that phase is left out.
#[must_use]
pub fn retrace(program: &Program, start: &Start, answers: Vec<Answer>) -> Vec<Leg> {
    let feed = tape(answers);
    let keep = Keep { answers: true, ..Keep::default() };
    let (mut state, mut paused) = start.parts();
    let mut legs: Vec<Leg> = Vec::new();
    // The number of consecutive phases without an ask.
    let mut silent = 0;
    loop {
        if silent == 0 {
            program.begin(state.weight());
        }
        let source = Box::new(FromFeed(Rc::clone(&feed)));
        let run = match paused.take() {
            Some(paused) => program.resume(state, &paused, source, keep),
            None => {
                let phase = state.due();
                let run = program.run(state.clone(), &phase, source, keep);
                legs.push(Leg { state, phase, answers: run.answered.clone() });
                run
            }
        };
        state = run.state;
        silent = if run.answered.is_empty() { silent + 1 } else { 0 };
        if !matches!(run.end, End::Returned) || silent >= SILENT_PHASES {
            return legs;
        }
    }
}
