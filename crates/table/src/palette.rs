//! What can be put on a board by drawing: the symbols that a diagram of a position may have.

use super::{PieceId, Table};

/// A symbol of diagrams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// As it is written.
    pub text: String,
    /// The name of the piece.
    pub name: String,
    /// The columns and rows that the piece covers.
    pub size: (u8, u8),
    /// Whether several cells may have it; there is only one of other pieces.
    pub many: bool,
}

impl Table {
    /// Returns the symbols of the pieces of those who take part, in the order of declaration; with each player before
    /// them, where diagrams write a player.
    #[must_use]
    pub fn palette(&self) -> Vec<Symbol> {
        let mut all: Vec<Symbol> = Vec::new();
        for (at, piece) in self.schema.pieces.iter().enumerate() {
            if piece.owner.is_some_and(|owner| !self.players.contains(&owner)) {
                continue;
            }
            let (id, drawn) = (PieceId::at(at), piece.drawn());
            let copies = piece.card.as_ref().map_or(1, |card| card.copies);
            let many = piece.many || piece.is_back() || copies > 1;
            let own = self.players.iter().filter(|_| self.schema.drawn_property(id).is_some());
            let texts =
                std::iter::once(drawn.clone()).chain(own.map(|player| self.schema.prefixed(Some(*player), &drawn)));
            for text in texts {
                // Numbered pieces may share a symbol: then each cell with it has another one.
                match all.iter_mut().find(|other| other.text == text) {
                    Some(known) => known.many = true,
                    None => all.push(Symbol { text, name: piece.name.clone(), size: self.size(id), many }),
                }
            }
        }
        all
    }
}
