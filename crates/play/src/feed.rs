//! Sources of answers.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use referee_rules::{Answers, Reply};
use referee_table::{DieId, Move, PlayerId, State, Throw};
use referee_trace::{Answer, Ask};

/// A source of answers.
pub trait AnswerSource {
    /// Returns the answer to `ask`, asked in `state`.
    fn read(&mut self, ask: &Ask, state: &State) -> Reply;

    /// Returns the place of the next answer, if it is the answer to whatever is asked next.
    fn at_hand(&mut self) -> Option<&mut Option<Answer>> {
        None
    }
}

/// A shared source of answers, which remains usable after a pause.
pub type SharedAnswers = Rc<RefCell<dyn AnswerSource>>;

/// A source of a single answer.
struct Once(Option<Answer>);

impl AnswerSource for Once {
    fn read(&mut self, _: &Ask, _: &State) -> Reply {
        self.0.take().map_or(Reply::Pause, Reply::Answer)
    }

    fn at_hand(&mut self) -> Option<&mut Option<Answer>> {
        Some(&mut self.0)
    }
}

/// A source of answers in order; it pauses after the last.
struct Tape(VecDeque<Answer>);

impl AnswerSource for Tape {
    fn read(&mut self, _: &Ask, _: &State) -> Reply {
        self.0.pop_front().map_or(Reply::Pause, Reply::Answer)
    }
}

/// Returns a source of these answers, which pauses after the last.
#[must_use]
pub fn tape(answers: Vec<Answer>) -> SharedAnswers {
    Rc::new(RefCell::new(Tape(answers.into())))
}

/// Returns a source of a single answer.
pub(super) fn once(answer: Answer) -> SharedAnswers {
    Rc::new(RefCell::new(Once(Some(answer))))
}

/// An adapter from a shared source to [`Answers`].
pub(super) struct FromFeed(pub(super) SharedAnswers);

impl Answers for FromFeed {
    fn answer(&mut self, ask: &Ask, state: &State) -> Reply {
        self.0.borrow_mut().read(ask, state)
    }

    fn pick(&mut self, _: PlayerId, _: &[Move], _: &State) -> Option<usize> {
        chosen(self.0.borrow_mut().at_hand()?)
    }

    fn throw(&mut self, _: DieId, _: &State) -> Option<Throw> {
        thrown(self.0.borrow_mut().at_hand()?)
    }

    fn pick_of(&mut self, _: PlayerId, _: usize) -> Option<usize> {
        chosen(self.0.borrow_mut().at_hand()?)
    }
}

/// A single answer; the run pauses at the next ask.
pub(super) struct OneAnswer(pub(super) Option<Answer>);

impl Answers for OneAnswer {
    fn answer(&mut self, _: &Ask, _: &State) -> Reply {
        self.0.take().map_or(Reply::Pause, Reply::Answer)
    }

    fn pick(&mut self, _: PlayerId, _: &[Move], _: &State) -> Option<usize> {
        chosen(&mut self.0)
    }

    fn throw(&mut self, _: DieId, _: &State) -> Option<Throw> {
        thrown(&mut self.0)
    }

    fn pick_of(&mut self, _: PlayerId, _: usize) -> Option<usize> {
        chosen(&mut self.0)
    }
}

/// Takes an answer, if it is a choice.
fn chosen(answer: &mut Option<Answer>) -> Option<usize> {
    match answer.take_if(|answer| matches!(answer, Answer::Chosen(_)))? {
        Answer::Chosen(at) => Some(at),
        _ => None,
    }
}

/// Takes an answer, if it is a throw.
fn thrown(answer: &mut Option<Answer>) -> Option<Throw> {
    match answer.take_if(|answer| matches!(answer, Answer::Rolled(_)))? {
        Answer::Rolled(throw) => Some(throw),
        _ => None,
    }
}

/// The index of the listed move to make in a built-in turn; the run pauses at the next ask.
pub(super) struct Made(pub(super) Option<usize>);

impl Answers for Made {
    fn pick(&mut self, _: PlayerId, _: &[Move], _: &State) -> Option<usize> {
        self.0.take()
    }

    fn answer(&mut self, _: &Ask, _: &State) -> Reply {
        Reply::Pause
    }
}
