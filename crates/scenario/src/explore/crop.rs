//! Positions on smaller boards: a drawing loses a row or a column on one side, or its outer ring.

use std::collections::BTreeMap;

use referee_table::{Board, Heading};

/// A drawing of a grid or a hexagon, with the names of its cells.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    /// The columns and rows of a grid; the side of a hexagon, twice.
    size: (usize, usize),
    hex: bool,
    headings: Vec<Heading>,
    /// The cells, the top row first: what is drawn, and the name of the cell.
    rows: Vec<Vec<(String, String)>>,
}

/// The size of a smaller board, and how much is lost at the top, at the bottom, on the left and on the right.
type Part = ((usize, usize), [usize; 4]);

/// A part of a drawing on a smaller board.
pub(super) struct Cropped {
    pub(super) drawn: Drawn,
    /// The new name of each cell of the larger board that is left.
    renamed: BTreeMap<String, String>,
    /// The names of all cells of the larger board.
    known: Vec<String>,
}

impl Drawn {
    /// Returns the drawing of a board from its lines. Returns `None` if the board has no smaller board of its kind:
    /// tracks, open boards and boards with a margin.
    pub(super) fn of(board: &Board, lines: &[String]) -> Option<Self> {
        let words = board.words();
        let (hex, size) = match words.strip_prefix("hex ") {
            Some(side) => (true, (side.parse().ok()?, side.parse().ok()?)),
            None => {
                let (columns, rows) = words.split_once('x')?;
                (false, (columns.parse().ok()?, rows.parse().ok()?))
            }
        };
        let rows = lines.iter().filter_map(|line| line.trim_start().strip_prefix('|'));
        let rows: Vec<Vec<String>> = rows.map(|row| row.split_whitespace().map(str::to_owned).collect()).collect();
        Self::laid(hex, size, board.headings(), rows)
    }

    /// Returns the drawing of these rows on a board of this size.
    fn laid(hex: bool, size: (usize, usize), headings: &[Heading], rows: Vec<Vec<String>>) -> Option<Self> {
        let (columns, high) = (i64::try_from(size.0).ok()?, i64::try_from(size.1).ok()?);
        let board =
            if hex { Board::hex(high, headings.to_vec()) } else { Board::grid(columns, high, headings.to_vec()) };
        let board = board.ok()?;
        let mut names = board.names().map(str::to_owned);
        let mut named = Vec::new();
        for row in rows.into_iter().rev() {
            named.push(row.into_iter().map(|text| Some((text, names.next()?))).collect::<Option<Vec<_>>>()?);
        }
        named.reverse();
        names.next().is_none().then(|| Self { size, hex, headings: headings.to_vec(), rows: named })
    }

    /// Returns the lines of a scenario.
    pub(super) fn lines(&self) -> Vec<String> {
        let board = if self.hex {
            format!("board hex {}", self.size.1)
        } else {
            format!("board {}x{}", self.size.0, self.size.1)
        };
        let wide = self.rows.iter().flatten().map(|(text, _)| text.chars().count()).max().unwrap_or(1);
        let most = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let row = |row: &Vec<(String, String)>| {
            let indent = if self.hex { (most - row.len()) * (wide + 1) / 2 } else { 0 };
            let cells: Vec<String> = row.iter().map(|(text, _)| format!("{text:>wide$}")).collect();
            format!("  | {}{}", " ".repeat(indent), cells.join(" "))
        };
        std::iter::once(board).chain(self.rows.iter().map(row)).collect()
    }

    /// Returns the drawings on the next smaller boards that lose only empty cells: without the right column, the left
    /// column, the top row or the bottom row; of a hexagon, without the outer ring.
    pub(super) fn smaller(&self) -> Vec<Cropped> {
        let high = self.rows.len();
        let parts: Vec<Part> = if self.hex {
            let side = self.size.1.saturating_sub(1);
            vec![((side, side), [1, 1, 1, 1])]
        } else {
            let (columns, rows) = self.size;
            let (narrow, low) = ((columns.saturating_sub(1), rows), (columns, rows.saturating_sub(1)));
            vec![(narrow, [0, 0, 0, 1]), (narrow, [0, 0, 1, 0]), (low, [1, 0, 0, 0]), (low, [0, 1, 0, 0])]
        };
        let crop = |(size, [top, bottom, left, right]): Part| {
            let kept = self.rows.get(top..high.checked_sub(bottom)?)?;
            let kept: Option<Vec<&[(String, String)]>> =
                kept.iter().map(|row| row.get(left..row.len().checked_sub(right)?)).collect();
            let kept = kept?;
            let pieces =
                |cells: &mut dyn Iterator<Item = &(String, String)>| cells.filter(|(text, _)| text != ".").count();
            let lost = pieces(&mut self.rows.iter().flatten()) != pieces(&mut kept.iter().copied().flatten());
            let texts = kept.iter().map(|row| row.iter().map(|(text, _)| text.clone()).collect()).collect();
            let drawn = Self::laid(self.hex, size, &self.headings, texts).filter(|_| !lost)?;
            let old = kept.into_iter().flatten().map(|(_, name)| name.clone());
            let renamed = old.zip(drawn.rows.iter().flatten().map(|(_, name)| name.clone())).collect();
            let known = self.rows.iter().flatten().map(|(_, name)| name.clone()).collect();
            Some(Cropped { drawn, renamed, known })
        };
        parts.into_iter().filter_map(crop).collect()
    }
}

impl Cropped {
    /// Returns lines with the new names of the cells; `None` if a line names a cell that the smaller board has not.
    pub(super) fn lines(&self, lines: &[String]) -> Option<Vec<String>> {
        lines.iter().map(|line| self.line(line)).collect()
    }

    fn line(&self, line: &str) -> Option<String> {
        let mut text = String::new();
        for word in line.split_inclusive(|letter: char| !letter.is_ascii_alphanumeric()) {
            let (word, end) = match word.char_indices().next_back() {
                Some((at, last)) if !last.is_ascii_alphanumeric() => word.split_at(at),
                _ => (word, ""),
            };
            text.push_str(&self.word(word)?);
            text.push_str(end);
        }
        Some(text)
    }

    /// Returns a word with the new names of cells: a cell, or the cells of a move that captures, as in `c3xe5`.
    fn word(&self, word: &str) -> Option<String> {
        if self.known.iter().any(|name| name == word) {
            return self.renamed.get(word).cloned();
        }
        let parts: Vec<&str> = word.split('x').collect();
        if parts.len() < 2 || !parts.iter().all(|part| self.known.iter().any(|name| name == part)) {
            return Some(word.to_owned());
        }
        let parts: Option<Vec<&str>> = parts.iter().map(|part| self.renamed.get(*part).map(String::as_str)).collect();
        Some(parts?.join("x"))
    }
}
