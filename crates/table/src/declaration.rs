//! The names that a game file declares, each with the place of its declaration.

use std::sync::Arc;

use referee_source::{Source, Span};

/// What a declared name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclaredKind {
    /// The game.
    Game,
    /// A player.
    Player,
    /// A die.
    Die,
    /// A kind of pieces or of cards.
    Kind,
    /// A zone of cards.
    Zone,
    /// A flag, counter or property.
    Property,
    /// An ask, by its first word.
    Ask,
    /// An event, by its first word.
    Event,
    /// An option.
    Option,
    /// A value of an option, or a face of a die.
    Value,
    /// A variant.
    Variant,
}

/// A name with its declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// What it stands for.
    pub kind: DeclaredKind,
    /// The name; empty for the only die of a game.
    pub name: String,
    /// The option or die that a value belongs to; otherwise empty.
    pub of: String,
    /// The place of the name; for a die without a name that of its line.
    pub place: (Arc<Source>, Span),
    /// The line that declares it.
    pub line: Span,
    /// Its title, in quotes.
    pub title: Option<Span>,
}
