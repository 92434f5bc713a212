//! How players decide.

use super::machine::Machine;
use super::playout::Playouts;
use super::random::Random;
use crate::diagnostic::Diagnostic;
use crate::trace::Decision;

/// How a player decides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Every option is as likely as any other.
    #[default]
    Random,
}

impl Policy {
    /// Whether it looks at what the options lead to, for which play must pause.
    #[must_use]
    pub const fn thinks(&self) -> bool {
        !matches!(self, Self::Random)
    }

    /// The place of the option to take at the pause where `machine` stands.
    ///
    /// # Errors
    /// The rules, or what the policy goes by, are wrong.
    pub(super) fn choose(
        &self,
        _playouts: &Playouts<'_>,
        _machine: &Machine<'_>,
        decision: &Decision,
        random: &mut Random,
    ) -> Result<usize, Box<Diagnostic>> {
        match self {
            Self::Random => Ok(random.place(decision.options.len())),
        }
    }
}
