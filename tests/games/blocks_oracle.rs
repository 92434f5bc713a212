//! An independent implementation of Squish Blocks in plain Rust, written from the rulebook, to test the rules.
//!
//! It decides nothing: it reports what is asked next, and receives what was drawn and chosen.

use std::collections::{BTreeSet, VecDeque};

/// A card by its name: a letter for its colour, its dots, and a letter to distinguish the equal ones.
pub(crate) type Card = &'static str;

/// Four colours with one to four dots, and four cards of each.
pub(crate) const DECK: [Card; 64] = [
    "R1a", "R1b", "R1c", "R1d", "R2a", "R2b", "R2c", "R2d", "R3a", "R3b", "R3c", "R3d", "R4a", "R4b", "R4c",
    "R4d", //
    "G1a", "G1b", "G1c", "G1d", "G2a", "G2b", "G2c", "G2d", "G3a", "G3b", "G3c", "G3d", "G4a", "G4b", "G4c",
    "G4d", //
    "B1a", "B1b", "B1c", "B1d", "B2a", "B2b", "B2c", "B2d", "B3a", "B3b", "B3c", "B3d", "B4a", "B4b", "B4c",
    "B4d", //
    "Y1a", "Y1b", "Y1c", "Y1d", "Y2a", "Y2b", "Y2c", "Y2d", "Y3a", "Y3b", "Y3c", "Y3d", "Y4a", "Y4b", "Y4c",
    "Y4d", //
];

/// The players, in the order of play.
const PLAYERS: [&str; 6] = ["ann", "bob", "cat", "dan", "eve", "fay"];

/// For how many players each square is: its side, the fewest and the most.
pub(crate) const SQUARES: [(usize, usize, usize); 5] = [(2, 2, 3), (3, 2, 5), (4, 2, 6), (5, 2, 4), (6, 2, 2)];

fn colour(card: Card) -> u8 {
    card.as_bytes()[0]
}

/// The points of some cards.
pub(crate) fn dots<'c>(cards: impl IntoIterator<Item = &'c Card>) -> u32 {
    cards.into_iter().map(|card| u32::from(card.as_bytes()[1] - b'0')).sum()
}

/// The readings that are options of the game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    /// A player's two cards come at once, not one after each round.
    pub(crate) two_at_once: bool,
    /// A card outside is dead after the turn in which it was played.
    pub(crate) inert: bool,
    pub(crate) deck_out: DeckOut,
    /// A player without a card does nothing at all.
    pub(crate) skipped: bool,
}

/// When the game ends because the pile has run out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeckOut {
    EndOfTurn,
    Immediately,
    OnFailedRefill,
    Ignore,
}

/// What lies on a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Empty,
    Up(Card),
    /// A card that nobody has seen; which one, if the deck was in a known order.
    Down(Option<Card>),
}

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Due {
    /// A card that nobody has seen comes to a hand.
    Draw,
    /// The mover does one of these, sorted.
    Choice(Vec<String>),
    /// The game is over; these have won.
    Over(Vec<usize>),
}

/// Columns and rows from 0 at the bottom left; the square is in the middle of the places around it.
pub(crate) type Spot = (usize, usize);

/// Every place, around the square and in it.
pub(crate) fn spots(side: usize) -> impl Iterator<Item = Spot> {
    let wide = side + 2;
    (0..wide * wide).map(move |at| (at % wide, at / wide))
}

pub(crate) fn is_inside(side: usize, (column, row): Spot) -> bool {
    (1..=side).contains(&column) && (1..=side).contains(&row)
}

/// Next to the edge of the square: around it, and no corner.
pub(crate) fn is_beside(side: usize, (column, row): Spot) -> bool {
    (1..=side).contains(&column) != (1..=side).contains(&row)
}

pub(crate) struct Oracle {
    side: usize,
    options: Options,
    /// Row by row from the bottom.
    places: Vec<Place>,
    pub(crate) hands: Vec<BTreeSet<Card>>,
    pub(crate) scores: Vec<BTreeSet<Card>>,
    /// How many cards are in the pile.
    pub(crate) pile: usize,
    /// The cards of the pile, the top one first, if their order is known.
    order: Option<VecDeque<Card>>,
    /// The cards that nobody has seen, in the pile and on the board; none if the order is known.
    pub(crate) unseen: BTreeSet<Card>,
    /// Who still gets a card before the first turn.
    dealing: VecDeque<usize>,
    pub(crate) mover: usize,
    /// Whether the mover has played a card in this turn.
    played: bool,
    /// Where that card lies, if it was played outside.
    fresh: Option<Spot>,
    /// The card that is played on one that nobody has seen, and where.
    taking: Option<(Card, Spot)>,
    /// The last card of the pile was drawn to fill a place.
    run_out: bool,
    winners: Option<Vec<usize>>,
    /// Whether the mover has squished in this turn.
    squished: bool,
    /// All that has happened, in the words of the game's events.
    pub(crate) events: Vec<String>,
}

impl Oracle {
    /// An empty table with the cards that nobody has seen, those of the pile among them.
    fn empty(side: usize, players: usize, options: Options, unseen: BTreeSet<Card>) -> Self {
        Self {
            side,
            options,
            places: vec![Place::Empty; (side + 2) * (side + 2)],
            hands: vec![BTreeSet::new(); players],
            scores: vec![BTreeSet::new(); players],
            pile: unseen.len(),
            order: None,
            unseen,
            dealing: VecDeque::new(),
            mover: 0,
            played: false,
            fresh: None,
            taking: None,
            run_out: false,
            winners: None,
            squished: false,
            events: Vec::new(),
        }
    }

    /// A square that is dealt from these cards, in this order if it is known.
    pub(crate) fn dealt(side: usize, players: usize, options: Options, deck: &[Card], ordered: bool) -> Self {
        let unseen = if ordered { BTreeSet::new() } else { deck.iter().copied().collect() };
        let mut oracle = Self::empty(side, players, options, unseen);
        oracle.pile = deck.len();
        oracle.order = ordered.then(|| deck.iter().copied().collect());
        let cards = 0..2 * players;
        oracle.dealing = cards.map(|at| if options.two_at_once { at / 2 } else { at % players }).collect();
        for row in (1..=side).rev() {
            for column in 1..=side {
                let card = oracle.top();
                oracle.put((column, row), Place::Down(card));
            }
        }
        while ordered && !oracle.dealing.is_empty() {
            let card = oracle.top();
            oracle.deal(card.unwrap());
        }
        oracle
    }

    /// A game that is under way: what lies where, and what the players have; the first of them is to move.
    pub(crate) fn amid(
        side: usize,
        options: Options,
        places: &[(Spot, Place)],
        hands: Vec<BTreeSet<Card>>,
        scores: Vec<BTreeSet<Card>>,
        unseen: BTreeSet<Card>,
    ) -> Self {
        let mut oracle = Self::empty(side, hands.len(), options, unseen);
        (oracle.hands, oracle.scores) = (hands, scores);
        oracle.pile -= places.iter().filter(|(_, place)| *place == Place::Down(None)).count();
        places.iter().for_each(|(spot, place)| oracle.put(*spot, *place));
        oracle.begin_turn();
        oracle
    }

    /// What lies on a place.
    pub(crate) fn at(&self, (column, row): Spot) -> Place {
        self.places[row * (self.side + 2) + column]
    }

    fn put(&mut self, (column, row): Spot, place: Place) {
        self.places[row * (self.side + 2) + column] = place;
    }

    /// Every place, around the square and in it.
    pub(crate) fn spots(&self) -> impl Iterator<Item = Spot> + use<> {
        spots(self.side)
    }

    fn is_inside(&self, spot: Spot) -> bool {
        is_inside(self.side, spot)
    }

    /// What lines call a place.
    pub(crate) fn name((column, row): Spot) -> String {
        format!("{}{}", char::from(b'a' + u8::try_from(column).unwrap()), row + 1)
    }

    /// The top card of the pile goes; which one, if that is known.
    fn top(&mut self) -> Option<Card> {
        self.pile -= 1;
        self.order.as_mut().map(|order| order.pop_front().unwrap())
    }

    fn deal(&mut self, card: Card) {
        let player = self.dealing.pop_front().unwrap();
        self.hands[player].insert(card);
        if self.dealing.is_empty() {
            self.begin_turn();
        }
    }

    pub(crate) fn due(&self) -> Due {
        if let Some(winners) = &self.winners {
            return Due::Over(winners.clone());
        }
        if !self.dealing.is_empty() || self.taking.is_some() {
            return Due::Draw;
        }
        Due::Choice(self.words())
    }

    /// All that the mover may do.
    fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = self
            .squishes()
            .into_iter()
            .map(|(middle, mover)| format!("squish {} with {}", Self::name(middle), Self::name(mover)))
            .collect();
        let must_play = !self.played && !self.hands[self.mover].is_empty();
        if must_play {
            for card in &self.hands[self.mover] {
                let open = self.spots().filter(|spot| match self.at(*spot) {
                    Place::Down(_) => true,
                    Place::Empty => is_beside(self.side, *spot),
                    Place::Up(_) => false,
                });
                words.extend(open.map(|spot| format!("play {card} on {}", Self::name(spot))));
            }
        } else {
            words.push("end".to_owned());
        }
        words.sort_unstable();
        words
    }

    /// The colour of a card that may be one of the outer two.
    fn flank(&self, spot: Spot) -> Option<u8> {
        let Place::Up(card) = self.at(spot) else { return None };
        let dead = self.options.inert && !self.is_inside(spot) && self.fresh != Some(spot);
        (!dead).then(|| colour(card))
    }

    /// All squishes: which card goes, and which moves into its place.
    fn squishes(&self) -> Vec<(Spot, Spot)> {
        let mut found = Vec::new();
        for middle in self.spots().filter(|spot| self.is_inside(*spot)) {
            let Place::Up(card) = self.at(middle) else { continue };
            let (column, row) = middle;
            for pair in [[(column - 1, row), (column + 1, row)], [(column, row - 1), (column, row + 1)]] {
                let [Some(one), Some(other)] = pair.map(|spot| self.flank(spot)) else { continue };
                if one != other || one == colour(card) {
                    continue;
                }
                let outside: Vec<Spot> = pair.into_iter().filter(|spot| !self.is_inside(*spot)).collect();
                let movers = if outside.is_empty() { pair.to_vec() } else { outside };
                found.extend(movers.into_iter().map(|mover| (middle, mover)));
            }
        }
        found
    }

    /// This card came by chance.
    pub(crate) fn draw(&mut self, card: Card) {
        assert!(self.unseen.remove(card), "{card} was seen before");
        if self.dealing.is_empty() {
            let (playing, spot) = self.taking.take().unwrap();
            self.hands[self.mover].insert(card);
            self.put_up(playing, spot);
        } else {
            self.pile -= 1;
            self.deal(card);
        }
    }

    /// The mover does this.
    pub(crate) fn choose(&mut self, word: &str) {
        let spot = |name: &str| self.spots().find(|spot| Self::name(*spot) == name).unwrap();
        match word.split(' ').collect::<Vec<_>>()[..] {
            ["end"] => self.end_turn(),
            ["play", card, "on", on] => {
                let card = self.hands[self.mover].iter().copied().find(|other| *other == card).unwrap();
                self.play(card, spot(on));
            }
            ["squish", middle, "with", mover] => self.squish(spot(middle), spot(mover)),
            _ => unreachable!("{word}"),
        }
    }

    fn play(&mut self, card: Card, spot: Spot) {
        self.played = true;
        match self.at(spot) {
            // Which one it is must be said before the mover can go on.
            Place::Down(None) => return self.taking = Some((card, spot)),
            Place::Down(Some(below)) => _ = self.hands[self.mover].insert(below),
            Place::Empty => self.fresh = Some(spot),
            Place::Up(other) => unreachable!("{card} on {other}"),
        }
        self.put_up(card, spot);
    }

    fn put_up(&mut self, card: Card, spot: Spot) {
        self.hands[self.mover].remove(card);
        self.put(spot, Place::Up(card));
        self.tell(&format!("plays {card} on {}", Self::name(spot)));
        self.go_on();
    }

    /// The mover did this.
    fn tell(&mut self, deed: &str) {
        self.events.push(format!("{} {deed}", PLAYERS[self.mover]));
    }

    fn squish(&mut self, middle: Spot, mover: Spot) {
        let (Place::Up(gone), Place::Up(moved)) = (self.at(middle), self.at(mover)) else { unreachable!() };
        self.squished = true;
        self.scores[self.mover].insert(gone);
        self.put(middle, Place::Up(moved));
        self.put(mover, Place::Empty);
        self.tell(&format!("squishes {gone} at {} with {moved}", Self::name(middle)));
        if self.is_inside(mover) {
            if self.pile > 0 {
                let card = self.top();
                self.put(mover, Place::Down(card));
                self.events.push(format!("refill at {}", Self::name(mover)));
                self.run_out = self.pile == 0;
                if self.run_out && self.options.deck_out == DeckOut::Immediately {
                    return self.finish();
                }
            } else if self.options.deck_out == DeckOut::OnFailedRefill {
                return self.finish();
            }
        }
        self.go_on();
    }

    /// The turn ends by itself where the mover has nothing to do.
    fn go_on(&mut self) {
        let may_play = !self.played && !self.hands[self.mover].is_empty();
        if !may_play && self.squishes().is_empty() {
            self.pass();
        }
    }

    fn begin_turn(&mut self) {
        (self.played, self.squished, self.fresh) = (false, false, None);
        if self.options.skipped && self.hands[self.mover].is_empty() {
            self.pass();
        } else {
            self.go_on();
        }
    }

    /// The mover has nothing left to do, or had nothing to do at all.
    fn pass(&mut self) {
        if !self.played && !self.squished {
            self.tell("passes");
        }
        self.end_turn();
    }

    fn end_turn(&mut self) {
        let out = self.run_out && self.options.deck_out == DeckOut::EndOfTurn;
        if out || self.hands.iter().all(BTreeSet::is_empty) {
            return self.finish();
        }
        self.mover = (self.mover + 1) % self.hands.len();
        self.begin_turn();
    }

    fn finish(&mut self) {
        let points: Vec<u32> = self.scores.iter().map(dots).collect();
        let best = points.iter().max().copied();
        self.winners = Some((0..points.len()).filter(|player| points.get(*player).copied() == best).collect());
    }
}
