//! What chance may answer.

use crate::table::State;
use crate::trace::{Answer, Question};

/// Every answer that chance may give to a question, with its weight against the others; nothing for a decision.
pub(in crate::play) fn chances(question: &Question, state: &State) -> Option<Vec<(Answer, u64)>> {
    match question {
        Question::Roll(die) => {
            let die = state.schema().dice.get(die.index())?;
            Some((die.low..=die.high).map(|face| (Answer::Rolled(face), 1)).collect())
        }
        Question::Choose(_) | Question::ChooseAll(_) => None,
    }
}
