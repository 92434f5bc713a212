//! A board as it is drawn in text: rows of short cell texts, the same for squares and hexagons.

/// A drawn board, top row first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// The rows, the top one first.
    pub rows: Vec<DrawnRow>,
    /// The names of the columns, from the left; empty where columns have none.
    pub columns: Vec<String>,
    /// The bottom left cell, where that says which part of an open board is drawn.
    pub origin: Option<String>,
    /// What else is to be seen, a line each: the arrows of a track, who stands at its start.
    pub notes: Vec<String>,
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
    /// Whether it is set off from the row above: a margin begins or ends there.
    pub apart: bool,
}

/// One cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawnCell {
    /// What lies there, `.` for nothing.
    pub text: String,
    /// Whether it is to stand out: it differs from what was expected, or something moved there.
    pub marked: bool,
    /// Whether it is set off from the cell on its left: a margin begins or ends there.
    pub apart: bool,
}

/// What stands between a margin and the cells inside it.
pub(crate) const GAP: &str = "  ";

impl Drawing {
    /// Returns whether a column is set off from the one on its left.
    pub(crate) fn is_apart(&self, column: usize) -> bool {
        self.rows.first().and_then(|row| row.cells.get(column)).is_some_and(|cell| cell.apart)
    }

    /// Returns the rows as the lines of a file have them behind `|`, in columns as wide as the widest cell.
    pub fn rows_of_a_file(&self) -> impl Iterator<Item = String> + '_ {
        let wide = self.rows.iter().flat_map(|row| &row.cells).map(|cell| cell.text.chars().count()).max().unwrap_or(1);
        let row = move |row: &DrawnRow| {
            let indent = " ".repeat(row.indent * (wide + 1) / 2);
            let cells: Vec<String> = row.cells.iter().map(|cell| format!("{:>wide$}", cell.text)).collect();
            format!("{indent}{}", cells.join(" "))
        };
        self.rows.iter().map(row).chain(self.origin.iter().map(|origin| format!("at {origin}")))
    }

    /// Returns the board as lines of text without any marks.
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
