//! One phase at a time, from a position that is bytes: up to an ask for which there is no number, or to the end of the phase.
//!
//! A position between two phases is the part of a state that has fixed places, then the player whose turn it is and the one
//! to whom the next was given, then the phases to come, of which the last is next: its arguments, and its number. Equal
//! positions are equal bytes.
//!
//! An ask takes its answers from the random numbers in the memory, like one of a playout. If there is none, the host stops the
//! module where it is; only the choice of a built-in turn is the end of what runs, as the end of the game is. Nothing goes on
//! from there: the phase runs again from its beginning, with one more number.

use std::rc::Rc;

use super::given::{Asked, Numbers, Stepping, number_for, put_numbers};
use super::host::Host;
use super::layout;
use super::value::{NO_ID, Tag};
use super::words::{GaveUp, long, set_long, set_word, word};
use referee_table::{DieId, PlayerId, State};

/// How much a phase may keep before the rules are given up.
pub(super) const MOST_WEIGHT: u32 = 50_000;

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

/// Moves that a built-in turn has listed, while one of them is to be chosen. They are in the memory up to an end.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The bytes of the state, and of the players whose turns it is and follows.
    position: Vec<u8>,
    /// Who chooses.
    player: PlayerId,
    /// How many different moves there are.
    pub of: u32,
    moves: u32,
    sorted: u32,
    end: u32,
}

pub(super) fn player_number(player: Option<PlayerId>) -> u32 {
    player.map_or(NO_ID, |player| player.0.into()).cast_unsigned()
}

pub(super) fn player_of(number: u32) -> Option<PlayerId> {
    (number.cast_signed() != NO_ID).then(|| PlayerId::at(number as usize))
}

impl Host {
    /// From now on phases run one at a time. The host carries out calls on a state like this one.
    pub(crate) fn begin_stepping(&mut self, state: State) {
        self.stepping = Some(Stepping::of(state));
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

    /// Returns whether the host has stopped the module at an ask.
    pub(super) const fn has_stopped(&self) -> bool {
        matches!(&self.stepping, Some(Stepping { stopped: true, .. }))
    }

    /// Returns whether what ran last waits at an ask: the host has stopped it, or it has ended at the choice of a built-in
    /// turn.
    fn waits(&self, bytes: &[u8]) -> Result<bool, GaveUp> {
        let of = |place| word(bytes, place).ok_or(GaveUp);
        Ok(self.has_stopped() || of(layout::OVER)? != 0 && of(layout::ENDED_AT)? == 0)
    }

    /// Lets further random numbers come from there.
    pub(super) fn go_on_with(&self, bytes: &mut [u8], more: Numbers) -> Result<(), GaveUp> {
        let stepping = self.stepping.as_ref().ok_or(GaveUp)?;
        stepping.given.borrow_mut().more = Some(more);
        set_word(bytes, layout::NO_MORE, 0).ok_or(GaveUp)
    }

    /// Prepares the memory for a function.
    pub(super) fn clear(&mut self, bytes: &mut [u8]) -> Result<(), GaveUp> {
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
        for words in layout::CLEARED {
            bytes.get_mut(words.start as usize..words.end as usize).ok_or(GaveUp)?.fill(0);
        }
        for (place, number) in layout::AT_START {
            set_word(bytes, place, number.cast_unsigned()).ok_or(GaveUp)?;
        }
        for place in [layout::TOP, layout::FLOOR] {
            set_word(bytes, place, self.heap).ok_or(GaveUp)?;
        }
        Ok(())
    }

    /// Returns how many moves were listed of which the module waits for the choice; `None` if it has stopped elsewhere, or if
    /// the position is more than the state and its players.
    pub(super) fn count_listed(&self, bytes: &[u8]) -> Option<u32> {
        let of = |place| word(bytes, place);
        let is_whole = of(layout::ADDED)? == 0 && of(layout::TO_COME)? == 0 && of(layout::ADDED_BY_HOST)? == 0;
        let is_listed = of(layout::LISTED)? != 0 && is_whole && self.waits(bytes).ok()?;
        of(layout::BOUND).filter(|_| is_listed)
    }

    /// Returns these moves, so many. `part` is the number of bytes of the state with fixed places.
    pub(super) fn listed(&self, bytes: &[u8], part: usize, of: u32) -> Option<Listed> {
        let state = bytes.get(layout::STATE as usize..)?.get(..part)?;
        let players = bytes.get(layout::TURN as usize..layout::LIMIT as usize)?;
        let word = |place| word(bytes, place);
        Some(Listed {
            position: [state, players].concat(),
            player: player_of(word(layout::ASKED)?)?,
            of,
            moves: word(layout::LISTED)?,
            sorted: word(layout::SORTED)?,
            end: word(layout::TOP)?,
        })
    }

    /// Prepares the memory to count the sequences that begin with the moves that were listed in a position.
    pub(super) fn put_count(&mut self, bytes: &mut [u8], listed: &Listed) -> Result<(), GaveUp> {
        self.put_choice(bytes, listed, 0)?;
        for (place, number) in (layout::ARGUMENTS + 16..).step_by(8).zip([listed.sorted, listed.of]) {
            set_long(bytes, place, number.into()).ok_or(GaveUp)?;
        }
        Ok(())
    }

    /// Prepares the memory for the choice of one of the moves that were listed in a position: what is listed later is behind them.
    pub(super) fn put_choice(&mut self, bytes: &mut [u8], listed: &Listed, at: u32) -> Result<(), GaveUp> {
        self.put(bytes, &listed.position, &[number_for(at, listed.of)])?;
        let choice = layout::AT_CHOICE.map(|(place, number)| (place, number.cast_unsigned()));
        let listed_at = [(layout::TOP, listed.end), (layout::FLOOR, listed.end), (layout::SORTED, listed.sorted)];
        for (place, number) in choice.into_iter().chain(listed_at) {
            set_word(bytes, place, number).ok_or(GaveUp)?;
        }
        let args = [Tag::Player.wrap(listed.player.0.into()), Tag::Moves.wrap(listed.moves)];
        for (place, arg) in (layout::ARGUMENTS..).step_by(8).zip(args) {
            set_long(bytes, place, arg).ok_or(GaveUp)?;
        }
        Ok(())
    }

    /// Puts a position into the memory, without the phases to come, and these random numbers.
    pub(super) fn put(&mut self, bytes: &mut [u8], position: &[u8], numbers: &[u64]) -> Result<(), GaveUp> {
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
    pub(super) fn spent_by_step(&self, bytes: &[u8]) -> Result<u64, GaveUp> {
        let left = long(bytes, layout::LEFT_OVER).ok_or(GaveUp)?;
        let here = u64::try_from(layout::WORK - left).map_err(|_| GaveUp)?;
        Ok(here + self.stepping.as_ref().map_or(0, |stepping| stepping.spent))
    }

    /// Returns where a phase has come to.
    pub(super) fn reached(&self, bytes: &[u8]) -> Result<Reached, GaveUp> {
        // The machine tells when too much is kept.
        if word(bytes, layout::WEIGHT).ok_or(GaveUp)? > MOST_WEIGHT {
            return Err(GaveUp);
        }
        if word(bytes, layout::ENDED_AT).ok_or(GaveUp)? != 0 {
            return Ok(Reached::Over);
        }
        if !self.waits(bytes)? {
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
