//! A board as a diagram in text: rows of short cell texts, for squares and hexagons alike.

use super::{Cell, PieceId, PlayerId};

/// The shape of the cells of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Squares.
    #[default]
    Squares,
    /// Hexagons in horizontal rows.
    Hexagons,
    /// Squares of a track, which leads to and fro.
    Track,
}

/// A diagram of a board, top row first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// The shape of the cells.
    pub shape: Shape,
    /// The arrows of the board: base and end.
    pub arrows: Vec<(Cell, Cell)>,
    /// The rows, the top one first.
    pub rows: Vec<DrawnRow>,
    /// The names of the columns, from the left; empty if they have none.
    pub columns: Vec<String>,
    /// The bottom left cell of the drawn part of an open board.
    pub origin: Option<String>,
    /// Further lines: the arrows of a track, the pieces at its start.
    pub notes: Vec<String>,
}

/// One row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawnRow {
    /// The name of the row.
    pub label: String,
    /// The indentation of the row, in half cells.
    pub indent: usize,
    /// Its cells, from the left.
    pub cells: Vec<DrawnCell>,
    /// Whether a gap separates it from the row above: a margin begins or ends there.
    pub apart: bool,
}

/// One cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawnCell {
    /// The symbol of its content; `.` if it is empty.
    pub text: String,
    /// Whether it is highlighted: it differs from the expected cell, or it changed.
    pub marked: bool,
    /// Whether a gap separates it from the cell on its left: a margin begins or ends there.
    pub apart: bool,
    /// The cell; `None` outside the board.
    pub cell: Option<Cell>,
    /// The name of the cell; empty outside the board.
    pub name: String,
    /// What is on the cell; `None` if it is empty, or if the diagram shows no position.
    pub piece: Option<Box<DrawnPiece>>,
}

/// What is on a cell of a diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnPiece {
    /// Its name in lines; that of a card which is not hidden.
    pub name: String,
    /// The player who owns it, or who is written before it.
    pub player: Option<PlayerId>,
    /// The piece, if it may cover several cells: cells with the same piece are one.
    pub whole: Option<PieceId>,
    /// How it lies there.
    pub lying: Lying,
}

/// How something lies on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lying {
    /// A piece.
    Piece,
    /// A card, face up.
    Card,
    /// A card, face down: pictures do not show which.
    FaceDown,
}

/// The cards of a zone, as all players see them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnZone {
    /// Its name in lines: `deck`, `hand red`.
    pub name: String,
    /// The player who owns it.
    pub player: Option<PlayerId>,
    /// The cards that all players see: each with its symbol or name, and how often it is there. In a pile the top card
    /// is the first.
    pub cards: Vec<(String, u64)>,
    /// The number of cards that not all players see.
    pub hidden: u64,
}

/// A piece that has gone from one place on the board to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnMove {
    /// The cells that it covered.
    pub from: Vec<Cell>,
    /// The cells that it covers now.
    pub to: Vec<Cell>,
}

/// The gap between a margin and the cells inside it.
pub(crate) const GAP: &str = "  ";

impl Drawing {
    /// Returns whether a gap separates a column from the one on its left.
    pub(crate) fn is_apart(&self, column: usize) -> bool {
        self.rows.first().and_then(|row| row.cells.get(column)).is_some_and(|cell| cell.apart)
    }

    /// Returns the rows as files have them after `|`, in columns as wide as the widest cell.
    pub fn rows_of_a_file(&self) -> impl Iterator<Item = String> + '_ {
        let wide = self.rows.iter().flat_map(|row| &row.cells).map(|cell| cell.text.chars().count()).max().unwrap_or(1);
        let row = move |row: &DrawnRow| {
            let indent = " ".repeat(row.indent * (wide + 1) / 2);
            let cells: Vec<String> = row.cells.iter().map(|cell| format!("{:>wide$}", cell.text)).collect();
            format!("{indent}{}", cells.join(" "))
        };
        self.rows.iter().map(row).chain(self.origin.iter().map(|origin| format!("at {origin}")))
    }

    /// Returns the diagram as lines of text without highlighting.
    #[must_use]
    pub fn plain(&self) -> Vec<String> {
        let gap = |apart: bool| if apart { GAP } else { "" };
        let cells = self.rows.iter().flat_map(|row| &row.cells).map(|cell| cell.text.chars().count());
        let wide = cells.chain(self.columns.iter().map(|name| name.chars().count())).max().unwrap_or(1);
        let label = self.rows.iter().map(|row| row.label.chars().count()).max().unwrap_or(0);
        let row = |row: &DrawnRow| {
            let indent = " ".repeat(row.indent * (wide + 1) / 2);
            let cells: String =
                row.cells.iter().map(|cell| format!(" {}{:>wide$}", gap(cell.apart), cell.text)).collect();
            let above = row.apart.then(String::new);
            above.into_iter().chain([format!("{:>label$}{indent}{cells}", row.label)])
        };
        let names = self.columns.iter().enumerate();
        let names: String = names.map(|(at, name)| format!(" {}{name:>wide$}", gap(self.is_apart(at)))).collect();
        let below = (!names.is_empty()).then(|| format!("{:label$}{names}", ""));
        self.rows
            .iter()
            .flat_map(row)
            .chain(below)
            .chain(self.notes.iter().cloned())
            .map(|line| line.trim_end().to_owned())
            .collect()
    }
}
