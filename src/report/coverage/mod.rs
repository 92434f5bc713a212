//! Coverage as text, as JSON, as LCOV and as a table for a rulebook.

mod json;
mod lcov;
mod markdown;
mod text;

pub use json::coverage_json;
pub use lcov::coverage_lcov;
pub use markdown::coverage_markdown;
pub use text::CoverageReport;

use crate::rules::PointKind;

/// Returns a description of an untaken branch.
const fn untaken(kind: &PointKind) -> &'static str {
    match kind {
        PointKind::Condition(true) => "never true",
        PointKind::Condition(false) => "never false",
        PointKind::Case => "case never chosen",
        PointKind::NoCase => "never without a case",
        PointKind::Round => "never with a round",
        PointKind::LoopEnd => "never runs to its end",
        PointKind::Function(_) | PointKind::Statement => "never run",
    }
}
