//! Games that are played at a table, one question after the other.

use referee_scenario::Sitting;
use referee_trace::{Answer, Question};

/// Returns an answer to the present question, a different one each time; `None` if nothing is asked.
pub(super) fn any(sitting: &Sitting<'_>, step: usize) -> Option<Answer> {
    Some(match &sitting.ask()?.question {
        Question::Choose(decision) => Answer::Chosen(step * 7 % decision.options.len()),
        Question::ChooseAll(all) => {
            Answer::AllChosen(all.iter().map(|decision| step * 5 % decision.options.len()).collect())
        }
        Question::Roll(_) | Question::Draw(_) => sitting.chance(step as u64)?,
    })
}
