//! Which phase comes next.

use super::{Phase, PlayerId, State};
use crate::diagnostic::MustBe as _;

impl State {
    /// Takes the next phase: from the agenda, or the next player's turn.
    #[must_use]
    pub fn due(&mut self) -> Phase {
        let phase = self.agenda.pop().unwrap_or_else(|| {
            let first = self.table.players.first().copied().or_missing("the first player", PlayerId(0));
            let following = self.turn.map_or(first, |player| self.table.after(player));
            let next = self.next_turn.take().unwrap_or(following);
            self.turn = Some(next);
            Phase::turn(next)
        });
        if let Some(player) = phase.player() {
            self.remember(player);
        }
        phase
    }
}
