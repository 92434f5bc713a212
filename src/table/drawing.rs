//! A board as it is drawn in text: rows of short cell texts, the same for squares and hexagons.

/// A drawn board, top row first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// The rows, the top one first.
    pub rows: Vec<DrawnRow>,
    /// The names of the columns, from the left; empty where columns have none.
    pub columns: Vec<String>,
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
}

/// One cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawnCell {
    /// What lies there, `.` for nothing.
    pub text: String,
    /// Whether it is to stand out: it differs from what was expected, or something moved there.
    pub marked: bool,
}

impl Drawing {
    /// The board as lines of text without any marks.
    #[must_use]
    pub fn plain(&self) -> Vec<String> {
        let cells = self.rows.iter().flat_map(|row| &row.cells).map(|cell| cell.text.chars().count());
        let wide = cells.chain(self.columns.iter().map(|name| name.chars().count())).max().unwrap_or(1);
        let label = self.rows.iter().map(|row| row.label.chars().count()).max().unwrap_or(0);
        let spaced = |texts: Vec<&str>| texts.iter().map(|text| format!("{text:>wide$}")).collect::<Vec<_>>().join(" ");
        let row = |row: &DrawnRow| {
            let indent = " ".repeat(row.indent * (wide + 1) / 2);
            format!(
                "{:>label$} {indent}{}",
                row.label,
                spaced(row.cells.iter().map(|cell| cell.text.as_str()).collect())
            )
        };
        let names = spaced(self.columns.iter().map(String::as_str).collect());
        let below = (!names.is_empty()).then(|| format!("{:label$} {names}", ""));
        self.rows
            .iter()
            .map(row)
            .chain(below)
            .chain(self.notes.iter().cloned())
            .map(|line| line.trim_end().to_owned())
            .collect()
    }
}
