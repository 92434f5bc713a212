//! Tries all cards for draws of cards that a player does not see.

use num_rational::BigRational;

use referee_table::State;
use referee_trace::{Answer, Question};

/// The unseen draws of a run: the possible cards, and the index of the one to try.
#[derive(Default)]
pub(super) struct Forks {
    forks: Vec<(Vec<(Answer, u64)>, usize)>,
    depth: usize,
    /// The chance of the draws of this run that are given.
    given: Option<BigRational>,
}

impl Forks {
    /// Returns the card to try at the next draw.
    pub(super) fn next(&mut self, question: &Question, state: &State) -> Option<Answer> {
        if self.depth == self.forks.len() {
            self.forks.push((question.chances(state), 0));
        }
        let (answers, at) = self.forks.get(self.depth)?;
        self.depth += 1;
        answers.get(*at).map(|(answer, _)| answer.clone())
    }

    /// Multiplies the probability of this run by that of a draw that is given.
    pub(super) fn weigh(&mut self, copies: u64, of: u64) {
        if copies != of {
            let chance = BigRational::new(copies.into(), of.max(1).into());
            self.given = Some(self.given.take().map_or_else(|| chance.clone(), |given| given * &chance));
        }
    }

    /// Returns the probability of the cards drawn in this run.
    pub(super) fn weight(&self) -> BigRational {
        let each = self.forks.iter().take(self.depth).map(|(answers, at)| {
            let total: u64 = answers.iter().map(|(_, weight)| weight).sum();
            let weight = answers.get(*at).map_or(0, |(_, weight)| *weight);
            BigRational::new(weight.into(), total.max(1).into())
        });
        let tried: BigRational = each.product();
        self.given.iter().fold(tried, |tried, given| tried * given)
    }

    /// Returns the number of combinations of the cards that were possible at the draws of this run.
    pub(super) fn runs(&self) -> usize {
        let draws = self.forks.iter().take(self.depth);
        draws.fold(1, |runs: usize, (answers, _)| runs.saturating_mul(answers.len()))
    }

    /// Advances to the next combination of cards. Returns `false` if all were tried.
    pub(super) fn advance(&mut self) -> bool {
        self.forks.truncate(self.depth);
        self.depth = 0;
        self.given = None;
        while let Some((answers, at)) = self.forks.last_mut() {
            *at += 1;
            if *at < answers.len() {
                return true;
            }
            self.forks.pop();
        }
        false
    }
}
