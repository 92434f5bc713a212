//! Scenarios: shipped ones with their traces, and files with errors with their messages.

/// Players who agree on a draw.
mod agreeing;
/// Several players who are asked at once.
mod at_once;
/// A small game with cards.
#[path = "base/cards.rs"]
pub(crate) mod cards;
/// Snippets of the checks of rules.
mod checks;
/// Games without a board, and what a set-up may be.
mod components;
/// Copies of a card with states of their own.
mod copies;
/// Lines that shuffle and deal, played with it.
mod dealing;
/// An extra word on every line.
mod every_word;
/// Expressions and the functions that they use.
mod expressions;
/// Cards that lie face down.
mod face_down;
/// Large files, planned again for each test.
mod lean;
/// Errors that beginners make, and the messages.
mod mistakes;
/// Notes of `referee check`.
mod notes;
/// Numbered pieces of each player.
mod numbered_pieces;
/// Boards without an edge.
mod open_board;
/// Boards of other shapes, and places of a second kind.
mod places;
/// Plural kinds, which are sets.
mod plural;
/// Lines of a position in a game file and in a scenario.
mod positions;
/// Players before pieces in drawings.
mod prefixes;
/// Lines of scenarios: `from setup`, `expect perft`, arguments, `not`.
mod scenario_lines;
/// Margins, and cards on the board.
mod tableau;
/// The events of every shipped scenario.
pub(crate) mod traces;
/// Clocks, the order of turns, rounds, and players who resign.
mod turns;
/// Games with several decks.
mod two_decks;
/// Cards and zones, played with it.
mod zones;

use std::path::Path;

use referee_diagnostic::Diagnostic;
use referee_report::Human;
use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;
use referee_trace::{Failure, Status};

/// Returns what is printed about `a.scenario`, and whether all its scenarios pass.
fn judged(host: &MemoryHost) -> (String, bool) {
    let mut loader = Loader::new(host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    let results: Vec<_> =
        (0..suite.tests.len()).map(|index| referee_scenario::judge(&mut loader, &suite, index)).collect();
    let passed = !results.is_empty() && results.iter().all(|result| result.status == Status::Passed);
    (Human::new(false, false).file(&suite.file, &suite.problems, &results), passed && suite.problems.is_empty())
}

/// Returns the errors in `a.scenario`; if there are none, how its scenarios fail.
fn failures(host: &MemoryHost) -> (Vec<Diagnostic>, Vec<Failure>) {
    let mut loader = Loader::new(host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    let tests = if suite.problems.is_empty() { suite.tests.len() } else { 0 };
    let failures = (0..tests).flat_map(|at| referee_scenario::judge(&mut loader, &suite, at).failures).collect();
    (suite.problems, failures)
}

/// A small game that tests share: `game` file, rules and rulebook.
pub(crate) const HOP: [(&str, &str); 3] = [
    ("games/hop/hop.game", include_str!("base/hop.game")),
    ("games/hop/rules.rhai", include_str!("base/rules.rhai")),
    ("games/hop/RULES.md", include_str!("base/RULES.md")),
];
