//! Plays given answers again for other positions of the cards.

use std::cell::RefCell;
use std::rc::Rc;

use super::feed::AnswerSource;
use super::forks::Forks;
use super::random::Random;
use crate::rules::Reply;
use crate::table::{Arrival, Counts, PieceId, PlayerId, State, ZoneId};
use crate::trace::{Answer, Ask, Decision, Question};

/// An answer that was given since the anchor.
#[derive(Clone)]
pub(super) struct Given {
    pub(super) ask: Ask,
    pub(super) answer: Answer,
    pub(super) sight: Sight,
    /// If it is a draw: where the player has seen the card go.
    pub(super) route: Option<Arrival>,
}

impl Given {
    /// Returns whether a card was drawn.
    pub(super) const fn is_draw(&self) -> bool {
        matches!(self.answer, Answer::Drawn(_))
    }
}

/// What the player who deals cards again knows of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// They know it.
    Seen,
    /// They know it, and each deal leaves the card in its zone until then. The number of earlier such draws of this
    /// card from this zone.
    Kept(u32),
    /// It is a draw of a card that they have not seen.
    Unseen,
}

/// A draw that a player has seen: the zone, the card, and where the player has seen it go.
pub(super) type SeenDraw = (ZoneId, PieceId, Option<Arrival>);

/// The zones at an ask of the real game.
pub(super) struct Look {
    /// The cards that the player does not see.
    pub(super) unseen: Counts,
    /// Where the player has seen the card go that was drawn last.
    pub(super) route: Option<Arrival>,
    /// If a card is drawn: the cards of the zone without an order.
    pub(super) bag: Counts,
}

/// How to answer draws.
pub(super) enum Draws {
    /// As before. Notes the zones at each ask.
    Given(Rc<RefCell<Vec<Look>>>),
    /// Unseen draws at random.
    Random(Box<Random>),
    /// Unseen draws with every card, one in each run.
    Each(Rc<RefCell<Forks>>),
}

/// Answers as before, as far as the player knows the answers.
pub(super) struct Tape {
    player: PlayerId,
    given: Rc<[Given]>,
    at: usize,
    draws: Draws,
    /// For each kept draw, the copies of its card in its zone at the anchor.
    kept: Vec<u64>,
    /// The last draw that was answered; first the one that was given in its place, if any was.
    last: Option<(Option<usize>, ZoneId, PieceId)>,
    strays: bool,
    seen: Vec<SeenDraw>,
}

impl Tape {
    /// Returns a tape for a run from `state`.
    pub(super) fn new(player: PlayerId, given: Rc<[Given]>, draws: Draws, state: &State) -> Self {
        let kept = given.iter().map(|given| match (given.sight, &given.ask.question, &given.answer) {
            (Sight::Kept(nth), Question::Draw(zone), Answer::Drawn(card)) => {
                let copies = state.zone(*zone).and_then(|zone| zone.bag().get(card)).copied().unwrap_or(0);
                u64::from(copies.saturating_sub(nth))
            }
            _ => 0,
        });
        Self { player, kept: kept.collect(), given, at: 0, draws, last: None, strays: false, seen: Vec::new() }
    }

    /// Notes what the player has seen of the last draw. `state` is the state now. Returns whether a card went elsewhere
    /// than the card in its place did, as far as they have seen.
    pub(super) fn watch(&mut self, state: &State) -> bool {
        if let Some((given, zone, card)) = self.last.take() {
            let route = state.seen_arrival(self.player);
            self.strays |= given.and_then(|at| self.given.get(at)).is_some_and(|given| given.route != route);
            if route.is_some() || state.schema().sees(self.player, zone) {
                self.seen.push((zone, card, route));
            }
        }
        self.strays
    }

    /// Returns the draws that the player has seen.
    pub(super) fn seen(&self) -> &[SeenDraw] {
        &self.seen
    }

    /// Returns whether all answers were used.
    pub(super) fn is_used_up(&self) -> bool {
        self.at == self.given.len()
    }

    /// Answers a draw of an unknown card.
    fn unseen(&mut self, question: &Question, zone: ZoneId, given: Option<usize>, state: &State) -> Reply {
        let answer = match &mut self.draws {
            Draws::Given(_) => None,
            Draws::Random(random) => Some(random.card(state, zone)),
            Draws::Each(forks) => forks.borrow_mut().next(question, state),
        };
        if let Some(Answer::Drawn(card)) = answer {
            self.last = Some((given, zone, card));
        }
        answer.map_or(Reply::Refuse, Reply::Answer)
    }

    /// Answers a draw as before, with the chance that it has in this deal.
    fn again(&mut self, zone: ZoneId, state: &State) -> Reply {
        let Some(given) = self.given.get(self.at) else { return Reply::Pause };
        let Answer::Drawn(card) = given.answer else { return Reply::Refuse };
        let Some(bag) = state.zone(zone).map(|zone| zone.bag()) else { return Reply::Refuse };
        let copies = u64::from(bag.get(&card).copied().unwrap_or(0));
        // A deal that keeps the card in the zone was made more often than it is likely, by the copies there.
        let of = match given.sight {
            Sight::Kept(_) => self.kept.get(self.at).copied().unwrap_or(0),
            Sight::Seen | Sight::Unseen => bag.values().map(|count| u64::from(*count)).sum(),
        };
        let accepted = copies > 0
            && match &mut self.draws {
                Draws::Given(_) => true,
                Draws::Random(random) => copies >= of || random.below(of) < copies,
                Draws::Each(forks) => {
                    forks.borrow_mut().weigh(copies, of);
                    true
                }
            };
        self.last = Some((Some(self.at), zone, card));
        self.at += 1;
        if accepted { Reply::Answer(Answer::Drawn(card)) } else { Reply::Refuse }
    }
}

impl AnswerSource for Tape {
    fn read(&mut self, ask: &Ask, state: &State) -> Reply {
        if let Draws::Given(looks) = &self.draws {
            let bag = match &ask.question {
                Question::Draw(zone) => state.zone(*zone).map(|zone| zone.bag().clone()).unwrap_or_default(),
                _ => Counts::new(),
            };
            looks.borrow_mut().push(Look {
                unseen: state.unseen(self.player),
                route: state.seen_arrival(self.player),
                bag,
            });
        } else if self.watch(state) {
            return Reply::Refuse;
        }
        let given = self.given.get(self.at);
        if let Question::Draw(zone) = &ask.question {
            let asked = given.filter(|given| given.ask.question == ask.question);
            let is_unseen = asked.is_none_or(|given| given.sight == Sight::Unseen);
            // A draw that was not asked took the next card of an order that is unknown now.
            if is_unseen && !matches!(self.draws, Draws::Given(_)) {
                let at = asked.is_some().then_some(self.at);
                self.at += usize::from(asked.is_some());
                return self.unseen(&ask.question, *zone, at, state);
            }
            return if asked.is_some() { self.again(*zone, state) } else { Reply::Refuse };
        }
        let Some(given) = given else { return Reply::Pause };
        let answer = match (&ask.question, &given.ask.question, &given.answer) {
            (Question::Roll(die), Question::Roll(before), answer) if die == before => Some(answer.clone()),
            (Question::Choose(now), Question::Choose(before), Answer::Chosen(at)) => {
                self.same(now, before, *at).map(Answer::Chosen)
            }
            (Question::ChooseAll(now), Question::ChooseAll(before), Answer::AllChosen(all))
                if now.len() == before.len() =>
            {
                let pairs = now.iter().zip(before).zip(all);
                let same = pairs.map(|((now, before), at)| self.same(now, before, *at));
                same.collect::<Option<_>>().map(Answer::AllChosen)
            }
            _ => None,
        };
        self.at += 1;
        answer.map_or(Reply::Refuse, Reply::Answer)
    }
}

impl Tape {
    /// Returns the index of the option that was chosen before. The player knows the options that they had.
    fn same(&self, now: &Decision, before: &Decision, at: usize) -> Option<usize> {
        if now.player != before.player || now.player == self.player && !same_options(now, before) {
            return None;
        }
        let chosen = before.options.get(at)?;
        now.options.iter().position(|option| option == chosen)
    }
}

/// Returns whether two decisions have the same options, in any order.
pub(super) fn same_options(one: &Decision, other: &Decision) -> bool {
    one.options.len() == other.options.len()
        && (one.options == other.options || one.options.iter().all(|option| other.options.contains(option)))
}
