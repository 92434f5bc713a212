//! Records of moves in the memory of compiled rules, as the host reads and makes them.

use super::heap::allocate;
use super::long_moves;
use super::value;
use super::words::{GaveUp, long, set_long, set_word, word};
use referee_table::{Cell, Cells, Move};
use smallvec::SmallVec;

/// Returns the id of a move, whose record is written if it needs one; `None` if all that are known are `plain`, and this is not.
pub(super) fn id_of_move(bytes: &mut [u8], made: &Move, plain: bool) -> Result<Option<u32>, GaveUp> {
    match (made.is_plain(), plain) {
        (true, _) => Ok(Some(value::packed(made.from(), made.to(), made.captures()))),
        (false, true) => Ok(None),
        (false, false) => put_long_move(bytes, made).map(Some),
    }
}

/// Writes the record of a move. Returns its id.
fn put_long_move(bytes: &mut [u8], made: &Move) -> Result<u32, GaveUp> {
    let steps: SmallVec<[_; 8]> = made.steps_in_full().collect();
    let count = u32::try_from(steps.len()).map_err(|_| GaveUp)?;
    let address = allocate(bytes, (long_moves::FIRST + long_moves::STEP * count) as usize)?;
    let mut all = 0;
    let mut place = address + long_moves::FIRST;
    for (to, captures, captured) in steps {
        let set = captured.iter().fold(0, |set, cell| set | 1_i64 << cell.0);
        all |= set;
        set_word(bytes, place, value::packed(Cell(0), to, captures)).ok_or(GaveUp)?;
        set_long(bytes, place + long_moves::STEP_CAPTURED, set).ok_or(GaveUp)?;
        place += long_moves::STEP;
    }
    let weight = u32::try_from(made.weight()).map_err(|_| GaveUp)?;
    let head = value::packed(made.from(), made.to(), made.captures());
    for (at, number) in [(long_moves::HEAD, head), (long_moves::STEPS, count), (long_moves::WEIGHT, weight)] {
        set_word(bytes, address + at, number).ok_or(GaveUp)?;
    }
    set_long(bytes, address + long_moves::CAPTURED, all).ok_or(GaveUp)?;
    Ok(address | long_moves::LONG.cast_unsigned())
}

/// Returns the move with an id.
pub(super) fn made_with(bytes: &[u8], id: u32) -> Result<Move, GaveUp> {
    if id.cast_signed() >= 0 {
        return Ok(value::unpacked(id));
    }
    let address = id & long_moves::ADDRESS.cast_unsigned();
    let head = value::unpacked(word(bytes, address + long_moves::HEAD).ok_or(GaveUp)?);
    let mut steps = Vec::new();
    let mut place = address + long_moves::FIRST;
    for _ in 0..word(bytes, address + long_moves::STEPS).ok_or(GaveUp)? {
        let step = value::unpacked(word(bytes, place).ok_or(GaveUp)?);
        let set = long(bytes, place + long_moves::STEP_CAPTURED).ok_or(GaveUp)?.cast_unsigned();
        let captured = Cells::of_words(u64::BITS as usize, std::iter::once(set));
        steps.push((step.to(), step.captures(), captured.iter().collect()));
        place += long_moves::STEP;
    }
    Move::of_steps(head.from(), steps.into_iter()).ok_or(GaveUp)
}
