//! Calls of functions whose results are remembered.

use std::sync::Arc;

use super::arguments::Key;
use super::fixed::Fixed;
use super::machine::Machine;
use super::memos::{CLAUSES, Recalled, Remembering};
use super::site::{Site, Target};
use super::window::{Register, Window};
use crate::values::{CALL_LEVELS, Val, Wrong};
use referee_table::ClauseId;

impl Machine<'_> {
    /// Puts the remembered result of a call into the register `to`. Returns `false` if the function must be called.
    ///
    /// The call counts what the run has cost that gave the result. If it could reach a limit, the function runs, so that
    /// rules stop at the same place whatever is remembered.
    #[inline(never)]
    pub(crate) fn recall(&mut self, site: &Site, to: Register, window: &mut Window<'_>) -> Result<bool, Wrong> {
        let Target::Function { function, .. } = site.callee else { return Ok(false) };
        let memos = self.code.function(function)?.memos.as_ref().filter(|memos| memos.is_worth_it());
        let Some(memos) = memos else { return Ok(false) };
        let key = Key::of(site.args.iter().map(|(at, _)| window[*at]), self.code.constants());
        let Some(key) = key.filter(|_| self.memory.level + memos.depends.depth <= CALL_LEVELS - 2) else {
            memos.was_in_vain();
            return Ok(false);
        };
        self.settle()?;
        let (arena, meter, outer) = (&mut self.memory.arena, &self.link.meter, &mut self.memory.remembering);
        let recalled = self.link.with(|session| {
            let Some(known) = memos.recall(&session.state, &key) else { return Ok(None) };
            if !meter.is_within(known.operations) || !arena.is_within(known.bytes) {
                return Ok(None);
            }
            let bytes = arena.bytes() + known.bytes;
            let value = known.result.lay(arena);
            // The run has counted what its result costs.
            arena.work().set(0);
            arena.has_grown_to(bytes);
            meter.work(known.operations);
            known.clauses.iter().for_each(|clause| session.applied(*clause));
            if let Some(outer) = outer {
                outer.apply(&known.clauses);
                outer.topics = outer.topics.and(known.seen.topics());
            }
            Ok(Some((value, known.operations)))
        })?;
        if let Some((value, operations)) = recalled {
            if let Some(recorder) = &self.code.profile {
                recorder.recalled(function, operations);
            }
            window[to] = value;
            return Ok(true);
        }
        let before = (self.link.meter.operations(), self.memory.arena.bytes());
        let frames = self.memory.frames.len();
        let outer = self.memory.remembering.take().map(Box::new);
        let (clauses, topics) = Default::default();
        self.memory.remembering = Some(Remembering { frames, key, before, clauses, topics, outer });
        Ok(false)
    }

    /// Notes a clause as applied.
    pub(crate) fn apply(&mut self, clause: ClauseId) -> Result<(), Wrong> {
        if let Some(remembering) = &mut self.memory.remembering {
            remembering.apply(&[clause]);
        }
        self.link.with(|session| {
            session.applied(clause);
            Ok(())
        })
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
        let (Some(Remembering { key, before: (operations, bytes), clauses, topics, outer, .. }), Some(memos)) =
            (self.memory.remembering.take(), &self.code.function(function)?.memos)
        else {
            return Ok(());
        };
        self.memory.remembering = outer.map(|outer| *outer);
        if let Some(outer) = &mut self.memory.remembering {
            outer.apply(&clauses);
            outer.topics = outer.topics.and(topics);
        }
        self.link.meter.work(self.memory.arena.work().take());
        let arena = &self.memory.arena;
        // What is recalled must be the same constant, or an equal value, as the run gave: keys of pauses depend on it.
        if clauses.len() <= CLAUSES
            && let Some(result) = Fixed::of(value, arena, self.code.constants())
            && let Some(operations) = self.link.meter.operations().checked_sub(operations)
            && let Some(bytes) = arena.bytes().checked_sub(bytes)
        {
            self.link.with(|session| {
                let state = &session.state;
                let (table, seen) = (Arc::clone(&state.table), state.stamps().seen(topics));
                // The position that is played comes back after the look.
                let played = (session.looks() > 0).then(|| state.stamps_before_looks());
                memos.note(Recalled { key, table, seen, result, operations, bytes, clauses }, played);
                Ok(())
            })?;
        }
        Ok(())
    }
}
