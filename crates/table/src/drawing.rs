//! A board as a diagram in text: rows of short cell texts, for squares and hexagons alike.

use std::collections::BTreeMap;

use super::{Cell, PieceId, PlaceKind, PlayerId};
use referee_source::{display_width, is_invisible, padded, padded_left};

/// Returns whether a text can be the symbol of a piece in a diagram: one word that can be seen and means nothing else
/// there.
#[must_use]
pub fn is_symbol(text: &str) -> bool {
    let strange =
        |letter: char| is_invisible(letter) || letter.is_whitespace() || matches!(letter, '|' | '#' | '{' | '}' | '"');
    !text.is_empty() && !text.contains(strange)
}

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
    /// Concentric rings.
    Rings,
    /// The places of a graph, which links join.
    Graph,
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
    /// Further lines: the arrows of a track, the pieces at its start, the pieces on places of a second kind, the amounts of places.
    pub notes: Vec<String>,
    /// The places of a second kind.
    pub places: Vec<DrawnPlace>,
    /// The coordinates of the places of a graph: to the right and up.
    pub points: BTreeMap<Cell, (i32, i32)>,
}

/// A place of a second kind in a diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnPlace {
    /// The place and what is on it.
    pub cell: DrawnCell,
    /// The kind of place.
    pub kind: PlaceKind,
    /// A cell that it touches, and the steps from its middle, of which a square has two to its sides, a hexagon six to its
    /// neighbours' middles, in both coordinates.
    pub beside: (Cell, (i32, i32)),
    /// The link of a graph.
    pub link: Option<DrawnLink>,
}

/// A link in a diagram of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnLink {
    /// The places that it joins.
    pub ends: [Cell; 2],
    /// Whether it leads only from the first to the second.
    pub one_way: bool,
    /// Its number among the links of the same places, from 0, and how many they are.
    pub of: (usize, usize),
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
    /// Whether it is a dark cell of a chequered board.
    pub dark: bool,
    /// The cell; `None` outside the board.
    pub cell: Option<Cell>,
    /// The name of the cell; empty outside the board.
    pub name: String,
    /// The piece on the cell, of a stack the top one; `None` if it is empty, or if the diagram shows no position.
    pub piece: Option<Box<DrawnPiece>>,
    /// The pieces below it, from the top: runs of equal ones, each with its number.
    pub below: Vec<(DrawnPiece, usize)>,
    /// What the cell has of resources, as lines write it; empty if it has none.
    pub held: String,
}

/// The piece on a cell of a diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnPiece {
    /// Its name in lines; that of a card which is not hidden.
    pub name: String,
    /// The player who owns it, or who is written before it.
    pub player: Option<PlayerId>,
    /// The piece, if it may cover several cells: cells with the same piece are one.
    pub whole: Option<PieceId>,
    /// Whether it is a piece, a card, or face down.
    pub lying: Lying,
}

/// The way in which a piece is drawn on a cell.
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

/// A piece that has moved from one cell to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnMove {
    /// The cells that it covered.
    pub from: Vec<Cell>,
    /// The cells that it covers now.
    pub to: Vec<Cell>,
}

/// Returns the rows of a diagram as files have them after `|`: the columns of a rectangle are aligned, the rows of a
/// hexagon or a triangle are centred, and those of a rhombus, which is `slanted`, begin half a cell further to the right from
/// row to row. Returns `None` for rows of other lengths. A wide character counts as two columns.
#[must_use]
pub fn aligned(rows: &[Vec<&str>], slanted: bool) -> Option<Vec<String>> {
    let width = |word: &&str| display_width(word);
    let most = rows.iter().map(Vec::len).max().unwrap_or(0);
    let joined = |row: &[&str], wide: &dyn Fn(usize) -> usize| {
        let words = row.iter().enumerate().map(|(at, word)| padded(word, wide(at)));
        words.collect::<Vec<_>>().join(" ").trim_end().to_owned()
    };
    if slanted && rows.iter().all(|row| row.len() == most) {
        let wide = rows.iter().flatten().map(width).max().unwrap_or(0) | 1;
        let moved = |(at, row): (usize, &Vec<&str>)| {
            let indent = " ".repeat((rows.len() - 1 - at) * wide.div_ceil(2));
            format!("{indent}{}", joined(row, &|_| wide))
        };
        return Some(rows.iter().enumerate().map(moved).collect());
    }
    if is_hexagon(rows) || is_triangle(rows) {
        // A cell and the space after it take an even number of columns, so that half of them is a whole number.
        let wide = rows.iter().flatten().map(width).max().unwrap_or(0) | 1;
        let centred = |row: &Vec<&str>| {
            let indent = " ".repeat((most - row.len()) * wide.div_ceil(2));
            format!("{indent}{}", joined(row, &|_| wide))
        };
        return Some(rows.iter().map(centred).collect());
    }
    let of = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(width).max().unwrap_or(0);
    let widths: Vec<usize> = (0..most).map(of).collect();
    let wide = |at: usize| widths.get(at).copied().unwrap_or(0);
    rows.iter().all(|row| row.len() == most).then(|| rows.iter().map(|row| joined(row, &wide)).collect())
}

/// Returns whether the lengths of rows are those of a hexagon: one more from row to row up to the middle, then one
/// less.
fn is_hexagon(rows: &[Vec<&str>]) -> bool {
    let side = rows.len().div_ceil(2);
    let is_fit = |(at, row): (usize, &Vec<&str>)| row.len() == side + at.min(rows.len() - 1 - at);
    rows.len() > 1 && rows.len() % 2 == 1 && rows.iter().enumerate().all(is_fit)
}

/// Returns whether the lengths of rows are those of a triangle: one more from row to row.
fn is_triangle(rows: &[Vec<&str>]) -> bool {
    rows.len() > 1 && rows.iter().zip(1..).all(|(row, length)| row.len() == length)
}

/// The gap between a margin and the cells inside it.
pub const GAP: &str = "  ";

impl Drawing {
    /// Returns whether a gap separates a column from the one on its left.
    pub fn is_apart(&self, column: usize) -> bool {
        self.rows.first().and_then(|row| row.cells.get(column)).is_some_and(|cell| cell.apart)
    }

    /// Returns the rows as files have them after `|`.
    pub fn rows_of_a_file(&self) -> Vec<String> {
        let cells = |row: &'_ DrawnRow| row.cells.iter().map(|cell| cell.text.clone()).collect::<Vec<_>>();
        let cells: Vec<Vec<String>> = self.rows.iter().map(cells).collect();
        let rows: Vec<Vec<&str>> = cells.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        let joined = || rows.iter().map(|row| row.join(" ")).collect();
        let mut rows = aligned(&rows, self.is_slanted()).unwrap_or_else(joined);
        rows.extend(self.origin.iter().map(|origin| format!("at {origin}")));
        rows
    }

    /// Returns whether each of its rows, of equal length, begins further to the right than the one below it.
    fn is_slanted(&self) -> bool {
        let is_last = |row: &DrawnRow| row.indent == 0;
        let falls = self.rows.windows(2).all(|pair| matches!(pair, [one, next] if one.indent == next.indent + 1));
        self.rows.len() > 1 && self.rows.last().is_some_and(is_last) && falls
    }

    /// Returns the rows as lines below a line `board` of a file.
    #[must_use]
    pub fn lines_of_a_file(&self) -> Vec<String> {
        self.rows_of_a_file().iter().map(|row| format!("  | {row}")).collect()
    }

    /// Returns the diagram as lines of text without highlighting.
    #[must_use]
    pub fn plain(&self) -> Vec<String> {
        let gap = |apart: bool| if apart { GAP } else { "" };
        let cells = self.rows.iter().flat_map(|row| &row.cells).map(|cell| display_width(&cell.text));
        let wide = cells.chain(self.columns.iter().map(|name| display_width(name))).max().unwrap_or(1);
        let label = self.rows.iter().map(|row| row.label.chars().count()).max().unwrap_or(0);
        let row = |row: &DrawnRow| {
            let indent = " ".repeat(row.indent * (wide + 1) / 2);
            let cells: String =
                row.cells.iter().map(|cell| format!(" {}{}", gap(cell.apart), padded_left(&cell.text, wide))).collect();
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
