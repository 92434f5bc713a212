//! Notes which cards are mixed with which others, as cards go from place to place.

use super::mixed::join;
use super::{Home, Mixed, PieceId, Schema, Spot, State, ZoneId};

impl Schema {
    /// Returns the home of a card.
    #[must_use]
    pub fn home(&self, card: PieceId) -> Home {
        let piece = self.pieces.get(card.index())?;
        self.kinds.get(piece.kind.index())?.home
    }

    /// Returns whether cards begin in several zones.
    fn has_several_homes(&self) -> bool {
        let mut homes = self.kinds.iter().filter_map(|kind| kind.home);
        let first = homes.next();
        homes.any(|home| Some(home) != first)
    }

    /// Returns whether all players see the cards in a place. On the board, they do not see those that are face down.
    fn is_open(&self, spot: Spot) -> bool {
        spot.and_then(|zone| self.zones.get(zone.index())).is_some_and(|zone| zone.visibility.is_open())
    }
}

impl State {
    /// Returns which cards were mixed with which others.
    #[must_use]
    pub fn mixed(&self) -> Mixed {
        let mut mixed = self.mixed.clone();
        let loose = self.loose();
        for (card, from, homes) in std::mem::take(&mut mixed.held) {
            if loose.iter().any(|loose| loose.card == card) {
                self.mix(&mut mixed, homes, Some(from), &[None]);
            }
        }
        mixed
    }

    /// Notes that a card has gone from one place to another. It has left the first one.
    pub fn note_passed(&mut self, card: PieceId, from: Spot, to: Spot) {
        if self.schema().has_several_homes() && !self.schema().is_open(from) && !self.schema().is_open(to) {
            let homes = self.homes_beside(card, from);
            self.change_mixed(homes, from, &[to]);
        }
    }

    /// Notes that a card was taken out of a zone and is in no place now.
    pub(super) fn note_held(&mut self, card: PieceId, from: ZoneId) {
        if !self.schema().has_several_homes() || self.schema().is_open(Some(from)) {
            return;
        }
        let homes = self.homes_beside(card, Some(from));
        if self.mixed.may_mix(&homes) {
            self.keep_cards();
            self.mixed.held.retain(|(other, zone, _)| (*other, *zone) != (card, from));
            self.mixed.held.push((card, from, homes));
        }
    }

    /// Notes that a card that was in no place was put somewhere.
    pub fn note_placed(&mut self, card: PieceId, to: Spot) {
        let Some(at) = self.mixed.held.iter().rposition(|(held, _, _)| *held == card) else { return };
        self.keep_cards();
        let (_, from, homes) = self.mixed.held.remove(at);
        if !self.schema().is_open(to) {
            self.change_mixed(homes, Some(from), &[to]);
        }
    }

    /// Notes that a face-down card has left the board. Where it is put then, nobody may know.
    pub(super) fn note_lifted(&mut self, card: PieceId) {
        let home = self.schema().home(card);
        if self.mixed.is_mixed(home) {
            self.change_mixed(vec![home], None, &self.unseen_spots());
        }
    }

    /// Notes that it is not known how the cards came where they are. If several homes are together in a hidden zone, any of their
    /// cards may have been drawn from there.
    pub(super) fn note_laid(&mut self) {
        if !self.schema().has_several_homes() {
            return;
        }
        for zone in (0..self.schema().zones.len()).map(ZoneId::at) {
            let is_hidden = !self.schema().is_open(Some(zone)) && self.schema().is_ordered(zone);
            let homes = if is_hidden { self.homes_at(Some(zone)) } else { Vec::new() };
            if homes.len() > 1 {
                self.change_mixed(homes, Some(zone), &self.unseen_spots());
            }
        }
    }

    fn change_mixed(&mut self, homes: Vec<Home>, from: Spot, to: &[Spot]) {
        if !self.mixed.may_mix(&homes) {
            return;
        }
        let mut mixed = self.mixed.clone();
        self.mix(&mut mixed, homes, from, to);
        if mixed != self.mixed {
            self.keep_cards();
            self.mixed = mixed;
        }
    }

    /// Mixes what a card may have been that went from one place to one of others, from among cards of these homes.
    fn mix(&self, mixed: &mut Mixed, homes: Vec<Home>, from: Spot, to: &[Spot]) {
        join(&mut mixed.homes, &homes);
        let Some(group) = homes.first().map(|home| mixed.home(*home)) else { return };
        // Where only cards of one home can be, everybody knows what went.
        let from_group = mixed.spot(from);
        let spots = self.unseen_spots().into_iter().filter(|spot| mixed.spot(*spot) == from_group);
        let mut beside: Vec<Home> = spots.flat_map(|spot| self.homes_at(spot)).collect();
        beside.extend(homes);
        beside.retain(|home| mixed.home(*home) == group);
        beside.sort_unstable();
        beside.dedup();
        if beside.len() > 1 {
            let spots: Vec<Spot> = to.iter().copied().chain([from]).collect();
            join(&mut mixed.spots, &spots);
        }
    }

    /// Returns the places whose cards not all players see.
    fn unseen_spots(&self) -> Vec<Spot> {
        let zones = (0..self.schema().zones.len()).map(|at| Some(ZoneId::at(at)));
        zones.filter(|zone| !self.schema().is_open(*zone)).chain([None]).collect()
    }

    /// Returns the homes of the cards that a card may have been which has left a place. Off the zones, each card has its own place.
    fn homes_beside(&self, card: PieceId, from: Spot) -> Vec<Home> {
        let mut homes = if from.is_some() { self.homes_at(from) } else { Vec::new() };
        homes.push(self.schema().home(card));
        homes.sort_unstable();
        homes.dedup();
        homes
    }

    /// Returns the homes of the cards in a place that not all players see.
    fn homes_at(&self, spot: Spot) -> Vec<Home> {
        let schema = self.schema();
        let mut homes: Vec<Home> = match spot {
            Some(zone) => {
                let cards = self.zone(zone).map(super::Zone::counts).unwrap_or_default();
                cards.keys().map(|card| schema.home(*card)).collect()
            }
            None => {
                let down = self.faces().values().filter_map(super::Face::card);
                down.chain(self.loose().iter().map(|loose| loose.card)).map(|card| schema.home(card)).collect()
            }
        };
        homes.sort_unstable();
        homes.dedup();
        homes
    }
}
