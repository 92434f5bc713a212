//! The machine at the marks of a profile.

use super::machine::Machine;
use super::memory::Frame;
use super::op::Op;
use super::profile::{Outer, Recorder};
use crate::values::Wrong;

impl Machine<'_> {
    /// Runs `work`, and what it does is counted for the profile, if there is one.
    #[inline]
    pub(crate) fn profiled<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, Wrong>) -> Result<T, Wrong> {
        let outer = self.code.profile.as_deref().map(|recorder| self.begin_profile(recorder));
        let done = work(self);
        if let (Some(recorder), Some(outer)) = (&self.code.profile, outer) {
            recorder.end(self.counted(), outer);
        }
        done
    }

    /// Begins a run. After a pause, the functions are where they were.
    #[cold]
    fn begin_profile(&self, recorder: &Recorder) -> Outer {
        let outer = recorder.begin(self.counted());
        let frames = &self.memory.frames;
        let first = self.first();
        for (depth, frame) in (1..).zip(frames).filter(|(_, frame)| frame.next > 0) {
            for mark in self.marks_before(frame) {
                recorder.again_at(mark, depth, first);
            }
        }
        outer
    }

    /// Returns the mark with which the function of a frame began, and the last one before its present place.
    fn marks_before(&self, frame: &Frame) -> impl Iterator<Item = u32> {
        let ops = self.code.function(frame.function).map(|function| function.ops.as_slice()).unwrap_or_default();
        let done = ops.get(..frame.next as usize).unwrap_or(ops);
        let mark = |op: &Op| if let Op::Mark { mark } = *op { Some(mark) } else { None };
        let first = done.iter().find_map(mark);
        let last = done.iter().rev().filter_map(mark).find(|mark| *mark != Recorder::BACK);
        first.into_iter().chain(last.filter(|last| Some(*last) != first))
    }

    /// Notes that the rules have come to a mark.
    #[inline(never)]
    pub(crate) fn at_mark(&self, mark: u32) {
        if let Some(recorder) = &self.code.profile {
            recorder.at_mark(mark, self.memory.frames.len(), self.first(), self.counted());
        }
    }

    /// Returns the name of the first running function.
    fn first(&self) -> &str {
        let first = self.memory.frames.first().and_then(|frame| self.code.function(frame.function).ok());
        first.map_or("", |function| &function.name)
    }

    /// Returns the operations so far, with the work that is to be counted with the next one.
    fn counted(&self) -> u64 {
        self.link.meter.spent().wrapping_add(self.memory.arena.work().get())
    }
}
