//! A position during play, as `show` prints it and the traces of the test suite record it.

use crate::table::Drawing;

/// The position at the start of a scenario or at a pause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The last line of the file that was played, counted from 1; `None` for the set-up of a game.
    pub line: Option<usize>,
    /// The text of that line.
    pub text: String,
    /// The events since the previous scene.
    pub events: Vec<String>,
    /// The board; cells that changed since the previous scene are highlighted.
    pub board: Drawing,
    /// The pieces of participating players that are off the board.
    pub off: Vec<String>,
    /// Flags, counters and properties that are not at their initial value: `red.shards = 1 2`, `red squished`.
    pub values: Vec<String>,
    /// The player whose turn it is.
    pub turn: Option<String>,
    /// The current question, or why there is none.
    pub standing: String,
}

impl Scene {
    /// Returns the position as the text of a snapshot.
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
