//! The order of turns: extra turns, turns that are left out, the order of play, and rounds.

use serde::{Deserialize, Serialize};

use super::turn_rules::TurnRules;
use super::{PlayerId, Table};
use referee_diagnostic::MustBe as _;

/// Some of the players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
struct Players([u64; 4]);

impl Players {
    const fn bit(player: PlayerId) -> (usize, u64) {
        ((player.0 / 64) as usize, 1 << (player.0 % 64))
    }

    fn add(&mut self, player: PlayerId) {
        let (word, bit) = Self::bit(player);
        self.0.get_mut(word).into_iter().for_each(|word| *word |= bit);
    }

    fn has(&self, player: PlayerId) -> bool {
        let (word, bit) = Self::bit(player);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }

    fn list(self) -> impl Iterator<Item = PlayerId> {
        (0..=u8::MAX).map(PlayerId).filter(move |player| self.has(*player))
    }
}

/// Where play is between two rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
enum Boundary {
    /// A round is on, or none has begun.
    #[default]
    Within,
    /// A round has ended.
    Ended,
    /// The next one has begun, and nobody has had a turn in it.
    Begun,
}

/// What comes next, when no phase is left to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// A player's turn.
    Turn(PlayerId),
    /// The rules' function for the end of a round.
    RoundEnds,
    /// The rules' function for the beginning of a round.
    RoundBegins,
}

/// Why an order of play cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderError {
    /// It has nobody.
    Empty,
    /// A player is in it twice.
    Twice(PlayerId),
    /// A player does not take part in the game.
    Elsewhere(PlayerId),
}

/// The order of turns in a state, besides whose turn it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Turns {
    /// The order of play; empty if it is that of the table.
    order: Vec<PlayerId>,
    /// The order of play from the next round on; empty if it stays.
    coming: Vec<PlayerId>,
    /// Whether the first of the order is next, because the order was set between two rounds.
    restarts: bool,
    /// The players with extra turns; the next one comes first.
    extra: Vec<PlayerId>,
    /// The number of them that the present turn has added, which come first.
    fresh: usize,
    /// The players whose next turn is left out, sorted; once for each turn.
    skipped: Vec<PlayerId>,
    /// The player after whom the order of play goes on, if that is not the one whose turn it is.
    place: Option<PlayerId>,
    /// Whether the present turn is an extra one.
    is_extra: bool,
    /// Whether the present turn does not count.
    uncounted: bool,
    boundary: Boundary,
    /// Whether a function for the beginning or the end of a round runs, or ran last.
    in_hook: bool,
    /// The players who had their turn in this round.
    had: Players,
    /// The number of the round; 0 before the first.
    round: u64,
    /// The number of turns that have begun and count.
    number: u64,
    /// The player who had the last turn that counts, before the present one.
    last: Option<PlayerId>,
}

impl Turns {
    /// Returns whether turns follow each other as if nothing had been said about their order.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.order.is_empty()
            && self.coming.is_empty()
            && self.extra.is_empty()
            && self.skipped.is_empty()
            && self.place.is_none()
            && !self.is_extra
            && !self.uncounted
            && !self.restarts
    }

    /// Returns what of it decides how play goes on; `None` if that is as in a game without anything of that kind.
    pub(super) fn decisive(&self, rules: TurnRules) -> Option<Box<Self>> {
        if rules.is_plain() && self.is_plain() {
            return None;
        }
        let key = Self {
            had: if rules.rounds { self.had } else { Players::default() },
            round: if rules.read_round { self.round } else { self.round.min(1) },
            number: if rules.read_number { self.number } else { 0 },
            last: self.last.filter(|_| rules.read_last),
            boundary: if rules.rounds { self.boundary } else { Boundary::Within },
            ..self.clone()
        };
        Some(Box::new(key))
    }

    /// Returns the same for a position that is compared with others: without the numbers of rounds and turns, and who was last.
    pub(super) fn of_position(&self, rules: TurnRules) -> Option<Box<Self>> {
        let rules = TurnRules { read_round: false, read_number: false, read_last: false, ..rules };
        self.decisive(rules)
    }

    /// Returns the same with other players.
    pub(super) fn mapped(&self, player: impl Fn(PlayerId) -> PlayerId) -> Self {
        let all = |players: &[PlayerId]| players.iter().map(|one| player(*one)).collect::<Vec<_>>();
        let mut skipped = all(&self.skipped);
        skipped.sort_unstable();
        let mut had = Players::default();
        self.had.list().for_each(|one| had.add(player(one)));
        Self {
            order: all(&self.order),
            coming: all(&self.coming),
            extra: all(&self.extra),
            skipped,
            place: self.place.map(&player),
            had,
            last: self.last.map(&player),
            ..self.clone()
        }
    }

    /// Returns the players in the order of play.
    #[must_use]
    pub fn order<'o>(&'o self, table: &'o Table) -> &'o [PlayerId] {
        if self.order.is_empty() { &table.players } else { &self.order }
    }

    /// Returns the order of play from the next round on, if it is another one.
    #[must_use]
    pub fn coming(&self) -> &[PlayerId] {
        &self.coming
    }

    /// Returns the players with extra turns; the next one comes first.
    #[must_use]
    pub fn extra(&self) -> &[PlayerId] {
        &self.extra
    }

    /// Returns the players whose next turn is left out, once for each turn.
    #[must_use]
    pub fn skipped(&self) -> &[PlayerId] {
        &self.skipped
    }

    /// Returns the number of the round, from 1; 0 before the first.
    #[must_use]
    pub const fn round(&self) -> u64 {
        self.round
    }

    /// Returns the number of turns that have begun and count.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Returns the player who had the last turn that counts, before the present one.
    #[must_use]
    pub const fn last(&self) -> Option<PlayerId> {
        self.last
    }

    /// Returns whether the present turn is one that does not count.
    #[must_use]
    pub const fn is_uncounted(&self) -> bool {
        self.uncounted
    }

    /// Returns whether the phase that runs, or ran last, belongs to no turn: it begins or ends a round.
    #[must_use]
    pub const fn is_between_rounds(&self) -> bool {
        self.in_hook
    }

    /// Returns whether the round is over, once the present turn of `player` has ended.
    #[must_use]
    pub fn ends_round(&self, table: &Table, turn: Option<PlayerId>) -> bool {
        let has_had = |player: &PlayerId| self.had.has(*player) || !self.is_extra && turn == Some(*player);
        let is_open = self.boundary == Boundary::Within && self.extra.is_empty() && !self.uncounted;
        is_open
            && turn.is_some()
            && self.order(table).iter().all(|player| has_had(player) || self.skipped.contains(player))
    }

    /// Returns whether the rules' function for the end of a round runs, or ran last.
    #[must_use]
    pub fn is_in_round_end(&self) -> bool {
        self.in_hook && self.boundary == Boundary::Ended
    }

    /// Adds an extra turn, right after the present turn and the extra turns that it has added.
    pub fn add_extra(&mut self, player: PlayerId) {
        self.extra.insert(self.fresh.min(self.extra.len()), player);
        self.fresh += 1;
    }

    /// Takes back the extra turns that the present turn has given.
    pub fn drop_fresh(&mut self) {
        self.extra.drain(..self.fresh.min(self.extra.len()));
        self.fresh = 0;
    }

    /// Leaves out the next turn of a player.
    pub fn skip(&mut self, player: PlayerId) {
        let at = self.skipped.partition_point(|other| *other <= player);
        self.skipped.insert(at, player);
    }

    /// Takes the present turn out of what is counted.
    pub const fn count_not(&mut self) {
        if !self.uncounted {
            self.uncounted = true;
            self.number = self.number.saturating_sub(1);
        }
    }

    /// Sets the order of play: between two rounds and in the set-up for the round that begins, in a turn for the next one.
    ///
    /// # Errors
    /// Returns an error, with nothing changed, if it is not an order of players who take part.
    pub fn set(&mut self, order: Vec<PlayerId>, table: &Table, turn: Option<PlayerId>) -> Result<(), OrderError> {
        check(&order, table)?;
        if turn.is_none() || self.boundary != Boundary::Within {
            self.order = order;
            self.restarts = true;
        } else {
            self.coming = order;
        }
        Ok(())
    }

    /// Sets these parts, as a line of a position says them.
    ///
    /// # Errors
    /// Returns an error, with nothing changed, if an order has other players than those who take part, or one twice.
    pub fn take(&mut self, part: TurnsPart, table: &Table) -> Result<(), OrderError> {
        match part {
            TurnsPart::Order(order) => {
                check(&order, table)?;
                self.order = order;
            }
            TurnsPart::NextOrder(order) => {
                check(&order, table)?;
                self.coming = order;
            }
            TurnsPart::Had(players) => players.into_iter().for_each(|player| self.had.add(player)),
            TurnsPart::Extra(players) => self.extra = players,
            TurnsPart::Skip(players) => players.into_iter().for_each(|player| self.skip(player)),
            TurnsPart::After(player) => {
                self.place = Some(player);
                self.is_extra = true;
            }
            TurnsPart::Round(round) => self.round = round,
            TurnsPart::Number(number) => self.number = number,
            TurnsPart::Last(player) => self.last = Some(player),
        }
        Ok(())
    }

    /// Returns the parts that a position has to say, as far as they decide how play goes on, at the beginning of a turn or within one.
    #[must_use]
    pub fn parts(&self, rules: TurnRules) -> Vec<TurnsPart> {
        let mut parts = Vec::new();
        let mut list = |players: Vec<PlayerId>, part: fn(Vec<PlayerId>) -> TurnsPart| {
            if !players.is_empty() {
                parts.push(part(players));
            }
        };
        list(self.order.clone(), TurnsPart::Order);
        list(self.coming.clone(), TurnsPart::NextOrder);
        if rules.rounds {
            list(self.had.list().collect(), TurnsPart::Had);
        }
        list(self.extra.clone(), TurnsPart::Extra);
        list(self.skipped.clone(), TurnsPart::Skip);
        parts.extend(self.place.filter(|_| self.is_extra).map(TurnsPart::After));
        parts.extend((rules.read_round && self.round > 1).then_some(TurnsPart::Round(self.round)));
        // The line with which play begins begins one more.
        let before = self.number.saturating_sub(1);
        parts.extend((rules.read_number && before > 0).then_some(TurnsPart::Number(before)));
        parts.extend(self.last.filter(|_| rules.read_last).map(TurnsPart::Last));
        parts
    }

    /// Begins a turn of a player regardless of what comes next, as the line `turn PLAYER` does. `before` is the player whose turn it
    /// was.
    pub(super) fn begin_with(&mut self, before: Option<PlayerId>) {
        if let Some(before) = before {
            self.close(before);
            self.extra.clear();
            (self.is_extra, self.place) = (false, None);
        }
        self.round = self.round.max(1);
        self.boundary = Boundary::Within;
        self.begin();
    }

    fn begin(&mut self) {
        self.number += 1;
        (self.fresh, self.uncounted, self.in_hook) = (0, false, false);
    }

    /// Ends the turn of a player.
    fn close(&mut self, player: PlayerId) {
        if self.uncounted {
            return;
        }
        self.last = Some(player);
        if !self.is_extra && self.boundary == Boundary::Within {
            self.had.add(player);
        }
    }

    /// Takes back that the next turn of a player is left out. Returns whether it was.
    fn takes_skip(&mut self, player: PlayerId) -> bool {
        match self.skipped.binary_search(&player) {
            Ok(at) => {
                self.skipped.remove(at);
                true
            }
            Err(_) => false,
        }
    }

    /// Returns what comes after the turn of a player, or after a function between two rounds. `given` is the player to whom
    /// the next turn was given.
    pub(super) fn follow(&mut self, table: &Table, turn: Option<PlayerId>, given: &mut Option<PlayerId>) -> Due {
        if let Some(player) = turn {
            self.close(player);
        }
        if !self.is_extra {
            self.place = self.place.or(turn);
        }
        loop {
            if !self.extra.is_empty() {
                let player = self.extra.remove(0);
                if self.takes_skip(player) {
                    continue;
                }
                self.is_extra = true;
                self.begin();
                return Due::Turn(player);
            }
            if self.boundary == Boundary::Within {
                let is_first = self.round == 0;
                if is_first || self.order(table).iter().all(|player| self.had.has(*player)) {
                    self.boundary = Boundary::Ended;
                    if !is_first && table.turns.end_rounds {
                        self.in_hook = true;
                        return Due::RoundEnds;
                    }
                }
            }
            if self.boundary == Boundary::Ended {
                self.round += 1;
                self.had = Players::default();
                if !self.coming.is_empty() {
                    self.order = std::mem::take(&mut self.coming);
                    self.restarts = true;
                }
                self.boundary = Boundary::Begun;
                if table.turns.begin_rounds {
                    self.in_hook = true;
                    return Due::RoundBegins;
                }
            }
            let restarts = std::mem::take(&mut self.restarts);
            let player = given.take().unwrap_or_else(|| self.after(table, self.place.filter(|_| !restarts)));
            self.boundary = Boundary::Within;
            if self.takes_skip(player) {
                self.had.add(player);
                self.place = Some(player);
                continue;
            }
            (self.is_extra, self.place) = (false, None);
            self.begin();
            return Due::Turn(player);
        }
    }

    /// Returns the player after another one in the order of play; the first one after nobody.
    fn after(&self, table: &Table, player: Option<PlayerId>) -> PlayerId {
        if self.order.is_empty()
            && let Some(player) = player
        {
            return table.after(player);
        }
        let order = self.order(table);
        let place = player.and_then(|player| order.iter().position(|other| *other == player));
        let next = place.map_or(0, |place| (place + 1) % order.len().max(1));
        order.get(next).copied().or_missing("the first player", PlayerId(0))
    }
}

/// Checks that an order of play has players who take part, each once.
fn check(order: &[PlayerId], table: &Table) -> Result<(), OrderError> {
    let mut met = Players::default();
    for player in order {
        if !table.players.contains(player) {
            return Err(OrderError::Elsewhere(*player));
        }
        if met.has(*player) {
            return Err(OrderError::Twice(*player));
        }
        met.add(*player);
    }
    if order.is_empty() { Err(OrderError::Empty) } else { Ok(()) }
}

/// A part of what a position says about the order of turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnsPart {
    /// The order of play.
    Order(Vec<PlayerId>),
    /// The order of play from the next round on.
    NextOrder(Vec<PlayerId>),
    /// Who had their turn in this round.
    Had(Vec<PlayerId>),
    /// Who has extra turns, the next one first.
    Extra(Vec<PlayerId>),
    /// Whose next turn is left out, once for each turn.
    Skip(Vec<PlayerId>),
    /// The turn that begins is an extra one, after which the order of play goes on after this player.
    After(PlayerId),
    /// The number of the round.
    Round(u64),
    /// The number of turns before the one that begins.
    Number(u64),
    /// Who had the last turn.
    Last(PlayerId),
}
