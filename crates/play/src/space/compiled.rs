//! Finds the successors of states by compiled rules, from positions that are bytes.
//!
//! Everything is as the machine finds it: keys, their order, and what is looked at. Whatever compiled rules do not follow so, they
//! leave to the machine, for all states of a piece: errors, asks of several players, and later asks of a phase where it is not known
//! what decides how the phase goes on.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use super::expand::{
    Expander, Found, Landing, Look, LookFor, MAX_ANSWERS, Moment, Setting, Sight, keyed, looked_at, looked_up,
};
use super::store::{Kind, KnownAsk, StateId, Store};
use crate::odds::Follower;
use crate::points::{Turns, turns_left};
use crate::stepped::{Answers, KnownAnswers, Silence, Way, option};
use referee_rules::{Asked, Engine, Program, Reached, Steps};
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
        // Compiled rules do not know of unknown cards.
        let engine = engine.filter(|_| machine.first.is_none_or(|first| !first.state.lends_any()));
        let engine = engine.filter(|_| !machine.look.is_some_and(|look| look.turn_ends));
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
    look: Option<Look<'c>>,
    /// The condition for a mark, if it was compiled with the rules.
    condition: Option<LookFor<'c>>,
    steps: Steps,
    /// Whether the rules list the moves of a turn.
    lists_moves: bool,
    /// A state that is looked at, or becomes a key.
    state: State,
    known: KnownAnswers,
    /// The last state at the beginning of a phase from which one within the phase was reached, and its position.
    begun: Option<(StateId, Rc<[u8]>)>,
    /// Room for positions.
    room: Vec<Vec<u8>>,
    failed: u8,
}

impl<'c> Compiled<'c> {
    fn of(machine: &Expander<'c>, engine: Engine) -> Option<Self> {
        let Expander { program, setting, look, .. } = *machine;
        if setting.alone {
            return None;
        }
        let state = State::new(setting.table.clone());
        // All images of a position under symmetries are to be looked at.
        let condition = look.and_then(|look| look.condition).filter(|_| setting.symmetries.is_empty());
        let compiled = condition.and_then(|condition| program.steps(engine, &state, Some(condition.expression)));
        let condition = condition.filter(|_| compiled.is_some());
        let steps = compiled.or_else(|| program.steps(engine, &state, None))?;
        let state = steps.first();
        let lists_moves = program.lists(&Phase::turn(PlayerId(0))).is_some();
        let known = KnownAnswers::default();
        Some(Self {
            program,
            setting,
            look,
            condition,
            steps,
            lists_moves,
            state,
            known,
            begun: None,
            room: Vec::new(),
            failed: 0,
        })
    }

    fn expand(&mut self, store: &Store, ids: Range<StateId>) -> Option<Found> {
        let before = (self.steps.spent(), self.program.spent());
        let mut found = Found { ids: ids.clone(), ..Found::default() };
        for id in ids {
            self.follow(store, id, &mut found)?;
        }
        // The machine counts at most twice as many, besides what it has judged itself.
        found.work = 2 * (self.steps.spent() - before.0) + self.program.spent().wrapping_sub(before.1);
        Some(found)
    }

    fn follow(&mut self, store: &Store, id: StateId, found: &mut Found) -> Option<()> {
        if store.kind(id) == Kind::End {
            return Some(());
        }
        let (position, mut way) = self.way_to(store, id)?;
        let is_opening = way.is_empty() && !self.looks_at(None) && store.left(id).is_none();
        let lists = is_opening && self.lists_moves;
        let answers = self.answers(store.ask(id).known().filter(|_| !lists), &position, &way)?;
        if lists && self.steps.is_listed() {
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
        let mut at = id;
        let mut choices: SmallVec<[(StateId, u32); 4]> = SmallVec::new();
        while store.kind(at) == Kind::Inner {
            let (before, choice) = store.before(at)?;
            choices.push((before, choice));
            at = before;
        }
        if choices.is_empty() {
            return Some((self.position(store, id)?, Way::new()));
        }
        let position = match self.begun.take().filter(|(begun, _)| *begun == at) {
            Some((_, position)) => position,
            None => self.position(store, at)?,
        };
        let mut way = Way::new();
        for (before, choice) in choices.into_iter().rev() {
            let answers = self.answers(store.ask(before).known(), &position, &way)?;
            way.extend_from_slice(&answers.get(usize::try_from(choice).ok()?)?.0);
        }
        self.begun = Some((at, Rc::clone(&position)));
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

    /// Returns the answers to an ask as numbers: to a known one, or to that after a way through the phase of a position.
    fn answers(&mut self, known: Option<(Asked, u32)>, position: &[u8], way: &[u64]) -> Option<Answers> {
        let (asked, of) = match known {
            Some(known) => known,
            None => match self.steps.run(position, way)? {
                Reached::Ask(asked, of) => (asked, of),
                Reached::End | Reached::Over => return None,
            },
        };
        self.known.all(&self.setting.table, asked, of).filter(|answers| answers.len() <= MAX_ANSWERS)
    }

    /// Follows each of the moves that a turn has listed, from where they are in the memory.
    fn follow_listed(&mut self, store: &Store, id: StateId, position: &[u8], found: &mut Found) -> Option<()> {
        let listed = self.steps.listed()?;
        for choice in 0..listed.of {
            let start = found.keys.len();
            let landing = match self.steps.go_on_from(&listed, choice)? {
                Reached::Over => {
                    self.steps.show_end(&mut self.state)?;
                    let mut mark = None;
                    self.look(&mut mark, Moment::Over, false)?;
                    self.keyed(store, Kind::End, (mark, None), found)
                }
                Reached::Ask(..) if self.steps.is_listed() && self.encodes() => {
                    found.keys.push(Kind::Opening.byte());
                    self.steps.encode_listed(&mut found.keys)?;
                    looked_up(store, (None, None), found, start, 0)
                }
                Reached::Ask(..) if self.steps.is_listed() => {
                    self.steps.show_listed(&mut self.state)?;
                    self.keyed(store, Kind::Opening, (None, None), found)
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
        let mut way = from.1;
        // The position that play has come to, and room for the next one.
        let (mut here, mut next) = (None, self.room.pop().unwrap_or_default());
        let mut silence = Silence::begin(&self.steps);
        let mut mark = None;
        let start = found.keys.len();
        // The state at the beginning of a phase whose answer is not known yet.
        let mut waiting: Option<Landing> = None;
        let landing = loop {
            let position = here.as_deref().unwrap_or(from.0);
            match (self.steps.run(position, way)?, waiting.take()) {
                (Reached::Ask(asked, of), landing) => {
                    let landing = match landing {
                        Some(landing) => landing,
                        None => {
                            found.keys.push(Kind::Inner.byte());
                            self.steps.encode_ask(position, &mut found.keys)?;
                            self.steps.pack_pause(position, &mut found.keys)?;
                            looked_up(store, (None, left), found, start, 0)
                        }
                    };
                    self.look_at_ask(&mut mark, position, !way.is_empty())?;
                    break Landing { mark, ask: KnownAsk::of(asked, of), ..landing };
                }
                (Reached::Over, _) => {
                    found.keys.truncate(start);
                    self.steps.show_end(&mut self.state)?;
                    self.look(&mut mark, Moment::Over, false)?;
                    break self.keyed(store, Kind::End, (mark, left), found);
                }
                (Reached::End, _) => found.keys.truncate(start),
            }
            next.clear();
            let ends_turn = self.steps.after(position, &mut next)?;
            silence.goes_on(&mut self.steps)?;
            left = turns_left(ends_turn, left);
            if left == Some(0) {
                self.steps.show_end(&mut self.state)?;
                self.look(&mut mark, Moment::Horizon, false)?;
                break self.keyed(store, Kind::End, (mark, left), found);
            }
            let landing = self.opened(store, &next, (mark, left), found)?;
            if landing.known.is_some() {
                break landing;
            }
            self.look_at_position(&mut mark, &next)?;
            waiting = Some(landing);
            next = here.replace(next).or_else(|| self.room.pop()).unwrap_or_default();
            way = &[];
        };
        self.room.extend(here);
        self.room.push(next);
        Some(landing)
    }

    /// Returns whether it is to look at a position before play ends, after an earlier one has this mark.
    fn looks_at(&self, mark: Option<u32>) -> bool {
        mark.is_none() && self.look.is_some_and(|look| !look.only_ends)
    }

    /// Looks at the ask to which the phase of a position has come, after others or not. What it has left besides the state is
    /// forgotten.
    fn look_at_ask(&mut self, mark: &mut Option<u32>, position: &[u8], is_later: bool) -> Option<()> {
        if !self.looks_at(*mark) {
            return Some(());
        }
        // It was looked at before, when the phase began, and is the same.
        let again = !is_later && self.steps.is_at(position);
        match self.condition {
            Some(_) if again => self.steps.judged_again(),
            Some(condition) => *mark = self.judged(condition, None)?,
            None => {
                self.steps.show_ask(position, &mut self.state)?;
                let again = again && self.lists_moves && self.steps.is_turn_next(position);
                self.look(mark, Moment::Ask, again)?;
            }
        }
        Some(())
    }

    /// Returns the mark of what the phase that ran last has come to, or of a position that begins there. If compiled rules cannot
    /// say whether the condition holds, they are not asked any more.
    fn judged(&mut self, condition: LookFor<'_>, position: Option<&[u8]>) -> Option<Option<u32>> {
        let Some(holds) = self.steps.holds(position) else {
            self.condition = None;
            return None;
        };
        Some((holds == condition.is).then_some(condition.mark))
    }

    /// Looks at a position between two phases to which the one that ran last has come.
    fn look_at_position(&mut self, mark: &mut Option<u32>, position: &[u8]) -> Option<()> {
        if !self.looks_at(*mark) {
            return Some(());
        }
        if let Some(condition) = self.condition {
            *mark = self.judged(condition, Some(position))?;
            return Some(());
        }
        self.steps.show_position(position, &mut self.state)?;
        self.look(mark, Moment::Phase, false)
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
