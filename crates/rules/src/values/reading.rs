//! The work of reading values of the arena.

use smallvec::{SmallVec, smallvec};

use super::Arena;
use super::limits::{COLLECTION, TEXT};
use super::value::Val;
use super::work::BYTES;
use referee_table::{Cells, Dirs};

impl Arena {
    /// Returns the work of reading a string, or sets of cells on a large board.
    #[inline]
    pub(crate) fn width(&self, value: Val) -> usize {
        let bytes = match value {
            Val::Text(_) => self.text_of(value).map_or(0, |text| text.len()),
            Val::Cells(at) => self.cells.get(at as usize).map_or(0, Cells::bytes_beyond),
            Val::Dirs(at) => self.dirs.get(at as usize).map_or(0, Dirs::bytes_beyond),
            _ => 0,
        };
        bytes / BYTES
    }

    /// Returns about how many bytes a value has as a string; `None` if they are too many for one. As many values are looked
    /// at as for [`Self::whole`].
    pub(crate) fn written(&self, value: Val) -> Option<usize> {
        /// A short value with what separates it from others.
        const SHORT: usize = 3;
        let mut open: SmallVec<[Val; 16]> = smallvec![value];
        let (mut bytes, mut count) = (0, 0);
        while let Some(value) = open.pop() {
            match value {
                Val::Text(_) => bytes += self.text_of(value).map_or(0, |text| text.len()),
                Val::List(_) => open.extend_from_slice(self.items(value).map_or(&[], Vec::as_slice)),
                Val::Map(_) => {
                    let items = self.fields(value).map_or(&[][..], |map| map.items.as_slice());
                    bytes += items.iter().map(|(name, _)| name.len() + SHORT).sum::<usize>();
                    open.extend(items.iter().map(|(_, value)| *value));
                }
                _ => {}
            }
            count += 1;
            if bytes > TEXT || count > COLLECTION {
                break;
            }
        }
        (bytes <= TEXT).then_some((bytes + SHORT * count).min(TEXT))
    }

    /// Returns the work of reading a value with everything in it, as functions of Rhai's library do.
    pub(crate) fn whole(&self, value: Val) -> usize {
        /// A value that is read one by one takes about as long as an operation.
        const EACH: usize = 1;
        /// Rhai's library gets a map as a tree of nodes that have room for a dozen values.
        const TREE: usize = 8;
        let mut open: SmallVec<[Val; 16]> = smallvec![value];
        let mut work = 0_usize;
        let mut count = 0;
        while let Some(value) = open.pop() {
            match value {
                Val::Text(_) | Val::Cells(_) | Val::Dirs(_) => work += self.width(value),
                Val::List(_) => open.extend_from_slice(self.items(value).map_or(&[], Vec::as_slice)),
                Val::Map(_) => {
                    let items = self.fields(value).map_or(&[][..], |map| map.items.as_slice());
                    work += TREE + items.iter().map(|(name, _)| name.len() / BYTES).sum::<usize>();
                    open.extend(items.iter().map(|(_, value)| *value));
                }
                Val::Function(at) => {
                    open.extend_from_slice(
                        self.functions.get(at as usize).map_or(&[], |function| function.curry.as_slice()),
                    );
                }
                Val::Moves(at) => work += self.several.get(at as usize).map_or(0, |moves| moves.all().len()),
                _ => {}
            }
            count += 1;
            work += EACH;
            if count > COLLECTION {
                break;
            }
        }
        work - EACH
    }
}
