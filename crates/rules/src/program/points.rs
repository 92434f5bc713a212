//! The places of the rules whose runs are counted.

use std::sync::Arc;

use super::Program;
use crate::layers::rules_place;
use crate::script::{Instrumented, PointKind, Script};
use referee_source::{Position, Source};

/// A place in the rules whose runs are counted.
#[derive(Clone, Debug)]
pub struct Point {
    /// The script.
    pub source: Arc<Source>,
    /// Where in the script.
    pub at: Position,
    /// The kind of event that is counted there.
    pub kind: PointKind,
}

impl Program {
    /// Returns the places whose runs are counted; none unless the rules were loaded so.
    #[must_use]
    pub fn points(&self) -> Arc<[Point]> {
        let point = |(kind, at): &(PointKind, rhai::Position)| {
            let label = self.label(rules_place(*at))?;
            let at = label.source.position(label.span.start);
            Some(Point { source: label.source, at, kind: kind.clone() })
        };
        Arc::clone(
            self.points
                .get_or_init(|| self.counted.iter().flat_map(|counted| &counted.points).filter_map(point).collect()),
        )
    }

    /// Returns the script as it runs, and the number of its points, if runs are counted.
    pub(super) fn running(&self) -> (&Script, Option<usize>) {
        Instrumented::or(self.counted.as_ref(), &self.script)
    }

    /// Lets compiled rules play a game: what they count is added, and nothing is if they give it up.
    pub fn counting<T>(&self, play: impl FnOnce() -> Option<T>) -> Option<T> {
        if self.counted.is_none() {
            return play();
        }
        let before = self.code.borrow().runs.clone();
        let played = play();
        let more = self.compiled.borrow_mut().as_mut().map(|rules| rules.running.take_runs());
        let mut code = self.code.borrow_mut();
        match &played {
            Some(_) => code.runs.add(&more.unwrap_or_default()),
            None => code.runs = before,
        }
        played
    }

    /// Runs the rules for something that is no play: nothing of that counts.
    pub fn uncounted<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = self.code.borrow().runs.clone();
        let done = work();
        self.code.borrow_mut().runs = before;
        done
    }

    /// Returns the number of runs of each point since the last call, in the order of [`Program::points`].
    #[must_use]
    pub fn take_counts(&self) -> Vec<u64> {
        self.code.borrow().runs.take()
    }
}
