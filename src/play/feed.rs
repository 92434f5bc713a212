//! Answers from outside, behind those that a re-run repeats.

use std::cell::RefCell;
use std::rc::Rc;

use crate::rules::{Answers, Reply};
use crate::table::State;
use crate::trace::{Answer, Ask};

/// Reads the next answer from wherever answers come from.
pub trait Reader {
    /// The answer to `ask`, asked in `state`.
    fn read(&mut self, ask: &Ask, state: &State) -> Reply;
}

/// A reader that may be asked again after a pause, by whoever holds it.
pub type Feed = Rc<RefCell<dyn Reader>>;

/// Answers one question and then no more.
struct Once(Option<Answer>);

impl Reader for Once {
    fn read(&mut self, _: &Ask, _: &State) -> Reply {
        self.0.take().map_or(Reply::Pause, Reply::Answer)
    }
}

/// A feed of one answer.
pub(super) fn once(answer: Answer) -> Feed {
    Rc::new(RefCell::new(Once(Some(answer))))
}

/// First the answers given before, which must be asked for as before; then the feed.
pub(super) struct Replayed {
    pub(super) given: std::vec::IntoIter<(Ask, Answer)>,
    pub(super) feed: Feed,
    /// Set when the rules ask otherwise than they did.
    pub(super) differs: Rc<RefCell<Option<(Ask, Ask)>>>,
}

impl Answers for Replayed {
    fn answer(&mut self, ask: &Ask, state: &State) -> Reply {
        match self.given.next() {
            Some((before, answer)) if before == *ask => Reply::Answer(answer),
            Some((before, _)) => {
                *self.differs.borrow_mut() = Some((before, ask.clone()));
                Reply::Refuse
            }
            None => self.feed.borrow_mut().read(ask, state),
        }
    }
}
