//! Who sees a value, a throw or an answer.

use super::PlayerId;

/// Who sees a value, a throw or an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sight {
    /// All players.
    #[default]
    Open,
    /// Its player: the owner of a value or of the piece that has it, the player for whom a die is thrown, or who answers.
    Secret,
    /// No player.
    Hidden,
}

impl Sight {
    /// Returns the word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Secret => "secret",
            Self::Hidden => "hidden",
        }
    }

    /// Returns whether a player sees what is another's, or nobody's.
    #[must_use]
    pub fn is_seen(self, by: PlayerId, own: Option<PlayerId>) -> bool {
        match self {
            Self::Open => true,
            Self::Secret => own == Some(by),
            Self::Hidden => false,
        }
    }
}
