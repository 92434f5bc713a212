//! Packs values into bytes, as keys that identify states.

use std::hash::Hasher;

/// Packed values: equal values of one type give equal bytes, and different values give different bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Packed(Box<[u8]>);

impl Packed {
    /// Returns the bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the number of bytes.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no bytes.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A hasher that packs the hashed values instead of hashing them. Numbers take as few bytes as they need. Each number,
/// string and list marks its end, so different sequences give different bytes.
#[derive(Clone, Debug, Default)]
pub struct Packer(Vec<u8>);

impl Packer {
    /// Returns the packed bytes.
    #[must_use]
    pub fn finish(self) -> Packed {
        Packed(self.0.into_boxed_slice())
    }

    /// Packs a number in groups of seven bits, the lowest first; the highest bit of a byte means that more follow.
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(low_bits(number) | 0x80);
            number >>= 7;
        }
        self.0.push(low_bits(number));
    }
}

/// Returns the lowest seven bits.
fn low_bits(number: u64) -> u8 {
    u8::try_from(number & 0x7f).unwrap_or(0)
}

impl Hasher for Packer {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn write_u16(&mut self, number: u16) {
        self.number(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.number(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.number(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.number(number as u64);
    }

    fn write_i64(&mut self, number: i64) {
        // The sign comes last, so that small negative numbers are short as well.
        self.number(((number << 1) ^ (number >> 63)).cast_unsigned());
    }

    fn write_isize(&mut self, number: isize) {
        self.write_i64(number as i64);
    }

    fn finish(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use std::hash::Hash;

    use super::{Packed, Packer};

    fn packed(value: impl Hash) -> Packed {
        let mut packer = Packer::default();
        value.hash(&mut packer);
        packer.finish()
    }

    #[test]
    fn different_values_take_different_bytes() {
        let numbers = [0, 1, -1, 63, 64, -64, -65, 127, 128, i64::MAX, i64::MIN];
        for one in numbers {
            for other in numbers {
                assert_eq!(packed(one) == packed(other), one == other, "{one} and {other}");
                assert_eq!(packed((one, other)) == packed((other, one)), one == other, "{one} and {other}");
            }
        }
        assert_eq!(packed(-3_i64).len(), 1);
        assert_ne!(packed(["ab", "c"]), packed(["a", "bc"]));
        assert_ne!(packed([vec![1_u16], vec![]]), packed([vec![], vec![1_u16]]));
        assert_ne!(packed((Some(0_u8), None::<u8>)), packed((None::<u8>, Some(0_u8))));
    }
}
