//! A step of a test: its lines, its events, and the position.

use maud::{Markup, html};

use super::frame::heading;
use crate::scenes::of_scene;
use referee_diagnostic::one_line;
use referee_draw::picture;
use referee_trace::Scene;

/// How a step is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShownStep<'s> {
    /// The id of the step, which no other one of the page has.
    pub(crate) id: &'s str,
    /// The title of its picture.
    pub(crate) title: &'s str,
    /// The level of its headings.
    pub(crate) level: u8,
    /// The lines that fail.
    pub(crate) bad: &'s [usize],
}

/// Returns the content of a step below its heading.
pub(crate) fn shown_step(scene: &Scene, given: &ShownStep<'_>) -> Markup {
    let named = |name: &str| heading(given.level, None, &html! { (name) });
    html! {
        @if !scene.written.is_empty() {
            (named("What is written"))
            (lines(&scene.written, given.bad))
        }
        @if !scene.events.is_empty() {
            (named("What happens"))
            ul.events { @for event in &scene.events { li { (one_line(event)) } } }
        }
        (named("Position"))
        (position(scene, given.id, given.title))
    }
}

/// Returns lines with their numbers; those that fail are marked.
pub(crate) fn lines(written: &[(usize, String)], bad: &[usize]) -> Markup {
    html! {
        ol.lines {
            @for (line, text) in written {
                @let fails = bad.contains(line);
                li class=[fails.then_some("bad")] value=(line) {
                    code { (one_line(text)) }
                    @if fails { " " span.status.failed { span aria-hidden="true" { "✗" } " fails" } }
                }
            }
        }
    }
}

/// Returns the picture of a position and its values; `id` is that of the step, `title` that of the picture.
pub(crate) fn position(scene: &Scene, id: &str, title: &str) -> Markup {
    let board = format!("{id}-board");
    html! {
        @if !scene.board.rows.is_empty() || !scene.zones.is_empty() {
            (picture(&of_scene(&board, title, scene)))
        }
        ul.values {
            @for value in &scene.values { li { (one_line(value)) } }
            @if let Some(turn) = &scene.turn { li { "turn " (one_line(turn)) } }
            li { (one_line(&scene.stands())) }
        }
    }
}
