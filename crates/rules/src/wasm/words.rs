//! The words of the memory, as the host reads and writes them.

/// Compiled rules are given up: they are to be run by the machine, from the beginning of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GaveUp;

pub(super) fn word(bytes: &[u8], at: u32) -> Option<u32> {
    bytes.get(at as usize..)?.first_chunk().map(|word| u32::from_le_bytes(*word))
}

pub(super) fn long(bytes: &[u8], at: u32) -> Option<i64> {
    bytes.get(at as usize..)?.first_chunk().map(|long| i64::from_le_bytes(*long))
}

pub(super) fn set_word(bytes: &mut [u8], at: u32, word: u32) -> Option<()> {
    *bytes.get_mut(at as usize..)?.first_chunk_mut()? = word.to_le_bytes();
    Some(())
}

pub(super) fn set_long(bytes: &mut [u8], at: u32, long: i64) -> Option<()> {
    *bytes.get_mut(at as usize..)?.first_chunk_mut()? = long.to_le_bytes();
    Some(())
}
