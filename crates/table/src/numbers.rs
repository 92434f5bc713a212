//! Whole numbers in as few bytes as they need, for states and keys that are encoded.

/// Appends a number: seven bits in each byte, the lowest first, and the highest bit where more follow.
pub(super) fn varint(number: impl Into<u64>, bytes: &mut Vec<u8>) {
    let mut number: u64 = number.into();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads such a number, and goes on behind it; `None` if there is none.
pub(super) fn read_varint(bytes: &mut &[u8]) -> Option<u64> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
        shift += 7;
    }
}

/// Returns a number whose sign comes last, so that small negative numbers are short as well.
pub(super) const fn signed(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)).cast_unsigned()
}
