//! What happened and how it was judged: plain types that every room above shares.

mod asks;
mod scene;
mod verdict;

pub use crate::table::{Drawing, DrawnCell, DrawnRow};
pub use asks::{Action, Answer, Ask, Decision, Event, Question, RulesPlace};
pub use scene::Scene;
pub use verdict::{Asking, Failure, MAX_EVENTS, Status, TestResult, bound};
