//! Perft: how many ways play can go, move by move. Agreed numbers show that two readings of the rules are the same.

use super::feed::once;
use super::odds::chances;
use super::{Machine, Stop};
use crate::diagnostic::Diagnostic;
use crate::trace::{Action, Answer, Question};

/// The number of sequences of `depth` answers from where a machine has paused; decisions and dice count alike, and a
/// game that is over has no continuation.
///
/// # Errors
/// The rules go wrong on the way, or ask several players at once.
pub fn perft(machine: &Machine<'_>, depth: usize) -> Result<u64, Box<Diagnostic>> {
    match depth {
        0 => Ok(1),
        // The last answers need not be played: there are as many sequences as answers.
        1 => Ok(answers(machine)?.len() as u64),
        _ => divide(machine, depth)?.iter().map(|(_, count)| Ok(count)).sum(),
    }
}

/// The same, split by the first answer, in the order of the options.
///
/// # Errors
/// As [`perft`].
pub fn divide(machine: &Machine<'_>, depth: usize) -> Result<Vec<(String, u64)>, Box<Diagnostic>> {
    let mut counts = Vec::new();
    for (name, answer) in answers(machine)? {
        let mut next = machine.clone();
        next.go_on(&once(answer));
        if let Stop::Fault(wrong) = next.stop() {
            return Err(wrong.clone());
        }
        counts.push((name, perft(&next, depth.saturating_sub(1))?));
    }
    Ok(counts)
}

/// Every answer that the question at a pause may have, with its words.
fn answers(machine: &Machine<'_>) -> Result<Vec<(String, Answer)>, Box<Diagnostic>> {
    let Stop::Paused(ask) = machine.stop() else { return Ok(Vec::new()) };
    let names = machine.names();
    match &ask.question {
        Question::Choose(decision) => {
            let option = |(at, action): (usize, &Action)| (action.write(names), Answer::Chosen(at));
            Ok(decision.options.iter().enumerate().map(option).collect())
        }
        Question::Roll(_) => {
            let faces = chances(&ask.question, machine.state()).unwrap_or_default();
            let named = |(answer, _)| match answer {
                Answer::Rolled(face) => (format!("{} {face}", ask.question.write(names)), Answer::Rolled(face)),
                other => (String::new(), other),
            };
            Ok(faces.into_iter().map(named).collect())
        }
        Question::ChooseAll(_) => {
            let message = "decisions of several players at once cannot be counted yet";
            Err(Box::new(Diagnostic::general("not_supported", message)))
        }
    }
}
