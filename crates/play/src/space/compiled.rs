//! Finds the successors of states by compiled rules, from positions that are bytes.
//!
//! Everything is as the machine finds it: keys, their order, and what is looked at. Whatever compiled rules do not follow so, they
//! leave to the machine, for all states of a piece: errors, asks of several players, and later asks of a phase where it is not known
//! what decides how the phase goes on.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use super::expand::{Expander, Found, Landing, Look, MAX_ANSWERS, Moment, Setting, Sight, keyed, looked_at, looked_up};
use super::store::{Kind, StateId, Store};
use crate::odds::Follower;
use crate::points::{Turns, turns_left};
use crate::stepped::{Answers, KnownAnswers, Silence, Way, option};
use referee_rules::{Engine, Program, Reached, Steps};
use referee_table::{Phase, PlayerId, State};
use smallvec::SmallVec;

/// The number of pieces that are left to the machine until all are.
const TRIES: u8 = 3;

/// Follows play on one thread: by compiled rules from some state on, if there is an engine for them, and by the machine.
pub(super) struct Finder<'f> {
    machine: Expander<'f>,
    engine: Option<Engine>,
    /// The number of states from which compiling is worth it.
    few: usize,
    /// Compiled rules, once they are wanted; `None` within if there are none, or if they have failed.
    compiled: RefCell<Option<Option<Compiled<'f>>>>,
}

impl<'f> Finder<'f> {
    pub(super) fn new(machine: Expander<'f>, by: Follower) -> Self {
        let (few, engine) = by.after();
        Self { machine, engine, few, compiled: RefCell::new(None) }
    }

    /// Finds what follows these states.
    pub(super) fn expand(&self, store: &Store, ids: Range<StateId>) -> Found {
        self.by_compiled(store, ids.clone()).unwrap_or_else(|| self.machine.expand(store, ids))
    }

    fn by_compiled(&self, store: &Store, ids: Range<StateId>) -> Option<Found> {
        let engine = self.engine.filter(|_| store.len() >= self.few)?;
        let mut compiled = self.compiled.borrow_mut();
        let compiled = compiled.get_or_insert_with(|| Compiled::of(&self.machine, engine));
        let found = compiled.as_mut()?.expand(store, ids);
        compiled.take_if(|compiled| {
            compiled.failed += u8::from(found.is_none());
            compiled.failed >= TRIES || self.few > 0 && compiled.steps.calls_host_often()
        });
        found
    }
}

/// Compiled rules, and where they put what they have come to.
struct Compiled<'c> {
    program: &'c Program,
    setting: &'c Setting,
    look: Option<&'c Look<'c>>,
    steps: Steps,
    /// Whether the rules list the moves of a turn.
    lists_moves: bool,
    /// A state that is looked at, or becomes a key.
    state: State,
    known: KnownAnswers,
    /// The last state whose answers led to states within a phase. Those that follow mostly come from it, too.
    last: Option<Within>,
    failed: u8,
}

/// A state with its answers.
struct Within {
    id: StateId,
    /// The beginning of its phase, and the way from there.
    position: Rc<[u8]>,
    way: Way,
    answers: Answers,
}

impl<'c> Compiled<'c> {
    fn of(machine: &Expander<'c>, engine: Engine) -> Option<Self> {
        let Expander { program, setting, look, .. } = *machine;
        if setting.alone {
            return None;
        }
        let steps = program.steps(engine, &State::new(setting.table.clone()), None)?;
        let state = steps.first();
        let lists_moves = program.lists(&Phase::turn(PlayerId(0))).is_some();
        Some(Self {
            program,
            setting,
            look,
            steps,
            lists_moves,
            state,
            known: KnownAnswers::default(),
            last: None,
            failed: 0,
        })
    }

    fn expand(&mut self, store: &Store, ids: Range<StateId>) -> Option<Found> {
        let before = self.steps.spent();
        let mut found = Found { ids: ids.clone(), ..Found::default() };
        for id in ids {
            self.follow(store, id, &mut found)?;
        }
        // The machine counts at most twice as many.
        found.work = 2 * (self.steps.spent() - before);
        Some(found)
    }

    fn follow(&mut self, store: &Store, id: StateId, found: &mut Found) -> Option<()> {
        if store.kind(id) == Kind::End {
            return Some(());
        }
        let (position, mut way) = self.way_to(store, id)?;
        let answers = self.answers(&position, &way)?;
        let is_opening = way.is_empty() && self.look.is_none() && store.left(id).is_none();
        if is_opening && self.steps.is_listed() {
            return self.follow_listed(store, id, &position, found);
        }
        let before = way.len();
        for (choice, (numbers, _)) in (0..).zip(&*answers) {
            let start = found.keys.len();
            way.truncate(before);
            way.extend_from_slice(numbers);
            let landing = self.land(store, (&position, &way), store.left(id), found)?;
            found.landed(id, choice, start, landing);
        }
        Some(())
    }

    /// Returns the beginning of the phase of a state, and the way from there to its ask.
    fn way_to(&mut self, store: &Store, id: StateId) -> Option<(Rc<[u8]>, Way)> {
        if store.kind(id) != Kind::Inner {
            return Some((self.position(store, id)?, Way::new()));
        }
        let (before, choice) = store.before(id)?;
        let mut at = before;
        let mut choices: SmallVec<[u32; 4]> = SmallVec::new();
        let last = self.last.take();
        while store.kind(at) == Kind::Inner && last.as_ref().is_none_or(|last| last.id != at) {
            let (before, choice) = store.before(at)?;
            choices.push(choice);
            at = before;
        }
        let mut within = match last.filter(|last| last.id == at) {
            Some(last) => last,
            None => {
                let (position, way) = (self.position(store, at)?, Way::new());
                let answers = self.answers(&position, &way)?;
                Within { id: at, position, way, answers }
            }
        };
        for choice in choices.into_iter().rev() {
            within.way.extend_from_slice(&within.answers.get(usize::try_from(choice).ok()?)?.0);
            within.answers = self.answers(&within.position, &within.way)?;
        }
        within.id = before;
        let mut way = within.way.clone();
        way.extend_from_slice(&within.answers.get(usize::try_from(choice).ok()?)?.0);
        let position = Rc::clone(&within.position);
        self.last = Some(within);
        Some((position, way))
    }

    /// Returns the position of a state at the beginning of a phase.
    fn position(&self, store: &Store, id: StateId) -> Option<Rc<[u8]>> {
        let encoded = store.encoded(id);
        if self.encodes() {
            return Some(self.steps.decode(encoded)?.into());
        }
        let state = self.setting.state(encoded, store.turned(id))?;
        Some(self.steps.position(&state)?.into())
    }

    /// Runs the phase of a position up to the ask after a way, and returns the answers there, as numbers.
    fn answers(&mut self, position: &[u8], way: &[u64]) -> Option<Answers> {
        let Reached::Ask(asked, of) = self.steps.run(position, way)? else { return None };
        self.known.all(&self.setting.table, asked, of).filter(|answers| answers.len() <= MAX_ANSWERS)
    }

    /// Follows each of the moves that a turn has listed, from where they are in the memory.
    fn follow_listed(&mut self, store: &Store, id: StateId, position: &[u8], found: &mut Found) -> Option<()> {
        let listed = self.steps.listed()?;
        for choice in 0..listed.of {
            let start = found.keys.len();
            let seen = (None, None);
            let landing = match self.steps.go_on_from(&listed, choice)? {
                Reached::Over => {
                    self.steps.show_end(&mut self.state)?;
                    self.keyed(store, Kind::End, seen, found)
                }
                Reached::Ask(..) if self.steps.is_listed() && self.encodes() => {
                    found.keys.push(Kind::Opening.byte());
                    self.steps.encode_listed(&mut found.keys)?;
                    looked_up(store, seen, found, start, 0)
                }
                Reached::Ask(..) if self.steps.is_listed() => {
                    self.steps.show_listed(&mut self.state)?;
                    self.keyed(store, Kind::Opening, seen, found)
                }
                // Another phase comes before the next turn, or something else is asked. Then the moves may be gone.
                Reached::Ask(..) | Reached::End => {
                    let way = option(usize::try_from(choice).ok()?, listed.of)?;
                    let landing = self.land(store, (position, &way), None, found)?;
                    self.steps.run(position, &[])?;
                    landing
                }
            };
            found.landed(id, choice, start, landing);
        }
        Some(())
    }

    /// Runs on from an answer to the next ask, as [`Expander::land`] does. `None` if that is left to the machine.
    fn land(&mut self, store: &Store, from: (&[u8], &[u64]), mut left: Turns, found: &mut Found) -> Option<Landing> {
        let (mut position, mut way) = (Cow::Borrowed(from.0), from.1);
        let mut silence = Silence::begin(&self.steps);
        let mut mark = None;
        let start = found.keys.len();
        // The state at the beginning of a phase whose answer is not known yet.
        let mut waiting: Option<Landing> = None;
        loop {
            match (self.steps.run(&position, way)?, waiting.take()) {
                (Reached::Ask(..), Some(landing)) => {
                    if mark.is_none() && self.look.is_some() {
                        self.steps.show_ask(&position, &mut self.state)?;
                        let again = self.lists_moves && self.steps.is_turn_next(&position);
                        self.look(&mut mark, Moment::Ask, again)?;
                    }
                    return Some(Landing { mark, ..landing });
                }
                (Reached::Ask(..), None) => {
                    if mark.is_none() && self.look.is_some() {
                        self.steps.show_ask(&position, &mut self.state)?;
                        self.look(&mut mark, Moment::Ask, false)?;
                    }
                    found.keys.push(Kind::Inner.byte());
                    self.steps.encode_ask(&position, &mut found.keys)?;
                    self.steps.pack_pause(&position, &mut found.keys)?;
                    return Some(looked_up(store, (mark, left), found, start, 0));
                }
                (Reached::Over, _) => {
                    found.keys.truncate(start);
                    self.steps.show_end(&mut self.state)?;
                    self.look(&mut mark, Moment::Over, false)?;
                    return Some(self.keyed(store, Kind::End, (mark, left), found));
                }
                (Reached::End, _) => found.keys.truncate(start),
            }
            let mut next = Vec::with_capacity(position.len());
            let ends_turn = self.steps.after(&position, &mut next)?;
            silence.goes_on(&mut self.steps)?;
            left = turns_left(ends_turn, left);
            if left == Some(0) {
                self.steps.show_end(&mut self.state)?;
                self.look(&mut mark, Moment::Horizon, false)?;
                return Some(self.keyed(store, Kind::End, (mark, left), found));
            }
            let landing = self.opened(store, &next, (mark, left), found)?;
            if landing.known.is_some() {
                return Some(landing);
            }
            if mark.is_none() && self.look.is_some() {
                self.steps.show_position(&next, &mut self.state)?;
                self.look(&mut mark, Moment::Phase, false)?;
            }
            waiting = Some(landing);
            (position, way) = (Cow::Owned(next), &[]);
        }
    }

    /// Returns whether states are encoded from their bytes: only those without symmetries are.
    const fn encodes(&self) -> bool {
        self.setting.symmetries.is_empty()
    }

    /// Appends the key of a position at the beginning of a phase, and looks it up.
    fn opened(
        &mut self,
        store: &Store,
        position: &[u8],
        seen: (Option<u32>, Turns),
        found: &mut Found,
    ) -> Option<Landing> {
        if self.encodes() {
            let start = found.keys.len();
            found.keys.push(Kind::Opening.byte());
            self.steps.encode_position(position, &mut found.keys)?;
            return Some(looked_up(store, seen, found, start, 0));
        }
        self.steps.show_position(position, &mut self.state)?;
        Some(self.keyed(store, Kind::Opening, seen, found))
    }

    fn keyed(&self, store: &Store, kind: Kind, seen: (Option<u32>, Turns), found: &mut Found) -> Landing {
        keyed(store, seen, found, |keys| self.setting.key(kind, &self.state, keys))
    }

    /// Looks at the state, unless an earlier one has a mark. `None` if that is an error.
    fn look(&self, mark: &mut Option<u32>, moment: Moment, again: bool) -> Option<()> {
        looked_at((self.look, self.program), mark, Sight { state: &self.state, moment, again }).ok()
    }
}
