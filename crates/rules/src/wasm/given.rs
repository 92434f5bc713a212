//! The random numbers of a phase that runs alone, and what the host keeps of it.

use std::cell::RefCell;
use std::rc::Rc;

use super::layout;
use super::words::{GaveUp, long, set_long, set_word, word};
use crate::host::{Answers, Keep, Reply, Session};
use referee_table::{DieId, PlayerId, State};
use referee_trace::{Answer, Ask, Question};

/// Who is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A die, or several equal ones.
    Die(DieId),
    /// A player.
    Player(PlayerId),
}

/// Where random numbers come from: fills a buffer with the next ones.
pub type Numbers = Box<dyn FnMut(&mut [u64])>;

/// Where the random numbers of games come from that are only counted: fills a buffer with the next ones of the present game.
pub type Draws = Rc<RefCell<dyn FnMut(&mut [u64])>>;

/// Puts random numbers into the memory, the last ones there.
pub(super) fn put_numbers(bytes: &mut [u8], mut at: u32, numbers: &[u64]) -> Result<(), GaveUp> {
    for number in numbers {
        set_long(bytes, at, number.cast_signed()).ok_or(GaveUp)?;
        at += 8;
    }
    set_word(bytes, layout::LIMIT, at).ok_or(GaveUp)
}

/// The random numbers of a run, for asks that the host puts.
#[derive(Default)]
pub(super) struct Given {
    numbers: Vec<u64>,
    /// How many of them are in the memory, and how many are used.
    there: usize,
    used: usize,
    /// Where further ones come from, if there are any.
    pub(super) more: Option<Numbers>,
    /// The ask for which there was none.
    pub(super) wanted: Option<(Asked, u32)>,
}

/// Answers asks of the host with the random numbers of a run.
struct FromNumbers(Rc<RefCell<Given>>);

impl Given {
    /// Takes the random numbers in the memory that are not used yet.
    pub(super) fn read(&mut self, bytes: &[u8]) -> Result<(), GaveUp> {
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
    pub(super) fn next(&self) -> Result<u32, GaveUp> {
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
    pub(super) session: Option<Box<Session>>,
    pub(super) given: Rc<RefCell<Given>>,
    /// Whether the module has stopped at an ask.
    pub(super) stopped: bool,
    /// Whether the host was called in this phase, and how often in all.
    pub(super) called: bool,
    pub(super) calls: u64,
    /// What the host has done in this run, in operations of the machine.
    pub(super) spent: u64,
    /// The properties of the game, a bit for each.
    pub(super) properties: i64,
}

/// Returns the random number that chooses one of so many answers.
#[must_use]
pub fn number_for(answer: u32, of: u32) -> u64 {
    // The middle of those that do, so that none is rejected.
    let number = ((u128::from(answer) * 2 + 1) << 63) / u128::from(of.max(1));
    u64::try_from(number).unwrap_or(u64::MAX)
}

impl Stepping {
    /// Returns what is kept before any phase has run. The host carries out calls on a state like this one.
    pub(super) fn of(state: State) -> Self {
        let given = Rc::<RefCell<Given>>::default();
        let count = state.schema().properties.len();
        let properties = (0..count.min(64)).fold(0, |all, number| all | 1_i64 << number);
        let session = Some(Session::new(state, Box::new(FromNumbers(Rc::clone(&given))), Keep::default()));
        Self { session, given, stopped: false, called: false, calls: 0, spent: 0, properties }
    }
}
