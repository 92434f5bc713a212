//! Face-down cards on the board.
//!
//! A card that no player has seen is one of the unordered cards of the zone that it came from. It stays in the bag of
//! that zone until a player learns which card it is, so that every unseen card of the zone is equally likely in each
//! place. Any other face-down card is a known card, stored with the players who know it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Cell, PieceId, PlayerId, ZoneId};

/// A face-down card.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Face {
    /// A card that no player has seen: one of the unordered cards of this zone.
    Unknown(ZoneId),
    /// A known card.
    Card {
        /// The card.
        card: PieceId,
        /// The zone it was dealt from, if it was dealt.
        from: Option<ZoneId>,
        /// The players who know it, sorted.
        seen: Vec<PlayerId>,
    },
    /// In the view of a player: a card that the player does not know.
    Unseen,
}

/// The face-down cards by their cells.
pub type Faces = BTreeMap<Cell, Face>;

impl Face {
    /// Returns the zone of an unknown card.
    #[must_use]
    pub const fn unknown(&self) -> Option<ZoneId> {
        match self {
            Self::Unknown(zone) => Some(*zone),
            _ => None,
        }
    }

    /// Returns the face-down card that it becomes if cards, zones and players become others.
    pub(super) fn mapped(
        &self,
        card_to: impl Fn(PieceId) -> PieceId,
        zone_to: impl Fn(ZoneId) -> ZoneId,
        player_to: impl Fn(PlayerId) -> PlayerId,
    ) -> Self {
        match self {
            Self::Unknown(zone) => Self::Unknown(zone_to(*zone)),
            Self::Card { card, from, seen } => {
                let mut seen: Vec<PlayerId> = seen.iter().map(|player| player_to(*player)).collect();
                seen.sort_unstable();
                Self::Card { card: card_to(*card), from: from.map(zone_to), seen }
            }
            Self::Unseen => Self::Unseen,
        }
    }

    /// Returns the card that it is, if that is known.
    #[must_use]
    pub const fn card(&self) -> Option<PieceId> {
        match self {
            Self::Card { card, .. } => Some(*card),
            _ => None,
        }
    }
}
