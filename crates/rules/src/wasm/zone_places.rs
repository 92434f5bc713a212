//! Where zones and their cards are in the memory.

use std::sync::Arc;

use referee_table::{Schema, State, Visibility, ZoneBytes};

/// Where zones are, and the tables for their cards.
pub(super) struct Zones {
    pub(super) bytes: Arc<ZoneBytes>,
    /// Where their bytes begin.
    start: u32,
    /// For each piece the bit of its first copy and those of all copies, 8 bytes each, and in 8 bytes where the word with them
    /// is in a bag; 0 for one that is no card.
    pub(super) places: u32,
    /// For each bit of a bag its card, in two bytes.
    pub(super) cards: u32,
    /// For each zone a byte: see [`ORDERED`] and [`HIDDEN`].
    pub(super) sights: u32,
    /// Whether a card has copies.
    pub(super) copies: bool,
}

/// The size of an entry of [`Zones::places`].
pub(super) const PLACE: i32 = 24;
/// The bits that say whether the cards of a zone have an order, and whether nobody sees them.
pub(super) const ORDERED: i32 = 1;
pub(super) const HIDDEN: i32 = 2;

impl Zones {
    /// Returns the zones of the games of a table, if their contents have room in the memory.
    pub(super) fn at(start: u32, state: &State) -> Option<Self> {
        let bytes = ZoneBytes::of(state)?;
        // There may be more cards than the game has.
        state.write_zones(&bytes, &mut vec![0; bytes.size()])?;
        let copies = state.schema().pieces.iter().any(|piece| piece.card.as_ref().is_some_and(|card| card.copies != 1));
        Some(Self { bytes, start, places: 0, cards: 0, sights: 0, copies })
    }

    /// Returns where their bytes end.
    pub(super) fn end(&self) -> u32 {
        self.address(self.bytes.size().next_multiple_of(8))
    }

    /// Returns the address of a part of their bytes.
    pub(super) fn address(&self, place: usize) -> u32 {
        self.start + u32::try_from(place).unwrap_or(u32::MAX)
    }

    /// Returns the addresses of the parts of the first zone: how many known cards it has, how many of its unknown ones are
    /// elsewhere, whether it was changed, its bag, and its known cards.
    pub(super) fn parts(&self) -> [u32; 5] {
        let [away, changed, bag, known] = self.bytes.parts();
        [0, away, changed, bag, known].map(|part| self.address(part))
    }

    /// Adds the tables: `add` returns where it has put one.
    pub(super) fn write_tables(&mut self, schema: &Schema, mut add: impl FnMut(Vec<u8>) -> u32) {
        let mut places = Vec::new();
        for bits in self.bytes.places() {
            let (word, first, all) = bits.map_or((0, 0, 0), |bits| (bits.word as u64 * 8, bits.first, bits.all));
            places.extend([first, all, word].into_iter().flat_map(u64::to_le_bytes));
        }
        let cards = self.bytes.cards().iter().flat_map(|card| card.0.to_le_bytes()).collect();
        let sights = schema.zones.iter().map(|zone| match zone.visibility {
            Visibility::Hidden => ORDERED | HIDDEN,
            Visibility::Pile => ORDERED,
            Visibility::Open | Visibility::Secret => 0,
        });
        let sights = sights.map(|sight| u8::try_from(sight).unwrap_or_default()).collect();
        (self.places, self.cards, self.sights) = (add(places), add(cards), add(sights));
    }

    /// Returns their bytes in the memory.
    pub(super) fn part<'b>(&self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        bytes.get(self.start as usize..)?.get(..self.bytes.size())
    }

    /// Returns their bytes in the memory to change them.
    pub(super) fn part_mut<'b>(&self, bytes: &'b mut [u8]) -> Option<&'b mut [u8]> {
        bytes.get_mut(self.start as usize..)?.get_mut(..self.bytes.size())
    }

    /// Returns where their bytes begin and end.
    pub(super) fn range(&self) -> (usize, usize) {
        (self.start as usize, self.start as usize + self.bytes.size())
    }

    /// Notes that the host has seen all changes.
    pub(super) fn are_seen(&self, bytes: &mut [u8]) -> Option<()> {
        let [_, changed, ..] = self.bytes.parts();
        let (part, size) = (self.part_mut(bytes)?, self.bytes.zone());
        for zone in part.get_mut(..self.bytes.faces())?.chunks_exact_mut(size) {
            zone.get_mut(changed..changed + 4)?.fill(0);
        }
        Some(())
    }
}
