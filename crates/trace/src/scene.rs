//! A position during play, as `show` prints it and the traces of the test suite record it.

use super::Ended;
use referee_table::{Drawing, DrawnMove, DrawnZone};

/// The position at the start of a scenario or at a pause: all that a reader of it wants to see.
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
    /// All cards that are not where they were at the start, also those that some players do not see:
    /// `hand red: squash (secret)`.
    pub cards: Vec<String>,
    /// The player whose turn it is.
    pub turn: Option<String>,
    /// The current question, or why there is none.
    pub standing: String,
    /// How the game ended, and by what, if it is over.
    pub ended: Option<Ended>,
    /// The names of all players of the game.
    pub players: Vec<String>,
    /// The cards of zones, as all players see them.
    pub zones: Vec<DrawnZone>,
    /// The pieces that have moved on the board since the previous scene.
    pub moves: Vec<DrawnMove>,
    /// The lines of the file that led here, and those that are judged here: their numbers and texts.
    pub written: Vec<(usize, String)>,
}

impl Scene {
    /// Returns the current question, or why there is none, with the clause that ended the game: `over: winner red (E1)`.
    #[must_use]
    pub fn stands(&self) -> String {
        self.ended.as_ref().map_or_else(|| self.standing.clone(), |ended| format!("over: {}", ended.short()))
    }

    /// Returns the same with the line of the rules that ended the game: `over: winner red (E1), rules.rhai:20`.
    #[must_use]
    pub fn stands_at(&self) -> String {
        self.ended.as_ref().map_or_else(|| self.standing.clone(), |ended| format!("over: {ended}"))
    }

    /// Returns the position as the text of a snapshot.
    #[must_use]
    pub fn text(&self) -> String {
        let mut lines: Vec<String> = self.events.iter().map(|event| format!("> {event}")).collect();
        lines.extend(self.board.plain());
        if !self.off.is_empty() {
            lines.push(format!("off: {}", self.off.join(", ")));
        }
        lines.extend(self.values.iter().chain(&self.cards).cloned());
        lines.extend(self.turn.iter().map(|turn| format!("turn {turn}")));
        lines.push(self.standing.clone());
        lines.join("\n")
    }
}
