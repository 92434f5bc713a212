//! Who takes part at a table: players, zones and dealing; and the names of the game on its board.

use super::{Dealing, Names, PlayerId, Table, WordError, ZoneId};
use referee_diagnostic::one_of;
use referee_source::{Source, Span, Word};

impl Table {
    /// Returns the names of the game on the board of this table.
    #[must_use]
    pub fn names(&self) -> Names<'_> {
        Names { schema: &self.schema, board: &self.board }
    }

    /// Returns the help that lists who takes part.
    #[must_use]
    pub fn those_who_play(&self) -> String {
        let players = self.players.iter().map(|player| self.schema.player_name(*player));
        format!("those who play are {}", one_of(players, 9))
    }

    /// Returns a player if they take part; `word` names them in `source`.
    ///
    /// # Errors
    /// Returns an error if they do not take part.
    pub fn taking_part(&self, source: &Source, player: PlayerId, word: &Word<'_>) -> Result<PlayerId, WordError> {
        if self.players.contains(&player) { Ok(player) } else { Err(self.not_playing(source, word)) }
    }

    /// Returns the error for a player who does not take part.
    #[must_use]
    pub fn not_playing(&self, source: &Source, player: &Word<'_>) -> WordError {
        let scenario = if source.is_command_line() { "" } else { " in this scenario" };
        WordError::new("not_playing", player.span, format!("`{}` does not take part{scenario}", player.text))
            .help(self.those_who_play())
    }

    /// Returns the zone that the first words name, and the number of these words. `end` is the location after the last
    /// word.
    ///
    /// # Errors
    /// Returns an error if the zone is unknown, or its player is missing or does not take part.
    pub fn zone(&self, words: &[Word<'_>], end: Span) -> Result<(ZoneId, usize), WordError> {
        let (zone, taken) = self.names().zone(words, end)?;
        let owner = self.schema.zones.get(zone.index()).and_then(|zone| zone.owner);
        match words.get(taken.saturating_sub(1)) {
            Some(word) if owner.is_some_and(|owner| !self.players.contains(&owner)) => {
                let message = format!("`{}` does not take part in this scenario", word.text);
                Err(WordError::new("not_playing", word.span, message).help(self.those_who_play()))
            }
            _ => Ok((zone, taken)),
        }
    }
}

impl Dealing {
    /// Returns the same for the players at a table, in the order of play; `None` if no zone receives cards.
    #[must_use]
    pub fn at(&self, table: &Table) -> Option<Self> {
        let Self::Deal { number, from, to } = self else { return Some(self.clone()) };
        let place = |zone: &ZoneId| match table.schema.zones.get(zone.index())?.owner {
            None => Some(0),
            Some(owner) => table.players.iter().position(|player| *player == owner),
        };
        let mut seated: Vec<(usize, ZoneId)> = to.iter().filter_map(|zone| Some((place(zone)?, *zone))).collect();
        seated.sort_unstable();
        let to: Vec<ZoneId> = seated.into_iter().map(|(_, zone)| zone).collect();
        (!to.is_empty()).then_some(Self::Deal { number: *number, from: *from, to })
    }
}
