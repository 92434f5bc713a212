//! States and answers in the words of scenario lines.

pub(crate) mod answers;
pub(crate) mod cards;
pub(crate) mod state;
