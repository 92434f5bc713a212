//! Attacks, knockouts, and what they bring.

use std::collections::{BTreeMap, BTreeSet};

use super::super::squirmish_cards::{Does, Kind, Row, Special};
use super::{Cell, End, Flow, Squirmish, write};

/// How damage or healing is changed: added, multiplied, divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Change {
    plus: i64,
    times: i64,
    over: i64,
}

impl Change {
    const NONE: Self = Self { plus: 0, times: 1, over: 1 };

    const fn plus(plus: i64) -> Self {
        Self { plus, ..Self::NONE }
    }

    const fn times(times: i64) -> Self {
        Self { times, ..Self::NONE }
    }

    const fn and(self, other: Self) -> Self {
        Self { plus: self.plus + other.plus, times: self.times * other.times, over: self.over * other.over }
    }
}

struct Attack {
    from: usize,
    to: usize,
    cried: bool,
    shown: i64,
    row: Row,
    damage: Change,
    healing: Change,
    /// The damage that the target took.
    done: i64,
}

/// Where a card goes that is knocked out.
enum Goal {
    Hand(usize),
    Victory(usize),
    Discard,
}

/// How an ability changes healing.
const fn healing_change(does: Does) -> Change {
    match does {
        Does::HealsTwice => Change::times(2),
        Does::Sings => Change::plus(1),
        _ => Change::NONE,
    }
}

/// Attacks.
impl Squirmish {
    /// The abilities that may have a say in an attack: of the attacker, of the attacked card, and weird ones.
    fn working(&self, attack: &Attack) -> Vec<(usize, Does)> {
        let of = |card: usize, kind: Kind| {
            let abilities = self.abilities(card).into_iter().filter(move |(other, _)| *other == kind);
            abilities.map(move |(_, does)| (card, does))
        };
        let weird = self.in_order().into_iter().flat_map(|card| of(card, Kind::Weird));
        of(attack.from, Kind::Attack).chain(of(attack.to, Kind::Defence)).chain(weird).collect()
    }

    /// Damage or healing: first what is added, then what is multiplied and divided, rounded once.
    fn amount(&mut self, base: i64, change: Change) -> i64 {
        let product = (base + change.plus).max(0) * change.times;
        if product % change.over != 0 {
            self.meet_option("rounded", "division_rounding");
        }
        let up = if self.is("division_rounding", "up") { change.over - 1 } else { 0 };
        (product + up) / change.over
    }

    pub(super) fn attack(&mut self, from: usize, to: usize) -> Flow {
        let me = self.active;
        self.meet(if self.fighters[&to].controller == me { "own card attacked" } else { "foe attacked" });
        let first = !self.fighters[&from].fought;
        let cried = first && self.choose(me, "cry", vec!["cry yes".to_owned(), "cry no".to_owned()])? == "cry yes";
        let (damage, healing) = (Change::NONE, Change::NONE);
        let mut attack = Attack { from, to, cried, shown: 0, row: Row::default(), damage, healing, done: 0 };
        self.before_roll(&mut attack);
        attack.shown = self.roll()?;
        self.after_roll(&mut attack)?;
        attack.row = self.printed[from].rows[usize::try_from(attack.shown - 1).unwrap()].clone();
        let fighter = self.fighters.get_mut(&from).unwrap();
        if attack.row.no_effect {
            // A cry is kept that was shouted, and was heard.
            fighter.fought |= self.options["cry_on_no_effect"] == "spent" || !attack.cried;
            self.meet("no effect");
            if attack.cried {
                self.meet_option("no effect in spite of a cry", "cry_on_no_effect");
            }
            return Ok(());
        }
        fighter.fought = true;
        self.meet("effect");
        if let Some(name) = &attack.row.special {
            self.meet(format!("{} {name}", self.name(from)));
        }
        self.before_damage(&mut attack);
        self.strike(&mut attack);
        if let Some(special) = attack.row.does {
            self.special(&attack, special);
        }
        self.after_damage(&attack)
    }

    fn before_roll(&mut self, attack: &mut Attack) {
        for (card, does) in self.working(attack) {
            match does {
                Does::Overheats => self.ability_hurts(card, 1, card),
                Does::DrownsOut if attack.cried => attack.cried = false,
                _ => continue,
            }
            self.used(card, does);
        }
    }

    /// Each ability has the die thrown again once.
    fn after_roll(&mut self, attack: &mut Attack) -> Flow {
        for (card, does) in self.working(attack) {
            let again = match does {
                Does::PecksAgain => self.asks_again(card)?,
                Does::Jinxes if attack.shown == 6 => self.asks_again(card)?,
                Does::ThrowsOnesAgain => attack.shown == 1,
                Does::Jams => attack.shown == 6,
                _ => false,
            };
            if again {
                self.used(card, does);
                attack.shown = self.roll()?;
            }
        }
        Ok(())
    }

    fn asks_again(&mut self, card: usize) -> Flow<bool> {
        let words = ["yes", "no"].map(|word| format!("reroll {} {word}", self.name(card)));
        let who = self.fighters[&card].controller;
        Ok(self.choose(who, "reroll", words.to_vec())?.ends_with("yes"))
    }

    fn before_damage(&mut self, attack: &mut Attack) {
        if attack.row.does == Some(Special::Scorch) {
            attack.damage = attack.damage.and(Change::times(2));
        }
        for (card, does) in self.working(attack) {
            let (damage, healing) = (self.damage_change(attack, card, does), healing_change(does));
            attack.damage = attack.damage.and(damage);
            attack.healing = attack.healing.and(healing);
            if does == Does::Charges {
                self.fighters.get_mut(&card).unwrap().once = true;
            }
            let row = &attack.row;
            if row.damage.is_some() && damage != Change::NONE || row.heal.is_some() && healing != Change::NONE {
                self.used(card, does);
            }
        }
    }

    /// How an ability changes the damage of an attack.
    fn damage_change(&self, attack: &Attack, card: usize, does: Does) -> Change {
        let (from, to) = (attack.from, attack.to);
        let controller = |card: usize| self.fighters[&card].controller;
        match does {
            Does::Might => Change::plus(1),
            Does::Softens => Change::plus(-1),
            Does::Halves => Change { over: 2, ..Change::NONE },
            Does::Bullies if self.printed[to].hp < self.printed[from].hp => Change::plus(1),
            Does::Grinds if self.fighters[&to].hits > 0 => Change::times(2),
            Does::Charges if !self.fighters[&card].once => Change::plus(2),
            Does::Shakes if self.is_next(card, to) => Change::plus(1),
            Does::Guards if self.is_next(card, to) && controller(card) == controller(to) => Change::plus(-1),
            Does::Broods if card == from => Change::plus(self.fighters[&card].brooding),
            Does::GangsUp => {
                let gang = self.cards_of(controller(from)).into_iter().filter(|other| *other != from);
                Change::plus(i64::try_from(gang.filter(|other| self.is_next(*other, to)).count()).unwrap())
            }
            _ => Change::NONE,
        }
    }

    fn strike(&mut self, attack: &mut Attack) {
        let cry = i64::from(attack.cried);
        if let Some(base) = attack.row.damage {
            attack.done = self.amount(base + cry, attack.damage);
            self.hurt(attack.to, attack.done, attack.from, self.active);
            self.meet(if attack.done > 0 { "damage" } else { "no damage left" });
        }
        if let Some(base) = attack.row.heal {
            let healed = self.amount(base + cry, attack.healing);
            let healed = self.heal(attack.to, healed);
            self.meet(if healed > 0 { "healing" } else { "nothing to heal" });
        }
        if attack.cried && attack.row.damage.or(attack.row.heal).is_some() {
            self.meet("battle cry");
        }
    }

    fn special(&mut self, attack: &Attack, special: Special) {
        let (from, to) = (attack.from, attack.to);
        match special {
            Special::Scorch => {}
            Special::Spin => self.swap(from, to),
            Special::Lullaby => self.fighters.get_mut(&to).unwrap().asleep = true,
            Special::Charm => {
                if self.fighters[&to].controller != self.active {
                    self.meet("taken over");
                }
                self.fighters.get_mut(&to).unwrap().controller = self.active;
            }
            Special::Boom => self.hurt(from, 5, from, self.active),
            Special::Mudslide | Special::Tremor => {
                let change = if self.is("splash_modifiers", "none") { Change::NONE } else { attack.damage };
                let middle = if special == Special::Mudslide { to } else { from };
                let number = self.amount(1, change);
                for card in self.neighbours(middle).into_iter().filter(|card| ![from, to].contains(card)) {
                    self.meet_option("splash", "splash_modifiers");
                    self.hurt(card, number, from, self.active);
                }
            }
        }
    }

    fn after_damage(&mut self, attack: &Attack) -> Flow {
        if attack.done == 0 {
            return Ok(());
        }
        for (card, does) in self.working(attack) {
            match does {
                Does::Stings => self.ability_hurts(attack.from, 1, card),
                Does::Reflects => self.ability_hurts(attack.from, attack.done, card),
                Does::Snatches => self.draw_for(self.fighters[&card].controller)?,
                _ => continue,
            }
            self.used(card, does);
        }
        Ok(())
    }
}

/// Knockouts and what they bring.
impl Squirmish {
    pub(super) fn clean_up(&mut self) -> Flow {
        let mut falling: Vec<usize> = Vec::new();
        self.cleaning = true;
        while let Some(card) = self.in_order().into_iter().find(|card| self.is_down(*card) && !falling.contains(card)) {
            self.fall(card, &mut falling);
        }
        self.cleaning = false;
        if falling.is_empty() {
            return Ok(());
        }
        if falling.len() > 1 {
            self.meet("several fall");
        }
        let goals: Vec<Goal> = falling.iter().map(|card| self.goal(*card)).collect();
        for (card, goal) in falling.iter().zip(goals) {
            let left = self.fighters.remove(card).unwrap();
            self.bereft.insert(left.controller);
            match goal {
                Goal::Hand(player) => _ = self.hands[player].insert(*card),
                Goal::Victory(player) => _ = self.victory[player].insert(*card),
                Goal::Discard => self.discard.push_front(*card),
            }
            self.meet(match goal {
                Goal::Hand(_) => "to a hand",
                Goal::Victory(player) if player == self.active => "to a victory pile",
                Goal::Victory(_) => "to the victory pile of another",
                Goal::Discard => "to the discards",
            });
        }
        self.test_victory()?;
        for _ in falling {
            for card in self.in_order() {
                if self.can(card, Does::Scavenges) && self.heal(card, 1) > 0 {
                    self.used(card, Does::Scavenges);
                }
                self.fighters.get_mut(&card).unwrap().brooding += 1;
            }
        }
        self.clean_up()
    }

    /// A card has enough damage: what it does before it leaves.
    fn fall(&mut self, card: usize, falling: &mut Vec<usize>) {
        for (_, does) in self.abilities(card) {
            match does {
                Does::Rises if !self.fighters[&card].once => {
                    let fighter = self.fighters.get_mut(&card).unwrap();
                    fighter.once = true;
                    fighter.hits = 0;
                    self.used(card, does);
                    return;
                }
                Does::Bursts(number) => {
                    for next in self.neighbours(card) {
                        let was_down = self.is_down(next);
                        self.ability_hurts(next, number, card);
                        if !was_down && self.is_down(next) {
                            self.meet("chain");
                        }
                    }
                    self.used(card, does);
                }
                _ => {}
            }
        }
        falling.push(card);
    }

    /// Who lost the last card may place one, and then draws one.
    pub(super) fn console(&mut self) -> Flow {
        for player in self.players_in_order() {
            let bereft = self.bereft.remove(&player) && self.cards_of(player).is_empty();
            if !bereft || self.hands[player].is_empty() {
                continue;
            }
            if self.fighters.is_empty() {
                self.meet("empty table");
            }
            let hand: Vec<usize> = self.hands[player].iter().copied().collect();
            if self.place(player, &hand, true)? {
                self.meet("consolation");
                self.draw_for(player)?;
            }
        }
        Ok(())
    }

    fn goal(&mut self, card: usize) -> Goal {
        let fighter = self.fighters[&card].clone();
        let (by, credit) = fighter.hurt.unwrap_or_else(|| unreachable!("{} fell by nothing", self.name(card)));
        if self.can(card, Does::GoesHome) {
            self.used(card, Does::GoesHome);
            return Goal::Hand(fighter.controller);
        }
        if self.fighters.contains_key(&by) && self.can(by, Does::TakesAll) {
            self.used(by, Does::TakesAll);
            return Goal::Victory(self.fighters[&by].controller);
        }
        if credit == fighter.controller { Goal::Discard } else { Goal::Victory(credit) }
    }

    fn test_victory(&mut self) -> Flow {
        let enough = self.number("victory");
        let mut winners = self.players_in_order();
        winners.retain(|player| self.victory[*player].len() >= enough);
        if winners.len() > 1 {
            self.meet_option("several reach the number", "simultaneous_win");
            let first = winners[0];
            if self.is("simultaneous_win", "most_cards_then_active") {
                let most = winners.iter().map(|player| self.victory[*player].len()).max();
                winners.retain(|player| Some(self.victory[*player].len()) == most);
                if winners[0] != first {
                    self.meet("a longer pile wins");
                }
            }
        }
        winners.first().map_or(Ok(()), |winner| Err(End::Won(*winner)))
    }

    /// The largest island is the Squirmish; the cards of the others are attached again.
    pub(super) fn mend(&mut self) -> Flow {
        let mut largest = self.islands();
        if largest.len() < 2 {
            return Ok(());
        }
        self.meet("broken");
        let most = largest.iter().map(BTreeSet::len).max();
        largest.retain(|island| Some(island.len()) == most);
        if largest.len() > 1 {
            self.meet("equal islands");
            let cells = |island: &BTreeSet<usize>| island.iter().map(|card| self.cell(*card)).collect::<Vec<Cell>>();
            let word = |cell: Cell| format!("island {}", write(cell));
            let options = largest.iter().flat_map(cells).map(word).collect();
            let chosen = self.choose(self.active, "island", options)?;
            let named = |card: &usize| word(self.cell(*card)) == chosen;
            largest = largest.iter().filter(|island| island.iter().any(named)).cloned().collect();
        }
        let mut loose: BTreeSet<usize> = self.fighters.keys().copied().collect();
        loose.retain(|card| !largest[0].contains(card));
        for card in &loose {
            self.fighters.get_mut(card).unwrap().cell = None;
        }
        for player in self.players_in_order() {
            while let Some(card) = self.attach(player, &loose)? {
                loose.remove(&card);
            }
        }
        Ok(())
    }

    /// A player attaches one of the cards; nothing if none is left.
    fn attach(&mut self, player: usize, loose: &BTreeSet<usize>) -> Flow<Option<usize>> {
        let cells = if self.is("perimeter", "outer_only") { self.outer_edges() } else { self.edges() };
        let holes = self.edges().len() > self.outer_edges().len();
        let mut ways = BTreeMap::new();
        for card in loose.iter().copied().filter(|card| self.fighters[card].controller == player) {
            let word = |cell: Cell| format!("reattach {} at {}", self.name(card), write(cell));
            ways.extend(cells.iter().map(|cell| (word(*cell), (card, *cell))));
        }
        if ways.is_empty() {
            return Ok(None);
        }
        self.meet("attached again");
        if holes {
            self.meet_option("attached where there is a hole", "perimeter");
        }
        let chosen = self.choose(player, "reattach", ways.keys().cloned().collect())?;
        let (card, cell) = ways[&chosen];
        self.fighters.get_mut(&card).unwrap().cell = Some(cell);
        Ok(Some(card))
    }
}
