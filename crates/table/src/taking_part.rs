//! Who takes part at a table: players, zones and dealing; and the names of the game on its board.

use std::sync::Arc;

use super::{Dealing, Names, Owner, Phrase, PlayerId, Table, ZoneId};
use referee_diagnostic::{Code, Diagnostic, one_of};
use referee_source::{Source, Span};

impl Table {
    /// Returns the names of the game on the board of this table.
    #[must_use]
    pub fn names(&self) -> Names<'_> {
        Names { schema: &self.schema, board: &self.board }
    }

    /// Returns whether an owner of values takes part: anyone but a player who does not.
    #[must_use]
    pub fn has_owner(&self, owner: Owner) -> bool {
        !matches!(owner, Owner::Player(player) if !self.players.contains(&player))
    }

    /// Returns the help that lists who takes part.
    #[must_use]
    pub fn those_who_play(&self) -> String {
        let players = self.players.iter().map(|player| self.schema.player_name(*player));
        format!("those who play are {}", one_of(players, 9))
    }

    /// Returns a player, who is named at a location, if they take part.
    ///
    /// # Errors
    /// Returns an error if they do not take part.
    pub fn taking_part(&self, player: PlayerId, source: &Arc<Source>, span: Span) -> Result<PlayerId, Diagnostic> {
        if self.players.contains(&player) { Ok(player) } else { Err(self.not_playing(player, source, span)) }
    }

    /// Returns the error for a player, who is named at a location, and does not take part.
    #[must_use]
    pub fn not_playing(&self, player: PlayerId, source: &Arc<Source>, span: Span) -> Diagnostic {
        let scenario = if source.is_command_line() { "" } else { " in this scenario" };
        let message = format!("`{}` does not take part{scenario}", self.schema.player_name(player));
        Diagnostic::new(Code::NotPlaying, source, span, message).help(self.those_who_play())
    }

    /// Takes a zone.
    ///
    /// # Errors
    /// Returns an error if the zone is unknown, or its player is missing or does not take part.
    pub fn zone(&self, words: &mut Phrase<'_>) -> Result<ZoneId, Diagnostic> {
        let all = *words;
        let zone = self.names().zone(words)?;
        let owner = self.schema.zones.get(zone.index()).and_then(|zone| zone.owner);
        match all.before(*words).words().last() {
            Some(word) if owner.is_some_and(|owner| !self.players.contains(&owner)) => {
                let message = format!("`{}` does not take part in this scenario", word.text);
                Err(Diagnostic::on(Code::NotPlaying, word, message).help(self.those_who_play()))
            }
            _ => Ok(zone),
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
