//! The first page: all tests, file by file, and the clauses of the rulebooks.

use maud::{Markup, html};

use super::frame::{badge, page, page_name};
use crate::titles::{first_message, title};
use referee_diagnostic::{counted, one_line};
use referee_scenario::{Coverage, GameCoverage};
use referee_trace::{Status, TestResult};

/// The content of the first page.
#[derive(Clone, Copy, Debug)]
pub struct IndexPage<'p> {
    /// The results of the run, in the order of the pages.
    pub results: &'p [&'p TestResult],
    /// The summary of the run: `2 passed, 1 failed`.
    pub summary: &'p str,
    /// The coverage of the tests, if it could be computed.
    pub coverage: Option<&'p Coverage>,
}

/// Returns the first page.
#[must_use]
pub fn index_page(given: &IndexPage<'_>) -> String {
    let indexed = || given.results.iter().copied().enumerate();
    let bad: Vec<(usize, &TestResult)> = indexed().filter(|(_, result)| result.status != Status::Passed).collect();
    let mut files: Vec<(&str, Vec<(usize, &TestResult)>)> = Vec::new();
    for (at, result) in indexed() {
        match files.last_mut().filter(|(file, _)| *file == &*result.file) {
            Some((_, own)) => own.push((at, result)),
            None => files.push((&result.file, vec![(at, result)])),
        }
    }
    let head = html! {
        h1 { "Scenarios" }
        p.summary { (one_line(given.summary)) }
        nav aria-label="On this page" {
            ul {
                @if !bad.is_empty() { li { a href="#failures" { "Failures" } } }
                li { a href="#scenarios" { "All scenarios" } }
                @if given.coverage.is_some() { li { a href="#clauses" { "Clauses" } } }
            }
        }
    };
    let main = html! {
        @if !bad.is_empty() {
            section aria-labelledby="failures" {
                h2 #failures { "Failures" }
                ul.plain {
                    @for (at, result) in &bad {
                        li { (badge(result.status)) " " (link(*at, result)) ": " (one_line(first_message(result))) }
                    }
                }
            }
        }
        section aria-labelledby="scenarios" {
            h2 #scenarios { "All scenarios" }
            @for (file, own) in &files {
                h3 { (one_line(file)) }
                ul.plain {
                    @for (at, result) in own { li { (badge(result.status)) " " (link(*at, result)) } }
                }
            }
        }
        @if let Some(coverage) = given.coverage {
            section aria-labelledby="clauses" {
                h2 #clauses { "Clauses" }
                @for game in &coverage.games { (clauses(game, given.results)) }
            }
        }
    };
    page("Scenarios", &head, &main, false)
}

fn link(at: usize, result: &TestResult) -> Markup {
    html! { a href=(page_name(at)) { (one_line(&title(result))) } }
}

/// Returns the clauses of a game's rulebook, each with the tests that apply it.
fn clauses(game: &GameCoverage, results: &[&TestResult]) -> Markup {
    let share = game.clause_share();
    html! {
        h3 { (one_line(&game.schema().title)) }
        @if game.clauses.is_empty() {
            p { "Its rulebook has no numbered clauses." }
        } @else {
            p { (share.covered) " of " (share.all) " clauses are applied in a scenario." }
            dl.clauses {
                @for (clause, tests) in &game.clauses {
                    div {
                        dt { (one_line(clause)) }
                        @if tests.is_empty() {
                            dd { span.status.failed { span aria-hidden="true" { "✗" } " no scenario" } }
                        } @else {
                            dd {
                                (counted(tests.len(), "scenario")) ": "
                                @for (at, test) in tests.iter().take(SHOWN).enumerate() {
                                    @if at > 0 { ", " }
                                    @if let Some(result) = results.get(*test) { (link(*test, result)) }
                                }
                                @if tests.len() > SHOWN { " and " (tests.len() - SHOWN) " more" }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The most scenarios that are named for a clause.
const SHOWN: usize = 5;
