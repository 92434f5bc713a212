//! An independent implementation of Squirmish in plain Rust, from RULES.md and the text of the cards, to test the rules.
//!
//! It does not play: it reads the answers of another game and the positions at each, and checks both.
//! Cards are numbers, in the order of `cards.yaml`.

mod fight;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use super::squirmish_cards::{Card, Does, Kind};

/// Steps to the right of the middle, and up from it.
pub(crate) type Cell = (i32, i32);

const STEPS: [Cell; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// What was asked and answered.
#[derive(Clone, Debug)]
pub(crate) enum Said {
    Rolled(i64),
    /// Which card, and which it could have been.
    Drew(usize, Vec<usize>),
    /// Who chose what, and from what, sorted.
    Chose(Choice),
    ChoseAll(Vec<Choice>),
}

#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) who: usize,
    /// By which ask.
    pub(crate) ask: String,
    pub(crate) options: Vec<String>,
    pub(crate) chosen: String,
}

/// All that can be seen of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Where each card is, who controls it, and the damage on it.
    pub(crate) cards: BTreeMap<usize, (Cell, usize, i64)>,
    pub(crate) hands: Vec<BTreeSet<usize>>,
    pub(crate) victory: Vec<BTreeSet<usize>>,
    /// The top card first.
    pub(crate) discard: VecDeque<usize>,
    pub(crate) deck: usize,
}

/// An answer, whose turn it was, and how the game stood.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) turn: Option<usize>,
    pub(crate) seen: Seen,
    pub(crate) said: Said,
}

/// The log is at its end: how the other game stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Asked,
    Won(usize),
    Drawn,
}

type Flow<T = ()> = Result<T, End>;

/// A card in play.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fighter {
    /// `None` while it is loose.
    pub(crate) cell: Option<Cell>,
    pub(crate) controller: usize,
    pub(crate) hits: i64,
    pub(crate) fought: bool,
    pub(crate) asleep: bool,
    /// Its first attack that had an effect is over; it was saved from its first knockout.
    pub(crate) once: bool,
    /// How many cards it has seen knocked out.
    pub(crate) brooding: i64,
    /// Which card did the last damage to it, and for whom.
    pub(crate) hurt: Option<(usize, usize)>,
}

pub(crate) struct Squirmish {
    pub(crate) printed: Rc<Vec<Card>>,
    /// The values of all options.
    pub(crate) options: BTreeMap<String, String>,
    pub(crate) players: usize,
    pub(crate) active: usize,
    pub(crate) fighters: BTreeMap<usize, Fighter>,
    pub(crate) hands: Vec<BTreeSet<usize>>,
    pub(crate) victory: Vec<BTreeSet<usize>>,
    pub(crate) discard: VecDeque<usize>,
    /// The cards of the deck in no order.
    pub(crate) deck: BTreeSet<usize>,
    /// The cards of a deck that was turned over, the next one first.
    pub(crate) stack: VecDeque<usize>,
    /// Cards are being knocked out.
    pub(crate) cleaning: bool,
    /// Who lost a card in this clean-up.
    pub(crate) bereft: BTreeSet<usize>,
    pub(crate) log: std::vec::IntoIter<Entry>,
    /// How many answers were read.
    pub(crate) read: usize,
    pub(crate) seed: u64,
    /// What was met, and how often.
    pub(crate) met: BTreeMap<String, usize>,
}

/// Asking and drawing.
impl Squirmish {
    fn is(&self, option: &str, value: &str) -> bool {
        self.options.get(option).unwrap_or_else(|| unreachable!("no option {option}")) == value
    }

    fn number(&self, option: &str) -> usize {
        self.options[option].parse().unwrap()
    }

    fn meet(&mut self, what: impl Into<String>) {
        *self.met.entry(what.into()).or_default() += 1;
    }

    /// Something that goes one way or another by an option.
    fn meet_option(&mut self, what: &str, option: &str) {
        self.meet(format!("{what}, {}", self.options[option]));
    }

    /// An ability of a card did something.
    fn used(&mut self, card: usize, does: Does) {
        self.meet(format!("{} {does:?}", self.name(card)));
    }

    fn name(&self, card: usize) -> &str {
        &self.printed[card].name
    }

    pub(crate) fn seen(&self) -> Seen {
        let placed = self.fighters.iter().filter_map(|(card, fighter)| Some((*card, fighter.cell?, fighter)));
        Seen {
            cards: placed.map(|(card, cell, fighter)| (card, (cell, fighter.controller, fighter.hits))).collect(),
            hands: self.hands.clone(),
            victory: self.victory.clone(),
            discard: self.discard.clone(),
            deck: self.deck.len() + self.stack.len(),
        }
    }

    /// What failures say: which game it is, and after how many answers.
    fn label(&self) -> String {
        format!("seed {}, {} players, {:?}: answer {}", self.seed, self.players, self.options, self.read)
    }

    fn next(&mut self) -> Flow<Said> {
        let entry = self.log.next().ok_or(End::Asked)?;
        self.read += 1;
        assert_eq!(entry.seen, self.seen(), "{}, {:?}", self.label(), entry.said);
        if let Some(turn) = entry.turn {
            assert_eq!(turn, self.active, "{}, {:?}", self.label(), entry.said);
        }
        Ok(entry.said)
    }

    fn roll(&mut self) -> Flow<i64> {
        match self.next()? {
            Said::Rolled(shown) => Ok(shown),
            other => unreachable!("{}: a throw was due, not {other:?}", self.label()),
        }
    }

    fn choose(&mut self, who: usize, ask: &str, mut options: Vec<String>) -> Flow<String> {
        options.sort_unstable();
        match self.next()? {
            Said::Chose(choice) => {
                assert_eq!((choice.who, &*choice.ask, &choice.options), (who, ask, &options), "{}", self.label());
                Ok(choice.chosen)
            }
            other => unreachable!("{}: a choice of {options:?} was due, not {other:?}", self.label()),
        }
    }

    /// The next card of the deck, if there is one.
    fn draw(&mut self) -> Flow<Option<usize>> {
        if self.deck.is_empty() && self.stack.is_empty() && self.is("deck_empty", "reuse_discards_in_order") {
            // The one that was discarded first comes first.
            self.stack = std::mem::take(&mut self.discard).into_iter().rev().collect();
            self.meet("discards turned over");
        }
        if let Some(card) = self.stack.pop_front() {
            return Ok(Some(card));
        }
        if self.deck.is_empty() {
            self.meet_option("no card to draw", "deck_empty");
            return Ok(None);
        }
        match self.next()? {
            Said::Drew(card, of) if of.iter().eq(self.deck.iter()) => {
                self.deck.remove(&card);
                Ok(Some(card))
            }
            other => unreachable!("{}: a draw of {:?} was due, not {other:?}", self.label(), self.deck),
        }
    }

    fn draw_for(&mut self, player: usize) -> Flow {
        let card = self.draw()?;
        self.hands[player].extend(card);
        Ok(())
    }
}

/// Where cards are.
impl Squirmish {
    fn cell(&self, card: usize) -> Cell {
        self.fighters[&card].cell.unwrap_or_else(|| unreachable!("{} is nowhere", self.name(card)))
    }

    fn at(&self, cell: Cell) -> Option<usize> {
        self.fighters.iter().find(|(_, fighter)| fighter.cell == Some(cell)).map(|(card, _)| *card)
    }

    fn players_in_order(&self) -> Vec<usize> {
        (0..self.players).map(|behind| (self.active + behind) % self.players).collect()
    }

    /// The cards in play of a player, row by row from the top.
    fn cards_of(&self, player: usize) -> Vec<usize> {
        let mut cards: Vec<usize> =
            self.fighters.keys().copied().filter(|card| self.fighters[card].controller == player).collect();
        cards.sort_by_key(|card| self.fighters[card].cell.map(|(x, y)| (-y, x)));
        cards
    }

    /// All cards in play, those of the active player first.
    fn in_order(&self) -> Vec<usize> {
        self.players_in_order().into_iter().flat_map(|player| self.cards_of(player)).collect()
    }

    fn is_next(&self, card: usize, other: usize) -> bool {
        let ((x, y), (column, row)) = (self.cell(card), self.cell(other));
        x.abs_diff(column) + y.abs_diff(row) == 1
    }

    fn neighbours(&self, card: usize) -> Vec<usize> {
        self.in_order().into_iter().filter(|other| self.is_next(card, *other)).collect()
    }

    /// The empty cells next to cards in play, in holes too; the middle of an empty table.
    fn edges(&self) -> BTreeSet<Cell> {
        let taken: BTreeSet<Cell> = self.fighters.values().filter_map(|fighter| fighter.cell).collect();
        if taken.is_empty() {
            return BTreeSet::from([(0, 0)]);
        }
        let around = taken.iter().flat_map(|(x, y)| STEPS.map(|(right, up)| (x + right, y + up)));
        around.filter(|cell| !taken.contains(cell)).collect()
    }

    /// Those of the edges that can be reached from far away without going over a card or between two corners.
    fn outer_edges(&self) -> BTreeSet<Cell> {
        let taken: BTreeSet<Cell> = self.fighters.values().filter_map(|fighter| fighter.cell).collect();
        let reach = 2 + taken.iter().map(|(x, y)| x.abs().max(y.abs())).max().unwrap_or(0);
        let mut outside = BTreeSet::from([(reach, reach)]);
        let mut queue = vec![(reach, reach)];
        while let Some((x, y)) = queue.pop() {
            for (right, up) in STEPS {
                let (column, row) = (x + right, y + up);
                let inside = column.abs() <= reach && row.abs() <= reach;
                if inside && !taken.contains(&(column, row)) && outside.insert((column, row)) {
                    queue.push((column, row));
                }
            }
        }
        self.edges().into_iter().filter(|cell| outside.contains(cell)).collect()
    }

    /// The cards in play by the islands in which they lie.
    fn islands(&self) -> Vec<BTreeSet<usize>> {
        let mut left: BTreeSet<usize> = self.fighters.keys().copied().collect();
        let mut islands = Vec::new();
        while let Some(first) = left.pop_first() {
            let mut island = BTreeSet::from([first]);
            let mut queue = vec![first];
            while let Some(card) = queue.pop() {
                for next in self.neighbours(card) {
                    if left.remove(&next) {
                        island.insert(next);
                        queue.push(next);
                    }
                }
            }
            islands.push(island);
        }
        islands
    }

    fn swap(&mut self, card: usize, other: usize) {
        let (here, there) = (self.cell(card), self.cell(other));
        self.fighters.get_mut(&card).unwrap().cell = Some(there);
        self.fighters.get_mut(&other).unwrap().cell = Some(here);
    }

    fn is_active(&self, group: &str) -> bool {
        let members = self.fighters.keys().filter(|card| self.printed[**card].group.as_deref() == Some(group));
        members.count() >= 2
    }

    /// The abilities of a card that work now: its own, then that of its group.
    fn abilities(&self, card: usize) -> Vec<(Kind, Does)> {
        let printed = &self.printed[card];
        let active = printed.group.as_ref().is_some_and(|group| self.is_active(group));
        std::iter::once(printed.ability).chain(printed.group_ability.filter(|_| active)).collect()
    }

    fn can(&self, card: usize, does: Does) -> bool {
        self.abilities(card).iter().any(|(_, other)| *other == does)
    }

    /// A card of a hand comes into play.
    fn put(&mut self, player: usize, card: usize, cell: Cell) {
        assert!(self.hands[player].remove(&card), "{} is in no hand", self.name(card));
        assert_eq!(self.at(cell), None);
        self.fighters.insert(card, Fighter { cell: Some(cell), controller: player, ..Fighter::default() });
        if self.can(card, Does::PlumpsUp) {
            for next in self.neighbours(card) {
                if self.heal(next, 1) > 0 {
                    self.used(card, Does::PlumpsUp);
                }
            }
        }
    }

    /// Take damage off a card; how much it was.
    fn heal(&mut self, card: usize, number: i64) -> i64 {
        let fighter = self.fighters.get_mut(&card).unwrap();
        let healed = number.min(fighter.hits);
        fighter.hits -= healed;
        healed
    }

    fn hurt(&mut self, card: usize, number: i64, by: usize, credit: usize) {
        // What hits a card in the clean-up that has enough damage changes nothing about whose knockout it is.
        let is_out = self.cleaning && self.is_down(card);
        let fighter = self.fighters.get_mut(&card).unwrap();
        fighter.hits += number;
        if number > 0 && !is_out {
            fighter.hurt = Some((by, credit));
        }
    }

    /// Damage done by an ability of a card.
    fn ability_hurts(&mut self, card: usize, number: i64, by: usize) {
        let owner = self.fighters[&by].controller;
        let credit = if self.is("ability_ko_credit", "active_player") { self.active } else { owner };
        if owner != self.active {
            self.meet_option("another's ability does damage", "ability_ko_credit");
        }
        self.hurt(card, number, by, credit);
    }

    fn is_down(&self, card: usize) -> bool {
        self.fighters[&card].hits >= self.printed[card].hp
    }
}

fn write((x, y): Cell) -> String {
    format!("({x},{y})")
}

/// Set-up and turns.
impl Squirmish {
    /// A whole game.
    pub(crate) fn play(&mut self) -> End {
        match self.set_up() {
            Ok(()) => self.turns(),
            Err(end) => end,
        }
    }

    /// The game from a turn of the active player on.
    pub(crate) fn turns(&mut self) -> End {
        loop {
            if let Err(end) = self.turn() {
                return end;
            }
            self.active = (self.active + 1) % self.players;
        }
    }

    fn set_up(&mut self) -> Flow {
        for _ in 0..self.number("deal") {
            for player in 0..self.players {
                self.draw_for(player)?;
            }
        }
        if self.deck.is_empty() {
            self.meet("no first discard");
        } else {
            let first = self.draw()?;
            self.discard.extend(first);
        }
        let weighed = self.weigh()?;
        let mut first: Vec<usize> = (0..self.players).collect();
        let fewest = weighed.iter().map(|card| self.printed[*card].hp).min();
        first.retain(|player| Some(self.printed[weighed[*player]].hp) == fewest);
        while first.len() > 1 {
            self.meet("weigh-in tie");
            let mut thrown = Vec::new();
            for _ in &first {
                thrown.push(self.roll()?);
            }
            let lowest = thrown.iter().min().copied();
            let lows = first.iter().zip(&thrown).filter(|(_, shown)| Some(**shown) == lowest);
            first = lows.map(|(player, _)| *player).collect();
        }
        self.active = first[0];
        for player in self.players_in_order() {
            let card = weighed[player];
            if player == self.active {
                self.put(player, card, (0, 0));
            } else {
                self.place(player, &[card], false)?;
            }
        }
        Ok(())
    }

    /// All show a card at once.
    fn weigh(&mut self) -> Flow<Vec<usize>> {
        let said = self.next()?;
        let Said::ChoseAll(choices) = said else { unreachable!("the weigh-in was due, not {said:?}") };
        assert_eq!(choices.len(), self.players, "{}", self.label());
        let mut weighed = Vec::new();
        for (player, choice) in choices.iter().enumerate() {
            let hand = self.hands[player].iter();
            let mut words: Vec<String> = hand.map(|card| format!("weigh {}", self.name(*card))).collect();
            words.sort_unstable();
            assert_eq!((choice.who, &*choice.ask, &choice.options), (player, "weigh", &words), "{}", self.label());
            let chosen = choice.chosen.strip_prefix("weigh ").unwrap();
            weighed.push(self.card(chosen));
        }
        Ok(weighed)
    }

    fn card(&self, name: &str) -> usize {
        self.printed.iter().position(|card| card.name == name).unwrap_or_else(|| unreachable!("no card {name}"))
    }

    /// A player places one of these cards of the hand on any open edge, or passes; whether one was placed.
    fn place(&mut self, player: usize, cards: &[usize], may_pass: bool) -> Flow<bool> {
        let mut ways = BTreeMap::new();
        for card in cards {
            for cell in self.edges() {
                ways.insert(format!("place {} at {}", self.name(*card), write(cell)), (*card, cell));
            }
        }
        let mut options: Vec<String> = ways.keys().cloned().collect();
        options.extend(may_pass.then(|| "pass".to_owned()));
        let chosen = self.choose(player, "place", options)?;
        let Some((card, cell)) = ways.get(&chosen) else { return Ok(false) };
        self.put(player, *card, *cell);
        Ok(true)
    }

    fn turn(&mut self) -> Flow {
        self.step_1()?;
        self.step_2()?;
        self.bereft.clear();
        self.clean_up()?;
        self.mend()?;
        self.console()?;
        self.step_3()?;
        self.step_4()
    }

    fn reaches(&self, from: usize, to: usize) -> bool {
        let ((x, y), (column, row)) = (self.cell(from), self.cell(to));
        let lobs = self.can(from, Does::Lobs) && [(2, 0), (0, 2)].contains(&(x.abs_diff(column), y.abs_diff(row)));
        to != from && (self.is_next(from, to) || lobs || self.can(from, Does::Flies))
    }

    fn step_1(&mut self) -> Flow {
        let mine = self.cards_of(self.active);
        let mut ways = BTreeMap::new();
        let mut foes = Vec::new();
        for from in mine.iter().copied() {
            if self.fighters[&from].asleep {
                continue;
            }
            for to in self.in_order().into_iter().filter(|to| self.reaches(from, *to)).collect::<Vec<usize>>() {
                if self.can(to, Does::ShunsLarge) && self.printed[from].hp >= 6 {
                    self.used(to, Does::ShunsLarge);
                    continue;
                }
                let word = format!("attack {} against {}", self.name(from), self.name(to));
                if self.fighters[&to].controller != self.active {
                    foes.push(word.clone());
                }
                ways.insert(word, (from, to));
            }
        }
        // Who is asleep now is awake in the turn after this one.
        for card in mine {
            if std::mem::take(&mut self.fighters.get_mut(&card).unwrap().asleep) {
                self.meet("asleep");
            }
        }
        if ways.is_empty() {
            return Ok(());
        }
        let mut options: Vec<String> = ways.keys().cloned().collect();
        if !foes.is_empty() && self.is("attack", "on_foe") {
            options.clone_from(&foes);
        } else if foes.is_empty() || self.is("attack", "optional") {
            options.push("pass".to_owned());
        }
        if !foes.is_empty() {
            self.meet_option("a foe in reach", "attack");
        }
        let chosen = self.choose(self.active, "attack", options)?;
        let Some((from, to)) = ways.get(&chosen) else { return Ok(()) };
        for does in [Does::Flies, Does::Lobs] {
            if self.can(*from, does) && !self.is_next(*from, *to) {
                self.used(*from, does);
            }
        }
        self.attack(*from, *to)
    }

    fn step_2(&mut self) -> Flow {
        let mut used = BTreeSet::new();
        for player in self.players_in_order() {
            loop {
                let ways = self.uses(player, &used);
                if ways.is_empty() {
                    break;
                }
                let options = ways.keys().cloned().chain(["pass".to_owned()]).collect();
                let chosen = self.choose(player, "use", options)?;
                let Some((card, does, target)) = ways.get(&chosen).copied() else { break };
                used.insert(card);
                self.used(card, does);
                if player != self.active {
                    self.meet("use out of turn");
                }
                let was_down = self.is_down(target);
                match does {
                    Does::Startles => self.ability_hurts(target, 1, card),
                    Does::Whispers => self.draw_for(player)?,
                    _ => _ = self.heal(target, 1),
                }
                if was_down && !self.is_down(target) {
                    self.meet("saved in step 2");
                }
            }
        }
        Ok(())
    }

    /// The uses of step 2 that a player has left.
    fn uses(&self, player: usize, used: &BTreeSet<usize>) -> BTreeMap<String, (usize, Does, usize)> {
        let mut ways = BTreeMap::new();
        for card in self.cards_of(player).into_iter().filter(|card| !used.contains(card)) {
            for (_, does) in self.abilities(card) {
                let damaged = |other: &usize| self.fighters[other].hits > 0;
                let targets = match does {
                    Does::SoothesNeighbour => self.neighbours(card).into_iter().filter(damaged).collect(),
                    Does::SoothesAny => self.in_order().into_iter().filter(damaged).collect(),
                    Does::Startles => self.neighbours(card),
                    Does::HealsItself | Does::Whispers => {
                        ways.insert(format!("use {}", self.name(card)), (card, does, card));
                        continue;
                    }
                    _ => continue,
                };
                for target in targets {
                    let word = format!("use {} on {}", self.name(card), self.name(target));
                    ways.insert(word, (card, does, target));
                }
            }
        }
        ways
    }

    fn step_3(&mut self) -> Flow {
        let me = self.active;
        let mine = self.cards_of(me);
        let mut options = vec!["pass".to_owned()];
        let mut places = BTreeMap::new();
        let mut replaces = BTreeMap::new();
        for card in self.hands[me].iter().copied() {
            if mine.len() < self.number("play_limit") {
                let cells = self.edges().into_iter();
                let word = |cell: Cell| format!("place {} at {}", self.name(card), write(cell));
                places.extend(cells.map(|cell| (word(cell), (card, cell))));
            }
            for old in mine.iter().copied().filter(|old| self.fighters[old].hits == 0) {
                replaces.insert(format!("replace {} with {}", self.name(old), self.name(card)), (old, card));
            }
        }
        let mut moves = BTreeMap::new();
        for card in mine.iter().copied() {
            for other in self.in_order().into_iter().filter(|other| *other != card) {
                let slinks = self.can(card, Does::Slinks) && self.fighters[&other].controller == me;
                if slinks || self.is_next(card, other) || self.can(card, Does::Flits) {
                    moves.insert(format!("move {} with {}", self.name(card), self.name(other)), (card, other));
                }
            }
        }
        options.extend(places.keys().chain(replaces.keys()).chain(moves.keys()).cloned());
        if options.len() == 1 {
            return Ok(());
        }
        let chosen = self.choose(me, "place", options)?;
        if let Some((card, cell)) = places.get(&chosen) {
            self.put(me, *card, *cell);
        } else if let Some((old, new)) = replaces.get(&chosen) {
            self.meet("replace");
            let cell = self.cell(*old);
            self.fighters.remove(old);
            self.discard.push_front(*old);
            self.put(me, *new, cell);
        } else if let Some((card, other)) = moves.get(&chosen) {
            self.meet("move");
            for does in [Does::Flits, Does::Slinks] {
                if self.can(*card, does) && !self.is_next(*card, *other) {
                    self.used(*card, does);
                }
            }
            self.swap(*card, *other);
        }
        Ok(())
    }

    fn step_4(&mut self) -> Flow {
        let reuse = self.is("deck_empty", "reuse_discards_in_order") && !self.discard.is_empty();
        if !self.deck.is_empty() || !self.stack.is_empty() || reuse {
            let options = vec!["take yes".to_owned(), "take no".to_owned()];
            if self.choose(self.active, "take", options)? == "take yes" {
                self.draw_for(self.active)?;
            }
        }
        for player in self.players_in_order() {
            while self.hands[player].len() > self.number("hand_limit") {
                let hand = self.hands[player].iter();
                let ways: Vec<String> = hand.map(|card| format!("discard {}", self.name(*card))).collect();
                let chosen = self.choose(player, "discard", ways)?;
                let card = self.card(chosen.strip_prefix("discard ").unwrap());
                self.hands[player].remove(&card);
                self.discard.push_front(card);
                self.meet(if player == self.active { "discard" } else { "discard out of turn" });
            }
        }
        let none_to_draw = self.deck.is_empty() && self.stack.is_empty();
        let none_to_turn_over = self.discard.is_empty() || self.is("deck_empty", "no_draw");
        let none_held = self.hands.iter().all(BTreeSet::is_empty);
        if self.fighters.len() < 2 && none_held && none_to_draw && none_to_turn_over {
            self.meet_option("a draw", "deck_empty");
            return Err(End::Drawn);
        }
        Ok(())
    }
}
