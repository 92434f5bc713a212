//! What is counted of games: whole numbers only, so that the order in which games are counted does not matter.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::table::{ClauseId, DieId, Outcome, PlayerId, Schema, State, Throw, Value};
use crate::trace::Decision;

/// What is counted of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Turns begun.
    pub plies: u64,
    /// Decisions made.
    pub decisions: u64,
    /// The options of all decisions.
    pub options: u64,
    /// Cells on which the moves chosen capture.
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
        let faces = |die: &crate::table::Die| vec![0; die.faces.len()];
        Self {
            clauses: vec![0; schema.clauses.len()],
            dice: schema.dice.iter().map(faces).collect(),
            ..Self::default()
        }
    }

    pub(super) fn decided(&mut self, decision: &Decision, at: usize) {
        let values = decision.options.get(at).map(|option| option.values.as_slice()).unwrap_or_default();
        let captures = values.iter().map(|value| match value {
            Value::Move(made) => made.captured().count(),
            _ => 0,
        });
        self.decided_of(decision.options.len(), captures.sum());
    }

    /// What the counters show at the end of the game.
    pub(super) fn ended(&mut self, state: &State) {
        let shown = state.schema().statistics().map(|(property, owner)| match state.value(property, owner) {
            Some(Value::Int(number)) => *number,
            _ => 0,
        });
        self.counters = shown.collect();
    }

    /// A decision among so many options.
    pub(super) fn decided_of(&mut self, options: usize, captures: usize) {
        self.decisions += 1;
        self.options += options as u64;
        self.captures += captures as u64;
    }

    pub(super) fn rolled(&mut self, die: DieId, throw: &Throw) {
        let Some(faces) = self.dice.get_mut(die.index()) else { return };
        for face in throw.faces() {
            if let Some(times) = faces.get_mut(face) {
                *times += 1;
            }
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

/// What is counted of many games. Lists are in the order of the game's declarations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Games played.
    pub games: u64,
    /// For each player of the game file, how many games he won, alone or with others.
    pub wins: Vec<u64>,
    /// Draws.
    pub draws: u64,
    /// Games that nobody won.
    pub nobody: u64,
    /// Games stopped because they took too many turns.
    pub unfinished: u64,
    /// Games at whose end the condition held that was asked about, if there was one.
    #[serde(default)]
    pub held: u64,
    /// The games that ended after so many turns.
    pub plies: BTreeMap<u64, u64>,
    /// Decisions made.
    pub decisions: u64,
    /// The options of all decisions.
    pub options: u64,
    /// Cells on which the moves chosen capture.
    pub captures: u64,
    /// For each clause, how often it was applied.
    pub clauses: Vec<Applied>,
    /// Games that ended without a clause applied in the last turn.
    pub ended_without_clause: u64,
    /// For each die, how often each of its faces was thrown, in their order.
    pub dice: Vec<Vec<u64>>,
    /// For each counter of [`Schema::statistics`], in how many of the games that ended it had which value then.
    #[serde(default)]
    pub counters: Vec<BTreeMap<i64, u64>>,
}

/// How often a clause was applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Applied {
    /// Times, all games together.
    pub times: u64,
    /// Games in which it was.
    pub games: u64,
    /// Games that ended with it: no other clause was applied later.
    pub ended: u64,
}

impl Totals {
    /// Counts one game; no outcome means that it was stopped.
    pub fn add(&mut self, game: &Tally, outcome: Option<&Outcome>) {
        self.games += 1;
        match outcome {
            Some(Outcome::Won(players)) => players.iter().for_each(|player| self.won(*player)),
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
        for (at, times) in game.clauses.iter().enumerate() {
            let clause = self.clause(at);
            clause.times += times;
            clause.games += u64::from(*times > 0);
        }
        add_faces(&mut self.dice, &game.dice);
    }

    /// Counts the games of another part of the same run.
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

/// Returns the element at a place; the list grows as long as it must.
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
