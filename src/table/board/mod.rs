//! Boards: cells, their names and neighbours, and how they are laid out on paper.
//!
//! A board is a list of cells with whole coordinates and a list of directions as steps between them; nothing outside
//! this file knows whether the cells are squares.

mod grid;
mod hex;

use std::collections::HashMap;

use super::{Cell, Cells, Direction};

/// The largest number of columns or rows.
pub(crate) const MAX_SIDE: i64 = 64;

/// A direction: its name and its step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Heading {
    /// `NE`
    pub name: &'static str,
    /// `north-east`
    pub long: &'static str,
    /// Columns to the right.
    pub dx: i32,
    /// Rows up.
    pub dy: i32,
}

/// What is wrong with a board's description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardError {
    /// Neither side may be less than 1 or more than 64.
    Size,
    /// The board's cells do not have so many directions.
    DirectionCount,
    /// The first direction is none of the board's.
    From,
}

/// A board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    names: Vec<String>,
    by_name: HashMap<String, Cell>,
    spots: Vec<(i32, i32)>,
    by_spot: HashMap<(i32, i32), Cell>,
    headings: Vec<Heading>,
    next: Vec<Option<Cell>>,
    rows: Vec<Row>,
    columns: Vec<String>,
    words: String,
}

/// One row of the paper, the top one first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) label: String,
    pub(crate) indent: usize,
    pub(crate) cells: Vec<Cell>,
}

/// A row while a board is built: its name, how far it is set in, its cells' coordinates and names.
struct Laid {
    label: String,
    indent: usize,
    cells: Vec<((i32, i32), String)>,
}

/// `count` of the headings, going round from the one called `from`; `all` go clockwise.
fn turned(mut all: Vec<Heading>, clockwise: bool, from: &str) -> Result<Vec<Heading>, BoardError> {
    if !clockwise {
        all.reverse();
    }
    let first = all.iter().position(|heading| heading.long == from || heading.name == from);
    all.rotate_left(first.ok_or(BoardError::From)?);
    Ok(all)
}

impl Board {
    /// A board from its rows, the bottom one first: its name, how far it is set in, and the coordinates of its cells
    /// with their names.
    fn build(words: String, headings: Vec<Heading>, rows: Vec<Laid>, columns: Vec<String>) -> Self {
        let cells = || rows.iter().flat_map(|row| &row.cells);
        let spots: Vec<(i32, i32)> = cells().map(|(spot, _)| *spot).collect();
        let names: Vec<String> = cells().map(|(_, name)| name.clone()).collect();
        let by_spot: HashMap<(i32, i32), Cell> = index(spots.iter().copied());
        let step =
            |spot: &(i32, i32), heading: &Heading| by_spot.get(&(spot.0 + heading.dx, spot.1 + heading.dy)).copied();
        let next = spots.iter().flat_map(|spot| headings.iter().map(move |heading| step(spot, heading))).collect();
        let mut first = 0;
        let mut laid: Vec<Row> = Vec::with_capacity(rows.len());
        for row in &rows {
            let end = first + row.cells.len();
            laid.push(Row {
                label: row.label.clone(),
                indent: row.indent,
                cells: (first..end).map(Cell::at).collect(),
            });
            first = end;
        }
        laid.reverse();
        Self {
            by_name: index(names.iter().cloned()),
            names,
            by_spot,
            spots,
            headings,
            next,
            rows: laid,
            columns,
            words,
        }
    }

    /// How many cells it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether it has no cell; no board is so.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Its size in words: `16x16`.
    #[must_use]
    pub fn words(&self) -> &str {
        &self.words
    }

    /// The cell called `name`.
    #[must_use]
    pub fn cell(&self, name: &str) -> Option<Cell> {
        self.by_name.get(name).copied()
    }

    /// The name of a cell; empty for a cell that the board does not have.
    #[must_use]
    pub fn name(&self, cell: Cell) -> &str {
        self.names.get(cell.index()).map_or("", String::as_str)
    }

    /// Every cell, rows from the bottom, each from the left.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        (0..self.len()).map(Cell::at)
    }

    /// The names of all cells, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The directions; the first is direction 1.
    #[must_use]
    pub fn headings(&self) -> &[Heading] {
        &self.headings
    }

    /// The heading of a direction.
    #[must_use]
    pub fn heading(&self, direction: Direction) -> Option<&Heading> {
        self.headings.get(direction.index().checked_sub(1)?)
    }

    /// The direction with this step.
    #[must_use]
    pub fn direction_of(&self, dx: i32, dy: i32) -> Option<Direction> {
        let place = self.headings.iter().position(|heading| (heading.dx, heading.dy) == (dx, dy))?;
        Some(Direction::at(place + 1))
    }

    /// The direction called `name`: `NE`, `north-east`.
    #[must_use]
    pub fn direction(&self, name: &str) -> Option<Direction> {
        let named = |heading: &Heading| heading.name == name || heading.long == name;
        Some(Direction::at(self.headings.iter().position(named)? + 1))
    }

    /// The cell one step on from `cell`; nothing beyond the edge.
    #[must_use]
    pub fn step(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        let place = direction.index().checked_sub(1).filter(|place| *place < self.headings.len())?;
        *self.next.get(cell.index() * self.headings.len() + place)?
    }

    /// The cells that a piece of this size covers when its cell nearest `a1` is `anchor`; nothing if it would not fit.
    #[must_use]
    pub fn footprint(&self, anchor: Cell, (columns, rows): (u8, u8)) -> Option<Cells> {
        let (x, y) = *self.spots.get(anchor.index())?;
        let mut cells = Cells::none(self.len());
        for row in 0..i32::from(rows) {
            for column in 0..i32::from(columns) {
                cells.insert(*self.by_spot.get(&(x + column, y + row))?);
            }
        }
        Some(cells)
    }

    /// The rows of the paper, the top one first.
    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The names of the columns, from the left.
    pub(crate) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The cells of a set as a reader meets them: rows from the top, each from the left.
    pub fn reading_order<'b>(&'b self, set: &'b Cells) -> impl Iterator<Item = Cell> + 'b {
        self.rows.iter().flat_map(|row| &row.cells).copied().filter(|cell| set.contains(*cell))
    }
}

/// The letters of column `x` (from 0): a … z, aa, ab …
fn letters(x: i32) -> String {
    let letter = |n: i32| char::from(b'a' + u8::try_from(n % 26).unwrap_or(0));
    if x < 26 { letter(x).to_string() } else { format!("{}{}", letter(x / 26 - 1), letter(x)) }
}

fn index<K: std::hash::Hash + Eq>(keys: impl Iterator<Item = K>) -> HashMap<K, Cell> {
    keys.enumerate().map(|(at, key)| (key, Cell::at(at))).collect()
}
