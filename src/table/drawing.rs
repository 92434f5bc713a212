//! A board as it is drawn in text: rows of short cell texts, the same for squares and hexagons.

/// A drawn board, top row first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// The rows, the top one first.
    pub rows: Vec<DrawnRow>,
    /// The names of the columns, from the left; empty where columns have none.
    pub columns: Vec<String>,
}

/// One row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawnRow {
    /// The name of the row.
    pub label: String,
    /// How far the row is set in, in half cells.
    pub indent: usize,
    /// Its cells, from the left.
    pub cells: Vec<DrawnCell>,
}

/// One cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawnCell {
    /// What lies there, `.` for nothing.
    pub text: String,
    /// Whether it is to stand out: it differs from what was expected, or something moved there.
    pub marked: bool,
}
