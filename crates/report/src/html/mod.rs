//! Results as pages: a list of all tests and of the clauses that they apply, and a page for each test with its positions.
//!
//! The pages are complete without their script, which only lets a reader step through them by keys.

mod frame;
mod index;
mod scenario;
mod step;

pub use frame::{PAGE_FILES, page_name};
pub(super) use frame::{PAGE_STYLE, STEP_STYLE, badge, document, heading, opened};
pub use index::{IndexPage, index_page};
pub use scenario::{ScenarioPage, scenario_page};
pub(super) use step::{ShownStep, lines, position, shown_step};
