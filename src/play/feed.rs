//! Where answers come from.

use std::cell::RefCell;
use std::rc::Rc;

use crate::rules::{Answers, Reply};
use crate::table::State;
use crate::trace::{Answer, Ask};

/// Reads the next answer from wherever answers come from.
pub trait Reader {
    /// Returns the answer to `ask`, asked in `state`.
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

/// Returns a feed of one answer.
pub(super) fn once(answer: Answer) -> Feed {
    Rc::new(RefCell::new(Once(Some(answer))))
}

/// Answers by a feed.
pub(super) struct FromFeed(pub(super) Feed);

impl Answers for FromFeed {
    fn answer(&mut self, ask: &Ask, state: &State) -> Reply {
        self.0.borrow_mut().read(ask, state)
    }
}

/// Answers by one answer, and then no more: the run pauses at the next ask.
pub(super) struct OneAnswer(pub(super) Option<Answer>);

impl Answers for OneAnswer {
    fn answer(&mut self, _: &Ask, _: &State) -> Reply {
        self.0.take().map_or(Reply::Pause, Reply::Answer)
    }
}
