//! A position on the way: what `show` draws and what the traces of the test suite hold.

use crate::table::Drawing;

/// The position at the start of a scenario or at a pause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The line of a file up to which play went, from 1; a game's set-up has none.
    pub line: Option<usize>,
    /// That line.
    pub text: String,
    /// What happened since the scene before, one event a line.
    pub events: Vec<String>,
    /// The board; cells that changed since the scene before are marked.
    pub board: Drawing,
    /// The pieces of those who take part that are off the board.
    pub off: Vec<String>,
    /// Flags, counters and properties that are not at their initial value: `red.shards = 1 2`, `red squished`.
    pub values: Vec<String>,
    /// Whose turn it is.
    pub turn: Option<String>,
    /// What is asked now, or why nothing is.
    pub standing: String,
}

impl Scene {
    /// Returns the position in words: what a snapshot holds.
    #[must_use]
    pub fn text(&self) -> String {
        let mut lines: Vec<String> = self.events.iter().map(|event| format!("> {event}")).collect();
        lines.extend(self.board.plain());
        if !self.off.is_empty() {
            lines.push(format!("off: {}", self.off.join(", ")));
        }
        lines.extend(self.values.iter().cloned());
        lines.extend(self.turn.iter().map(|turn| format!("turn {turn}")));
        lines.push(self.standing.clone());
        lines.join("\n")
    }
}
