//! Counts of games. They are integers, so that the order of games does not affect sums.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use referee_diagnostic::MustBe as _;
use referee_rules::PhaseCounts;
use referee_table::{ClauseId, DieId, Outcome, PlayerId, Schema, State, Throw, Value};
use referee_trace::Decision;

/// The counts of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Turns begun.
    pub plies: u64,
    /// Decisions made.
    pub decisions: u64,
    /// The sum of the numbers of options of all decisions.
    pub options: u64,
    /// Cells on which the chosen moves capture.
    pub captures: u64,
    /// How often each clause was applied.
    pub clauses: Vec<u64>,
    /// The clause applied last in the last turn.
    pub last_clause: Option<ClauseId>,
    /// For each die, how often each of its faces was thrown, in their order.
    pub dice: Vec<Vec<u64>>,
    /// The counters of [`Schema::statistics`] at the end, in their order.
    pub counters: Vec<i64>,
}

impl Tally {
    pub(super) fn new(schema: &Schema) -> Self {
        let faces = |die: &referee_table::Die| vec![0; die.faces.len()];
        Self {
            clauses: vec![0; schema.clauses.len()],
            dice: schema.dice.iter().map(faces).collect(),
            ..Self::default()
        }
    }

    pub(super) fn decided(&mut self, decision: &Decision, at: usize) {
        let option = decision.options.get(at).map(|option| option.values.as_slice());
        let values = option.or_missing("an option of a decision", &[]);
        let captures = values.iter().map(|value| match value {
            Value::Move(made) => made.captured().count(),
            _ => 0,
        });
        self.decided_of(decision.options.len(), captures.sum());
    }

    /// Adds what phases have counted.
    pub(super) fn add(&mut self, counts: &PhaseCounts<'_>) {
        self.decisions += counts.decisions;
        self.options += counts.options;
        self.captures += counts.captures;
        self.last_clause = counts.last_clause.or(self.last_clause);
        let faces = self.dice.iter_mut().flatten().zip(counts.faces);
        let clauses = self.clauses.iter_mut().zip(counts.clauses);
        faces.chain(clauses).for_each(|(sum, times)| *sum += u64::from(*times));
    }

    /// Records the counters at the end of the game.
    pub(super) fn ended(&mut self, state: &State) {
        let shown = state.table.names().statistics().map(|(property, owner)| match state.value(property, owner) {
            Some(Value::Int(number)) => number,
            _ => 0,
        });
        self.counters = shown.collect();
    }

    /// Counts a decision among this number of options.
    pub(super) fn decided_of(&mut self, options: usize, captures: usize) {
        self.decisions += 1;
        self.options += options as u64;
        self.captures += captures as u64;
    }

    pub(super) fn rolled(&mut self, die: DieId, throw: &Throw) {
        throw.faces().for_each(|face| self.shown(die, face));
    }

    /// Counts a face that a die shows.
    pub(super) fn shown(&mut self, die: DieId, face: usize) {
        if let Some(times) = self.dice.get_mut(die.index()).and_then(|faces| faces.get_mut(face)) {
            *times += 1;
        }
    }

    pub(super) fn applied(&mut self, clauses: &[(ClauseId, u64)], last: Option<ClauseId>) {
        for (clause, times) in clauses {
            if let Some(sum) = self.clauses.get_mut(clause.index()) {
                *sum += times;
            }
        }
        self.last_clause = last.or(self.last_clause);
    }
}

/// The counts of many games, from which every statistic is computed. Lists are in the order of the game's declarations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Games played.
    pub games: u64,
    /// For each player of the game file, the number of games that they won, alone or with others.
    pub wins: Vec<u64>,
    /// Draws.
    pub draws: u64,
    /// Games without a winner.
    pub nobody: u64,
    /// Games that were stopped after too many turns.
    pub unfinished: u64,
    /// Games that ended with the given condition true, if there is one.
    #[serde(default)]
    pub held: u64,
    /// The number of games that ended after each number of turns.
    pub plies: BTreeMap<u64, u64>,
    /// Decisions made.
    pub decisions: u64,
    /// The sum of the numbers of options of all decisions.
    pub options: u64,
    /// Cells on which the chosen moves capture.
    pub captures: u64,
    /// Sums over the games, from which the intervals of means follow.
    #[serde(default)]
    pub squares: Squares,
    /// Games won by several players together.
    #[serde(default)]
    pub shared: u64,
    /// For each clause, how often it was applied.
    pub clauses: Vec<Applied>,
    /// Games that ended without a clause applied in the last turn.
    pub ended_without_clause: u64,
    /// For each die, how often each of its faces was thrown, in their order.
    pub dice: Vec<Vec<u64>>,
    /// For each counter of [`Schema::statistics`], the number of finished games for each final value.
    #[serde(default)]
    pub counters: Vec<BTreeMap<i64, u64>>,
}

/// Sums of squares and products over games. A sum that is too large stays at the greatest number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Squares {
    /// Of the numbers of captures.
    pub captures: u128,
    /// Of the numbers of decisions.
    pub decisions: u128,
    /// Of the numbers of options.
    pub options: u128,
    /// Of the numbers of decisions, each times that of options.
    pub decisions_by_options: u128,
}

impl Squares {
    fn of(game: &Tally) -> Self {
        let product = |one: u64, other: u64| u128::from(one) * u128::from(other);
        Self {
            captures: product(game.captures, game.captures),
            decisions: product(game.decisions, game.decisions),
            options: product(game.options, game.options),
            decisions_by_options: product(game.decisions, game.options),
        }
    }

    fn merge(&mut self, other: &Self) {
        let add = |sum: &mut u128, more: u128| *sum = sum.saturating_add(more);
        add(&mut self.captures, other.captures);
        add(&mut self.decisions, other.decisions);
        add(&mut self.options, other.options);
        add(&mut self.decisions_by_options, other.decisions_by_options);
    }
}

/// The counts of a clause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Applied {
    /// Applications in all games together.
    pub times: u64,
    /// Games in which it was applied.
    pub games: u64,
    /// Games in which it was the last clause applied.
    pub ended: u64,
}

impl Totals {
    /// Adds one game; without an outcome, the game was stopped.
    pub fn add(&mut self, game: &Tally, outcome: Option<&Outcome>) {
        self.games += 1;
        match outcome {
            Some(Outcome::Won(players)) => {
                self.shared += u64::from(players.len() > 1);
                players.iter().for_each(|player| self.won(*player));
            }
            Some(Outcome::Draw) => self.draws += 1,
            Some(Outcome::Nobody) => self.nobody += 1,
            None => self.unfinished += 1,
        }
        if outcome.is_some() {
            *self.plies.entry(game.plies).or_default() += 1;
            match game.last_clause {
                Some(clause) => self.clause(clause.index()).ended += 1,
                None => self.ended_without_clause += 1,
            }
            for (at, value) in game.counters.iter().enumerate() {
                *slot(&mut self.counters, at).entry(*value).or_default() += 1;
            }
        }
        self.decisions += game.decisions;
        self.options += game.options;
        self.captures += game.captures;
        self.squares.merge(&Squares::of(game));
        for (at, times) in game.clauses.iter().enumerate() {
            let clause = self.clause(at);
            clause.times += times;
            clause.games += u64::from(*times > 0);
        }
        add_faces(&mut self.dice, &game.dice);
    }

    /// Adds the games of another part of the same run.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        add_all(&mut self.wins, &other.wins);
        self.draws += other.draws;
        self.nobody += other.nobody;
        self.unfinished += other.unfinished;
        self.held += other.held;
        for (plies, games) in &other.plies {
            *self.plies.entry(*plies).or_default() += games;
        }
        self.decisions += other.decisions;
        self.options += other.options;
        self.captures += other.captures;
        self.squares.merge(&other.squares);
        self.shared += other.shared;
        for (at, applied) in other.clauses.iter().enumerate() {
            let clause = self.clause(at);
            clause.times += applied.times;
            clause.games += applied.games;
            clause.ended += applied.ended;
        }
        self.ended_without_clause += other.ended_without_clause;
        add_faces(&mut self.dice, &other.dice);
        for (at, values) in other.counters.iter().enumerate() {
            for (value, games) in values {
                *slot(&mut self.counters, at).entry(*value).or_default() += games;
            }
        }
    }

    fn won(&mut self, player: PlayerId) {
        *slot(&mut self.wins, player.index()) += 1;
    }

    fn clause(&mut self, at: usize) -> &mut Applied {
        slot(&mut self.clauses, at)
    }
}

/// Returns the element at an index; extends the list if necessary.
fn slot<T: Clone + Default>(list: &mut Vec<T>, at: usize) -> &mut T {
    if list.len() <= at {
        list.resize(at + 1, T::default());
    }
    match list.get_mut(at) {
        Some(found) => found,
        None => unreachable!("the list was made long enough above"),
    }
}

fn add_all(sums: &mut Vec<u64>, more: &[u64]) {
    for (at, number) in more.iter().enumerate() {
        *slot(sums, at) += number;
    }
}

fn add_faces(sums: &mut Vec<Vec<u64>>, more: &[Vec<u64>]) {
    for (at, faces) in more.iter().enumerate() {
        add_all(slot(sums, at), faces);
    }
}
