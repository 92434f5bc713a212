//! Positions during a scenario, and the options at its end, as text and as JSON.

use std::fmt::Write;

use serde::Serialize;

use super::board::draw;
use super::json::{ShownEnd, line, shown_end};
use crate::diagnostic::one_line;
use crate::draw::{Picture, Spot, picture_file, spots};
use crate::scenario::EndOfScenario;
use crate::trace::{Drawing, Scene};

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

#[derive(Serialize)]
struct Scenes<'s> {
    version: u32,
    scenario: &'s str,
    steps: Vec<Step<'s>>,
}

#[derive(Serialize)]
struct Step<'s> {
    step: usize,
    line: Option<usize>,
    text: &'s str,
    events: &'s [String],
    /// The board; left out in a game without a board.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<Board<'s>>,
    off: &'s [String],
    values: Vec<&'s String>,
    turn: Option<&'s str>,
    standing: &'s str,
    /// By what the game ended, if it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<ShownEnd<'s>>,
}

#[derive(Serialize)]
struct Board<'s> {
    columns: &'s [String],
    rows: Vec<Row<'s>>,
}

#[derive(Serialize)]
struct Row<'s> {
    label: &'s str,
    cells: Vec<&'s str>,
    /// The indices of cells that changed since the previous step.
    changed: Vec<usize>,
}

/// Returns numbered positions as JSON: `{"version":1,"scenario":…,"steps":[…]}`
#[must_use]
pub fn scenes_json(title: &str, scenes: &[(usize, &Scene)]) -> String {
    let steps = scenes.iter().map(|(step, scene)| one_step(*step, scene)).collect();
    line(&Scenes { version: 1, scenario: title, steps })
}

fn one_step(step: usize, scene: &Scene) -> Step<'_> {
    Step {
        step,
        line: scene.line,
        text: &scene.text,
        events: &scene.events,
        board: (!scene.board.rows.is_empty())
            .then(|| Board { columns: &scene.board.columns, rows: scene.board.rows.iter().map(one_row).collect() }),
        off: &scene.off,
        values: scene.values.iter().chain(&scene.cards).collect(),
        turn: scene.turn.as_deref(),
        standing: &scene.standing,
        ended: scene.ended.as_ref().map(shown_end),
    }
}

fn one_row(row: &crate::table::DrawnRow) -> Row<'_> {
    Row {
        label: &row.label,
        cells: row.cells.iter().map(|cell| cell.text.as_str()).collect(),
        changed: row.cells.iter().enumerate().filter(|(_, cell)| cell.marked).map(|(at, _)| at).collect(),
    }
}

#[derive(Serialize)]
struct Moves<'s> {
    version: u32,
    asks: &'s str,
    options: &'s [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<ShownEnd<'s>>,
    allowed: Option<bool>,
    action: Option<&'s str>,
    reason: Option<&'s str>,
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
    line(&Moves {
        version: 1,
        asks: &found.asks,
        options: &found.options,
        ended: found.ended.as_ref().map(shown_end),
        allowed,
        action: found.allowed.as_deref().or(refused.map(|refused| refused.action.as_str())),
        reason: refused.and_then(|refused| refused.reason.as_deref()),
    })
}

/// Returns the picture of a position, as a file of its own.
#[must_use]
pub fn scene_picture(title: &str, step: usize, scene: &Scene) -> String {
    picture_file(&of_scene("board", &format!("{title}, step {step}"), scene))
}

/// A cell of the board of a position.
#[derive(Clone, Debug, Serialize)]
pub struct ShownCell<'s> {
    /// Its name.
    cell: &'s str,
    /// Its symbol in a diagram.
    text: &'s str,
    /// Its centre in the picture of the position, in pixels from the left.
    x: i32,
    /// The same from the top.
    y: i32,
}

impl<'s> ShownCell<'s> {
    fn of(Spot { x, y, cell }: Spot<'s>) -> Self {
        Self { cell: &cell.name, text: &cell.text, x, y }
    }
}

/// Returns the cells of the board of a position, rows from the top.
#[must_use]
pub fn scene_cells(scene: &Scene) -> Vec<ShownCell<'_>> {
    drawing_cells(&scene.board)
}

/// Returns the cells of a drawn board, rows from the top.
#[must_use]
pub fn drawing_cells(board: &Drawing) -> Vec<ShownCell<'_>> {
    spots(board).into_iter().map(ShownCell::of).collect()
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
