//! One phase at a time, from a position that is bytes: up to an ask for which there is no number, or to the end of the phase.
//!
//! A position between two phases is the part of a state that has fixed places, then the player whose turn it is and the one
//! to whom the next was given, then the phases to come, of which the last is next: its arguments, and its number. Equal
//! positions are equal bytes.
//!
//! An ask takes its answers from the random numbers in the memory, like one of a playout. If there is none, the module stops
//! where it is. Nothing goes on from there: the phase runs again from its beginning, with one more number.

use super::engine::Running;
use super::host::{GaveUp, Host, long, set_long, set_word, word};
use super::layout;
use super::phases;
use super::value::{self, NO_ID, TAG_BITS, Tag};
use crate::host::{Answers, Keep, Reply, Session};
use referee_table::{DieId, Outcome, Phase, PlayerId, PropertyId, State, Value};
use referee_trace::{Answer, Ask, Question};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::rc::Rc;

/// Who is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A die, or several equal ones.
    Die(DieId),
    /// A player.
    Player(PlayerId),
}

/// Where a phase has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// An ask with this number of answers: the faces of a die, or the options of a player.
    Ask(Asked, u32),
    /// Its end.
    End,
    /// The end of the game.
    Over,
}

/// Where random numbers come from: fills a buffer with the next ones.
pub type Numbers = Box<dyn FnMut(&mut [u64])>;

/// The random numbers of a run, for asks that the host puts.
#[derive(Default)]
struct Given {
    numbers: Vec<u64>,
    /// How many of them are in the memory, and how many are used.
    there: usize,
    used: usize,
    /// Where further ones come from, if there are any.
    more: Option<Numbers>,
    /// The ask for which there was none.
    wanted: Option<(Asked, u32)>,
}

/// Answers asks of the host with the random numbers of a run.
struct FromNumbers(Rc<RefCell<Given>>);

impl Given {
    /// Takes the random numbers in the memory that are not used yet.
    fn read(&mut self, bytes: &[u8]) -> Result<(), GaveUp> {
        let place = |at| word(bytes, at).ok_or(GaveUp).map(|place| place.saturating_sub(layout::NUMBERS) / 8);
        let (next, end) = (place(layout::NEXT)?, place(layout::LIMIT)?);
        let number = |at| long(bytes, layout::NUMBERS + 8 * at).map(i64::cast_unsigned).ok_or(GaveUp);
        self.numbers.clear();
        for at in 0..end {
            self.numbers.push(number(at)?);
        }
        self.there = self.numbers.len();
        self.used = next as usize;
        self.wanted = None;
        Ok(())
    }

    /// Returns the place of the next one in the memory, where the first ones are.
    fn next(&self) -> Result<u32, GaveUp> {
        u32::try_from(self.used.min(self.there)).map(|used| layout::NUMBERS + 8 * used).map_err(|_| GaveUp)
    }

    /// Takes the next number.
    fn take(&mut self) -> Option<u64> {
        if self.used == self.numbers.len() {
            let mut number = [0];
            self.more.as_mut()?(&mut number);
            self.numbers.extend(number);
        }
        self.used += 1;
        self.numbers.get(self.used - 1).copied()
    }
}

impl FromNumbers {
    /// Returns one of so many answers; `None` if there is no number for it.
    fn one_of(&self, asked: Asked, of: usize) -> Option<usize> {
        let of = u32::try_from(of).ok().filter(|of| *of > 0)?;
        let mut given = self.0.borrow_mut();
        loop {
            let Some(number) = given.take() else {
                given.wanted = Some((asked, of));
                return None;
            };
            // As in `random.rs`.
            let bound = u64::from(of);
            let wide = u128::from(number) * u128::from(bound);
            let low = wide as u64;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return usize::try_from(wide >> u64::BITS).ok();
            }
        }
    }
}

impl Answers for FromNumbers {
    fn answer(&mut self, ask: &Ask, _: &State) -> Reply {
        // Other asks are put to the machine.
        let Question::Choose(decision) = &ask.question else { return Reply::Refuse };
        let picked = self.one_of(Asked::Player(decision.player), decision.options.len());
        picked.map_or(Reply::Pause, |at| Reply::Answer(Answer::Chosen(at)))
    }
}

/// What the host keeps while phases run one at a time.
pub(super) struct Stepping {
    /// The session in which the host carries out calls, but while it does.
    session: Option<Box<Session>>,
    given: Rc<RefCell<Given>>,
    /// Whether the module has stopped at an ask.
    stopped: bool,
    /// Whether the host was called in this phase, and how often in all.
    called: bool,
    calls: u64,
    /// What the host has done in this run, in operations of the machine.
    spent: u64,
    /// The properties of the game, a bit for each.
    properties: i64,
}

/// Returns the random number that chooses one of so many answers.
#[must_use]
pub fn number_for(answer: u32, of: u32) -> u64 {
    // The middle of those that do, so that none is rejected.
    let number = ((u128::from(answer) * 2 + 1) << 63) / u128::from(of.max(1));
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// Returns a value as compiled rules have it; `None` if it is no number and no id.
fn wrapped(value: &Value) -> Option<i64> {
    match value {
        Value::Nothing => Some(value::NOTHING),
        Value::Bool(truth) => Some(Tag::Truth.wrap((*truth).into())),
        Value::Int(number) => value::number(*number),
        Value::Player(player) => Some(Tag::Player.wrap(player.0.into())),
        Value::Piece(piece) => Some(Tag::Piece.wrap(piece.0.into())),
        Value::Cell(cell) => Some(Tag::Cell.wrap(cell.0)),
        Value::Text(_) | Value::Move(_) | Value::Set(_) | Value::List(_) | Value::Map(_) => None,
    }
}

fn player_number(player: Option<PlayerId>) -> u32 {
    player.map_or(NO_ID, |player| player.0.into()).cast_unsigned()
}

fn player_of(number: u32) -> Option<PlayerId> {
    (number.cast_signed() != NO_ID).then(|| PlayerId::at(number as usize))
}

/// Puts random numbers into the memory, the last ones there.
fn put_numbers(bytes: &mut [u8], mut at: u32, numbers: &[u64]) -> Result<(), GaveUp> {
    for number in numbers {
        set_long(bytes, at, number.cast_signed()).ok_or(GaveUp)?;
        at += 8;
    }
    set_word(bytes, layout::LIMIT, at).ok_or(GaveUp)
}

impl Host {
    /// From now on phases run one at a time. The host carries out calls on a state like this one.
    pub(crate) fn begin_stepping(&mut self, state: State) {
        let given = Rc::<RefCell<Given>>::default();
        let session = Session::new(state, Box::new(FromNumbers(Rc::clone(&given))), Keep::default());
        let count = session.state.schema().properties.len();
        let properties = (0..count.min(64)).fold(0, |all, number| all | 1_i64 << number);
        let session = Some(session);
        self.stepping =
            Some(Stepping { session, given, stopped: false, called: false, calls: 0, spent: 0, properties });
    }

    /// Gives further random numbers to the module, if phases run one at a time, or stops it where there are none. Returns
    /// `false` if they do not run one at a time.
    pub(super) fn fetch_for_step(&mut self, bytes: &mut [u8]) -> Result<bool, GaveUp> {
        let Some(stepping) = &mut self.stepping else { return Ok(false) };
        let mut given = stepping.given.borrow_mut();
        let Some(more) = &mut given.more else {
            stepping.stopped = true;
            return Err(GaveUp);
        };
        let mut numbers = [0; layout::FEW_NUMBERS];
        more(&mut numbers);
        put_numbers(bytes, layout::NUMBERS, &numbers)?;
        set_word(bytes, layout::NEXT, layout::NUMBERS).ok_or(GaveUp)?;
        Ok(true)
    }

    /// Returns whether the module has stopped at an ask.
    pub(super) const fn has_stopped(&self) -> bool {
        matches!(&self.stepping, Some(Stepping { stopped: true, .. }))
    }

    /// Lets further random numbers come from there.
    fn go_on_with(&self, more: Numbers) -> Result<(), GaveUp> {
        let stepping = self.stepping.as_ref().ok_or(GaveUp)?;
        stepping.given.borrow_mut().more = Some(more);
        Ok(())
    }

    /// Prepares the memory for a function.
    fn clear(&mut self, bytes: &mut [u8]) -> Result<(), GaveUp> {
        let called = match &mut self.stepping {
            Some(stepping) => {
                (stepping.stopped, stepping.spent) = (false, 0);
                let mut given = stepping.given.borrow_mut();
                (given.wanted, given.more) = (None, None);
                drop(given);
                std::mem::take(&mut stepping.called)
            }
            None => return Err(GaveUp),
        };
        if called {
            self.forget_phase();
        }
        // All but the players whose turns it is and follows.
        for (from, to) in [(layout::OVER, layout::TURN), (layout::LIMIT, layout::ARGUMENTS)] {
            bytes.get_mut(from as usize..to as usize).ok_or(GaveUp)?.fill(0);
        }
        set_word(bytes, layout::ASKED, layout::NOBODY_KNOWN.cast_unsigned()).ok_or(GaveUp)?;
        set_word(bytes, layout::ANSWERS, 1).ok_or(GaveUp)?;
        set_word(bytes, layout::TOP, self.heap).ok_or(GaveUp)
    }

    /// Puts a position into the memory, without the phases to come, and these random numbers.
    fn put(&mut self, bytes: &mut [u8], position: &[u8], numbers: &[u64]) -> Result<(), GaveUp> {
        self.clear(bytes)?;
        let size = self.layout.state.size();
        let (part, players) = position.split_at_checked(size).ok_or(GaveUp)?;
        let place = bytes.get_mut(layout::STATE as usize..).and_then(|rest| rest.get_mut(..size));
        place.ok_or(GaveUp)?.copy_from_slice(part);
        for (at, place) in [(0, layout::TURN), (4, layout::NEXT_TURN)] {
            set_word(bytes, place, word(players, at).ok_or(GaveUp)?).ok_or(GaveUp)?;
        }
        if numbers.len() > layout::MOST_NUMBERS {
            return Err(GaveUp);
        }
        set_word(bytes, layout::NEXT, layout::NUMBERS).ok_or(GaveUp)?;
        put_numbers(bytes, layout::NUMBERS, numbers)
    }

    /// Carries out a call of the module in a session with the state in the memory. What changes that state is given up.
    pub(super) fn call_of_step(&mut self, bytes: &mut [u8], site: u32, args: &[i64]) -> Result<i64, GaveUp> {
        let Some(stepping) = &mut self.stepping else { return Err(GaveUp) };
        let is_first = !std::mem::replace(&mut stepping.called, true);
        stepping.calls += 1;
        let properties = stepping.properties;
        let given = Rc::clone(&stepping.given);
        let mut session = stepping.session.take().ok_or(GaveUp)?;
        // Another run may have stopped in it.
        session.begin();
        let link = self.link.clone();
        if is_first {
            link.meter.reset(session.state.weight());
        }
        let before = link.meter.spent();
        let (done, session) = link.during(session, || {
            // The session was last in another position.
            for (at, number) in [(layout::MOVED, 1), (layout::CHANGES, 1), (layout::ZONES, 0)] {
                set_word(bytes, at, number).ok_or(GaveUp)?;
            }
            set_long(bytes, layout::SET, properties).ok_or(GaveUp)?;
            given.borrow_mut().read(bytes)?;
            let turn = player_of(word(bytes, layout::TURN).ok_or(GaveUp)?);
            let next_turn = player_of(word(bytes, layout::NEXT_TURN).ok_or(GaveUp)?);
            let placed = link.with(|session| {
                session.state.turn = turn;
                session.state.next_turn = next_turn;
                Ok(())
            });
            placed.map_err(|_| GaveUp)?;
            self.next_turn = next_turn;
            self.take(bytes)?;
            let changes = |host: &Self| host.link.with(|session| Ok((session.state.changes(), session.then.len())));
            let before = changes(self).map_err(|_| GaveUp)?;
            let value = self.carry_out(bytes, site, args)?;
            let after = changes(self).map_err(|_| GaveUp)?;
            set_word(bytes, layout::NEXT, given.borrow().next()?).ok_or(GaveUp)?;
            if before == after && !self.link.is_over() { Ok(value) } else { Err(GaveUp) }
        });
        if let Some(stepping) = &mut self.stepping {
            stepping.session = Some(session);
            stepping.spent += link.meter.spent().saturating_sub(before);
            stepping.stopped = done.is_err() && given.borrow().wanted.is_some();
        }
        done
    }

    /// Returns what the function that ran last has done since its last answer: the most, where that is not known.
    fn spent_by_step(&self, bytes: &[u8]) -> Result<u64, GaveUp> {
        let left = long(bytes, layout::LEFT_OVER).ok_or(GaveUp)?;
        let here = u64::try_from(layout::WORK - left).map_err(|_| GaveUp)?;
        Ok(here + self.stepping.as_ref().map_or(0, |stepping| stepping.spent))
    }

    /// Returns where a phase has come to.
    fn reached(&self, bytes: &[u8]) -> Result<Reached, GaveUp> {
        // The machine tells when too much is kept.
        if word(bytes, layout::WEIGHT).ok_or(GaveUp)? > MOST_WEIGHT {
            return Err(GaveUp);
        }
        if word(bytes, layout::ENDED_AT).ok_or(GaveUp)? != 0 {
            return Ok(Reached::Over);
        }
        if !self.has_stopped() {
            return Ok(Reached::End);
        }
        let by_host = self.stepping.as_ref().and_then(|stepping| stepping.given.borrow().wanted);
        if let Some((asked, of)) = by_host {
            return Ok(Reached::Ask(asked, of));
        }
        let of = word(bytes, layout::BOUND).ok_or(GaveUp)?;
        let asked = word(bytes, layout::ASKED).ok_or(GaveUp)?.cast_signed();
        let asked = match (asked.checked_sub(layout::DICE).map(usize::try_from), usize::try_from(asked)) {
            (Some(Ok(die)), _) => Asked::Die(DieId::at(die)),
            (_, Ok(player)) => Asked::Player(PlayerId::at(player)),
            _ => return Err(GaveUp),
        };
        Ok(Reached::Ask(asked, of))
    }
}

/// The phases of compiled rules.
pub(crate) struct Phases {
    /// Their names, with the numbers of their arguments.
    pub(crate) names: Vec<(String, usize)>,
    /// The exported functions that run each alone; `None` for those that the module does not run.
    pub(crate) functions: Vec<Option<usize>>,
    /// Those that run it and all that follow.
    pub(crate) whole: Vec<Option<usize>>,
    /// The number of the one that is a turn.
    pub(crate) turn: usize,
    /// Where those are that a phase adds.
    pub(crate) room: u32,
}

impl Phases {
    /// Appends a phase to a position; `None` if its arguments are more than numbers and ids.
    fn append(&self, phase: &Phase, position: &mut Vec<u8>) -> Option<()> {
        let is_named = |(name, count): &(String, usize)| **name == *phase.name && *count == phase.args.len();
        let number = self.names.iter().position(is_named)?;
        for arg in &phase.args {
            position.extend(wrapped(arg)?.to_le_bytes());
        }
        position.extend(u32::try_from(number).ok()?.to_le_bytes());
        Some(())
    }

    /// Returns the number of the next phase of a position with a part of so many bytes, its arguments, and the phases after it.
    fn split<'p>(&self, position: &'p [u8], part: usize) -> Option<(usize, &'p [u8], &'p [u8])> {
        let all = position.get(part + PLAYERS..)?;
        let (rest, number) = all.split_last_chunk()?;
        let number = u32::from_le_bytes(*number) as usize;
        let (to_come, args) = rest.split_at_checked(rest.len().checked_sub(8 * self.names.get(number)?.1)?)?;
        Some((number, args, to_come))
    }

    /// Puts the phases to come of a position into the memory. Returns how many there are.
    fn put(&self, bytes: &mut [u8], mut to_come: &[u8]) -> Option<u32> {
        let mut all: SmallVec<[(usize, &[u8]); 4]> = SmallVec::new();
        while let Some((rest, number)) = to_come.split_last_chunk() {
            let number = u32::from_le_bytes(*number) as usize;
            let (before, args) = rest.split_at_checked(rest.len().checked_sub(8 * self.names.get(number)?.1)?)?;
            all.push((number, args));
            to_come = before;
        }
        let count = u32::try_from(all.len()).ok().filter(|count| *count <= phases::MOST_TO_COME.cast_unsigned())?;
        let mut place = phases::agenda(self.room);
        for (number, args) in all.iter().rev() {
            set_long(bytes, place, i64::try_from(*number).ok()?)?;
            let first = place as usize + 8;
            bytes.get_mut(first..first + args.len())?.copy_from_slice(args);
            place += phases::SIZE.cast_unsigned();
        }
        Some(count)
    }
}

fn put_arguments(bytes: &mut [u8], args: &[u8]) -> Result<(), GaveUp> {
    let place = bytes.get_mut(layout::ARGUMENTS as usize..).and_then(|rest| rest.get_mut(..args.len()));
    place.ok_or(GaveUp)?.copy_from_slice(args);
    Ok(())
}

/// Compiled rules that run one phase at a time.
pub(crate) struct Stepper {
    pub(crate) running: Running,
    pub(crate) phases: Phases,
    /// The exported function that rates a position, if there is one.
    pub(crate) rating: Option<usize>,
    /// For each player the next one in the order of play, and the first one.
    pub(crate) after: Vec<PlayerId>,
    pub(crate) first: PlayerId,
    /// The number of bytes of the part with fixed places.
    pub(crate) part: usize,
}

/// How much a phase may keep before the rules are given up.
const MOST_WEIGHT: u32 = 50_000;

/// The bytes of the players in a position.
const PLAYERS: usize = 8;

impl Stepper {
    /// Returns the position of a state between two phases, of which the next is on its agenda.
    pub(crate) fn position(&self, state: &State) -> Option<Vec<u8>> {
        let mut position = state.part_in_bytes().to_vec();
        for player in [state.turn, state.next_turn] {
            position.extend(player_number(player).to_le_bytes());
        }
        state.agenda.iter().try_for_each(|phase| self.phases.append(phase, &mut position))?;
        (!state.has_large_values()).then_some(position)
    }

    /// Returns whether it is a player's turn in a position.
    pub(crate) fn is_in_turn(&self, position: &[u8]) -> bool {
        position.get(self.part..).and_then(|players| word(players, 0)).is_some_and(|turn| player_of(turn).is_some())
    }

    /// Runs the next phase of a position with these random numbers. Returns where it has come to, and what that took.
    pub(crate) fn run(&mut self, position: &[u8], numbers: &[u64]) -> Result<(Reached, u64), GaveUp> {
        let (number, args, _) = self.phases.split(position, self.part).ok_or(GaveUp)?;
        let function = self.phases.functions.get(number).copied().flatten().ok_or(GaveUp)?;
        self.running.step(function, |host, bytes| {
            host.put(bytes, position, numbers)?;
            put_arguments(bytes, args)
        })?;
        let (bytes, host) = self.running.memory();
        Ok((host.reached(bytes)?, host.spent_by_step(bytes)?))
    }

    /// Runs the next phase of a position with these random numbers and further ones, and all phases and turns that follow, at
    /// most so many. Returns whether the game has ended.
    pub(crate) fn run_on(
        &mut self,
        position: &[u8],
        numbers: &[u64],
        turns: u64,
        more: Numbers,
    ) -> Result<bool, GaveUp> {
        let (number, args, to_come) = self.phases.split(position, self.part).ok_or(GaveUp)?;
        let function = self.phases.whole.get(number).copied().flatten().ok_or(GaveUp)?;
        let Self { running, phases, .. } = self;
        running.step(function, |host, bytes| {
            host.put(bytes, position, numbers)?;
            host.go_on_with(more)?;
            let turns = u32::try_from(turns).unwrap_or(u32::MAX);
            set_word(bytes, layout::TURNS_LEFT, turns).ok_or(GaveUp)?;
            let count = phases.put(bytes, to_come).ok_or(GaveUp)?;
            set_word(bytes, layout::TO_COME, count).ok_or(GaveUp)?;
            put_arguments(bytes, args)
        })?;
        let (bytes, host) = self.running.memory();
        let is_over = host.reached(bytes)? == Reached::Over;
        // The host goes on where very much has happened.
        let is_done = is_over || word(bytes, layout::TURNS_LEFT) == Some(0);
        if is_done && !host.has_stopped() { Ok(is_over) } else { Err(GaveUp) }
    }

    /// Appends the position that the phase of another one has come to with its end, with the next phase. Returns whether a
    /// turn ends there.
    pub(crate) fn append(&mut self, before: &[u8], position: &mut Vec<u8>) -> Result<bool, GaveUp> {
        let begun = position.len();
        let (bytes, _) = self.running.memory();
        let part = bytes.get(layout::STATE as usize..).and_then(|rest| rest.get(..self.part)).ok_or(GaveUp)?;
        position.extend(part);
        for place in [layout::TURN, layout::NEXT_TURN] {
            position.extend(word(bytes, place).ok_or(GaveUp)?.to_le_bytes());
        }
        let (_, _, to_come) = self.phases.split(before, self.part).ok_or(GaveUp)?;
        position.extend(to_come);
        for at in (0..word(bytes, layout::ADDED).ok_or(GaveUp)?).rev() {
            let place = self.phases.room + at * phases::SIZE.cast_unsigned();
            let number = word(bytes, place).ok_or(GaveUp)?;
            let count = self.phases.names.get(number as usize).ok_or(GaveUp)?.1;
            for at in (1..).take(count) {
                position.extend(long(bytes, place + 8 * at).ok_or(GaveUp)?.to_le_bytes());
            }
            position.extend(number.to_le_bytes());
        }
        let players = begun + self.part;
        if position.len() > players + PLAYERS {
            return Ok(false);
        }
        let player = |at| position.get(at..).and_then(|rest| word(rest, 0)).ok_or(GaveUp);
        let (turn, next) = (player_of(player(players)?), player_of(player(players + 4)?));
        let following = turn.map_or(Some(self.first), |turn| self.after.get(turn.index()).copied());
        let next = next.or(following).ok_or(GaveUp)?;
        position.truncate(players);
        for player in [Some(next), None] {
            position.extend(player_number(player).to_le_bytes());
        }
        position.extend(Tag::Player.wrap(next.0.into()).to_le_bytes());
        position.extend(u32::try_from(self.phases.turn).map_err(|_| GaveUp)?.to_le_bytes());
        Ok(turn.is_some())
    }

    /// Puts what is in the memory into a state of the same table.
    pub(crate) fn show(&mut self, state: &mut State) -> Result<(), GaveUp> {
        let (bytes, host) = self.running.memory();
        let part = bytes.get(layout::STATE as usize..).and_then(|rest| rest.get(..self.part)).ok_or(GaveUp)?;
        let properties = (0..state.schema().properties.len()).map(PropertyId::at);
        state.take_bytes(part, true, properties, 1);
        state.turn = player_of(word(bytes, layout::TURN).ok_or(GaveUp)?);
        state.next_turn = player_of(word(bytes, layout::NEXT_TURN).ok_or(GaveUp)?);
        state.agenda.clear();
        state.outcome = host.ended(bytes, &state.table.players)?.map(|(outcome, _)| outcome);
        Ok(())
    }

    /// Returns what the function that ran last has kept, and how many bytes its values take.
    pub(crate) fn kept(&mut self) -> (u64, u64) {
        let (bytes, host) = self.running.memory();
        let top = word(bytes, layout::TOP).unwrap_or_default();
        (word(bytes, layout::WEIGHT).unwrap_or(u32::MAX).into(), top.saturating_sub(host.heap).into())
    }

    /// Returns how often the host was called so far.
    pub(crate) fn calls(&mut self) -> u64 {
        let (_, host) = self.running.memory();
        host.stepping.as_ref().map_or(0, |stepping| stepping.calls)
    }

    /// Returns how the game has ended, if it has.
    pub(crate) fn outcome(&mut self, players: &[PlayerId]) -> Result<Option<Outcome>, GaveUp> {
        let (bytes, host) = self.running.memory();
        Ok(host.ended(bytes, players)?.map(|(outcome, _)| outcome))
    }

    /// Rates what is in the memory for a player. Returns the number, and what that has done.
    pub(crate) fn rate(&mut self, player: PlayerId) -> Result<(i64, u64), GaveUp> {
        self.running.step(self.rating.ok_or(GaveUp)?, |host, bytes| {
            host.clear(bytes)?;
            // An expression asks nothing.
            set_word(bytes, layout::ANSWERS, 0).ok_or(GaveUp)?;
            set_long(bytes, layout::ARGUMENTS, Tag::Player.wrap(player.0.into())).ok_or(GaveUp)
        })?;
        let (bytes, host) = self.running.memory();
        let rated = long(bytes, layout::ARGUMENTS).ok_or(GaveUp)?;
        let is_a_number = Tag::of(rated) == Some(Tag::Number) && !host.has_stopped();
        let is_over = word(bytes, layout::ENDED_AT).ok_or(GaveUp)? != 0;
        if is_a_number && !is_over { Ok((rated >> TAG_BITS, host.spent_by_step(bytes)?)) } else { Err(GaveUp) }
    }
}
