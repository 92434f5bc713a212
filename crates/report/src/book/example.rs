//! An example of a book: a test with its positions.

use std::sync::Arc;

use maud::{Markup, html};

use crate::html::{ShownStep, badge, heading, lines, opened, position, shown_step};
use crate::titles::title;
use referee_diagnostic::one_line;
use referee_game::Game;
use referee_scenario::Judged;
use referee_trace::{Scene, Status};

/// An example: a test that passes, with its positions.
#[derive(Clone, Debug)]
pub struct Example {
    /// Its title, with its row and branch.
    pub title: String,
    /// The path of its file.
    pub file: String,
    /// Its line.
    pub line: usize,
    /// Its game.
    pub game: Arc<Game>,
    /// The ids of the clauses that it applies, in the order of their first use.
    pub clauses: Vec<String>,
    /// The ids of the clauses that its `covers` lines name.
    pub covers: Vec<String>,
    /// The address that opens it in the playground, if there is one.
    pub playground: Option<String>,
    /// The title of its scenario, without row and branch.
    scenario: String,
    /// Its lines, with their numbers.
    lines: Vec<(usize, String)>,
    /// Its positions: all, or the first and the last.
    scenes: Vec<Scene>,
    /// Whether all positions are shown.
    is_whole: bool,
}

/// The data of an example that depend on the page around it.
pub(super) struct ExampleFrame<'f> {
    /// Its id, which no other one of the page has.
    pub(super) id: &'f str,
    /// The level of its heading.
    pub(super) level: u8,
    /// The address of a clause, if the page has it.
    pub(super) clause: &'f dyn Fn(&Example, &str) -> Option<String>,
}

impl Example {
    /// Returns the example that a judged test is, and that covers these clauses by its lines; `None` if it does not
    /// pass. With `is_whole` it shows all positions, otherwise the first and the last.
    #[must_use]
    pub fn of(judged: Judged, covers: Vec<String>, is_whole: bool) -> Option<Self> {
        let Judged { result, exercised, mut scenes } = judged;
        let exercised = exercised.filter(|_| result.status == Status::Passed)?;
        let declared = &exercised.game.schema.clauses;
        let applied = exercised.clauses.iter().filter_map(|id| declared.get(id.index()));
        let clauses = applied.map(|clause| clause.id.clone()).collect();
        let lines = scenes.iter().flat_map(|scene| scene.written.iter().cloned()).collect();
        if !is_whole && scenes.len() > 2 {
            scenes.drain(1..scenes.len() - 1);
        }
        let game = Arc::clone(&exercised.game);
        let (title, file, line, scenario) =
            (title(&result), result.file.to_string(), result.line, result.scenario.to_string());
        let playground = None;
        Some(Self { title, file, line, game, clauses, covers, playground, scenario, lines, scenes, is_whole })
    }

    /// Returns its file and the title of its scenario, which other rows and branches share.
    pub(super) fn scenario(&self) -> (&str, &str) {
        (&self.file, &self.scenario)
    }

    /// Returns the names of its row and branch; its title if it has none.
    pub(super) fn own_name(&self) -> &str {
        let own = self.title.strip_prefix(&self.scenario).unwrap_or_default().trim_start_matches([' ', '>']);
        if own.is_empty() { &self.title } else { own }
    }

    /// Returns the example as a part of a page.
    pub(super) fn shown(&self, frame: &ExampleFrame<'_>) -> Markup {
        let name = format!("{}-name", frame.id);
        html! {
            article.example id=(frame.id) aria-labelledby=(name) {
                (heading(frame.level, Some(&name), &html! { (one_line(&self.title)) }))
                p.place { (badge(Status::Passed)) ", " (one_line(&self.file)) " line " (self.line) (opened(self.playground.as_deref())) }
                @if !self.clauses.is_empty() {
                    p.place {
                        "It shows " @if self.clauses.len() == 1 { "clause " } @else { "clauses " }
                        @for (at, clause) in self.clauses.iter().enumerate() {
                            @if at > 0 { ", " }
                            @match (frame.clause)(self, clause) {
                                Some(address) => a href=(address) { (clause) },
                                None => (clause),
                            }
                        }
                    }
                }
                @if self.is_whole { (self.steps(frame)) } @else { (self.ends(frame)) }
            }
        }
    }

    /// Returns all positions, those between the first and the last folded.
    fn steps(&self, frame: &ExampleFrame<'_>) -> Markup {
        let last = self.scenes.len().saturating_sub(1);
        let between = self.scenes.len().saturating_sub(2);
        let one = |at: usize| html! { @if let Some(scene) = self.scenes.get(at) { (self.step(scene, at, frame)) } };
        html! {
            (one(0))
            @if between > 0 {
                details {
                    summary { (between) @if between == 1 { " step" } @else { " steps" } " between" }
                    @for at in 1..last { (one(at)) }
                }
            }
            @if last > 0 { (one(last)) }
        }
    }

    fn step(&self, scene: &Scene, at: usize, frame: &ExampleFrame<'_>) -> Markup {
        let (id, words) = (format!("{}-step-{at}", frame.id), format!("{}, step {at}", self.title));
        let level = frame.level.saturating_add(1);
        let given = ShownStep { id: &id, title: &words, level: level.saturating_add(1), bad: &[] };
        html! {
            div.step id=(id) {
                @if at == 0 {
                    (heading(level, None, &html! { "The start" }))
                } @else {
                    (heading(level, None, &html! { "Step " (at) " of " (self.scenes.len() - 1) }))
                }
                (shown_step(scene, &given))
            }
        }
    }

    /// Returns the lines, and the first and the last position.
    fn ends(&self, frame: &ExampleFrame<'_>) -> Markup {
        let level = frame.level.saturating_add(1);
        let named = |name: &str| heading(level, None, &html! { (name) });
        let names = if self.scenes.len() == 1 { ["Position", ""] } else { ["The first position", "The last position"] };
        html! {
            @if !self.lines.is_empty() {
                (named("What is written"))
                (lines(&self.lines, &[]))
            }
            @for (at, (scene, name)) in self.scenes.iter().zip(names).enumerate() {
                (named(name))
                (position(scene, &format!("{}-{at}", frame.id), &format!("{}: {}", self.title, name.to_lowercase())))
            }
        }
    }
}
