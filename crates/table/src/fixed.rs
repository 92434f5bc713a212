//! The part of a state that has a fixed place among its bytes: the pieces on the board, and the values of flags, counters
//! and properties. A copy of a state is a copy of these bytes.

use std::collections::BTreeSet;
use std::hash::{Hash as _, Hasher};
use std::sync::{Arc, OnceLock};

use super::looks::Change;
use super::numbers::{read_varint, varint};
use super::{
    Board, Cell, Cells, Kind, PieceId, PlayerId, Property, PropertyId, PropertyKind, Schema, Value, text_weight,
};
use referee_diagnostic::MustBe as _;

/// The size in bytes of the number of a piece or of a cell. Each is one more than its id; 0 is none.
const ID: usize = 2;
/// The size in bytes of a word of a set of cells, and of a value.
const WORD: usize = 8;

/// Where the parts are. It follows from the declarations of the game and the board.
///
/// | part | for | bytes each |
/// |---|---|---|
/// | the piece there | each slot of the board | 2 |
/// | the cell nearest `a1` | each single piece | 2 |
/// | the cells, one bit for each slot | each piece with `many` | 8 for 64 slots |
/// | the value, the number of a word, or a bit for each of small numbers | each owner of each property | 8, and 1 for the sort |
#[derive(Debug)]
pub struct StateBytes {
    slots: usize,
    places: usize,
    sets: usize,
    values: usize,
    sorts: usize,
    size: usize,
    /// The number of words in a set.
    words: usize,
    /// For each piece the number of its set; `None` for single pieces.
    set_of: Vec<Option<usize>>,
    /// For each property the number of its first value, and the number of its owners.
    owned: Vec<(usize, usize)>,
    /// For each property the strings of which its value is one, by their numbers in its declaration; none for others.
    texts: Vec<Vec<Value>>,
    /// The number of values of all properties.
    count: usize,
    /// The bytes of an empty board with every property at its beginning.
    first: Vec<u8>,
    /// For each word behind what lies on each cell the bits that decide how play goes on: not those of the values that rules cannot
    /// read, which all fit into a word.
    decisive: Vec<u64>,
    /// The same for the bits in which positions differ: not those of records and of clocks.
    of_position: Vec<u64>,
}

impl StateBytes {
    /// The sort of a value that is a set of numbers from 0 to [`Self::MOST_IN_SET`]: each is a bit of the word.
    pub const NUMBERS: u8 = sort::NUMBERS;
    /// The sort of a value that is one of the words of its property: the number of the word in the declaration.
    pub const WORD: u8 = sort::WORD;
    /// The sort of a value that is not among the bytes.
    pub const LARGE: u8 = sort::LARGE;
    /// The largest number of a set that is a word.
    pub const MOST_IN_SET: i64 = 62;

    fn of(schema: &Schema, slots: usize) -> Self {
        let whole = |size: usize| size.next_multiple_of(WORD);
        let mut many = 0..;
        let set_of: Vec<Option<usize>> =
            schema.pieces.iter().map(|piece| piece.many.then(|| many.next()).flatten()).collect();
        let mut values = 0;
        let mut owners = |count: usize| {
            values += count;
            (values - count, count)
        };
        let counts = schema.properties.iter().map(|property| schema.values_of(&property.owners, slots));
        let owned: Vec<(usize, usize)> = counts.map(&mut owners).collect();
        let words = slots.div_ceil(u64::BITS as usize);
        let places = whole(slots * ID);
        let sets = places + whole(set_of.len() * ID);
        let at_values = sets + set_of.iter().flatten().count() * words * WORD;
        let sorts = at_values + values * WORD;
        let size = sorts + whole(values);
        let (mut first, mut deciding, mut differing) = (vec![0; size], vec![u8::MAX; size], vec![u8::MAX; size]);
        let texts: Vec<Vec<Value>> = schema.properties.iter().map(texts_of).collect();
        for ((property, (from, count)), texts) in schema.properties.iter().zip(&owned).zip(&texts) {
            let (sort, word) = written(&property.initial, texts);
            debug_assert_ne!(sort, sort::LARGE, "a property begins with a value that fits into a word");
            for number in *from..from + count {
                first.get_mut(sorts + number).into_iter().for_each(|slot| *slot = sort);
                let slot = first.get_mut(at_values + number * WORD..).and_then(|slot| slot.first_chunk_mut());
                slot.into_iter().for_each(|slot| *slot = word.to_le_bytes());
                let leave_out = |bytes: &mut Vec<u8>| {
                    for place in (at_values + number * WORD..).take(WORD).chain([sorts + number]) {
                        bytes.get_mut(place).into_iter().for_each(|byte| *byte = 0);
                    }
                };
                if property.is_record() {
                    leave_out(&mut deciding);
                }
                if property.is_beside_positions() {
                    leave_out(&mut differing);
                }
            }
        }
        let (count, values) = (values, at_values);
        let words_of = |bytes: Vec<u8>| {
            let bytes = bytes.get(places..).unwrap_or_default().as_chunks().0;
            bytes.iter().map(|word| u64::from_le_bytes(*word)).collect()
        };
        let (decisive, of_position) = (words_of(deciding), words_of(differing));
        Self {
            slots,
            places,
            sets,
            values,
            sorts,
            size,
            words,
            set_of,
            owned,
            texts,
            count,
            first,
            decisive,
            of_position,
        }
    }

    /// Returns how many bytes there are.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// Returns where the cell of a single piece is.
    #[must_use]
    pub const fn place_at(&self, piece: PieceId) -> usize {
        self.places + piece.index() * ID
    }

    /// Returns where the set of a piece with `many` begins; `None` for a single piece.
    #[inline]
    #[must_use]
    pub fn many_at(&self, piece: PieceId) -> Option<usize> {
        let number = (*self.set_of.get(piece.index())?)?;
        Some(self.sets + number * self.words * WORD)
    }

    /// Returns where the value of a property is, by the place of its owner, and where its sort is.
    #[must_use]
    pub fn value_at(&self, property: PropertyId, place: usize) -> Option<(usize, usize)> {
        let number = self.value(property, place)?;
        Some((self.values + number * WORD, self.sorts + number))
    }

    /// Appends in which words the bytes of a state differ from those at first: how many words further each is, a bit for each
    /// byte that differs, and these bytes; then a 0. What lies on each cell is left out, as it follows from where the pieces are,
    /// and so are records, which decide nothing.
    pub(super) fn append_changes(&self, bytes: &[u8], changes: &mut Vec<u8>) {
        let [words, at_first] = [bytes, &self.first].map(|bytes| bytes.get(self.places..).unwrap_or_default());
        let [words, at_first] = [words, at_first].map(|bytes| bytes.as_chunks::<WORD>().0);
        let mut behind = 0;
        for (at, ((word, first), decisive)) in words.iter().zip(at_first).zip(&self.decisive).enumerate() {
            let (word, first) = (u64::from_le_bytes(*word), u64::from_le_bytes(*first));
            let mut differ = (word ^ first) & decisive;
            if differ == 0 {
                continue;
            }
            varint((at + 1 - behind) as u64, changes);
            behind = at + 1;
            // The bytes that differ, one after the other, in one word.
            let (mut mask, mut packed, mut count) = (0_u8, 0, 0);
            while differ != 0 {
                let bit = differ.trailing_zeros() & !7;
                let byte = 0xff << bit;
                mask |= 1 << (bit / 8);
                packed |= (word & byte) >> bit << (8 * count);
                differ &= !byte;
                count += 1;
            }
            changes.push(mask);
            changes.extend_from_slice(packed.to_le_bytes().get(..count).unwrap_or_default());
        }
        changes.push(0);
    }

    /// Sets the values that rules cannot read to those at first.
    fn reset_records(&self, bytes: &mut [u8]) {
        self.reset(&self.decisive, bytes);
    }

    /// Sets the values that are no part of a position to those at first: records and clocks.
    fn reset_beside(&self, bytes: &mut [u8]) {
        self.reset(&self.of_position, bytes);
    }

    /// Sets all bits to those at first but these, for each word behind what lies on each cell.
    fn reset(&self, but: &[u64], bytes: &mut [u8]) {
        let words = bytes.get_mut(self.places..).unwrap_or_default().as_chunks_mut::<WORD>().0;
        let at_first = self.first.get(self.places..).unwrap_or_default().as_chunks().0;
        for ((word, first), own) in words.iter_mut().zip(at_first).zip(but) {
            let kept = u64::from_le_bytes(*word) & own;
            *word = (kept | u64::from_le_bytes(*first) & !own).to_le_bytes();
        }
    }

    /// Reads what [`Self::append_changes`] has appended for a state on this board, with pieces of these sizes, and goes on behind
    /// it. Returns the bytes of the state, with records as at first; `None` if there is no such state.
    pub(super) fn with_changes(&self, (board, sizes): (&Board, &[(u8, u8)]), changes: &mut &[u8]) -> Option<Vec<u8>> {
        let mut bytes = self.first.clone();
        let mut at = self.places;
        loop {
            let further = usize::try_from(read_varint(changes)?).ok()?;
            let Some(skipped) = further.checked_sub(1) else { break };
            at = at.checked_add(skipped.checked_mul(WORD)?)?;
            let (differ, rest) = changes.split_first()?;
            *changes = rest;
            for (bit, byte) in bytes.get_mut(at..)?.first_chunk_mut::<WORD>()?.iter_mut().enumerate() {
                if differ >> bit & 1 == 1 {
                    let (changed, rest) = changes.split_first()?;
                    (*byte, *changes) = (*changed, rest);
                }
            }
            at += WORD;
        }
        self.lay_out(board, sizes, &mut bytes)?;
        Some(bytes)
    }

    /// Puts the pieces on their cells, as it follows from where they are; `None` if a piece does not fit.
    fn lay_out(&self, board: &Board, sizes: &[(u8, u8)], bytes: &mut [u8]) -> Option<()> {
        let (cells, pieces) = bytes.split_at_mut_checked(self.places)?;
        let mut occupy = |cell: usize, piece: usize| {
            let slot = cells.get_mut(cell * ID..).filter(|_| cell < self.slots)?.first_chunk_mut()?;
            *slot = u16::try_from(piece + 1).ok()?.to_le_bytes();
            Some(())
        };
        for (piece, set) in self.set_of.iter().enumerate() {
            if let Some(set) = set {
                let from = self.sets - self.places + set * self.words * WORD;
                let words = pieces.get(from..from + self.words * WORD)?.as_chunks::<WORD>().0;
                for (number, word) in words.iter().enumerate() {
                    let mut left = u64::from_le_bytes(*word);
                    while left != 0 {
                        occupy(number * u64::BITS as usize + left.trailing_zeros() as usize, piece)?;
                        left &= left - 1;
                    }
                }
            } else if let Some(cell) = u16::from_le_bytes(*pieces.get(piece * ID..)?.first_chunk()?).checked_sub(1) {
                let size = sizes.get(piece).copied().unwrap_or((1, 1));
                if size == (1, 1) {
                    occupy(cell.into(), piece)?;
                } else {
                    let covered = board.footprint(Cell(cell.into()), size)?;
                    covered.iter().try_for_each(|cell| occupy(cell.index(), piece))?;
                }
            }
        }
        Some(())
    }

    /// Returns the strings of which the value of a property is one, by their numbers; none if its values are others.
    #[must_use]
    pub fn texts(&self, property: PropertyId) -> &[Value] {
        self.texts.get(property.index()).map_or(&[], Vec::as_slice)
    }

    /// Returns the strings of which the value with a number is one.
    fn texts_at(&self, number: usize) -> &[Value] {
        let property = self.owned.partition_point(|(first, count)| first + count <= number);
        self.texts(PropertyId::at(property))
    }

    /// Returns how many values a property has.
    pub(super) fn owners_of(&self, property: PropertyId) -> usize {
        self.owned.get(property.index()).map_or(0, |(_, count)| *count)
    }

    /// Returns the number of the value of a property, by the place of its owner.
    #[inline]
    pub(super) fn value(&self, property: PropertyId, place: usize) -> Option<usize> {
        let (first, count) = *self.owned.get(property.index())?;
        (place < count).then_some(first + place)
    }
}

/// Where the parts of the states of a table are among their bytes; found on first use. It follows from the rest of the
/// table, so it makes no difference between two.
#[derive(Debug, Default)]
pub struct Places(OnceLock<Arc<StateBytes>>);

impl Clone for Places {
    /// Each thread has a table of its own. They would wait for each other to count who shares this.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Places {
    pub(super) fn of(&self, schema: &Schema, slots: usize) -> &Arc<StateBytes> {
        self.0.get_or_init(|| Arc::new(StateBytes::of(schema, slots)))
    }
}

impl PartialEq for Places {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Places {}

/// The sorts of values that fit into a word.
mod sort {
    pub(super) const NOTHING: u8 = 0;
    pub(super) const TRUTH: u8 = 1;
    pub(super) const NUMBER: u8 = 2;
    pub(super) const PLAYER: u8 = 3;
    pub(super) const PIECE: u8 = 4;
    pub(super) const CELL: u8 = 5;
    /// A set of small numbers, each a bit.
    pub(super) const NUMBERS: u8 = 6;
    /// Any other value, which is beside the bytes.
    pub(super) const LARGE: u8 = 7;
    /// One of the words of a property, by its number.
    pub(super) const WORD: u8 = 8;
}

/// Returns a set of small numbers as bits; `None` if it has other values.
fn bits_of(set: &BTreeSet<Value>) -> Option<u64> {
    set.iter().try_fold(0, |bits, value| match value {
        Value::Int(number @ 0..=StateBytes::MOST_IN_SET) => Some(bits | 1 << number),
        _ => None,
    })
}

/// Returns the words of a property whose values are words, if each is as small as a number is.
fn texts_of(property: &Property) -> Vec<Value> {
    match &property.kind {
        PropertyKind::Value(Kind::Word(words)) if words.iter().all(|word| text_weight(word) == 1) => {
            words.iter().map(|word| Value::text(word)).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the sort of a value and its word, if it may be one of these strings; that of a value that does not fit is 0.
fn written(value: &Value, texts: &[Value]) -> (u8, u64) {
    match value {
        Value::Text(_) => match texts.iter().position(|text| text == value) {
            Some(number) => (sort::WORD, number as u64),
            None => (sort::LARGE, 0),
        },
        Value::Nothing => (sort::NOTHING, 0),
        Value::Bool(truth) => (sort::TRUTH, (*truth).into()),
        Value::Int(number) => (sort::NUMBER, number.cast_unsigned()),
        Value::Player(player) => (sort::PLAYER, player.0.into()),
        Value::Piece(piece) => (sort::PIECE, piece.0.into()),
        Value::Cell(cell) => (sort::CELL, cell.0.into()),
        Value::Set(set) => bits_of(set).map_or((sort::LARGE, 0), |bits| (sort::NUMBERS, bits)),
        _ => (sort::LARGE, 0),
    }
}

/// Returns the value of a sort with a word, which may be one of these strings; `None` if it is a set, or does not fit into a word.
#[inline]
fn small(sort: u8, word: u64, texts: &[Value]) -> Option<Value> {
    // Each word was written for a value of its sort.
    let (id, short) = (word as u32, word as u16);
    Some(match sort {
        sort::NOTHING => Value::Nothing,
        sort::TRUTH => Value::Bool(word != 0),
        sort::NUMBER => Value::Int(word.cast_signed()),
        sort::PLAYER => Value::Player(PlayerId(short as u8)),
        sort::PIECE => Value::Piece(PieceId(short)),
        sort::CELL => Value::Cell(Cell(id)),
        sort::WORD => return texts.get(id as usize).cloned(),
        _ => return None,
    })
}

/// Returns the set of numbers whose bits are set.
fn numbers_in(bits: u64) -> BTreeSet<Value> {
    (0..=StateBytes::MOST_IN_SET).filter(|number| bits >> number & 1 == 1).map(Value::Int).collect()
}

/// The bytes of a state, and the values that do not fit into them.
#[derive(Clone, Debug)]
pub(super) struct Fixed {
    at: Arc<StateBytes>,
    bytes: Vec<u8>,
    /// The values larger than a word by their numbers, sorted.
    large: Vec<(u32, Value)>,
    /// Whether changes are noted, and those that were.
    notes: bool,
    changes: Vec<Change>,
}

impl PartialEq for Fixed {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes && self.large == other.large
    }
}

impl Eq for Fixed {}

impl Fixed {
    /// Returns those of an empty board, with every property at its beginning.
    pub(super) fn new(at: &Arc<StateBytes>) -> Self {
        Self { bytes: at.first.clone(), at: Arc::clone(at), large: Vec::new(), notes: false, changes: Vec::new() }
    }

    /// Returns those of a state that is to be replaced.
    pub(super) fn hollow(&self) -> Self {
        Self { at: Arc::clone(&self.at), bytes: Vec::new(), large: Vec::new(), notes: false, changes: Vec::new() }
    }

    /// Returns those with these bytes and these values that do not fit into a word, sorted by their numbers; `None` if the two do
    /// not belong together.
    pub(super) fn of_parts(at: &Arc<StateBytes>, bytes: Vec<u8>, large: Vec<(u32, Value)>) -> Option<Self> {
        let (sorts, behind) = bytes.get(at.sorts..at.size)?.split_at_checked(at.count)?;
        let wanted = sorts.iter().zip(0..).filter(|(sort, _)| **sort == sort::LARGE).map(|(_, number)| number);
        let fits = wanted.eq(large.iter().map(|(number, _)| *number)) && behind.iter().all(|byte| *byte == 0);
        fits.then(|| Self { at: Arc::clone(at), bytes, large, notes: false, changes: Vec::new() })
    }

    /// Returns the values that do not fit into a word, by their numbers.
    pub(super) fn large_values(&self) -> &[(u32, Value)] {
        &self.large
    }

    /// Returns how many values the properties have together, each value with what it consists of.
    pub(super) fn weight(&self) -> u64 {
        let properties = (0..self.at.owned.len()).map(PropertyId::at);
        let in_sets: u64 = properties.map(|property| self.count_in_sets(property)).sum();
        let large = self.large.iter().map(|(_, value)| value.weight().saturating_sub(1));
        large.fold(self.at.count as u64 + in_sets, u64::saturating_add)
    }

    /// Sets the values that rules cannot read to those at first.
    pub(super) fn reset_records(&mut self) {
        self.at.reset_records(&mut self.bytes);
    }

    /// Notes changes from now on. Returns how many are noted already.
    pub(super) fn note_changes(&mut self) -> usize {
        self.notes = true;
        self.changes.len()
    }

    /// Takes back the changes after so many, the last first. If it is the `last` time, nothing is noted any more.
    pub(super) fn take_back(&mut self, noted: usize, last: bool) {
        self.notes = false;
        let mut changes = std::mem::take(&mut self.changes);
        for change in changes.drain(noted.min(changes.len())..).rev() {
            match change {
                Change::Word(at, word) => self.set_word(at, word),
                Change::Large(number, before) => {
                    let at = self.large.binary_search_by_key(&number, |(number, _)| *number);
                    match (at, before) {
                        (Ok(at), Some(before)) => {
                            self.large.get_mut(at).into_iter().for_each(|slot| slot.1 = before.clone());
                        }
                        (Ok(at), None) => drop(self.large.remove(at)),
                        (Err(at), Some(before)) => self.large.insert(at, (number, before)),
                        (Err(_), None) => {}
                    }
                }
            }
        }
        self.changes = changes;
        self.notes = !last;
    }

    /// Notes the word with the byte at a place before it changes.
    #[inline]
    fn note_word(&mut self, at: usize) {
        if self.notes {
            let at = at / WORD * WORD;
            self.changes.push(Change::Word(at, self.word(at)));
        }
    }

    /// Notes the words that other bytes change.
    fn note_words(&mut self, bytes: &[u8]) {
        if !self.notes {
            return;
        }
        let words = self.bytes.as_chunks::<WORD>().0.iter().zip(bytes.as_chunks::<WORD>().0);
        let others = words.enumerate().filter(|(_, (word, other))| word != other);
        self.changes.extend(others.map(|(at, (word, _))| Change::Word(at * WORD, u64::from_le_bytes(*word))));
    }

    /// Notes a value that does not fit into a word, or is not there, before it changes.
    fn note_large(&mut self, number: u32) {
        if !self.notes {
            return;
        }
        let at = self.large.binary_search_by_key(&number, |(number, _)| *number).ok();
        let before = at.and_then(|at| self.large.get(at)).map(|(_, value)| value.clone());
        self.changes.push(Change::Large(number, before));
    }

    /// Sets the values that are no part of a position to those at first: records and clocks.
    pub(super) fn reset_beside(&mut self) {
        self.at.reset_beside(&mut self.bytes);
    }

    /// Gives a hasher what decides a position, without records and clocks: what lies on each cell follows from where the pieces are.
    pub(super) fn hash_position(&self, hasher: &mut impl Hasher) {
        let words = self.bytes.get(self.at.places..).unwrap_or_default().as_chunks().0;
        for (word, own) in words.iter().zip(&self.at.of_position) {
            hasher.write_u64(u64::from_le_bytes(*word) & own);
        }
        self.large.hash(hasher);
    }

    /// Returns where its parts are.
    pub(super) const fn at_places(&self) -> &Arc<StateBytes> {
        &self.at
    }

    /// Returns the bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns whether there are values beside the bytes.
    pub(super) const fn has_large(&self) -> bool {
        !self.large.is_empty()
    }

    /// Replaces the bytes. Returns `false`, with nothing done, if there is another number of them.
    pub(super) fn take_bytes(&mut self, bytes: &[u8]) -> bool {
        let fits = self.bytes.len() == bytes.len();
        if fits {
            self.note_words(bytes);
            self.bytes.copy_from_slice(bytes);
        }
        fits
    }

    /// Sets the value with a number to the image of another one; `None` if that does not fit into a word.
    pub(super) fn set_image(
        &mut self,
        to: usize,
        (other, number): (&Self, usize),
        image: impl Fn(&Value) -> Value,
    ) -> Option<()> {
        let mut word = other.word(other.at.values + number * WORD);
        let sort = *other.bytes.get(other.at.sorts + number)?;
        if matches!(sort, sort::PLAYER | sort::PIECE | sort::CELL) {
            word = written(&image(&small(sort, word, &[])?), &[]).1;
        }
        // The image of a word is the same word.
        if sort == sort::WORD && other.at.texts_at(number) != self.at.texts_at(to) {
            return None;
        }
        self.set_word(self.at.values + to * WORD, word);
        *self.bytes.get_mut(self.at.sorts + to)? = sort;
        (sort != sort::LARGE).then_some(())
    }

    /// Puts the pieces on their cells, as it follows from where they are; `None` if a piece does not fit.
    pub(super) fn lay_out(&mut self, board: &Board, sizes: &[(u8, u8)]) -> Option<()> {
        self.at.lay_out(board, sizes, &mut self.bytes)
    }

    /// Returns the number of pieces.
    pub(super) fn pieces(&self) -> usize {
        self.at.set_of.len()
    }

    #[inline]
    fn id(&self, at: usize) -> Option<u16> {
        let bytes = self.bytes.get(at..)?.first_chunk()?;
        u16::from_le_bytes(*bytes).checked_sub(1)
    }

    /// Sets a number; returns `None` if there is no such place.
    #[inline]
    fn set_id(&mut self, at: usize, id: Option<u16>) -> Option<()> {
        self.note_word(at);
        let bytes = self.bytes.get_mut(at..)?.first_chunk_mut()?;
        *bytes = id.map_or(0, |id| id.saturating_add(1)).to_le_bytes();
        Some(())
    }

    #[inline]
    fn word(&self, at: usize) -> u64 {
        let bytes = self.bytes.get(at..).and_then(|bytes| bytes.first_chunk());
        bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }

    #[inline]
    fn set_word(&mut self, at: usize, word: u64) {
        self.note_word(at);
        let bytes = self.bytes.get_mut(at..).and_then(|bytes| bytes.first_chunk_mut());
        bytes.noted("a word of a state").into_iter().for_each(|bytes| *bytes = word.to_le_bytes());
    }

    /// Returns the piece on a cell.
    #[inline]
    pub(super) fn at(&self, cell: Cell) -> Option<PieceId> {
        if cell.index() >= self.at.slots {
            return None;
        }
        self.id(cell.index() * ID).map(PieceId)
    }

    /// Sets which piece is on a cell.
    #[inline]
    pub(super) fn occupy(&mut self, cell: Cell, piece: Option<PieceId>) {
        let is_there = cell.index() < self.at.slots;
        let set = is_there.then(|| self.set_id(cell.index() * ID, piece.map(|piece| piece.0)));
        set.flatten().noted("a cell of the board");
    }

    /// Returns the cell nearest `a1` that a single piece covers.
    #[inline]
    pub(super) fn place(&self, piece: PieceId) -> Option<Cell> {
        if piece.index() >= self.at.set_of.len() {
            return None;
        }
        self.id(self.at.places + piece.index() * ID).map(|cell| Cell(cell.into()))
    }

    /// Sets where a single piece is.
    pub(super) fn set_place(&mut self, piece: PieceId, cell: Option<Cell>) {
        let cell = cell.map(|cell| u16::try_from(cell.0).ok().or_missing("the number of a cell", 0));
        let is_there = piece.index() < self.at.set_of.len();
        let at = self.at.places + piece.index() * ID;
        is_there.then(|| self.set_id(at, cell)).flatten().noted("the place of a piece");
    }

    /// Returns where the set of a piece with `many` begins.
    #[inline]
    fn set_at(&self, piece: PieceId) -> Option<usize> {
        self.at.many_at(piece)
    }

    fn words(&self, at: usize) -> impl Iterator<Item = u64> + Clone + use<'_> {
        (0..self.at.words).map(move |number| self.word(at + number * WORD))
    }

    /// Returns all cells of a piece with `many`; `None` for a single piece.
    #[inline]
    pub(super) fn many(&self, piece: PieceId) -> Option<Cells> {
        Some(Cells::of_words(self.at.slots, self.words(self.set_at(piece)?)))
    }

    /// Adds all cells of a piece with `many`.
    #[inline]
    pub(super) fn add_many(&self, piece: PieceId, cells: &mut Cells) {
        if let Some(at) = self.set_at(piece) {
            cells.add_words(self.words(at));
        }
    }

    /// Returns whether there is no piece with this name; for a single piece, `true`.
    pub(super) fn is_none(&self, piece: PieceId) -> bool {
        self.set_at(piece).is_none_or(|at| self.words(at).all(|word| word == 0))
    }

    /// Returns the number of cells of a piece with `many`.
    pub(super) fn count(&self, piece: PieceId) -> u64 {
        self.set_at(piece).map_or(0, |at| self.words(at).map(|word| u64::from(word.count_ones())).sum())
    }

    /// Adds a cell to those of a piece with `many`, or removes it.
    #[inline]
    pub(super) fn set_one(&mut self, piece: PieceId, cell: Cell, is_there: bool) {
        let Some(at) = self.set_at(piece).filter(|_| cell.index() < self.at.slots).noted("the cells of a piece") else {
            return;
        };
        let at = at + cell.index() / u64::BITS as usize * WORD;
        let bit = 1 << (cell.0 % u64::BITS);
        let word = self.word(at);
        self.set_word(at, if is_there { word | bit } else { word & !bit });
    }

    /// Replaces the cells of a piece with `many`.
    pub(super) fn set_many(&mut self, piece: PieceId, cells: &Cells) {
        let Some(at) = self.set_at(piece).noted("the cells of a piece") else { return };
        for (number, word) in (0..self.at.words).zip(cells.words().chain(std::iter::repeat(0))) {
            self.set_word(at + number * WORD, word);
        }
    }

    /// Returns the value of a property, by the place of its owner, if it fits into a word; `None` also if the owner does
    /// not have it.
    #[inline]
    pub(super) fn small(&self, property: PropertyId, place: usize) -> Option<Value> {
        let number = self.at.value(property, place)?;
        let word = self.word(self.at.values + number * WORD);
        small(*self.bytes.get(self.at.sorts + number)?, word, self.at.texts(property))
    }

    /// Returns the value of a property, by the place of its owner, if it does not fit into a word.
    fn large(&self, property: PropertyId, place: usize) -> Option<&Value> {
        let number = u32::try_from(self.at.value(property, place)?).ok()?;
        let at = self.large.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        self.large.get(at).map(|(_, value)| value)
    }

    /// Returns the set of numbers that a property is, as bits; `None` if it is another value.
    fn numbers(&self, property: PropertyId, place: usize) -> Option<u64> {
        let number = self.at.value(property, place)?;
        let is_set = *self.bytes.get(self.at.sorts + number)? == sort::NUMBERS;
        is_set.then(|| self.word(self.at.values + number * WORD))
    }

    /// Returns the value of a property, by the place of its owner; `None` if the owner does not have it.
    pub(super) fn value(&self, property: PropertyId, place: usize) -> Option<Value> {
        self.small(property, place)
            .or_else(|| self.numbers(property, place).map(|bits| Value::Set(numbers_in(bits))))
            .or_else(|| self.large(property, place).cloned())
    }

    /// Returns whether a property is a set of numbers.
    pub(super) fn has_sets(&self) -> bool {
        self.bytes.get(self.at.sorts..).is_some_and(|sorts| sorts.contains(&sort::NUMBERS))
    }

    /// Returns how many numbers the sets have together that a property is for its owners.
    pub(super) fn count_in_sets(&self, property: PropertyId) -> u64 {
        let sets = (0..self.owners(property)).filter_map(|place| self.numbers(property, place));
        sets.map(|bits| u64::from(bits.count_ones())).sum()
    }

    /// Sets the value of a property, by the place of its owner. Returns the weight of the value before; `None` if the
    /// owner does not have it.
    pub(super) fn set_value(&mut self, property: PropertyId, place: usize, value: Value) -> Option<u64> {
        let number = self.at.value(property, place)?;
        let before = match self.numbers(property, place) {
            Some(bits) => 1 + u64::from(bits.count_ones()),
            None => self.large(property, place).map_or(1, Value::weight),
        };
        let (kind, word) = written(&value, self.at.texts(property));
        self.note_word(self.at.sorts + number);
        let slot = self.bytes.get_mut(self.at.sorts + number)?;
        let was_large = std::mem::replace(slot, kind) == sort::LARGE;
        self.set_word(self.at.values + number * WORD, word);
        if was_large || kind == sort::LARGE {
            let number = u32::try_from(number).ok()?;
            self.note_large(number);
            match self.large.binary_search_by_key(&number, |(number, _)| *number) {
                Ok(at) if kind == sort::LARGE => {
                    self.large.get_mut(at).into_iter().for_each(|slot| slot.1 = value.clone())
                }
                Ok(at) => drop(self.large.remove(at)),
                Err(at) => self.large.insert(at, (number, value)),
            }
        }
        Some(before)
    }

    /// Returns the number of owners of a property.
    pub(super) fn owners(&self, property: PropertyId) -> usize {
        self.at.owners_of(property)
    }

    /// Returns the values of a property, one for each owner.
    pub(super) fn values(&self, property: PropertyId) -> impl ExactSizeIterator<Item = Value> + '_ {
        (0..self.owners(property)).map(move |place| self.value(property, place).unwrap_or_default())
    }
}
