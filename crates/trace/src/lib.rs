//! Asks, answers, events and test results: plain types that all higher modules share.

mod asks;
mod ended;
mod scene;
mod verdict;

pub use asks::{Action, Answer, Ask, Decision, Event, FewValues, OpenAsk, Question, RulesPlace};
pub use ended::Ended;
pub use referee_table::{Drawing, DrawnCell, DrawnMove, DrawnRow, DrawnZone};
pub use scene::Scene;
pub use verdict::{
    Answered, Asking, Failure, FailureKind, Finding, MAX_EVENTS, Status, StatusCounts, TestResult, bound, titled,
};
