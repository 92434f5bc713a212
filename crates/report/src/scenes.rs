//! Positions during a scenario, and the options at its end, as text and as JSON.

use std::fmt::Write;

use serde::Serialize;

use super::board::draw;
use super::json::ended;
use super::object::{line, object};
use referee_diagnostic::one_line;
use referee_draw::{Picture, Spot, picture_file, spots};
use referee_scenario::EndOfScenario;
use referee_table::DrawnRow;
use referee_trace::{Drawing, Scene};

/// Returns numbered positions as text. The set-up of a game has neither a title nor a line.
#[must_use]
pub fn scenes_human(title: &str, scenes: &[(usize, &Scene)], colour: bool) -> String {
    let mut text = if title.is_empty() { String::new() } else { format!("{}\n", one_line(title)) };
    for (step, scene) in scenes {
        if let Some(line) = scene.line {
            let _ = writeln!(text, "\nstep {step}, line {line}: {}", one_line(&scene.text));
        }
        for event in &scene.events {
            let _ = writeln!(text, "  > {}", one_line(event));
        }
        for line in draw(&scene.board, colour) {
            let _ = writeln!(text, "  {line}");
        }
        if !scene.off.is_empty() {
            let _ = writeln!(text, "  off the board: {}", one_line(&scene.off.join(", ")));
        }
        for value in scene.values.iter().chain(&scene.cards) {
            let _ = writeln!(text, "  {}", one_line(value));
        }
        if let Some(turn) = &scene.turn {
            let _ = writeln!(text, "  turn {}", one_line(turn));
        }
        let _ = writeln!(text, "  {}", one_line(&scene.stands_at()));
    }
    text
}

/// Returns a position as a player sees it, as text.
#[must_use]
pub fn seat(scene: &Scene, colour: bool) -> String {
    let mut text = String::new();
    for line in draw(&scene.board, colour) {
        let _ = writeln!(text, "  {line}");
    }
    for value in scene.values.iter().chain(&scene.cards) {
        let _ = writeln!(text, "  {}", one_line(value));
    }
    if scene.standing.starts_with("over") {
        let _ = writeln!(text, "{}", one_line(&scene.stands_at()));
    }
    text
}

/// Returns numbered positions as JSON: `{"version":1,"scenario":…,"steps":[…]}`
#[must_use]
pub fn scenes_json(title: &str, scenes: &[(usize, &Scene)]) -> String {
    let steps = scenes.iter().map(|(step, scene)| one_step(*step, scene));
    line(&object().with("version", 1).with("scenario", title).list("steps", steps))
}

/// Returns a position; a game without a board has none.
fn one_step(step: usize, scene: &Scene) -> impl Serialize {
    let board = &scene.board;
    let board = (!board.rows.is_empty())
        .then(|| object().with("columns", &board.columns).list("rows", board.rows.iter().map(one_row)));
    object()
        .with("step", step)
        .with("line", scene.line)
        .with("text", &scene.text)
        .with("events", &scene.events)
        .some("board", board)
        .with("off", &scene.off)
        .list("values", scene.values.iter().chain(&scene.cards))
        .with("turn", scene.turn.as_deref())
        .with("standing", &scene.standing)
        .some("ended", scene.ended.as_ref().map(ended))
}

/// Returns a row, with the indices of the cells that changed since the previous step.
fn one_row(row: &DrawnRow) -> impl Serialize {
    object()
        .with("label", &row.label)
        .list("cells", row.cells.iter().map(|cell| &cell.text))
        .list("changed", row.cells.iter().enumerate().filter(|(_, cell)| cell.marked).map(|(at, _)| at))
}

/// Returns the options at a pause, or whether an action is one of them, as JSON:
/// `{"version":1,"asks":…,"options":[…],…}`
#[must_use]
pub fn moves_json(found: &EndOfScenario) -> String {
    let refused = found.refused.as_ref();
    let allowed = match (&found.allowed, refused) {
        (Some(_), _) => Some(true),
        (None, Some(_)) => Some(false),
        (None, None) => None,
    };
    let all = object()
        .with("version", 1)
        .with("asks", &found.asks)
        .with("options", &found.options)
        .some("open", (!found.open.is_empty()).then_some(&found.open))
        .some("suggested", (!found.suggested.is_empty()).then_some(&found.suggested))
        .some("ended", found.ended.as_ref().map(ended))
        .with("allowed", allowed)
        .with("action", found.allowed.as_ref().or(refused.map(|refused| &refused.action)))
        .with("reason", refused.and_then(|refused| refused.reason.as_deref()));
    line(&all)
}

/// Returns the picture of a position, as a file of its own.
#[must_use]
pub fn scene_picture(title: &str, step: usize, scene: &Scene) -> String {
    picture_file(&of_scene("board", &format!("{title}, step {step}"), scene))
}

/// Returns the cells of the board of a position, rows from the top.
#[must_use]
pub fn scene_cells(scene: &Scene) -> Vec<impl Serialize> {
    drawing_cells(&scene.board)
}

/// Returns the cells of a drawn board, rows from the top: the name of each, its symbol in a diagram, and its centre in
/// the picture of the position, in pixels.
#[must_use]
pub fn drawing_cells(board: &Drawing) -> Vec<impl Serialize> {
    let cell = |Spot { x, y, cell }: Spot<'_>| {
        object().with("cell", cell.name.clone()).with("text", cell.text.clone()).with("x", x).with("y", y)
    };
    spots(board).into_iter().map(cell).collect()
}

/// Returns the picture of a position.
pub(super) fn of_scene<'s>(id: &'s str, title: &'s str, scene: &'s Scene) -> Picture<'s> {
    Picture {
        id,
        title,
        board: &scene.board,
        players: &scene.players,
        zones: &scene.zones,
        moves: &scene.moves,
        off: &scene.off,
    }
}
