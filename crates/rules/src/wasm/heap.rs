//! Lists and maps in the memory of compiled rules, as the host reads and makes them.

use super::layout;
use super::runtime;
use super::value::{TAG_BITS, Tag};
use super::words::{GaveUp, long, set_long, set_word, word};

/// Takes room from the heap.
pub(super) fn allocate(bytes: &mut [u8], size: usize) -> Result<u32, GaveUp> {
    let top = word(bytes, layout::TOP).ok_or(GaveUp)?;
    let end = u32::try_from(size.next_multiple_of(8)).ok().and_then(|size| top.checked_add(size)).ok_or(GaveUp)?;
    if end as usize > bytes.len() {
        return Err(GaveUp);
    }
    set_word(bytes, layout::TOP, end).ok_or(GaveUp)?;
    Ok(top)
}

/// Makes a list or a map with this many items of a size, which are to be set.
pub(super) fn head(bytes: &mut [u8], count: usize, size: i32) -> Result<u32, GaveUp> {
    let size = usize::try_from(size).map_err(|_| GaveUp)?;
    let address = allocate(bytes, 16 + count * size)?;
    let count = u32::try_from(count).map_err(|_| GaveUp)?;
    for (at, value) in
        [(runtime::LENGTH, count), (runtime::ROOM, count), (runtime::ITEMS, address + 16), (runtime::SHARED, 0)]
    {
        set_word(bytes, address + at, value).ok_or(GaveUp)?;
    }
    Ok(address)
}

pub(super) fn set_item(bytes: &mut [u8], address: u32, at: usize, item: i64) -> Result<(), GaveUp> {
    let items = word(bytes, address + runtime::ITEMS).ok_or(GaveUp)?;
    set_long(bytes, items + 8 * u32::try_from(at).map_err(|_| GaveUp)?, item).ok_or(GaveUp)
}

pub(super) fn get_item(bytes: &[u8], address: u32, at: usize) -> Result<i64, GaveUp> {
    let items = word(bytes, address + runtime::ITEMS).ok_or(GaveUp)?;
    long(bytes, items + 8 * u32::try_from(at).map_err(|_| GaveUp)?).ok_or(GaveUp)
}

/// Marks a list or a map as shared, so that it is copied before a change. What is in it is shared by the copy.
pub(super) fn share(bytes: &mut [u8], wrapped: i64) {
    if Tag::of(wrapped).is_some_and(Tag::is_owned)
        && let Ok(address) = u32::try_from(wrapped >> TAG_BITS)
    {
        let _ = set_word(bytes, address + runtime::SHARED, 1);
    }
}
