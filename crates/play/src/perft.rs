//! Perft: counts the sequences of moves. Equal counts are evidence that two implementations of the rules agree.

use std::cell::Cell;
use std::sync::Arc;

use super::feed::{Made, once};
use super::open::all_listed;
use super::progress;
use super::stepped::{self, AskedAt, Came};
use super::{Machine, Stop};
use referee_diagnostic::{Code, Diagnostic};
use referee_rules::{End, Engine, Keep, Listed, Program, Reached, Steps};
use referee_table::{Phase, State, Table};
use referee_trace::{Action, Answer, Question};

/// The number of sequences from which compiling is worth it, and the number of answers at least.
const WORTH: u64 = 50_000;
const DEEP: usize = 3;

/// How many moves compiled rules make at once at most, about: so many take a few hundredths of a second.
const AT_ONCE: u64 = 50_000;

/// Returns the number of sequences of `depth` answers from the pause of a machine. Decisions and random outcomes both
/// count as answers. A game that is over has no continuation.
///
/// # Errors
/// Returns an error if the rules cause an error, ask several players at once, or take values that they do not list.
pub fn perft(machine: &Machine<'_>, depth: usize) -> Result<u64, Box<Diagnostic>> {
    Counter::once(machine, |counter| counter.count(machine, depth))
}

/// Returns the same number split by the first answer, in the order of the options.
///
/// # Errors
/// Returns the errors of [`perft`].
pub fn divide(machine: &Machine<'_>, depth: usize) -> Result<Vec<(String, u64)>, Box<Diagnostic>> {
    Counter::once(machine, |counter| counter.divide(machine, depth))
}

/// Returns the numbers of [`divide`] if there are at most `limit` sequences of 1, 2 … `depth` answers together; `None` if
/// there are more. That depends only on the rules, whatever counts.
///
/// # Errors
/// Returns the errors of [`perft`].
pub fn divide_within(
    machine: &Machine<'_>,
    depth: usize,
    limit: u64,
) -> Result<Option<Vec<(String, u64)>>, Box<Diagnostic>> {
    Counter::once(machine, |counter| {
        let mut left = limit;
        let mut counts = Vec::new();
        // Fewer answers first: what is counted on the way to the last is then within the limit, too.
        for depth in 1..=depth {
            counter.left = Left { sequences: Cell::new(left), spent: Cell::new(false) };
            counts = match counter.divide(machine, depth) {
                _ if counter.left.spent.get() => return Ok(None),
                counts => counts?,
            };
            let total: u64 = counts.iter().map(|(_, count)| count).sum();
            match left.checked_sub(total) {
                Some(rest) => left = rest,
                None => return Ok(None),
            }
            if total == 0 {
                break;
            }
        }
        Ok(Some(counts))
    })
}

/// How many sequences may still be counted.
#[derive(Debug)]
struct Left {
    sequences: Cell<u64>,
    /// Whether there were more.
    spent: Cell<bool>,
}

impl Left {
    const fn all() -> Self {
        Self { sequences: Cell::new(u64::MAX), spent: Cell::new(false) }
    }

    /// Counts sequences; returns `None` if there are too many.
    fn count(&self, sequences: u64) -> Option<u64> {
        progress::stepped(sequences);
        let left = self.sequences.get().checked_sub(sequences);
        match left {
            Some(left) => self.sequences.set(left),
            None => self.spent.set(true),
        }
        left.map(|_| sequences)
    }

    /// Counts sequences again in another way, if the first one was given up.
    fn or_again(&self, count: impl FnOnce() -> Option<u64>) -> Option<u64> {
        let before = self.sequences.get();
        let counted = count();
        if counted.is_none() && !self.spent.get() {
            self.sequences.set(before);
        }
        counted
    }
}

/// Counts sequences in games of one table and one program, by compiled rules where that is quicker, and by the machine. The
/// numbers are the same.
pub struct Counter {
    engine: Option<Engine>,
    /// From how many sequences on rules are compiled.
    worth: u64,
    /// Whether so many were to be counted.
    is_worth_it: bool,
    /// Compiled rules, once they are wanted; `None` within if there are none, or if they were given up.
    steps: Option<Option<Steps>>,
    left: Left,
}

impl Counter {
    /// Returns a counter with compiled rules for this engine; without one the machine counts.
    #[must_use]
    pub const fn by(engine: Option<Engine>) -> Self {
        Self { engine, worth: WORTH, is_worth_it: false, steps: None, left: Left::all() }
    }

    /// Counts by machine code, if there is an engine for it, and keeps what was compiled for the next time.
    fn once<T>(machine: &Machine<'_>, count: impl FnOnce(&mut Self) -> T) -> T {
        let mut counter = Self::by(Engine::of_machine_code());
        let counted = count(&mut counter);
        if let (Some(engine), Some(Some(steps))) = (counter.engine, counter.steps) {
            machine.program().keep_steps(engine, steps);
        }
        counted
    }

    /// Returns one that compiles at once, for comparisons.
    #[must_use]
    pub const fn always(engine: Engine) -> Self {
        Self { engine: Some(engine), worth: 0, is_worth_it: true, steps: None, left: Left::all() }
    }

    /// Counts as [`perft`] does.
    ///
    /// # Errors
    /// Returns the errors of [`perft`].
    pub fn count(&mut self, machine: &Machine<'_>, depth: usize) -> Result<u64, Box<Diagnostic>> {
        if let Some(count) = self.compiled(machine, depth) {
            return Ok(count);
        }
        let listing = Listing::of(machine).filter(|_| !self.left.spent.get());
        let listed = listing.and_then(|listing| self.left.or_again(|| listing.count(depth, &self.left)));
        if let Some(count) = listed {
            return Ok(count);
        }
        if self.left.spent.get() {
            return Err(too_many());
        }
        match depth {
            0 => self.left.count(1).ok_or_else(too_many),
            // The last answers need not be played: each is one sequence.
            1 => self.left.count(answers(machine)?.len() as u64).ok_or_else(too_many),
            _ => self.divide(machine, depth)?.iter().map(|(_, count)| Ok(count)).sum(),
        }
    }

    /// Counts as [`divide`] does.
    ///
    /// # Errors
    /// Returns the errors of [`divide`].
    pub fn divide(&mut self, machine: &Machine<'_>, depth: usize) -> Result<Vec<(String, u64)>, Box<Diagnostic>> {
        let mut counts = Vec::new();
        let answers = answers(machine)?;
        self.is_worth_it |= expected(answers.len(), depth) >= self.worth;
        for (name, answer) in answers {
            let mut next = machine.silent_clone();
            next.go_on(&once(answer));
            if let Stop::Fault(wrong) = next.stop() {
                return Err(wrong.clone());
            }
            counts.push((name, self.count(&next, depth.saturating_sub(1))?));
        }
        Ok(counts)
    }

    /// Counts by compiled rules, if that is worth it; `None` if the machine is to count.
    fn compiled(&mut self, machine: &Machine<'_>, depth: usize) -> Option<u64> {
        let engine = self.engine.filter(|_| depth >= DEEP)?;
        let program = machine.program();
        let expected = || answers(machine).map_or(0, |answers| expected(answers.len(), depth));
        self.is_worth_it = self.is_worth_it || program.keeps_steps(engine, machine.state()) || expected() >= self.worth;
        if !self.is_worth_it {
            return None;
        }
        let compile = || program.steps_again(engine, machine.state());
        let steps = self.steps.get_or_insert_with(compile);
        let steps_now = steps.as_mut()?;
        let left = &self.left;
        let count = left.or_again(|| count(steps_now, machine, depth, left));
        // What they could not do once they would be asked to do again.
        steps.take_if(|steps| count.is_none() || steps.calls_host_often() && self.worth > 0);
        count
    }
}

/// Returns the error for more sequences than may be counted, which the caller reports in its own words.
fn too_many() -> Box<Diagnostic> {
    Box::new(Diagnostic::question(Code::Inconclusive, "there are too many sequences to count"))
}

/// Returns about how many sequences there are if there are always so many answers.
fn expected(breadth: usize, depth: usize) -> u64 {
    (breadth as u64).saturating_pow(u32::try_from(depth).unwrap_or(u32::MAX))
}

/// Counts the sequences from the pause of a machine by compiled rules; `None` if they are given up.
fn count(steps: &mut Steps, machine: &Machine<'_>, depth: usize, left: &Left) -> Option<u64> {
    let table = Arc::clone(&machine.state().table);
    let first = AskedAt::of(steps, machine)?;
    if let Some(listed) = steps.listed()
        && let Some(count) = left.or_again(|| count_listed(steps, &listed, depth, left))
    {
        return Some(count);
    }
    if left.spent.get() {
        return None;
    }
    count_after(steps, &table, &first, depth, left)
}

/// Counts the sequences that begin with moves of a turn which are in the memory; `None` if anything happens but moves in turn.
fn count_listed(steps: &mut Steps, listed: &Listed, depth: usize, left: &Left) -> Option<u64> {
    if depth <= 1 {
        return left.count(listed.of.into());
    }
    if expected(listed.of as usize, depth - 1) <= AT_ONCE
        && let Some(count) = steps.count_sequences(listed, depth)
    {
        return left.count(count);
    }
    let mut count = 0;
    for at in 0..listed.of {
        match steps.go_on_from(listed, at)? {
            Reached::Over => {}
            Reached::End => return None,
            // The last moves need not be made: each is one sequence.
            Reached::Ask(..) if depth == 2 => count += left.count(steps.count_listed()?)?,
            Reached::Ask(..) => {
                let next = steps.listed()?;
                count += count_listed(steps, &next, depth - 1, left)?;
            }
        }
    }
    Some(count)
}

fn count_after(steps: &mut Steps, table: &Table, ask: &AskedAt, depth: usize, left: &Left) -> Option<u64> {
    let answers = stepped::answers(table, ask.asked, ask.of)?;
    if depth <= 1 {
        return left.count(answers.len() as u64);
    }
    let after = |(answer, _): &(stepped::Numbers, u64)| match ask.go_on(steps, answer)? {
        Came::Ask(next) => count_after(steps, table, &next, depth - 1, left),
        Came::Over(_) => Some(0),
    };
    answers.iter().map(after).sum()
}

/// A turn in which the rules list the moves, before a move is made.
struct Listing<'p> {
    program: &'p Program,
    state: State,
    phase: Phase,
    /// The number of consecutive turns without a move before this one.
    passed: usize,
}

impl<'p> Listing<'p> {
    /// Returns the turn in which a machine has paused, if the rules list the moves of a turn.
    fn of(machine: &Machine<'p>) -> Option<Self> {
        let phase = machine.paused()?.phase().clone();
        let listing = Self { program: machine.program(), state: machine.state().clone(), phase, passed: 0 };
        (!machine.state().lends_any()
            && machine.paused()?.is_fresh(machine.state())
            && listing.program.lists(&listing.phase).is_some())
        .then_some(listing)
    }

    /// Returns the number of sequences of moves; `None` if anything happens except moves made in turn. Then the caller
    /// counts answers one by one.
    fn count(self, depth: usize, left: &Left) -> Option<u64> {
        let player = self.program.lists(&self.phase)?;
        if depth == 0 {
            return left.count(1);
        }
        self.program.begin(self.state.weight());
        let (state, moves) = self.program.moves(self.state, player);
        let moves = moves?;
        let count = moves.len();
        let (program, phase) = (self.program, &self.phase);
        let after = |state: State, made, passed, depth| {
            let mut run = match made {
                Some(at) => program.run_made(state, phase, &moves, at),
                None => program.run(state, phase, Box::new(Made(None)), Keep::default()),
            };
            match run.end {
                End::Over => Some(0),
                End::Returned => {
                    let phase = run.state.due();
                    Self { program, state: run.state, phase, passed }.count(depth, left)
                }
                End::Paused(_) | End::Refused(_) | End::Fault(_) => None,
            }
        };
        match (count, depth) {
            // The player has no move and passes. Leave two consecutive passes to the general count.
            (0, _) if self.passed < program.schema().players.len() => after(state, None, self.passed + 1, depth),
            (0, _) => None,
            (_, 1) => left.count(count as u64),
            _ => (0..count).map(|at| after(state.clone(), Some(at), 0, depth - 1)).sum(),
        }
    }
}

/// Returns all answers to the question at a pause, with their words.
fn answers(machine: &Machine<'_>) -> Result<Vec<(String, Answer)>, Box<Diagnostic>> {
    let Stop::Paused(ask) = machine.stop() else { return Ok(Vec::new()) };
    let names = machine.names();
    all_listed(machine.program(), machine.state(), ask, "its answers cannot be counted")?;
    match &ask.question {
        Question::Choose(decision) => {
            let option = |(at, action): (usize, &Action)| (action.write(names), Answer::Chosen(at));
            Ok(decision.options.iter().enumerate().map(option).collect())
        }
        Question::Roll(_) | Question::Draw(_) => {
            let written = |answer: &Answer| ask.question.write_chance(names, answer).unwrap_or_default();
            let chances = ask.question.chances(machine.state());
            Ok(chances.into_iter().map(|(answer, _)| (written(&answer), answer)).collect())
        }
        Question::ChooseAll(_) => {
            let message = "decisions of several players at once cannot be counted yet";
            Err(Box::new(Diagnostic::general(Code::NotSupported, message)))
        }
    }
}
