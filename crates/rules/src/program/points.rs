//! The places of the rules whose runs are counted.

use std::sync::Arc;

use super::Program;
use crate::layers::rules_place;
use crate::vm::PointKind;
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
        let code = self.code.borrow();
        let point = |(kind, at): &(PointKind, rhai::Position)| {
            let label = self.label(rules_place(*at))?;
            let at = label.source.position(label.span.start);
            Some(Point { source: label.source, at, kind: kind.clone() })
        };
        Arc::clone(self.points.get_or_init(|| code.points.all().iter().filter_map(point).collect()))
    }

    /// Returns the number of runs of each point since the last call, in the order of [`Program::points`].
    #[must_use]
    pub fn take_counts(&self) -> Vec<u64> {
        self.code.borrow().points.take_counts()
    }
}
