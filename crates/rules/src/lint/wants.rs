//! What strings and parameters are used as.

use crate::host::Role;

/// What a string is used as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Want {
    /// A name in the game.
    Name(Role),
    /// One of the words of a property or of a form.
    Word { of: String, words: Vec<String> },
}

/// What a parameter is used as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Uses {
    /// As this and as nothing else.
    As {
        want: Want,
        /// Whether that depends on a condition, so that another value may be right.
        unsure: bool,
    },
    /// In several ways, or the function looks at its value: not every value gets everywhere.
    Several,
}

impl Uses {
    /// Returns the use of a parameter that is used in both ways.
    pub(super) fn with(self, other: Self) -> Self {
        match (self, other) {
            (Self::As { want, unsure }, Self::As { want: same, unsure: too }) if want == same => {
                Self::As { want, unsure: unsure && too }
            }
            _ => Self::Several,
        }
    }
}
