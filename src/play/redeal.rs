//! Redeals the cards that a player cannot see, to get a random position that is consistent with what the player knows.
//!
//! The unseen cards are dealt uniformly at the beginning of the phase that paused, and the phase is run again, because
//! its variables depend on the cards. The run must reach the same question and look the same to the player; otherwise
//! the cards are dealt again. A card that the player has seen drawn since stays where it was drawn. Therefore all deals
//! that lead to what the player sees are equally likely. Decisions of other players are replayed, and not taken as
//! evidence about their cards.

use std::cell::RefCell;
use std::rc::Rc;

use super::feed::{AnswerSource, SharedAnswers};
use super::forks::Forks;
use super::machine::{Begun, Machine, Stop};
use super::random::Random;
use super::visibility::hidden;
use crate::diagnostic::Diagnostic;
use crate::rules::Reply;
use crate::table::{Counts, Face, Faces, PieceId, PlayerId, State, StateKey, View, Zone, ZoneId};
use crate::trace::{Answer, Ask, Decision, Question};

/// The maximum number of deals to try.
const MAX_TRIES: usize = 1000;

/// The knowledge of a player at a pause.
pub(super) struct Known<'m, 'p> {
    machine: &'m Machine<'p>,
    pub(super) player: PlayerId,
    now: View,
    key: StateKey,
    /// The position at the beginning of the phase, and the cards in it that the player cannot see. The cards that the
    /// player has seen drawn since are separate, with their zones.
    pub(super) begun: State,
    pub(super) covered: Vec<ZoneId>,
    pub(super) pool: Vec<PieceId>,
    pub(super) kept: Vec<(ZoneId, PieceId)>,
    pub(super) given: Rc<[Given]>,
}

/// An answer given since the beginning of the phase.
#[derive(Clone)]
pub(super) struct Given {
    ask: Ask,
    answer: Answer,
    /// Whether it is a draw of a card unknown to the player.
    unseen: bool,
}

impl<'m, 'p> Known<'m, 'p> {
    /// Returns what a player knows at the pause of a machine; `None` if nothing is hidden from them.
    pub(super) fn of(machine: &'m Machine<'p>, player: PlayerId) -> Option<Self> {
        if hidden(machine.state(), player).is_empty() {
            return None;
        }
        let Begun { state: begun, given } = machine.begun()?;
        let View { covered, unseen, .. } = begun.view(player);
        let now = machine.state().view(player);
        let known = |(ask, answer): &(Ask, Answer)| Given { ask: ask.clone(), answer: answer.clone(), unseen: false };
        let mut known = Self {
            machine,
            player,
            key: now.state.key(),
            now,
            begun: begun.clone(),
            covered: covered.into_iter().map(|(zone, _)| zone).collect(),
            pool: Vec::new(),
            kept: Vec::new(),
            given: given.iter().map(known).collect(),
        };
        known.given = (0..known.given.len()).filter_map(|at| known.judged(at)).collect();
        known.sort(unseen);
        Some(known)
    }

    /// Returns a given answer. Marks a draw as unseen if everything looks the same to the player with another card.
    fn judged(&self, at: usize) -> Option<Given> {
        let given = self.given.get(at)?.clone();
        let Answer::Drawn(drawn) = given.answer else { return Some(given) };
        let mut others = self.now.unseen.keys().filter(|card| **card != drawn);
        let unseen = others.any(|card| {
            let mut changed = self.given.to_vec();
            if let Some(slot) = changed.get_mut(at) {
                slot.answer = Answer::Drawn(*card);
            }
            self.replayed(self.begun.clone(), changed.into(), Draws::Given).is_some()
        });
        Some(Given { unseen, ..given })
    }

    /// Assigns the unseen cards that the player has seen drawn since to their zones, and the others to the pool.
    fn sort(&mut self, mut unseen: Counts) {
        for given in self.given.iter().filter(|given| !given.unseen) {
            let (Question::Draw(zone), Answer::Drawn(card)) = (&given.ask.question, &given.answer) else { continue };
            if !self.covered.contains(zone) {
                continue;
            }
            let room = self.begun.zone(*zone).map_or(0, |zone| zone.unknown());
            let taken = self.kept.iter().filter(|(other, _)| other == zone).count() as u64;
            if let Some(count) = unseen.get_mut(card).filter(|count| **count > 0 && taken < room) {
                *count -= 1;
                self.kept.push((*zone, *card));
            }
        }
        self.pool = unseen.into_iter().flat_map(|(card, count)| (0..count).map(move |_| card)).collect();
    }

    /// Returns a game at a pause that looks the same to the player, with the unseen cards dealt at random.
    ///
    /// # Errors
    /// Returns an error if none of the deals tried leads to what the player sees.
    pub(super) fn deal(&self, random: &mut Random) -> Result<Machine<'p>, Box<Diagnostic>> {
        for _ in 0..MAX_TRIES {
            let state = self.dealt(random);
            if let Some(machine) = self.replayed(state, Rc::clone(&self.given), Draws::Random(Box::new(random.fork())))
            {
                return Ok(machine);
            }
        }
        let message = format!(
            "`mcts` cannot deal the cards that {} does not see: none of {MAX_TRIES} random deals leads here",
            self.now.state.schema().player_name(self.player)
        );
        let help = "use `random` or `greedy:…`, or split the phase of the rules that asks here with `then`";
        Err(self.at_ask(Diagnostic::question("not_supported", message).help(help)))
    }

    /// Labels a diagnostic with the line of the rules that asks.
    pub(super) fn at_ask(&self, wrong: Diagnostic) -> Box<Diagnostic> {
        let place = match self.machine.stop() {
            Stop::Paused(ask) => self.machine.program().label(ask.place),
            _ => None,
        };
        Box::new(wrong.labelled(place))
    }

    /// Returns the beginning of the phase with the unseen cards dealt again. Each zone has as many cards in a decided
    /// order as before.
    fn dealt(&self, random: &mut Random) -> State {
        let mut pool = self.pool.clone();
        for last in (1..pool.len()).rev() {
            pool.swap(last, random.place(last + 1));
        }
        // The view also hides the orders of future shuffles.
        let mut state = self.begun.view(self.player).state;
        state.set_faces(self.faces(&mut pool));
        for zone in &self.covered {
            let kept = self.kept.iter().filter(|(other, _)| other == zone).map(|(_, card)| *card);
            let Some((slot, begun)) = state.zone_mut(*zone).zip(self.begun.zone(*zone)) else { continue };
            let mut dealt = Zone::default();
            let known = pool.split_off(pool.len().saturating_sub(begun.known().len()));
            kept.for_each(|card| dealt.add(card));
            let free = usize::try_from(begun.unknown()).unwrap_or(usize::MAX);
            let free = free.saturating_sub(usize::try_from(dealt.len()).unwrap_or(usize::MAX));
            pool.drain(pool.len().saturating_sub(free)..).for_each(|card| dealt.add(card));
            *slot = Zone::new(known, dealt.bag().clone()).with_away(begun);
        }
        state
    }

    /// Returns the face-down cards, with the ones that the player has not seen dealt again. Cards that no player has
    /// seen stay undecided.
    fn faces(&self, pool: &mut Vec<PieceId>) -> Faces {
        let mut faces = self.begun.faces().clone();
        for face in faces.values_mut() {
            if let Face::Card { card, seen, .. } = face
                && !seen.contains(&self.player)
                && let Some(other) = pool.pop()
            {
                *card = other;
            }
        }
        faces
    }

    /// Runs the phase again from `state`; returns the game if it reaches the same question and looks the same to the
    /// player.
    pub(super) fn replayed(&self, state: State, given: Rc<[Given]>, draws: Draws) -> Option<Machine<'p>> {
        let (Stop::Paused(ask), Some(paused)) = (self.machine.stop(), self.machine.paused()) else { return None };
        let tape: SharedAnswers = Rc::new(RefCell::new(Tape { given, at: 0, draws }));
        let machine = Machine::again(self.machine, state, paused.phase().clone(), &tape);
        let Stop::Paused(now) = machine.stop() else { return None };
        let view = machine.state().view(self.player);
        let alike = now.question == ask.question
            && view.covered == self.now.covered
            && view.unseen == self.now.unseen
            && view.state.key() == self.key;
        alike.then_some(machine)
    }
}

/// How to answer draws of cards unknown to the player.
pub(super) enum Draws {
    /// As before.
    Given,
    /// At random.
    Random(Box<Random>),
    /// With every card, one in each run.
    Each(Rc<RefCell<Forks>>),
}

/// Replays the given answers for other positions of the cards.
struct Tape {
    given: Rc<[Given]>,
    at: usize,
    draws: Draws,
}

impl AnswerSource for Tape {
    fn read(&mut self, ask: &Ask, state: &State) -> Reply {
        let given = self.given.get(self.at);
        if let (Question::Draw(zone), false) = (&ask.question, matches!(self.draws, Draws::Given)) {
            let asked = given.filter(|given| given.ask.question == ask.question);
            // A draw that was not asked took the next card of an order that is unknown now.
            if asked.is_none_or(|given| given.unseen) {
                self.at += usize::from(asked.is_some());
                let answer = match &mut self.draws {
                    Draws::Given => None,
                    Draws::Random(random) => Some(random.card(state, *zone)),
                    Draws::Each(forks) => forks.borrow_mut().next(&ask.question, state),
                };
                return answer.map_or(Reply::Refuse, Reply::Answer);
            }
        }
        let Some(given) = given else { return Reply::Pause };
        let answer = match (&ask.question, &given.ask.question, &given.answer) {
            (Question::Roll(die), Question::Roll(before), answer) if die == before => Some(answer.clone()),
            (Question::Draw(zone), Question::Draw(before), Answer::Drawn(card)) if zone == before => {
                let there = state.zone(*zone).is_some_and(|zone| zone.bag().contains_key(card));
                there.then_some(Answer::Drawn(*card))
            }
            (Question::Choose(now), Question::Choose(before), Answer::Chosen(at)) => {
                same(now, before, *at).map(Answer::Chosen)
            }
            (Question::ChooseAll(now), Question::ChooseAll(before), Answer::AllChosen(all))
                if now.len() == before.len() =>
            {
                let pairs = now.iter().zip(before).zip(all);
                pairs.map(|((now, before), at)| same(now, before, *at)).collect::<Option<_>>().map(Answer::AllChosen)
            }
            _ => None,
        };
        self.at += 1;
        answer.map_or(Reply::Refuse, Reply::Answer)
    }
}

/// Returns the index of the option that was chosen before.
fn same(now: &Decision, before: &Decision, at: usize) -> Option<usize> {
    let chosen = before.options.get(at).filter(|_| now.player == before.player)?;
    now.options.iter().position(|option| option == chosen)
}
