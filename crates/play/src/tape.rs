//! Plays given answers again for other positions of the cards.

use std::cell::RefCell;
use std::rc::Rc;

use super::feed::AnswerSource;
use super::forks::Forks;
use super::random::Random;
use referee_rules::Reply;
use referee_table::{Arrival, Counts, PieceId, PlayerId, State, Zone, ZoneId};
use referee_trace::{Answer, Ask, Decision, Question};

/// An answer that was given since the anchor.
#[derive(Clone)]
pub(super) struct Given {
    pub(super) ask: Ask,
    pub(super) answer: Answer,
    pub(super) sight: Sight,
    /// If it is a draw: where the player has seen the card go.
    pub(super) route: Option<Arrival>,
    /// If it is a draw: the number of cards in the zone before.
    pub(super) size: u64,
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
    /// It is a draw of a card, or a throw, that they have not seen.
    Unseen,
}

/// A draw that a player has seen: the zone, the card, and where the player has seen it go.
pub(super) type SeenDraw = (ZoneId, PieceId, Option<Arrival>);

/// What there was at an ask of the real game.
pub(super) struct Look {
    /// The cards that the player does not see.
    pub(super) unseen: Counts,
    /// Where the player has seen the card go that was drawn last.
    pub(super) route: Option<Arrival>,
    /// If a card is drawn: the cards of the zone without an order, and the number of all of them.
    pub(super) bag: Counts,
    pub(super) size: u64,
    /// The cards of the zones that were asked for.
    pub(super) held: Vec<Counts>,
}

impl Look {
    /// Notes a state in which a card is drawn from a zone, if one is, and the cards of these zones.
    pub(super) fn of(state: &State, player: PlayerId, drawn_from: Option<ZoneId>, zones: &[ZoneId]) -> Self {
        let zone = drawn_from.and_then(|zone| state.zone(zone));
        let cards = |zone: &ZoneId| state.zone(*zone).map(Zone::counts).unwrap_or_default();
        Self {
            unseen: state.unseen(player),
            route: state.seen_arrival(player),
            bag: zone.map(|zone| zone.bag().clone()).unwrap_or_default(),
            size: zone.map_or(0, Zone::len),
            held: zones.iter().map(cards).collect(),
        }
    }
}

/// How to answer draws.
pub(super) enum Draws {
    /// As before. Notes what there is at each ask, with the cards of these zones.
    Given { zones: Vec<ZoneId>, looks: Rc<RefCell<Vec<Look>>> },
    /// Unseen draws at random.
    Random(Box<Random>),
    /// Unseen draws at random, and those of each zone in any order: which of them the player has seen may depend on cards
    /// that they have not seen.
    Shuffled(Box<Random>),
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
    /// If draws are shuffled: the indices of those that were not made yet, and the cards of each of their zones at the last
    /// of them, if none are put there.
    left: Vec<(usize, u64)>,
    /// The last draw that was answered; first the one that was given in its place, if any was.
    last: Option<(Option<usize>, ZoneId, PieceId)>,
    strays: bool,
    /// Whether a draw was not made now, or was made from more or fewer cards.
    differs: bool,
    /// Whether a draw was not made before.
    extra: bool,
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
        let kept = kept.collect();
        let mut left: Vec<(usize, u64)> = Vec::new();
        if matches!(draws, Draws::Shuffled(_)) {
            let zone = |at: &usize| match given.get(*at).map(|given| &given.ask.question) {
                Some(Question::Draw(zone)) => Some(*zone),
                _ => None,
            };
            let all: Vec<(usize, ZoneId)> = (0..given.len()).filter_map(|at| Some((at, zone(&at)?))).collect();
            left.extend(all.iter().map(|(at, zone)| {
                let draws = all.iter().filter(|(_, other)| other == zone).count() as u64;
                let cards =
                    state.zone(*zone).map_or(0, |zone| zone.bag().values().map(|count| u64::from(*count)).sum());
                (*at, (cards + 1).saturating_sub(draws).max(1))
            }));
        }
        Self {
            player,
            kept,
            left,
            given,
            at: 0,
            draws,
            last: None,
            strays: false,
            differs: false,
            extra: false,
            seen: Vec::new(),
        }
    }

    /// Notes what the player has seen of the last draw. `state` is the state now. Returns whether a card went elsewhere
    /// than the card in its place did, as far as they have seen.
    pub(super) fn watch(&mut self, state: &State) -> bool {
        if let Some((given, zone, card)) = self.last.take() {
            let route = state.seen_arrival(self.player);
            // In the real game the routes are noted, and there are none to compare with.
            let judged = !self.is_as_before();
            self.strays |= judged && given.and_then(|at| self.given.get(at)).is_some_and(|given| given.route != route);
            if route.is_some() || state.schema().sees(self.player, zone) {
                self.seen.push((zone, card, route));
            }
        }
        self.strays
    }

    /// Returns whether all draws are answered as before.
    const fn is_as_before(&self) -> bool {
        matches!(self.draws, Draws::Given { .. })
    }

    /// Returns the draws that the player has seen.
    pub(super) fn seen(&self) -> &[SeenDraw] {
        &self.seen
    }

    /// Returns whether all answers were used that the player knows of.
    pub(super) fn is_used_up(&self) -> bool {
        self.given.iter().skip(self.at).all(|given| given.is_draw() && given.sight == Sight::Unseen)
    }

    /// Returns whether the draws were other ones than before, whatever their cards. `has_orders` says that some cards had
    /// an order before that they do not have now, so that they were not drawn by chance.
    pub(super) const fn draws_differ(&self, has_orders: bool) -> bool {
        self.differs || self.extra && !has_orders
    }

    /// Returns whether no draw is left, of those in any order, that the player has seen.
    pub(super) fn has_shown_all(&self) -> bool {
        let is_unseen = |(at, _): &(usize, u64)| self.given.get(*at).is_some_and(|given| given.sight == Sight::Unseen);
        self.left.iter().all(is_unseen)
    }

    /// If the game is played as before: notes what is asked for. Returns whether it is.
    fn notes(&self, ask: &Ask, state: &State) -> bool {
        let Draws::Given { zones, looks } = &self.draws else { return false };
        let drawn_from = match ask.question {
            Question::Draw(zone) => Some(zone),
            _ => None,
        };
        looks.borrow_mut().push(Look::of(state, self.player, drawn_from, zones));
        true
    }

    /// Answers a draw in the order of those before.
    fn drawn(&mut self, question: &Question, zone: ZoneId, state: &State) -> Reply {
        let asked = self.given.get(self.at).filter(|given| given.ask.question == *question);
        let is_unseen = asked.is_none_or(|given| given.sight == Sight::Unseen);
        // A draw that was not asked took the next card of an order that is unknown now.
        if is_unseen && !self.is_as_before() {
            let at = asked.is_some().then_some(self.at);
            self.extra |= at.is_none();
            self.at += usize::from(asked.is_some());
            return self.unseen(question, zone, at, state);
        }
        if asked.is_none() {
            return Reply::Refuse;
        }
        self.at += 1;
        self.again(self.at - 1, 0, zone, state)
    }

    /// Answers a draw of an unknown card.
    fn unseen(&mut self, question: &Question, zone: ZoneId, given: Option<usize>, state: &State) -> Reply {
        let answer = match &mut self.draws {
            Draws::Given { .. } => None,
            Draws::Random(random) | Draws::Shuffled(random) => Some(random.card(state, zone)),
            Draws::Each(forks) => forks.borrow_mut().next(question, state),
        };
        if let Some(Answer::Drawn(card)) = answer {
            self.last = Some((given, zone, card));
        }
        answer.map_or(Reply::Refuse, Reply::Answer)
    }

    /// Answers a draw with one of those before, each equally likely. The player has not seen in which order they were.
    fn shuffled(&mut self, question: &Question, zone: ZoneId, state: &State) -> Reply {
        let Draws::Shuffled(random) = &mut self.draws else { return Reply::Refuse };
        let fits = |(at, _): &(usize, u64)| self.given.get(*at).is_some_and(|given| given.ask.question == *question);
        let places: Vec<usize> =
            self.left.iter().enumerate().filter(|(_, one)| fits(one)).map(|(place, _)| place).collect();
        let Some(place) = places.get(random.place(places.len())) else {
            return self.unseen(question, zone, None, state);
        };
        let (at, least) = self.left.remove(*place);
        if self.given.get(at).is_some_and(|given| given.sight == Sight::Unseen) {
            return self.unseen(question, zone, Some(at), state);
        }
        self.again(at, least, zone, state)
    }

    /// Answers a draw as one before, with the chance that it has in this deal. `least` is the smallest number of cards in
    /// the zone when it is made; 0 if that is the same whenever it is made.
    fn again(&mut self, at: usize, least: u64, zone: ZoneId, state: &State) -> Reply {
        let Some(given) = self.given.get(at) else { return Reply::Pause };
        let Answer::Drawn(card) = given.answer else { return Reply::Refuse };
        let Some(bag) = state.zone(zone).map(|zone| zone.bag()) else { return Reply::Refuse };
        let mut copies = u64::from(bag.get(&card).copied().unwrap_or(0));
        let size: u64 = bag.values().map(|count| u64::from(*count)).sum();
        // A deal that keeps the card in the zone was made more often than it is likely, by the copies there.
        let mut of = match given.sight {
            Sight::Kept(_) => self.kept.get(at).copied().unwrap_or(0),
            Sight::Seen | Sight::Unseen => size,
        };
        self.differs |= least == 0 && state.zone(zone).map_or(0, Zone::len) != given.size;
        if least > 0 && matches!(given.sight, Sight::Kept(_)) {
            // Of more cards, one is drawn less often.
            (copies, of) = (copies * least.min(size), of * size);
        }
        let accepted = copies > 0
            && match &mut self.draws {
                Draws::Given { .. } => true,
                Draws::Random(random) | Draws::Shuffled(random) => copies >= of || random.below(of) < copies,
                Draws::Each(forks) => {
                    forks.borrow_mut().weigh(copies, of);
                    true
                }
            };
        self.last = Some((Some(at), zone, card));
        if accepted { Reply::Answer(Answer::Drawn(card)) } else { Reply::Refuse }
    }
}

impl AnswerSource for Tape {
    fn read(&mut self, ask: &Ask, state: &State) -> Reply {
        if !self.notes(ask, state) && self.watch(state) {
            return Reply::Refuse;
        }
        if let Question::Draw(zone) = &ask.question {
            return match self.draws {
                Draws::Shuffled(_) => self.shuffled(&ask.question, *zone, state),
                _ => self.drawn(&ask.question, *zone, state),
            };
        }
        // The player knows of a draw that is not made here only if they have seen it.
        while let Some(given) = self.given.get(self.at).filter(|given| given.is_draw()) {
            if !matches!(self.draws, Draws::Shuffled(_)) {
                self.differs = true;
                self.strays |= given.sight != Sight::Unseen;
            }
            self.at += 1;
        }
        if self.strays {
            return Reply::Refuse;
        }
        let Some(given) = self.given.get(self.at) else { return Reply::Pause };
        if given.sight == Sight::Unseen && ask.question == given.ask.question && ask.by == given.ask.by {
            let before = given.answer.clone();
            self.at += 1;
            return self.thrown(&ask.question, before, state).map_or(Reply::Refuse, Reply::Answer);
        }
        let answer = match (&ask.question, &given.ask.question, &given.answer) {
            (Question::Roll(die), Question::Roll(before), answer) if die == before && ask.by == given.ask.by => {
                Some(answer.clone())
            }
            (Question::Choose(now), Question::Choose(before), Answer::Chosen(at)) => {
                self.same(now, before, *at).map(Answer::Chosen)
            }
            (Question::Choose(now), Question::Choose(before), Answer::Said(action))
                if now.player == before.player
                    && now.takes(action.ask)
                    && (now.player != self.player || same_options(now, before)) =>
            {
                Some(Answer::Said(action.clone()))
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
    /// Returns a throw that the player has not seen.
    fn thrown(&mut self, question: &Question, before: Answer, state: &State) -> Option<Answer> {
        let Question::Roll(die) = question else { return None };
        match &mut self.draws {
            Draws::Given { .. } => Some(before),
            Draws::Random(random) | Draws::Shuffled(random) => Some(Answer::Rolled(random.throw(state.schema(), *die))),
            Draws::Each(forks) => forks.borrow_mut().next(question, state),
        }
    }

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
    one.open == other.open
        && one.options.len() == other.options.len()
        && (one.options == other.options || one.options.iter().all(|option| other.options.contains(option)))
}
