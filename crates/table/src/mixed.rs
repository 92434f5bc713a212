//! Which cards may have been mixed with which others, as far as all players know.
//!
//! A card belongs to the zone in which its kind begins, its *home*. Everybody knows how many cards of each home are in each place
//! that they do not see, as cards with different backs would show: whoever draws from a deck shows from which. That ends where a
//! card goes from one unseen place to another and comes from among cards of several homes. From then on these homes are mixed in
//! these places: nobody else knows which of them the card was of.
//!
//! Homes that are mixed are one *group* of homes, and places that are mixed are one group of places. What stays known is how many
//! cards of a group of homes are in each place, and how many of each home are in each group of places.

use super::{PieceId, ZoneId};

/// The zone in which cards begin; `None` for cards that begin in no zone.
pub type Home = Option<ZoneId>;
/// A zone; `None` for all places that are no zone.
pub type Spot = Option<ZoneId>;

/// The homes of cards that were mixed, and the places in which they were.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mixed {
    pub(super) homes: Vec<Vec<Home>>,
    pub(super) spots: Vec<Vec<Spot>>,
    /// Cards in no place: the zone from which each was taken, and the homes of the cards that were there.
    pub(super) held: Vec<(PieceId, ZoneId, Vec<Home>)>,
}

impl Mixed {
    /// Returns a home that stands for all that are mixed with this one.
    #[must_use]
    pub fn home(&self, home: Home) -> Home {
        first(&self.homes, home)
    }

    /// Returns a place that stands for all that are mixed with this one.
    #[must_use]
    pub fn spot(&self, spot: Spot) -> Spot {
        first(&self.spots, spot)
    }

    /// Returns whether a card from among cards of these homes may be of several.
    pub(super) fn may_mix(&self, homes: &[Home]) -> bool {
        homes.len() > 1 || homes.iter().any(|home| self.is_mixed(*home))
    }

    pub(super) fn is_mixed(&self, home: Home) -> bool {
        self.homes.iter().any(|group| group.contains(&home))
    }
}

/// Returns the first of the group of `one`.
fn first<T: Copy + PartialEq>(groups: &[Vec<T>], one: T) -> T {
    groups.iter().find(|group| group.contains(&one)).and_then(|group| group.first().copied()).unwrap_or(one)
}

/// Makes these one group, with all that were in a group with one of them.
pub(super) fn join<T: Copy + Ord>(groups: &mut Vec<Vec<T>>, all: &[T]) {
    let mut joined = all.to_vec();
    groups.retain_mut(|group| {
        let meets = group.iter().any(|one| all.contains(one));
        if meets {
            joined.append(group);
        }
        !meets
    });
    joined.sort_unstable();
    joined.dedup();
    if joined.len() > 1 {
        groups.push(joined);
        groups.sort_unstable();
    }
}
