//! Ids: numbers for the declarations of a game, in the order of the declarations.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($inner:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        pub struct $name(pub $inner);

        impl $name {
            /// Returns the index in its list.
            #[inline]
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// Returns the id for `index` in its list; lists are always shorter than the range of ids.
            #[inline]
            #[must_use]
            pub fn at(index: usize) -> Self {
                Self(<$inner>::try_from(index).unwrap_or(<$inner>::MAX))
            }
        }
    )*};
}

ids! {
    /// A player.
    PlayerId(u8);
    /// A kind of pieces.
    KindId(u16);
    /// A piece.
    PieceId(u16);
    /// A cell of a board.
    Cell(u32);
    /// A direction of a board, counted from 1.
    Direction(u8);
    /// A die.
    DieId(u16);
    /// A declared ask.
    AskId(u16);
    /// A declared event.
    EventId(u16);
    /// A flag, counter or property.
    PropertyId(u16);
    /// An option of the game.
    OptionId(u16);
    /// A clause of the rulebook.
    ClauseId(u16);
    /// A zone of cards.
    ZoneId(u16);
}
