//! Expectations about the position of play, written into the file.

use std::path::Path;

use super::check;
use super::edit::Edit;
use super::fixes::Fix;
use super::goes_on::{indent_below, last_line};
use super::project::Project;
use referee_source::Span;
use referee_trace::Scene;

/// Returns an edit that records the position after a line, counted from 1: expectations below the last line that was
/// played up to there. `None` if the line is in no test that can be run.
pub fn record(project: &mut Project<'_>, path: &Path, line: usize) -> Option<Fix> {
    let scene = check::position(project, path, line)?.scene;
    let opened = project.open(path)?;
    let source = &opened.source;
    let lines = &opened.lines.as_ref()?.lines;
    let number = scene.line?;
    let played = lines.iter().rev().find(|written| source.line(written.span.start) <= number)?;
    let (end, indent) = (last_line(source, played), indent_below(source, played));
    let mut written = String::new();
    for expected in expectations(&scene) {
        written.push_str(&format!("\n{indent}{expected}"));
    }
    let at = source.line_span(end).end;
    let edit = Edit { path: opened.path.clone(), span: Span { start: at, end: at }, text: written };
    Some(Fix { title: "Record what was reached".to_owned(), edits: vec![edit] })
}

/// Returns expectations that a position meets.
fn expectations(scene: &Scene) -> Vec<String> {
    let mut lines = Vec::new();
    if !scene.events.is_empty() {
        lines.push("expect events".to_owned());
        lines.extend(scene.events.iter().map(|event| format!("  > {event}")));
    }
    let rows = scene.board.lines_of_a_file();
    if !rows.is_empty() {
        lines.push("expect board".to_owned());
        lines.extend(rows);
    }
    match scene.standing.split_once(' ') {
        // Several players who decide at once have a line each.
        Some(("asks", asked)) => lines.extend(asked.split(" and ").map(|asked| format!("expect asks {asked}"))),
        Some(("over:", outcome)) => lines.push(format!("expect {outcome}")),
        _ => {}
    }
    lines
}
