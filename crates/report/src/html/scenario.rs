//! The page of a test: its positions, step by step, with the failures of each step.

use maud::{Markup, html};

use super::frame::{badge, opened, page, page_name};
use super::step::{ShownStep, shown_step};
use crate::titles::title;
use referee_diagnostic::{Renderer, one_line, printable};
use referee_draw::{Picture, picture};
use referee_trace::{Drawing, Ended, Failure, Scene, Status, TestResult};

/// The content of the page of a test.
#[derive(Clone, Copy, Debug)]
pub struct ScenarioPage<'p> {
    /// The result.
    pub result: &'p TestResult,
    /// The positions; none if the test was not run.
    pub scenes: &'p [Scene],
    /// The clauses that the test applies.
    pub clauses: &'p [String],
    /// The address that opens the test in the playground, if there is one.
    pub playground: Option<&'p str>,
    /// The index of the test among all tests of the run, and their number.
    pub at: (usize, usize),
}

/// Returns the page of a test.
#[must_use]
pub fn scenario_page(given: &ScenarioPage<'_>) -> String {
    let (result, (at, count)) = (given.result, given.at);
    let title = title(result);
    let head = html! {
        nav aria-label="Scenarios" {
            ul {
                li { a href="index.html" { "All scenarios" } }
                @if let Some(before) = at.checked_sub(1) { li { a href=(page_name(before)) rel="prev" { "Previous scenario" } } }
                @if at + 1 < count { li { a href=(page_name(at + 1)) rel="next" { "Next scenario" } } }
            }
        }
        h1 { (one_line(&title)) }
        p.summary { (badge(result.status)) ", " (one_line(&result.file)) " line " (result.line) (opened(given.playground)) }
        @if !given.clauses.is_empty() {
            p { "It applies " @if given.clauses.len() == 1 { "clause " } @else { "clauses " } (one_line(&given.clauses.join(", "))) "." }
        }
    };
    let by_step = assigned(given);
    let first_bad = by_step.iter().position(|own| !own.is_empty());
    let main = html! {
        @if !by_step.is_empty() {
            @if let Some(bad) = first_bad { p { a href=(format!("#step-{bad}")) { "Go to the first failure, in step " (bad) } } }
            div #steps {
                @for (step, (scene, failures)) in given.scenes.iter().zip(&by_step).enumerate() {
                    (one_step(given, step, scene, failures))
                }
            }
        } @else {
            @if result.status == Status::Skipped { p { "This scenario was not run: the file has errors elsewhere." } }
            @if !result.failures.is_empty() { h2 { "What is wrong" } }
            @for (at, failure) in result.failures.iter().enumerate() { (one_failure(failure, &format!("f{at}"), &[])) }
        }
    };
    page(&format!("{title}: {}", result.status.word()), &head, &main, true)
}

/// Returns the failures of each step: of the last one that has the line of the failure, otherwise of the last of all.
fn assigned<'p>(given: &ScenarioPage<'p>) -> Vec<Vec<&'p Failure>> {
    let mut by_step: Vec<Vec<&Failure>> = given.scenes.iter().map(|_| Vec::new()).collect();
    let last = given.scenes.len().saturating_sub(1);
    for failure in &given.result.failures {
        let lines: Vec<usize> = lines_of(given.result, failure).collect();
        let has = |scene: &Scene| scene.written.iter().any(|(line, _)| lines.contains(line));
        let step = given.scenes.iter().rposition(has).unwrap_or(last);
        by_step.get_mut(step).into_iter().for_each(|own| own.push(failure));
    }
    by_step
}

/// Returns the lines of the test's own file that a failure is about.
fn lines_of<'r>(result: &'r TestResult, failure: &'r Failure) -> impl Iterator<Item = usize> + 'r {
    let own = failure.diagnostic.labels.iter().filter(|label| label.source.name() == &*result.file);
    own.map(|label| label.source.line(label.span.start))
}

fn one_step(given: &ScenarioPage<'_>, step: usize, scene: &Scene, failures: &[&Failure]) -> Markup {
    let (id, last) = (format!("step-{step}"), given.scenes.len() - 1);
    let bad: Vec<usize> = failures.iter().flat_map(|failure| lines_of(given.result, failure)).collect();
    let words = format!("{}, step {step}", title(given.result));
    html! {
        section.step.failing[!failures.is_empty()] id=(id) tabindex="-1" aria-labelledby=(format!("{id}-name")) {
            h2 id=(format!("{id}-name")) {
                "Step " (step) " of " (last) @if !failures.is_empty() { " " span.status.failed { span aria-hidden="true" { "✗" } " fails" } }
            }
            (shown_step(scene, &ShownStep { id: &id, title: &words, level: 3, bad: &bad }))
            @if let Some((file, line)) = scene.ended.as_ref().and_then(Ended::at) {
                p { "The rules ended the game at " code { (one_line(&format!("{file}:{line}"))) } }
            }
            @for (at, failure) in failures.iter().enumerate() { (one_failure(failure, &format!("{id}-f{at}"), &scene.players)) }
        }
    }
}

fn one_failure(failure: &Failure, id: &str, players: &[String]) -> Markup {
    let message = Renderer { colour: false }.render(&failure.diagnostic);
    let boards = failure.expected_board.as_ref().zip(failure.actual_board.as_ref());
    html! {
        section.failure aria-labelledby=(format!("{id}-name")) {
            h3 id=(format!("{id}-name")) { (one_line(&failure.diagnostic.message)) }
            pre tabindex="0" { (printable(message.trim())) }
            @if let Some((expected, actual)) = boards {
                div.pair {
                    (board_figure("Expected", expected, &format!("{id}-expected"), players))
                    (board_figure("Reached", actual, &format!("{id}-reached"), players))
                }
            } @else {
                dl.values {
                    @if let Some(expected) = &failure.expected { div { dt { "Expected" } dd { (printable(expected)) } } }
                    @if let Some(actual) = &failure.actual { div { dt { "Reached" } dd { (printable(actual)) } } }
                }
                @if let Some(actual) = failure.actual_board.as_ref().filter(|board| is_marked(board)) {
                    (board_figure("Reached", actual, &format!("{id}-reached"), players))
                }
            }
            @if let Some(ended) = &failure.ended { p { "The game is over: " (one_line(&ended.to_string())) } }
            @if let Some(asking) = &failure.asking { p { "The rules now ask: " (one_line(&asking.text)) } }
            @if let Some(witness) = &failure.witness {
                h4 { "A shortest line of play, as a scenario" }
                pre tabindex="0" { (printable(witness)) }
            }
        }
    }
}

fn is_marked(board: &Drawing) -> bool {
    board.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.marked)
}

fn board_figure(name: &str, board: &Drawing, id: &str, players: &[String]) -> Markup {
    let title = format!("{name} board");
    html! {
        figure {
            figcaption { (name) }
            (picture(&Picture { id, title: &title, board, players, zones: &[], moves: &[], off: &[] }))
        }
    }
}
