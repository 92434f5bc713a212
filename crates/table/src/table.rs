//! What does not change during play.

use std::sync::Arc;

use super::fixed::{Places, StateBytes};
use super::turn_rules::TurnRules;
use super::{Board, Cell, OptionId, PieceId, PlayerId, Schema, Setting};
use referee_diagnostic::MustBe as _;

/// The data that do not change during play: the schema, the board of this position, sizes, players and options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The declarations of the game.
    pub schema: Arc<Schema>,
    /// The board.
    pub board: Arc<Board>,
    /// The size of each piece: columns and rows.
    pub sizes: Vec<(u8, u8)>,
    /// The players who take part, in the order of play.
    pub players: Vec<PlayerId>,
    /// The value of each option.
    pub options: Vec<Setting>,
    /// The index of the variant.
    pub variant: usize,
    /// The arrows of the board: base and end.
    pub arrows: Vec<(Cell, Cell)>,
    /// What the rules do with turns and rounds.
    pub turns: TurnRules,
    /// Where the parts of its states are.
    pub places: Places,
}

impl Table {
    /// Returns where the parts of its states are among their bytes.
    #[must_use]
    pub fn bytes(&self) -> &Arc<StateBytes> {
        self.places.of(&self.schema, self.board.size())
    }

    /// Returns the value of an option.
    #[must_use]
    pub fn option(&self, option: OptionId) -> Option<&Setting> {
        self.options.get(option.index())
    }

    /// Returns the player after `player`, in the order of play.
    #[must_use]
    pub fn after(&self, player: PlayerId) -> PlayerId {
        let place = self.players.iter().position(|other| *other == player);
        let next = place.map_or(0, |place| (place + 1) % self.players.len().max(1));
        self.players.get(next).copied().or_missing("the next player", player)
    }

    /// Returns the end of the arrow whose base is a cell.
    #[must_use]
    pub fn arrow(&self, cell: Cell) -> Option<Cell> {
        self.arrows.iter().find(|(from, _)| *from == cell).map(|(_, to)| *to)
    }

    /// Returns the size of a piece.
    #[must_use]
    pub fn size(&self, piece: PieceId) -> (u8, u8) {
        self.sizes.get(piece.index()).copied().or_missing("the size of a piece", (1, 1))
    }
}
