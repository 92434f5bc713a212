//! The contents of zones and the unknown cards on the board as bytes with fixed places, for rules that run with a memory of
//! their own.

use std::sync::Arc;

use super::{Cell, Face, PieceId, Schema, State, Zone, ZoneId};

/// The maximum number of bytes; there are none for a table with more.
const MOST_BYTES: usize = 1 << 16;

/// Where the parts are. Each copy of a card has a bit, those of one card follow each other in one word, and the lowest ones
/// are set: so the bits of a bag are in the order in which chance draws from it.
///
/// | part | for | bytes each |
/// |---|---|---|
/// | how many known cards it has | each zone | 4 |
/// | how many of its unknown cards are elsewhere | each zone | 4 |
/// | 1 if it was changed in this memory | each zone | 8 |
/// | the cards without an order, one bit for each copy | each zone | 8 for a word |
/// | the known cards, that which is drawn first is the last one | each zone | 2 |
/// | the face-down card: 0 for none, [`KNOWN`] for a known one, or 1 more than the zone of an unknown one | each cell | 2 |
/// | how many of these are known | | 8 |
#[derive(Debug)]
pub struct ZoneBytes {
    /// The number of words of a bag.
    words: usize,
    /// The size of a zone.
    zone: usize,
    zones: usize,
    cells: usize,
    /// For each piece where its copies are; `None` for one that is no card.
    places: Vec<Option<CardBits>>,
    /// The card of each bit.
    cards: Vec<PieceId>,
}

/// Where the copies of a card are among the bits of a bag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardBits {
    /// The number of the word.
    pub word: usize,
    /// The bit of the first copy.
    pub first: u64,
    /// The bits of all copies.
    pub all: u64,
}

/// What stands for a known face-down card.
pub const KNOWN: u16 = u16::MAX;

/// The parts of a zone before its cards.
const AWAY: usize = 4;
const CHANGED: usize = 8;
const BAG: usize = 16;

impl ZoneBytes {
    /// Returns where the parts are for the states of a table. `None` if it has no zones, or if they would be too large.
    #[must_use]
    pub fn of(state: &State) -> Option<Arc<Self>> {
        let schema: &Schema = state.schema();
        let (mut places, mut cards) = (Vec::new(), Vec::new());
        for (at, piece) in schema.pieces.iter().enumerate() {
            let Some(card) = &piece.card else {
                places.push(None);
                continue;
            };
            let copies = usize::try_from(card.copies).ok().filter(|copies| *copies <= u64::BITS as usize)?;
            let bits = u64::BITS as usize;
            if cards.len() % bits + copies > bits {
                cards.resize(cards.len().next_multiple_of(bits), PieceId::at(at));
            }
            let first = cards.len();
            cards.resize(first + copies, PieceId::at(at));
            let all = if copies == bits { u64::MAX } else { (1_u64 << copies) - 1 };
            places.push(Some(CardBits { word: first / bits, first: 1 << (first % bits), all: all << (first % bits) }));
        }
        let words = cards.len().div_ceil(u64::BITS as usize);
        let zone = BAG + words * 8 + (cards.len() * 2).next_multiple_of(8);
        let (zones, cells) = (schema.zones.len(), state.board().size());
        let made = Self { words, zone, zones, cells, places, cards };
        (zones > 0 && zones < usize::from(KNOWN) && made.size() <= MOST_BYTES).then(|| Arc::new(made))
    }

    /// Returns how many bytes there are.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.down() + 8
    }

    /// Returns how many bytes a zone has.
    #[must_use]
    pub const fn zone(&self) -> usize {
        self.zone
    }

    /// Returns how many words a bag has.
    #[must_use]
    pub const fn words(&self) -> usize {
        self.words
    }

    /// Returns where the parts of a zone are: the number of its cards that are elsewhere, whether it was changed, its bag and
    /// its known cards.
    #[must_use]
    pub const fn parts(&self) -> [usize; 4] {
        [AWAY, CHANGED, BAG, BAG + self.words * 8]
    }

    /// Returns how many known cards a zone may have.
    #[must_use]
    pub const fn most(&self) -> usize {
        self.cards.len()
    }

    /// Returns where the face-down cards are.
    #[must_use]
    pub const fn faces(&self) -> usize {
        self.zone * self.zones
    }

    /// Returns where the number of known face-down cards is.
    #[must_use]
    pub const fn down(&self) -> usize {
        self.faces() + (self.cells * 2).next_multiple_of(8)
    }

    /// Returns for each piece where its copies are; `None` for one that is no card.
    #[must_use]
    pub fn places(&self) -> &[Option<CardBits>] {
        &self.places
    }

    /// Returns the card of each bit.
    #[must_use]
    pub fn cards(&self) -> &[PieceId] {
        &self.cards
    }

    fn of_zone<'b>(&self, bytes: &'b [u8], zone: usize) -> Option<&'b [u8]> {
        bytes.get(zone * self.zone..)?.get(..self.zone)
    }

    /// Writes a zone; returns `None` if it has more copies of a card than there are.
    fn write(&self, zone: &Zone, bytes: &mut [u8]) -> Option<()> {
        bytes.fill(0);
        if zone.lent.is_some() {
            // Compiled rules do not know of unknown cards.
            return None;
        }
        let number = |number: usize| u32::try_from(number).ok().map(u32::to_le_bytes);
        bytes.get_mut(..4)?.copy_from_slice(&number(zone.known.len())?);
        bytes.get_mut(AWAY..AWAY + 4)?.copy_from_slice(&zone.away.to_le_bytes());
        for (card, count) in &zone.bag {
            let bits = self.places.get(card.index()).copied().flatten()?;
            // The lowest ones of its bits.
            let some = bits.first.checked_shl(*count).unwrap_or(0).wrapping_sub(bits.first);
            if some & !bits.all != 0 || *count > bits.all.count_ones() {
                return None;
            }
            let word = bytes.get_mut(BAG + bits.word * 8..)?.first_chunk_mut()?;
            *word = (u64::from_le_bytes(*word) | some).to_le_bytes();
        }
        let known = BAG + self.words * 8;
        if zone.known.len() > self.most() {
            return None;
        }
        for (at, card) in zone.known.iter().rev().enumerate() {
            *bytes.get_mut(known + at * 2..)?.first_chunk_mut()? = card.0.to_le_bytes();
        }
        Some(())
    }

    /// Reads a zone that was changed; `None` for any other.
    fn read(&self, bytes: &[u8]) -> Option<Zone> {
        let word = |at: usize| bytes.get(at..)?.first_chunk().map(|word| u32::from_le_bytes(*word));
        if word(CHANGED)? == 0 {
            return None;
        }
        let mut zone = Zone { away: word(AWAY)?, ..Zone::default() };
        for number in 0..self.words {
            let mut left = u64::from_le_bytes(*bytes.get(BAG + number * 8..)?.first_chunk()?);
            while left != 0 {
                let bit = left.trailing_zeros() as usize;
                let card = *self.cards.get(number * u64::BITS as usize + bit)?;
                let copies = self.places.get(card.index()).copied().flatten()?.all;
                zone.bag.insert(card, (left & copies).count_ones());
                left &= !(copies | 1 << bit);
            }
        }
        let known = bytes.get(BAG + self.words * 8..)?.get(..word(0)? as usize * 2)?;
        zone.known.extend(
            known.rchunks_exact(2).filter_map(|id| id.first_chunk()).map(|id| PieceId(u16::from_le_bytes(*id))),
        );
        Some(zone)
    }
}

impl State {
    /// Writes the contents of its zones, and its face-down cards. Returns `None` if they do not fit.
    pub fn write_zones(&self, at: &ZoneBytes, bytes: &mut [u8]) -> Option<()> {
        for (zone, bytes) in self.contents.zones.iter().zip(bytes.chunks_exact_mut(at.zone)) {
            at.write(zone, bytes)?;
        }
        bytes.get_mut(at.faces()..)?.fill(0);
        let mut known = 0_u64;
        for (cell, face) in &self.contents.faces {
            let face = face.unknown().map_or(KNOWN, |zone| zone.0 + 1);
            known += u64::from(face == KNOWN);
            *bytes.get_mut(at.faces() + cell.index() * 2..)?.first_chunk_mut()? = face.to_le_bytes();
        }
        *bytes.get_mut(at.down()..)?.first_chunk_mut()? = known.to_le_bytes();
        Some(())
    }

    /// Takes the zones that were changed, and the unknown face-down cards, from what [`Self::write_zones`] has written. What
    /// only others than rules look at is not known then: where the card went that was drawn last, and in which order cards
    /// were dealt to the board.
    pub fn take_zones(&mut self, at: &ZoneBytes, bytes: &[u8]) {
        for number in 0..at.zones {
            let zone = at.of_zone(bytes, number).and_then(|bytes| at.read(bytes));
            if let Some(zone) = zone
                && let Some(slot) = self.zone_mut(ZoneId::at(number))
            {
                *slot = zone;
            }
        }
        self.keep_cards();
        self.arrival = None;
        let faces = bytes.get(at.faces()..).and_then(|rest| rest.get(..2 * at.cells)).unwrap_or_default();
        // Few games have such cards, and open boards have thousands of cells.
        if self.contents.faces.is_empty() && faces.iter().all(|byte| *byte == 0) {
            return;
        }
        let faces = faces.chunks_exact(2).filter_map(|face| face.first_chunk()).map(|face| u16::from_le_bytes(*face));
        for (cell, face) in faces.enumerate().map(|(at, face)| (Cell::at(at), face)) {
            let now = match face {
                KNOWN => continue,
                face => face.checked_sub(1).map(|zone| Face::Unknown(ZoneId(zone))),
            };
            if self.contents.faces.get(&cell) == now.as_ref() {
                continue;
            }
            self.shuffles.dealt.retain(|(_, other)| *other != cell);
            match now {
                Some(face) => {
                    self.shuffles.dealt.extend(face.unknown().map(|zone| (zone, cell)));
                    self.contents.faces.insert(cell, face);
                }
                None => drop(self.contents.faces.remove(&cell)),
            }
        }
    }
}
