//! Finds the successors of states: restores a state from its key, gives each answer, and runs to the next ask.

use std::ops::Range;
use std::sync::Arc;

use super::store::{Kind, KnownAsk, StateId, Store, hash};
use crate::feed::Made;
use crate::open::all_listed;
use crate::points::{self, Broken, Pause, Stand, Turns, put_next, turns_after};
use referee_diagnostic::Diagnostic;
use referee_diagnostic::MustBe as _;
use referee_rules::{End, Expression, Keep, Program, SILENT_PHASES};
use referee_table::{Images, Move, Packer, Phase, State, Symmetry, Table};
use referee_trace::{Answer, Ask, Question, RulesPlace};

/// The maximum number of answers to one ask: players who are asked at once answer in every combination.
pub(super) const MAX_ANSWERS: usize = 100_000;

/// A position that play passes.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'s> {
    /// The position.
    pub state: &'s State,
    /// Where play is.
    pub moment: Moment,
    /// Whether the same position was looked at just before, at the beginning of the phase.
    pub again: bool,
}

/// Where play is when a position is looked at.
#[derive(Clone, Copy, Debug)]
pub enum Moment {
    /// A phase begins; the phases still to run are on the agenda, that one included.
    Phase,
    /// The rules ask something.
    Ask,
    /// The game is over.
    Over,
    /// The horizon is reached, or a function called by itself has returned.
    Horizon,
    /// A turn has ended, and nothing has begun after it; or the rules' function for the end of a round has.
    TurnEnd,
}

/// Looks at a position, on any thread. Returns a mark if the visitor must hear of it.
pub type Marker<'l> = dyn Fn(&Program, Sight<'_>) -> Result<Option<u32>, Box<Diagnostic>> + Sync + 'l;

/// What looks at positions.
#[derive(Clone, Copy)]
pub struct Look<'l> {
    /// Looks at one.
    pub mark: &'l Marker<'l>,
    /// Whether it marks only positions at which play ends. It sees no others then.
    pub only_ends: bool,
    /// Whether it also looks at positions where a turn or a round has ended. Compiled rules do not follow play then.
    pub turn_ends: bool,
    /// The condition under which it marks a position, if that is an expression.
    pub condition: Option<LookFor<'l>>,
}

/// A condition for a mark, that compiled rules evaluate themselves.
#[derive(Clone, Copy)]
pub struct LookFor<'l> {
    /// The expression.
    pub expression: Expression<'l>,
    /// The value that it has in marked positions, and in no others.
    pub is: bool,
    /// The mark.
    pub mark: u32,
}

impl Look<'_> {
    /// Returns whether it is to look at positions where play is there.
    const fn sees(&self, moment: Moment) -> bool {
        !self.only_ends || matches!(moment, Moment::Over | Moment::Horizon)
    }
}

/// The data with which a walk follows play, the same for all threads.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    pub(super) table: Arc<Table>,
    /// Whether play ends with the phase.
    pub(super) alone: bool,
    /// The symmetries under which states are one.
    pub(super) symmetries: Images,
}

impl Setting {
    /// Appends the key of a state at the beginning of a phase or at the end of play: of its images under
    /// the symmetries, the one with the least sketch; of several such images, the one with the least key. Returns the number of the
    /// symmetry; 0 for the state itself.
    pub(super) fn key(&self, kind: Kind, state: &State, keys: &mut Vec<u8>) -> u8 {
        keys.push(kind.byte());
        let start = keys.len();
        let encode = |by: Option<&Symmetry>, keys: &mut Vec<u8>| match by {
            None => state.encode(keys),
            Some(by) => state.encode_turned(by, keys),
        };
        let (first, others) = self.symmetries.least(state);
        let symmetry = |number: u8| self.symmetries.pair(number);
        encode(symmetry(first).map(|(by, _)| by), keys);
        let mut least = first;
        let mut other = Vec::new();
        for number in others {
            other.clear();
            encode(symmetry(number).map(|(by, _)| by), &mut other);
            if keys.get(start..).is_some_and(|least| other.as_slice() < least) {
                keys.truncate(start);
                keys.extend_from_slice(&other);
                least = number;
            }
        }
        least
    }

    /// Returns the state of a key without its kind. `by` is the number of the symmetry by which it became the key.
    pub(super) fn state(&self, key: &[u8], by: u8) -> Option<State> {
        let state = State::decoded(&self.table, key)?;
        Some(match by {
            0 => state,
            by => state.turned(&self.symmetries.pair(by)?.1),
        })
    }
}

/// Follows play on one thread.
pub(super) struct Expander<'e> {
    pub(super) program: &'e Program,
    pub(super) setting: &'e Setting,
    /// Looks at positions, if anything is sought in them.
    pub(super) look: Option<Look<'e>>,
    /// The ask at which the walk began, if the first state is not the beginning of a phase. Only the thread that began
    /// the walk has it.
    pub(super) first: Option<&'e Pause>,
}

/// The successors of some states.
#[derive(Default)]
pub(super) struct Found {
    /// The states.
    pub(super) ids: Range<StateId>,
    pub(super) steps: Vec<FoundStep>,
    /// The keys of new states, one after the other.
    pub(super) keys: Vec<u8>,
    /// The number of operations of the rules: at most so many, if it is not exact.
    pub(super) work: u64,
    pub(super) is_exact: bool,
    /// Why no more states were followed.
    pub(super) stuck: Option<Stuck>,
}

/// An answer and what follows it.
pub(super) struct FoundStep {
    pub(super) from: StateId,
    pub(super) choice: u32,
    /// The mark of a position on the way.
    pub(super) mark: Option<u32>,
    pub(super) to: To,
}

/// The state after an answer.
pub(super) enum To {
    /// A state that was in the store before.
    Known(StateId),
    /// A state that was not: the end of its key in [`Found::keys`], its hash, the number of the symmetry by which it
    /// became the key, the turns left, and what is asked there, if that is known.
    New { end: usize, hash: u64, by: u8, left: Turns, ask: KnownAsk },
    /// None: the rules caused an error.
    Fault(Box<Diagnostic>),
}

/// Why a walk cannot go on.
#[derive(Debug)]
pub(super) enum Stuck {
    /// The rules ask here about history, which is not part of a state.
    History(RulesPlace),
    /// A phase has too many answers, or a state cannot be restored.
    Phase,
    /// An ask takes values that are not listed.
    NotListed(Box<Diagnostic>),
}

/// A state with its answers.
pub(super) enum Post {
    /// A turn whose moves the rules list.
    Listing(Box<Listing>),
    Asks(Box<Pause>),
}

/// A turn whose moves the rules list, before it does anything else.
pub(super) struct Listing {
    state: Box<State>,
    phase: Phase,
    moves: Arc<Vec<Move>>,
    /// Whether listing them has changed nothing.
    same: bool,
}

/// The state after an answer, whose key was appended to the keys of new states.
pub(super) struct Landing {
    pub(super) mark: Option<u32>,
    pub(super) left: Turns,
    pub(super) hash: u64,
    /// The number of the symmetry by which it became the key.
    pub(super) by: u8,
    /// The same state in the store, if it was there before.
    pub(super) known: Option<StateId>,
    /// What is asked there, if that is known.
    pub(super) ask: KnownAsk,
}

impl Found {
    /// Adds what follows after an answer at a state. The keys from `start` on are that of the state where it has come to.
    pub(super) fn landed(&mut self, from: StateId, choice: u32, start: usize, landing: Landing) {
        let Landing { mark, left, hash, by, known, ask } = landing;
        let to = match known {
            Some(known) => {
                self.keys.truncate(start);
                To::Known(known)
            }
            None => To::New { end: self.keys.len(), hash, by, left, ask },
        };
        self.steps.push(FoundStep { from, choice, mark, to });
    }
}

/// The continuation after the beginning of a phase.
pub(super) enum Beyond {
    Asks(Post),
    Goes(Box<Stand>),
}

impl Expander<'_> {
    /// Finds what follows these states.
    pub(super) fn expand(&self, store: &Store, ids: Range<StateId>) -> Found {
        let before = self.program.spent();
        let mut found = Found { ids: ids.clone(), ..Found::default() };
        for id in ids {
            if let Err(stuck) = self.follow(store, id, &mut found) {
                found.stuck = Some(stuck);
                break;
            }
        }
        found.work = self.program.spent().wrapping_sub(before);
        found.is_exact = true;
        found
    }

    /// Returns whether only the thread that began the walk can restore a state.
    pub(super) fn is_within_first(store: &Store, mut id: StateId) -> bool {
        loop {
            match (store.kind(id), store.before(id)) {
                (Kind::Opening | Kind::End, _) => return false,
                (Kind::Inner, None) => return true,
                (Kind::Inner, Some((before, _))) => id = before,
            }
        }
    }

    fn follow(&self, store: &Store, id: StateId, found: &mut Found) -> Result<(), Stuck> {
        if store.kind(id) == Kind::End {
            return Ok(());
        }
        let post = match self.restored(store, id) {
            Ok(post) => post,
            Err(Broken::History(place)) => return Err(Stuck::History(place)),
            // Play came here before without this error.
            Err(Broken::Fault(_)) => return Err(Stuck::Phase),
        };
        if let Post::Asks(pause) = &post {
            all_listed(self.program, &pause.state, &pause.ask, "not all play can be followed")
                .map_err(Stuck::NotListed)?;
        }
        let answers = post.answers()?;
        for choice in 0..answers {
            let Ok(number) = u32::try_from(choice) else { return Err(Stuck::Phase) };
            let start = found.keys.len();
            let landed = self.answered(&post, choice).and_then(|stand| self.land(store, stand, store.left(id), found));
            match landed {
                Ok(landing) => found.landed(id, number, start, landing),
                Err(Broken::History(place)) => return Err(Stuck::History(place)),
                Err(Broken::Fault(wrong)) => {
                    found.keys.truncate(start);
                    found.steps.push(FoundStep { from: id, choice: number, mark: None, to: To::Fault(wrong) });
                }
            }
        }
        Ok(())
    }

    /// Returns a state of the store with its answers: the beginning of its phase, and there the answers that led to it.
    pub(super) fn restored(&self, store: &Store, id: StateId) -> Result<Post, Broken> {
        let mut choices = Vec::new();
        let mut at = id;
        let mut post = loop {
            match (store.kind(at), store.before(at)) {
                (Kind::Inner, Some((before, choice))) => {
                    choices.push(choice);
                    at = before;
                }
                (Kind::Inner, None) => break Post::Asks(Box::new(self.first.cloned().ok_or_else(lost)?)),
                (Kind::Opening | Kind::End, _) => {
                    let state = self.setting.state(store.encoded(at), store.turned(at)).ok_or_else(lost)?;
                    match self.open(Box::new(state))? {
                        Beyond::Asks(post) => break post,
                        Beyond::Goes(_) => return Err(lost()),
                    }
                }
            }
        };
        for choice in choices.into_iter().rev() {
            post = match self.answered(&post, choice as usize)? {
                Stand::Asks(pause) => Post::Asks(pause),
                Stand::Between(_, _) | Stand::Over(_) => return Err(lost()),
            };
        }
        Ok(post)
    }

    /// Continues with the answer of this number.
    pub(super) fn answered(&self, post: &Post, choice: usize) -> Result<Stand, Broken> {
        match post {
            Post::Listing(listing) => {
                let Listing { state, phase, moves, same: _ } = &**listing;
                self.program.begin(state.weight());
                let run = self.program.run_made((**state).clone(), phase, moves, choice);
                if !matches!(run.end, End::Paused(_) | End::Refused(_)) {
                    return points::stand(run, None);
                }
                self.program.clear_registers();
                self.program.begin(state.weight());
                let made = Box::new(Made(Some(choice)));
                points::stand(self.program.run((**state).clone(), phase, made, Keep::default()), None)
            }
            Post::Asks(pause) => {
                let answer = answer(&pause.ask, &pause.state, choice).ok_or_else(lost)?;
                points::answer(self.program, pause, &answer)
            }
        }
    }

    /// Runs on to the next ask, and appends its key to `found` unless it is in the store.
    pub(super) fn land(
        &self,
        store: &Store,
        mut stand: Stand,
        mut left: Turns,
        found: &mut Found,
    ) -> Result<Landing, Broken> {
        let start = found.keys.len();
        let mut mark = None;
        for _ in 0..SILENT_PHASES {
            found.keys.truncate(start);
            let (kind, mut state) = match stand {
                Stand::Over(state) => {
                    self.look(&mut mark, &state, Moment::Over, false)?;
                    return Ok(keyed(store, (mark, left), found, |keys| self.setting.key(Kind::End, &state, keys)));
                }
                Stand::Asks(pause) => {
                    self.look(&mut mark, &pause.state, Moment::Ask, false)?;
                    return Ok(keyed(store, (mark, left), found, |keys| key_of_pause(&pause, keys)));
                }
                Stand::Between(state, _) => {
                    if self.look.is_some_and(|look| look.turn_ends) && (state.ends_turn() || state.ends_round()) {
                        self.look(&mut mark, &state, Moment::TurnEnd, false)?;
                    }
                    left = turns_after(&state, left);
                    let ends = self.setting.alone || left == Some(0);
                    (if ends { Kind::End } else { Kind::Opening }, state)
                }
            };
            if kind == Kind::End {
                self.look(&mut mark, &state, Moment::Horizon, false)?;
                return Ok(keyed(store, (mark, left), found, |keys| self.setting.key(kind, &state, keys)));
            }
            put_next(&mut state);
            let landing = keyed(store, (mark, left), found, |keys| self.setting.key(kind, &state, keys));
            if landing.known.is_some() {
                return Ok(landing);
            }
            self.look(&mut mark, &state, Moment::Phase, false)?;
            match self.open(state)? {
                Beyond::Asks(post) => {
                    self.look_at_post(&mut mark, &post)?;
                    return Ok(Landing { mark, ..landing });
                }
                Beyond::Goes(next) => stand = *next,
            }
        }
        let (Stand::Between(state, _) | Stand::Over(state)) = stand else {
            return Err(Broken::Fault(Box::new(Diagnostic::internal("a phase without an ask has asked"))));
        };
        Err(Broken::Fault(Box::new(self.program.too_silent(*state))))
    }

    fn look_at_post(&self, mark: &mut Option<u32>, post: &Post) -> Result<(), Broken> {
        match post {
            Post::Listing(listing) => self.look(mark, &listing.state, Moment::Ask, listing.same),
            Post::Asks(pause) => self.look(mark, &pause.state, Moment::Ask, false),
        }
    }

    /// Runs the next phase up to its first ask, or to its end if it asks nothing.
    pub(super) fn open(&self, mut state: Box<State>) -> Result<Beyond, Broken> {
        if let Some(player) =
            state.agenda.last().filter(|_| !state.lends_any()).and_then(|phase| self.program.lists(phase))
        {
            let phase = state.due();
            self.program.begin(state.weight());
            let mut moves = self.program.known_moves(&state, player);
            let mut same = true;
            if moves.is_none() {
                // Rules that do more than list have changed this state then, which is left as it was.
                let (listed, found) = self.program.moves((*state).clone(), player);
                if found.is_some() {
                    same = listed.changes() == state.changes();
                    *state = listed;
                }
                moves = found;
            }
            if let Some(moves) = moves.filter(|moves| !moves.is_empty()) {
                return Ok(Beyond::Asks(Post::Listing(Box::new(Listing { state, phase, moves, same }))));
            }
            state.agenda.push(phase);
        }
        match points::begin(self.program, *state)? {
            Stand::Asks(pause) => Ok(Beyond::Asks(Post::Asks(pause))),
            stand => Ok(Beyond::Goes(Box::new(stand))),
        }
    }

    /// Looks at a position, unless an earlier one has a mark.
    fn look(&self, mark: &mut Option<u32>, state: &State, moment: Moment, again: bool) -> Result<(), Broken> {
        looked_at((self.look, self.program), mark, Sight { state, moment, again }).map_err(Broken::Fault)
    }
}

impl Post {
    /// Returns the number of answers.
    pub(super) fn answers(&self) -> Result<usize, Stuck> {
        match self {
            Self::Listing(listing) => Ok(listing.moves.len()),
            Self::Asks(pause) => match answers(&pause.ask, &pause.state) {
                0 => Err(Stuck::Phase),
                count if count > MAX_ANSWERS => Err(Stuck::Phase),
                count => Ok(count),
            },
        }
    }
}

/// Looks at a position, if anything is sought, unless an earlier one has a mark.
pub(super) fn looked_at(
    (look, program): (Option<Look<'_>>, &Program),
    mark: &mut Option<u32>,
    sight: Sight<'_>,
) -> Result<(), Box<Diagnostic>> {
    if let (None, Some(look)) = (&mark, look.filter(|look| look.sees(sight.moment))) {
        *mark = (look.mark)(program, sight)?;
    }
    Ok(())
}

/// Appends the key of a state, and looks it up.
pub(super) fn keyed(
    store: &Store,
    (mark, left): (Option<u32>, Turns),
    found: &mut Found,
    append: impl FnOnce(&mut Vec<u8>) -> u8,
) -> Landing {
    let start = found.keys.len();
    let by = append(&mut found.keys);
    looked_up(store, (mark, left), found, start, by)
}

/// Looks the key up that was appended from `start` on; `by` is the number of the symmetry by which the state became it.
pub(super) fn looked_up(
    store: &Store,
    (mark, left): (Option<u32>, Turns),
    found: &Found,
    start: usize,
    by: u8,
) -> Landing {
    let key = found.keys.get(start..).or_missing("the key of a state", &[]);
    let hash = hash(key);
    Landing { mark, left, hash, by, known: store.known(hash, key, left), ask: KnownAsk::default() }
}

/// Appends the key of a state at an ask within a phase: besides the state it has what decides how the phase goes on. No symmetry
/// makes it another one, so its number is always 0.
pub(super) fn key_of_pause(pause: &Pause, keys: &mut Vec<u8>) -> u8 {
    let mut packer = Packer::default();
    pause.paused.pack(&mut packer);
    keys.push(Kind::Inner.byte());
    pause.state.encode(keys);
    keys.extend_from_slice(packer.finish().as_bytes());
    0
}

/// Returns the number of answers to an ask; at most [`usize::MAX`].
fn answers(ask: &Ask, state: &State) -> usize {
    match &ask.question {
        Question::Choose(decision) => decision.options.len(),
        Question::ChooseAll(all) => all.iter().fold(1, |count: usize, one| count.saturating_mul(one.options.len())),
        chance @ (Question::Roll(_) | Question::Draw(_)) => chance.chances(state).len(),
    }
}

/// Returns the answer of this number to an ask.
pub(super) fn answer(ask: &Ask, state: &State, number: usize) -> Option<Answer> {
    match &ask.question {
        Question::Choose(decision) => (number < decision.options.len()).then_some(Answer::Chosen(number)),
        Question::ChooseAll(all) => {
            let mut rest = number;
            let mut chosen = Vec::with_capacity(all.len());
            for decision in all {
                let options = decision.options.len();
                chosen.push(rest.checked_rem(options)?);
                rest /= options;
            }
            (rest == 0).then_some(Answer::AllChosen(chosen))
        }
        chance @ (Question::Roll(_) | Question::Draw(_)) => {
            chance.chances(state).into_iter().nth(number).map(|(answer, _)| answer)
        }
    }
}

/// Returns the error for a state that cannot be restored.
fn lost() -> Broken {
    Broken::Fault(Box::new(Diagnostic::internal("a position that play came to cannot be restored")))
}
