//! What functions use their parameters as.

/// What a string is used as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Want {
    /// A name of this kind; see `Checker::names`.
    Name(String),
    Cell,
    Direction,
    /// One of the words of a property or of a form.
    Word {
        of: String,
        words: Vec<String>,
    },
}

/// What a parameter is used as.
#[derive(Clone, Default)]
pub(super) struct Uses {
    pub(super) wants: Vec<Want>,
    /// Whether the function looks at its value, so that not every value may get where it is wanted.
    pub(super) looked_at: bool,
}
