//! Who decides how, where odds are asked for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::play::instruction::Instruction;
use crate::play::sight::Unseen;
use crate::rules::Program;
use crate::source::{Source, Span};
use crate::table::{PlayerId, State};
use crate::trace::{Action, Answer, Decision};

/// How a player decides what nothing else settles.
#[derive(Clone, Debug)]
pub enum Manner {
    /// Each option is equally likely.
    Random,
    /// The option behind which the expression at this place is greatest, equal ones equally likely.
    Greedy(Arc<Source>, Span),
    /// So that the condition becomes likeliest.
    Likeliest,
    /// So that the condition becomes least likely.
    LeastLikely,
}

/// How decisions are settled.
#[derive(Clone, Debug, Default)]
pub struct Settlement {
    /// What a player does wherever it means one option alone; the first line that does, and whose condition holds, counts.
    pub actions: Vec<Instruction>,
    /// What a player does else; the first for a player counts.
    pub policies: Vec<(PlayerId, Manner)>,
}

/// Why a decision is not settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Snag {
    /// Nothing says how this player decides.
    Unsaid(PlayerId),
    /// This player decides at once with others, and is to decide by what follows.
    AtOnce(PlayerId),
    /// It is to be decided best or worst, and what the player cannot see matters: the cards in these zones.
    Unseen(Vec<Unseen>),
}

/// The decisions that came up, and what settled them.
#[derive(Clone, Debug, Default)]
pub struct Met {
    /// What each player could do somewhere; of very much the first part.
    pub options: BTreeMap<PlayerId, BTreeSet<Action>>,
    /// The places of the actions of a [`Settlement`] that settled something.
    pub actions: BTreeSet<usize>,
    /// The places of its policies that did.
    pub policies: BTreeSet<usize>,
}

/// The most answers that decisions made at once may have together.
const MOST_TOGETHER: usize = 10_000;

/// The most options of a player that are noted.
const MOST_NOTED: usize = 1000;

/// Why there are no answers to follow.
pub(super) enum Unready {
    /// The decision is not settled.
    Not(Snag),
    /// A condition goes wrong.
    Fault(Box<Diagnostic>),
}

/// The options to follow, by their places.
pub(super) struct Places<'s> {
    pub(super) manner: Option<&'s Manner>,
    pub(super) places: Vec<usize>,
}

impl Met {
    pub(super) fn note(&mut self, decision: &Decision) {
        let known = self.options.entry(decision.player).or_default();
        for option in &decision.options {
            if known.len() < MOST_NOTED && !known.contains(option) {
                known.insert(option.clone());
            }
        }
    }
}

impl Settlement {
    /// Returns the places of the options to follow, and how to decide between them, where that is still to be done;
    /// what settled the decision is noted in `met`.
    pub(super) fn places(
        &self,
        program: &Program,
        state: &State,
        decision: &Decision,
        met: &mut Met,
    ) -> Result<Places<'_>, Unready> {
        for (at, instruction) in self.actions.iter().enumerate() {
            let Some(place) = instruction.option(decision) else { continue };
            if instruction.holds(program, state).map_err(Unready::Fault)? {
                met.actions.insert(at);
                return Ok(Places { manner: None, places: vec![place] });
            }
        }
        let found = self.policies.iter().enumerate().find(|(_, (player, _))| *player == decision.player);
        let Some((at, (_, manner))) = found else { return Err(Unready::Not(Snag::Unsaid(decision.player))) };
        met.policies.insert(at);
        Ok(Places { manner: Some(manner), places: (0..decision.options.len()).collect() })
    }

    /// Returns the answers to decisions made at once; none where there are too many. Nobody sees another's decision, so
    /// that none can be the best against the others.
    pub(super) fn together(
        &self,
        program: &Program,
        state: &State,
        all: &[Decision],
        met: &mut Met,
    ) -> Result<Vec<(Answer, u64)>, Unready> {
        let mut lists = vec![Vec::new()];
        for decision in all {
            let Places { manner, places } = self.places(program, state, decision, met)?;
            if !matches!(manner, None | Some(Manner::Random)) && places.len() > 1 {
                return Err(Unready::Not(Snag::AtOnce(decision.player)));
            }
            if lists.len().saturating_mul(places.len()) > MOST_TOGETHER {
                return Ok(Vec::new());
            }
            let longer = |list: &Vec<usize>, place: &usize| list.iter().copied().chain([*place]).collect::<Vec<_>>();
            lists = lists.iter().flat_map(|list| places.iter().map(move |place| longer(list, place))).collect();
        }
        Ok(lists.into_iter().map(|list| (Answer::AllChosen(list), 1)).collect())
    }
}
