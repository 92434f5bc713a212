//! Calls of functions whose results are remembered.

use std::sync::Arc;

use smallvec::SmallVec;

use super::fixed::{Fixed, Memo, Recalled, Remembering, is_small};
use super::machine::Machine;
use super::site::{Site, Target};
use super::window::{Register, Window};
use crate::rules::values::{CALL_LEVELS, Val, Wrong};

impl Machine<'_> {
    /// Counts a call, and puts its remembered result into the register `to`. Returns `false` if the function must run.
    ///
    /// The call counts what the run has cost that gave the result. If it could reach a limit, the function runs, so that
    /// rules stop at the same place whatever is remembered.
    #[inline(never)]
    pub(crate) fn recall(&mut self, site: &Site, to: Register, window: &mut Window<'_>) -> Result<bool, Wrong> {
        self.tick()?;
        let Target::Function { function, .. } = site.callee else { return Ok(false) };
        let Some(memos) = &self.code.function(function)?.memos else { return Ok(false) };
        let args: SmallVec<[Val; 2]> = site.args.iter().map(|(at, _)| window[*at]).collect();
        if self.memory.level > CALL_LEVELS - 2 || !args.iter().all(is_small) {
            return Ok(false);
        }
        let (arena, meter) = (&mut self.memory.arena, &self.link.meter);
        let recalled = self.link.with(|session| {
            let known = memos.recall(&session.state.table, &args, |known| {
                let fits = meter.is_within(known.operations) && arena.is_within(known.bytes);
                fits.then(|| {
                    let bytes = arena.bytes() + known.bytes;
                    let value = known.memo.result.lay(arena);
                    arena.has_grown_to(bytes);
                    meter.work(known.operations);
                    value
                })
            });
            Ok(known.flatten())
        })?;
        if let Some(value) = recalled {
            window[to] = value;
            return Ok(true);
        }
        let before = (self.link.meter.operations(), self.memory.arena.bytes());
        self.memory.remembering = Some(Remembering { frames: self.memory.frames.len(), args, before });
        Ok(false)
    }

    /// Remembers the result of a function that has returned, if it is to be remembered.
    #[inline]
    pub(crate) fn returned(&mut self, function: u32, value: Val) -> Result<(), Wrong> {
        match &self.memory.remembering {
            Some(remembering) if remembering.frames == self.memory.frames.len() => self.note_result(function, value),
            _ => Ok(()),
        }
    }

    #[cold]
    fn note_result(&mut self, function: u32, value: Val) -> Result<(), Wrong> {
        let (Some(Remembering { args, before: (operations, bytes), .. }), Some(memos)) =
            (self.memory.remembering.take(), &self.code.function(function)?.memos)
        else {
            return Ok(());
        };
        let arena = &self.memory.arena;
        // What is recalled must be the same constant, or an equal value, as the run gave: keys of pauses depend on it.
        if let Some(result) = Fixed::of(value, arena, self.code.constants())
            && let Some(operations) = self.link.meter.operations().checked_sub(operations)
            && let Some(bytes) = arena.bytes().checked_sub(bytes)
        {
            let table = self.link.with(|session| Ok(Arc::clone(&session.state.table)))?;
            memos.note(Recalled { memo: Memo { table, args, result }, operations, bytes });
        }
        Ok(())
    }
}
