//! Who decides how, where odds are asked for.

use super::phase::Kind;
use crate::table::{PlayerId, State};
use crate::trace::{Action, Answer, Ask, Decision, Question};

/// How a player decides what nothing else settles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Each option is equally likely.
    Random,
    /// So that the condition becomes likeliest.
    Likeliest,
    /// So that the condition becomes least likely.
    LeastLikely,
}

/// How decisions are settled.
#[derive(Clone, Debug, Default)]
pub struct Settlement {
    /// What a player does wherever it means one option alone; the first line that does counts.
    pub actions: Vec<(PlayerId, Action)>,
    /// What a player does else; the first for a player counts.
    pub policies: Vec<(PlayerId, Manner)>,
}

/// The most answers that decisions made at once may have together.
const MOST_TOGETHER: usize = 10_000;

/// The answers to follow, with their weights, and what is made of what comes of them.
pub(super) type Ways = (Kind, Vec<(Answer, u64)>);

impl Settlement {
    /// The answers to a question that are to be followed, none where there are too many; nothing where a decision is not
    /// settled.
    pub(super) fn ways(&self, ask: &Ask, state: &State) -> Option<Ways> {
        match &ask.question {
            Question::Choose(decision) => {
                let (kind, places) = self.places(decision)?;
                Some((kind, places.into_iter().map(|place| (Answer::Chosen(place), 1)).collect()))
            }
            Question::ChooseAll(all) => self.together(all),
            chance @ (Question::Roll(_) | Question::Draw(_)) => Some((Kind::Mix, chance.chances(state))),
        }
    }

    /// The places of the options to follow.
    fn places(&self, decision: &Decision) -> Option<(Kind, Vec<usize>)> {
        let options = &decision.options;
        let mine = self.actions.iter().filter(|(player, _)| *player == decision.player);
        for (_, action) in mine {
            if let Some(exact) = options.iter().position(|option| option == action) {
                return Some((Kind::Mix, vec![exact]));
            }
            let mut fitting = options.iter().enumerate().filter(|(_, option)| action.fits(option));
            if let (Some((only, _)), None) = (fitting.next(), fitting.next()) {
                return Some((Kind::Mix, vec![only]));
            }
        }
        let (_, policy) = self.policies.iter().find(|(player, _)| *player == decision.player)?;
        let kind = match policy {
            Manner::Random => Kind::Mix,
            Manner::Likeliest => Kind::Most,
            Manner::LeastLikely => Kind::Least,
        };
        Some((kind, (0..options.len()).collect()))
    }

    /// Decisions made at once: nobody sees another's, so that none can be the best against the others.
    fn together(&self, all: &[Decision]) -> Option<Ways> {
        let mut lists = vec![Vec::new()];
        for decision in all {
            let (kind, places) = self.places(decision)?;
            if kind != Kind::Mix && places.len() > 1 {
                return None;
            }
            if lists.len().saturating_mul(places.len()) > MOST_TOGETHER {
                return Some((Kind::Mix, Vec::new()));
            }
            let longer = |list: &Vec<usize>, place: &usize| list.iter().copied().chain([*place]).collect::<Vec<_>>();
            lists = lists.iter().flat_map(|list| places.iter().map(move |place| longer(list, place))).collect();
        }
        Some((Kind::Mix, lists.into_iter().map(|list| (Answer::AllChosen(list), 1)).collect()))
    }
}
