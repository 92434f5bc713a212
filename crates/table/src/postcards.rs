//! Numbers and small values as postcard writes them, for states that are encoded without it.

use super::Value;

/// Appends a number as postcard does: seven bits in each byte, the lowest first, and the highest bit where more follow.
pub(super) fn varint(number: impl Into<u128>, bytes: &mut Vec<u8>) {
    let mut number: u128 = number.into();
    // Most are small, and a processor has no shift of 128 bits.
    while number > u64::MAX.into() {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    let mut number = number as u64;
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Returns a number whose sign comes last, so that small negative numbers are short as well.
pub(super) const fn signed(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)).cast_unsigned()
}

/// Appends a value as postcard does, if it fits into a word: the number of its sort, and the value.
pub(super) fn small(value: &Value, bytes: &mut Vec<u8>) -> Option<()> {
    match *value {
        Value::Nothing => bytes.push(0),
        Value::Bool(truth) => bytes.extend([1, truth.into()]),
        Value::Int(number) => {
            bytes.push(2);
            varint(signed(number), bytes);
        }
        Value::Player(player) => bytes.extend([4, player.0]),
        Value::Piece(piece) => {
            bytes.push(5);
            varint(piece.0, bytes);
        }
        Value::Cell(cell) => {
            bytes.push(6);
            varint(cell.0, bytes);
        }
        _ => return None,
    }
    Some(())
}
