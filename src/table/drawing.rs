//! A board as a diagram in text: rows of short cell texts, for squares and hexagons alike.

/// A diagram of a board, top row first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
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
