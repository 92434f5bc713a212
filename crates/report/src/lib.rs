//! Prints results as text and as JSON, and boards as text.

mod board;
mod book;
mod comparison;
mod coverage;
mod exploration;
mod games;
mod github;
mod html;
mod human;
mod intervals;
mod json;
mod junit;
mod mutation;
mod object;
mod odds;
mod profile;
mod quantiles;
mod readings;
mod remarks;
mod scenes;
mod simulation;
mod simulation_json;
mod tables;
mod tap;
mod titles;

pub use board::{draw, side_by_side};
pub use book::{
    BookPage, BookText, ChapterText, Embedded, Example, MdBook, MdBookSettings, ShownClause, ShownExample,
    book_chapter, book_page, clauses_of, clauses_without_example, example_id, picture_files,
};
pub use comparison::{ComparedReading, Comparison, OddsPair, ReadingNames, counters, own_counters};
pub use coverage::{CoverageReport, coverage_json, coverage_lcov, coverage_markdown};
pub use exploration::{Exploration, FoundHole, Hint, WithSetting};
pub use games::{games_human, games_json};
pub use github::github;
pub use html::{IndexPage, PAGE_FILES, ScenarioPage, index_page, page_name, scenario_page};
pub use human::{Human, test_name};
pub use json::{ShardShown, check_json, part_json, perft_json, test_json};
pub use junit::{JUNIT_ROOT, junit};
pub use mutation::{MutationReport, mutation_json};
pub use odds::{odds_human, odds_json};
pub use profile::{are_stacks, profile_human, profile_stacks};
pub use readings::ReadingsReport;
pub use remarks::Sampled;
pub use scenes::{drawing_cells, moves_json, scene_cells, scene_picture, scenes_human, scenes_json, seat};
pub use simulation::{Simulation, simulations_human};
pub use simulation_json::simulations_json;
pub use tap::{TAP_BEGINNING, tap};
