//! Playouts: games played to their end, with every ask answered by a seeded random generator or a policy.
//!
//! A phase pauses only for a policy that looks ahead, and continues with its decision.

use referee_diagnostic::MustBe as _;
use std::borrow::Cow;
use std::cell::{RefCell, RefMut};
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hasher as _};
use std::rc::Rc;
use std::sync::Arc;

use super::machine::{Earlier, Machine, Stop};
use super::policy::{Policy, Rates, Worth};
use super::quicker::{Quicker, WorthIt};
use super::random::Random;
use super::rated::{Since, asked_at, worths};
use super::rated_games::RatedGames;
use super::search::Tries;
use super::segment::Segment;
use super::series::Series;
use super::stepped_games::{Answering, Finished, play};
use super::strategy::StrategyProfile;
use super::tally::Tally;
use super::told::{Account, Digest, Ending, Want};
use referee_diagnostic::{Code, Diagnostic};
use referee_rules::{Answers, End, Engine, Expression, Keep, Paused, Playing, Program, Reply, Steps, UsedUp};
use referee_table::{
    Board, ClauseId, DieId, Move, Names, Outcome, Packer, Phase, PieceId, PlayerId, State, Throw, ZoneId,
};
use referee_trace::{Answer, Ask, Decision, Question, RulesPlace};

/// The maximum number of answers in a turn.
const ANSWERS: u32 = 100_000;
/// The number of turns that do not count after which a game is stopped: no limit of turns would stop it.
const UNCOUNTED: u32 = 100_000;

/// The start of games: a position and, in the middle of a phase, the paused phase.
#[derive(Clone, Debug)]
pub struct Start {
    state: State,
    paused: Option<Rc<Paused>>,
    /// What is dealt again, if the game hides cards.
    segment: Option<Box<Segment>>,
    /// The clauses applied so far in the present turn.
    earlier: Earlier,
    /// Where compiled rules, which have no pauses, begin.
    begun: Option<Begun>,
}

/// A point before a pause, with nothing asked in between: play goes on alike from there.
#[derive(Clone, Debug)]
enum Begun {
    /// The phase that has paused, before anything has happened in it, and the clauses applied before.
    Here(Phase, Earlier),
    /// The beginning of a set-up, or of the first turn: the state without the phase on the agenda, the phase, and the clauses
    /// applied before.
    SetUp(Rc<(State, Phase)>, Earlier),
}

impl Begun {
    /// Returns the phase that begins there.
    fn phase(&self) -> &Phase {
        match self {
            Self::Here(phase, _) => phase,
            Self::SetUp(first, _) => &first.1,
        }
    }

    fn of(machine: &Machine<'_>, state: &State, paused: &Paused) -> Option<Self> {
        if paused.is_first(state) {
            return Some(Self::Here(paused.phase().clone(), machine.before().clone()));
        }
        if let Some((first, earlier)) = machine.opening() {
            return Some(Self::SetUp(Rc::clone(first), earlier.clone()));
        }
        let segment = machine.segment();
        let first = segment?.without_answers()?;
        // With an earlier turn, other clauses may have been applied.
        first.0.turn.is_none().then(|| Self::SetUp(Rc::clone(first), Earlier::default()))
    }
}

impl Start {
    /// Counts clauses that the lines of a set-up apply, once each.
    #[must_use]
    pub fn applying(mut self, clauses: &[ClauseId]) -> Self {
        self.earlier.apply_once(clauses);
        if let Some(Begun::Here(_, earlier) | Begun::SetUp(_, earlier)) = &mut self.begun {
            earlier.apply_once(clauses);
        }
        self
    }

    /// Returns the start at the present point of a machine; `None` if the game is over.
    #[must_use]
    pub fn of(machine: &Machine<'_>) -> Option<Self> {
        let mut state = machine.state().clone();
        if let Some(paused) = machine.paused() {
            let begun = Begun::of(machine, &state, paused);
            let (paused, segment) = (Some(Rc::clone(paused)), machine.segment().cloned().map(Box::new));
            return Some(Self { state, paused, segment, earlier: machine.earlier().clone(), begun });
        }
        state.agenda.clear();
        match machine.stop() {
            Stop::Fresh | Stop::Returned => {
                Some(Self { state, paused: None, segment: None, earlier: Earlier::default(), begun: None })
            }
            _ => None,
        }
    }

    /// Returns whether play goes on from here as from another start, with the same rules.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        let packed = |start: &Self| {
            let mut packer = Packer::default();
            start.paused.iter().for_each(|paused| paused.pack(&mut packer));
            packer.finish()
        };
        self.state.encoded() == other.state.encoded() && packed(self).as_bytes() == packed(other).as_bytes()
    }

    /// Returns the state and the paused phase.
    pub(super) fn parts(&self) -> (State, Option<Rc<Paused>>) {
        (self.state.clone(), self.paused.clone())
    }

    /// Returns the board.
    #[must_use]
    pub fn board(&self) -> &Arc<Board> {
        &self.state.table.board
    }

    /// Returns the position at the beginning of the phase that comes next, or that has paused before it changed anything;
    /// `None` in the middle of a phase.
    #[must_use]
    pub fn opening(&self) -> Option<State> {
        let mut state = self.state.clone();
        if let Some(paused) = &self.paused {
            if !paused.is_first(&state) {
                return None;
            }
            state.agenda.push(paused.phase().clone());
        }
        Some(state)
    }

    /// Returns the state at which compiled rules begin, with all that is to run on the agenda.
    pub(super) fn for_compiled(&self) -> Cow<'_, State> {
        let Some(begun) = &self.begun else { return Cow::Borrowed(&self.state) };
        let mut state = match begun {
            Begun::Here(..) => self.state.clone(),
            Begun::SetUp(first, _) => first.0.clone(),
        };
        state.agenda.push(begun.phase().clone());
        Cow::Owned(state)
    }

    /// Returns whether a turn has begun.
    fn in_turn(&self) -> bool {
        self.state.turn.is_some() && self.paused.is_some()
    }

    /// Returns the player whose turn begins here; `None` in the middle of a phase.
    #[must_use]
    pub fn next_turn(mut self) -> Option<PlayerId> {
        if self.paused.is_some() {
            return None;
        }
        // The line `turn PLAYER` begins no round.
        while !self.state.due().is_turn() {}
        self.state.turn
    }
}

/// The settings of playouts: rules, start, policies and a limit.
pub struct Playouts<'p> {
    /// The rules.
    pub program: &'p Program,
    /// The start of every game.
    pub start: &'p Start,
    /// How players decide; a player without a policy decides at random.
    pub strategy: &'p StrategyProfile,
    /// The number of turns after which a game is stopped.
    pub max_plies: u64,
    /// What finds out how policies that look ahead try games and rate options; without it the machine does.
    pub rollouts: Option<&'p Quicker>,
}

/// A game that was played out.
pub struct Played {
    /// The position at the end.
    pub state: State,
    /// How the game ended.
    pub ending: Ending,
    /// The place of the call in the rules that ended it.
    pub over_at: Option<RulesPlace>,
    /// The counts.
    pub tally: Tally,
    /// The asks with their answers since the start, phase by phase; empty unless the caller asked for them.
    pub answers: Vec<Vec<(Ask, Answer)>>,
    /// Whether compiled rules have played it.
    pub compiled: bool,
    /// The unknown cards that were dealt before it began, with their zones.
    pub dealt: Vec<(ZoneId, PieceId)>,
}

/// What was counted in a game, and how it has ended.
pub struct Ended {
    /// How the game ended.
    pub ending: Ending,
    /// The counts.
    pub tally: Tally,
    /// The position at the end; none if only counts were wanted.
    pub state: Option<State>,
    /// Whether compiled rules have played it.
    pub compiled: bool,
}

impl From<Played> for Ended {
    fn from(played: Played) -> Self {
        let Played { ending, tally, state, compiled, .. } = played;
        Self { ending, tally, state: Some(state), compiled }
    }
}

/// The random generator and counts that answer while a phase runs.
struct Seats {
    random: Random,
    tally: Tally,
    /// For each player whether the policy looks ahead.
    thinkers: Vec<bool>,
    /// The number of turns after which the game is stopped.
    max_plies: u64,
    /// The number of answers in this turn so far.
    answers: u32,
    /// The number of turns so far that do not count.
    uncounted: u32,
    /// A decision made at a pause, which is the next answer.
    decided: Option<Answer>,
}

/// The answers of the seats.
struct Seated(Rc<RefCell<Seats>>);

/// The next run: a phase, or the rest of a paused phase.
enum Next {
    Phase(Phase),
    Paused(Rc<Paused>),
}

impl Playouts<'_> {
    /// Plays game `number` of the series for `seed`; with `keep`, the result includes the answers.
    #[must_use]
    pub fn play(&self, seed: u64, number: u64, keep: bool) -> Played {
        self.play_with((seed, number), keep)
    }

    /// Plays game `number` of the series for `seed`, and returns what tells it from others.
    #[must_use]
    pub fn digest(&self, seed: u64, number: u64) -> Digest {
        let mut told = DefaultHasher::new();
        let played = self.by_machine(Random::of_game(seed, number), Want::Told(&mut told));
        let Played { ending, tally, state, .. } = played;
        Digest { ending, tally, state: state.encoded(), told: told.finish() }
    }

    /// Plays a game of a series in the quickest way, like [`Playouts::play_one_of`], for its counts, and with the last position
    /// if that is wanted.
    pub fn count_one_of(&self, left: u64, quicker: &Quicker, with_state: bool, seed: u64, number: u64) -> Ended {
        let series = if with_state { None } else { quicker.series(self.max_plies, || self.series()) };
        let counted = series.and_then(|mut series| self.counted(&mut series, seed, number));
        counted.unwrap_or_else(|| self.play_one_of(left, quicker, seed, number).into())
    }

    /// Counts a game; with games that are only counted, in that way if it can be.
    pub fn count(&self, series: Option<&mut Series>, seed: u64, number: u64) -> Ended {
        let counted = series.and_then(|series| self.counted(series, seed, number));
        counted.unwrap_or_else(|| self.play(seed, number, false).into())
    }

    fn counted(&self, series: &mut Series, seed: u64, number: u64) -> Option<Ended> {
        let (outcome, tally) = series.play(self.program, seed, number)?;
        let ending = outcome.map_or(Ending::Stopped, Ending::Over);
        Some(Ended { ending, tally, state: None, compiled: true })
    }

    /// Returns these games as ones that are only counted; `None` if compiled rules do not play them alone.
    #[must_use]
    pub fn series(&self) -> Option<Series> {
        let (playing, phase, before) = self.beginning()?;
        Series::of(self.program, (playing, phase), before, self.max_plies)
    }

    /// Plays a game of a series in the quicker way. So many games are left. Its answers are not kept.
    pub fn play_one_of(&self, left: u64, quicker: &Quicker, seed: u64, number: u64) -> Played {
        if self.looks_ahead() {
            return self.play(seed, number, false);
        }
        let is_worth = |games, operations| WorthIt::of_series(left, games, operations);
        self.play_in_quicker_way(quicker, is_worth, (seed, number))
    }

    /// Plays a game in the quicker way, with the random generator for a seed and a number.
    fn play_in_quicker_way(
        &self,
        quicker: &Quicker,
        is_worth: impl Fn(u64, u64) -> WorthIt,
        random: (u64, u64),
    ) -> Played {
        let state = || self.start.for_compiled();
        quicker.run(self.program, state, is_worth, || {
            let played = self.play_with(random, false);
            let compiled = played.compiled;
            (played, compiled)
        })
    }

    /// Plays a game with the random generator for a seed and a number.
    pub(super) fn play_with(&self, (seed, number): (u64, u64), keep: bool) -> Played {
        let random = || Random::of_game(seed, number);
        if !keep && self.is_compiled() {
            match self.program.counting(|| self.played(random(), Want::Counts, true)) {
                Some(played) => return played,
                None => self.program.begin(0),
            }
        }
        if !keep && let Some(played) = self.played_rated(random()) {
            return played;
        }
        self.by_machine(random(), if keep { Want::Answers } else { Want::Counts })
    }

    /// Plays a game by the machine.
    fn by_machine(&self, random: Random, want: Want<'_>) -> Played {
        let wrong = || Ending::Fault(Box::new(Diagnostic::internal("the machine gave a game up")));
        let nothing = || Played {
            state: self.start.state.clone(),
            ending: wrong(),
            over_at: None,
            tally: Tally::new(self.program.schema()),
            answers: Vec::new(),
            compiled: false,
            dealt: Vec::new(),
        };
        self.played(random, want, false).unwrap_or_else(nothing)
    }

    /// Compiles the rules for these games, to be run by an engine. Returns `false` if they cannot be compiled: the
    /// machine plays them then.
    #[must_use]
    pub fn compile(&self, engine: Engine) -> bool {
        self.program.compile(engine, &self.start.for_compiled())
    }

    /// Returns whether compiled rules may play whole games by themselves: nobody looks ahead.
    fn is_compiled(&self) -> bool {
        self.program.is_compiled_for(&self.start.state) && !self.looks_ahead() && !self.start.state.lends_any()
    }

    /// Returns whether the policy of a player looks ahead.
    pub(super) fn looks_ahead(&self) -> bool {
        (0..self.program.schema().players.len()).any(|at| self.strategy.thinks(PlayerId::at(at)))
    }

    /// Returns the state in which games begin, at that point if there is one, and what is counted before.
    fn first<'s>(&'s self, begun: Option<&'s Begun>) -> (&'s State, Tally) {
        let mut tally = Tally::new(self.program.schema());
        // Count the turn of the start as a whole, even if the rules split it into phases.
        tally.plies = u64::from(self.start.in_turn());
        let (state, earlier) = match begun {
            Some(Begun::SetUp(first, earlier)) => (&first.0, earlier),
            Some(Begun::Here(_, earlier)) => (&self.start.state, earlier),
            None => (&self.start.state, &self.start.earlier),
        };
        tally.applied(&earlier.clauses, earlier.last_clause);
        (state, tally)
    }

    /// Returns a game that compiled rules are to begin, the phase that comes first, and what is counted before; `None` if the
    /// machine plays the games, or begins them.
    fn beginning(&self) -> Option<(Playing, Phase, Tally)> {
        let begun = self.start.begun.as_ref();
        if !self.is_compiled() || begun.is_none() && self.start.paused.is_some() {
            return None;
        }
        let (state, tally) = self.first(begun);
        let mut state = state.clone();
        let phase = begun.map_or_else(|| state.due(), |begun| begun.phase().clone());
        let (random, thinkers) = (Random::of_game(0, 0), vec![false; state.schema().players.len()]);
        let max_plies = self.max_plies;
        let mut seats = Seats { random, tally, thinkers, max_plies, answers: 0, uncounted: 0, decided: None };
        if begun.is_none() && phase.is_turn() && !seats.begin_turn(true) {
            return None;
        }
        let tally = seats.tally.clone();
        let seated = Seated(Rc::new(RefCell::new(seats)));
        Some((Playing::new(state, Box::new(seated), Keep::default()), phase, tally))
    }

    /// Plays a game with this random generator, by the compiled rules or by the machine. Returns `None` if the compiled rules
    /// are given up.
    fn played(&self, random: Random, mut want: Want<'_>, compiled: bool) -> Option<Played> {
        let begun = self.start.begun.as_ref().filter(|_| compiled);
        let (state, tally) = self.first(begun);
        let thinks = |at| self.strategy.thinks(PlayerId::at(at));
        let thinkers: Vec<bool> = (0..self.program.schema().players.len()).map(thinks).collect();
        let thinks = thinkers.contains(&true);
        let (mut random, mut state) = (random, Cow::Borrowed(state));
        let mut segment = self.start.segment.clone();
        let mut dealt = Vec::new();
        if thinks && state.lends_any() {
            // Who looks ahead knows their own cards. For others, chance decides cards when they matter.
            dealt = random.deal_unknown(state.to_mut());
            let settle = |state: &mut State| dealt.iter().for_each(|(zone, card)| state.settle_lent(*zone, *card));
            segment.iter_mut().for_each(|segment| segment.change(settle));
        }
        let keep = Keep {
            answers: !matches!(want, Want::Counts) || thinks,
            events: matches!(want, Want::Told(_)) || thinks && Segment::is_kept_by(self.program.schema()),
            ..Keep::default()
        };
        let max_plies = self.max_plies;
        let seats = Rc::new(RefCell::new(Seats {
            random,
            tally,
            thinkers,
            max_plies,
            answers: 0,
            uncounted: 0,
            decided: None,
        }));
        let mut game = Playing::new(state.into_owned(), Box::new(Seated(Rc::clone(&seats))), keep);
        let mut paused = self.start.paused.as_ref().map(|paused| Next::Paused(Rc::clone(paused)));
        let mut again = begun.map(|begun| begun.phase().clone());
        let mut segment = segment.filter(|_| thinks);
        let mut answers = Vec::new();
        let ending = loop {
            let again = again.take();
            let has_begun = again.is_some();
            let before = paused.take();
            let next = again.map(Next::Phase).or(before);
            let counted = !game.state().turns.is_uncounted();
            let next = next.unwrap_or_else(|| Next::Phase(game.state_mut().due()));
            if has_begun {
                // Its turn is counted already.
            } else if let Next::Phase(phase) = &next {
                if phase.is_turn() && !seats.borrow_mut().begin_turn(counted) {
                    break Ending::Stopped;
                }
                segment = if thinks { Segment::next(segment, game.state(), phase) } else { None };
            }
            let mut account = keep.answers.then(Account::default);
            let end;
            match next {
                Next::Phase(phase) if compiled => {
                    (game, end) = self.program.play_compiled(game, phase)?;
                    game.take_applied(|clauses, last| seats.borrow_mut().tally.applied(clauses, last));
                }
                next => (game, end, segment) = self.phase(game, next, (segment, keep), &seats, &mut account),
            }
            match (&mut want, account) {
                (Want::Told(told), Some(account)) => account.hash(told),
                (_, account) => answers.extend(account.map(|account| account.answers)),
            }
            match end {
                End::Returned if game.is_too_silent() => {
                    break Ending::Fault(Box::new(self.program.too_silent(game.state().clone())));
                }
                End::Returned => {}
                End::Over => {
                    break Ending::Over(
                        game.state().outcome.clone().or_missing("the outcome of a game that is over", Outcome::Nobody),
                    );
                }
                End::Fault(wrong) => break Ending::Fault(wrong),
                End::Paused(ask) | End::Refused(ask) => break Ending::Endless(Box::new(self.endless(&ask))),
            }
        };
        let mut tally = std::mem::take(&mut seats.borrow_mut().tally);
        let over_at = game.over_at();
        let state = game.into_state();
        if state.turns.is_uncounted() && !matches!(ending, Ending::Stopped) {
            tally.plies = tally.plies.saturating_sub(1);
        }
        tally.ended(&state);
        Some(Played { state, ending, over_at, tally, answers, compiled, dealt })
    }

    /// Plays a game whose players rate options by compiled rules; `None` if the machine is to play it.
    fn played_rated(&self, random: Random) -> Option<Played> {
        let quicker = self.rollouts.filter(|_| self.strategy.rates() && !self.start.state.lends_any())?;
        let begun = self.start.begun.as_ref();
        let first = self.opened(begun)?;
        let finished = quicker.rated_game(|| {
            let (_, tally) = self.first(begun);
            let mut games = RatedGames::of(quicker, self.program, &first, (self.strategy, self.max_plies))?;
            Some(games.play(&first, begun.is_some(), tally, random))
        });
        let Finished { ended, state, tally } = finished?;
        let (outcome, over_at) = ended.unzip();
        let ending = outcome.map_or(Ending::Stopped, Ending::Over);
        Some(Played { state, ending, over_at, tally, answers: Vec::new(), compiled: true, dealt: Vec::new() })
    }

    /// Plays a game in which all decide at random by compiled rules, one phase after the other; `None` if the machine is to play it.
    pub(super) fn watched(&self, onlooker: &mut impl Answering, random: Random) -> Option<()> {
        if self.start.state.lends_any() {
            return None;
        }
        let begun = self.start.begun.as_ref();
        let first = self.opened(begun)?;
        onlooker.begin(&self.start.state)?;
        let (_, tally) = self.first(begun);
        play(onlooker, (&first, begun.is_some()), (tally, self.max_plies), random).map(drop)
    }

    /// Returns the state in which games begin that are played one phase after the other, with the first one on its agenda; `None` in
    /// the middle of a phase.
    fn opened(&self, begun: Option<&Begun>) -> Option<State> {
        if begun.is_some() {
            return Some(self.start.for_compiled().into_owned());
        }
        if self.start.paused.is_some() {
            return None;
        }
        let mut first = self.start.state.clone();
        let phase = first.due();
        first.agenda.push(phase);
        Some(first)
    }

    /// Runs a phase to its end, with policies that look ahead deciding at its pauses. The asks with their answers are
    /// added to the account, if there is one.
    fn phase(
        &self,
        mut game: Playing,
        mut next: Next,
        (mut segment, keep): (Option<Box<Segment>>, Keep),
        seats: &Rc<RefCell<Seats>>,
        account: &mut Option<Account>,
    ) -> (Playing, End, Option<Box<Segment>>) {
        let begun = match &next {
            Next::Phase(phase) if self.rollouts.is_some_and(Quicker::rates) && self.strategy.rates() => {
                Some((game.state().clone(), phase.clone()))
            }
            _ => None,
        };
        loop {
            let (end, paused);
            (game, end, paused) = match next {
                Next::Phase(phase) => self.program.play(game, phase),
                Next::Paused(paused) => self.program.play_on(game, &paused),
            };
            game.take_applied(|clauses, last| seats.borrow_mut().tally.applied(clauses, last));
            if let Some(account) = account {
                let given = game.take_answered();
                let events = game.take_events();
                match &mut segment {
                    Some(segment) => segment.add(given.iter().cloned(), events),
                    None => account.events.extend(events),
                }
                account.answers.extend(given);
            }
            let (End::Paused(ask), Some(paused)) = (&end, paused) else { return (game, end, segment) };
            let machine = Machine::at(self.program, game.into_state(), Rc::clone(&paused), segment, (**ask).clone());
            let since = begun.as_ref().zip(account.as_ref().map(|account| account.answers.as_slice()));
            let since = since.map(|(begun, answers)| Since { begun, answers });
            let thought = self.think((&machine, since), ask, &mut seats.borrow_mut());
            let state;
            (state, segment) = machine.into_parts();
            let keep = Keep { events: keep.events || segment.is_some(), ..keep };
            game = Playing::new(state, Box::new(Seated(Rc::clone(seats))), keep);
            match thought {
                Ok(answer) => seats.borrow_mut().decided = Some(answer),
                Err(wrong) => return (game, End::Fault(wrong), segment),
            }
            next = Next::Paused(paused);
        }
    }

    /// Returns the answer that the strategy gives at the pause of a machine.
    ///
    /// # Errors
    /// Returns an error if the rules or an expression of the policy cause an error, or if the policy is for odds only.
    pub fn decide(
        &self,
        machine: &Machine<'_>,
        decision: &Decision,
        random: &mut Random,
    ) -> Result<Answer, Box<Diagnostic>> {
        self.strategy.choose(&Thinking { playouts: self, since: None }, machine, decision, random)
    }

    /// Returns the index of the option that the strategy takes when several players decide at once.
    ///
    /// # Errors
    /// Returns an error if the evaluation of a condition fails, or if the policy looks ahead.
    pub fn decide_at_once(
        &self,
        machine: &Machine<'_>,
        decision: &Decision,
        random: &mut Random,
    ) -> Result<usize, Box<Diagnostic>> {
        let at = self.strategy.choose_at_once(self.program, machine.state(), decision, random)?;
        let Stop::Paused(ask) = machine.stop() else { return Err(Box::new(Diagnostic::internal("nothing is asked"))) };
        at.ok_or_else(|| Box::new(self.at_once(machine.state(), ask)))
    }

    /// Returns the decision of the policy of the player who is asked.
    fn think(
        &self,
        (machine, since): (&Machine<'_>, Option<Since<'_>>),
        ask: &Ask,
        seats: &mut Seats,
    ) -> Result<Answer, Box<Diagnostic>> {
        let answer = match &ask.question {
            Question::Choose(decision) => {
                let thinking = Thinking { playouts: self, since };
                let answer = self.strategy.choose(&thinking, machine, decision, &mut seats.random)?;
                match &answer {
                    Answer::Chosen(at) => seats.tally.decided(decision, *at),
                    _ => seats.tally.decided_of(decision.options.len(), 0),
                }
                answer
            }
            Question::ChooseAll(all) => {
                let mut chosen = Vec::with_capacity(all.len());
                for decision in all {
                    let (program, state) = (self.program, machine.state());
                    let at = self.strategy.choose_at_once(program, state, decision, &mut seats.random)?;
                    let Some(at) = at else { return Err(Box::new(self.at_once(machine.state(), ask))) };
                    seats.tally.decided(decision, at);
                    chosen.push(at);
                }
                Answer::AllChosen(chosen)
            }
            Question::Roll(_) | Question::Draw(_) => {
                return Err(Box::new(Diagnostic::internal("a playout pauses at chance")));
            }
        };
        seats.answers += 1;
        Ok(answer)
    }

    /// Returns the error for policies that look ahead where several players decide at once, with actions to take instead.
    fn at_once(&self, state: &State, ask: &Ask) -> Diagnostic {
        let Question::ChooseAll(all) = &ask.question else { return Diagnostic::internal("one player decides alone") };
        let names = Names { schema: state.schema(), board: state.board() };
        let name = |decision: &Decision| names.schema.player_name(decision.player).to_owned();
        let ahead: Vec<(&Decision, &Policy)> =
            all.iter().filter_map(|one| Some((one, self.ahead(state, one)?))).collect();
        let verbs: BTreeSet<&str> = ahead.iter().map(|(decision, _)| names.schema.verb(decision.ask)).collect();
        let verbs = verbs.into_iter().collect::<Vec<_>>().join("` and `");
        let message = match ahead.as_slice() {
            [(decision, policy)] => format!(
                "`{policy}` of {} looks ahead, which is not possible for `{verbs}`: several players decide at once",
                name(decision)
            ),
            _ => format!("no policy can look ahead for `{verbs}`: several players decide at once"),
        };
        let wrong = Diagnostic::question(Code::NotSupported, message).labelled(self.program.label(ask.place));
        let flag = self.strategy.policy_flag;
        let given = |decision: &Decision| {
            let option = decision.options.first().map(|option| option.write(names)).unwrap_or_default();
            let quote = if option.contains('\'') { '"' } else { '\'' };
            format!("`{flag} {quote}{}={option}{quote}`", name(decision))
        };
        let actions: Vec<String> = ahead.iter().map(|(decision, _)| given(decision)).collect();
        match flag.is_empty() || actions.is_empty() {
            true => wrong,
            false => wrong.help(format!(
                "add {} for this ask; an action is taken whenever it is an option, and the policy makes all other decisions",
                actions.join(" and ")
            )),
        }
    }

    /// Returns the policy that would have to look ahead for a decision.
    fn ahead(&self, state: &State, decision: &Decision) -> Option<&Policy> {
        let is_acted = matches!(self.strategy.instructed(self.program, state, decision), Ok(Some(_)));
        let policy = self.strategy.policy(decision.player).map(|(_, policy)| policy);
        policy.filter(|policy| !matches!(policy, Policy::Random) && !is_acted && decision.options.len() > 1)
    }

    /// Returns the error for a turn with too many answers.
    fn endless(&self, ask: &Ask) -> Diagnostic {
        let message = format!("more than {ANSWERS} answers in one turn");
        let wrong = Diagnostic::general(Code::EndlessTurn, message).help("check for a loop that asks and never ends");
        wrong.labelled(self.program.label(ask.place))
    }
}

/// What policies that look ahead try in playouts.
struct Thinking<'t, 'p> {
    playouts: &'t Playouts<'p>,
    /// Where the phase began that has paused, if that is known.
    since: Option<Since<'t>>,
}

impl Rates for Thinking<'_, '_> {
    fn rated(&self, machine: &Machine<'_>, decision: &Decision, expression: Expression<'_>) -> Option<Vec<Worth>> {
        let quicker = self.playouts.rollouts?;
        // Games may begin in the middle of a phase: nobody knows how that came there.
        let is_known = self.since.is_some() || machine.paused()?.is_first(machine.state());
        if machine.is_alone() || !is_known {
            return None;
        }
        let mut steps = quicker.rating(self.playouts.program, machine.state(), expression)?;
        let asked = asked_at(&mut steps, machine, decision, self.since.as_ref());
        let worths = asked.and_then(|asked| worths(&mut steps, &asked, decision.player));
        drop(steps);
        quicker.compiled_rated(machine.state(), expression, worths.is_some());
        worths
    }

    fn by_machine(&self, operations: u64) {
        self.playouts.rollouts.iter().for_each(|quicker| quicker.has_rated(operations));
    }
}

impl Tries for Thinking<'_, '_> {
    fn rollout(&self, machine: &Machine<'_>, random: &mut Random) -> Result<Option<Outcome>, Box<Diagnostic>> {
        let Some(start) = Start::of(machine) else { return Ok(None) };
        let random_play = StrategyProfile::default();
        let rollout = Playouts { start: &start, strategy: &random_play, ..*self.playouts };
        let played = match self.playouts.rollouts {
            Some(quicker) => {
                rollout.play_in_quicker_way(quicker, |_, operations| WorthIt::of_some(operations), (random.seed(), 0))
            }
            None => rollout.play_with((random.seed(), 0), false),
        };
        match played.ending {
            Ending::Over(outcome) => Ok(Some(outcome)),
            Ending::Stopped => Ok(None),
            Ending::Fault(wrong) | Ending::Endless(wrong) => Err(wrong),
        }
    }

    fn steps(&self, machine: &Machine<'_>) -> Option<RefMut<'_, Steps>> {
        self.playouts.rollouts?.steps(self.playouts.program, machine.state())
    }

    fn give_up(&self) {
        self.playouts.rollouts.iter().for_each(|quicker| quicker.give_up_steps());
    }

    fn turns(&self) -> u64 {
        self.playouts.max_plies
    }
}

impl Seats {
    /// Begins a turn, after one that counts or does not; returns `false` if the limit is reached.
    fn begin_turn(&mut self, after_counted: bool) -> bool {
        if !after_counted {
            if self.uncounted >= UNCOUNTED {
                return false;
            }
            self.uncounted += 1;
            self.tally.plies = self.tally.plies.saturating_sub(1);
        }
        if self.tally.plies >= self.max_plies {
            return false;
        }
        self.tally.plies += 1;
        self.tally.last_clause = None;
        self.answers = 0;
        true
    }

    fn thinks(&self, player: PlayerId) -> bool {
        self.thinkers.get(player.index()).copied().or_missing("the policy of a player", false)
    }

    fn pick(&mut self, decision: &Decision) -> usize {
        let at = self.random.place(decision.options.len());
        self.tally.decided(decision, at);
        at
    }

    fn throw(&mut self, die: DieId, state: &State) -> Throw {
        let throw = self.random.throw(state.schema(), die);
        self.tally.rolled(die, &throw);
        throw
    }

    fn answer(&mut self, question: &Question, state: &State) -> Option<Answer> {
        match question {
            Question::Roll(die) => Some(Answer::Rolled(self.throw(*die, state))),
            Question::Draw(zone) => Some(self.random.card(state, *zone)),
            // What is suggested for an open ask is judged where play pauses.
            Question::Choose(decision) if self.thinks(decision.player) || !decision.open.is_empty() => None,
            Question::Choose(decision) => Some(Answer::Chosen(self.pick(decision))),
            Question::ChooseAll(all) if all.iter().any(|decision| self.thinks(decision.player)) => None,
            Question::ChooseAll(all) => Some(Answer::AllChosen(all.iter().map(|one| self.pick(one)).collect())),
        }
    }
}

impl Seated {
    /// Returns the seats for one more answer without an ask. Returns `None` if the player's policy looks ahead, if a
    /// decision is pending, or if the limit is reached.
    fn at_once(&self, player: Option<PlayerId>) -> Option<RefMut<'_, Seats>> {
        let mut seats = self.0.borrow_mut();
        if seats.decided.is_some() || seats.answers >= ANSWERS || player.is_some_and(|player| seats.thinks(player)) {
            return None;
        }
        seats.answers += 1;
        Some(seats)
    }
}

impl Answers for Seated {
    fn pick(&mut self, player: PlayerId, moves: &[Move], _: &State) -> Option<usize> {
        let mut seats = self.at_once(Some(player))?;
        let at = seats.random.place(moves.len());
        seats.tally.decided_of(moves.len(), moves.get(at).map_or(0, |made| made.captured().count()));
        Some(at)
    }

    fn face(&mut self, die: DieId, state: &State) -> Option<usize> {
        let rolled = state.schema().dice.get(die.index()).filter(|die| die.count == 1)?;
        let mut seats = self.at_once(None)?;
        let face = seats.random.face(rolled);
        seats.tally.shown(die, face);
        Some(face)
    }

    fn throw(&mut self, die: DieId, state: &State) -> Option<Throw> {
        Some(self.at_once(None)?.throw(die, state))
    }

    fn pick_of(&mut self, player: PlayerId, options: usize) -> Option<usize> {
        let mut seats = self.at_once(Some(player))?;
        let at = seats.random.place(options);
        seats.tally.decided_of(options, 0);
        Some(at)
    }

    fn numbers(&self, numbers: &mut [u64]) -> bool {
        let mut seats = self.0.borrow_mut();
        let is_random = !seats.thinkers.contains(&true) && seats.decided.is_none() && seats.answers < ANSWERS / 2;
        if is_random {
            seats.random.look_ahead(numbers);
        }
        is_random
    }

    fn used(&mut self, used: &UsedUp<'_>) {
        let mut seats = self.0.borrow_mut();
        seats.random.skip(used.numbers);
        if used.turns > 0 {
            seats.tally.plies += u64::from(used.turns);
            seats.tally.last_clause = None;
            seats.answers = 0;
        }
        // Some may be of earlier turns: then the machine decides whether there are too many.
        seats.answers = seats.answers.saturating_add(used.answers);
        seats.tally.decisions += used.decisions;
        seats.tally.options += used.options;
        seats.tally.captures += used.captures;
        for (sum, times) in seats.tally.dice.iter_mut().flatten().zip(used.faces) {
            *sum += u64::from(*times);
        }
    }

    fn turns_left(&self) -> u64 {
        let seats = self.0.borrow();
        seats.max_plies.saturating_sub(seats.tally.plies)
    }

    fn begin_turn(&mut self, after_counted: bool) -> bool {
        self.0.borrow_mut().begin_turn(after_counted)
    }

    fn answer(&mut self, ask: &Ask, state: &State) -> Reply {
        let mut seats = self.0.borrow_mut();
        if let Some(answer) = seats.decided.take() {
            return Reply::Answer(answer);
        }
        if seats.answers >= ANSWERS {
            return Reply::Refuse;
        }
        match seats.answer(&ask.question, state) {
            Some(answer) => {
                seats.answers += 1;
                Reply::Answer(answer)
            }
            None => Reply::Pause,
        }
    }
}
