//! The room of lists that were dropped. Rules make very many short lists, and each phase drops all of its own.

use super::value::{List, Val};

/// The maximum number of empty lists, and of the items that one has room for.
const LISTS: usize = 128;
const ITEMS: usize = 64;

/// Empty lists with room for items. What it holds has no meaning for the rules.
#[derive(Debug, Default)]
pub(crate) struct Spare(Vec<Vec<Val>>);

impl Clone for Spare {
    /// A copy has no room of its own yet.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Spare {
    /// Returns an empty list.
    #[inline]
    pub(crate) fn take(&mut self) -> Vec<Val> {
        self.0.pop().unwrap_or_default()
    }

    /// Keeps the room of lists that are about to be dropped.
    pub(crate) fn keep(&mut self, lists: &mut [List]) {
        let is_useful = |list: &&mut List| (1..=ITEMS).contains(&list.items.capacity());
        let room = LISTS.saturating_sub(self.0.len());
        for list in lists.iter_mut().filter(is_useful).take(room) {
            let mut items = std::mem::take(&mut list.items);
            items.clear();
            self.0.push(items);
        }
    }
}
