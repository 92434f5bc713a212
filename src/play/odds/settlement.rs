//! Who decides how, where odds are asked for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::phase::Kind;
use crate::diagnostic::Diagnostic;
use crate::play::instruction::Instruction;
use crate::play::sight::{Unseen, hidden};
use crate::rules::Program;
use crate::source::{Source, Span};
use crate::table::{PlayerId, State};
use crate::trace::{Action, Answer, Ask, Decision, Question};

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

/// The answers to follow.
pub(super) struct Ways {
    /// What is made of what comes of them.
    pub(super) kind: Kind,
    /// The answers with their weights; none where there are too many.
    pub(super) answers: Vec<(Answer, u64)>,
    /// The zones into which whoever decides cannot look, where that decides by what follows.
    pub(super) unseen: Vec<Unseen>,
}

/// Why there are no answers to follow.
pub(super) enum Unready {
    /// The options must be rated first, by the expression at this place.
    Rate(Arc<Source>, Span),
    /// Conditions of instructions must be judged first.
    Judge,
    /// The decision is not settled.
    Not(Snag),
}

/// The options to follow, by their places.
struct Places<'s> {
    manner: Option<&'s Manner>,
    places: Vec<usize>,
}

impl Met {
    fn note(&mut self, decision: &Decision) {
        let known = self.options.entry(decision.player).or_default();
        for option in &decision.options {
            if known.len() < MOST_NOTED && !known.contains(option) {
                known.insert(option.clone());
            }
        }
    }
}

impl Settlement {
    /// The instructions with conditions that hold where these decisions are made.
    pub(super) fn judged(
        &self,
        program: &Program,
        question: &Question,
        state: &State,
    ) -> Result<BTreeSet<usize>, Box<Diagnostic>> {
        let decisions: &[Decision] = match question {
            Question::Choose(decision) => std::slice::from_ref(decision),
            Question::ChooseAll(all) => all,
            Question::Roll(_) | Question::Draw(_) => &[],
        };
        let mut holding = BTreeSet::new();
        for (at, instruction) in self.actions.iter().enumerate().filter(|(_, one)| one.condition.is_some()) {
            if decisions.iter().any(|decision| instruction.option(decision).is_some())
                && instruction.holds(program, state)?
            {
                holding.insert(at);
            }
        }
        Ok(holding)
    }

    /// The answers to a question that are to be followed; what settled it is noted in `met`.
    /// `judged` are the instructions with conditions that hold here, once that is known.
    pub(super) fn ways(
        &self,
        ask: &Ask,
        state: &State,
        judged: Option<&BTreeSet<usize>>,
        met: &mut Met,
    ) -> Result<Ways, Unready> {
        let mix = |answers| Ways { kind: Kind::Mix, answers, unseen: Vec::new() };
        match &ask.question {
            Question::Choose(decision) => {
                met.note(decision);
                let Places { manner, places } = self.places(decision, judged, met)?;
                let several = places.len() > 1;
                let answers = places.into_iter().map(|place| (Answer::Chosen(place), 1)).collect();
                let kind = match manner {
                    Some(Manner::Greedy(source, span)) if several => {
                        return Err(Unready::Rate(Arc::clone(source), *span));
                    }
                    Some(Manner::Likeliest) => Kind::Most,
                    Some(Manner::LeastLikely) => Kind::Least,
                    _ => return Ok(mix(answers)),
                };
                let unseen = if several { hidden(state, decision.player) } else { Vec::new() };
                Ok(Ways { kind, answers, unseen })
            }
            Question::ChooseAll(all) => {
                all.iter().for_each(|decision| met.note(decision));
                self.together(all, judged, met).map(mix)
            }
            chance @ (Question::Roll(_) | Question::Draw(_)) => Ok(mix(chance.chances(state))),
        }
    }

    /// The places of the options to follow, and how to decide between them, where that is still to be done.
    fn places(
        &self,
        decision: &Decision,
        judged: Option<&BTreeSet<usize>>,
        met: &mut Met,
    ) -> Result<Places<'_>, Unready> {
        let options = &decision.options;
        for (at, instruction) in self.actions.iter().enumerate() {
            let Some(place) = instruction.option(decision) else { continue };
            if instruction.condition.is_some() && !judged.ok_or(Unready::Judge)?.contains(&at) {
                continue;
            }
            met.actions.insert(at);
            return Ok(Places { manner: None, places: vec![place] });
        }
        let found = self.policies.iter().enumerate().find(|(_, (player, _))| *player == decision.player);
        let Some((at, (_, manner))) = found else { return Err(Unready::Not(Snag::Unsaid(decision.player))) };
        met.policies.insert(at);
        Ok(Places { manner: Some(manner), places: (0..options.len()).collect() })
    }

    /// Decisions made at once: nobody sees another's, so that none can be the best against the others.
    fn together(
        &self,
        all: &[Decision],
        judged: Option<&BTreeSet<usize>>,
        met: &mut Met,
    ) -> Result<Vec<(Answer, u64)>, Unready> {
        let mut lists = vec![Vec::new()];
        for decision in all {
            let Places { manner, places } = self.places(decision, judged, met)?;
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
