//! Perft: counts the sequences of moves. Equal counts are evidence that two implementations of the rules agree.

use super::feed::{Made, once};
use super::progress::stepped;
use super::{Machine, Stop};
use referee_diagnostic::{Code, Diagnostic};
use referee_rules::{End, Keep, Program};
use referee_table::{Phase, State};
use referee_trace::{Action, Answer, Question};

/// Returns the number of sequences of `depth` answers from the pause of a machine. Decisions and random outcomes both
/// count as answers. A game that is over has no continuation.
///
/// # Errors
/// Returns an error if the rules cause an error or ask several players at once.
pub fn perft(machine: &Machine<'_>, depth: usize) -> Result<u64, Box<Diagnostic>> {
    if let Some(count) = Listing::of(machine).and_then(|listing| listing.count(depth)) {
        return Ok(count);
    }
    match depth {
        0 => Ok(1),
        // The last answers need not be played: each is one sequence.
        1 => {
            let count = answers(machine)?.len() as u64;
            stepped(count);
            Ok(count)
        }
        _ => divide(machine, depth)?.iter().map(|(_, count)| Ok(count)).sum(),
    }
}

/// A turn in which the rules list the moves, before a move is made.
struct Listing<'p> {
    program: &'p Program,
    state: State,
    phase: Phase,
    /// The number of consecutive turns without a move before this one.
    passed: usize,
}

impl<'p> Listing<'p> {
    /// Returns the turn in which a machine has paused, if the rules list the moves of a turn.
    fn of(machine: &Machine<'p>) -> Option<Self> {
        let phase = machine.paused()?.phase().clone();
        let listing = Self { program: machine.program(), state: machine.state().clone(), phase, passed: 0 };
        (machine.paused()?.is_fresh(machine.state()) && listing.program.lists(&listing.phase).is_some())
            .then_some(listing)
    }

    /// Returns the number of sequences of moves; `None` if anything happens except moves made in turn. Then the caller
    /// counts answers one by one.
    fn count(self, depth: usize) -> Option<u64> {
        let player = self.program.lists(&self.phase)?;
        if depth == 0 {
            return Some(1);
        }
        self.program.begin(self.state.weight());
        let (state, moves) = self.program.moves(self.state, player);
        let moves = moves?;
        let count = moves.len();
        let (program, phase) = (self.program, &self.phase);
        let after = |state: State, made, passed, depth| {
            let mut run = match made {
                Some(at) => program.run_made(state, phase, &moves, at),
                None => program.run(state, phase, Box::new(Made(None)), Keep::default()),
            };
            match run.end {
                End::Over => Some(0),
                End::Returned => {
                    let phase = run.state.due();
                    Self { program, state: run.state, phase, passed }.count(depth)
                }
                End::Paused(_) | End::Refused(_) | End::Fault(_) => None,
            }
        };
        match (count, depth) {
            // The player has no move and passes. Leave two consecutive passes to the general count.
            (0, _) if self.passed < program.schema().players.len() => after(state, None, self.passed + 1, depth),
            (0, _) => None,
            (_, 1) => {
                stepped(count as u64);
                Some(count as u64)
            }
            _ => (0..count).map(|at| after(state.clone(), Some(at), 0, depth - 1)).sum(),
        }
    }
}

/// Returns the same number split by the first answer, in the order of the options.
///
/// # Errors
/// Returns the errors of [`perft`].
pub fn divide(machine: &Machine<'_>, depth: usize) -> Result<Vec<(String, u64)>, Box<Diagnostic>> {
    let mut counts = Vec::new();
    for (name, answer) in answers(machine)? {
        let mut next = machine.silent_clone();
        next.go_on(&once(answer));
        if let Stop::Fault(wrong) = next.stop() {
            return Err(wrong.clone());
        }
        counts.push((name, perft(&next, depth.saturating_sub(1))?));
    }
    Ok(counts)
}

/// Returns all answers to the question at a pause, with their words.
fn answers(machine: &Machine<'_>) -> Result<Vec<(String, Answer)>, Box<Diagnostic>> {
    let Stop::Paused(ask) = machine.stop() else { return Ok(Vec::new()) };
    let names = machine.names();
    match &ask.question {
        Question::Choose(decision) => {
            let option = |(at, action): (usize, &Action)| (action.write(names), Answer::Chosen(at));
            Ok(decision.options.iter().enumerate().map(option).collect())
        }
        Question::Roll(_) | Question::Draw(_) => {
            let written = |answer: &Answer| ask.question.write_chance(names, answer).unwrap_or_default();
            let chances = ask.question.chances(machine.state());
            Ok(chances.into_iter().map(|(answer, _)| (written(&answer), answer)).collect())
        }
        Question::ChooseAll(_) => {
            let message = "decisions of several players at once cannot be counted yet";
            Err(Box::new(Diagnostic::general(Code::NotSupported, message)))
        }
    }
}
