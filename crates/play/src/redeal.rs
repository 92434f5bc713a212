//! Redeals the cards that a player cannot see, to get a random position that is consistent with what the player knows.
//!
//! The unseen cards are dealt uniformly at an anchor: the beginning of the segment. The rules are run again from there,
//! because everything that phases carry may depend on the cards: variables, arguments, later phases. The run must reach
//! the same question and look the same to the player; otherwise the cards are dealt again. Therefore all deals that lead
//! to what the player sees are equally likely.
//!
//! What was drawn since can be drawn again in three ways. At a *free* anchor, every draw is random, and the player knows
//! which cards they saw go where, but not in which order, nor what they did not see drawn. This is what counts, but few
//! runs look the same if the player has seen many cards drawn. At an anchor with the draws *given*, a card that the player
//! has seen drawn stays where it was drawn, and each card must go where it went, as far as the player has seen; that is
//! the same only if the draws do not depend on hidden cards. With the draws *shuffled*, the cards that were seen are drawn
//! again, each at any of the draws. `blind` chooses.
//!
//! Throws that the player has not seen are made again at random. The anchor is then a point at which nothing was secret.
//!
//! Decisions of other players are replayed, and not taken as evidence about their cards.
//!
//! A player sees the pieces, the cards in open zones and in their own secret zones, how many cards are in the others,
//! all properties, all events, all throws and decisions, and the options that they have or had.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use super::machine::{Machine, Stop};
use super::pools::Pools;
use super::random::Random;
use super::segment::Leg;
use super::tape::{Draws, Given, Look, SeenDraw, Sight, Tape, same_options};
use super::visibility::{Unseen, hidden};
use referee_diagnostic::{Code, Diagnostic, MustBe as _};
use referee_table::{
    Counts, Face, Faces, Loose, Phase, PieceId, PlayerId, State, StateKey, Turns, Value, View, Zone, ZoneId,
};
use referee_trace::{Answer, Ask, Decision, Event, Question};

/// The maximum number of deals to try from an anchor.
pub(super) const MAX_TRIES: usize = 1000;
/// The number of deals for which nothing else may be carried into a phase, so that it becomes the anchor.
const ENOUGH: usize = 100;

/// The knowledge of a player at a pause.
pub(super) struct Known<'m, 'p> {
    machine: &'m Machine<'p>,
    decision: &'m Decision,
    pub(super) player: PlayerId,
    legs: Vec<&'m Leg>,
    now: Seen,
    /// With the draws given.
    pub(super) anchor: Anchor,
    /// With every draw at random.
    pub(super) free: Anchor,
}

/// A game that was played again from an anchor.
pub(super) struct Again<'p> {
    /// The game, if it looks the same to the player.
    pub(super) machine: Option<Machine<'p>>,
    /// Whether a card that was drawn went elsewhere than before, as far as the player has seen, or, with the draws given,
    /// other ones were made.
    pub(super) strays: bool,
}

/// What a player sees of a state.
#[derive(PartialEq)]
struct Seen {
    key: StateKey,
    covered: Vec<(ZoneId, u64)>,
    unseen: Counts,
    loose: usize,
}

/// The point from which cards are dealt again, and what has happened since.
pub(super) struct Anchor {
    leg: usize,
    is_free: bool,
    /// The draws that the player has seen, sorted.
    seen: Vec<SeenDraw>,
    /// The state, without the phase on its agenda.
    pub(super) begun: State,
    phase: Phase,
    /// The cards in it that the player cannot see. The cards that the player has seen drawn since are separate, with
    /// their zones.
    pub(super) covered: Vec<ZoneId>,
    pub(super) pool: Vec<PieceId>,
    pub(super) kept: Vec<(ZoneId, PieceId)>,
    /// Those of them that the player has seen leave their zone, each with the number of equal ones before it.
    pub(super) pins: Vec<(ZoneId, PieceId, u64)>,
    /// How the pool is dealt, if its cards are of several homes; once it is known.
    pub(super) pools: OnceCell<Option<Pools>>,
    pub(super) given: Rc<[Given]>,
    events: Vec<Event>,
    /// A card that the player does not see and with which the phase began, if nothing before it says why.
    told: Option<PieceId>,
}

impl Seen {
    fn of(state: &State, player: PlayerId) -> Self {
        let View { mut state, covered, unseen, loose } = state.view(player);
        // Nobody sees what is to come.
        state.agenda.clear();
        state.next_turn = None;
        state.turns = Turns::default();
        Self { key: state.key(), covered, unseen, loose }
    }
}

impl<'m, 'p> Known<'m, 'p> {
    /// Returns what the player who decides knows at the pause of a machine; `None` if nothing is hidden from them.
    pub(super) fn of(machine: &'m Machine<'p>, decision: &'m Decision) -> Option<Self> {
        let player = decision.player;
        let segment = machine.segment()?;
        let legs: Vec<&Leg> = segment.legs().collect();
        let is_draw = |(_, answer): &(Ask, Answer)| matches!(answer, Answer::Drawn(_));
        let draws = legs.iter().any(|leg| leg.given.iter().any(is_draw));
        let hides = !hidden(machine.state(), player).is_empty() || !hidden(segment.first(), player).is_empty();
        let schema = machine.state().schema();
        let throws = legs.iter().any(|leg| leg.given.iter().any(|(ask, _)| !ask.shows_throw_to(player, schema)));
        if !hides && !draws && !throws {
            return None;
        }
        let now = Seen::of(machine.state(), player);
        let first = legs.first()?;
        let (anchor, free) = (Anchor::new((0, first), player), Anchor::new((0, first), player));
        let mut known = Self { machine, decision, player, legs, now, anchor, free };
        known.drop_at(0)?;
        let unseen = known.anchor.given.iter().any(|given| given.sight == Sight::Unseen);
        (hides || unseen).then_some(known)
    }

    /// Makes the beginning of a phase of the segment the anchor.
    fn drop_at(&mut self, leg: usize) -> Option<()> {
        let mut anchor = Anchor::new((leg, self.legs.get(leg)?), self.player);
        let mut free = Anchor::new((leg, self.legs.get(leg)?), self.player);
        let later = || self.legs.iter().skip(leg);
        let (player, schema) = (self.player, self.machine.state().schema());
        let given = |(ask, answer): &(Ask, Answer)| Given {
            ask: ask.clone(),
            answer: answer.clone(),
            sight: if ask.shows_throw_to(player, schema) { Sight::Seen } else { Sight::Unseen },
            route: None,
            size: 0,
        };
        anchor.given = later().flat_map(|leg| &leg.given).map(given).collect();
        anchor.events = later().flat_map(|leg| &leg.events).cloned().collect();
        free.given = anchor.given.iter().filter(|given| !given.is_draw()).cloned().collect();
        free.events.clone_from(&anchor.events);
        free.is_free = true;
        if anchor.given.iter().any(Given::is_draw) {
            self.judge(&mut anchor);
        }
        free.seen.clone_from(&anchor.seen);
        (self.anchor, self.free) = (anchor, free);
        Some(())
    }

    /// Returns whether the player has seen a card that was drawn since the anchor.
    pub(super) fn has_seen_draws(&self) -> bool {
        self.anchor.given.iter().any(|given| given.is_draw() && given.sight != Sight::Unseen)
    }

    /// Finds out which draws the player has seen, by playing them again. The cards that they have seen drawn from a zone
    /// are kept there.
    fn judge(&self, anchor: &mut Anchor) {
        let looks = Rc::new(RefCell::new(Vec::new()));
        let played = self
            .replay(anchor, anchor.begun.clone(), Draws::Given { zones: Vec::new(), looks: Rc::clone(&looks) })
            .machine;
        let looks: &[Look] = &looks.borrow();
        let mut unseen: Counts = anchor.pool.iter().fold(Counts::new(), |mut counts, card| {
            *counts.entry(*card).or_default() += 1;
            counts
        });
        let mut drawn: Vec<(ZoneId, PieceId)> = Vec::new();
        let mut judged: Vec<Given> = Vec::with_capacity(anchor.given.len());
        for (at, given) in anchor.given.iter().enumerate() {
            let (Question::Draw(zone), Answer::Drawn(card)) = (&given.ask.question, &given.answer) else {
                judged.push(given.clone());
                continue;
            };
            let count = |counts: Option<&Counts>| counts.and_then(|counts| counts.get(card)).copied().unwrap_or(0);
            let look = looks.get(at).filter(|_| played.is_some());
            let after = looks.get(at + 1).map_or(&self.now.unseen, |look| &look.unseen);
            let route = looks.get(at + 1).map_or_else(
                || played.as_ref().and_then(|machine| machine.state().seen_arrival(self.player)),
                |look| look.route,
            );
            let covered = anchor.covered.contains(zone);
            // That fewer copies are unseen is not enough: another copy may have come into view.
            let is_seen =
                look.is_some_and(|look| !covered || route.is_some() && count(Some(after)) < count(Some(&look.unseen)));
            // A card that came into the zone since may be the one that was drawn.
            let is_first = |look: &Look| {
                anchor.begun.zone(*zone).is_some_and(|zone_then| {
                    let mut bag = zone_then.bag().clone();
                    for (_, card) in drawn.iter().filter(|(other, _)| other == zone) {
                        bag.entry(*card).and_modify(|count| *count = count.saturating_sub(1));
                    }
                    bag.retain(|_, count| *count > 0);
                    bag == look.bag
                })
            };
            let left = unseen.get(card).copied().unwrap_or(0);
            let sight = match look {
                Some(look) if is_seen && covered && left > 0 && is_first(look) => {
                    unseen.insert(*card, left - 1);
                    let nth = anchor.kept.iter().filter(|kept| **kept == (*zone, *card)).count();
                    anchor.kept.push((*zone, *card));
                    Sight::Kept(u32::try_from(nth).unwrap_or(u32::MAX))
                }
                _ if is_seen => Sight::Seen,
                _ => Sight::Unseen,
            };
            if route.is_some() || !covered {
                anchor.seen.push((*zone, *card, route));
            }
            drawn.push((*zone, *card));
            judged.push(Given { sight, route, size: look.map_or(0, |look| look.size), ..given.clone() });
        }
        anchor.seen.sort_unstable();
        anchor.given = judged.into();
        anchor.pool = unseen.into_iter().flat_map(|(card, count)| (0..count).map(move |_| card)).collect();
    }

    /// Moves the anchor to the next phase into which nothing is carried that depends on the cards. Returns whether there
    /// is one.
    pub(super) fn approach(&mut self, free: bool, random: &mut Random) -> bool {
        // What was thrown under a cup is carried in values, which may have been others.
        if self.machine.state().schema().has_secrets() {
            return false;
        }
        let anchor = if free { &self.free } else { &self.anchor };
        let found = (anchor.leg + 1..self.legs.len()).find(|leg| self.is_independent(anchor, *leg, random));
        found.and_then(|leg| self.drop_at(leg)).is_some()
    }

    /// Returns whether the same is carried into a phase for all deals tried that look the same to the player there.
    fn is_independent(&self, anchor: &Anchor, leg: usize, random: &mut Random) -> bool {
        let before = || self.legs.iter().take(leg).skip(anchor.leg);
        let Some((goal, wanted)) = self.legs.get(leg).map(|leg| (&leg.start.0, &leg.start.1)) else { return false };
        let seen = Seen::of(goal, self.player);
        let counts = |(_, answer): &&(Ask, Answer)| !anchor.is_free || !matches!(answer, Answer::Drawn(_));
        let answers = before().flat_map(|leg| &leg.given).filter(counts).count();
        let given: Rc<[Given]> = anchor.given.iter().take(answers).cloned().collect();
        let events: Vec<&Event> = before().flat_map(|leg| &leg.events).collect();
        let phases: usize = before().map(|leg| leg.phases).sum();
        let mut alike = 0;
        for _ in 0..MAX_TRIES {
            let state = self.dealt(anchor, random);
            let draws = Draws::Random(Box::new(random.fork()));
            let tape = Rc::new(RefCell::new(Tape::new(self.player, Rc::clone(&given), draws, &state)));
            let feed: super::feed::SharedAnswers = Rc::clone(&tape) as _;
            let most = Some(phases.saturating_sub(1));
            let (mut machine, happened) = Machine::again(self.machine, (state, &anchor.phase), most, &feed);
            let arrived = matches!(machine.stop(), Stop::Returned)
                && tape.borrow().is_used_up()
                && !tape.borrow_mut().watch(machine.state());
            if !arrived || !happened.iter().eq(events.iter().copied()) {
                continue;
            }
            let due = machine.state_mut().due();
            let state = machine.state();
            if Seen::of(state, self.player) != seen {
                continue;
            }
            let carried = |state: &State| (state.agenda.clone(), state.next_turn, state.turns.clone());
            if due != *wanted || carried(state) != carried(goal) {
                return false;
            }
            alike += 1;
            if alike >= ENOUGH {
                break;
            }
        }
        alike > 0
    }

    /// Returns where the cards were that the player has not seen, at the anchor or when they were drawn.
    pub(super) fn origins(&self) -> Vec<Unseen> {
        let mut places = hidden(&self.anchor.begun, self.player);
        for given in self.anchor.given.iter().filter(|given| given.sight == Sight::Unseen) {
            if let Question::Draw(zone) = given.ask.question
                && !places.contains(&Unseen::Zone(zone))
            {
                places.push(Unseen::Zone(zone));
            }
        }
        places
    }

    pub(super) fn no_deal(&self, policy: &str) -> Box<Diagnostic> {
        let player = self.machine.state().schema().player_name(self.player);
        if let Some(wrong) = self.is_told(policy) {
            return wrong;
        }
        if self.anchor.pool.is_empty() {
            let message = format!(
                "`{policy}` cannot throw again what {player} does not see: none of {MAX_TRIES} random throws leads here"
            );
            let help = "use `random` or an action; where nothing is secret any more, the rules can say so with `clear_secrets()`";
            return self.at_ask(Diagnostic::question(Code::NotSeen, message).help(help));
        }
        let message = format!(
            "`{policy}` cannot deal the cards that {player} does not see: none of {MAX_TRIES} random deals leads here"
        );
        let help = "use `random` or an action, or split the phase of the rules that asks here with `then`";
        self.at_ask(Diagnostic::question(Code::NotSeen, message).help(help))
    }

    /// Returns the error for a phase that began with a card that the player does not see, if it did.
    pub(super) fn is_told(&self, policy: &str) -> Option<Box<Diagnostic>> {
        let schema = self.machine.state().schema();
        let (player, card) = (schema.player_name(self.player), schema.piece_name(self.anchor.told?));
        let phase = &self.anchor.phase.name;
        let message = format!(
            "`{policy}` cannot deal the cards that {player} does not see: `{phase}` began with `{card}`, and nothing says \
             with which card it would begin in another deal"
        );
        let help = "begin the example with the turn that leads there, so that the rules find the card; or use `random` or an action";
        Some(self.at_ask(Diagnostic::question(Code::NotSeen, message).help(help)))
    }

    /// Labels a diagnostic with the line of the rules that asks.
    pub(super) fn at_ask(&self, wrong: Diagnostic) -> Box<Diagnostic> {
        let place = match self.machine.stop() {
            Stop::Paused(ask) => self.machine.program().label(ask.place),
            _ => None,
        };
        Box::new(wrong.labelled(place))
    }

    /// Returns the state at the anchor with the unseen cards dealt again. Each zone has as many cards in a decided order
    /// as before.
    pub(super) fn dealt(&self, anchor: &Anchor, random: &mut Random) -> State {
        let mut pool = match anchor.pools(self.player) {
            // They are taken from the end on, those off the zones first.
            Some(pools) => {
                let mut zones = pools.dealt(random);
                let singles = zones.split_off(anchor.covered.len().min(zones.len()));
                singles.into_iter().chain(zones).rev().flatten().collect()
            }
            None => {
                let mut pool = anchor.pool.clone();
                for last in (1..pool.len()).rev() {
                    pool.swap(last, random.place(last + 1));
                }
                pool
            }
        };
        let begun = &anchor.begun;
        // The view also hides the orders of future shuffles.
        let mut state = begun.view(self.player).state;
        let (faces, loose) = anchor.single(self.player, || pool.pop());
        state.set_faces(faces);
        state.set_loose(loose);
        for zone in &anchor.covered {
            let kept = anchor.kept.iter().filter(|(other, _)| other == zone).map(|(_, card)| *card);
            let both = state.zone_mut(*zone).zip(begun.zone(*zone)).noted("a covered zone");
            let Some((slot, begun)) = both else { continue };
            let mut dealt = Zone::default();
            let known = pool.split_off(pool.len().saturating_sub(begun.known().len()));
            kept.for_each(|card| dealt.add(card));
            let free = usize::try_from(begun.unknown()).unwrap_or(usize::MAX);
            let free = free.saturating_sub(usize::try_from(dealt.len()).unwrap_or(usize::MAX));
            pool.drain(pool.len().saturating_sub(free)..).for_each(|card| dealt.add(card));
            *slot = Zone::new(known, dealt.bag().clone()).with_unknown_of(begun);
        }
        state
    }

    /// Returns whether the player has seen the same draws, in any order. Cards of an order that is unknown now were not
    /// drawn by chance before.
    fn has_seen(&self, anchor: &Anchor, draws: &[SeenDraw]) -> bool {
        let mut draws = draws.to_vec();
        draws.sort_unstable();
        if !anchor.has_orders() {
            return draws == anchor.seen;
        }
        let mut all = draws.iter();
        anchor.seen.iter().all(|seen| all.any(|draw| draw == seen))
    }

    /// Runs the rules again from `state` at the anchor.
    pub(super) fn replay(&self, anchor: &Anchor, state: State, mut draws: Draws) -> Again<'p> {
        // With which other card the phase would begin, if the cards were others, nothing says.
        let is_known = anchor.told.is_none() || matches!(draws, Draws::Given { .. });
        if !is_known || !anchor.is_likely(&state, &mut draws) {
            return Again { machine: None, strays: false };
        }
        let tape = Rc::new(RefCell::new(Tape::new(self.player, Rc::clone(&anchor.given), draws, &state)));
        let feed: super::feed::SharedAnswers = Rc::clone(&tape) as _;
        let (machine, events) = Machine::again(self.machine, (state, &anchor.phase), None, &feed);
        let strays = tape.borrow_mut().watch(machine.state());
        let differ = !anchor.is_free && tape.borrow().draws_differ(anchor.has_orders());
        let alike = !strays
            && tape.borrow().has_shown_all()
            && (!anchor.is_free || self.has_seen(anchor, tape.borrow().seen()))
            && matches!(machine.stop(), Stop::Paused(Ask { question: Question::Choose(asked), .. })
                if (asked.player, asked.ask) == (self.player, self.decision.ask) && same_options(asked, self.decision))
            && events == anchor.events
            && Seen::of(machine.state(), self.player) == self.now;
        Again { machine: alike.then_some(machine), strays: strays || differ }
    }
}

impl Anchor {
    /// Returns the anchor at the beginning of a phase, before anything has happened.
    fn new((at, leg): (usize, &Leg), player: PlayerId) -> Self {
        let (begun, phase) = (*leg.start).clone();
        let View { covered, unseen, .. } = begun.view(player);
        let told = phase.args.iter().filter(|_| at == 0).find_map(|value| unseen_in(value, &unseen));
        Self {
            leg: at,
            is_free: false,
            seen: Vec::new(),
            begun,
            phase,
            covered: covered.into_iter().map(|(zone, _)| zone).collect(),
            pool: unseen.into_iter().flat_map(|(card, count)| (0..count).map(move |_| card)).collect(),
            kept: Vec::new(),
            pins: Vec::new(),
            pools: OnceCell::new(),
            given: Rc::new([]),
            events: Vec::new(),
            told,
        }
    }

    /// Returns whether to go on with a deal, by chance: deals with pins are made more often than they are likely. If all
    /// deals are tried, this one is weighed.
    fn is_likely(&self, dealt: &State, draws: &mut Draws) -> bool {
        self.pins.iter().all(|(zone, card, nth)| {
            let copies = dealt.zone(*zone).map_or(0, |zone| zone.count(*card)).saturating_sub(*nth);
            match draws {
                Draws::Random(random) | Draws::Shuffled(random) => copies < 2 || random.below(copies) == 0,
                Draws::Each(forks) => {
                    forks.borrow_mut().weigh(1, copies.max(1));
                    true
                }
                Draws::Given { .. } => true,
            }
        })
    }

    /// Returns whether some cards that the player does not see have an order.
    fn has_orders(&self) -> bool {
        let is_decided = |zone: &ZoneId| self.begun.zone(*zone).is_some_and(|zone| !zone.known().is_empty());
        self.covered.iter().any(is_decided) || self.begun.has_coming_orders()
    }

    /// Returns how the pool is dealt, if its cards are of several homes.
    pub(super) fn pools(&self, player: PlayerId) -> Option<&Pools> {
        self.pools.get_or_init(|| Pools::of(&self.begun, player, &self.pool, (&self.covered, &self.kept))).as_ref()
    }

    /// Returns the cards that lie face down and those in no place. `next` returns the card for each that the player has
    /// not seen. Cards that no player has seen stay undecided.
    pub(super) fn single(&self, player: PlayerId, mut next: impl FnMut() -> Option<PieceId>) -> (Faces, Vec<Loose>) {
        let mut faces = self.begun.faces().clone();
        for face in faces.values_mut() {
            if let Face::Card { card, seen, .. } = face
                && !seen.contains(&player)
                && let Some(other) = next()
            {
                *card = other;
            }
        }
        let mut loose = self.begun.loose();
        for unseen in loose.iter_mut().filter(|loose| loose.seen != Some(player)) {
            if let Some(other) = next() {
                unseen.card = other;
            }
        }
        (faces, loose)
    }

    /// Returns the number of cards that the player has not seen face down and in no place.
    pub(super) fn singles(&self, player: PlayerId) -> usize {
        let mut count = 0;
        self.single(player, || {
            count += 1;
            None
        });
        count
    }
}

/// Returns a card in a value that a player does not see.
fn unseen_in(value: &Value, unseen: &Counts) -> Option<PieceId> {
    match value {
        Value::Piece(card) => unseen.contains_key(card).then_some(*card),
        Value::Set(_) | Value::List(_) | Value::Bag(_) => value.runs().find_map(|(value, _)| unseen_in(value, unseen)),
        Value::Map(values) => values.iter().find_map(|(_, value)| unseen_in(value, unseen)),
        _ => None,
    }
}
