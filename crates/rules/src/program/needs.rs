//! What a run needs to begin again that asks for unknown cards: the state, and the answers that it was given.

use std::cell::RefCell;
use std::hash::Hash as _;
use std::rc::Rc;

use crate::host::{Answers, Reply};
use referee_table::{DieId, Move, Packer, PlayerId, State, Throw, ZoneId};
use referee_trace::{Answer, Ask, RulesPlace};

/// What a run that asks for unknown cards needs to begin again.
#[derive(Clone, Debug)]
pub(super) struct Needs {
    /// The state in which it begins.
    pub(super) begun: State,
    /// The zone with the unknown cards, and the place of the call that looks at them.
    pub(super) zone: ZoneId,
    pub(super) place: RulesPlace,
    /// What it was given so far.
    pub(super) given: Vec<Given>,
    /// The unknown cards that were decided so far, each with the number of answers before it.
    pub(super) dealt: Vec<(usize, Ask, Answer)>,
    /// How many events and answers of it are reported already.
    pub(super) reported: [usize; 2],
}

/// An answer, or the index that a source of answers has returned in place of one.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(super) enum Given {
    Answer(Answer),
    Thrown(Throw),
    Move(usize),
    Plain(usize),
}

impl Needs {
    /// Returns the approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        let given = self.given.len() * size_of::<Given>() + self.dealt.len() * size_of::<(usize, Ask, Answer)>();
        size_of::<Self>() + given + usize::try_from(self.begun.bytes()).unwrap_or(usize::MAX)
    }

    /// Packs everything that decides how the run goes on.
    pub(super) fn pack(&self, packer: &mut Packer) {
        packer.state(&self.begun);
        (self.zone, &self.given).hash(packer);
    }
}

/// A source that gives again what was given, and then what another source has.
pub(super) struct Again {
    pub(super) source: Rc<RefCell<Box<dyn Answers>>>,
    pub(super) given: Rc<RefCell<Vec<Given>>>,
    pub(super) at: usize,
}

impl Again {
    /// Returns what is given again: `Err` if the other source is next.
    fn next<T>(&mut self, read: impl FnOnce(&Given) -> Option<T>) -> Result<Option<T>, ()> {
        let given = self.given.borrow();
        let read = read(given.get(self.at).ok_or(())?);
        self.at += usize::from(read.is_some());
        Ok(read)
    }

    /// Notes what the other source has given.
    fn note(&mut self, given: Given) {
        self.given.borrow_mut().push(given);
        self.at += 1;
    }
}

impl Answers for Again {
    fn answer(&mut self, ask: &Ask, state: &State) -> Reply {
        let again = self.next(|given| match given {
            Given::Answer(answer) => Some(answer.clone()),
            _ => None,
        });
        match again {
            Ok(answer) => answer.map_or(Reply::Pause, Reply::Answer),
            Err(()) => {
                let reply = self.source.borrow_mut().answer(ask, state);
                if let Reply::Answer(answer) = &reply {
                    self.note(Given::Answer(answer.clone()));
                }
                reply
            }
        }
    }

    fn pick(&mut self, player: PlayerId, moves: &[Move], state: &State) -> Option<usize> {
        let again = self.next(|given| if let Given::Move(at) = given { Some(*at) } else { None });
        again.unwrap_or_else(|()| {
            let at = self.source.borrow_mut().pick(player, moves, state)?;
            self.note(Given::Move(at));
            Some(at)
        })
    }

    fn throw(&mut self, die: DieId, state: &State) -> Option<Throw> {
        let again = self.next(|given| if let Given::Thrown(throw) = given { Some(throw.clone()) } else { None });
        again.unwrap_or_else(|()| {
            let throw = self.source.borrow_mut().throw(die, state)?;
            self.note(Given::Thrown(throw.clone()));
            Some(throw)
        })
    }

    fn pick_of(&mut self, player: PlayerId, options: usize) -> Option<usize> {
        let again = self.next(|given| if let Given::Plain(at) = given { Some(*at) } else { None });
        again.unwrap_or_else(|()| {
            let at = self.source.borrow_mut().pick_of(player, options)?;
            self.note(Given::Plain(at));
            Some(at)
        })
    }
}
