//! Prints boards: row names on the left, column names below, highlighted cells in brackets and in colour if enabled.

use referee_diagnostic::one_line;
use referee_source::{display_width, padded_left};
use referee_table::{Drawing, DrawnRow, GAP};

/// The maximum width of two boards side by side, in columns.
const WIDE: usize = 100;

const MARK: &str = "\u{1b}[1;33m";
const DIM: &str = "\u{1b}[2m";
/// Both colours of the cells of a chequered board, with one of the text: so it can be read on any background.
const LIGHT_CELL: &str = "\u{1b}[30;47m";
const DARK_CELL: &str = "\u{1b}[97;100m";
const PLAIN: &str = "\u{1b}[0m";

/// One line of a printed board: its text and its width in columns.
struct DrawnLine {
    text: String,
    width: usize,
}

/// Returns a board as lines of text, without line ends.
#[must_use]
pub fn draw(drawing: &Drawing, colour: bool) -> Vec<String> {
    lines(drawing, colour).into_iter().map(|line| line.text.trim_end().to_owned()).collect()
}

fn lines(drawing: &Drawing, colour: bool) -> Vec<DrawnLine> {
    let texts = drawing.rows.iter().flat_map(|row| &row.cells).map(|cell| display_width(&cell.text));
    let wide = texts.chain(drawing.columns.iter().map(|name| display_width(name))).max().unwrap_or(1);
    let label = drawing.rows.iter().map(|row| row.label.chars().count()).max().unwrap_or(0);
    let dim = |text: String| if colour { format!("{DIM}{text}{PLAIN}") } else { text };
    let tinted = colour && drawing.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.dark);
    let mut lines = Vec::new();
    for row in &drawing.rows {
        if row.apart {
            lines.push(DrawnLine { text: String::new(), width: 0 });
        }
        let gaps = GAP.len() * row.cells.iter().filter(|cell| cell.apart).count();
        let indent = row.indent * (wide + 1) / 2;
        let cells = cells(row, wide, (colour, tinted));
        let text = format!("{}{}{cells}", dim(format!("{:>label$}", one_line(&row.label))), " ".repeat(indent + 1));
        let bracket = usize::from(row.cells.last().is_some_and(|cell| cell.marked));
        lines.push(DrawnLine { text, width: label + 1 + indent + row.cells.len() * (wide + 1) + gaps + bracket });
    }
    if !drawing.columns.is_empty() {
        let gap = |at: usize| if drawing.is_apart(at) { GAP } else { "" };
        let names = drawing.columns.iter().enumerate();
        let names: String = names.map(|(at, name)| format!(" {}{:>wide$}", gap(at), one_line(name))).collect();
        let width = label + 1 + display_width(&names);
        let text = dim(format!("{:label$} {names}", ""));
        lines.push(DrawnLine { text, width });
    }
    for note in &drawing.notes {
        lines.push(DrawnLine { text: dim(one_line(note)), width: display_width(note) });
    }
    lines
}

/// Returns the cells of a row; puts runs of highlighted cells in brackets. The other cells of a chequered board have a
/// background if they are `tinted`.
fn cells(row: &DrawnRow, wide: usize, (colour, tinted): (bool, bool)) -> String {
    let (on, off) = if colour { (MARK, PLAIN) } else { ("", "") };
    let mut text = String::new();
    let mut marked = false;
    for cell in &row.cells {
        let (tint, end) = match (tinted && !cell.marked, cell.dark) {
            (true, true) => (DARK_CELL, PLAIN),
            (true, false) => (LIGHT_CELL, PLAIN),
            (false, _) => ("", ""),
        };
        let gap = if cell.apart { GAP } else { "" };
        text.push_str(&match (marked, cell.marked) {
            (false, true) => format!("{gap}{on}["),
            (false, false) => format!("{gap}{tint} "),
            (true, false) => format!("]{off}{gap}{tint}"),
            (true, true) => format!(" {gap}"),
        });
        marked = cell.marked;
        text.push_str(&padded_left(&one_line(&cell.text), wide));
        text.push_str(end);
    }
    if marked {
        text.push_str(&format!("]{off}"));
    }
    text
}

/// Returns two boards with their titles, side by side if they fit, otherwise one below the other.
#[must_use]
pub fn side_by_side(left: (&str, &Drawing), right: (&str, &Drawing), colour: bool) -> Vec<String> {
    let (one, other) = (lines(left.1, colour), lines(right.1, colour));
    let width = one.iter().map(|line| line.width).max().unwrap_or(0).max(left.0.chars().count());
    let other_width = other.iter().map(|line| line.width).max().unwrap_or(0);
    if width + 3 + other_width > WIDE {
        let above = std::iter::once(left.0.to_owned()).chain(draw(left.1, colour));
        return above.chain([String::new(), right.0.to_owned()]).chain(draw(right.1, colour)).collect();
    }
    let pad = |text: &str, used: usize| format!("{text}{}", " ".repeat((width + 3).saturating_sub(used)));
    let mut joined = vec![format!("{}{}", pad(left.0, left.0.chars().count()), right.0)];
    for row in 0..one.len().max(other.len()) {
        let left = one.get(row).map_or_else(|| pad("", 0), |line| pad(&line.text, line.width));
        joined.push(format!("{left}{}", other.get(row).map_or("", |line| &line.text)).trim_end().to_owned());
    }
    joined
}
