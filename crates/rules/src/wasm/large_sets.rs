//! Sets of a board with very many cells, such as an open board: how they are in the memory, and what is known of them before.
//! A set is an address: the numbers of its first word and of the one behind its last, four bytes each, and the words between.
//! All other words are empty. Nobody changes a set.

use super::words::{long, word};
use referee_table::{Board, Cell, Direction};
use smallvec::SmallVec;

/// The number of words of sets up to which they are all written out.
pub(super) const MOST_WORDS: usize = 16;

/// Where its words begin.
pub(super) const HEAD: u32 = 8;

/// Tables for such sets.
#[derive(Clone, Debug)]
pub(super) struct Vast {
    /// For each direction the words of the cells onto which a step leads.
    pub(super) onto: u32,
    /// The parts of words in reading order: each the number of the word, and its cells, 8 bytes each.
    pub(super) rows: u32,
    /// For each word the first of the parts in which it is, and the one behind the last: two words of four bytes.
    pub(super) of_word: u32,
    /// The words of the cells of an open board that are too far out for a piece.
    pub(super) far: u32,
}

impl Vast {
    /// Writes the tables for a board. `place` returns the next address.
    pub(super) fn of(board: &Board, contents: &mut Vec<u8>, place: impl Fn(&mut Vec<u8>) -> u32) -> Self {
        let words = board.size().div_ceil(u64::BITS as usize);
        let onto = place(contents);
        for number in 1..=u8::try_from(board.headings().len()).unwrap_or_default() {
            let onto = board.step_of_all(Direction(number));
            let onto = onto.into_iter().flat_map(|(_, onto)| onto.words()).chain(std::iter::repeat(0));
            contents.extend(onto.take(words).flat_map(u64::to_le_bytes));
        }
        let parts = rows(board);
        let rows = place(contents);
        contents.extend(parts.iter().flat_map(|(word, cells)| [u64::from(*word), *cells]).flat_map(u64::to_le_bytes));
        let of_word = place(contents);
        contents.extend(of_words(&parts, words).into_iter().flatten().flat_map(u32::to_le_bytes));
        let far = place(contents);
        let mut outside = vec![0_u64; words];
        for cell in (0..board.size()).map(Cell::at).filter(|cell| board.is_too_far(*cell)) {
            let word = outside.get_mut((cell.0 / u64::BITS) as usize);
            word.into_iter().for_each(|word| *word |= 1 << (cell.0 % u64::BITS));
        }
        contents.extend(outside.into_iter().flat_map(u64::to_le_bytes));
        Self { onto, rows, of_word, far }
    }
}

/// Returns for each word the numbers of the first part in which it is and of the one behind the last; those of all parts if words that
/// follow one another are not in such parts.
fn of_words(parts: &[(u32, u64)], words: usize) -> Vec<[u32; 2]> {
    let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let of_word = |word: usize| {
        let is_of_word = |(other, _): &(u32, u64)| *other as usize == word;
        let last = parts.iter().rposition(is_of_word)?;
        Some([number(parts.iter().position(is_of_word)?), number(last + 1)])
    };
    let all = [0, number(parts.len())];
    let found: Vec<[u32; 2]> = (0..words).map(|word| of_word(word).unwrap_or(all)).collect();
    let falls = |pair: (&[u32; 2], &[u32; 2])| pair.0.iter().zip(pair.1).all(|(one, next)| next <= one);
    let pairs = || found.iter().zip(found.iter().skip(1));
    if pairs().all(falls) || pairs().all(|(one, next)| falls((next, one))) { found } else { vec![all; words] }
}

/// Returns a table of the rows: how many bytes are before the word, how far it is in the table to the first row of another one, and
/// the cells.
pub(super) fn table_of_rows(board: &Board) -> Vec<u8> {
    let mut table = Vec::new();
    for of_word in rows(board).chunk_by(|(one, _), (other, _)| one == other) {
        let mut further = 16 * u32::try_from(of_word.len()).unwrap_or_default();
        for (word, cells) in of_word {
            table.extend([8 * word, further].into_iter().flat_map(u32::to_le_bytes));
            table.extend(cells.to_le_bytes());
            further -= 16;
        }
    }
    table
}

/// Returns the bytes of a set with these words.
pub(super) fn bytes_of(words: &[u64]) -> Vec<u8> {
    let first = words.iter().position(|word| *word != 0).unwrap_or(0);
    let end = words.iter().rposition(|word| *word != 0).map_or(first, |last| last + 1);
    let head = [first, end].map(|number| u32::try_from(number).unwrap_or_default());
    let within = words.get(first..end).unwrap_or_default();
    head.into_iter().flat_map(u32::to_le_bytes).chain(within.iter().flat_map(|word| word.to_le_bytes())).collect()
}

/// Returns the words of the set at an address up to its last one; `None` if there is no set.
pub(super) fn words_at(bytes: &[u8], address: u32) -> Option<SmallVec<[u64; 64]>> {
    let [first, end] = [word(bytes, address)?, word(bytes, address + 4)?];
    let before = (0..first).map(|_| Some(0));
    let within = (0..end.checked_sub(first)?).map(|at| Some(long(bytes, address + HEAD + 8 * at)?.cast_unsigned()));
    before.chain(within).collect()
}

/// Returns the parts of the words of a set that are in one row, row by row from the top.
pub(super) fn rows(board: &Board) -> Vec<(u32, u64)> {
    let mut rows: Vec<(u32, u64)> = Vec::new();
    let mut last = None;
    for cell in board.reading_order(&board.every_place()) {
        let word = cell.0 / u64::BITS;
        if Some(cell) < last || rows.last().is_none_or(|(other, _)| *other != word) {
            rows.push((word, 0));
        }
        rows.last_mut().into_iter().for_each(|(_, cells)| *cells |= 1 << (cell.0 % u64::BITS));
        last = Some(cell);
    }
    rows
}
