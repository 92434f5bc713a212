//! Decisions when odds are computed: the options to follow, and the instructions and policies that decide.

use std::collections::{BTreeMap, BTreeSet};

use crate::open::refused;
use crate::policy::Policy;
use crate::strategy::{Instructed, StrategyProfile};
use crate::visibility::Unseen;
use referee_diagnostic::Diagnostic;
use referee_rules::Program;
use referee_table::{PlayerId, State};
use referee_trace::{Action, Answer, Decision};

/// The reason why a decision is undecided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UndecidedReason {
    /// This player has no policy.
    Unsaid(PlayerId),
    /// This player answers with any values, and no policy has all of them to choose among; with the actions of the strategy
    /// that the rules refuse, and why.
    NotListed(PlayerId, Vec<(String, String)>),
    /// This player decides at once with others, but their policy looks ahead.
    AtOnce(PlayerId),
    /// The policy is best or worst, and cards that the player cannot see, in these zones, affect the result.
    Unseen(Vec<Unseen>),
}

/// The decisions seen, and the instructions and policies that decided them.
#[derive(Clone, Debug, Default)]
pub struct DecisionsSeen {
    /// The options that each player had, up to a limit.
    pub options: BTreeMap<PlayerId, BTreeSet<Action>>,
    /// The indices of the actions of a [`StrategyProfile`] that decided something.
    pub actions: BTreeSet<usize>,
    /// The indices of the policies that decided something.
    pub policies: BTreeSet<usize>,
}

/// The maximum number of combined answers to decisions made at once.
const MAX_TOGETHER: usize = 10_000;

/// The maximum number of options recorded for a player.
const MAX_NOTED: usize = 1000;

/// The reason why there are no answers to follow.
pub(super) enum Unready {
    /// The decision is undecided.
    Not(UndecidedReason),
    /// A condition caused an error.
    Fault(Box<Diagnostic>),
}

/// The indices of the options to follow.
pub(super) struct Places<'s> {
    /// The policy that decides between them; `None` if an instruction has decided.
    pub(super) policy: Option<&'s Policy>,
    pub(super) places: Vec<usize>,
    /// What an instruction says where the ask takes any values.
    pub(super) said: Option<Answer>,
}

impl DecisionsSeen {
    pub(super) fn note(&mut self, decision: &Decision) {
        let known = self.options.entry(decision.player).or_default();
        for option in &decision.options {
            if known.len() < MAX_NOTED && !known.contains(option) {
                known.insert(option.clone());
            }
        }
    }
}

impl StrategyProfile {
    /// Returns the indices of the options to follow, with the policy if it has to decide between them. Records in `met`
    /// the instruction or policy that decided.
    pub(super) fn places(
        &self,
        program: &Program,
        state: &State,
        decision: &Decision,
        met: &mut DecisionsSeen,
    ) -> Result<Places<'_>, Unready> {
        if let Some(Instructed { by, answer }) = self.instructed(program, state, decision).map_err(Unready::Fault)? {
            met.actions.insert(by);
            return Ok(match answer {
                Answer::Chosen(option) => Places { policy: None, places: vec![option], said: None },
                said => Places { policy: None, places: Vec::new(), said: Some(said) },
            });
        }
        let Some((at, policy)) = self.policy(decision.player) else {
            if !decision.open.is_empty() {
                return Err(self.not_listed(program, state, decision));
            }
            return Err(Unready::Not(UndecidedReason::Unsaid(decision.player)));
        };
        met.policies.insert(at);
        Ok(Places { policy: Some(policy), places: (0..decision.options.len()).collect(), said: None })
    }

    /// Returns why an ask that takes any values is undecided.
    pub(super) fn not_listed(&self, program: &Program, state: &State, decision: &Decision) -> Unready {
        match refused(program, state, decision, &self.actions) {
            Ok(refused) => Unready::Not(UndecidedReason::NotListed(decision.player, refused)),
            Err(wrong) => Unready::Fault(wrong),
        }
    }

    /// Returns the answers to decisions made at once; none if there are too many. Players do not see one another's
    /// decisions, so best and worst are not defined here.
    pub(super) fn together(
        &self,
        program: &Program,
        state: &State,
        all: &[Decision],
        met: &mut DecisionsSeen,
    ) -> Result<Vec<(Answer, u64)>, Unready> {
        let mut lists = vec![Vec::new()];
        for decision in all {
            let Places { policy, places, .. } = self.places(program, state, decision, met)?;
            if !matches!(policy, None | Some(Policy::Random)) && places.len() > 1 {
                return Err(Unready::Not(UndecidedReason::AtOnce(decision.player)));
            }
            if lists.len().saturating_mul(places.len()) > MAX_TOGETHER {
                return Ok(Vec::new());
            }
            let longer = |list: &Vec<usize>, place: &usize| list.iter().copied().chain([*place]).collect::<Vec<_>>();
            lists = lists.iter().flat_map(|list| places.iter().map(move |place| longer(list, place))).collect();
        }
        Ok(lists.into_iter().map(|list| (Answer::AllChosen(list), 1)).collect())
    }
}
