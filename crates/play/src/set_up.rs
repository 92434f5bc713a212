//! Plays a set-up alone.

use super::points::{self, Broken, Stand, put_next};
use super::random::Random;
use referee_diagnostic::Diagnostic;
use referee_rules::{Program, SILENT_PHASES};
use referee_table::{Phase, State};
use referee_trace::{Answer, Ask, Decision, Question};

/// The maximum numbers of asks and of phases.
const ASKS: usize = 10_000;
const PHASES: usize = 100_000;

/// Runs the phases of a set-up, and those that they add, with random answers. Returns the error with which the rules
/// stop, if they do.
#[must_use]
pub fn set_up_fault(program: &Program, start: &State, phases: &[Phase]) -> Option<Diagnostic> {
    let mut state = begun(program, start, phases);
    let mut random = Random::of_game(1, 0);
    let mut asks = ASKS;
    let mut silent = 0;
    for _ in 0..PHASES {
        if state.agenda.is_empty() {
            return None;
        }
        if silent >= SILENT_PHASES {
            return Some(program.too_silent(state));
        }
        let asks_before = asks;
        state = match after_phase(program, state, &mut asks, &mut random) {
            Ok(next) => next,
            Err(wrong) => return wrong.map(|wrong| *wrong),
        };
        silent = if asks < asks_before { 0 } else { silent + 1 };
    }
    None
}

/// Returns a start with the phases that are still to run.
pub(super) fn begun(program: &Program, start: &State, phases: &[Phase]) -> State {
    let mut state = start.clone();
    state.agenda = phases.iter().rev().cloned().collect();
    state.note_turn_rules(program.turn_rules());
    if program.needs_history() {
        state.keep_history();
    }
    state
}

/// Runs the next phase with random answers, of which there may be `asks` more.
///
/// # Errors
/// Returns an error if no phase follows: the error of the rules, if they caused one.
pub(super) fn after_phase(
    program: &Program,
    mut state: State,
    asks: &mut usize,
    random: &mut Random,
) -> Result<State, Option<Box<Diagnostic>>> {
    put_next(&mut state);
    let mut stand = points::begin(program, state);
    loop {
        match stand {
            Ok(Stand::Between(next, _)) => return Ok(*next),
            Ok(Stand::Asks(pause)) if *asks > 0 => {
                *asks -= 1;
                // Where values are not listed and none is suggested, this ends; who plays the game is told.
                let Some(answer) = any_answer(&pause.state, &pause.ask, random) else { return Err(None) };
                stand = points::answer(program, &pause, &answer);
            }
            Ok(Stand::Asks(_) | Stand::Over(_)) | Err(Broken::History(_)) => return Err(None),
            Err(Broken::Fault(wrong)) => return Err(Some(wrong)),
        }
    }
}

/// Returns a random answer to an ask; `None` if there is none to choose among.
fn any_answer(state: &State, ask: &Ask, random: &mut Random) -> Option<Answer> {
    let option = |decision: &Decision, random: &mut Random| random.place(decision.options.len());
    Some(match &ask.question {
        Question::Choose(decision) if decision.unlisted().is_some() => return None,
        Question::Choose(decision) => Answer::Chosen(option(decision, random)),
        Question::ChooseAll(decisions) => {
            Answer::AllChosen(decisions.iter().map(|decision| option(decision, random)).collect())
        }
        Question::Roll(die) => Answer::Rolled(random.throw(state.schema(), *die)),
        Question::Draw(zone) => random.card(state, *zone),
    })
}
