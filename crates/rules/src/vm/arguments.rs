//! Tables of remembered results, by the arguments of a call.

use crate::values::{Mark, Val};

/// The maximum number of arguments of a function whose results are remembered.
const ARGUMENTS: usize = 4;

/// Arguments, each as a number: equal numbers are equal arguments in every phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Key([u32; ARGUMENTS]);

impl Key {
    /// Returns the key of arguments; `None` if there are too many, or if one does not mean the same in every phase.
    /// Constants end at the mark.
    #[inline]
    pub(super) fn of(args: impl ExactSizeIterator<Item = Val>, constants: &Mark) -> Option<Self> {
        let mut key = Self::default();
        if args.len() > ARGUMENTS {
            return None;
        }
        for (slot, value) in key.0.iter_mut().zip(args) {
            *slot = number(value, constants);
            if *slot == 0 {
                return None;
            }
        }
        Some(key)
    }

    /// Returns its place among so many, a power of two.
    #[inline]
    pub(super) fn place(&self, places: usize) -> usize {
        const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
        let [first, second, third, fourth] = self.0.map(u64::from);
        let mixed = (first | second << 32).wrapping_mul(ODD).rotate_left(29) ^ (third | fourth << 32);
        (mixed.wrapping_mul(ODD) >> 32) as usize & places.saturating_sub(1)
    }
}

/// Returns a number for a value that means the same in every phase; 0 for any other, and for large numbers.
#[inline(always)]
fn number(value: Val, constants: &Mark) -> u32 {
    /// The number of bits for a value. Its kind is in the bits above.
    const BITS: u32 = 28;
    const HALF: i64 = 1 << (BITS - 1);
    let of = |kind: u32, bits: u32| if bits >> BITS == 0 { kind << BITS | bits } else { 0 };
    let constant = |kind: u32, at: u32, count: usize| if (at as usize) < count { of(kind, at) } else { 0 };
    match value {
        Val::Nothing => 1 << BITS,
        Val::Truth(truth) => 2 << BITS | u32::from(truth),
        Val::Number(number) => u32::try_from(number.wrapping_add(HALF)).map_or(0, |bits| of(3, bits)),
        Val::Player(player) => 4 << BITS | u32::from(player.0),
        Val::Piece(piece) => 5 << BITS | u32::from(piece.0),
        Val::Zone(zone) => 6 << BITS | u32::from(zone.0),
        Val::Cell(cell) => of(7, cell.0),
        Val::Text(at) => constant(8, at, constants.texts),
        Val::List(at) => constant(9, at, constants.lists),
        Val::Map(at) => constant(10, at, constants.maps),
        _ => 0,
    }
}

/// Puts a result in its place of a table, which has so many places at first and at most. The table grows if the place is
/// taken; if it cannot grow, the result takes the place of the earlier one.
pub(super) fn put_in_table<T>(all: &mut Vec<Option<T>>, (first, most): (usize, usize), result: T, key: fn(&T) -> &Key) {
    if all.is_empty() {
        all.resize_with(first, || None);
    }
    let is_taken = |all: &[Option<T>]| {
        let known = all.get(key(&result).place(all.len())).and_then(Option::as_ref);
        known.is_some_and(|known| key(known) != key(&result))
    };
    while all.len() < most && is_taken(all) {
        let more = all.len() * 2;
        let known = std::mem::take(all);
        all.resize_with(more, || None);
        known.into_iter().flatten().for_each(|known| put(all, known, key));
    }
    put(all, result, key);
}

/// Puts a result in its place.
fn put<T>(all: &mut [Option<T>], result: T, key: fn(&T) -> &Key) {
    let place = key(&result).place(all.len());
    if let Some(slot) = all.get_mut(place) {
        *slot = Some(result);
    }
}
