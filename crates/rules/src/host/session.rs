//! The session of running rules: the state, the answers, the events, and the reason for a stop.
//!
//! Native functions reach the session through a [`Link`]. After a run is halted, every native function fails.

use super::covers::Covers;
use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use super::meter::Meter;
use super::names::{Phases, Role, unknown};
use crate::values::{Native, Wrong, failure, stopped};
use referee_diagnostic::{Code, Diagnostic};
use referee_table::{
    Cells, ClauseId, DieId, KindId, Move, Outcome, Phase, PieceId, PlayerId, Schema, State, Throw, ZoneId,
};
use referee_trace::{Answer, Ask, Event, RulesPlace};

/// A source of answers to a program's asks.
pub trait Answers {
    /// Returns the answer to `ask` in `state`.
    fn answer(&mut self, ask: &Ask, state: &State) -> Reply;

    /// Returns the index of the move that a player chooses among these, which have no duplicates. It is a shortcut for
    /// sources that need no full ask and keep no answers. Returns `None` if the full ask is needed.
    fn pick(&mut self, _player: PlayerId, _moves: &[Move], _state: &State) -> Option<usize> {
        None
    }

    /// Returns the faces of a die, as a shortcut in the same way.
    fn throw(&mut self, _die: DieId, _state: &State) -> Option<Throw> {
        None
    }

    /// Returns the index of the face of a single die, as a shortcut in the same way.
    fn face(&mut self, _die: DieId, _state: &State) -> Option<usize> {
        None
    }

    /// Returns the index of a choice among options that are not moves, as a shortcut in the same way.
    fn pick_of(&mut self, _player: PlayerId, _options: usize) -> Option<usize> {
        None
    }

    /// Fills a buffer with the next numbers of the random generator, without using them up, for compiled rules that answer
    /// their asks themselves. Returns `false` if they are to ask.
    fn numbers(&self, _numbers: &mut [u64]) -> bool {
        false
    }

    /// Uses up numbers that [`Answers::numbers`] has returned, and takes note of the answers given with them.
    fn used(&mut self, _used: &Used<'_>) {}

    /// Returns how many turns compiled rules may begin themselves.
    fn turns_left(&self) -> u64 {
        0
    }

    /// Begins a turn of the next player, after one that counts or does not. Returns `false`, and begins none, if the run is to end
    /// before it.
    fn begin_turn(&mut self, _after_counted: bool) -> bool {
        false
    }
}

/// What compiled rules have answered themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Used<'u> {
    /// How many random numbers they have used.
    pub numbers: u64,
    /// How many asks they have answered.
    pub answers: u32,
    /// How many turns have begun meanwhile.
    pub turns: u32,
    /// How many of them were decisions.
    pub decisions: u64,
    /// The sum of the numbers of options of these.
    pub options: u64,
    /// On how many cells the chosen moves capture.
    pub captures: u64,
    /// How often each face of each die was thrown: those of the first die, of the second, and so on.
    pub faces: &'u [u32],
}

/// The reply to an ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The answer.
    Answer(Answer),
    /// There is no answer yet: the program pauses here.
    Pause,
    /// There is an answer, but it does not fit. The source of answers knows why.
    Refuse,
}

/// The parts of a run that are kept. The other parts are still checked and counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keep {
    /// The events.
    pub events: bool,
    /// The asks with their answers.
    pub answers: bool,
    /// The state at each ask. Needs `answers`.
    pub asks: bool,
    /// The state at each event.
    pub moments: bool,
}

/// The reason why a script does not continue.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Halt {
    /// An ask without an answer.
    Pause(Ask),
    /// An ask with an answer that does not fit.
    Refused(Ask),
    /// The game is over, by a call at this place.
    Over(Outcome, RulesPlace),
    /// The rules need to know the unknown cards of a zone, by a call at this place.
    Deal(ZoneId, RulesPlace),
}

/// Counts of what happened before a listing of moves began.
pub(crate) type Marks = (u64, u64, usize, Option<PlayerId>);

/// The data of a running script: all that a run of the rules may read and change.
pub(crate) struct Session {
    /// The state. Only native functions change it.
    pub(crate) state: State,
    /// The reason why the run stopped, if it did.
    pub(crate) halt: Option<Halt>,
    /// The phases that the script added, in order.
    pub(crate) then: Vec<Phase>,
    /// The parts of the run that are kept.
    pub(crate) keep: Keep,
    /// The emitted events.
    pub(crate) events: Vec<Event>,
    /// The applied clauses in the order of their first use, each with its number of uses.
    pub(crate) clauses: Vec<(ClauseId, u64)>,
    /// The clause applied last.
    pub(crate) last_clause: Option<ClauseId>,
    /// The number of reported events and clauses and of answered asks.
    pub(crate) reported: u64,
    /// The number of answered asks of the phase.
    pub(crate) given: u64,
    /// The answered asks with their answers.
    pub(crate) answered: Vec<(Ask, Answer)>,
    /// Whether an ask was answered since the session began.
    pub(crate) asked: bool,
    /// The number of consecutive phases that have ended without an answered ask.
    pub(crate) silent: usize,
    /// The source of answers.
    pub(crate) answers: Box<dyn Answers>,
    /// The state at each ask and event, as far as they are kept, with the number of answered asks before it.
    pub(crate) moments: Vec<(State, usize)>,
    /// The place where the rules asked for history that is not kept.
    pub(crate) looked_back: Option<RulesPlace>,
    /// The place of the call that ended the game.
    pub(crate) over_at: Option<RulesPlace>,
    /// The marks of each open listing for `can_move`.
    pub(crate) asking: Vec<Marks>,
    /// The marks of each open listing for the player whose turn it is.
    pub(crate) listing: Vec<Marks>,
    /// The number of changes of the state when the phase began.
    began: u64,
    /// The cells with pieces.
    covers: Covers,
    /// What was there before each of the looks in one another.
    looks: Vec<Look>,
    /// Whether compiled rules look at a position that is not played.
    pub(crate) looks_elsewhere: bool,
    /// Whether the run can begin again after chance has decided the unknown cards of a zone.
    pub(crate) deals: bool,
    /// The zone whose unknown cards the rules needed to know, and the place of the call.
    pub(crate) needs: Option<(ZoneId, RulesPlace)>,
}

/// What a session had before a look at a position that is not played.
struct Look {
    then: usize,
    last_clause: Option<ClauseId>,
    covers: Covers,
}

/// The part of a session, besides the state, that is kept during a pause.
#[derive(Clone, Debug)]
pub(crate) struct Remembered {
    then: Vec<Phase>,
    given: u64,
    reported: u64,
    asking: Vec<Marks>,
    listing: Vec<Marks>,
    began: u64,
}

impl Remembered {
    /// Returns what is kept of a phase that has added these phases and lists no moves.
    pub(crate) const fn of_phase(then: Vec<Phase>) -> Self {
        Self { then, given: 0, reported: 0, asking: Vec::new(), listing: Vec::new(), began: 0 }
    }

    /// Returns whether nothing happened before a pause in this state.
    pub(crate) const fn is_fresh(&self, state: &State) -> bool {
        state.changes() == self.began && self.reported == 0 && self.then.is_empty() && self.asking.is_empty()
    }

    /// Returns whether a pause in this state is that at which the phase pauses again if it begins in this state: it has
    /// changed nothing, and at most reported events and clauses.
    pub(crate) const fn is_first(&self, state: &State) -> bool {
        state.changes() == self.began && self.given == 0 && self.then.is_empty() && self.asking.is_empty()
    }

    /// Hashes everything that decides how a phase goes on.
    pub(crate) fn hash_to(&self, hasher: &mut impl Hasher) {
        self.then.hash(hasher);
        self.asking.hash(hasher);
        self.listing.hash(hasher);
        // `reported` is only compared with the marks of open listings.
        if !self.asking.is_empty() || !self.listing.is_empty() {
            self.reported.hash(hasher);
        }
    }
}

impl Session {
    /// Keeps the present state, for conditions that are checked at every position.
    pub(crate) fn pass(&mut self, link: &Link) -> Native<()> {
        link.meter.keep(self.state.weight())?;
        self.moments.push((self.state.clone(), self.answered.len()));
        Ok(())
    }

    /// Returns a new session at `state`.
    pub(crate) fn new(state: State, answers: Box<dyn Answers>, keep: Keep) -> Box<Self> {
        // A session is large and moved often.
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
            reported: 0,
            given: 0,
            answered: Vec::new(),
            asked: false,
            silent: 0,
            answers,
            moments: Vec::new(),
            looked_back: None,
            over_at: None,
            covers: Covers::default(),
            looks: Vec::new(),
            looks_elsewhere: false,
            deals: false,
            needs: None,
        })
    }

    /// Begins a phase at the present state.
    pub(crate) fn begin(&mut self) {
        self.halt = None;
        self.looks_elsewhere = false;
        self.then.clear();
        self.asking.clear();
        self.listing.clear();
        self.reported = 0;
        self.given = 0;
        self.began = self.state.changes();
    }

    /// Ends a phase that has returned: the phases that it added are next on the agenda.
    pub(crate) fn end(&mut self) {
        self.silent = if self.given > 0 { 0 } else { self.silent + 1 };
        // The first one is next, which is last on the agenda.
        while let Some(phase) = self.then.pop() {
            self.state.agenda.push(phase);
        }
    }

    /// Continues after a pause.
    pub(crate) fn recall(&mut self, remembered: Remembered) {
        self.halt = None;
        Remembered {
            then: self.then,
            reported: self.reported,
            given: self.given,
            asking: self.asking,
            listing: self.listing,
            began: self.began,
        } = remembered;
    }

    /// Returns the data needed to continue after a pause.
    pub(crate) fn remember(&mut self) -> Remembered {
        Remembered {
            then: std::mem::take(&mut self.then),
            reported: self.reported,
            given: self.given,
            asking: std::mem::take(&mut self.asking),
            listing: std::mem::take(&mut self.listing),
            began: self.began,
        }
    }

    /// Begins a look at a position: what is changed, reported and deferred from now on is taken back by [`Session::look_back_to`].
    pub(crate) fn look(&mut self) {
        self.state.look();
        let covers = std::mem::take(&mut self.covers);
        self.looks.push(Look { then: self.then.len(), last_clause: self.last_clause, covers });
    }

    /// Ends looks, so that only so many are left.
    pub(crate) fn look_back_to(&mut self, left: usize) {
        while self.looks.len() > left
            && let Some(look) = self.looks.pop()
        {
            self.state.look_back();
            self.then.truncate(look.then);
            self.last_clause = look.last_clause;
            self.covers = look.covers;
        }
    }

    /// Returns how many looks are in one another.
    pub(crate) const fn looks(&self) -> usize {
        self.looks.len()
    }

    /// Returns whether the position is only looked at: then nothing is reported or asked, and the game does not end.
    pub(crate) const fn is_looking(&self) -> bool {
        !self.looks.is_empty() || self.looks_elsewhere
    }

    /// Checks that something is asked or ended in the position that is played, and not in one that is only looked at. `what` is
    /// what cannot be done: `nothing can be asked`.
    ///
    /// # Errors
    /// Returns an error in a position that is only looked at.
    pub(crate) fn plays(&self, link: &Link, what: &str) -> Native<()> {
        if self.is_looking() { Err(only_looks(link, what)) } else { Ok(()) }
    }

    /// Records an applied clause.
    pub(crate) fn applied(&mut self, clause: ClauseId) {
        self.applied_often(clause, 1);
    }

    /// Records a clause that was applied so often.
    pub(crate) fn applied_often(&mut self, clause: ClauseId, times: u64) {
        if self.is_looking() {
            return;
        }
        match self.clauses.iter_mut().find(|(other, _)| *other == clause) {
            Some((_, sum)) => *sum += times,
            None => self.clauses.push((clause, times)),
        }
        self.last_clause = Some(clause);
        self.reported += times;
    }

    /// Returns the cells with pieces, or with pieces of a player.
    #[inline]
    pub(crate) fn covered(&mut self, player: Option<PlayerId>) -> Cells {
        self.covers.of(&self.state, player)
    }

    /// Returns the cells with pieces of a kind.
    pub(crate) fn covered_by_kind(&mut self, kind: KindId) -> Cells {
        self.covers.of_kind(&self.state, kind)
    }

    /// Returns the cells that a piece covers, or all cells of a piece with `many`.
    #[inline]
    pub(crate) fn covered_by_piece(&mut self, piece: PieceId) -> Cells {
        self.covers.of_piece(&self.state, piece)
    }

    /// Calls `work` with the pieces on the cells of a set, each once, in reading order.
    #[inline]
    pub(crate) fn on(&mut self, cells: &Cells, work: impl FnMut(PieceId)) {
        self.covers.on(&self.state, cells, work);
    }

    /// Returns marks that stay equal until something is reported, asked, changed or deferred.
    pub(crate) fn marks(&self) -> Marks {
        (self.reported, self.state.changes(), self.then.len(), self.state.next_turn)
    }
}

/// Returns the error for something that cannot be done in a position that is only looked at.
#[cold]
fn only_looks(link: &Link, what: &str) -> Wrong {
    let message = format!("{what} inside `if_made`: it only looks at a position that is not played");
    let help = "ask or end the game after `if_made`, with what it returned; if the rules ask or end the game while they carry \
                out a move, give `if_made` the move itself: `if_made(move, || …)`";
    link.explain(Diagnostic::general(Code::OnlyLooks, message).help(help))
}

/// A source without answers.
pub(crate) struct Nobody;

impl Answers for Nobody {
    fn answer(&mut self, _: &Ask, _: &State) -> Reply {
        Reply::Pause
    }
}

/// The place of the session of the present run. It is empty while the session is in use.
#[derive(Default)]
struct Slot {
    session: Cell<Option<Box<Session>>>,
    /// Whether there is a run.
    runs: Cell<bool>,
}

/// The access of native functions to the session of the present run.
#[derive(Clone, Default)]
pub(crate) struct Link {
    slot: Rc<Slot>,
    /// The number of the program.
    pub(crate) program: u64,
    /// The counts of the run.
    pub(crate) meter: Rc<Meter>,
    /// The functions that may run as phases.
    phases: Rc<RefCell<Phases>>,
    /// The latest error that needs more than its message.
    explained: Rc<RefCell<Option<Diagnostic>>>,
}

impl Link {
    /// Returns the link of the program with this number.
    pub(crate) fn of(program: u64) -> Self {
        Self { program, ..Self::default() }
    }

    /// Sets the functions of the rules, by their names and numbers of parameters. `written` returns a name as authors write
    /// it.
    pub(crate) fn know_functions(
        &self,
        functions: impl Iterator<Item = (String, usize)>,
        written: impl Fn(&str) -> String,
    ) {
        *self.phases.borrow_mut() = Phases::of(functions, written);
    }

    /// Returns the name of a phase with this number of arguments. Equal names share one allocation.
    ///
    /// # Errors
    /// Returns an error if the rules have no such function.
    pub(crate) fn phase(&self, name: &str, arguments: usize) -> Native<Arc<str>> {
        if !self.slot.runs.get() {
            return Err(self.no_session());
        }
        let found = self.phases.borrow_mut().find(name, arguments);
        found.map_err(|explained| self.explain(*explained))
    }

    /// Returns the error for a function that the rules do not have with this number of parameters; `None` if they do.
    pub(crate) fn lacking(&self, function: &str, arguments: usize) -> Option<Diagnostic> {
        self.phases.borrow_mut().find(function, arguments).err().map(|explained| *explained)
    }

    /// Returns an error with its help. Scripts see only the message.
    #[cold]
    pub(crate) fn explain(&self, explained: Diagnostic) -> Wrong {
        let wrong = failure(explained.message.clone());
        self.explained.replace(Some(explained));
        wrong
    }

    /// Returns the error for a string that is not a name of this kind (`die`, `event` …) in the game.
    #[cold]
    pub(crate) fn unknown(&self, schema: &Schema, role: Role, name: &str) -> Wrong {
        self.explain(unknown(schema, role, name))
    }

    /// Returns the latest error that has more than its message, if it has this message.
    pub(crate) fn explanation(&self, message: &str) -> Option<Diagnostic> {
        self.explained.borrow().as_ref().filter(|one| one.message == message).cloned()
    }

    /// Runs `work` in a session. Returns its result and the session.
    pub(crate) fn during<T>(&self, session: Box<Session>, work: impl FnOnce() -> T) -> (T, Box<Session>) {
        self.meter.resume();
        self.slot.session.set(Some(session));
        self.slot.runs.set(true);
        let done = work();
        self.slot.runs.set(false);
        match self.slot.session.take() {
            Some(session) => (done, session),
            None => unreachable!("the session is put in above and only taken out here"),
        }
    }

    /// Runs `work` on the session, unless the run is halted.
    ///
    /// # Errors
    /// Returns an error if the run is halted, or if there is no session.
    #[inline(always)]
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut Session) -> Native<T>) -> Native<T> {
        let Some(mut session) = self.slot.session.take() else { return Err(self.no_session()) };
        let done = if session.halt.is_none() { work(&mut session) } else { Err(stopped()) };
        // The place is empty, so nothing needs to be dropped.
        std::mem::forget(self.slot.session.replace(Some(session)));
        done
    }

    /// Returns the error for a session that is in use, or that is not there.
    #[cold]
    fn no_session(&self) -> Wrong {
        failure(match self.slot.runs.get() {
            true => "the rules are used while they run",
            false => "this works only while a game is played",
        })
    }

    /// Returns what was asked of a session; `None` if there is no run, because a constant is computed.
    #[inline]
    pub(crate) fn if_played<T>(&self, asked: Native<T>) -> Native<Option<T>> {
        match asked {
            Ok(asked) => Ok(Some(asked)),
            Err(_) if !self.slot.runs.get() => Ok(None),
            Err(wrong) => Err(wrong),
        }
    }

    /// Returns whether the run stopped at an ask without an answer.
    pub(crate) fn is_paused(&self) -> bool {
        self.is_halted(|halt| matches!(halt, Halt::Pause(_)))
    }

    /// Returns whether the game is over.
    pub(crate) fn is_over(&self) -> bool {
        self.is_halted(|halt| matches!(halt, Halt::Over(..)))
    }

    fn is_halted(&self, by: impl Fn(&Halt) -> bool) -> bool {
        let session = self.slot.session.take();
        let is_halted = session.as_ref().is_some_and(|session| session.halt.as_ref().is_some_and(by));
        self.slot.session.set(session);
        is_halted
    }

    /// Returns the numbers of open listings of moves, for `can_move` and for the turn, and that of looks in one another.
    pub(crate) fn open_listings(&self) -> Native<[usize; 3]> {
        // A constant is computed without a game.
        if !self.slot.runs.get() {
            return Ok([0; 3]);
        }
        self.with(|session| Ok([session.asking.len(), session.listing.len(), session.looks()]))
    }

    /// Drops the listings above these numbers and ends the looks, because an error ended them.
    pub(crate) fn close_listings(&self, [asking, listing, looks]: [usize; 3]) -> Native<()> {
        if !self.slot.runs.get() {
            return Ok(());
        }
        self.with(|session| {
            session.asking.truncate(asking);
            session.listing.truncate(listing);
            session.look_back_to(looks);
            Ok(())
        })
    }

    /// Stops the run for this reason. Called inside [`Link::with`].
    pub(crate) fn halt<T>(&self, session: &mut Session, halt: Halt) -> Native<T> {
        session.halt = Some(halt);
        self.meter.halt();
        Err(stopped())
    }
}
