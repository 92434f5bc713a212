//! Playouts: games played to their end, every ask answered in place by a seeded generator or a policy.
//!
//! A phase is run once, whatever it asks. Only where somebody decides who must think (by looking at what each option
//! leads to) the phase pauses and is run again with the answer.

use std::cell::RefCell;
use std::rc::Rc;

use super::machine::{Earlier, Machine, SILENT_PHASES, Stop, due, is_turn, too_silent};
use super::policy::Policy;
use super::random::Random;
use super::tally::Tally;
use crate::diagnostic::Diagnostic;
use crate::rules::{Answers, End, Keep, Program, Reply, Run};
use crate::table::{Move, Outcome, Phase, PlayerId, State};
use crate::trace::{Answer, Ask, Decision, Question};

/// The most answers in one turn.
const ANSWERS: u32 = 100_000;

/// Where games begin: a position, and in the middle of a phase that phase with the answers given so far.
#[derive(Clone, Debug)]
pub struct Start {
    state: State,
    phase: Option<Phase>,
    given: Vec<(Ask, Answer)>,
    /// What the present turn did before that phase.
    earlier: Earlier,
}

impl Start {
    /// From where a machine stands; nothing if the game is over there.
    #[must_use]
    pub fn of(machine: &Machine<'_>) -> Option<Self> {
        if let Some((state, phase)) = machine.checkpoint() {
            let given = machine.given().to_vec();
            let earlier = machine.earlier().clone();
            return Some(Self { state: state.clone(), phase: Some(phase.clone()), given, earlier });
        }
        let mut state = machine.state().clone();
        state.agenda.clear();
        match machine.stop() {
            Stop::Fresh | Stop::Returned => {
                Some(Self { state, phase: None, given: Vec::new(), earlier: Earlier::default() })
            }
            _ => None,
        }
    }

    /// Whether a turn has begun whose first phase is over.
    fn in_turn(&self) -> bool {
        self.state.turn.is_some() && self.phase.as_ref().is_some_and(|phase| !is_turn(phase))
    }

    /// Whose turn begins here; nothing in the middle of a phase.
    #[must_use]
    pub fn next_turn(mut self) -> Option<PlayerId> {
        if self.phase.is_some() {
            return None;
        }
        due(&mut self.state);
        self.state.turn
    }
}

/// What is played out: rules, a start, who decides how, and when to stop.
pub struct Playouts<'p> {
    /// The rules.
    pub program: &'p Program,
    /// Where every game begins.
    pub start: &'p Start,
    /// How each player of the game file decides; at random where none is named.
    pub policies: &'p [Policy],
    /// A game is stopped after so many turns.
    pub max_plies: u64,
}

/// A game that was played out.
pub struct Played {
    /// The position at the end.
    pub state: State,
    /// How it ended.
    pub ending: Ending,
    /// What was counted.
    pub tally: Tally,
    /// The asks with their answers since the start, phase by phase; empty unless they were to be kept.
    pub answers: Vec<Vec<(Ask, Answer)>>,
}

/// How a playout ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The game is over.
    Over(Outcome),
    /// It took too many turns.
    Stopped,
    /// The rules or a policy are wrong.
    Fault(Box<Diagnostic>),
}

/// Whoever sits at the table while a phase is run.
struct Seats {
    random: Random,
    tally: Tally,
    /// Which players think.
    thinkers: Vec<bool>,
    /// How many answers there were in this turn.
    answers: u32,
}

/// First the answers that a re-run repeats, then those of the seats.
struct Seated {
    given: std::vec::IntoIter<(Ask, Answer)>,
    seats: Rc<RefCell<Seats>>,
}

impl Playouts<'_> {
    /// Play game `number` of the run that `seed` begins; with `keep`, the answers are kept.
    #[must_use]
    pub fn play(&self, seed: u64, number: u64, keep: bool) -> Played {
        self.play_with(Random::of_game(seed, number), keep)
    }

    /// Play a game with this chance.
    pub(super) fn play_with(&self, random: Random, keep: bool) -> Played {
        let mut tally = Tally::new(self.program.schema());
        // The turn that the start has begun is counted whole, wherever the rules split it into phases.
        tally.plies = u64::from(self.start.in_turn());
        tally.applied(&self.start.earlier.clauses, self.start.earlier.last_clause);
        let seats = Seats { random, tally, thinkers: self.policies.iter().map(Policy::thinks).collect(), answers: 0 };
        let keep = Keep { answers: keep || seats.thinkers.contains(&true), ..Keep::default() };
        let seats = Rc::new(RefCell::new(seats));
        let mut state = self.start.state.clone();
        let mut phase = self.start.phase.clone();
        let mut given = self.start.given.clone();
        let mut answers = Vec::new();
        // How many phases have followed one another without an ask.
        let mut silent = 0;
        let ending = loop {
            let next = phase.take().unwrap_or_else(|| due(&mut state));
            if is_turn(&next) && !seats.borrow_mut().begin_turn(self.max_plies) {
                break Ending::Stopped;
            }
            if silent == 0 {
                self.program.begin(state.weight());
            }
            let before = seats.borrow().answers;
            let old = given.len();
            let mut run = self.phase(state, &next, std::mem::take(&mut given), &seats, keep);
            state = run.state;
            answers.push(run.answered.split_off(old.min(run.answered.len())));
            let mut seats = seats.borrow_mut();
            seats.tally.applied(&run.clauses, run.last_clause);
            silent = if seats.answers == before { silent + 1 } else { 0 };
            match run.end {
                End::Returned if silent >= SILENT_PHASES => break Ending::Fault(Box::new(too_silent())),
                End::Returned => {}
                End::Over => break Ending::Over(state.outcome.clone().unwrap_or(Outcome::Nobody)),
                End::Fault(wrong) => break Ending::Fault(wrong),
                End::Paused(ask) | End::Refused(ask) => break Ending::Fault(Box::new(self.endless(&ask))),
            }
        };
        let mut tally = std::mem::take(&mut seats.borrow_mut().tally);
        tally.ended(&state);
        Played { state, ending, tally, answers }
    }

    /// Run one phase, and again for each decision of somebody who thinks.
    fn phase(
        &self,
        mut state: State,
        phase: &Phase,
        mut given: Vec<(Ask, Answer)>,
        seats: &Rc<RefCell<Seats>>,
        keep: Keep,
    ) -> Run {
        loop {
            let checkpoint = seats.borrow().thinkers.contains(&true).then(|| state.clone());
            let answers = Seated { given: given.into_iter(), seats: Rc::clone(seats) };
            let run = self.program.run(state, phase, Box::new(answers), keep);
            let (End::Paused(ask), Some(checkpoint)) = (&run.end, checkpoint) else { return run };
            let machine = Machine::paused(self.program, (checkpoint.clone(), phase.clone()), &run, ask.clone());
            match self.think(&machine, ask, &mut seats.borrow_mut()) {
                Ok(answer) => given = run.answered.iter().cloned().chain([(ask.clone(), answer)]).collect(),
                Err(wrong) => return Run { end: End::Fault(wrong), ..run },
            }
            self.program.begin(checkpoint.weight());
            state = checkpoint;
        }
    }

    /// Let the policy of the player who is asked decide.
    fn think(&self, machine: &Machine<'_>, ask: &Ask, seats: &mut Seats) -> Result<Answer, Box<Diagnostic>> {
        let policy = |player: PlayerId| self.policies.get(player.index()).unwrap_or(&Policy::Random);
        let answer = match &ask.question {
            Question::Choose(decision) => {
                let at = policy(decision.player).choose(self, machine, decision, &mut seats.random)?;
                seats.tally.decided(decision, at);
                Answer::Chosen(at)
            }
            Question::ChooseAll(all) => {
                let mut chosen = Vec::with_capacity(all.len());
                for decision in all {
                    let (program, state) = (self.program, machine.state());
                    let at = policy(decision.player).choose_at_once(program, state, decision, &mut seats.random)?;
                    let Some(at) = at else { return Err(Box::new(self.at_once(ask))) };
                    seats.tally.decided(decision, at);
                    chosen.push(at);
                }
                Answer::AllChosen(chosen)
            }
            Question::Roll(_) | Question::Draw(_) => return Err(Box::new(self.endless(ask))),
        };
        seats.answers += 1;
        Ok(answer)
    }

    /// A policy that looks ahead where several players decide at once.
    fn at_once(&self, ask: &Ask) -> Diagnostic {
        let message = "only `random` and actions can decide where several players are asked at once";
        let wrong = Diagnostic::general("not_supported", message);
        Diagnostic { labels: self.program.label(ask.place).into_iter().collect(), ..wrong }
    }

    /// A turn in which there is no end of asking.
    fn endless(&self, ask: &Ask) -> Diagnostic {
        let message = format!("more than {ANSWERS} answers were given in one turn");
        let wrong = Diagnostic::general("too_long", message).help("is there a loop that asks and never ends?");
        Diagnostic { labels: self.program.label(ask.place).into_iter().collect(), ..wrong }
    }
}

impl Seats {
    /// Whether one more turn may begin; if so, it does.
    fn begin_turn(&mut self, most: u64) -> bool {
        if self.tally.plies >= most {
            return false;
        }
        self.tally.plies += 1;
        self.tally.last_clause = None;
        self.answers = 0;
        true
    }

    fn thinks(&self, player: PlayerId) -> bool {
        self.thinkers.get(player.index()).copied().unwrap_or(false)
    }

    fn pick(&mut self, decision: &Decision) -> usize {
        let at = self.random.place(decision.options.len());
        self.tally.decided(decision, at);
        at
    }

    fn answer(&mut self, question: &Question, state: &State) -> Option<Answer> {
        match question {
            Question::Roll(die) => {
                let throw = self.random.throw(state.schema(), *die);
                self.tally.rolled(*die, &throw);
                Some(Answer::Rolled(throw))
            }
            Question::Draw(zone) => Some(self.random.card(state, *zone)),
            Question::Choose(decision) if self.thinks(decision.player) => None,
            Question::Choose(decision) => Some(Answer::Chosen(self.pick(decision))),
            Question::ChooseAll(all) if all.iter().any(|decision| self.thinks(decision.player)) => None,
            Question::ChooseAll(all) => Some(Answer::AllChosen(all.iter().map(|one| self.pick(one)).collect())),
        }
    }
}

impl Answers for Seated {
    fn pick(&mut self, player: PlayerId, moves: &[Move], _: &State) -> Option<usize> {
        let mut seats = self.seats.borrow_mut();
        if !self.given.as_slice().is_empty() || seats.answers >= ANSWERS || seats.thinks(player) {
            return None;
        }
        seats.answers += 1;
        let at = seats.random.place(moves.len());
        seats.tally.decided_of(moves.len(), moves.get(at).map_or(0, |made| made.captured().count()));
        Some(at)
    }

    fn pick_of(&mut self, player: PlayerId, options: usize) -> Option<usize> {
        let mut seats = self.seats.borrow_mut();
        if !self.given.as_slice().is_empty() || seats.answers >= ANSWERS || seats.thinks(player) {
            return None;
        }
        seats.answers += 1;
        let at = seats.random.place(options);
        seats.tally.decided_of(options, 0);
        Some(at)
    }

    fn answer(&mut self, ask: &Ask, state: &State) -> Reply {
        if let Some((_, answer)) = self.given.next() {
            return Reply::Answer(answer);
        }
        let mut seats = self.seats.borrow_mut();
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
