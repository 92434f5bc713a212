//! What running rules work on: the state, the answers, what happened, and why the run stops.
//!
//! Native functions reach the session through a [`Link`]. Once a run is to stop, every native refuses.

use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use super::interpreter::Interpreter;
use super::meter::Meter;
use crate::rules::values::{Native, failure, stopped};
use crate::table::{ClauseId, DieId, Move, Outcome, Phase, PlayerId, State, Throw};
use crate::trace::{Answer, Ask, Event, RulesPlace};

/// Who answers a program's asks.
pub trait Answers {
    /// Returns the answer to `ask`, asked in `state`.
    fn answer(&mut self, ask: &Ask, state: &State) -> Reply;

    /// Returns the place of the move that a player makes of these, no two of which are alike: the short way for whoever
    /// needs to know no more and keeps no answers. Nothing where the ask is to be put in full.
    fn pick(&mut self, _player: PlayerId, _moves: &[Move], _state: &State) -> Option<usize> {
        None
    }

    /// Returns what a die shows, the same way.
    fn throw(&mut self, _die: DieId, _state: &State) -> Option<Throw> {
        None
    }

    /// Returns the same among so many options that are no moves.
    fn pick_of(&mut self, _player: PlayerId, _options: usize) -> Option<usize> {
        None
    }
}

/// What comes back from an ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The answer.
    Answer(Answer),
    /// Nobody answers yet: the program pauses here.
    Pause,
    /// An answer stood ready but does not fit; whoever answered knows why.
    Refuse,
}

/// What of a run is kept for whoever looks at it. What is not kept is checked and weighed all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keep {
    /// The events.
    pub events: bool,
    /// The asks with their answers.
    pub answers: bool,
    /// The state at each event.
    pub moments: bool,
}

/// Why a script does not go on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Halt {
    /// An ask without an answer.
    Pause(Ask),
    /// An ask with an answer that does not fit.
    Refused(Ask),
    /// The game is over.
    Over(Outcome),
}

/// What has happened when the moves of a position began to be listed.
pub(crate) type Marks = (u64, u64, usize, Option<PlayerId>);

/// What a running script works on.
pub(crate) struct Session {
    /// The state; changed by native functions alone.
    pub(crate) state: State,
    /// What ended the run, once something did.
    pub(crate) halt: Option<Halt>,
    /// The phases that the script asked for, in that order.
    pub(crate) then: Vec<Phase>,
    /// What of the run is kept.
    pub(crate) keep: Keep,
    /// What happened.
    pub(crate) events: Vec<Event>,
    /// The clauses that were applied, in the order of their first times, with how often they were.
    pub(crate) clauses: Vec<(ClauseId, u64)>,
    /// The clause that was applied last.
    pub(crate) last_clause: Option<ClauseId>,
    /// How many events and clauses were reported, and how many asks answered.
    pub(crate) told: u64,
    /// The asks that were answered, and the answers.
    pub(crate) answered: Vec<(Ask, Answer)>,
    /// Who answers.
    pub(crate) answers: Box<dyn Answers>,
    /// The state at each event.
    pub(crate) moments: Vec<State>,
    /// Where the rules asked for history that is not kept.
    pub(crate) looked_back: Option<RulesPlace>,
    /// What had happened when `can_move` began to list the moves of a player.
    pub(crate) asking: Vec<Marks>,
    /// The same for the moves of the player whose turn it is.
    pub(crate) listing: Vec<Marks>,
    /// How often the state had been changed when the phase began.
    began: u64,
}

/// What a session remembers over a pause, besides the state.
#[derive(Clone, Debug)]
pub(crate) struct Remembered {
    then: Vec<Phase>,
    told: u64,
    asking: Vec<Marks>,
    listing: Vec<Marks>,
    began: u64,
}

impl Remembered {
    /// Returns whether nothing has happened up to a pause in this state.
    pub(crate) const fn is_fresh(&self, state: &State) -> bool {
        state.changes() == self.began && self.told == 0 && self.then.is_empty() && self.asking.is_empty()
    }

    /// Hashes what decides how a phase goes on.
    pub(crate) fn hash_to(&self, hasher: &mut impl Hasher) {
        self.then.hash(hasher);
        self.asking.hash(hasher);
        self.listing.hash(hasher);
        // How much was reported is compared with what it was when moves began to be listed, and with nothing else.
        if !self.asking.is_empty() || !self.listing.is_empty() {
            self.told.hash(hasher);
        }
    }
}

impl Session {
    /// Returns a session at `state` in which nothing has happened.
    pub(crate) fn new(state: State, answers: Box<dyn Answers>, keep: Keep) -> Box<Self> {
        // It is large, and handed on often.
        Box::new(Self {
            began: state.changes(),
            state,
            halt: None,
            then: Vec::new(),
            asking: Vec::new(),
            listing: Vec::new(),
            keep,
            events: Vec::new(),
            clauses: Vec::new(),
            last_clause: None,
            told: 0,
            answered: Vec::new(),
            answers,
            moments: Vec::new(),
            looked_back: None,
        })
    }

    /// Returns a session that goes on after a pause.
    pub(crate) fn resumed(state: State, answers: Box<dyn Answers>, keep: Keep, remembered: Remembered) -> Box<Self> {
        let mut session = Self::new(state, answers, keep);
        Remembered {
            then: session.then,
            told: session.told,
            asking: session.asking,
            listing: session.listing,
            began: session.began,
        } = remembered;
        session
    }

    /// What is needed to go on after a pause.
    pub(crate) fn remember(&mut self) -> Remembered {
        Remembered {
            then: std::mem::take(&mut self.then),
            told: self.told,
            asking: std::mem::take(&mut self.asking),
            listing: std::mem::take(&mut self.listing),
            began: self.began,
        }
    }

    /// A clause was applied.
    pub(crate) fn applied(&mut self, clause: ClauseId) {
        match self.clauses.iter_mut().find(|(other, _)| *other == clause) {
            Some((_, times)) => *times += 1,
            None => self.clauses.push((clause, 1)),
        }
        self.last_clause = Some(clause);
        self.told += 1;
    }

    /// Equal as long as nothing happens: nothing is reported, asked, changed or put off.
    pub(crate) fn marks(&self) -> Marks {
        (self.told, self.state.changes(), self.then.len(), self.state.next_turn)
    }
}

/// Answers nothing.
pub(crate) struct Nobody;

impl Answers for Nobody {
    fn answer(&mut self, _: &Ask, _: &State) -> Reply {
        Reply::Pause
    }
}

/// How native functions reach the session of the run that calls them.
#[derive(Clone, Default)]
pub(crate) struct Link {
    session: Rc<RefCell<Option<Box<Session>>>>,
    /// What native functions call the script with.
    pub(crate) spare: Rc<RefCell<Option<Interpreter>>>,
    /// The number of the program.
    pub(crate) program: u64,
    /// Counts what the run does.
    pub(crate) meter: Rc<Meter>,
    /// The names of the phases that the rules asked for, each once.
    phases: Rc<RefCell<Vec<Arc<str>>>>,
}

/// The most names of phases that are remembered: rules have few.
const MOST_PHASES: usize = 64;

impl Link {
    /// Returns the link of the program with this number.
    pub(crate) fn of(program: u64) -> Self {
        Self { program, ..Self::default() }
    }

    /// Returns the name of a phase; the same one is not laid down again.
    pub(crate) fn phase_name(&self, name: &str) -> Arc<str> {
        let mut phases = self.phases.borrow_mut();
        if let Some(known) = phases.iter().find(|known| known.as_ref() == name) {
            return Arc::clone(known);
        }
        let new: Arc<str> = name.into();
        if phases.len() < MOST_PHASES {
            phases.push(Arc::clone(&new));
        }
        new
    }

    /// Does something in a session, and give that back with the session as it is then.
    pub(crate) fn during<T>(&self, session: Box<Session>, work: impl FnOnce() -> T) -> (T, Box<Session>) {
        self.meter.resume();
        *self.session.borrow_mut() = Some(session);
        let done = work();
        match self.session.borrow_mut().take() {
            Some(session) => (done, session),
            None => unreachable!("the session is put in above and only taken out here"),
        }
    }

    /// Works on the session, unless the run is to halt.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut Session) -> Native<T>) -> Native<T> {
        let Ok(mut slot) = self.session.try_borrow_mut() else {
            return Err(failure("the rules are asked while they answer"));
        };
        match slot.as_mut() {
            Some(session) if session.halt.is_none() => work(session),
            Some(_) => Err(stopped()),
            None => Err(failure("this works only while a game is played")),
        }
    }

    /// Returns whether the run stops at an ask that has no answer.
    pub(crate) fn is_paused(&self) -> bool {
        let slot = self.session.try_borrow();
        slot.is_ok_and(|slot| matches!(slot.as_ref().map(|session| &session.halt), Some(Some(Halt::Pause(_)))))
    }

    /// How many listings of moves have begun and not ended: for `can_move`, and for the turn.
    pub(crate) fn open_listings(&self) -> Native<(usize, usize)> {
        self.with(|session| Ok((session.asking.len(), session.listing.len())))
    }

    /// Forgets the listings that have begun since there were so many: an error has ended them.
    pub(crate) fn close_listings(&self, (asking, listing): (usize, usize)) -> Native<()> {
        self.with(|session| {
            session.asking.truncate(asking);
            session.listing.truncate(listing);
            Ok(())
        })
    }

    /// Stops the run for this reason, from within [`Link::with`].
    pub(crate) fn halt<T>(&self, session: &mut Session, halt: Halt) -> Native<T> {
        session.halt = Some(halt);
        self.meter.halt();
        Err(stopped())
    }
}
